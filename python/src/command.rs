//! The command itself.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command with these arguments, the name of the program first, and returns its exit status.
#[pyfunction]
pub(crate) fn run(py: Python<'_>, args: Vec<OsString>) -> i32 {
    py.detach(|| resourcesync_cli::run(args))
}
