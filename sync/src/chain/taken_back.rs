//! Changes that were processed, and that a Source has silently reverted.

use alloc::{
    collections::BTreeSet,
    string::{String, ToString},
    vec::Vec,
};

use resourcesync::value::{Datetime, key};

use super::{
    Chain, Gap,
    list::{List, Time},
    marks::{Marks, NEVER, since_1970},
};
use crate::checkpoint::{Checkpoint, Open};

impl Chain {
    /// Changes that were processed and that lists no longer have, although they contain that time: the Source was restored from an earlier state.
    pub(super) fn taken_back(&self) -> Option<Gap> {
        let is_same = |list: &List, open: &Open| {
            list.uri == open.uri && list.from.as_ref().map(|from| &*from.text) == open.from.as_deref()
        };
        let is_there = |open: &Open| {
            let continues = |list: &List| list.begins_with(open) || (open.entries == 0 && is_same(list, open));
            self.lists.iter().any(continues)
        };
        let Checkpoint { open, closed, .. } = &self.before;
        let mut open = open.iter().filter(|open| !is_there(open)).peekable();
        let mut closed = closed.iter().filter(|closed| self.is_replaced_since(closed)).peekable();
        if self.is_entry_by_entry || self.lists.is_empty() || open.peek().or(closed.peek()).is_none() {
            return None;
        }
        let marks: Vec<Marks> = self.lists.iter().map(|list| list.marks(&self.marked)).collect();
        let gap = open.find_map(|open| self.taken_back_of(open, &marks));
        gap.or_else(|| closed.find_map(|closed| self.taken_back_of_closed(closed, &marks)))
    }

    /// True if a closed list is not there as it was.
    fn is_replaced_since(&self, closed: &Open) -> bool {
        let ends = Time::read(self.before.seen.until.as_deref());
        // An index states that it is as it was, so it was not read.
        let is_same = |[from, until]: &[Option<Time>; 2]| {
            let ends = until.as_ref().zip(ends.as_ref()).is_some_and(|(until, ends)| ends.reaches(until));
            ends && from.as_ref().map(|from| &*from.text) == closed.from.as_deref()
        };
        let is_named = self.claims.get(&key(&closed.uri)).is_some_and(is_same);
        !is_named && !self.lists.iter().any(|list| list.is(closed))
    }

    /// What a list lacks that has the interval of a closed one, and later changes. One that begins earlier, too, was not closed when the next one began.
    fn taken_back_of_closed(&self, closed: &Open, marks: &[Marks]) -> Option<Gap> {
        let [begins, ends] = [&closed.from, &self.before.seen.until].map(|time| Time::read(time.as_deref()));
        let (begins, ends) = (begins?, ends?);
        let reaches = |list: &List| list.from.as_ref().is_none_or(|from| begins.reaches(from));
        let mut longer = self.lists.iter().filter(|list| reaches(list) && list.goes_on_after(&ends)).peekable();
        longer.peek()?;
        match longer.any(|list| list.begins_before(&begins)) {
            true => Some(Gap { after: closed.from.clone(), before: None }),
            false => self.lost_of(closed, marks),
        }
    }

    /// The same of a list that was open. One that contains its beginning was not closed when it began.
    fn taken_back_of(&self, open: &Open, marks: &[Marks]) -> Option<Gap> {
        // One that was open beside it goes on.
        let is_other = |list: &&List| list.continued.is_none() && list.grown.is_none();
        let spans = |begins: &Time| {
            let mut others = self.lists.iter().filter(is_other);
            others.any(|list| list.begins_before(begins) && list.goes_on_after(begins))
        };
        match Time::read(open.from.as_deref()).is_some_and(|begins| spans(&begins)) {
            true => Some(Gap { after: open.from.clone(), before: None }),
            false => self.lost_of(open, marks),
        }
    }

    /// The changes of a list that was processed and that the lists lack.
    fn lost_of(&self, open: &Open, marks: &[Marks]) -> Option<Gap> {
        let gap = |after: Option<String>| Some(Gap { after, before: None });
        if open.entries == 0 {
            return None;
        }
        let Some(own) = Marks::read(&open.marks) else { return gap(open.from.clone()) };
        let (begins, has_all) = self.lists.iter().map(List::begins).min_by_key(|(begins, _)| *begins)?;
        let lost = own.lost(|time| time == NEVER || time > begins || (has_all && time == begins), marks)?;
        let time = i64::try_from(lost).ok().filter(|_| lost < NEVER).and_then(|time| Datetime::from_unix(time, 0));
        gap(time.map(|time| time.to_string()).or_else(|| open.from.clone()))
    }
}

impl List {
    /// What it has changed.
    fn marks(&self, resources: &BTreeSet<u32>) -> Marks {
        match (self.is_same, &self.continued) {
            (true, Some(open)) => Marks::read(&open.marks).unwrap_or_default().of(resources),
            _ => self.changed.clone(),
        }
    }

    fn begins_before(&self, time: &Time) -> bool {
        self.from.as_ref().is_some_and(|from| from.is_before(time))
    }

    fn goes_on_after(&self, time: &Time) -> bool {
        self.until.as_ref().is_none_or(|until| time.is_before(until))
    }

    /// The time from which on it has the changes, in seconds since 1970, and whether it has all of that second.
    fn begins(&self) -> (u64, bool) {
        let seconds = self.from.as_ref().map_or(0, |from| since_1970(from.seconds()));
        (seconds, self.states_from)
    }
}
