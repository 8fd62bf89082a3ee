//! The changes since the lists of the Source, applied to what the lists gave.

use std::sync::Arc;

use resourcesync::value::Datetime;
use resourcesync_sync::{
    Checkpoint, ListedResource,
    audit::Relation,
    bits::Bits,
    chain::{FollowedSets, State},
    destination::following::{Following, FollowingOptions},
    documents::Documents,
    ledger::{Changes, Plan, RelatedResources, Resources, Retries},
    reduce::{LastChange, Presence},
    survey::Findings,
};

use super::{Listed, Work, listed::BATCH};
use crate::{
    destination::{
        SyncError,
        clock::seconds,
        documents::{Reader, read},
        ledger::Ledger,
    },
    http::Client,
};

impl Work<'_> {
    /// Applies the changes since the lists; if the Change Lists do not reach back so far, those since the last run, to what is stored.
    /// `None` if a run would not follow Change Lists either.
    pub(super) fn follow(&mut self, client: &Arc<Client>, found: &Findings) -> Result<Option<FollowedSets>, SyncError> {
        let consulted = found.date.unwrap_or_else(seconds);
        let mut before = Vec::new();
        for set in &found.sets {
            if set.is_timeless || set.is_shared || set.changes.is_empty() {
                return Ok(None);
            }
            let (uri, as_of, sources) = (set.uri.clone(), set.at.clone(), set.changes.clone());
            before.push(Checkpoint { set: uri, as_of, sources, consulted, ..Checkpoint::default() });
        }
        if before.is_empty() {
            return Ok(None);
        }
        let mut options =
            FollowingOptions { is_after_baseline: true, compares_lists: true, ..FollowingOptions::default() };
        let mut followed = self.follow_all(client, before.clone(), options)?;
        let last = self.ledger.checkpoints()?;
        let is_same = |(one, other): (&Checkpoint, &Checkpoint)| one.set == other.set;
        if followed.state == State::Gap && last.len() == before.len() && last.iter().zip(&before).all(is_same) {
            options = FollowingOptions::default();
            self.ledger.forget_listings(None)?;
            let since = self.follow_all(client, last, options)?;
            if since.state.is_complete() {
                self.start_from_state()?;
                followed = since;
            }
        }
        if followed.state.is_complete() {
            self.apply_changes()?;
        }
        Ok(Some(followed))
    }

    /// Reads the Change Lists of all sets.
    fn follow_all(
        &mut self,
        client: &Arc<Client>,
        before: Vec<Checkpoint>,
        options: FollowingOptions,
    ) -> Result<FollowedSets, SyncError> {
        let (cancel, ledger) = (self.cancel, &mut self.ledger);
        let following = Following::begin(before, options, seconds(), &self.options.limits, ledger)?;
        let mut changes = SetChanges { following, ledger };
        while changes.machine().is_some() {
            read(client, cancel, None, &mut changes)?;
            changes.following.end_set(false, cancel.is_cancelled(), changes.ledger)?;
        }
        let SetChanges { following, ledger } = changes;
        following.finish(ledger)
    }

    /// Takes as listed what the last run stored, and what it could not store.
    fn start_from_state(&mut self) -> Result<(), SyncError> {
        self.ledger.unlist_document(None)?;
        self.ledger.forget_related(None)?;
        let Listed { stored: listed, selected, skipped, .. } = &mut self.listed;
        (*selected, *skipped) = (Bits::default(), Bits::default());
        self.ledger.each(&mut |stored, _| {
            listed.insert(stored.id);
            Ok(())
        })?;
        let mut debts = self.ledger.retries()?.into_iter().map(|resource| (0, resource)).collect();
        self.relate(&mut debts, false)
    }

    /// Applies the last change of each resource.
    fn apply_changes(&mut self) -> Result<(), SyncError> {
        let skipped = self.listed.skipped_others;
        // Up to when every set was read.
        let checkpoints = self.ledger.checkpoints()?;
        let moment = |text: &str| text.parse::<Datetime>().ok();
        let as_of = |checkpoint: &Checkpoint| checkpoint.as_of.as_deref().and_then(moment).map(|at| at.to_unix());
        let seen = checkpoints.iter().map(as_of).min().flatten();
        let was_seen = |change: Option<&str>| change.and_then(moment).is_some_and(|at| Some(at.to_unix()) <= seen);
        let mut after = 0;
        loop {
            let page = self.ledger.last_changes(after, BATCH)?;
            let Some((last, _)) = page.last() else { break };
            after = *last;
            let (mut present, mut unseen) = (Vec::new(), Vec::new());
            for (_, LastChange { resource, presence, datetime, .. }) in page {
                self.forget_selection(&resource)?;
                match presence {
                    Presence::Unknown => self.set_unknown(&resource)?,
                    Presence::Deleted => self.set_deleted(&resource)?,
                    Presence::Present if was_seen(datetime.as_deref()) => present.push((0, resource)),
                    Presence::Present => unseen.push((0, resource)),
                }
            }
            self.relate(&mut present, true)?;
            self.relate(&mut unseen, false)?;
        }
        self.listed.skipped_others = skipped;
        Ok(())
    }

    /// The change decides whether a resource is selected, not how it was listed before.
    fn forget_selection(&mut self, resource: &ListedResource) -> Result<(), SyncError> {
        if let Some(stored) = self.ledger.find(&resource.uri)? {
            self.listed.selected.remove(stored.id);
            self.listed.skipped.remove(stored.id);
        }
        self.ledger.unlist(&resource.uri)
    }

    fn set_deleted(&mut self, resource: &ListedResource) -> Result<(), SyncError> {
        self.ledger.note_unlisted(&resource.uri)?;
        if let Some(stored) = self.ledger.find(&resource.uri)? {
            self.listed.stored.remove(stored.id);
        }
        Ok(())
    }

    /// The Change Lists do not tell whether the resource was deleted.
    fn set_unknown(&mut self, resource: &ListedResource) -> Result<(), SyncError> {
        let id = self.ledger.find(&resource.uri)?.map(|stored| stored.id);
        if let Some(id) = id {
            self.listed.stored.insert(id);
        }
        self.ledger.list(0, resource, id, Relation::Nothing)
    }
}

/// The Change Lists of all sets, as they are read.
struct SetChanges<'w> {
    following: Following,
    ledger: &'w mut Ledger,
}

impl Reader for SetChanges<'_> {
    fn machine(&mut self) -> Option<&mut dyn Documents> {
        self.following.documents()
    }

    fn take(&mut self, _: u64) -> Result<(), SyncError> {
        self.following.take(self.ledger, &mut |_, _| Ok(()))
    }
}
