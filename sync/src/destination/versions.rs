//! The history of a copy: listed versions of resources that are kept although later ones replace them (§14.6).

use alloc::string::String;

use super::{
    queue::Versions,
    settings::Now,
    state::Destination,
    task::{Task, Transferred, Version},
};
use crate::{
    decide::Action,
    ledger::Ledger,
    listed_resource::ListedResource,
    record::{Limit, item},
    report::{BytesFrom, Doing, Done, ItemCode, Origin, Seen},
    transfer::Failure,
};

impl Destination {
    /// Notes the version that an entry lists, if it is one to be kept.
    pub(super) fn note_version<L: Ledger>(&self, resource: &ListedResource, ledger: &mut L) -> Result<(), L::Error> {
        let is_kept = self.settings.fetching.keeps_versions && !self.settings.dry_run;
        match resource.version().filter(|_| is_kept && self.selector.selects(resource)) {
            Some(version) => ledger.note_version(&version),
            None => Ok(()),
        }
    }

    /// The next version to keep.
    pub(super) fn next_version<L: Ledger>(
        &mut self,
        now: Now,
        is_spent: bool,
        ledger: &L,
    ) -> Result<Option<Task>, L::Error> {
        if !self.settings.fetching.keeps_versions || self.source.is_notified {
            return Ok(None);
        }
        let Some((sequence, resource)) = self.versions.next(ledger)? else { return Ok(None) };
        if is_spent || self.is_late(now) {
            self.record.limited(if is_spent { Limit::Bytes } else { Limit::Time });
            return Ok(None);
        }
        self.versions.after = sequence;
        Ok(Some(Task { is_version: true, ..Task::new(Action::Fetch, resource) }))
    }

    /// Takes the result of the transfer of a version. A verified file is returned; it is to be kept.
    ///
    /// # Errors
    ///
    /// If the ledger fails, which ends the run.
    pub fn version_transferred<L: Ledger>(
        &mut self,
        resource: ListedResource,
        transferred: Transferred,
        ledger: &mut L,
    ) -> Result<Option<Version>, L::Error> {
        match transferred {
            Transferred::Staged { number, state, by, received, from, .. } => {
                self.record.report.bytes = self.record.report.bytes.saturating_add(received);
                self.record.count_verified(by);
                return Ok(Some(Version { number, resource, state, from }));
            }
            Transferred::NotAllowed => {
                self.versions.not_allowed = self.versions.not_allowed.saturating_add(1);
                self.record.note_not_allowed(&resource.loc);
            }
            Transferred::Deferred(seen) => {
                let failure =
                    Failure { code: ItemCode::Newer, reason: None, seen, is_transient: false, is_unanswered: false };
                self.version_failed(&resource, failure);
            }
            Transferred::Failed(failure) => {
                if failure.code == ItemCode::Missing {
                    self.versions.gone = self.versions.gone.saturating_add(1);
                    ledger.forget_version(&resource)?;
                }
                self.version_failed(&resource, failure);
            }
            Transferred::Unaffordable => self.record.limited(Limit::Bytes),
            // A version has no place of its own before it is kept, and is not requested conditionally.
            Transferred::Interrupted | Transferred::Same | Transferred::Adopted { .. } | Transferred::Conflict => {}
        }
        Ok(None)
    }

    /// Reports a version that is in the history, under this path.
    pub fn version_kept(&mut self, resource: &ListedResource, path: String, from: Origin) {
        self.record.counts.archived = self.record.counts.archived.saturating_add(1);
        let mut item = item(resource, Some(path), false, Done::Done);
        (item.action, item.bytes_from) = (Doing::Archive, Some(from.from));
        item.origin = Some(resource.loc.clone());
        self.told.push_back(item);
    }

    /// Reports a version that was verified and cannot be kept, since other files have its names.
    pub fn version_in_the_way(&mut self, resource: &ListedResource) {
        let (reason, seen) = (None, Seen::default());
        let failure = Failure { code: ItemCode::Foreign, reason, seen, is_transient: false, is_unanswered: false };
        self.version_failed(resource, failure);
    }

    fn version_failed(&mut self, resource: &ListedResource, failure: Failure) {
        self.record.counts.failed = self.record.counts.failed.saturating_add(1);
        let mut item = item(resource, None, false, Done::Failed);
        (item.action, item.code, item.cause) = (Doing::Archive, Some(failure.code), failure.reason);
        item.actual = (failure.seen != Seen::default()).then_some(failure.seen);
        (item.bytes_from, item.origin) = (Some(BytesFrom::Memento), Some(resource.loc.clone()));
        self.told.push_back(item);
    }

    /// The number of versions that are not kept although they should be.
    pub(super) fn versions_left<L: Ledger>(&self, ledger: &L) -> u64 {
        let Versions { not_allowed, gone, .. } = self.versions;
        if !self.settings.fetching.keeps_versions || self.settings.dry_run || self.source.is_notified {
            return 0;
        }
        // A ledger that cannot be read may have some.
        ledger.versions_due().map_or(1, |due| due.saturating_sub(not_allowed).saturating_add(gone))
    }
}
