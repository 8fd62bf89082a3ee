//! Reads documents in chunks.

use pyo3::{prelude::*, types::PyList};
use resourcesync::{
    api,
    model::{self, Item},
};

use crate::{document::Document, entry::Entry, error::unreadable, options::Options};

/// Reads chunks and returns their entries; or keeps everything, for a document.
#[pyclass(module = "resourcesync._core")]
pub(crate) struct ItemReader {
    inner: api::ItemReader,
    /// The document, if everything is kept.
    document: Option<model::Document>,
    /// The error that stopped the reader, raised after the entries before it.
    fault: Option<PyErr>,
}

#[pymethods]
impl ItemReader {
    #[new]
    fn new(options: &Options, whole: bool) -> ItemReader {
        let limits = &options.inner.limits;
        let inner = if whole { api::ItemReader::keeping(limits) } else { api::ItemReader::new(limits) };
        ItemReader { inner, document: whole.then(model::Document::default), fault: None }
    }

    /// Reads a chunk; returns the complete entries, unless the whole document is kept.
    fn push<'py>(&mut self, py: Python<'py>, piece: &[u8]) -> PyResult<Bound<'py, PyList>> {
        self.take(py, Some(piece))
    }

    /// Ends the input; returns the last entries.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.take(py, None)
    }

    /// Raises the error that stopped the reader, unless it was raised before.
    fn check(&mut self) -> PyResult<()> {
        self.fault.take().map_or(Ok(()), Err)
    }

    /// The document, after `finish`.
    fn document(&mut self, py: Python<'_>) -> PyResult<Py<Document>> {
        self.check()?;
        Document::make(py, self.document.take().unwrap_or_default())
    }
}

impl ItemReader {
    fn take<'py>(&mut self, py: Python<'py>, piece: Option<&[u8]>) -> PyResult<Bound<'py, PyList>> {
        self.check()?;
        let ItemReader { inner, document, fault } = self;
        let (entries, stopped) = py.detach(|| {
            let mut entries = Vec::new();
            let read = match document {
                Some(document) => {
                    let mut take = |item: Item<'_>| keep(document, item);
                    match piece {
                        Some(piece) => inner.push(piece, &mut take),
                        None => inner.finish(&mut take),
                    }
                }
                None => {
                    let mut take = |entry| entries.push(entry);
                    match piece {
                        Some(piece) => inner.push_for_entries(piece, &mut take),
                        None => inner.finish_for_entries(&mut take),
                    }
                }
            };
            (entries, read.err())
        });
        *fault = stopped.map(|diagnostic| unreadable("document_error", &diagnostic));
        let list = PyList::empty(py);
        for entry in entries {
            list.append(Entry::make(py, entry)?)?;
        }
        Ok(list)
    }
}

fn keep(document: &mut model::Document, item: Item<'_>) {
    match item {
        Item::Root(root) => document.root = root.clone(),
        Item::Md(md) => document.head.md.push(md.clone()),
        Item::Link(link) => document.head.links.push(link.clone()),
        Item::Other(element) => document.head.others.push(element.clone()),
        Item::Entry(entry) => document.entries.push(entry.clone()),
        Item::Namespace(namespace) => document.head.namespaces.push(namespace.clone()),
        Item::Extensions(_) | Item::End(_) => {}
    }
}
