//! Merges reports.

use pyo3::{prelude::*, types::PyBytes};
use resourcesync::api;

use crate::{baseline::read, error::misuse, validate::json};

/// Merges reports, given as JSON bytes, one by one.
#[pyclass(module = "resourcesync._core")]
#[derive(Default)]
pub(crate) struct Merger(api::Merger);

#[pymethods]
impl Merger {
    #[new]
    fn new() -> Merger {
        Merger::default()
    }

    /// Adds the next report.
    fn add(&mut self, py: Python<'_>, report: &[u8]) -> PyResult<()> {
        let merger = &mut self.0;
        py.detach(|| merger.add(read(report)?).map_err(|error| error.to_string())).map_err(misuse)
    }

    /// The merged report as JSON bytes; the next one is merged from the beginning.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let report = std::mem::take(&mut self.0).finish().map_err(|error| misuse(error.to_string()))?;
        Ok(json(py, &report))
    }
}
