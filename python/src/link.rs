//! A link: `rs:ln`.

use pyo3::{PyClassInitializer, prelude::*};
use resourcesync::model;

use crate::metadata::Metadata;

/// A link to a related resource.
#[pyclass(frozen, extends = Metadata, module = "resourcesync")]
pub(crate) struct Link;

impl Link {
    pub(crate) fn make(py: Python<'_>, link: &model::Link) -> PyResult<Py<Link>> {
        let base = Metadata { inner: link.attributes.clone() };
        Py::new(py, PyClassInitializer::from(base).add_subclass(Link))
    }
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

    fn __repr__(slf: &Bound<'_, Link>) -> PyResult<String> {
        let inner = &slf.as_super().get().inner;
        let text = |field: Option<std::borrow::Cow<'_, str>>| field.unwrap_or_default().into_owned();
        let rel = text(inner.rel().map(model::AnyField::text));
        let href = text(inner.href().map(model::AnyField::text));
        Ok(format!("<resourcesync.Link {rel} {href}>"))
    }
}
