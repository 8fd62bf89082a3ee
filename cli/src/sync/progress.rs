//! Progress of a run, on standard error if that is a terminal.

use std::{
    io::{self, IsTerminal},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use resourcesync::report::Lang;
use resourcesync_client::destination::{Phase, Progress as Far};

use super::words::number;

/// Shorter runs show no progress.
const A_WHILE: Duration = Duration::from_millis(500);

/// The progress of a run.
pub(super) struct Progress {
    started: Instant,
    bar: Option<ProgressBar>,
    is_wanted: bool,
    lang: Lang,
}

impl Progress {
    pub(super) fn new(quiet: bool, lang: Lang) -> Progress {
        Progress { started: Instant::now(), bar: None, is_wanted: !quiet && io::stderr().is_terminal(), lang }
    }

    /// Shows the progress of the run.
    pub(super) fn show(&mut self, far: &Far) {
        if self.is_wanted && self.started.elapsed() >= A_WHILE {
            self.bar.get_or_insert_with(bar).set_message(message(far, self.lang));
        }
    }

    /// Removes it.
    pub(super) fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn message(far: &Far, lang: Lang) -> String {
    let (done, total, amount) = (number(far.done), number(far.total.unwrap_or(0)), number(far.amount));
    match (far.phase, lang) {
        (Phase::Documents, Lang::En) => format!("reading documents: {done}, {amount} entries"),
        (Phase::Documents, Lang::Ja) => format!("文書を読み取り中: {done} 件、{amount} エントリ"),
        (Phase::Resources, Lang::En) => format!("resources: {done}/{total}, {amount} bytes"),
        (Phase::Resources, Lang::Ja) => format!("リソース: {done}/{total}、{amount} バイト"),
        (Phase::Files, Lang::En) => format!("reading files: {done}/{total}, {amount} bytes"),
        (Phase::Files, Lang::Ja) => format!("ファイルを読み取り中: {done}/{total}、{amount} バイト"),
        (Phase::Deleting, Lang::En) => format!("deleting: {done}/{total}"),
        (Phase::Deleting, Lang::Ja) => format!("削除中: {done}/{total}"),
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
