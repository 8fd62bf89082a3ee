//! A whole document in memory.

use pyo3::{
    PyClassInitializer,
    exceptions::{PyIndexError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict, PySlice, PyTuple},
};
use resourcesync::{
    limits::Limits,
    model::{self, CompactEntries, Item},
    read::ItemReader,
    write,
};

use crate::{
    entry::{self, Entry},
    error::unreadable,
    metadata::{Metadata, mapping},
    pickle,
};

/// A document with the metadata of its root `rs:md`.
#[pyclass(frozen, sequence, extends = Metadata, module = "resourcesync")]
pub(crate) struct Document {
    /// Root and head.
    inner: model::Document,
    /// Each entry becomes an object on access.
    pub(crate) entries: CompactEntries,
}

impl Document {
    pub(crate) fn make(py: Python<'_>, document: model::Document, entries: CompactEntries) -> PyResult<Py<Document>> {
        let inner = document.head.md.first().map(|md| md.attributes.clone()).unwrap_or_default();
        let document = Document { inner: document, entries };
        Py::new(py, PyClassInitializer::from(Metadata { inner }).add_subclass(document))
    }

    /// Finds the first entry equal to a value within a range.
    fn position(&self, entry: &Bound<'_, PyAny>, range: std::ops::Range<usize>) -> Option<usize> {
        let wanted = entry.cast::<Entry>().ok()?;
        let wanted = wanted.get().model(wanted.as_super().get());
        let is_equal = |entry: &model::Entry| entry::is_equal(entry, &wanted);
        range.into_iter().find(|place| self.entries.get(*place).as_ref().is_some_and(is_equal))
    }
}

/// Keeps an item of a document that is read.
pub(crate) fn keep(document: &mut model::Document, entries: &mut CompactEntries, item: Item<'_>) {
    match item {
        Item::Root(root) => document.root = root.clone(),
        Item::Md(md) => document.head.md.push(md.clone()),
        Item::Link(link) => document.head.links.push(link.clone()),
        Item::Other(element) => document.head.others.push(element.clone()),
        Item::Entry(entry) => entries.push(entry),
        Item::Namespace(namespace) => document.head.namespaces.push(namespace.clone()),
        Item::Extensions(_) | Item::End(_) => {}
    }
}

/// Reads a document that was pickled; the lines of its entries are those of the original.
#[pyfunction]
pub(crate) fn restore_document(py: Python<'_>, content: &[u8], lines: Vec<u32>) -> PyResult<Py<Document>> {
    let (mut document, mut entries) = (model::Document::default(), CompactEntries::default());
    let mut reader = ItemReader::keeping(&Limits::default());
    let mut take = |item: Item<'_>| {
        if let Item::Entry(entry) = item {
            let mut entry = entry.clone();
            entry.span.start.line = lines.get(entries.len()).copied().unwrap_or_default();
            entries.push(&entry);
        } else {
            keep(&mut document, &mut entries, item);
        }
    };
    let read = reader.push(content, &mut take).and_then(|()| reader.finish(&mut take));
    read.map_err(|fault| unreadable("document_error", &fault))?;
    Document::make(py, document, entries)
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
        self.entries.len()
    }

    /// The entry at an index, or those of a slice.
    fn __getitem__<'py>(&self, py: Python<'py>, place: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let entries = &self.entries;
        if let Ok(slice) = place.cast::<PySlice>() {
            let indices = slice.indices(isize::try_from(entries.len())?)?;
            let places = (0..indices.slicelength).filter_map(|number| {
                let offset = isize::try_from(number).ok()?.checked_mul(indices.step)?;
                usize::try_from(indices.start.checked_add(offset)?).ok()
            });
            let chosen = places.filter_map(|place| entries.get(place)).map(|entry| Entry::make(py, entry));
            return Ok(PyTuple::new(py, chosen.collect::<PyResult<Vec<_>>>()?)?.into_any());
        }
        let place: isize = place.extract()?;
        let place =
            if place < 0 { entries.len().checked_sub(place.unsigned_abs()) } else { Some(place.unsigned_abs()) };
        let entry = place.and_then(|place| entries.get(place)).ok_or_else(|| PyIndexError::new_err("no such entry"))?;
        Ok(Entry::make(py, entry)?.into_bound(py).into_any())
    }

    fn __contains__(&self, entry: &Bound<'_, PyAny>) -> bool {
        self.position(entry, 0..self.entries.len()).is_some()
    }

    /// The place of the first entry equal to this one, from 0. Raises `ValueError` if there is none.
    #[pyo3(signature = (entry, start=0, stop=isize::MAX))]
    fn index(&self, entry: &Bound<'_, PyAny>, start: isize, stop: isize) -> PyResult<usize> {
        let count = self.entries.len();
        let from_start = |place: isize| match usize::try_from(place) {
            Ok(place) => place.min(count),
            Err(_) => count.saturating_sub(place.unsigned_abs()),
        };
        let found = self.position(entry, from_start(start)..from_start(stop));
        found.ok_or_else(|| PyValueError::new_err("the entry is not in the document"))
    }

    /// The number of entries equal to this one.
    fn count(&self, entry: &Bound<'_, PyAny>) -> usize {
        let Ok(wanted) = entry.cast::<Entry>() else { return 0 };
        let wanted = wanted.get().model(wanted.as_super().get());
        self.entries.iter().filter(|entry| entry::is_equal(entry, &wanted)).count()
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Document>() else { return false };
        let other = other.get();
        py.detach(|| self.inner == other.inner && self.entries == other.entries)
    }

    fn __hash__(&self) -> u64 {
        let md = self.inner.head.md.first().map(|md| pickle::texts(&md.attributes));
        pickle::hash(&(self.kind(), self.entries.len(), md))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Document>) -> PyResult<pickle::Reduced<'py, (Bound<'py, PyBytes>, Vec<u32>)>> {
        let py = slf.py();
        let own = slf.get();
        let lines = own.entries.iter().map(|entry| entry.span.start.line).collect();
        Ok((py.import("resourcesync._core")?.getattr("restore_document")?, (own.to_bytes(py)?, lines)))
    }

    fn __iter__(slf: Bound<'_, Document>) -> PyResult<Py<Entries>> {
        let py = slf.py();
        Py::new(py, Entries { document: slf.unbind(), next: 0 })
    }

    /// The entries, in order. The document is also a sequence of entries, which creates each on access.
    #[getter]
    fn entries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let entries = self.entries.iter().map(|entry| Entry::make(py, entry));
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
        let written = py.detach(|| write::entries(&self.inner, self.entries.iter()));
        let written = written.map_err(|lost| PyValueError::new_err(lost.to_string()))?;
        Ok(PyBytes::new(py, written.as_bytes()))
    }

    fn __repr__(&self) -> String {
        format!("<resourcesync.Document {} with {} entries>", self.kind(), self.entries.len())
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
        let Some(entry) = self.document.get().entries.get(self.next) else { return Ok(None) };
        self.next = self.next.saturating_add(1);
        Entry::make(py, entry).map(Some)
    }
}
