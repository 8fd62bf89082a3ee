//! The record of a run: what it found and did. Its report and its outcome follow from it.

use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
};

use resourcesync::{diagnostic::Arg, named_enum};

use crate::{
    ListedResource,
    chain::{Followed, FollowedSets, State},
    conclude::{Facts, Outcome, conclude},
    guard::Withheld,
    listed_resource::moment,
    report::{
        Counts, Document, DocumentStatus, Doing, Done, Finding, Item, Report, Seen, StoredCounts, VerifiedCounts,
    },
    survey::{Findings, Read},
    transfer::{Failure, Verified},
};

/// Resources that were not stored, apart from those that are counted in the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Failures {
    /// Failures that may be temporary.
    pub transient: u64,
    /// Resources about which no response says anything.
    pub unanswered: u64,
    /// Resources that are refused, since no digest is listed.
    pub no_digest: u64,
    /// Related resources whose hosts are not allowed: they are no debts.
    pub not_allowed: u64,
}

named_enum! {
    /// The limit of the user that ended a run.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Limit {
        /// Bytes to fetch.
        Bytes = "max-bytes",
        /// Time.
        Time = "max-time",
    }
}

/// What a run found and did.
#[derive(Debug)]
pub struct Record {
    /// The report so far; counts and items are added at the end.
    pub report: Report,
    /// What decides the outcome.
    pub facts: Facts,
    /// Numbers of resources.
    pub counts: Counts,
    /// Resources that were not stored.
    pub failures: Failures,
    /// Files that other programs have changed.
    pub changed: u64,
    /// The number of resources that were stored before.
    pub stored_before: u64,
    limit: Option<Limit>,
    /// Related resources whose hosts are not allowed, and the URI of the first one.
    not_allowed: (u64, String),
    /// The maximum number of items.
    most: usize,
}

impl Record {
    /// Begins the record of a run whose report has at most this many items.
    pub fn new(report: Report, most: usize, stored_before: u64) -> Record {
        Record {
            report,
            facts: Facts::default(),
            counts: Counts::default(),
            failures: Failures::default(),
            changed: 0,
            stored_before,
            limit: None,
            not_allowed: (0, String::new()),
            most,
        }
    }

    /// Adds a finding about the run.
    pub fn find<const N: usize>(&mut self, code: &str, args: [(&str, Arg); N]) {
        self.report.diagnostics.extend(Finding::new(code, args));
    }

    /// True if there is such a finding.
    pub fn has(&self, codes: &[&str]) -> bool {
        self.report.diagnostics.iter().any(|finding| codes.contains(&&*finding.code))
    }

    /// Adds an item: items that need attention take precedence over completed ones.
    pub fn add(&mut self, item: Item) {
        let is_quiet = |item: &Item| matches!(item.result, Done::Done | Done::Planned) && item.action != Doing::Delete;
        if self.report.items.len() < self.most {
            self.report.items.push(item);
            return;
        }
        self.report.left_out = self.report.left_out.saturating_add(1);
        if !is_quiet(&item)
            && let Some(quiet) = self.report.items.iter_mut().rev().find(|item| is_quiet(item))
        {
            *quiet = item;
        }
    }

    /// Notes that a limit ended the run; that of bytes is reported if both did.
    pub fn limited(&mut self, by: Limit) {
        if self.limit != Some(Limit::Bytes) {
            self.limit = Some(by);
        }
    }

    /// Adds documents that were read.
    pub fn note_read<'r>(&mut self, documents: impl IntoIterator<Item = &'r Read>) {
        for read in documents {
            let status = match &read.unread {
                Some(_) => DocumentStatus::Unread,
                None if read.is_same => DocumentStatus::Unchanged,
                None => DocumentStatus::Read,
            };
            self.report.documents.push(Document {
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

    /// Adds the documents that a survey read, and what is wrong with them.
    pub fn note_documents(&mut self, found: &Findings) {
        self.note_read(&found.documents);
        for (uri, at) in &found.rewritten {
            self.find("SYN-19", [("uri", uri.as_str().into()), ("at", at.as_str().into())]);
        }
        for (uri, at) in &found.ahead {
            self.find("SYN-03", [("uri", uri.as_str().into()), ("at", at.as_str().into())]);
        }
        if let Some(index) = &found.mixed {
            self.find("SYN-05", [("uri", index.as_str().into())]);
        }
        self.find_unreadable(found.unreadable_entries);
        self.note_older(&found.older);
    }

    /// Notes the result of a survey by which the copy is compared.
    pub fn note_lists(&mut self, found: &Findings) {
        self.note_documents(found);
        self.facts.lists_complete = found.lists_complete;
        self.facts.one_snapshot = found.mixed.is_none();
        self.facts.unreadable_entries = found.unreadable_entries;
        self.facts.older = !found.older.is_empty();
        // Nothing of a list that is refused as older is used.
        self.report.as_of = found.remembered.as_of().filter(|_| !self.facts.older).map(str::to_owned);
        self.report.poll_after = found.fresh_for;
    }

    /// Notes the result of Change Lists whose changes are processed.
    pub fn note_changes(&mut self, followed: &FollowedSets) {
        self.note_read(followed.documents());
        self.facts.lists_complete &= followed.state != State::Unread;
        self.facts.gap = followed.state == State::Gap;
        self.facts.older = followed.state == State::Older;
        self.add_unreadable(followed.unreadable_entries());
        self.report.as_of = followed.as_of();
        self.report.poll_after = followed.fresh_for();
    }

    /// Adds entries whose `loc` could not be read.
    pub fn add_unreadable(&mut self, entries: u64) {
        self.facts.unreadable_entries = self.facts.unreadable_entries.saturating_add(entries);
        self.find_unreadable(self.facts.unreadable_entries);
    }

    /// Names the number of entries that could not be looked at, once.
    fn find_unreadable(&mut self, entries: u64) {
        if entries > 0 {
            self.report.diagnostics.retain(|finding| finding.code != "SYN-17");
            self.find("SYN-17", [("n", entries.into())]);
        }
    }

    /// Counts a resource that is in its place.
    pub fn count_stored(&mut self, is_update: bool) {
        let count = if is_update { &mut self.counts.updated } else { &mut self.counts.created };
        *count = count.saturating_add(1);
    }

    /// Counts how a transfer was verified.
    pub fn count_verified(&mut self, by: Verified) {
        let VerifiedCounts { digest, length, unreadable, nothing } = &mut self.report.verified;
        let count = match by {
            Verified::Digest => digest,
            Verified::Length => length,
            Verified::Unreadable => unreadable,
            Verified::Nothing => nothing,
        };
        *count = count.saturating_add(1);
    }

    /// Counts a resource that could not be transferred.
    pub fn count_failure(&mut self, failure: &Failure) {
        self.counts.failed = self.counts.failed.saturating_add(1);
        if failure.is_transient {
            self.failures.transient = self.failures.transient.saturating_add(1);
        } else if failure.is_unanswered {
            self.failures.unanswered = self.failures.unanswered.saturating_add(1);
        }
    }

    /// Notes a related resource whose host is not allowed.
    pub fn note_not_allowed(&mut self, uri: &str) {
        let (number, first) = &mut self.not_allowed;
        if *number == 0 {
            uri.clone_into(first);
        }
        *number = number.saturating_add(1);
    }

    fn note_older(&mut self, older: &[(String, String, String)]) {
        for (uri, at, seen) in older {
            self.find(
                "SYN-02",
                [("uri", uri.as_str().into()), ("at", at.as_str().into()), ("seen", seen.as_str().into())],
            );
        }
    }

    /// Adds what is wrong with the Change Lists of a set.
    pub fn note_chain(&mut self, followed: &Followed) {
        self.note_older(&followed.older);
        if let Some((uri, at)) = &followed.ahead {
            self.find("SYN-03", [("uri", uri.as_str().into()), ("at", at.as_str().into())]);
        }
        if followed.state == State::Gap {
            let gap = followed.gap.clone().unwrap_or_default();
            self.find_gap(gap.after.or_else(|| followed.checkpoint.as_of.clone()), gap.before);
        } else if let Some(hole) = followed.checkpoint.hole.clone().filter(|_| followed.state.is_complete()) {
            self.find_gap(Some(hole.after.unwrap_or_default()), Some(hole.before.unwrap_or_default()));
        }
    }

    /// Adds a finding about missing changes.
    pub fn find_gap(&mut self, after: Option<String>, before: Option<String>) {
        let text = |time: Option<String>| time.unwrap_or_else(|| "?".to_string());
        self.find("SYN-04", [("after", text(after).into()), ("before", text(before).into())]);
    }

    /// Of findings about missing changes, keeps only those after the first `noted` findings, if there are any: what was missing before is
    /// part of it.
    pub fn keep_later_gaps(&mut self, noted: usize) {
        let is_gap = |finding: &Finding| finding.code == "SYN-04";
        if self.report.diagnostics.iter().skip(noted).any(is_gap) {
            let mut place = 0_usize;
            self.report.diagnostics.retain(|finding| {
                place = place.saturating_add(1);
                place > noted || !is_gap(finding)
            });
        }
    }

    /// Notes that the newest list is older than `most` seconds, if it is. `now` is the time in seconds since 1970.
    pub fn check_age(&mut self, most: u64, now: i64) {
        let Some(at) = self.report.as_of.clone() else { return };
        let Some(moment) = moment(&at) else { return };
        let then = moment.to_unix().0.max(0);
        if now.saturating_sub(then).max(0).unsigned_abs() > most {
            self.facts.stale = true;
            self.find("SYN-07", [("at", at.into())]);
        }
    }

    /// Reports deletions that are not done. `most` is the number that was allowed.
    pub fn withhold(&mut self, why: Withheld, number: u64, most: u64) {
        self.counts.withheld = self.counts.withheld.saturating_add(number);
        if self.facts.withheld.is_none_or(|own| own == Withheld::NotWanted || !own.is_refusal()) {
            self.facts.withheld = Some(why);
        }
        match why {
            Withheld::TooMany | Withheld::EmptyList => {
                let held = self.stored_before;
                // Without a number of the user, an empty list deletes nothing.
                let most = if why == Withheld::EmptyList { 0 } else { most };
                self.find("SYN-01", [("n", number.into()), ("held", held.into()), ("most", most.into())]);
            }
            Withheld::Failures | Withheld::Stopped | Withheld::UnreadList => {
                self.find("SYN-18", [("n", number.into())]);
            }
            Withheld::UnreadableEntry => {
                self.find_unreadable(self.facts.unreadable_entries.saturating_add(self.failures.unanswered));
            }
            Withheld::Snapshot | Withheld::NotWanted => {}
        }
    }

    /// True if everything that the documents contain was processed, so that the next run can continue from there.
    pub fn may_settle(&self) -> bool {
        self.facts.lists_complete
            && self.facts.one_snapshot
            && self.facts.unreadable_entries == 0
            && self.counts.left == 0
            && !self.facts.interrupted
            && self.facts.withheld.is_none_or(|why| why == Withheld::NotWanted)
    }

    /// Determines the outcome. `retries` is the number of resources that are to be tried again, `unconfirmed` that of changes that no list has yet.
    pub fn conclude(&mut self, retries: u64, unconfirmed: u64) -> Outcome {
        self.facts.debts = retries.saturating_add(unconfirmed);
        self.concluded(self.counts.left, unconfirmed)
    }

    /// Determines the outcome of a dry run that would do so much.
    pub fn conclude_plan(&mut self, planned: u64, unconfirmed: u64) -> Outcome {
        let Counts { left, failed, deferred, .. } = self.counts;
        self.facts.planned = planned;
        self.facts.debts = failed.saturating_add(deferred).saturating_add(unconfirmed);
        self.concluded(left, unconfirmed)
    }

    fn concluded(&mut self, left: u64, unconfirmed: u64) -> Outcome {
        let counts = self.counts;
        if counts.deferred > 0 {
            self.find("SYN-06", [("n", counts.deferred.into())]);
        }
        let same_names = self.report.diagnostics.iter().filter(|finding| finding.code == "SYN-08").count() as u64;
        let foreign = counts.conflicts.saturating_sub(same_names);
        if foreign > 0 {
            self.find("SYN-09", [("n", foreign.into())]);
        }
        if self.changed > 0 {
            self.find("SYN-10", [("n", self.changed.into())]);
        }
        if self.failures.no_digest > 0 {
            self.find("SYN-12", [("n", self.failures.no_digest.into())]);
        }
        if self.report.verified.unreadable > 0 {
            self.find("SYN-28", [("n", self.report.verified.unreadable.into())]);
        }
        if let Some(limit) = self.limit {
            self.find("SYN-14", [("limit", limit.as_str().into()), ("n", counts.left.into())]);
        }
        if let (number @ 1.., first) = &self.not_allowed {
            let args = [("n", (*number).into()), ("uri", first.as_str().into())];
            self.find("SYN-24", args);
        }
        if unconfirmed > 0 {
            self.find("SYN-20", [("n", unconfirmed.into())]);
        }
        self.facts.left = left;
        self.facts.conflicts = counts.conflicts;
        let outcome = conclude(&self.facts);
        self.report.run.outcome = outcome;
        outcome
    }

    /// True if nothing is stored, and resources are listed, each of which was left out by the selection.
    fn is_nothing_selected(&self) -> bool {
        let skipped = self.counts.skipped;
        self.stored_before == 0 && skipped > 0 && self.counts == Counts { skipped, ..Counts::default() }
    }

    /// The report; `held` is what is stored now. Items that need attention come first.
    pub fn into_report(mut self, held: StoredCounts) -> Report {
        if self.is_nothing_selected() {
            self.find("SYN-30", [("n", self.counts.skipped.into())]);
        }
        let mut report = self.report;
        (report.held, report.counts, report.withheld) = (held, self.counts, self.facts.withheld);
        report.items.sort_by_key(|item| match (item.result, item.action) {
            (Done::Failed, _) => 0,
            (Done::Conflict, _) => 1,
            (Done::Deferred | Done::Withheld, _) => 2,
            (_, Doing::Delete) => 3,
            _ => 4,
        });
        report
    }
}

/// The item of a resource that was not stored or replaced yet.
pub fn item(resource: &ListedResource, path: Option<String>, is_stored: bool, result: Done) -> Item {
    let expected = Seen { hash: resource.hash.clone(), length: resource.length };
    Item {
        uri: resource.uri.clone(),
        path,
        action: if is_stored { Doing::Update } else { Doing::Create },
        result,
        code: None,
        cause: None,
        expected: (expected != Seen::default()).then_some(expected),
        actual: None,
        bytes_from: None,
        origin: None,
        kept: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(most: usize) -> Record {
        let mut record = Record::new(Report::begin(1, false, "http://a.example/", String::new()), most, 10);
        (record.facts.lists_complete, record.facts.one_snapshot) = (true, true);
        record
    }

    fn done(uri: &str, result: Done) -> Item {
        item(&ListedResource { uri: uri.to_owned(), ..ListedResource::default() }, None, false, result)
    }

    fn codes(record: &Record) -> alloc::vec::Vec<&str> {
        record.report.diagnostics.iter().map(|finding| &*finding.code).collect()
    }

    #[test]
    fn nothing_that_is_to_be_tried_again_or_unconfirmed_is_in_step() {
        for (left, retries, unconfirmed, outcome) in [
            (0, 0, 0, Outcome::InStep),
            (1, 0, 0, Outcome::Incomplete),
            (0, 1, 0, Outcome::Incomplete),
            (0, 0, 1, Outcome::Incomplete),
        ] {
            let mut record = record(1);
            record.counts.left = left;
            assert_eq!(record.conclude(retries, unconfirmed), outcome);
            assert_eq!(codes(&record), if unconfirmed > 0 { &["SYN-20"][..] } else { &[] });
        }
    }

    #[test]
    fn a_dry_run_is_planned_if_it_knows_all_that_a_run_would_do() {
        let counts = Counts::default();
        for (counts, planned, unconfirmed, outcome) in [
            (counts, 0, 0, Outcome::InStep),
            (counts, 3, 0, Outcome::Planned),
            (counts, 3, 1, Outcome::Incomplete),
            (Counts { failed: 1, ..counts }, 3, 0, Outcome::Incomplete),
            (Counts { deferred: 1, ..counts }, 3, 0, Outcome::Incomplete),
            (Counts { left: 1, ..counts }, 3, 0, Outcome::Incomplete),
            (Counts { conflicts: 1, ..counts }, 3, 0, Outcome::Refused),
        ] {
            let mut record = record(1);
            record.counts = counts;
            assert_eq!(record.conclude_plan(planned, unconfirmed), outcome);
        }
        let mut unread = record(1);
        unread.facts.lists_complete = false;
        assert_eq!(unread.conclude_plan(3, 0), Outcome::Incomplete);
        // A warning about what was found does not make the plan less complete.
        let mut warned = record(1);
        warned.find("SYN-12", [("n", 1_u64.into())]);
        assert_eq!(warned.conclude_plan(3, 0), Outcome::Planned);
    }

    #[test]
    fn a_selection_that_leaves_out_everything_is_named() {
        for (skipped, created, held, expected) in
            [(3, 0, 0, &["SYN-30"][..]), (0, 0, 0, &[]), (3, 1, 0, &[]), (3, 0, 1, &[])]
        {
            let mut record = record(1);
            record.stored_before = held;
            record.counts = Counts { skipped, created, ..Counts::default() };
            let report = record.into_report(StoredCounts { resources: held, bytes: 0 });
            let codes: alloc::vec::Vec<&str> = report.diagnostics.iter().map(|finding| &*finding.code).collect();
            assert_eq!(codes, expected);
        }
    }

    #[test]
    fn entries_that_cannot_be_read_are_the_reason_wherever_they_are() {
        let mut record = record(1);
        record.add_unreadable(0);
        assert!(codes(&record).is_empty() && record.may_settle());
        record.add_unreadable(1);
        record.add_unreadable(2);
        assert_eq!((codes(&record), record.facts.unreadable_entries), (alloc::vec!["SYN-17"], 3));
        assert_eq!(record.conclude(0, 0), Outcome::Incomplete);
    }

    #[test]
    fn what_needs_attention_takes_the_place_of_what_is_done() {
        let mut record = record(2);
        for (uri, result) in [("a", Done::Done), ("b", Done::Done), ("c", Done::Failed), ("d", Done::Done)] {
            record.add(done(uri, result));
        }
        let report = record.into_report(StoredCounts::default());
        let uris: alloc::vec::Vec<&str> = report.items.iter().map(|item| &*item.uri).collect();
        assert_eq!((uris, report.left_out), (alloc::vec!["c", "a"], 2));
    }

    #[test]
    fn a_limit_of_bytes_is_named_before_one_of_time() {
        for (limits, named) in [
            (&[Limit::Time, Limit::Bytes][..], "max-bytes"),
            (&[Limit::Bytes, Limit::Time], "max-bytes"),
            (&[Limit::Time], "max-time"),
        ] {
            let mut record = record(1);
            limits.iter().for_each(|limit| record.limited(*limit));
            record.conclude(0, 0);
            let finding = record.report.diagnostics.first();
            assert_eq!(finding.and_then(|finding| finding.args.get("limit")), Some(&Arg::from(named)));
        }
    }

    #[test]
    fn a_list_is_old_after_the_age_and_not_before() {
        // 2020-01-01T00:00:00Z.
        let at = 1_577_836_800;
        for (now, is_stale) in [(at + 60, false), (at + 61, true), (at - 1, false)] {
            let mut record = record(1);
            record.report.as_of = Some("2020-01-01T00:00:00Z".to_owned());
            record.check_age(60, now);
            assert_eq!((record.facts.stale, record.has(&["SYN-07"])), (is_stale, is_stale));
        }
    }

    #[test]
    fn a_refusal_is_not_replaced_by_another_reason_to_withhold() {
        let mut record = record(1);
        record.withhold(Withheld::NotWanted, 1, 0);
        record.withhold(Withheld::TooMany, 9, 5);
        record.withhold(Withheld::Stopped, 1, 5);
        assert_eq!((record.facts.withheld, record.counts.withheld), (Some(Withheld::TooMany), 11));
        assert_eq!(codes(&record), ["SYN-01", "SYN-18"]);
        assert!(!record.may_settle());
        assert_eq!(record.conclude(0, 0), Outcome::Refused);
    }

    #[test]
    fn the_gap_that_was_found_last_replaces_those_before() {
        let mut record = record(1);
        record.find_gap(Some("1".to_owned()), None);
        record.keep_later_gaps(1);
        assert_eq!(codes(&record), ["SYN-04"]);
        record.find("SYN-14", []);
        record.find_gap(None, Some("2".to_owned()));
        record.keep_later_gaps(2);
        assert_eq!(codes(&record), ["SYN-14", "SYN-04"]);
        let last = record.report.diagnostics.last();
        assert_eq!(last.and_then(|finding| finding.args.get("before")), Some(&Arg::from("2")));
    }
}
