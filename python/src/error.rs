//! The package's exceptions, which are written in Python.

use pyo3::{exceptions::PyRuntimeError, prelude::*};
use resourcesync::{api, report::Diagnostic};

/// The exception for wrong use, with a one-line message.
pub(crate) fn misuse(words: String) -> PyErr {
    raise("ConfigError", words)
}

/// The exception for data that cannot be read further or is not valid, created by the Python function `name`.
pub(crate) fn unreadable(name: &str, fault: &Diagnostic) -> PyErr {
    match serde_json::to_string(fault) {
        Ok(json) => raise(name, json),
        Err(error) => PyRuntimeError::new_err(error.to_string()),
    }
}

/// The exception for a rejected entry or head.
pub(crate) fn refused(error: &api::Refused) -> PyErr {
    findings(error.diagnostics())
}

/// The findings of a rejection.
pub(crate) fn findings<'a>(found: impl IntoIterator<Item = &'a Diagnostic>) -> PyErr {
    let found: Vec<&Diagnostic> = found.into_iter().collect();
    match serde_json::to_string(&found) {
        Ok(json) => raise("refused_error", json),
        Err(error) => PyRuntimeError::new_err(error.to_string()),
    }
}

/// The exception for a folder that could not be published, created by the Python function `name`.
pub(crate) fn publish_failed(name: &str, words: &str) -> PyErr {
    raise(name, words.to_owned())
}

/// The exception for a copy that cannot be used.
pub(crate) fn sync_failed(code: &str, words: &str) -> PyErr {
    Python::attach(|py| {
        let made =
            py.import("resourcesync._errors").and_then(|module| module.getattr("sync_error")?.call1((code, words)));
        made.map_or_else(|error| error, PyErr::from_value)
    })
}

/// The exception for an input that cannot be read.
pub(crate) fn unread(words: String) -> PyErr {
    raise("InputError", words)
}

fn raise(name: &str, words: String) -> PyErr {
    Python::attach(|py| {
        let made = py.import("resourcesync._errors").and_then(|module| module.getattr(name)?.call1((words,)));
        made.map_or_else(|error| error, PyErr::from_value)
    })
}
