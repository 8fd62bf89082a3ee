//! What a run reports: items and progress, and its end.

use resourcesync::diagnostic::Reason;
use resourcesync_sync::{
    Wanted,
    conclude::Outcome,
    record,
    report::{Done, Finding, HeldCounts, Item, Report},
};

use super::{
    Event,
    clock::now,
    files::Files,
    ledger::Ledger,
    options::{Phase, Progress},
    run::Run,
};

impl Run<'_, '_> {
    pub(super) fn item(&self, wanted: &Wanted, is_held: bool, result: Done) -> Item {
        record::item(wanted, self.places.of(&wanted.uri), is_held, result)
    }

    /// Reports an item.
    pub(super) fn report(&mut self, item: Item) {
        (self.on_event)(Event::Item(&item));
        self.record.add(item);
    }

    pub(super) fn progress(&mut self, phase: Phase, done: u64, total: Option<u64>, amount: u64) {
        (self.on_event)(Event::Progress(Progress { phase, done, total, amount }));
    }

    /// Ends the run; what it worked on can be used further.
    pub(super) fn finish(mut self) -> (Report, Ledger, Files) {
        let counts = self.record.counts;
        let left = match self.options.dry_run {
            true => self.queue.total().saturating_add(counts.deleted),
            false => counts.left,
        };
        // A ledger that cannot be read may have some.
        let retries = self.ledger.retries().map_or(1, |retries| retries.len() as u64);
        let unconfirmed = self.ledger.unconfirmed().map_or(1, |(left, _)| left);
        let outcome = self.record.conclude(left, retries, unconfirmed);
        let ended = now();
        self.record.report.run.ended.clone_from(&ended);
        let (resources, bytes) = self.ledger.totals().unwrap_or_default();
        if !self.options.dry_run {
            let number = self.number;
            let first = self.ledger.first_unreported(number).unwrap_or_default();
            let counts = serde_json::to_string(&counts).unwrap_or_default();
            if let Err(error) = self.ledger.end_run(number, &ended, outcome.as_str(), &counts) {
                self.record.report.run.outcome = Outcome::Failed;
                if !self.record.has(&["SYN-11"]) {
                    self.record.find("SYN-11", [("reason", error.of_state().into())]);
                }
            }
            let keep = self.options.trash;
            if self.record.report.run.outcome == Outcome::InStep
                && let Ok(copies) = self.copies()
            {
                // The next run removes trash that cannot be removed now.
                let _ = copies.empty_trash(first, keep);
            }
        }
        (self.record.into_report(HeldCounts { resources, bytes }), self.ledger, self.files)
    }
}

/// The report of a run that was not possible, since the state of the copy cannot be used ([`SyncError::State`](super::SyncError::State)).
pub fn damaged(uri: &str, dry_run: bool, why: &str) -> Report {
    let mut report = Report::begin(0, dry_run, uri, now());
    report.run.ended = now();
    report.diagnostics.extend(Finding::new("SYN-11", [("reason", Reason::other(why.to_owned()).into())]));
    report
}
