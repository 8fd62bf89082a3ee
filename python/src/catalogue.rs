//! The explanations of codes as the command gives them, and the words of findings in each language.

use std::collections::BTreeMap;

use pyo3::{exceptions::PyValueError, prelude::*};
use resourcesync::{
    diagnostic::{Arg, Reason},
    report::{self, catalogue::to_json},
};
use resourcesync_client::{catalogue, families};

use crate::render::language;

/// The codes selected by a name.
#[pyfunction]
pub(crate) fn explain(name: &str, lang: &str) -> PyResult<String> {
    let explanation = catalogue(language(lang)?).explain(name).map_err(wrong)?;
    Ok(explanation.to_json())
}

/// The explanation of a code or rule: as text or Markdown.
#[pyfunction]
pub(crate) fn explanation(name: &str, lang: &str, format: &str) -> PyResult<String> {
    let explanation = catalogue(language(lang)?).explain(name).map_err(wrong)?;
    match format {
        "text" => Ok(explanation.to_text()),
        "markdown" => Ok(explanation.to_markdown()),
        _ => Err(PyValueError::new_err(format!("format: `{format}` is not text or markdown"))),
    }
}

/// All codes, or those selected.
#[pyfunction]
pub(crate) fn rules(select: Vec<String>, lang: &str) -> PyResult<String> {
    Ok(to_json(&catalogue(language(lang)?).select(&select).map_err(wrong)?))
}

/// The message and the help of a finding, from its code and the JSON of its arguments and cause; `None` if a newer version found it.
#[pyfunction]
#[pyo3(signature = (code, args, cause, lang))]
pub(crate) fn words(code: &str, args: &str, cause: Option<&str>, lang: &str) -> PyResult<Option<(String, String)>> {
    let lang = language(lang)?;
    let mut args: BTreeMap<String, Arg> = serde_json::from_str(args).map_err(wrong)?;
    if let Some(cause) = cause {
        args.insert("cause".to_owned(), Arg::Reason(serde_json::from_str(cause).map_err(wrong)?));
    }
    Ok(report::words(code, &args, lang, &families()).or_else(|| {
        let row = resourcesync_sync::catalogue::find(code).or_else(|| resourcesync_notify::catalogue::find(code));
        row.map(|row| (row.message(&args, lang), row.help(&args, lang)))
    }))
}

/// A reason in a language, from its JSON.
#[pyfunction]
pub(crate) fn reason(reason: &str, lang: &str) -> PyResult<String> {
    let reason: Reason = serde_json::from_str(reason).map_err(wrong)?;
    Ok(report::reason(&reason, language(lang)?))
}

fn wrong(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
