//! Reads documents in chunks.

use pyo3::{prelude::*, types::PyList};
use resourcesync::{
    api,
    model::{self, CompactEntries, Item},
};

use crate::{
    document::{Document, keep},
    entry::Entry,
    error::unreadable,
    options::Options,
};

/// Reads chunks and returns their entries; or keeps everything, for a document.
#[pyclass(module = "resourcesync._core")]
pub(crate) struct ItemReader {
    inner: api::ItemReader,
    /// The document, if everything is kept.
    document: Option<(model::Document, CompactEntries)>,
    /// The error that stopped the reader, raised after the entries before it.
    fault: Option<PyErr>,
}

#[pymethods]
impl ItemReader {
    #[new]
    fn new(options: &Options, whole: bool) -> ItemReader {
        let limits = &options.inner.limits;
        let inner = if whole { api::ItemReader::keeping(limits) } else { api::ItemReader::new(limits) };
        ItemReader { inner, document: whole.then(Default::default), fault: None }
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
        let (document, entries) = self.document.take().unwrap_or_default();
        Document::make(py, document, entries)
    }
}

impl ItemReader {
    fn take<'py>(&mut self, py: Python<'py>, piece: Option<&[u8]>) -> PyResult<Bound<'py, PyList>> {
        self.check()?;
        let ItemReader { inner, document, fault } = self;
        let (entries, stopped) = py.detach(|| {
            let mut entries = Vec::new();
            let read = match document {
                Some((document, compact)) => {
                    let mut take = |item: Item<'_>| keep(document, compact, item);
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
