//! The typed attributes of an `rs:md` or `rs:ln`.

use pyo3::{
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyString, PyType},
};
use resourcesync::{
    model::{Attribute, AttributeValue, Attributes},
    value::{Algorithm, to_hex},
};

use crate::datetime::datetime;

static PATH: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static NAMES: PyOnceLock<[Py<PyString>; Algorithm::KNOWN.len()]> = PyOnceLock::new();

/// The metadata of an `rs:md` or `rs:ln`. A value that cannot be parsed is `None`; its text is in `attributes`.
#[pyclass(frozen, subclass, module = "resourcesync")]
pub(crate) struct Metadata {
    pub(crate) inner: Attributes,
}

type Made<'py> = PyResult<Option<Bound<'py, PyAny>>>;

#[pymethods]
impl Metadata {
    /// When taking the snapshot began.
    #[getter]
    fn at<'py>(&self, py: Python<'py>) -> Made<'py> {
        datetime(py, self.inner.at())
    }

    /// The capability of the document or of its target.
    #[getter]
    fn capability(&self) -> Option<&str> {
        Some(self.inner.capability()?.value()?.as_str())
    }

    /// The kind of change: created, updated or deleted.
    #[getter]
    fn change(&self) -> Option<&str> {
        Some(self.inner.change()?.value()?.as_str())
    }

    /// When taking the snapshot was completed.
    #[getter]
    fn completed<'py>(&self, py: Python<'py>) -> Made<'py> {
        datetime(py, self.inner.completed())
    }

    /// When the change happened.
    #[getter]
    fn datetime<'py>(&self, py: Python<'py>) -> Made<'py> {
        datetime(py, self.inner.datetime())
    }

    /// Content codings, as in `Content-Encoding`.
    #[getter]
    fn encoding(&self) -> Option<String> {
        Some(self.inner.encoding()?.value()?.to_string())
    }

    /// The start of the interval of changes.
    #[getter]
    fn from_<'py>(&self, py: Python<'py>) -> Made<'py> {
        datetime(py, self.inner.from())
    }

    /// Digests of the bitstream in lower-case hexadecimal, by algorithm.
    #[getter]
    fn hashes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let hashes = PyDict::new(py);
        for hash in self.inner.hash().and_then(|field| field.value()).into_iter().flat_map(|hashes| hashes.iter()) {
            let algorithm = name(py, &hash.algorithm);
            // The first digest of a repeated algorithm counts.
            if !hashes.contains(&algorithm)? {
                hashes.set_item(algorithm, to_hex(&hash.digest))?;
            }
        }
        Ok(hashes)
    }

    /// Length of the bitstream in bytes.
    #[getter]
    fn length(&self) -> Option<u64> {
        Some(self.inner.length()?.value()?.0)
    }

    /// When the linked resource was last modified.
    #[getter]
    fn modified<'py>(&self, py: Python<'py>) -> Made<'py> {
        datetime(py, self.inner.modified())
    }

    /// Path of the bitstream in the package.
    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> Made<'py> {
        let Some(path) = self.inner.path().and_then(|field| field.value()) else { return Ok(None) };
        let class = PATH.import(py, "pathlib", "PurePosixPath")?;
        Ok(Some(class.call1((path.as_str(),))?))
    }

    /// Media type of the bitstream.
    #[getter]
    fn r#type(&self) -> Option<&str> {
        Some(self.inner.media_type()?.value()?.as_str())
    }

    /// The end of the interval of changes.
    #[getter]
    fn until<'py>(&self, py: Python<'py>) -> Made<'py> {
        datetime(py, self.inner.until())
    }

    /// All attributes as written; those in other namespaces as `{namespace}name`.
    #[getter]
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        mapping(py, self.inner.iter())
    }
}

/// Attributes as text by name.
pub(crate) fn mapping<'py, 'a>(
    py: Python<'py>,
    attributes: impl IntoIterator<Item = &'a Attribute>,
) -> PyResult<Bound<'py, PyDict>> {
    let mapping = PyDict::new(py);
    for attribute in attributes {
        let name = match &attribute.value {
            AttributeValue::Other(other) if !other.namespace.is_empty() => {
                format!("{{{}}}{}", other.namespace, other.local)
            }
            _ => attribute.local().to_owned(),
        };
        mapping.set_item(name, attribute.text())?;
    }
    Ok(mapping)
}

/// The name of an algorithm; interned for those that can be checked.
fn name<'py>(py: Python<'py>, algorithm: &Algorithm) -> Bound<'py, PyString> {
    let known = NAMES.get_or_init(py, || Algorithm::KNOWN.map(|known| PyString::intern(py, known.as_str()).unbind()));
    let place = Algorithm::KNOWN.iter().position(|known| known == algorithm);
    let name = place.and_then(|place| known.get(place)).map(|name| name.bind(py).clone());
    name.unwrap_or_else(|| PyString::new(py, algorithm.as_str()))
}
