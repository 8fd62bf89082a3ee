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
    interrupt: &'a Interrupt,
    passed: Passed,
    is_first: bool,
    /// The status of the last run.
    status: i32,
    /// That of sending notifications after it.
    sent: i32,
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
    // Options are validated before anything is read.
    drop(Hubs::new(arguments, interrupt, true)?);
    let passed = Passed::new(terminal.quiet, terminal.language.for_people());
    let mut face =
        Face { arguments, reporter, interrupt, passed, is_first: true, status: status::VALID, sent: status::VALID };
    let options = arguments.options().map(|options| publish::Options { wait: arguments.stated.waited(), ..options });
    let watched = options.and_then(|options| publish::watch(&options, times, interrupt.cancel(), &mut face));
    match watched {
        Ok(()) => Ok(if face.status == status::VALID { face.sent } else { face.status }),
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
            true => print(&self.arguments.out, outcome, &mut self.reporter, false),
            false => Ok(status::VALID),
        };
        self.status = said(status);
        is_done && self.again()
    }

    fn again(&mut self) -> bool {
        // A client resolves each name once, so that each run has its own.
        let quiet = self.arguments.printing.terminal.quiet || self.reporter.is_json();
        let hubs = Hubs::new(self.arguments, self.interrupt, quiet);
        self.sent = said(hubs.and_then(|hubs| hubs.send()));
        self.sent != status::VALID
    }
}

/// The status of a part of a run, whose error is reported: the watch continues.
fn said(status: Result<i32, CliError>) -> i32 {
    status.unwrap_or_else(|error| {
        report_error(&error.to_string());
        status::UNSURE
    })
}
