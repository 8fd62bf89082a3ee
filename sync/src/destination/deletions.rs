//! What is deleted: what Change Lists state as deleted, and what is no longer listed, each within the guard.

use alloc::{borrow::ToOwned, vec::Vec};
use core::mem;

use super::state::{Destination, Phase};
use crate::{
    checkpoint::Checkpoint,
    guard::{self, Evidence, MaxDelete, Withheld},
    ledger::{Ledger, StoredResource},
    listed_resource::ListedResource,
    report::{Doing, Done},
    survey::Findings,
};

impl Destination {
    /// The resources to remove.
    pub fn due(&mut self) -> Vec<StoredResource> {
        match &mut self.phase {
            Phase::RemovingStated(due, _) | Phase::RemovingUnlisted(due, _) => mem::take(due),
            _ => Vec::new(),
        }
    }

    /// Reports a resource that was removed, or would be removed if this were no dry run.
    pub fn removed(&mut self, stored: &StoredResource) {
        let uri = &stored.uri;
        let result = if self.settings.dry_run { Done::Planned } else { Done::Done };
        self.record.counts.deleted = self.record.counts.deleted.saturating_add(1);
        let resource = ListedResource { uri: uri.to_owned(), loc: uri.to_owned(), ..ListedResource::default() };
        let mut item = self.item(&resource, true, result);
        item.action = Doing::Delete;
        self.told.push_back(item);
    }

    /// What Change Lists state as deleted, if the guard allows it.
    pub(super) fn stated_deletions<L: Ledger>(&mut self, ledger: &L) -> Result<Vec<StoredResource>, L::Error> {
        let due = ledger.marked_deleted()?;
        if self.supply.is_contradicted && !due.is_empty() {
            self.record.withhold(Withheld::UnreadList, due.len() as u64, 0);
            return Ok(Vec::new());
        }
        let is_stopped = self.record.facts.interrupted || self.record.counts.left > 0;
        let (most, stored) = (self.settings.max_delete, self.record.stored_before);
        let is_stopped = is_stopped && !self.settings.dry_run;
        if let Err(why) = guard::stated_deletions(due.len() as u64, stored, is_stopped, most) {
            self.record.withhold(why, due.len() as u64, most.unwrap_or_default().of_stated(stored));
            return Ok(Vec::new());
        }
        Ok(due)
    }

    /// What is no longer listed, if the guard allows it.
    pub(super) fn unlisted<L: Ledger>(
        &mut self,
        found: &Findings,
        ledger: &L,
    ) -> Result<Vec<StoredResource>, L::Error> {
        let record = &self.record;
        // A list with a time ahead of the clock may be older than the Change Lists that the copy was in step with.
        let may_be_older = !self.settings.reading.accept_older
            && !found.ahead.is_empty()
            && self.source.before.iter().any(Checkpoint::is_past_lists);
        let evidence = Evidence {
            lists_complete: record.facts.lists_complete,
            one_snapshot: found.mixed.is_none() && found.rewritten.is_empty() && !may_be_older,
            unreadable_entries: record.facts.unreadable_entries.saturating_add(record.failures.unanswered),
            listed: found.listed,
            transient_failures: record.failures.transient,
            stopped: record.facts.interrupted || record.counts.left > 0,
        };
        // A number that the user gave is for all deletions of the run.
        let (stored, done) = (record.stored_before, record.counts.deleted);
        let max_delete = self.settings.max_delete.map(|most| match most {
            MaxDelete::Auto => MaxDelete::Auto,
            own => MaxDelete::Number(own.of(stored).saturating_sub(done)),
        });
        let most = max_delete.map(|most| most.of(stored));
        let compared = mem::take(&mut self.compared);
        let (mut due, mut number) = (Vec::new(), 0_u64);
        ledger.each(&mut |entry, recorded_in| {
            let is_known = compared.listed.contains(entry.id) || compared.marked_deleted.contains(entry.id);
            // What is not selected is not deleted either.
            let is_known = is_known || !self.selector.selects_stored(&entry.listed());
            if !is_known && recorded_in != self.number {
                number = number.saturating_add(1);
                // Above the limit nothing is deleted, so the rest need not be kept.
                if most.is_some_and(|most| number <= most) {
                    due.push(entry);
                }
            }
            Ok(())
        })?;
        if let Err(why) = guard::deletions(number, stored, evidence, max_delete) {
            self.record.withhold(why, number, most.unwrap_or_default());
            return Ok(Vec::new());
        }
        Ok(due)
    }
}
