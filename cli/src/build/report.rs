//! Prints the events and errors of a publishing run.

use resourcesync_client::publish::{self, Event};

use crate::{
    error::{CliError, report_error, warn},
    progress_bar::Passed,
    status,
};

/// Prints an event, except for changes.
pub(super) fn show(event: Event<'_>, passed: &mut Passed) {
    match event {
        Event::Resource => passed.one(),
        Event::Warning(words) => warn(words),
        Event::Unreadable(words) => report_error(words),
        _ => {}
    }
}

/// The exit status of a failed run: rejected input counts as a finding.
pub(super) fn failed(error: publish::Error, unchanged: &str) -> Result<i32, CliError> {
    match error {
        publish::Error::Refused(_) | publish::Error::Guarded(_) => {
            report_error(&format!("{error}\n{unchanged}"));
            Ok(status::FOUND)
        }
        error => Err(error.into()),
    }
}
