//! The command itself.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command with these arguments, starting with the name of the program, and returns its exit status.
#[pyfunction]
pub(crate) fn run(py: Python<'_>, args: Vec<OsString>) -> i32 {
    py.detach(|| resourcesync_cli::run(args))
}
