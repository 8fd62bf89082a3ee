//! Compares two lists of resources.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::{prelude::*, types::PyIterator};
use resourcesync::{
    api::plain,
    build,
    model::{Entry, Shape},
};

use crate::{builder::to_entry, document::Document, entry, error::misuse, json::written, publishing::datetime};

/// An exception in an iterator, raised when the next difference is requested.
type Trouble = Arc<Mutex<Option<PyErr>>>;

/// One of the lists.
enum List {
    /// A document: its entries never become objects.
    Document(Py<Document>, usize),
    /// Anything else.
    Iterator(Py<PyIterator>),
}

struct Entries {
    from: List,
    trouble: Trouble,
}

impl Iterator for Entries {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let from = match &mut self.from {
            List::Document(document, next) => {
                let entry = document.get().entries.get(*next);
                *next = next.saturating_add(1);
                return entry;
            }
            List::Iterator(from) => from,
        };
        let next = Python::attach(|py| {
            let mut from = from.bind(py).clone();
            from.next().map(|entry| to_model(&entry?)).transpose()
        });
        next.unwrap_or_else(|error| {
            self.trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            None
        })
    }
}

fn to_model(entry: &Bound<'_, PyAny>) -> PyResult<Entry> {
    match entry.cast::<entry::Entry>() {
        Ok(read) => Ok(read.get().model(read.as_super().get())),
        Err(_) => Ok(to_entry(entry)?.to_model(Shape::UrlSet)),
    }
}

/// The differences between two lists, one by one.
#[pyclass(module = "resourcesync._core")]
pub(crate) struct Differences {
    inner: build::Diff<Entries, Entries>,
    trouble: Trouble,
}

#[pymethods]
impl Differences {
    #[new]
    fn new(old: &Bound<'_, PyAny>, new: &Bound<'_, PyAny>) -> PyResult<Differences> {
        let trouble = Trouble::default();
        let entries = |list: &Bound<'_, PyAny>| {
            let from = match list.cast::<Document>() {
                Ok(document) => List::Document(document.clone().unbind(), 0),
                Err(_) => List::Iterator(list.try_iter()?.unbind()),
            };
            Ok::<_, PyErr>(Entries { from, trouble: trouble.clone() })
        };
        Ok(Differences { inner: build::diff(entries(old)?, entries(new)?), trouble })
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> PyResult<Option<Difference>> {
        let next = self.inner.next();
        // After a failure of one list, all further resources would appear as deleted.
        if let Some(trouble) = self.trouble.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(trouble);
        }
        next.transpose().map_err(|error| misuse(error.to_string())).map(|found| found.map(|inner| Difference { inner }))
    }
}

/// A resource that differs between both lists.
#[pyclass(frozen, module = "resourcesync._core")]
pub(crate) struct Difference {
    inner: build::Difference,
}

#[pymethods]
impl Difference {
    #[getter]
    fn uri(&self) -> String {
        self.inner.uri()
    }

    #[getter]
    fn change(&self) -> &'static str {
        match &self.inner {
            build::Difference::Created(_) => "created",
            build::Difference::Updated { .. } => "updated",
            build::Difference::Deleted(_) => "deleted",
        }
    }

    /// The old and the new entry, as JSON.
    fn sides(&self) -> PyResult<(Option<String>, Option<String>)> {
        let (old, new) = match &self.inner {
            build::Difference::Created(new) => (None, Some(new)),
            build::Difference::Updated { old, new } => (Some(old), Some(new)),
            build::Difference::Deleted(old) => (Some(old), None),
        };
        let json = |entry: Option<&Box<Entry>>| entry.map(|entry| written(&plain::Entry::from(&**entry))).transpose();
        Ok((json(old)?, json(new)?))
    }

    /// Its entry in a Change List, as JSON.
    fn at(&self, moment: &Bound<'_, PyAny>) -> PyResult<String> {
        written(&plain::Entry::from(&self.inner.change(datetime(moment)?)))
    }
}
