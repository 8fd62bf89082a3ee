//! `resourcesync build --watch`: publishes what changes in a folder, until it is interrupted.

use resourcesync_client::publish::{self, Event, WatchOptions, Watching};

use super::{
    outcome::print,
    report::{Reporter, Unchanged},
};
use crate::{
    arguments::Build,
    error::{CliError, report_error},
    interrupt::Interrupt,
    notify::Hubs,
    progress::Passed,
    status,
};

/// Follows the watch on the terminal.
struct Face<'a> {
    arguments: &'a Build,
    reporter: Reporter,
    hubs: Hubs<'a>,
    passed: Passed,
    is_first: bool,
    /// The status of the last run, and of sending its notifications.
    status: i32,
}

/// Runs it.
pub(super) fn run(
    arguments: &Build,
    mut reporter: Reporter,
    times: &WatchOptions,
    interrupt: &Interrupt,
) -> Result<i32, CliError> {
    reporter.one_line();
    let terminal = &arguments.printing.terminal;
    let hubs = Hubs::new(arguments, interrupt, terminal.quiet || reporter.is_json())?;
    let passed = Passed::new(terminal.quiet, terminal.language.for_people());
    let mut face = Face { arguments, reporter, hubs, passed, is_first: true, status: status::VALID };
    let options = arguments.options().map(|options| publish::Options { wait: arguments.stated.waited(), ..options });
    let watched = options.and_then(|options| publish::watch(&options, times, interrupt.cancel(), &mut face));
    match watched {
        Ok(()) => Ok(face.status),
        Err(error) => face.reporter.failed(&error, Unchanged::Published),
    }
}

impl Watching for Face<'_> {
    fn event(&mut self, event: Event<'_>) {
        self.reporter.show(event, &mut self.passed);
    }

    fn ended(&mut self, outcome: Result<publish::Outcome, publish::Error>) -> bool {
        let terminal = &self.arguments.printing.terminal;
        drop(std::mem::replace(&mut self.passed, Passed::new(terminal.quiet, terminal.language.for_people())));
        let is_news = self.is_first || !matches!(outcome, Ok(publish::Outcome::Unchanged { .. }));
        self.is_first = false;
        let is_done = outcome.is_ok();
        let status = match is_news {
            true => print(self.arguments, outcome, &mut self.reporter, false),
            false => Ok(status::VALID),
        };
        self.status = said(status);
        is_done && self.again()
    }

    fn again(&mut self) -> bool {
        let sent = said(self.hubs.send());
        self.status = if self.status == status::VALID { sent } else { self.status };
        sent != status::VALID
    }
}

/// The status of a part of a run, whose error is reported: the watch continues.
fn said(status: Result<i32, CliError>) -> i32 {
    status.unwrap_or_else(|error| {
        report_error(&error.to_string());
        status::UNSURE
    })
}
