//! What codes mean, as the command's JSON.

use pyo3::{exceptions::PyValueError, prelude::*};
use resourcesync_cli::face;

use crate::render::language;

/// The codes a name stands for.
#[pyfunction]
pub(crate) fn explain(name: &str, lang: &str) -> PyResult<String> {
    face::explain(name, language(lang)?).map_err(PyValueError::new_err)
}

/// All codes, or those selected.
#[pyfunction]
pub(crate) fn rules(select: Vec<String>, lang: &str) -> PyResult<String> {
    face::rules(&select, language(lang)?).map_err(PyValueError::new_err)
}
