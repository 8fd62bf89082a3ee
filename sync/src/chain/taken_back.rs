//! Changes that were processed, and that a Source has taken back without saying so.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use resourcesync::value::Datetime;

use super::{
    Chain, Gap,
    list::{List, Time},
    marks::{Marks, NEVER, since_1970},
};
use crate::checkpoint::Open;

impl Chain {
    /// Changes that were processed and that lists no longer have, although they contain that time: the Source was restored from an earlier state, and
    /// has taken them back without saying so.
    pub(super) fn taken_back(&self) -> Option<Gap> {
        let is_same = |list: &List, open: &Open| {
            list.uri == open.uri && list.from.as_ref().map(|from| &*from.text) == open.from.as_deref()
        };
        let is_there = |open: &Open| {
            let continues = |list: &List| list.begins_with(open) || (open.entries == 0 && is_same(list, open));
            self.lists.iter().any(continues)
        };
        let mut gone = self.before.open.iter().filter(|open| !is_there(open)).peekable();
        if self.is_entry_by_entry || self.lists.is_empty() || gone.peek().is_none() {
            return None;
        }
        let marks: Vec<Marks> = self.lists.iter().map(List::marks).collect();
        gone.find_map(|open| self.taken_back_of(open, &marks))
    }

    fn taken_back_of(&self, open: &Open, marks: &[Marks]) -> Option<Gap> {
        let gap = |after: Option<String>| Some(Gap { after, before: None });
        let begins = Time::read(open.from.as_deref());
        // A list that was closed when this one began is longer now.
        let was_closed =
            |end: &Time| Time::read(self.before.seen.until.as_deref()).is_some_and(|until| until.reaches(end));
        let spans = |list: &List| {
            let starts_before = |from: &Time| begins.as_ref().is_some_and(|begins| from.is_before(begins));
            let ends_after = |until: &Time| begins.as_ref().is_some_and(|begins| begins.is_before(until));
            list.from.as_ref().is_some_and(starts_before) && list.until.as_ref().is_none_or(ends_after)
        };
        if begins.as_ref().is_some_and(was_closed) && self.lists.iter().any(spans) {
            return gap(open.from.clone());
        }
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
    fn marks(&self) -> Marks {
        match (self.is_same, &self.continued) {
            (true, Some(open)) => Marks::read(&open.marks).unwrap_or_default(),
            _ => self.changed.clone(),
        }
    }

    /// The time from which on it has the changes, in seconds since 1970, and whether it has all of that second.
    fn begins(&self) -> (u64, bool) {
        let seconds = self.from.as_ref().map_or(0, |from| since_1970(from.seconds()));
        (seconds, self.states_from)
    }
}
