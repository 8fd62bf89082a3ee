//! A report in any of the command's formats.

use pyo3::{exceptions::PyValueError, prelude::*, types::PyTuple};
use resourcesync::report::{self, Format, Lang, Render, Report};
use resourcesync_client::families;

/// The names of the formats of reports.
pub(crate) fn formats(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, Format::ALL.iter().map(|format| format.as_str()))
}

/// Renders a report, given as JSON.
#[pyfunction]
#[pyo3(signature = (report, format, *, lang, color=false, max_per_rule=5, width=None))]
pub(crate) fn render(
    py: Python<'_>,
    report: &[u8],
    format: &str,
    lang: &str,
    color: bool,
    max_per_rule: u64,
    width: Option<u32>,
) -> PyResult<String> {
    let format = Format::find(format).ok_or_else(|| PyValueError::new_err(format!("`{format}` is not a format")))?;
    let options = Render { lang: language(lang)?, color, max_per_rule, width };
    py.detach(|| {
        let text = std::str::from_utf8(report).map_err(|error| error.to_string())?;
        Ok(report::render(&Report::from_json(text)?.with_families(&families()), format, &options))
    })
    .map_err(|words: String| PyValueError::new_err(words))
}

pub(crate) fn language(tag: &str) -> PyResult<Lang> {
    Lang::find(tag).ok_or_else(|| PyValueError::new_err(format!("lang: `{tag}` is not en or ja")))
}
