//! The explanations of codes, in the JSON of the command.

use pyo3::{exceptions::PyValueError, prelude::*};
use resourcesync::report::catalogue::to_json;
use resourcesync_client::catalogue;

use crate::render::language;

/// The codes selected by a name.
#[pyfunction]
pub(crate) fn explain(name: &str, lang: &str) -> PyResult<String> {
    let explanation =
        catalogue(language(lang)?).explain(name).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(explanation.to_json())
}

/// All codes, or those selected.
#[pyfunction]
pub(crate) fn rules(select: Vec<String>, lang: &str) -> PyResult<String> {
    let rows = catalogue(language(lang)?).select(&select);
    Ok(to_json(&rows.map_err(|error| PyValueError::new_err(error.to_string()))?))
}
