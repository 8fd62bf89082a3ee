//! Progress of a harvest, on standard error if that is a terminal.

use std::{
    io::{self, IsTerminal},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use resourcesync_client::oai::Step;
use resourcesync_oai::harvest::{Moment, Purpose};

/// Shorter runs show no progress.
const A_WHILE: Duration = Duration::from_millis(500);

/// The progress of a harvest.
pub(super) struct Progress {
    started: Instant,
    bar: Option<ProgressBar>,
    is_wanted: bool,
}

impl Progress {
    pub(super) fn new(quiet: bool) -> Progress {
        Progress { started: Instant::now(), bar: None, is_wanted: !quiet && io::stderr().is_terminal() }
    }

    /// Shows a step.
    pub(super) fn show(&mut self, step: &Step, now: Moment) {
        let message = match step {
            Step::Page { purpose: Purpose::Harvest, delivered, declared: Some(declared) } => {
                format!("{delivered} of {declared} records")
            }
            Step::Page { purpose: Purpose::Harvest, delivered, .. } => format!("{delivered} records"),
            Step::Page { purpose: Purpose::Reconcile, delivered, .. } => format!("{delivered} identifiers compared"),
            Step::Page { .. } => return,
            Step::Wait { until, why } => match until.since(now) / 1000 {
                0 | 1 => return,
                seconds => format!("waiting {seconds} s ({})", why.as_str()),
            },
        };
        self.message(message);
    }

    /// Shows a message.
    pub(super) fn message(&mut self, message: String) {
        if self.is_wanted && self.started.elapsed() >= A_WHILE {
            self.bar.get_or_insert_with(bar).set_message(message);
        }
    }

    /// Removes it.
    pub(super) fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    bar.set_draw_target(ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}
