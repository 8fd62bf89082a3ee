//! Values as JSON.

use pyo3::{exceptions::PyRuntimeError, prelude::*};

/// A value as JSON.
pub(crate) fn written<T: serde::Serialize>(value: &T) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
