//! The changes of several sets: one state, and one moment up to which they are known.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::{Followed, State};
use crate::{checkpoint::Checkpoint, listed_resource::moment, survey::Read};

/// The result of following the chains of all sets.
#[derive(Debug)]
pub struct FollowedSets {
    /// The result for each set. It ends with the first set whose changes are not complete.
    pub sets: Vec<Followed>,
    /// The state of all sets together.
    pub state: State,
    /// The states to store once all changes are applied or are debts.
    pub checkpoints: Vec<Checkpoint>,
    /// True if the order of changes does not show which sets list a resource, so that the next run has to read their Resource Lists.
    pub is_unclear: bool,
    /// True if the deadline ended it.
    pub is_late: bool,
}

impl FollowedSets {
    /// Nothing to follow, at these checkpoints.
    pub fn none(checkpoints: Vec<Checkpoint>) -> FollowedSets {
        FollowedSets { sets: Vec::new(), state: State::Absent, checkpoints, is_unclear: false, is_late: false }
    }

    /// The documents, in the order in which they were read.
    pub fn documents(&self) -> impl Iterator<Item = &Read> {
        self.sets.iter().flat_map(|set| &set.documents)
    }

    /// New entries whose `loc` could not be read.
    pub fn unreadable_entries(&self) -> u64 {
        self.sets.iter().fold(0, |sum, set| sum.saturating_add(set.unreadable_entries))
    }

    /// Seconds until the first of the open lists expires.
    pub fn fresh_for(&self) -> Option<u64> {
        self.sets.iter().filter_map(|set| set.fresh_for).min()
    }

    /// The moment up to which all changes of all sets are known to be applied.
    pub fn as_of(&self) -> Option<String> {
        earliest(self.checkpoints.iter().map(Checkpoint::proven))
    }

    /// True if a list may get new entries.
    pub fn is_open(&self) -> bool {
        self.state.is_complete() && self.checkpoints.iter().any(|checkpoint| !checkpoint.open.is_empty())
    }

    /// Adds the result for another set.
    pub fn push(&mut self, set: Followed) {
        self.checkpoints.push(set.checkpoint.clone());
        if weight(set.state) >= weight(self.state) {
            self.state = set.state;
        }
        self.sets.push(set);
    }
}

/// True if the lists that were read lead to an earlier moment than the changes that were processed before; or to the same one, and the changes
/// since are missing now.
pub fn is_behind(now: &[Checkpoint], followed: Option<&FollowedSets>, before: &[Checkpoint]) -> bool {
    let now = followed.filter(|followed| followed.state.is_complete()).map_or(now, |followed| &followed.checkpoints);
    let is_older = |now: &Checkpoint| {
        let Some(before) = before.iter().find(|before| before.set == now.set) else { return false };
        let was_whole = before.is_usable() && before.hole.is_none();
        let times = now.proven().and_then(start).zip(before.as_of.as_deref().and_then(start));
        times.is_some_and(|(at, before)| at < before || (at == before && was_whole && now.hole.is_some()))
    };
    now.iter().any(is_older)
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
pub fn earliest<'t>(times: impl Iterator<Item = Option<&'t str>>) -> Option<String> {
    let times: Option<Vec<&str>> = times.collect();
    times?.into_iter().min_by_key(|text| start(text)).map(str::to_owned)
}

/// The beginning of a time.
fn start(text: &str) -> Option<impl Ord + use<>> {
    moment(text).map(|moment| moment.start())
}
