//! Prints an answer.

use crate::{
    arguments::HubAnswer,
    error::CliError,
    outputs::{self, print},
};

/// Prints an answer at the place of `--output`.
pub(super) fn answer(to: &HubAnswer, text: impl FnOnce() -> Result<String, CliError>) -> Result<i32, CliError> {
    outputs::redirected(to.printing.output.as_deref(), &[], || print(&text()?))
}
