//! The changes of a copy that were not acknowledged, with their bytes.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use resourcesync_client::destination::{self, Changes};

use crate::{
    content::{Content, described},
    copies::failed,
    json::written,
};

/// Changes from the oldest to the newest; the copy is locked until they are closed.
#[pyclass(module = "resourcesync._core")]
pub(crate) struct PendingChanges(Mutex<Changes>);

#[pymethods]
impl PendingChanges {
    /// The report of the run as JSON, if there was one.
    fn report(&self) -> PyResult<Option<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).report().map(written).transpose()
    }

    /// The number of changes that were pending at first.
    fn total(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).total()
    }

    /// The next change: as JSON, and to open and acknowledge it.
    fn next(&self, py: Python<'_>) -> PyResult<Option<(String, AppliedChange)>> {
        let next = py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).next());
        let Some(change) = next.transpose().map_err(failed)? else { return Ok(None) };
        let mut value = described(&change.resource);
        value["change"] = change.change.as_str().into();
        value["sequence"] = change.sequence().into();
        if let Some(moment) = &change.moment {
            value["moment"] = moment.as_str().into();
        }
        Ok(Some((value.to_string(), AppliedChange(change))))
    }

    /// Acknowledges several changes in one transaction.
    fn done(&self, py: Python<'_>, changes: Vec<PyRef<'_, AppliedChange>>) -> PyResult<()> {
        let changes: Vec<destination::AppliedChange> = changes.iter().map(|change| change.0.clone()).collect();
        py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).done(&changes)).map_err(failed)
    }

    /// Releases the copy.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).close());
    }
}

impl PendingChanges {
    pub(crate) fn new(changes: Changes) -> PendingChanges {
        PendingChanges(Mutex::new(changes))
    }
}

/// One change.
#[pyclass(module = "resourcesync._core", frozen)]
pub(crate) struct AppliedChange(destination::AppliedChange);

#[pymethods]
impl AppliedChange {
    /// The bytes of the resource; `None` if it was deleted.
    fn open(&self, py: Python<'_>) -> PyResult<Option<Content>> {
        Ok(py.detach(|| self.0.open()).map_err(failed)?.map(Content::new))
    }

    /// Acknowledges it.
    fn done(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.0.done()).map_err(failed)
    }
}
