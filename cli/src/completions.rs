//! `resourcesync completions`: prints a completion script for a shell.

use clap_complete::{Shell, generate};

use crate::{arguments, error::CliError, outputs};

/// Runs it.
pub(crate) fn run(shell: Shell) -> Result<i32, CliError> {
    let mut script = Vec::new();
    generate(shell, &mut arguments::command(), "resourcesync", &mut script);
    outputs::print(&String::from_utf8_lossy(&script))
}
