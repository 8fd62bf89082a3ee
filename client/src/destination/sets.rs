//! Reads the Change Lists of each Capability List into the ledger, and combines them: a resource is deleted when no Capability List lists it.

use std::time::Instant;

use resourcesync::limits::Limits;
use resourcesync_sync::{
    Chain, Change, Checkpoint,
    chain::{Event, Followed, FollowedSets, State},
};

use super::{SyncError, clock::seconds, documents::read, ledger::Ledger};
use crate::{cancel::Cancel, http::Client};

/// Changes stored per transaction.
const BATCH: usize = 1_000;

/// How Change Lists are read.
pub(super) struct Following<'a> {
    pub(super) client: &'a Client,
    pub(super) cancel: &'a Cancel,
    pub(super) deadline: Option<Instant>,
    pub(super) limits: &'a Limits,
    pub(super) accepts_older: bool,
    /// Changes that are missing after Resource Lists that were just read can be found nowhere else.
    pub(super) is_after_baseline: bool,
    /// The first list may begin after the Resource Lists.
    pub(super) may_begin_later: bool,
    /// The ledger has what the Resource Lists of each set list.
    pub(super) compares_lists: bool,
}

impl Following<'_> {
    /// Reads the Change Lists of each set since its checkpoint; the last change of each resource is in the ledger. `progress` takes the number
    /// of documents and of entries.
    pub(super) fn follow(
        &self,
        ledger: &mut Ledger,
        before: &[Checkpoint],
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<FollowedSets, SyncError> {
        ledger.forget_changes()?;
        let mut followed = FollowedSets { state: State::Unchanged, ..FollowedSets::none(Vec::new()) };
        let mut numbers = 0;
        for checkpoint in before {
            let (set, is_late) = self.follow_set(ledger, checkpoint.clone(), &mut numbers, progress)?;
            followed.push(set);
            followed.is_late = is_late;
            if !followed.state.is_complete() {
                break;
            }
        }
        if followed.state.is_complete() && before.len() > 1 {
            followed.is_unclear = ledger.combine(self.compares_lists)?;
            if followed.is_unclear && !self.compares_lists {
                followed.state = State::Gap;
            }
        }
        if !followed.state.is_complete() {
            ledger.forget_changes()?;
            followed.checkpoints = before.to_vec();
        }
        Ok(followed)
    }

    /// The same for one set, whose documents get numbers above `numbers`. True if the deadline ended it.
    fn follow_set(
        &self,
        ledger: &mut Ledger,
        before: Checkpoint,
        numbers: &mut u32,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(Followed, bool), SyncError> {
        let (set, base) = (before.set.clone(), *numbers);
        let mut chain = Chain::new(before, seconds(), self.limits);
        if self.is_after_baseline {
            chain = chain.after_baseline();
        }
        if self.may_begin_later {
            chain = chain.beginning_later();
        }
        if self.accepts_older {
            chain = chain.accepting_older();
        }
        let mut waiting: Vec<(u32, Change)> = Vec::new();
        let mut entries: u64 = 0;
        let is_whole = read(self.client, self.cancel, self.deadline, &mut chain, &mut |chain, documents| {
            for event in chain.events() {
                let (Event::Changed(own, _) | Event::Counts(own) | Event::Dropped(own)) = event;
                let number = base.saturating_add(own);
                *numbers = number.max(*numbers);
                match event {
                    Event::Changed(_, change) => {
                        entries = entries.saturating_add(1);
                        waiting.push((number, change));
                        if waiting.len() >= BATCH {
                            ledger.add_changes(&mut waiting)?;
                        }
                    }
                    Event::Counts(_) => ledger.add_changes(&mut waiting)?,
                    Event::Dropped(_) => {
                        waiting.retain(|(own, _)| *own != number);
                        ledger.drop_changes(number)?;
                    }
                }
            }
            progress(documents, entries);
            Ok(())
        })?;
        let mut followed = chain.finish();
        followed.order.iter_mut().for_each(|part| part.document = part.document.saturating_add(base));
        if self.cancel.is_cancelled() {
            followed.state = State::Unread;
        }
        if followed.state.is_complete() {
            ledger.reduce(&followed.order, &set)?;
        }
        Ok((followed, !is_whole))
    }
}
