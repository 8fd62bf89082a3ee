//! From the rows of the plan to transfers, and from their results to the ledger and the report.

use alloc::{string::String, vec::Vec};

use resourcesync::diagnostic::Reason;

use super::{
    files::{Files, Occupant},
    settings::{MirrorChoice, Now},
    state::Destination,
    task::{Placed, Task, Transferred},
};
use crate::{
    decide::Action,
    ledger::{Ledger, Planned, StoredResource},
    listed_resource::{ListedResource, Patch},
    record::{Limit, item},
    report::{Done, Item, ItemCode, Origin, Seen},
    stored_state::Local,
};

/// Resources with other bytes than listed that are looked up again in the Change Lists.
const LOOKED_UP: usize = 1_000;

impl Destination {
    /// The next resource to transfer; `None` if there are no more. `is_spent` is true if no more bytes may be fetched.
    ///
    /// # Errors
    ///
    /// If the ledger or the files fail, which ends the run.
    pub fn next_task<L: Ledger, F: Files<L>>(
        &mut self,
        now: Now,
        is_spent: bool,
        ledger: &mut L,
        files: &mut F,
    ) -> Result<Option<Task>, L::Error> {
        if now.is_cancelled {
            return Ok(None);
        }
        while let Some(planned) = self.queue.next(ledger)? {
            if is_spent || self.is_late(now) {
                self.record.limited(if is_spent { Limit::Bytes } else { Limit::Time });
                self.queue.end();
                break;
            }
            self.queue.attempt();
            if let Some(task) = self.task(planned, ledger, files)? {
                return Ok(Some(task));
            }
        }
        self.next_version(now, is_spent, ledger)
    }

    fn task<L: Ledger, F: Files<L>>(
        &mut self,
        planned: Planned,
        ledger: &mut L,
        files: &mut F,
    ) -> Result<Option<Task>, L::Error> {
        let Planned { action, resource, .. } = planned;
        let stored = ledger.find(&resource.uri)?;
        if action == Action::Refuse {
            self.refuse(&resource, stored.is_some(), ledger)?;
            return Ok(None);
        }
        let layout = self.places.of(&resource.uri).unwrap_or_default();
        let place = stored.as_ref().and_then(|stored| stored.path.clone()).unwrap_or(layout);
        let occupant = if place.is_empty() { Occupant::Nothing } else { files.look(&place, ledger)? };
        let is_foreign = stored.is_none() && occupant == Occupant::Foreign;
        let compares_file = action == Action::Hash || (is_foreign && self.settings.placing.adopt);
        let is_conditional = action == Action::Check && occupant != Occupant::Nothing;
        let replaces = self.settings.placing.overwrite;
        if is_foreign && !compares_file && !replaces {
            self.foreign(&resource, ledger)?;
            return Ok(None);
        }
        let mirrors = self.mirrors(action, &resource);
        let patch = match &stored {
            Some(stored) if action == Action::Fetch => self.patch(&resource, stored, ledger, files)?,
            _ => None,
        };
        // Whether a resource still exists only its own server knows.
        let is_asked = resource.is_asked();
        let avoids_loc = self.settings.fetching.mirrors == MirrorChoice::Only && !is_asked;
        Ok(Some(Task {
            action,
            resource,
            stored,
            place,
            is_conditional,
            is_foreign,
            compares_file,
            replaces,
            mirrors,
            patch,
            avoids_loc,
            is_version: false,
        }))
    }

    /// The patch of a resource that is stored in the state before its change, as far as it is known.
    fn patch<L: Ledger, F: Files<L>>(
        &self,
        resource: &ListedResource,
        stored: &StoredResource,
        ledger: &L,
        files: &mut F,
    ) -> Result<Option<Patch>, L::Error> {
        let fetching = &self.settings.fetching;
        let may_pay =
            |patch: &&Patch| !fetching.avoids_patches && patch.pays_for(resource, fetching.program_of(patch).is_some());
        let Some(patch) = resource.patch.as_ref().filter(may_pay) else { return Ok(None) };
        let is_intact = self.compare(stored, ledger, files)? == Local::Intact && !stored.state.is_decoded();
        Ok(is_intact.then(|| patch.clone()))
    }

    /// Notes that a patch did not lead to the listed state; the resource is fetched.
    pub fn patch_failed(&mut self, resource: &ListedResource, reason: Reason) {
        let patch = resource.patch.as_ref().map(|patch| patch.uri.as_str()).unwrap_or_default();
        let args = [("uri", resource.uri.as_str().into()), ("patch", patch.into()), ("reason", reason.into())];
        self.record.find("SYN-13", args);
    }

    /// The mirrors that are asked for a resource, in this order.
    pub fn mirrors(&mut self, action: Action, resource: &ListedResource) -> Vec<String> {
        let is_whole = matches!(action, Action::Fetch | Action::Hash) && !resource.is_asked();
        match is_whole && self.settings.fetching.mirrors != MirrorChoice::Never {
            true => self.supply.mirrors.of(resource),
            false => Vec::new(),
        }
    }

    /// Notes that a mirror did not supply a resource.
    pub fn mirror_failed(&mut self, uri: &str) {
        self.supply.mirrors.failed(uri);
    }

    /// The next resource of a plan that is not carried out.
    ///
    /// # Errors
    ///
    /// If the ledger fails, which ends the run.
    pub fn next_planned<L: Ledger>(&mut self, ledger: &L) -> Result<Option<Planned>, L::Error> {
        let planned = self.queue.next(ledger)?;
        if planned.is_some() {
            self.queue.attempt();
        }
        Ok(planned)
    }

    /// Reports a resource of a plan that is not carried out. `allowed` has the reason if its URI may not be requested.
    ///
    /// # Errors
    ///
    /// If the ledger fails, which ends the run.
    pub fn planned<L: Ledger>(
        &mut self,
        planned: Planned,
        allowed: Result<(), Reason>,
        ledger: &mut L,
    ) -> Result<(), L::Error> {
        let Planned { action, resource, .. } = planned;
        let is_stored = ledger.find(&resource.uri)?.is_some();
        if resource.is_related && allowed.is_err() {
            return self.not_allowed(&resource, is_stored, ledger);
        }
        if let (Err(reason), true) = (allowed, action != Action::Hash) {
            self.record.failures.unanswered = self.record.failures.unanswered.saturating_add(1);
            self.record.counts.failed = self.record.counts.failed.saturating_add(1);
            let mut item = self.item(&resource, is_stored, Done::Failed);
            (item.code, item.cause, item.kept) = (Some(ItemCode::Unreadable), Some(reason), is_stored);
            self.told.push_back(item);
            return Ok(());
        }
        self.record.count_stored(is_stored);
        if action == Action::Refuse {
            return self.refuse(&resource, is_stored, ledger);
        }
        let item = self.item(&resource, is_stored, Done::Planned);
        self.told.push_back(item);
        Ok(())
    }

    /// Takes the result of a transfer. A verified file is returned; it is to be placed.
    ///
    /// # Errors
    ///
    /// If the ledger fails, which ends the run.
    pub fn transferred<L: Ledger>(
        &mut self,
        task: Task,
        transferred: Transferred,
        ledger: &mut L,
    ) -> Result<Option<Placed>, L::Error> {
        let is_other = match &transferred {
            Transferred::Deferred(_) => true,
            Transferred::Failed(failure) => matches!(failure.code, ItemCode::Digest | ItemCode::Length),
            _ => false,
        };
        if let Some(changed) = self.changed_meanwhile.as_mut().filter(|changed| is_other && changed.len() < LOOKED_UP) {
            changed.push((task, transferred));
            return Ok(None);
        }
        let Some((task, transferred)) = self.await_packages(task, transferred) else { return Ok(None) };
        let Task { resource, stored, action, .. } = task;
        let is_stored = stored.is_some();
        let id = stored.as_ref().map_or(0, |stored| stored.id);
        let path = stored.and_then(|stored| stored.path);
        let record = |state, mtime| StoredResource { id, uri: resource.uri.clone(), path, state, mtime };
        match transferred {
            Transferred::Staged { number, state, mtime, by, received, from } => {
                self.record.report.bytes = self.record.report.bytes.saturating_add(received);
                self.record.count_verified(by);
                return Ok(Some(Placed { number, stored: record(state, mtime), resource, from }));
            }
            Transferred::Same => {
                self.record.counts.unchanged = self.record.counts.unchanged.saturating_add(1);
                ledger.verified(&resource)?;
            }
            Transferred::Adopted { state, mtime } => {
                self.record.counts.adopted = self.record.counts.adopted.saturating_add(1);
                ledger.adopted(record(state, mtime), self.number)?;
            }
            Transferred::Conflict => self.foreign(&resource, ledger)?,
            Transferred::NotAllowed => self.not_allowed(&resource, is_stored, ledger)?,
            Transferred::Deferred(seen) => {
                self.record.counts.deferred = self.record.counts.deferred.saturating_add(1);
                ledger.retry_later(&resource, ItemCode::Newer, self.number)?;
                let mut item = self.item(&resource, is_stored, Done::Deferred);
                (item.code, item.actual, item.kept) = (Some(ItemCode::Newer), Some(seen), is_stored);
                self.told.push_back(item);
            }
            Transferred::Failed(failure) if action == Action::Ask && failure.code == ItemCode::Missing => {
                // The order of its changes is unknown, and the Source no longer has it.
                self.note_unlisted(&resource, ledger)?;
                match ledger.find(&resource.uri)? {
                    Some(stored) => self.mark_deleted(&stored, ledger)?,
                    None => ledger.forget_retry(&resource.uri)?,
                }
            }
            Transferred::Failed(failure) => {
                match resource.is_related {
                    // It does not show what the lists contain.
                    true => self.record.counts.failed = self.record.counts.failed.saturating_add(1),
                    false => self.record.count_failure(&failure),
                }
                ledger.retry_later(&resource, failure.code, self.number)?;
                let mut item = self.item(&resource, is_stored, Done::Failed);
                (item.code, item.cause, item.kept) = (Some(failure.code), failure.reason, is_stored);
                item.actual = (failure.seen != Seen::default()).then_some(failure.seen);
                self.told.push_back(item);
            }
            Transferred::Unaffordable => {
                self.record.limited(Limit::Bytes);
                self.queue.give_up();
            }
            Transferred::Interrupted => self.queue.give_up(),
        }
        Ok(None)
    }

    /// Reports a resource that could not be written, which ends the run.
    pub fn unwritten(&mut self, task: Task, reason: Reason) {
        let is_stored = task.stored.is_some();
        let mut item = self.item(&task.resource, is_stored, Done::Failed);
        (item.code, item.cause, item.kept) = (Some(ItemCode::NoSpace), Some(reason), is_stored);
        item.path = Some(task.place);
        self.told.push_back(item);
    }

    /// Reports a resource that is in its place; its path is given if it differs from that of the layout.
    pub fn placed(&mut self, resource: &ListedResource, is_update: bool, path: Option<&str>, from: Origin) {
        self.record.count_stored(is_update);
        let mut item = self.item(resource, is_update, Done::Done);
        (item.bytes_from, item.origin) = (Some(from.from), from.uri);
        if let Some(path) = path {
            item.path = Some(path.into());
        }
        self.told.push_back(item);
    }

    /// Reports a resource that was verified and cannot be placed.
    ///
    /// # Errors
    ///
    /// If the ledger fails, which ends the run.
    pub fn unplaced<L: Ledger>(
        &mut self,
        resource: &ListedResource,
        is_stored: bool,
        code: ItemCode,
        ledger: &mut L,
    ) -> Result<(), L::Error> {
        self.record.counts.conflicts = self.record.counts.conflicts.saturating_add(1);
        ledger.retry_later(resource, code, self.number)?;
        let mut item = self.item(resource, is_stored, Done::Conflict);
        item.code = Some(code);
        if code == ItemCode::SameName {
            let path = item.path.clone().unwrap_or_default();
            self.record.find("SYN-08", [("uri", resource.uri.as_str().into()), ("path", path.into())]);
        }
        self.told.push_back(item);
        Ok(())
    }

    /// Counts files of the copy that other programs have changed.
    pub fn found_changed(&mut self, files: usize) {
        self.record.changed = self.record.changed.saturating_add(files as u64);
    }

    /// True once all that is listed was attempted, so that nothing lists what earlier runs received only in part.
    pub fn has_attempted_all(&self) -> bool {
        let facts = &self.record.facts;
        self.queue.left() == 0 && facts.lists_complete && !facts.interrupted
    }

    pub(super) fn item(&self, resource: &ListedResource, is_stored: bool, result: Done) -> Item {
        item(resource, self.places.of(&resource.uri), is_stored, result)
    }

    fn foreign<L: Ledger>(&mut self, resource: &ListedResource, ledger: &mut L) -> Result<(), L::Error> {
        self.unplaced(resource, false, ItemCode::Foreign, ledger)
    }

    fn refuse<L: Ledger>(
        &mut self,
        resource: &ListedResource,
        is_stored: bool,
        ledger: &mut L,
    ) -> Result<(), L::Error> {
        self.record.failures.no_digest = self.record.failures.no_digest.saturating_add(1);
        self.record.counts.failed = self.record.counts.failed.saturating_add(1);
        if !self.settings.dry_run {
            ledger.retry_later(resource, ItemCode::NoDigest, self.number)?;
        }
        let mut item = self.item(resource, is_stored, Done::Failed);
        item.code = Some(ItemCode::NoDigest);
        self.told.push_back(item);
        Ok(())
    }
}
