//! Follows the Change Lists of a set from the last processed change on (Z39.99-2017 §12).
//!
//! It is driven like a [`Survey`](crate::Survey): [`Chain::next`], [`Chain::answer`], [`Chain::push`], [`Chain::end`] or [`Chain::failed`],
//! and [`Chain::events`]. The changes of a document count once [`Event::Counts`] has been returned; [`Followed::order`] has the
//! documents in order, each with the position of its first new change. Of several changes of a resource the last one counts.
//!
//! An open list is polled alone while it continues (DP-14). When it is closed, lost or rewritten, its index or else the Capability
//! List leads to the next one (DP-13).
//!
//! Where a set has no Change Lists, the manifests in the packages of its Change Dumps are the lists, each closed, and a Change Dump is their
//! index ([`Chain::reading_packages`]).
//!
//! Lists that do not continue each other, or end earlier than their index states, may have been replaced while they were read, or
//! come from a cache. They are read again, before changes are called missing or a document older.

mod coverage;
mod list;
mod marks;
mod newest;
mod route;
mod set_back;
mod sets;
mod slice;
mod taken_back;

use alloc::{
    boxed::Box,
    collections::{BTreeMap, BTreeSet, VecDeque},
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};

use resourcesync::{
    diagnostic::{Reason, ReasonCode},
    limits::Limits,
    value::{http_date, key},
};

use serde::Serialize;

pub use self::{
    list::Order,
    sets::{FollowedSets, earliest, is_behind},
    slice::{Slice, SliceReader},
};
use self::{
    list::{List, Time},
    marks::Marks,
    newest::Newest,
};
pub use crate::checkpoint::Gap;
use crate::{
    change::Change,
    checkpoint::{Checkpoint, Open},
    listed_resource::moment,
    package::Stated,
    survey::{
        Again, Head, Known, Read, Request, Role, Step, clock,
        content::{Content, Listed},
    },
};

/// Seconds after which the Capability List is requested although a list is open, in case that was abandoned.
const DAY: i64 = 86_400;
/// The maximum number of documents.
const DOCUMENTS: usize = 100_000;

/// An event of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly all events are changes")]
pub enum Event {
    /// A change listed in the document with this number.
    Changed(u32, Change),
    /// The document with this number has been read completely.
    Counts(u32),
    /// The document with this number could not be read completely; its changes are invalid.
    Dropped(u32),
}

/// What the Change Lists are, compared with the checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// There are no new changes.
    Unchanged,
    /// The open lists have new entries.
    Continued,
    /// A list was closed, and others follow.
    Next,
    /// A list is processed as a whole, since its beginning is another one than before.
    Rewritten,
    /// Changes are missing: only a comparison with the Resource Lists shows them.
    Gap,
    /// A document could not be read; nothing is concluded.
    Unread,
    /// A document is older than one seen before; nothing of it is used.
    Older,
    /// The set has no Change Lists any more.
    Absent,
}

impl State {
    /// True if the changes are complete.
    pub fn is_complete(self) -> bool {
        matches!(self, State::Unchanged | State::Continued | State::Next | State::Rewritten)
    }
}

/// A document to process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Its number.
    pub document: u32,
    /// The order of its entries.
    pub order: Order,
    /// The position of the first change to process.
    pub from: u64,
}

/// The result of following a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Followed {
    /// The documents, in the order in which they were read.
    pub documents: Vec<Read>,
    /// The state of the chain.
    pub state: State,
    /// The documents to process, in order.
    pub order: Vec<Part>,
    /// New entries whose `loc` could not be read.
    pub unreadable_entries: u64,
    /// A time ahead of the clock of the server: the document and the time.
    pub ahead: Option<(String, String)>,
    /// Documents older than those seen before: URI, time, previous time.
    pub older: Vec<(String, String, String)>,
    /// Seconds until the first of the open lists expires.
    pub fresh_for: Option<u64>,
    /// The missing changes.
    pub gap: Option<Gap>,
    /// The new entries of [`Followed::order`], in order.
    pub slices: Vec<Slice>,
    /// The closed lists that are processed now or were before, each with its end.
    pub ended: Vec<(Open, String)>,
    /// Lists that were open, and of which no list has the entries any more that were processed.
    pub rewritten: Vec<String>,
    /// The state to store once all changes are applied or are debts.
    pub checkpoint: Checkpoint,
}

impl Followed {
    /// Nothing to follow, at this checkpoint.
    pub fn none(checkpoint: Checkpoint) -> Followed {
        Followed {
            documents: Vec::new(),
            state: State::Absent,
            order: Vec::new(),
            unreadable_entries: 0,
            ahead: None,
            older: Vec::new(),
            fresh_for: None,
            gap: None,
            slices: Vec::new(),
            ended: Vec::new(),
            rewritten: Vec::new(),
            checkpoint,
        }
    }

    /// The closed lists that end at a moment or later, and are not among the rest: what their interval does not show, since several may end in one
    /// second, is shown by their entries.
    pub(crate) fn closed(&self, before: &Checkpoint, as_of: Option<&str>, rest: &[Slice]) -> Vec<Open> {
        let start = |text: &str| moment(text).map(|time| time.start());
        let as_of = as_of.and_then(start);
        let is_left = |open: &Open| rest.iter().any(|slice| slice.uri == open.uri);
        let ends = |until: &str| as_of.as_ref().is_none_or(|as_of| start(until).is_none_or(|until| until >= *as_of));
        let now = self.ended.iter().filter(|(open, until)| ends(until) && !is_left(open)).map(|(open, _)| open.clone());
        let mut closed: Vec<Open> = now.collect();
        // An index that is unchanged, or states what was read, is not followed to them.
        if as_of.is_some() && as_of == before.as_of.as_deref().and_then(start) {
            let is_new = |open: &&Open| closed.iter().all(|own| own.prefix != open.prefix || own.from != open.from);
            let earlier: Vec<Open> = before.closed.iter().filter(is_new).cloned().collect();
            closed.extend(earlier);
        }
        // The same lists are the same position.
        closed.sort_by(|one, other| (&one.uri, &one.prefix).cmp(&(&other.uri, &other.prefix)));
        closed
    }
}

/// A requested document.
#[derive(Debug, Clone)]
struct Task {
    uri: String,
    role: Role,
    /// The list, if it was open before.
    open: Option<Open>,
    /// What the list states of it that leads to it.
    stated: Stated,
}

impl Task {
    fn new(uri: String, role: Role) -> Task {
        Task { uri, role, open: None, stated: Stated::default() }
    }

    fn opened(open: Open) -> Task {
        Task { open: Some(open.clone()), ..Task::new(open.uri, Role::ChangeList) }
    }
}

/// The document being read.
#[derive(Debug)]
struct Reading {
    task: Task,
    number: u32,
    head: Head,
    content: Box<Content>,
    list: List,
    /// Entries whose `loc` could not be read: all of them, and the new ones.
    unreadable: (u64, u64),
}

/// The documents that have been consulted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// The open lists.
    Open,
    /// The Change Lists that the Capability List named, or their indexes.
    Sources,
    /// The Capability List.
    CapabilityList,
    /// Everything.
    Done,
}

/// Follows the Change Lists of one set.
#[derive(Debug)]
pub struct Chain {
    limits: Limits,
    /// Where it began.
    given: Checkpoint,
    /// True if documents without an entity tag were trusted for a day: by its date, one that was replaced by an older one is unchanged.
    checks_dates: bool,
    /// Where it continues: before a hole whose changes may have been published.
    before: Checkpoint,
    now: i64,
    /// `Date` of the latest response.
    date: Option<i64>,
    accepts_older: bool,
    is_after_baseline: bool,
    may_begin_later: bool,
    /// True if each entry is delivered once, whatever the order of changes of a resource.
    is_entry_by_entry: bool,
    crosses_gaps: bool,
    /// True if the manifests in packages are lists, too.
    reads_packages: bool,
    as_of: Option<Time>,
    baseline: Option<Time>,
    stage: Stage,
    tasks: VecDeque<Task>,
    seen: BTreeSet<String>,
    requested: Option<Task>,
    reading: Option<Reading>,
    events: Vec<Event>,
    numbers: u32,
    lists: Vec<List>,
    /// What the newest of them have changed.
    newest: Newest,
    /// The lists that were open, without their marks, and the resources in the marks of these and of closed ones.
    opened: Arc<[Open]>,
    marked: BTreeSet<u32>,
    /// The lists that indexes and the Capability List name; `None` if these are unchanged.
    named: Option<BTreeSet<String>>,
    /// The intervals that indexes claim, by the keys of the lists: `from` and `until`.
    claims: BTreeMap<String, [Option<Time>; 2]>,
    /// The indexes that name a list, by keys.
    parents: BTreeMap<String, BTreeSet<String>>,
    has_index: bool,
    /// An index is another one than before.
    has_other_index: bool,
    /// An index is unchanged, and names the same lists as before.
    has_same_index: bool,
    /// True if indexes and the Capability List may be unchanged.
    is_conditional: bool,
    sources: Vec<String>,
    dumps: Vec<String>,
    documents: Vec<Known>,
    is_unread: bool,
    /// Open lists that are missing, with the reason.
    lost: Vec<(Task, Reason)>,
    again: Again,
    /// What was read, and what was read before: URIs with digests or reasons.
    readings: [Vec<(String, String)>; 2],
    found: Followed,
}

impl Chain {
    /// Creates a chain that continues at a checkpoint. `now` is the time in seconds since 1970, used where the server sends none.
    pub fn new(before: Checkpoint, now: i64, limits: &Limits) -> Chain {
        let mut chain = Chain {
            limits: limits.clone(),
            given: before.clone(),
            checks_dates: now.saturating_sub(before.consulted) >= DAY,
            now,
            date: None,
            accepts_older: false,
            is_after_baseline: false,
            may_begin_later: false,
            is_entry_by_entry: false,
            crosses_gaps: false,
            reads_packages: false,
            as_of: Time::read(before.as_of.as_deref()),
            baseline: Time::read(before.baseline.as_deref()),
            stage: Stage::Open,
            tasks: VecDeque::new(),
            seen: BTreeSet::new(),
            requested: None,
            reading: None,
            events: Vec::new(),
            numbers: 0,
            lists: Vec::new(),
            newest: Newest::default(),
            opened: Arc::from([]),
            marked: Marks::resources(before.open.iter().chain(&before.closed).map(|list| &*list.marks)),
            named: None,
            claims: BTreeMap::new(),
            parents: BTreeMap::new(),
            has_index: false,
            has_other_index: false,
            has_same_index: false,
            is_conditional: true,
            sources: before.sources.clone(),
            dumps: before.dumps.clone(),
            documents: before.documents.clone(),
            is_unread: false,
            lost: Vec::new(),
            again: Again::default(),
            readings: [Vec::new(), Vec::new()],
            found: Followed { state: State::Unread, ..Followed::none(before.clone()) },
            before,
        };
        chain.want_open();
        chain
    }

    fn want_open(&mut self) {
        self.opened = self.before.open.iter().map(Open::unmarked).collect();
        for open in self.before.open.clone() {
            self.want(Task::opened(open));
        }
    }

    /// Discards what was read, and begins once more.
    fn restart(&mut self) {
        self.events = (1..=self.numbers).map(Event::Dropped).collect();
        self.as_of = Time::read(self.before.as_of.as_deref());
        self.stage = Stage::Open;
        self.seen.clear();
        self.lists.clear();
        self.newest = Newest::default();
        self.named = None;
        self.claims.clear();
        self.parents.clear();
        (self.has_index, self.has_other_index, self.has_same_index, self.is_conditional) = (false, false, false, true);
        self.sources.clone_from(&self.before.sources);
        self.dumps.clone_from(&self.before.dumps);
        self.documents.clone_from(&self.before.documents);
        self.lost.clear();
        self.readings.reverse();
        self.readings[0].clear();
        self.found = Followed { state: State::Unread, ..Followed::none(self.given.clone()) };
        self.want_open();
    }

    /// Accepts documents that are older than those seen before.
    #[must_use]
    pub fn accepting_older(mut self) -> Chain {
        self.accepts_older = true;
        self
    }

    /// Requests documents without an entity tag as if they were unknown, as after a day.
    #[must_use]
    pub fn checking_dates(mut self) -> Chain {
        self.checks_dates = true;
        self
    }

    /// Continues after Resource Lists that were read just now: what is missing then can be found nowhere else.
    #[must_use]
    pub fn after_baseline(mut self) -> Chain {
        self.is_after_baseline = true;
        self
    }

    /// Accepts that the first list begins after the Resource Lists: [`Checkpoint::hole`] has the time between.
    #[must_use]
    pub fn beginning_later(mut self) -> Chain {
        self.may_begin_later = true;
        self
    }

    /// Follows entries rather than resources: no list is read again because of the order of changes, and without a moment the earliest list
    /// is the first one.
    #[must_use]
    pub fn entry_by_entry(mut self) -> Chain {
        self.is_entry_by_entry = true;
        self
    }

    /// Continues after missing changes, of which [`Followed::gap`] has the first.
    #[must_use]
    pub fn crossing_gaps(mut self) -> Chain {
        self.crosses_gaps = true;
        self
    }

    /// Takes the manifests in the packages of Change Dumps for the lists, where there are no Change Lists. They are requested with
    /// [`Request::is_manifest`].
    #[must_use]
    pub fn reading_packages(mut self) -> Chain {
        self.reads_packages = true;
        self
    }

    fn want(&mut self, task: Task) {
        if self.seen.insert(key(&task.uri)) {
            self.tasks.push_back(task);
        }
    }

    fn clock(&self) -> i64 {
        clock(self.date, self.now)
    }

    /// The next step.
    #[allow(clippy::should_implement_trait)] // it never ends by itself
    pub fn next(&mut self) -> Step {
        loop {
            if let Some(task) = self.tasks.pop_front() {
                if self.seen.len() > DOCUMENTS {
                    self.unread(&task, 0, Reason::new(ReasonCode::DocumentLimit));
                    continue;
                }
                let (etag, modified) = self.condition(&task);
                // What a cache has may be older than the Resource Lists that were read just now.
                let no_cache = self.again.no_cache() || self.is_after_baseline;
                let pause = self.again.pause();
                let request = Request {
                    uri: task.uri.clone(),
                    is_start: false,
                    etag,
                    modified,
                    no_cache,
                    is_manifest: task.role == Role::Manifest,
                    stated: task.stated.clone(),
                    pause,
                };
                self.requested = Some(task);
                return Step::Read(request);
            }
            if self.stage == Stage::Done {
                return Step::Done;
            }
            self.proceed();
        }
    }

    /// The entity tag, else the date, of a document that need not be read again if it is unchanged.
    fn condition(&self, task: &Task) -> (Option<String>, Option<String>) {
        let known = || self.before.documents.iter().find(|known| known.uri == task.uri && self.is_conditional);
        let (etag, modified) = match &task.open {
            Some(open) => (open.etag.clone(), open.modified.clone()),
            None => known().map(|known| (known.etag.clone(), known.modified.clone())).unwrap_or_default(),
        };
        let modified = modified.filter(|_| etag.is_none() && !self.checks_dates);
        (etag, modified)
    }

    /// Processes the head of the response. The body is always required.
    pub fn answer(&mut self, head: Head) {
        let Some(task) = self.requested.take() else { return };
        self.date = head.header("date").and_then(http_date).max(self.date);
        if task.role == Role::ChangeList {
            let own = head.fresh_for();
            let before = self.found.fresh_for;
            self.found.fresh_for = before.map_or(own, |before| Some(own.map_or(before, |own| own.min(before))));
        }
        let content = Box::new(Content::new(task.role, false, &head, &self.limits));
        self.numbers = self.numbers.saturating_add(1);
        let changed = if self.is_entry_by_entry { Marks::none() } else { Marks::default() };
        let list = List::new(self.numbers, &task.uri, Arc::clone(&self.opened), changed);
        self.reading = Some(Reading { task, number: self.numbers, head, content, list, unreadable: (0, 0) });
    }

    /// Processes bytes of the body, without content coding.
    pub fn push(&mut self, bytes: &[u8]) {
        let Some(mut reading) = self.reading.take() else { return };
        if reading.head.status == 200 {
            let mut changes = Vec::new();
            reading.content.push(bytes, &mut |listed| changes.push(listed));
            self.take_changes(&mut reading, changes);
        }
        self.reading = Some(reading);
    }

    fn take_changes(&mut self, reading: &mut Reading, changes: Vec<Listed>) {
        let clock = self.clock();
        for listed in changes {
            let Listed::Change(change) = listed else { continue };
            let skipped = reading.list.skipped();
            reading.list.push(&change, clock);
            if reading.list.skipped() != skipped {
                reading.unreadable.1 = 0;
            }
            let is_known = reading.list.skipped() == reading.list.entries;
            // A baseline has all changes before its time; equal times are processed.
            let since = if self.before.open.is_empty() { self.as_of.as_ref() } else { self.baseline.as_ref() };
            let is_before = |time: Time| since.is_some_and(|since| time.is_before(since));
            if Time::read(change.datetime.as_deref()).is_some_and(is_before) {
                reading.list.note_listed();
                continue;
            }
            match change.resource {
                None => {
                    let (all, new) = reading.unreadable;
                    reading.unreadable = (all.saturating_add(1), new.saturating_add(u64::from(!is_known)));
                }
                Some(_) => self.events.push(Event::Changed(reading.number, change)),
            }
        }
    }

    /// The events since the last call.
    pub fn events(&mut self) -> Vec<Event> {
        core::mem::take(&mut self.events)
    }

    /// Processes the end of the body.
    pub fn end(&mut self) {
        let Some(mut reading) = self.reading.take() else { return };
        if reading.head.status == 200 {
            let mut changes = Vec::new();
            reading.content.finish(&mut |listed| changes.push(listed));
            self.take_changes(&mut reading, changes);
        }
        self.take(reading);
    }

    /// Processes a missing response or a truncated body.
    pub fn failed(&mut self, reason: Reason) {
        let (task, number) = match (self.reading.take(), self.requested.take()) {
            (Some(reading), _) => (reading.task, reading.number),
            (None, Some(task)) => (task, 0),
            (None, None) => return,
        };
        self.unread(&task, number, reason);
    }

    /// Processes a truncated body whose document will be requested again.
    pub fn again(&mut self) {
        if let Some(reading) = self.reading.take() {
            self.events.push(Event::Dropped(reading.number));
            self.tasks.push_front(reading.task);
        }
    }

    /// Ends the chain before everything has been read; the next document, or the one being read, is unread for this reason.
    pub fn stop(&mut self, reason: &Reason) {
        if self.stage == Stage::Done {
            return;
        }
        let (uri, number) = match (self.reading.take(), self.requested.take()) {
            (Some(reading), _) => (reading.task.uri, reading.number),
            (None, Some(task)) => (task.uri, 0),
            (None, None) => (self.tasks.pop_front().map_or_else(|| self.before.set.clone(), |task| task.uri), 0),
        };
        self.events.push(Event::Dropped(number));
        self.tasks.clear();
        self.stage = Stage::Done;
        self.found.state = State::Unread;
        self.found.documents.push(Read::unread(&uri, Role::ChangeList, reason.clone()));
    }

    /// The result, once everything has been read.
    pub fn finish(self) -> Followed {
        self.found
    }

    fn unread(&mut self, task: &Task, number: u32, reason: Reason) {
        self.events.push(Event::Dropped(number));
        self.readings[0].push((task.uri.clone(), reason.to_string()));
        let is_missing = matches!(reason.status(), Some(404 | 410));
        if is_missing && (task.open.is_some() || task.role == Role::Changes) {
            // An index, or the Capability List, shows where its changes are now.
            self.lost.push((task.clone(), reason));
            return;
        }
        // The changes of a missing document can be in no other list, but a Resource List may be newer.
        if !is_missing {
            self.is_unread = true;
            self.tasks.clear();
        }
        self.found.documents.push(Read::unread(&task.uri, task.role, reason));
    }
}

#[cfg(test)]
mod tests;
