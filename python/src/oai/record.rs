//! A record: its parts become Python objects when they are asked for.

use std::sync::Arc;

use pyo3::{prelude::*, types::PyBytes};
use resourcesync::value::to_hex;
use resourcesync_oai::page::Record;

/// A record of a repository. `metadata` and `about` are bytes as they were sent; they are made when they are asked for.
#[pyclass(frozen, module = "resourcesync.oai")]
pub(crate) struct OaiRecord {
    inner: Record,
    prefix: Option<Arc<str>>,
}

impl OaiRecord {
    pub(crate) fn new(inner: Record, prefix: Option<Arc<str>>) -> OaiRecord {
        OaiRecord { inner, prefix }
    }
}

#[pymethods]
impl OaiRecord {
    /// The identifier of the item.
    #[getter]
    fn identifier(&self) -> &str {
        &self.inner.header.identifier
    }

    /// When it was created, changed or deleted, as the repository has it.
    #[getter]
    fn datestamp(&self) -> Option<&str> {
        self.inner.header.datestamp.as_ref().map(|stamp| stamp.text.as_str())
    }

    /// True if it was deleted; there is no metadata then.
    #[getter]
    fn is_deleted(&self) -> bool {
        self.inner.header.is_deleted
    }

    /// Its sets.
    #[getter]
    fn sets(&self) -> Vec<String> {
        self.inner.header.sets.clone()
    }

    /// The format; `None` for a page, which does not say it.
    #[getter]
    fn prefix(&self) -> Option<&str> {
        self.prefix.as_deref()
    }

    /// The metadata as sent.
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.inner.metadata.as_ref().map(|markup| PyBytes::new(py, &markup.raw))
    }

    /// The metadata as a document of its own, with the namespace declarations that it needs from around it.
    fn standalone<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.inner.metadata.as_ref().map(|markup| PyBytes::new(py, &markup.standalone()))
    }

    /// The contents of `about`.
    #[getter]
    fn about<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        self.inner.about.iter().map(|markup| PyBytes::new(py, &markup.raw)).collect()
    }

    /// The SHA-256 of `standalone`.
    #[getter]
    fn sha256(&self) -> Option<String> {
        self.inner.metadata.as_ref().map(|markup| to_hex(&markup.sha256()))
    }

    fn __repr__(&self) -> String {
        let deleted = if self.inner.header.is_deleted { ", is_deleted=True" } else { "" };
        format!(
            "Record(identifier={:?}, datestamp={:?}{deleted})",
            self.identifier(),
            self.datestamp().unwrap_or_default()
        )
    }
}
