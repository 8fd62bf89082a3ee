//! Subtracts an earlier report from a report.

use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use resourcesync::report::{Report, subtract};

use crate::validate::json;

/// A report without the findings of an earlier one; all of them as JSON bytes.
#[pyfunction]
pub(crate) fn without<'py>(py: Python<'py>, report: &[u8], baseline: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let left = py.detach(|| {
        let mut report = read(report)?;
        subtract(&mut report, &read(baseline)?).map_err(|error| error.to_string())?;
        Ok(report)
    });
    left.map(|report| json(py, &report)).map_err(|words: String| PyValueError::new_err(words))
}

pub(crate) fn read(report: &[u8]) -> Result<Report, String> {
    let text = std::str::from_utf8(report).map_err(|error| error.to_string())?;
    Report::from_json(text)
}
