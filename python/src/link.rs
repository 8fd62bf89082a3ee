//! A link: `rs:ln`.

use pyo3::{PyClassInitializer, exceptions::PyValueError, prelude::*, types::PyBytes};
use resourcesync::{limits::Limits, model, read};

use crate::{
    metadata::Metadata,
    pickle::{Reduced, hash, pickled, texts},
};

/// A link to a related resource. Links with the same attributes are equal.
#[pyclass(frozen, extends = Metadata, module = "resourcesync")]
pub(crate) struct Link;

impl Link {
    pub(crate) fn make(py: Python<'_>, link: &model::Link) -> PyResult<Py<Link>> {
        let base = Metadata { inner: link.attributes.clone() };
        Py::new(py, PyClassInitializer::from(base).add_subclass(Link))
    }
}

/// Reads a link that was pickled.
#[pyfunction]
pub(crate) fn restore_link(py: Python<'_>, content: &[u8]) -> PyResult<Py<Link>> {
    let read = read::document(content, &Limits::default(), &mut ());
    let entry = read.ok().and_then(|document| document.entries.into_iter().next());
    let link = entry.and_then(|entry| entry.links.into_iter().next());
    Link::make(py, &link.ok_or_else(|| PyValueError::new_err("not a pickled link"))?)
}

#[pymethods]
impl Link {
    /// The link relation.
    #[getter]
    fn rel(slf: &Bound<'_, Link>) -> Option<String> {
        Some(slf.as_super().get().inner.rel()?.value()?.to_string())
    }

    /// The target of the link.
    #[getter]
    fn href(slf: &Bound<'_, Link>) -> Option<String> {
        Some(slf.as_super().get().inner.href()?.value()?.to_string())
    }

    /// Priority among links of the same relation; lower is better.
    #[getter]
    fn pri(slf: &Bound<'_, Link>) -> Option<u32> {
        Some(slf.as_super().get().inner.pri()?.value()?.get())
    }

    fn __eq__(slf: &Bound<'_, Link>, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Link>().is_ok_and(|other| slf.as_super().get().inner == other.as_super().get().inner)
    }

    fn __hash__(slf: &Bound<'_, Link>) -> u64 {
        hash(&texts(&slf.as_super().get().inner))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Link>) -> PyResult<Reduced<'py, (Bound<'py, PyBytes>,)>> {
        let py = slf.py();
        let link = model::Link { attributes: slf.as_super().get().inner.clone(), ..model::Link::default() };
        let content = pickled(model::Entry { links: vec![link], ..model::Entry::default() })?;
        let restore = py.import("resourcesync._core")?.getattr("restore_link")?;
        Ok((restore, (PyBytes::new(py, content.as_bytes()),)))
    }

    fn __repr__(slf: &Bound<'_, Link>) -> PyResult<String> {
        let inner = &slf.as_super().get().inner;
        let text = |field: Option<std::borrow::Cow<'_, str>>| field.unwrap_or_default().into_owned();
        let rel = text(inner.rel().map(model::AnyField::text));
        let href = text(inner.href().map(model::AnyField::text));
        Ok(format!("<resourcesync.Link {rel} {href}>"))
    }
}
