//! The progress bar: on standard error, only at a terminal, and only for longer runs.

use std::{
    io::{self, IsTerminal},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar as Bar, ProgressDrawTarget, ProgressStyle};

use resourcesync_client as client;

/// Runs shorter than this show nothing.
const A_WHILE: Duration = Duration::from_millis(500);

/// The progress of a run.
pub(crate) struct ProgressBar {
    started: Instant,
    bar: Option<Bar>,
    is_wanted: bool,
    files: usize,
}

impl ProgressBar {
    /// Creates a bar for a run with this number of files.
    pub(crate) fn new(files: usize, quiet: bool) -> ProgressBar {
        let is_wanted = !quiet && io::stderr().is_terminal();
        ProgressBar { started: Instant::now(), bar: None, is_wanted, files }
    }

    /// Updates the progress.
    pub(crate) fn show(&mut self, far: &client::Progress) {
        let elapsed = self.started.elapsed();
        if !self.is_wanted || elapsed < A_WHILE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| bar(far.total));
        let mut message = format!("{} of {} files", far.inputs, self.files);
        // The number of entries is known when the first file is finished.
        if far.entries > 0 {
            message.push_str(&format!(", {:.0} entries/s", far.entries as f64 / elapsed.as_secs_f64()));
        }
        bar.set_message(message);
        bar.set_position(far.bytes);
    }

    /// Removes the bar.
    pub(crate) fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// Counts the resources of a run.
pub(crate) struct Passed {
    started: Instant,
    bar: Option<Bar>,
    is_wanted: bool,
    count: u64,
}

impl Passed {
    /// Creates a counter.
    pub(crate) fn new(quiet: bool) -> Passed {
        Passed { started: Instant::now(), bar: None, is_wanted: !quiet && io::stderr().is_terminal(), count: 0 }
    }

    /// Counts a resource.
    pub(crate) fn one(&mut self) {
        self.count = self.count.saturating_add(1);
        if !self.is_wanted || self.started.elapsed() < A_WHILE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{spinner} {pos} resources, {per_sec}");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
            Bar::with_draw_target(None, ProgressDrawTarget::stderr()).with_style(style)
        });
        bar.set_position(self.count);
    }
}

impl Drop for Passed {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn bar(total: u64) -> Bar {
    let (length, template) = match total {
        0 => (None, "{spinner} {decimal_bytes}, {decimal_bytes_per_sec}, {msg}"),
        _ => (Some(total), "{bar:30} {decimal_bytes} of {decimal_total_bytes}, {msg}, {eta} left"),
    };
    // With an invalid template the default style of the library is used.
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    Bar::with_draw_target(length, ProgressDrawTarget::stderr()).with_style(style)
}
