//! One Change List: its interval, the order of its entries, and the part of it that was processed before.

use alloc::{string::String, sync::Arc};
use core::cmp::Ordering;

use resourcesync::value::{Datetime, Precision};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::marks::Marks;
use crate::{
    change::Change,
    checkpoint::{Gap, Open},
    listed_resource::moment,
    survey::{AHEAD, snapshot},
};

/// The order of the entries of a Change List.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// From the oldest to the newest; position is order where there are no times (DP-21).
    #[default]
    Forward,
    /// From the newest to the oldest, against the standard (CL-13).
    Reverse,
    /// Neither.
    None,
}

/// A time as written, and as it is compared.
#[derive(Debug, Clone)]
pub(super) struct Time {
    pub(super) text: String,
    pub(super) value: Datetime,
}

impl Time {
    pub(super) fn read(text: Option<&str>) -> Option<Time> {
        let text = text?;
        Some(Time { text: text.into(), value: moment(text)? })
    }

    pub(super) fn seconds(&self) -> i64 {
        self.value.to_unix().0
    }

    pub(super) fn compare(&self, other: &Time) -> Ordering {
        self.value.start().cmp(&other.value.start())
    }

    /// True if it is not before another, as far as both are known.
    pub(super) fn reaches(&self, other: &Time) -> bool {
        snapshot::compare(&self.value, &other.value) != Ordering::Less
    }

    /// True if it is certainly before another: a time of lower precision covers an interval.
    pub(super) fn is_before(&self, other: &Time) -> bool {
        self.value.precision() >= Precision::Second && self.seconds() < other.seconds()
    }

    /// The later of two.
    pub(super) fn later(one: Option<Time>, other: Option<Time>) -> Option<Time> {
        match (one, other) {
            (Some(one), Some(other)) => Some(if one.compare(&other) == Ordering::Less { other } else { one }),
            (one, other) => one.or(other),
        }
    }
}

/// A Change List that is read, or has been read to its end.
#[derive(Debug, Default)]
pub(super) struct List {
    pub(super) number: u32,
    pub(super) uri: String,
    pub(super) from: Option<Time>,
    pub(super) until: Option<Time>,
    pub(super) entries: u64,
    /// The latest time of an entry that is not ahead of the server.
    pub(super) last: Option<Time>,
    /// A time ahead of the server.
    pub(super) ahead: Option<Time>,
    /// Number of entries before the first one without a time; `None` if all have one.
    timed: Option<u64>,
    /// Number of entries up to the last one whose change is in the Resource Lists, and of those before the first one whose is not.
    listed: u64,
    listed_first: u64,
    /// The earliest time of an entry.
    first: Option<Time>,
    previous: Option<Time>,
    rises: bool,
    falls: bool,
    hash: Sha256,
    /// The resources of its entries; once it was read, those that may be missing.
    pub(super) changed: Marks,
    /// True if it states its beginning, and not only its entries do.
    pub(super) states_from: bool,
    /// The lists whose processed part this one may begin with.
    known: Arc<[Open]>,
    /// The one that it begins with.
    pub(super) continued: Option<Open>,
    /// The same where its further entries are not later ones, so that it is processed as a whole.
    pub(super) grown: Option<Open>,
    pub(super) etag: Option<String>,
    pub(super) modified: Option<String>,
    /// Its index.
    pub(super) index: Option<String>,
    /// True for the state of a list that was not sent again.
    pub(super) is_same: bool,
    /// True for a closed list that was processed as it is, entry by entry.
    pub(super) is_delivered: bool,
}

impl List {
    pub(super) fn new(number: u32, uri: &str, known: Arc<[Open]>, changed: Marks) -> List {
        let mut list = List { number, uri: uri.into(), known, changed, ..List::default() };
        list.look();
        list
    }

    /// True if it has all changes of a hole: it was closed after that.
    pub(super) fn fills(&self, hole: &Gap) -> bool {
        let is_in = |from: &Time, until: &Time| {
            let ends = Time::read(hole.after.as_deref()).zip(Time::read(hole.before.as_deref()));
            ends.is_some_and(|(after, before)| after.reaches(from) && until.reaches(&before))
        };
        self.from.as_ref().zip(self.until.as_ref()).is_some_and(|(from, until)| is_in(from, until))
    }

    /// The state of a list that was not sent again.
    pub(super) fn same(open: &Open) -> List {
        List {
            uri: open.uri.clone(),
            from: Time::read(open.from.as_deref()),
            entries: open.entries,
            last: Time::read(open.last.as_deref()),
            continued: Some(open.clone()),
            is_same: true,
            ..List::default()
        }
    }

    /// Adds an entry.
    pub(super) fn push(&mut self, change: &Change, clock: i64) {
        let before = self.entries;
        self.entries = before.saturating_add(1);
        self.hash.update(change.identity.as_bytes());
        self.look();
        let time = Time::read(change.datetime.as_deref());
        if let Some(resource) = &change.resource {
            self.changed.note(&resource.uri, time.as_ref().map(Time::seconds));
        }
        let Some(time) = time else {
            self.timed.get_or_insert(before);
            return;
        };
        if let Some(previous) = &self.previous {
            self.rises |= time.compare(previous) == Ordering::Greater;
            self.falls |= time.compare(previous) == Ordering::Less;
        }
        self.previous = Some(time.clone());
        if time.seconds() > clock.saturating_add(AHEAD) {
            self.ahead = Time::later(self.ahead.take(), Some(time));
            return;
        }
        if self.first.as_ref().is_none_or(|first| time.compare(first) == Ordering::Less) {
            self.first = Some(time.clone());
        }
        self.last = Time::later(self.last.take(), Some(time));
    }

    /// Notes that the change of the last entry is in the Resource Lists.
    pub(super) fn note_listed(&mut self) {
        self.listed = self.entries;
        if self.listed_first.saturating_add(1) == self.entries {
            self.listed_first = self.entries;
        }
    }

    /// Number of entries whose changes are in the Resource Lists: in order, those before one with a time have earlier ones. Entry by entry,
    /// only times count.
    pub(super) fn listed(&self, is_entry_by_entry: bool) -> u64 {
        match self.order() {
            _ if is_entry_by_entry => self.listed_first,
            Order::Forward => self.listed,
            Order::Reverse | Order::None => 0,
        }
    }

    /// Compares the entries so far with the processed parts of this length. The longest one counts.
    fn look(&mut self) {
        let entries = self.entries;
        if self.known.iter().all(|known| known.entries != entries) {
            return;
        }
        let prefix = self.prefix();
        let is_known = |known: &&Open| known.entries == entries && known.prefix == prefix;
        if let Some(known) = self.known.iter().find(is_known)
            // No entries are the beginning of any list.
            && (known.entries > 0 || known.uri == self.uri)
        {
            self.continued = Some(known.clone());
        }
    }

    /// SHA-256 of the entries so far, in hexadecimal.
    pub(super) fn prefix(&self) -> String {
        resourcesync::value::to_hex(&self.hash.clone().finalize())
    }

    /// The order of the entries.
    pub(super) fn order(&self) -> Order {
        match (self.rises, self.falls) {
            (_, false) => Order::Forward,
            (false, true) => Order::Reverse,
            (true, true) => Order::None,
        }
    }

    /// Completes the interval: without `from`, it begins with the earliest change.
    pub(super) fn finish(&mut self, from: Option<&str>, until: Option<&str>, is_entry_by_entry: bool) {
        self.from = Time::read(from);
        self.states_from = self.from.is_some();
        self.from = self.from.take().or_else(|| self.first.clone());
        self.until = Time::read(until);
        // Entries without times may be equal to other ones, and no entries always are: they are the earlier ones only where the
        // interval begins at the same time.
        let from = self.from.as_ref().map(|from| from.text.as_str());
        let is_known = |open: &Open| open.entries > 0 && self.timed.is_none_or(|timed| timed >= open.entries);
        let is_other = |open: &Open| !is_known(open) && open.from.as_deref() != from;
        // Where position is not order, more entries after the same ones are not later ones.
        let is_unordered =
            |open: &Open| !is_entry_by_entry && self.order() != Order::Forward && self.entries > open.entries;
        if self.continued.as_ref().is_some_and(is_other) {
            self.continued = None;
        } else if self.continued.as_ref().is_some_and(is_unordered) {
            self.grown = self.continued.take();
        }
    }

    /// Ends the list of a package, which gets no further entries: where nothing states its end, that is its last change.
    pub(super) fn close(&mut self) {
        self.until = self.until.take().or_else(|| self.last.clone()).or_else(|| self.from.clone());
    }

    /// True if it is the list that this is the state of.
    pub(super) fn is(&self, state: &Open) -> bool {
        let from = self.from.as_ref().map(|from| from.text.as_str());
        self.entries == state.entries && from == state.from.as_deref() && self.prefix() == state.prefix
    }

    /// True if it begins with the entries of a list that was open.
    pub(super) fn begins_with(&self, open: &Open) -> bool {
        self.continued.as_ref().or(self.grown.as_ref()).is_some_and(|own| own.prefix == open.prefix)
    }

    /// True if it was open before.
    pub(super) fn was_open(&self) -> bool {
        self.known.iter().any(|known| known.uri == self.uri)
    }

    /// Number of entries that were processed before.
    pub(super) fn skipped(&self) -> u64 {
        self.continued.as_ref().map_or(0, |open| open.entries)
    }

    /// The state to store of an open list, without marks unless it was not sent again.
    pub(super) fn open(&self) -> Open {
        if let (true, Some(open)) = (self.is_same, &self.continued) {
            return open.clone();
        }
        Open {
            uri: self.uri.clone(),
            from: self.from.as_ref().map(|from| from.text.clone()),
            entries: self.entries,
            prefix: self.prefix(),
            last: self.last.as_ref().map(|last| last.text.clone()),
            marks: String::new(),
            etag: self.etag.clone(),
            modified: self.modified.clone(),
        }
    }
}
