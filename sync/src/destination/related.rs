//! Related resources, which are copied with the entries that link to them: what is noted of them, and what is done about each.

use alloc::string::String;

use super::{files::Files, state::Destination};
use crate::{
    decide::Action,
    ledger::Ledger,
    listed_resource::ListedResource,
    report::{ItemCode, PlanKind},
};

/// Related resources read per call of the ledger.
const PAGE: usize = 256;

impl Destination {
    /// Notes that a document lists a resource.
    pub(super) fn note_listed<L: Ledger>(
        &self,
        document: u32,
        resource: &ListedResource,
        ledger: &mut L,
    ) -> Result<(), L::Error> {
        if self.settings.related.is_empty() { Ok(()) } else { ledger.note_listed(document, &resource.uri) }
    }

    /// Notes what the entry of a resource that is copied links to.
    pub(super) fn note_related<L: Ledger>(
        &self,
        kind: PlanKind,
        document: u32,
        resource: &ListedResource,
        ledger: &mut L,
    ) -> Result<(), L::Error> {
        for related in self.settings.related.of(resource) {
            if !self.selector.selects_related(&related) {
                continue;
            }
            // What is stored, and no entry has linked to, is stored because it is listed.
            if kind == PlanKind::Changes && !ledger.is_known(&related.uri)? && ledger.find(&related.uri)?.is_some() {
                ledger.note_listed(document, &related.uri)?;
            }
            ledger.note_related(document, &resource.uri, &related)?;
        }
        Ok(())
    }

    /// Notes that a resource is no longer listed.
    pub(super) fn note_unlisted<L: Ledger>(&self, resource: &ListedResource, ledger: &mut L) -> Result<(), L::Error> {
        if self.settings.related.is_empty() { Ok(()) } else { ledger.note_unlisted(&resource.uri) }
    }

    /// Decides about the related resources that were noted since the last call: those that no list contains are copied, too.
    pub(super) fn apply_related<L: Ledger, F: Files<L>>(
        &mut self,
        kind: PlanKind,
        ledger: &mut L,
        files: &mut F,
    ) -> Result<(), L::Error> {
        if self.settings.related.is_empty() {
            return Ok(());
        }
        loop {
            let page = ledger.related_after(self.compared.related, PAGE, kind == PlanKind::List)?;
            let Some((last, _)) = page.last() else { break };
            self.compared.related = *last;
            for (_, resource) in page {
                self.apply_one_related(kind, &resource, ledger, files)?;
            }
        }
        self.end_related(kind, ledger)
    }

    fn apply_one_related<L: Ledger, F: Files<L>>(
        &mut self,
        kind: PlanKind,
        resource: &ListedResource,
        ledger: &mut L,
        files: &mut F,
    ) -> Result<(), L::Error> {
        let stored = ledger.find(&resource.uri)?;
        let marked = stored.as_ref().map(|stored| stored.id).filter(|id| self.compared.marked_deleted.contains(*id));
        if let Some(id) = marked {
            // What the Source deleted is not requested because a link still names it.
            if !self.compared.unrelated.contains(id) {
                return Ok(());
            }
            // Its entry is there again in what was looked up once more.
            ledger.unmark_deleted(id)?;
            self.compared.marked_deleted.remove(id);
            self.compared.unrelated.remove(id);
        }
        let planned = ledger.unplan(&resource.uri)?;
        let is_first = stored.as_ref().is_some_and(|stored| self.compared.listed.insert(stored.id));
        if kind == PlanKind::Changes && is_first && planned.is_none() && marked.is_none() {
            self.record.counts.unchanged = self.record.counts.unchanged.saturating_sub(1);
        }
        match self.action(resource, stored.as_ref(), ledger, files)? {
            Action::Keep => {
                let is_counted = is_first || planned.is_some() || marked.is_some();
                self.record.counts.unchanged = self.record.counts.unchanged.saturating_add(u64::from(is_counted));
                self.forget_retry(resource, ledger)
            }
            action => {
                if !self.settings.dry_run {
                    ledger.keep_links(&resource.uri)?;
                }
                ledger.plan(0, action, resource)
            }
        }
    }

    /// Marks as deleted what entries that were deleted linked to, and no other one does.
    pub(super) fn end_related<L: Ledger>(&mut self, kind: PlanKind, ledger: &mut L) -> Result<(), L::Error> {
        if self.settings.related.is_empty() {
            return Ok(());
        }
        let mut after = String::new();
        loop {
            let page = ledger.unrelated_after(&after, PAGE, kind == PlanKind::List)?;
            let Some(last) = page.last() else { return Ok(()) };
            after.clone_from(last);
            for uri in &page {
                let planned = ledger.unplan(uri)?;
                let Some(stored) = ledger.find(uri)? else {
                    if !self.settings.dry_run {
                        ledger.forget_retry(uri)?;
                    }
                    continue;
                };
                if !self.compared.marked_deleted.contains(stored.id) {
                    self.compared.unrelated.insert(stored.id);
                    let is_counted = kind == PlanKind::Changes || self.compared.listed.contains(stored.id);
                    let was_unchanged = planned.is_none() && is_counted;
                    self.record.counts.unchanged =
                        self.record.counts.unchanged.saturating_sub(u64::from(was_unchanged));
                }
                self.mark_deleted(&stored, ledger)?;
            }
        }
    }

    /// True for a related resource that no entry links to any more.
    pub(super) fn is_unrelated<L: Ledger>(&self, resource: &ListedResource, ledger: &L) -> Result<bool, L::Error> {
        Ok(resource.is_related && !ledger.is_related(&resource.uri)?)
    }

    /// Passes over a related resource whose host is not allowed; what is stored of it is kept. The next run may allow it.
    pub(super) fn not_allowed<L: Ledger>(
        &mut self,
        resource: &ListedResource,
        is_stored: bool,
        ledger: &mut L,
    ) -> Result<(), L::Error> {
        self.record.counts.skipped = self.record.counts.skipped.saturating_add(1);
        self.record.counts.unchanged = self.record.counts.unchanged.saturating_add(u64::from(is_stored));
        self.record.note_not_allowed(&resource.loc);
        self.record.failures.not_allowed = self.record.failures.not_allowed.saturating_add(1);
        if self.settings.dry_run {
            return Ok(());
        }
        ledger.retry_later(resource, ItemCode::NotAllowed, self.number)
    }
}
