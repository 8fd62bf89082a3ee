//! A whole document in memory.

use pyo3::{
    PyClassInitializer,
    exceptions::{PyIndexError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict, PySlice, PyTuple},
};
use resourcesync::{model, write};

use crate::{
    entry::{self, Entry},
    metadata::{Metadata, mapping},
};

/// A document with the metadata of its root `rs:md`.
#[pyclass(frozen, sequence, extends = Metadata, module = "resourcesync")]
pub(crate) struct Document {
    inner: model::Document,
}

impl Document {
    pub(crate) fn make(py: Python<'_>, document: model::Document) -> PyResult<Py<Document>> {
        let inner = document.head.md.first().map(|md| md.attributes.clone()).unwrap_or_default();
        Py::new(py, PyClassInitializer::from(Metadata { inner }).add_subclass(Document { inner: document }))
    }
}

#[pymethods]
impl Document {
    /// The kind of the document, such as `resource-list`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.inner.kind().as_str()
    }

    /// The name of the root element: `urlset`, `sitemapindex` or anything else.
    #[getter]
    fn root(&self) -> &str {
        &self.inner.root.local
    }

    /// Attributes of the root element.
    #[getter]
    fn root_attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        mapping(py, &self.inner.root.attributes)
    }

    /// Links of the document, in the order written.
    #[getter]
    fn links<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        entry::links(py, &self.inner.head.links)
    }

    /// Elements in other namespaces outside of entries, as XML.
    #[getter]
    fn extensions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        entry::extensions(py, &self.inner.head.others)
    }

    fn __len__(&self) -> usize {
        self.inner.entries.len()
    }

    /// The entry at an index, or those of a slice.
    fn __getitem__<'py>(&self, py: Python<'py>, place: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let entries = &self.inner.entries;
        if let Ok(slice) = place.cast::<PySlice>() {
            let indices = slice.indices(isize::try_from(entries.len())?)?;
            let places = (0..indices.slicelength).filter_map(|number| {
                let offset = isize::try_from(number).ok()?.checked_mul(indices.step)?;
                usize::try_from(indices.start.checked_add(offset)?).ok()
            });
            let chosen = places.filter_map(|place| entries.get(place)).map(|entry| Entry::make(py, entry.clone()));
            return Ok(PyTuple::new(py, chosen.collect::<PyResult<Vec<_>>>()?)?.into_any());
        }
        let place: isize = place.extract()?;
        let place =
            if place < 0 { entries.len().checked_sub(place.unsigned_abs()) } else { Some(place.unsigned_abs()) };
        let entry = place.and_then(|place| entries.get(place)).ok_or_else(|| PyIndexError::new_err("no such entry"))?;
        Ok(Entry::make(py, entry.clone())?.into_bound(py).into_any())
    }

    fn __iter__(slf: Bound<'_, Document>) -> PyResult<Py<Entries>> {
        let py = slf.py();
        Py::new(py, Entries { document: slf.unbind(), next: 0 })
    }

    /// The entries, in order. The document is also a sequence of entries, which creates each on access.
    #[getter]
    fn entries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let entries = self.inner.entries.iter().map(|entry| Entry::make(py, entry.clone()));
        PyTuple::new(py, entries.collect::<PyResult<Vec<_>>>()?)
    }

    /// Writes the document to a path or a binary file. A file at the path is replaced atomically.
    fn write(&self, py: Python<'_>, target: &Bound<'_, PyAny>) -> PyResult<()> {
        let content = self.to_bytes(py)?;
        py.import("resourcesync._targets")?.call_method1("write", (target, (content,)))?;
        Ok(())
    }

    /// Serializes the document. Comments and the order of elements within root and entries are not preserved.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let written = py.detach(|| write::document(&self.inner));
        let written = written.map_err(|lost| PyValueError::new_err(lost.to_string()))?;
        Ok(PyBytes::new(py, written.as_bytes()))
    }

    fn __repr__(&self) -> String {
        format!("<resourcesync.Document {} with {} entries>", self.kind(), self.inner.entries.len())
    }
}

/// Iterates over the entries of a document, creating each on access.
#[pyclass(module = "resourcesync._core")]
struct Entries {
    document: Py<Document>,
    next: usize,
}

#[pymethods]
impl Entries {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Py<Entry>>> {
        let Some(entry) = self.document.get().inner.entries.get(self.next) else { return Ok(None) };
        self.next = self.next.saturating_add(1);
        Entry::make(py, entry.clone()).map(Some)
    }
}
