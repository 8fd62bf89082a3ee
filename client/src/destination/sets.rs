//! Reads the Change Lists of each Capability List into the ledger, and combines them: a resource is deleted when no Capability List lists it.

use std::time::Instant;

use resourcesync::{
    limits::Limits,
    value::{Datetime, Parsed, Value},
};
use resourcesync_sync::{
    Chain, Change, Checkpoint,
    chain::{Event, Followed, State},
    survey::Read,
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

/// The result for all sets.
#[derive(Debug)]
pub(super) struct FollowedSets {
    /// The result for each set. It ends with the first set whose changes are not complete.
    pub(super) sets: Vec<Followed>,
    /// The state of all sets together.
    pub(super) state: State,
    /// The states to store once all changes are applied or are debts.
    pub(super) checkpoints: Vec<Checkpoint>,
    /// True if the order of changes does not show which sets list a resource, so that the next run has to read their Resource Lists.
    pub(super) is_unclear: bool,
    /// True if the deadline ended it.
    pub(super) is_late: bool,
}

impl FollowedSets {
    /// Nothing to follow, at these checkpoints.
    pub(super) fn none(checkpoints: Vec<Checkpoint>) -> FollowedSets {
        FollowedSets { sets: Vec::new(), state: State::Absent, checkpoints, is_unclear: false, is_late: false }
    }

    /// The documents, in the order in which they were read.
    pub(super) fn documents(&self) -> impl Iterator<Item = &Read> {
        self.sets.iter().flat_map(|set| &set.documents)
    }

    /// New entries whose `loc` could not be read.
    pub(super) fn unreadable_entries(&self) -> u64 {
        self.sets.iter().fold(0, |sum, set| sum.saturating_add(set.unreadable_entries))
    }

    /// Seconds until the first of the open lists expires.
    pub(super) fn fresh_for(&self) -> Option<u64> {
        self.sets.iter().filter_map(|set| set.fresh_for).min()
    }

    /// The moment up to which all changes of all sets are known to be applied.
    pub(super) fn as_of(&self) -> Option<String> {
        earliest(self.checkpoints.iter().map(Checkpoint::proven))
    }

    /// True if a list may get new entries.
    pub(super) fn is_open(&self) -> bool {
        self.state.is_complete() && self.checkpoints.iter().any(|checkpoint| !checkpoint.open.is_empty())
    }
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
            followed.checkpoints.push(set.checkpoint.clone());
            if weight(set.state) >= weight(followed.state) {
                followed.state = set.state;
            }
            followed.is_late = is_late;
            followed.sets.push(set);
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

/// Of the states of several sets, the one of greatest weight is that of all.
fn weight(state: State) -> u8 {
    match state {
        State::Unchanged => 0,
        State::Continued => 1,
        State::Rewritten => 2,
        State::Next => 3,
        State::Gap => 4,
        State::Absent => 5,
        State::Older => 6,
        State::Unread => 7,
    }
}

/// The earliest of several times; none if one is unknown.
pub(super) fn earliest<'t>(times: impl Iterator<Item = Option<&'t str>>) -> Option<String> {
    let times: Option<Vec<&str>> = times.collect();
    times?.into_iter().min_by_key(|text| start(text)).map(str::to_owned)
}

/// The beginning of a time.
pub(super) fn start(text: &str) -> Option<impl Ord + use<>> {
    let (Parsed::Exact(moment) | Parsed::Lenient(moment)) = Datetime::read(text) else { return None };
    Some(moment.start())
}
