//! What codes mean, as the command's JSON.

use pyo3::{exceptions::PyValueError, prelude::*};
use resourcesync::report::{
    Selector,
    catalogue::{self, Explanation},
};

use crate::render::language;

/// The codes a name stands for.
#[pyfunction]
pub(crate) fn explain(name: &str, lang: &str) -> PyResult<String> {
    let explanation =
        Explanation::of(name, language(lang)?).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(explanation.to_json())
}

/// All codes, or those selected.
#[pyfunction]
pub(crate) fn rules(select: Vec<String>, lang: &str) -> PyResult<String> {
    let select = select.iter().map(|name| name.trim().parse()).collect::<Result<Vec<Selector>, _>>();
    let select = select.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(catalogue::to_json(&catalogue::rows(&select, language(lang)?)))
}
