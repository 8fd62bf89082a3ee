//! Writes one dump package.

use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use resourcesync::{
    api::plain,
    build::{PackageWriter, PublishError},
    model::{Kind, Shape},
};

use crate::{
    builder::{to_entry, to_head},
    error::{misuse, refused},
    json::written,
    options::Options,
};

/// A package being written.
#[pyclass(module = "resourcesync._core")]
pub(crate) struct Packer {
    inner: Option<PackageWriter>,
}

type Packed<'py> = (Bound<'py, PyBytes>, String, u64, String, String);

#[pymethods]
impl Packer {
    /// Starts a package with a manifest of a kind.
    #[new]
    fn new(kind: &str, head: &Bound<'_, PyAny>, options: &Options) -> PyResult<Packer> {
        let kind = Kind::parse(kind).map_err(PyValueError::new_err)?;
        let head: plain::Head = to_head(head)?;
        let (head, own) = (head.to_model().0, options.of_builders());
        let writer = PackageWriter::new(kind, head, own).map_err(|error| refused(&error))?;
        Ok(Packer { inner: Some(writer) })
    }

    fn push(&mut self, entry: &Bound<'_, PyAny>) -> PyResult<()> {
        let entry = to_entry(entry)?.to_model(Shape::UrlSet);
        self.open()?.push(entry).map_err(failed)
    }

    fn write(&mut self, bytes: &[u8]) -> PyResult<()> {
        self.open()?.write(bytes).map_err(failed)
    }

    /// Returns the output written since the last call.
    fn take<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.open()?.take()))
    }

    /// Ends it; returns the rest, the manifest, the length and SHA-256 of the package, and the accepted findings as JSON.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Packed<'py>> {
        let packed = self.inner.take().ok_or_else(over)?.finish().map_err(failed)?;
        let accepted = written(&packed.accepted)?;
        Ok((PyBytes::new(py, &packed.rest), packed.manifest, packed.length, packed.sha256, accepted))
    }
}

impl Packer {
    fn open(&mut self) -> PyResult<&mut PackageWriter> {
        self.inner.as_mut().ok_or_else(over)
    }
}

fn over() -> PyErr {
    misuse("this package is finished".to_owned())
}

fn failed(error: PublishError) -> PyErr {
    match error {
        PublishError::Refused(error) => refused(&error),
        PublishError::Store(never) => match never {},
        PublishError::Misuse(words) => misuse(words.to_owned()),
    }
}
