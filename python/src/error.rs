//! The package's exceptions, which are written in Python.

use pyo3::{exceptions::PyRuntimeError, prelude::*};
use resourcesync::{api, report::Diagnostic};

/// Wrong use, in one line.
pub(crate) fn misuse(words: String) -> PyErr {
    raise("ConfigError", words)
}

/// Something that cannot be read further, or not relied on; `name` makes the exception.
pub(crate) fn unreadable(name: &str, fault: &Diagnostic) -> PyErr {
    match serde_json::to_string(fault) {
        Ok(json) => raise(name, json),
        Err(error) => PyRuntimeError::new_err(error.to_string()),
    }
}

/// An entry or head that was refused.
pub(crate) fn refused(error: &api::Refused) -> PyErr {
    findings(error.diagnostics())
}

/// What was found in something that was refused.
pub(crate) fn findings<'a>(found: impl IntoIterator<Item = &'a Diagnostic>) -> PyErr {
    let found: Vec<&Diagnostic> = found.into_iter().collect();
    match serde_json::to_string(&found) {
        Ok(json) => raise("refused_error", json),
        Err(error) => PyRuntimeError::new_err(error.to_string()),
    }
}

/// A folder that could not be published; `name` makes the exception.
pub(crate) fn publish_failed(name: &str, words: &str) -> PyErr {
    raise(name, words.to_owned())
}

fn raise(name: &str, words: String) -> PyErr {
    Python::attach(|py| {
        let made = py.import("resourcesync._errors").and_then(|module| module.getattr(name)?.call1((words,)));
        made.map_or_else(|error| error, PyErr::from_value)
    })
}
