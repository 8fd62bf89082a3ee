//! What a run reports: items, findings, and the conclusion.

use std::collections::BTreeMap;

use resourcesync::{
    diagnostic::{Arg, Reason},
    report::Lang,
};
use resourcesync_sync::{
    Wanted, catalogue,
    conclude::{Outcome, conclude},
    report::{
        Counts, Document, DocumentStatus, Doing, Done, FORMAT, Finding, HeldCounts, Item, Report, Seen, Tool,
        VerifiedCounts,
    },
    survey::{Findings, Read},
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
        let expected = Seen { hash: wanted.hash.clone(), length: wanted.length };
        Item {
            uri: wanted.uri.clone(),
            path: self.places.of(&wanted.uri),
            action: if is_held { Doing::Update } else { Doing::Create },
            result,
            code: None,
            cause: None,
            expected: (expected != Seen::default()).then_some(expected),
            actual: None,
            kept: false,
        }
    }

    /// Reports an item, and stores it for the report: items that need attention take precedence over completed
    /// ones.
    pub(super) fn report(&mut self, item: Item) {
        (self.on_event)(Event::Item(&item));
        let is_quiet = |item: &Item| matches!(item.result, Done::Done | Done::Planned) && item.action != Doing::Delete;
        if self.items.len() < self.options.max_listed {
            self.items.push(item);
            return;
        }
        self.left_out = self.left_out.saturating_add(1);
        if !is_quiet(&item)
            && let Some(quiet) = self.items.iter_mut().rev().find(|item| is_quiet(item))
        {
            *quiet = item;
        }
    }

    pub(super) fn progress(&mut self, phase: Phase, done: u64, total: Option<u64>, amount: u64) {
        (self.on_event)(Event::Progress(Progress { phase, done, total, amount }));
    }

    /// Adds a finding about the run.
    pub(super) fn find<const N: usize>(&mut self, code: &str, args: [(&str, Arg); N]) {
        self.findings.extend(finding(code, args));
    }

    /// Adds documents to the report.
    pub(super) fn note_read<'r>(&mut self, documents: impl IntoIterator<Item = &'r Read>, report: &mut Report) {
        for read in documents {
            let status = match &read.unread {
                Some(_) => DocumentStatus::Unread,
                None if read.is_same => DocumentStatus::Unchanged,
                None => DocumentStatus::Read,
            };
            report.documents.push(Document {
                uri: read.uri.clone(),
                kind: read.kind.as_str().to_owned(),
                status,
                entries: read.entries,
                cause: read.unread.clone(),
            });
            if let Some(why) = &read.unread {
                self.find("SYN-16", [("uri", read.uri.as_str().into()), ("reason", why.clone().into())]);
            }
        }
    }

    pub(super) fn note_documents(&mut self, found: &Findings, report: &mut Report) {
        self.note_read(&found.documents, report);
        for (uri, at) in &found.rewritten {
            self.find("SYN-19", [("uri", uri.as_str().into()), ("at", at.as_str().into())]);
        }
        for (uri, at) in &found.ahead {
            self.find("SYN-03", [("uri", uri.as_str().into()), ("at", at.as_str().into())]);
        }
        if let Some(index) = &found.mixed {
            self.find("SYN-05", [("uri", index.as_str().into())]);
        }
        if found.unreadable_entries > 0 {
            self.find("SYN-17", [("n", found.unreadable_entries.into())]);
        }
        for (uri, at, seen) in &found.older {
            self.find(
                "SYN-02",
                [("uri", uri.as_str().into()), ("at", at.as_str().into()), ("seen", seen.as_str().into())],
            );
        }
    }

    /// Determines the outcome; what the run worked on can be used further.
    pub(super) fn finish(mut self, report: &mut Report) -> (Ledger, Files) {
        let counts = self.counts;
        if counts.deferred > 0 {
            self.find("SYN-06", [("n", counts.deferred.into())]);
        }
        let same_names = self.findings.iter().filter(|finding| finding.code == "SYN-08").count() as u64;
        let foreign = counts.conflicts.saturating_sub(same_names);
        if foreign > 0 {
            self.find("SYN-09", [("n", foreign.into())]);
        }
        if self.changed > 0 {
            self.find("SYN-10", [("n", self.changed.into())]);
        }
        if self.no_digest > 0 {
            self.find("SYN-12", [("n", self.no_digest.into())]);
        }
        if self.is_over_budget {
            let limit = if self.is_out_of_bytes { "max-bytes" } else { "max-time" };
            self.find("SYN-14", [("limit", limit.into()), ("n", counts.left.into())]);
        }
        self.facts.left = if self.options.dry_run { self.total } else { counts.left };
        self.facts.conflicts = counts.conflicts;
        // Debts that could not be counted are assumed to exist.
        self.facts.debts = self.ledger.retries().map_or(1, |debts| debts.len() as u64);
        self.note_unconfirmed_left();
        if self.options.dry_run && counts.deleted > 0 {
            self.facts.left = self.facts.left.saturating_add(counts.deleted);
        }
        let outcome = conclude(&self.facts);
        report.run.ended = now();
        report.run.outcome = outcome;
        let (resources, bytes) = self.ledger.totals().unwrap_or_default();
        report.held = HeldCounts { resources, bytes };
        (report.counts, report.verified, report.bytes) = (counts, self.verified, self.bytes);
        report.withheld = self.facts.withheld;
        // Items that need attention come first.
        self.items.sort_by_key(|item| match (item.result, item.action) {
            (Done::Failed, _) => 0,
            (Done::Conflict, _) => 1,
            (Done::Deferred | Done::Withheld, _) => 2,
            (_, Doing::Delete) => 3,
            _ => 4,
        });
        report.items = std::mem::take(&mut self.items);
        report.left_out = self.left_out;
        if !self.options.dry_run {
            let number = self.number;
            let first = self.ledger.first_unreported(number).unwrap_or_default();
            let counts = serde_json::to_string(&counts).unwrap_or_default();
            if let Err(error) = self.ledger.end_run(number, &report.run.ended, outcome.as_str(), &counts) {
                report.run.outcome = Outcome::Failed;
                if self.findings.iter().all(|finding| finding.code != "SYN-11") {
                    self.find("SYN-11", [("reason", error.of_state().into())]);
                }
            }
            let keep = self.options.trash;
            if report.run.outcome == Outcome::InStep
                && let Ok(copies) = self.copies()
            {
                // The next run removes trash that cannot be removed now.
                let _ = copies.empty_trash(first, keep);
            }
        }
        report.diagnostics = std::mem::take(&mut self.findings);
        (self.ledger, self.files)
    }
}

/// A finding about a run or an audit.
pub(super) fn finding<const N: usize>(code: &str, args: [(&str, Arg); N]) -> Option<Finding> {
    let row = catalogue::find(code)?;
    let args: BTreeMap<String, Arg> = args.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Some(Finding {
        code: row.id.to_owned(),
        severity: row.severity.as_str().to_owned(),
        message: row.message(&args, Lang::En),
        help: row.help(&args, Lang::En),
        args,
    })
}

/// The report of a run that was not possible, since the state of the copy cannot be used ([`SyncError::State`](super::SyncError::State)).
pub fn damaged(uri: &str, dry_run: bool, why: &str) -> Report {
    let mut report = blank(0, dry_run, uri, now());
    report.run.ended = now();
    report.diagnostics.extend(finding("SYN-11", [("reason", Reason::other(why.to_owned()).into())]));
    report
}

/// A report of nothing yet.
pub(super) fn blank(number: u64, dry_run: bool, uri: &str, started: String) -> Report {
    Report {
        format: FORMAT.to_owned(),
        format_version: 1,
        tool: Tool { name: "resourcesync".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        run: resourcesync_sync::report::Run {
            number,
            dry_run,
            outcome: Outcome::Failed,
            started,
            ended: String::new(),
        },
        source: uri.to_owned(),
        as_of: None,
        poll_after: None,
        plan: None,
        documents: Vec::new(),
        held: HeldCounts::default(),
        counts: Counts::default(),
        verified: VerifiedCounts::default(),
        bytes: 0,
        withheld: None,
        items: Vec::new(),
        left_out: 0,
        diagnostics: Vec::new(),
    }
}
