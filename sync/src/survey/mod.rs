//! Reads the documents of a Source, from its start to the listed resources.
//!
//! 1. [`Survey::next`] returns the document to request, until it returns [`Step::Done`].
//! 2. [`Survey::answer`] takes the head of the response, [`Survey::push`] its bytes without content coding, and
//!    [`Survey::end`] its end; [`Survey::failed`] reports a missing response or a truncated body.
//! 3. [`Survey::events`] returns the resulting events.
//! 4. At the end, [`Survey::finish`] returns the result; [`Survey::stop`] ends it early.
//!
//! With the state of an earlier run, the same documents are requested conditionally; if none has changed, nothing more is read.

pub(crate) mod content;
mod documents;
mod head;
mod prefix;
mod route;
pub(crate) mod snapshot;

use alloc::{
    boxed::Box,
    collections::{BTreeMap, BTreeSet, VecDeque, btree_map::Entry},
    string::{String, ToString},
    vec::Vec,
};

use resourcesync::{
    diagnostic::{Reason, ReasonCode},
    limits::Limits,
    source::discovery::{WELL_KNOWN, host},
    value::{http_date, key},
};

use serde::Serialize;

use self::content::{Content, Listed};
use self::prefix::{Compared, Prefix};
use self::snapshot::Snapshot;
pub use self::{
    documents::{Read, Remembered, Set, Skipped},
    head::Head,
};
pub use crate::known::{Known, Role};
use crate::{
    checkpoint::Checkpoint,
    listed_resource::{ListedResource, moment},
    package::Stated,
};

/// The maximum number of attempts to read documents that belong together.
pub(crate) const READINGS: u32 = 3;
/// Seconds before each further attempt: the Source may be writing its documents.
const PAUSES: [u64; 2] = [2, 8];
/// Seconds by which a time may be ahead of the clock.
pub(crate) const AHEAD: i64 = 86_400;
/// The maximum number of documents of one Source.
const DOCUMENTS: usize = 100_000;

/// The next step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Request this document.
    Read(Request),
    /// Everything has been read.
    Done,
}

/// A document to request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// Its URI.
    pub uri: String,
    /// True if given by the user, not by another document.
    pub is_start: bool,
    /// The entity tag of the previously read document, for `If-None-Match`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// The date of the previously read document, for `If-Modified-Since`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// True to bypass caches (`Cache-Control: no-cache`): the documents that were read do not belong together.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub no_cache: bool,
    /// True for the manifest of a package; the URI is that of the package.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub is_manifest: bool,
    /// What the dump states of the package.
    #[serde(skip)]
    pub stated: Stated,
    /// Seconds to wait before it is requested.
    #[serde(skip_serializing_if = "is_zero")]
    pub pause: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Reading documents again that do not belong together.
#[derive(Debug, Default)]
pub(crate) struct Again {
    readings: u32,
    pause: u64,
}

impl Again {
    /// Begins another reading; false if there were too many.
    pub(crate) fn begin(&mut self) -> bool {
        let pause = usize::try_from(self.readings).ok().and_then(|reading| PAUSES.get(reading));
        self.readings = self.readings.saturating_add(1);
        self.pause = pause.copied().unwrap_or(0);
        self.readings < READINGS
    }

    /// True in each reading but the first.
    pub(crate) fn no_cache(&self) -> bool {
        self.readings > 0
    }

    /// The pause before the next request.
    pub(crate) fn pause(&mut self) -> u64 {
        core::mem::take(&mut self.pause)
    }
}

/// The clock that times are compared with: that of the server, unless it is far ahead of our own.
pub(crate) fn clock(date: Option<i64>, now: i64) -> i64 {
    date.filter(|date| *date <= now.saturating_add(AHEAD)).unwrap_or(now)
}

/// An event of a survey.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::large_enum_variant)] // nearly all events are listed resources; it fires on 64-bit targets only
pub enum Event {
    /// A resource listed in the document with this number. It becomes valid with [`Event::Counts`].
    Listed(u32, ListedResource),
    /// The document with this number has been read completely.
    Counts(u32),
    /// The document with this number could not be read completely; its resources are invalid.
    Dropped(u32),
    /// The resources listed so far belong to another snapshot and are invalid.
    Restarted,
}

/// A requested document.
#[derive(Debug)]
struct Task {
    uri: String,
    role: Role,
    /// The Capability List that leads to it.
    set: String,
    is_start: bool,
    /// True if the document may be missing.
    is_probe: bool,
    /// The index to whose snapshot it belongs, or the page before.
    index: Option<String>,
    /// The list given by the user that leads to it, and is read alone if there is no such document.
    named_by: Option<String>,
    /// Length and digests that the list states that leads to it.
    stated: Stated,
}

impl Task {
    fn new(uri: String, role: Role) -> Task {
        let (set, is_start, is_probe) = (String::new(), false, false);
        Task { uri, role, set, is_start, is_probe, index: None, named_by: None, stated: Stated::default() }
    }
}

/// The document being read.
#[derive(Debug)]
struct Reading {
    task: Task,
    number: u32,
    head: Head,
    content: Box<Content>,
    compared: Compared,
}

/// The result of a survey.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// The documents, in the order in which they were read.
    pub documents: Vec<Read>,
    /// True if all documents are unchanged.
    pub is_unchanged: bool,
    /// True if there is a list and all lists were read completely.
    pub lists_complete: bool,
    /// The index that is not of one snapshot with its members, at each attempt.
    pub mixed: Option<String>,
    /// Entries whose `loc` could not be read.
    pub unreadable_entries: u64,
    /// Listed entries.
    pub listed: u64,
    /// Lists older than those of the previous run: URI, time, previous time.
    pub older: Vec<(String, String, String)>,
    /// Lists with a time ahead of the clock: URI and time.
    pub ahead: Vec<(String, String)>,
    /// Lists with the time that they had before and another content: URI and time.
    pub rewritten: Vec<(String, String)>,
    /// The Capability Lists, with their Change Lists.
    pub sets: Vec<Set>,
    /// `Date` of the latest response, in seconds since 1970.
    pub date: Option<i64>,
    /// Seconds until the first of the lists expires.
    pub fresh_for: Option<u64>,
    /// The state to store for the next run.
    pub remembered: Remembered,
}

/// Reads a Source.
#[derive(Debug)]
pub struct Survey {
    limits: Limits,
    start: String,
    before: Remembered,
    /// Seconds since 1970.
    now: i64,
    /// The latest time that was accepted before, in seconds since 1970: up to it nothing is ahead of the clock.
    reached: Option<i64>,
    accepts_older: bool,
    /// True to request what has only a date without a condition.
    checks_dates: bool,
    /// True if the Resource Dumps are the lists, also where there are Resource Lists.
    by_dumps: bool,
    /// The Capability Lists to read; all if empty.
    sets: Vec<String>,
    /// True while the survey only checks for changes.
    is_polling: bool,
    tasks: VecDeque<Task>,
    /// Remaining candidates of the start.
    candidates: VecDeque<Task>,
    /// The documents that are or were to be read, with the sets that lead to them.
    seen: BTreeMap<String, String>,
    /// Sets of which another set names a list, too.
    shared: BTreeSet<String>,
    reading: Option<Reading>,
    /// The task whose body has been requested.
    requested: Option<Task>,
    /// What the readings that were cut off began with, by URI.
    cut: BTreeMap<String, Prefix>,
    events: Vec<Event>,
    numbers: u32,
    again: Again,
    /// What is requested again at the end: indexes, and members whose server can tell that they are the same, or whose times cannot.
    rereads: Vec<Task>,
    /// What indexes state of their members.
    snapshots: BTreeMap<String, Snapshot>,
    /// True once there is more than one set: their lists are told apart.
    has_several: bool,
    /// The sets of the lists, by the numbers of these.
    owners: BTreeMap<u32, String>,
    found: Findings,
}

impl Survey {
    /// Creates a survey that starts at a URI: a host, a page, a Source Description, a Capability List, a Resource List, a Resource Dump, or an
    /// index of one of these two; with the state of the previous run if only changes since then are required. `now` is the time in seconds since 1970.
    pub fn new(start: &str, before: Remembered, polls: bool, now: i64, limits: &Limits) -> Survey {
        let mut survey = Survey {
            limits: limits.clone(),
            start: start.to_string(),
            // What was ahead of the clock then may not be now.
            is_polling: polls && !before.documents.is_empty() && before.documents.iter().all(|known| !known.is_ahead),
            reached: before
                .documents
                .iter()
                .filter_map(|known| moment(known.at.as_deref()?))
                .map(|at| at.to_unix().0)
                .max(),
            before,
            now,
            accepts_older: false,
            checks_dates: false,
            by_dumps: false,
            sets: Vec::new(),
            tasks: VecDeque::new(),
            candidates: VecDeque::new(),
            seen: BTreeMap::new(),
            shared: BTreeSet::new(),
            reading: None,
            requested: None,
            cut: BTreeMap::new(),
            events: Vec::new(),
            numbers: 0,
            again: Again::default(),
            rereads: Vec::new(),
            snapshots: BTreeMap::new(),
            has_several: false,
            owners: BTreeMap::new(),
            found: Findings::default(),
        };
        if survey.is_polling {
            let task = |known: &Known| Task { is_start: known.is_start, ..Task::new(known.uri.clone(), known.role) };
            // A package changes only with its dump.
            let documents = survey.before.documents.iter().filter(|known| known.role != Role::Manifest);
            survey.tasks = documents.map(task).collect();
        } else {
            survey.begin();
        }
        survey
    }

    /// Accepts lists that are older than those of the previous run.
    #[must_use]
    pub fn accepting_older(mut self) -> Survey {
        self.accepts_older = true;
        self
    }

    /// Requests documents without an entity tag as if they were unknown: by its date, one that was replaced by an older one is unchanged
    /// (RFC 9110 §13.1.3).
    #[must_use]
    pub fn checking_dates(mut self) -> Survey {
        self.checks_dates = true;
        self
    }

    /// Takes the manifests of Resource Dumps for the lists, where there are any.
    #[must_use]
    pub fn by_dumps(mut self) -> Survey {
        self.by_dumps = true;
        self
    }

    /// Takes times up to the last moment that was reached as of the past, whatever the clock of the server is.
    #[must_use]
    pub fn having_reached(mut self, checkpoints: &[Checkpoint]) -> Survey {
        let times = checkpoints.iter().filter_map(|checkpoint| moment(checkpoint.as_of.as_deref()?));
        self.reached = times.map(|as_of| as_of.to_unix().0).max().max(self.reached);
        self
    }

    /// Reads only these Capability Lists of the Source.
    #[must_use]
    pub fn selecting(mut self, sets: &[String]) -> Survey {
        self.sets = sets.iter().map(|set| key(set)).collect();
        self
    }

    /// Checks only whether the Source Descriptions of the previous run have changed; if so, everything is read.
    #[must_use]
    pub fn checking_descriptions(mut self) -> Survey {
        if self.is_polling {
            self.tasks.retain(|task| task.role == Role::Description);
        }
        self
    }

    /// Starts again and discards everything read so far.
    fn begin(&mut self) {
        self.is_polling = false;
        self.tasks.clear();
        self.seen.clear();
        self.shared.clear();
        self.rereads.clear();
        self.snapshots.clear();
        self.owners.clear();
        self.cut.clear();
        self.candidates = candidates(&self.start);
        self.found = Findings { lists_complete: true, date: self.found.date, ..Findings::default() };
        self.events.push(Event::Restarted);
        self.try_next();
    }

    fn try_next(&mut self) {
        if let Some(task) = self.candidates.pop_front() {
            self.want(task);
        }
    }

    fn want(&mut self, task: Task) {
        match self.seen.entry(key(&task.uri)) {
            Entry::Vacant(entry) => {
                entry.insert(task.set.clone());
                self.tasks.push_back(task);
            }
            Entry::Occupied(entry) if *entry.get() != task.set => drop(self.shared.insert(task.set)),
            Entry::Occupied(_) => {}
        }
    }

    /// The next step.
    #[allow(clippy::should_implement_trait)] // it never ends by itself
    pub fn next(&mut self) -> Step {
        loop {
            if let Some(task) = self.tasks.pop_front() {
                if self.found.documents.len() >= DOCUMENTS {
                    self.tasks.clear();
                    self.rereads.clear();
                    (self.found.lists_complete, self.is_polling) = (false, false);
                    let limit = Reason::new(ReasonCode::DocumentLimit);
                    self.found.documents.push(Read::unread(&task.uri, task.role, limit));
                    continue;
                }
                let known = self.known(&task);
                let request = Request {
                    uri: task.uri.clone(),
                    is_start: task.is_start,
                    etag: known.and_then(|known| known.etag.clone()),
                    modified: known.and_then(|known| self.date_of(known)),
                    no_cache: self.again.no_cache() || task.role == Role::Again,
                    is_manifest: task.role == Role::Manifest,
                    stated: task.stated.clone(),
                    pause: self.again.pause(),
                };
                self.requested = Some(task);
                return Step::Read(request);
            }
            if self.is_polling {
                // None of them has changed.
                self.found.is_unchanged = true;
                self.found.lists_complete = true;
                self.found.remembered = self.before.clone();
                return Step::Done;
            }
            // All members belong to one snapshot only if neither the index nor one of them has changed.
            let Some(again) = self.rereads.pop() else { return Step::Done };
            self.tasks.push_back(again);
        }
    }

    /// The date with which a document is requested.
    fn date_of(&self, known: &Known) -> Option<String> {
        known.modified.clone().filter(|_| known.etag.is_none() && !self.checks_dates)
    }

    /// The stored state of a document, if usable for a conditional request.
    fn known(&self, task: &Task) -> Option<&Known> {
        match task.role {
            Role::Again => self.found.remembered.documents.iter().find(|known| known.uri == task.uri),
            _ if self.is_polling => self.before.documents.iter().find(|known| known.uri == task.uri),
            _ => None,
        }
    }

    /// Processes the head of the response. The body is always required.
    pub fn answer(&mut self, head: Head) {
        let Some(task) = self.requested.take() else { return };
        self.found.date = head.header("date").and_then(http_date).or(self.found.date);
        if is_list(task.role) {
            let own = head.fresh_for();
            let before = self.found.fresh_for;
            self.found.fresh_for = before.map_or(own, |before| Some(own.map_or(before, |own| own.min(before))));
        }
        let content = Box::new(Content::new(task.role, self.is_polling, &head, &self.limits));
        self.numbers = self.numbers.saturating_add(1);
        if self.has_several && !task.set.is_empty() {
            self.owners.insert(self.numbers, task.set.clone());
        }
        let compared = Compared::with(self.cut.remove(&task.uri));
        self.reading = Some(Reading { task, number: self.numbers, head, content, compared });
    }

    /// Processes bytes of the body, without content coding.
    pub fn push(&mut self, bytes: &[u8]) {
        let Some(reading) = &mut self.reading else { return };
        let (number, events, compared) = (reading.number, &mut self.events, &mut reading.compared);
        reading.content.push(bytes, &mut |listed| events.extend(resource(number, listed, compared)));
    }

    /// The Capability List of the document with this number, if there are several.
    pub fn set_of(&self, number: u32) -> Option<&str> {
        self.owners.get(&number).map(String::as_str)
    }

    /// The events since the last call.
    pub fn events(&mut self) -> Vec<Event> {
        core::mem::take(&mut self.events)
    }

    /// Processes the end of the body.
    pub fn end(&mut self) {
        let Some(mut reading) = self.reading.take() else { return };
        let (number, events, compared) = (reading.number, &mut self.events, &mut reading.compared);
        reading.content.finish(&mut |listed| events.extend(resource(number, listed, compared)));
        if reading.compared.differs() {
            // What was concluded from the entries of the reading that was cut off does not hold.
            if self.again.begin() {
                return self.begin();
            }
            self.found.mixed = Some(reading.task.uri.clone());
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
            self.cut.insert(reading.task.uri.clone(), reading.compared.cut());
            self.tasks.push_front(reading.task);
        }
    }

    /// Ends the survey before everything has been read; the next document, or the one being read, is unread for this reason.
    pub fn stop(&mut self, reason: &Reason) {
        let (task, number) = match (self.reading.take(), self.requested.take()) {
            (Some(reading), _) => (Some(reading.task), reading.number),
            (None, Some(task)) => (Some(task), 0),
            (None, None) => (self.tasks.pop_front(), 0),
        };
        let Some(uri) = task.or_else(|| self.rereads.pop()).map(|task| task.uri) else { return };
        self.events.push(Event::Dropped(number));
        self.is_polling = false;
        self.tasks.clear();
        self.candidates.clear();
        self.rereads.clear();
        self.found.lists_complete = false;
        self.found.documents.push(Read::unread(&uri, Role::Start, reason.clone()));
    }

    /// The result, once everything has been read.
    pub fn finish(self) -> Findings {
        let mut found = self.found;
        for set in self.sets.iter().filter(|_| !found.is_unchanged) {
            if found.documents.iter().all(|read| read.role != Role::CapabilityList || key(&read.uri) != **set) {
                let reason = Reason::other("the Source does not name it");
                found.documents.push(Read::unread(set, Role::CapabilityList, reason));
                found.lists_complete = false;
            }
        }
        let has_list = found.documents.iter().any(|read| is_list(read.role));
        found.lists_complete &= found.is_unchanged || has_list;
        for set in &mut found.sets {
            set.is_shared = self.shared.contains(&set.uri);
        }
        found
    }

    /// Handles a document without usable content.
    fn unread(&mut self, task: &Task, number: u32, reason: Reason) {
        if self.is_polling {
            return self.begin();
        }
        self.events.push(Event::Dropped(number));
        let is_missing = matches!(reason.status(), Some(404 | 410));
        if task.is_probe && is_missing && !self.candidates.is_empty() {
            return self.try_next();
        }
        if task.role == Role::Again {
            self.found.mixed = Some(task.index.as_ref().unwrap_or(&task.uri).clone());
            return;
        }
        let is_read_alone = task.named_by.is_some() && is_permanent(&reason);
        if let Some(list) = &task.named_by {
            self.want(Task { is_start: true, ..Task::new(list.clone(), Role::List) });
        }
        // A Capability List that was there before may have named other lists.
        self.found.lists_complete &= is_read_alone && !self.before.has(Role::CapabilityList);
        self.found.documents.push(Read::unread(&task.uri, task.role, reason));
    }

    fn wrong_kind(&mut self, task: &Task, number: u32, kind: &str) {
        let reason = Reason::new(ReasonCode::Format).arg("looks", kind);
        self.unread(task, number, reason);
    }
}

/// True for what lists resources, or a part of that.
fn is_list(role: Role) -> bool {
    matches!(role, Role::List | Role::Member | Role::Manifest)
}

/// True if there is no such document, as far as its server tells.
fn is_permanent(reason: &Reason) -> bool {
    match reason.status() {
        Some(status) => matches!(status, 404 | 410),
        None => matches!(reason.code, ReasonCode::Format | ReasonCode::NotHttp | ReasonCode::NotUri),
    }
}

/// The event of an entry; changes are read by [`Chain`](crate::Chain).
fn resource(number: u32, listed: Listed, compared: &mut Compared) -> Option<Event> {
    match listed {
        Listed::Resource(resource) => {
            compared.add(&resource.uri);
            Some(Event::Listed(number, resource))
        }
        Listed::Change(_) | Listed::Package(_) => None,
    }
}

#[cfg(test)]
mod tests;

/// The candidates of a start: for a host its well-known URIs, then its page.
fn candidates(start: &str) -> VecDeque<Task> {
    let task = |uri: String, role, is_probe| Task { is_start: true, is_probe, ..Task::new(uri, role) };
    let own = |is_probe| {
        let role = if start.ends_with("/robots.txt") { Role::Robots } else { Role::Start };
        task(start.to_string(), role, is_probe)
    };
    match host(start).filter(|host| key(host) == key(start)) {
        None => [own(false)].into(),
        Some(host) => [
            task(alloc::format!("{host}{WELL_KNOWN}"), Role::Start, true),
            task(alloc::format!("{host}robots.txt"), Role::Robots, true),
            own(false),
        ]
        .into(),
    }
}
