//! The changes since the lists of the Source, applied to what the lists gave.

use std::sync::Arc;

use resourcesync_sync::{
    Checkpoint, Wanted,
    audit::Relation,
    chain::{FollowedSets, State},
    survey::Findings,
};

use super::{Work, listed::BATCH};
use crate::{
    destination::{SyncError, clock::seconds, ledger::Last, sets::Following},
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
        let mut following = Following {
            client,
            cancel: self.cancel,
            deadline: None,
            limits: &self.options.limits,
            accepts_older: false,
            is_after_baseline: true,
            may_begin_later: false,
            compares_lists: true,
        };
        let mut followed = following.follow(&mut self.ledger, &before, &mut |_, _| {})?;
        let last = self.ledger.checkpoints()?;
        let is_same = |(one, other): (&Checkpoint, &Checkpoint)| one.set == other.set;
        if followed.state == State::Gap && last.len() == before.len() && last.iter().zip(&before).all(is_same) {
            (following.is_after_baseline, following.compares_lists) = (false, false);
            self.ledger.disown(None)?;
            let since = following.follow(&mut self.ledger, &last, &mut |_, _| {})?;
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

    /// Takes as listed what the last run stored, and what it could not store.
    fn start_from_state(&mut self) -> Result<(), SyncError> {
        self.ledger.unlist_document(None)?;
        let listed = &mut self.listed;
        self.ledger.each(|entry, _| {
            listed.insert(entry.id);
            Ok(())
        })?;
        let mut debts = self.ledger.retries()?.into_iter().map(|wanted| (0, wanted)).collect();
        self.relate(&mut debts)
    }

    /// Applies the last change of each resource.
    fn apply_changes(&mut self) -> Result<(), SyncError> {
        let skipped = self.audit.counts.skipped;
        let mut after = 0;
        loop {
            let page = self.ledger.last_changes(after, BATCH)?;
            let Some(last) = page.last() else { break };
            after = last.seq;
            let mut present = Vec::new();
            for Last { wanted, is_deleted, asks, .. } in page {
                match (asks, is_deleted) {
                    (true, _) => self.set_unknown(&wanted)?,
                    (false, true) => self.set_deleted(&wanted)?,
                    (false, false) => present.push((0, wanted)),
                }
            }
            self.relate(&mut present)?;
        }
        self.audit.counts.skipped = skipped;
        Ok(())
    }

    fn set_deleted(&mut self, wanted: &Wanted) -> Result<(), SyncError> {
        self.ledger.unlist(&wanted.uri)?;
        if let Some(held) = self.ledger.find(&wanted.uri)? {
            self.listed.remove(held.id);
        }
        Ok(())
    }

    /// The Change Lists do not tell whether the resource was deleted.
    fn set_unknown(&mut self, wanted: &Wanted) -> Result<(), SyncError> {
        let held = self.ledger.find(&wanted.uri)?.map(|held| held.id);
        if let Some(held) = held {
            self.listed.insert(held);
        }
        self.ledger.list(0, wanted, held, Relation::Nothing)
    }
}
