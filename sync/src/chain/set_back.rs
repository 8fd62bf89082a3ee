//! Sources whose clock was ahead and has been set back: what they published then covers times that they came to once more.

use alloc::{collections::BTreeSet, format, string::String};
use core::cmp::Ordering;

use super::{
    Chain, Gap,
    list::{List, Time},
};
use crate::checkpoint::{Checkpoint, Open};

/// Maximum inner lists in a checkpoint.
const INNER: usize = 1_000;

impl Chain {
    /// The changes since the clock of the Source was set back. A list that was open has been closed before its last change, or a list within the time of
    /// a closed one that was processed is new.
    pub(super) fn set_back(&self) -> Option<Gap> {
        if self.is_entry_by_entry || !self.has_other_index {
            return None;
        }
        let gap = |time: &Time| Gap { after: Some(time.text.clone()), before: None };
        let Checkpoint { open, closed, inner, as_of, baseline, .. } = &self.before;
        let ends_early = |(from, until): &(&Time, &Time)| {
            let begun = |open: &&Open| open.from.as_deref() == Some(&*from.text);
            let mut begun = open.iter().filter(begun);
            let (Some(open), None) = (begun.next(), begun.next()) else { return false };
            Time::read(open.last.as_deref()).is_some_and(|last| until.is_before(&last)) && !self.is_open_from(from)
        };
        if let Some((_, until)) = self.intervals().find(ends_early) {
            return Some(gap(until));
        }
        let (inner, baseline) = (inner.as_ref()?, Time::read(baseline.as_deref()));
        let is_new = |from: &Time, until: &Time| {
            let is_listed = baseline.as_ref().is_some_and(|baseline| baseline.reaches(until));
            !is_listed && !inner.contains(&name(from, until))
        };
        let new = self.within(closed, as_of.as_deref()).find(|(from, until)| is_new(from, until));
        new.map(|(from, _)| gap(from))
    }

    /// True if a list with this beginning is open: a closed one beside it is another one.
    fn is_open_from(&self, from: &Time) -> bool {
        let begins = |list: &List| list.from.as_ref().is_some_and(|own| own.text == from.text);
        self.lists.iter().any(|list| list.until.is_none() && begins(list))
    }

    /// True if an open list begins later than before, and before its last change: either it has lost its beginning, or the clock was set back. An index
    /// shows which.
    pub(super) fn may_be_set_back(&self) -> bool {
        let is_moved = |open: &Open| {
            let [begun, last] = [&open.from, &open.last].map(|time| Time::read(time.as_deref()));
            let is_between = |from: &Time| {
                begun.as_ref().is_some_and(|begun| begun.is_before(from))
                    && last.as_ref().is_some_and(|last| from.is_before(last))
            };
            let mut own = self.lists.iter().filter(|list| list.uri == open.uri && list.until.is_none());
            own.any(|list| list.from.as_ref().is_some_and(is_between))
        };
        !self.is_entry_by_entry && self.before.open.iter().any(is_moved)
    }

    /// The lists of the indexes within the time of these closed ones, for a checkpoint; `None` if there are too many, or none was read.
    pub(super) fn inner(&self, closed: &[Open], as_of: Option<&str>) -> Option<BTreeSet<String>> {
        if closed.is_empty() {
            return None;
        }
        if !self.has_other_index {
            return self.before.inner.clone();
        }
        let mut names = BTreeSet::new();
        for (from, until) in self.within(closed, as_of) {
            names.insert(name(from, until));
            if names.len() > INNER {
                return None;
            }
        }
        Some(names)
    }

    /// The beginnings and ends of closed lists, as indexes state them and as the lists do.
    fn intervals(&self) -> impl Iterator<Item = (&Time, &Time)> {
        let claimed = self.claims.values().filter_map(|[from, until]| from.as_ref().zip(until.as_ref()));
        claimed.chain(self.lists.iter().filter_map(|list| list.from.as_ref().zip(list.until.as_ref())))
    }

    fn within<'c>(&'c self, closed: &'c [Open], as_of: Option<&str>) -> impl Iterator<Item = (&'c Time, &'c Time)> {
        let ends = Time::read(as_of);
        let begins: Option<Time> =
            closed.iter().filter_map(|closed| Time::read(closed.from.as_deref())).min_by(Time::compare);
        self.intervals().filter(move |(from, until)| {
            let is_later = begins.as_ref().is_some_and(|begins| begins.is_before(from));
            is_later && ends.as_ref().is_some_and(|ends| until.compare(ends) == Ordering::Less)
        })
    }
}

fn name(from: &Time, until: &Time) -> String {
    format!("{}/{}", from.text, until.text)
}
