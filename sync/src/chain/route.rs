//! The order of the documents: open lists, indexes, the Capability List; and the conclusion from what they contain.

use alloc::{
    collections::BTreeSet,
    string::{String, ToString},
    vec::Vec,
};
use core::cmp::Ordering;

use resourcesync::{
    diagnostic::{Reason, ReasonCode},
    model::Kind,
    value::{Capability, Datetime, key},
};

use super::{
    Chain, DAY, Event, Gap, Part, Reading, Slice, Stage, State, Task,
    coverage::{Coverage, Terms, cover, is_done},
    list::{List, Order, Time},
};
use crate::{
    checkpoint::{Checkpoint, Open, Seen},
    stored_state::comparable,
    survey::{AHEAD, Head, Known, Read, Role},
};

impl Chain {
    /// A completely read body.
    pub(super) fn take(&mut self, reading: Reading) {
        let Reading { task, number, head, mut content, mut list, unreadable } = reading;
        // Without a condition, 304 has no meaning.
        if head.status == 304 && self.condition(&task) != (None, None) {
            return self.same(task);
        }
        if head.status != 200 {
            let reason = Reason::new(ReasonCode::HttpStatus).arg("status", head.status);
            return self.unread(&task, number, reason);
        }
        if let Some(reason) = content.problem.take() {
            return self.unread(&task, number, reason);
        }
        let digest = content.digest();
        self.readings[0].push((task.uri.clone(), digest.clone()));
        let children = core::mem::take(&mut content.children);
        if content.next.is_some() {
            let reason = Reason::other("it is served in pages, from which changes are not read");
            return self.unread(&task, number, reason);
        }
        // An index may be served as a `urlset`: its entries are lists.
        let kind = match content.kind {
            Kind::ChangeList if !children.is_empty() => Kind::ChangeListIndex,
            kind => kind,
        };
        match (kind, task.role) {
            (Kind::CapabilityList, Role::CapabilityList) => {
                let uris = |capability: Capability| -> Vec<String> {
                    let of = children.iter().filter(|child| child.capability.as_ref() == Some(&capability));
                    of.map(|child| child.uri.clone()).collect()
                };
                self.dumps = uris(Capability::ChangeDump);
                self.sources = uris(Capability::ChangeList);
                if self.sources.is_empty() && self.reads_packages {
                    self.sources.clone_from(&self.dumps);
                }
                self.named.get_or_insert_default().extend(self.sources.iter().map(|uri| key(uri)));
                self.want_sources();
                self.know(&task, &head, digest);
            }
            // An open list may become the first member of an index that takes its URI (DP-17).
            (Kind::ChangeListIndex | Kind::ChangeDumpIndex | Kind::ChangeDump, role)
                if (role == Role::Changes || task.open.is_some())
                    && (kind == Kind::ChangeListIndex || self.reads_packages) =>
            {
                let below = match kind {
                    Kind::ChangeDumpIndex => Role::Changes,
                    Kind::ChangeDump => Role::Manifest,
                    _ => Role::ChangeList,
                };
                self.has_index = true;
                let is_same = |known: &Known| known.uri == task.uri && known.digest == digest;
                self.has_other_index |= !self.before.documents.iter().any(is_same);
                let named = self.named.get_or_insert_default();
                named.extend(children.iter().map(|child| key(&child.uri)));
                for child in children {
                    self.parents.entry(key(&child.uri)).or_default().insert(key(&task.uri));
                    let [from, until] = [child.from, child.until].map(|time| Time::read(time.as_deref()));
                    let is_exact = self.has_ended(&child.uri, from.as_ref());
                    let is_done = is_done(until.as_ref(), self.as_of.as_ref(), is_exact)
                        && !self.follows_lost(from.as_ref(), until.as_ref());
                    self.claims.insert(key(&child.uri), [from, until]);
                    if !is_done {
                        self.want(Task { stated: child.stated, ..Task::new(child.uri, below) });
                    }
                }
                let task = Task { role: Role::Changes, ..task.clone() };
                self.know(&task, &head, digest);
            }
            (Kind::ChangeList, Role::Changes | Role::ChangeList) | (Kind::ChangeDumpManifest, Role::Manifest) => {
                if task.role == Role::Changes {
                    self.named.get_or_insert_default().insert(key(&task.uri));
                }
                list.finish(content.from.as_deref(), content.until.as_deref(), self.is_entry_by_entry);
                if task.role == Role::Manifest {
                    let [from, until] = self.claims.get(&key(&task.uri)).cloned().unwrap_or_default();
                    (list.from, list.until) = (list.from.or(from), list.until.or(until));
                    list.close();
                    if list.until.is_none() {
                        let reason = Reason::other("neither the package nor its dump states a time");
                        return self.unread(&task, number, reason);
                    }
                }
                list.etag = head.header("etag").map(ToString::to_string);
                list.modified = comparable(head.header("last-modified"), head.header("date"));
                list.index = content.index.take();
                list.is_delivered = list.until.is_some() && self.before.closed.iter().any(|closed| list.is(closed));
                let unreadable = if list.continued.is_some() { unreadable.1 } else { unreadable.0 };
                self.found.unreadable_entries = self.found.unreadable_entries.saturating_add(unreadable);
                self.events.push(Event::Counts(number));
                if list.until.is_some() && task.role == Role::Changes {
                    let task = Task { role: Role::ChangeList, ..task.clone() };
                    self.know(&task, &head, digest);
                }
                let marks = core::mem::take(&mut list.changed);
                list.changed = marks.of(&self.marked);
                self.newest.add(&list, marks);
                self.lists.push(list);
            }
            (kind, _) => {
                let reason = Reason::new(ReasonCode::Format).arg("looks", kind.title());
                return self.unread(&task, number, reason);
            }
        }
        let entries = content.entries;
        self.found.documents.push(Read {
            uri: task.uri,
            role: task.role,
            kind,
            entries,
            at: None,
            unread: None,
            is_same: false,
        });
    }

    /// True if the closed list of this interval may be an open one that is missing now: it has that one's last entries, which are before the
    /// end of others that were open.
    fn follows_lost(&self, from: Option<&Time>, until: Option<&Time>) -> bool {
        self.lost.iter().filter_map(|(task, _)| task.open.as_ref()).any(|open| {
            let last = Time::read(open.last.as_deref().or(open.from.as_deref()));
            let reaches = until.zip(last).is_none_or(|(until, last)| until.reaches(&last));
            reaches && open.from.as_deref() == from.map(|from| &*from.text)
        })
    }

    /// A document that is unchanged.
    fn same(&mut self, task: Task) {
        self.readings[0].push((task.uri.clone(), String::new()));
        let kind = match (&task.open, task.role) {
            (Some(open), _) => {
                self.lists.push(List::same(open));
                Kind::ChangeList
            }
            (None, Role::CapabilityList) => {
                self.want_sources();
                Kind::CapabilityList
            }
            // It was closed before.
            (None, _)
                if self
                    .before
                    .documents
                    .iter()
                    .any(|known| known.uri == task.uri && known.role == Role::ChangeList) =>
            {
                Kind::ChangeList
            }
            (None, _) => {
                (self.has_index, self.has_same_index) = (true, true);
                Kind::ChangeListIndex
            }
        };
        self.found.documents.push(Read {
            uri: task.uri,
            role: task.role,
            kind,
            entries: 0,
            at: None,
            unread: None,
            is_same: true,
        });
    }

    fn want_sources(&mut self) {
        for uri in self.sources.clone() {
            self.want(Task::new(uri, Role::Changes));
        }
    }

    /// Stores the validators of an index or a Capability List.
    fn know(&mut self, task: &Task, head: &Head, digest: String) {
        self.documents.retain(|known| known.uri != task.uri);
        self.documents.push(Known {
            uri: task.uri.clone(),
            role: task.role,
            is_start: false,
            etag: head.header("etag").map(ToString::to_string),
            modified: comparable(head.header("last-modified"), head.header("date")),
            digest,
            at: None,
            is_ahead: false,
        });
    }

    /// Continues with the documents that are needed, or concludes.
    pub(super) fn proceed(&mut self) {
        if self.is_unread {
            return self.conclude(&Coverage::default());
        }
        self.drop_abandoned();
        let terms = Terms {
            was_open: !self.before.open.is_empty(),
            may_begin_later: self.may_begin_later,
            is_entry_by_entry: self.is_entry_by_entry,
            crosses_gaps: self.crosses_gaps,
        };
        let mut coverage = cover(&self.lists, self.as_of.as_ref(), terms);
        let gap = self.shortened().or_else(|| self.broken_off()).or_else(|| self.reopened());
        let gap = gap.or_else(|| self.set_back());
        // For a Source that is older, the run waits.
        let is_else = coverage.gap.is_some() || self.is_older(&coverage);
        if let Some(gap) = gap.or_else(|| self.taken_back().filter(|_| !is_else)) {
            let rest = if self.crosses_gaps { coverage } else { Coverage::default() };
            coverage = Coverage { gap: Some(gap), ..rest };
        }
        let is_due = self.clock().saturating_sub(self.before.consulted) >= DAY;
        let is_whole = coverage.gap.is_none();
        self.is_conditional = is_whole;
        let is_enough = match self.stage {
            // The lists that were open go on. The changes before them may have been published only now.
            Stage::Open => {
                let is_alone = self.lost.is_empty() && self.before.hole.is_none() && !self.may_be_set_back();
                is_whole && coverage.is_open && is_alone && !is_due
            }
            // A closed list is followed by those that its index names; without one, by those of the Capability List.
            // Whether an older one still counts, the Capability List shows.
            Stage::Sources => is_whole && (coverage.is_open || self.has_index) && !is_due && !self.is_older(&coverage),
            Stage::CapabilityList | Stage::Done => true,
        };
        if is_enough {
            if is_whole && self.read_whole(&coverage) {
                return;
            }
            if let (Some(hole), true) = (&self.before.hole, is_whole && self.has_other_index) {
                let (as_of, open) = (hole.after.clone(), Vec::new());
                self.before = Checkpoint { as_of, open, hole: None, ..self.before.clone() };
                self.may_begin_later = true;
                return self.restart();
            }
            if self.is_torn(&coverage) && self.readings[0] != self.readings[1] && self.again.begin() {
                return self.restart();
            }
            return self.conclude(&coverage);
        }
        if self.stage == Stage::Open {
            self.stage = Stage::Sources;
            let indexes: Vec<String> = self.lists.iter().filter_map(|list| list.index.clone()).collect();
            for uri in indexes {
                self.want(Task::new(uri, Role::Changes));
            }
            self.want_sources();
        } else {
            self.stage = Stage::CapabilityList;
            let uri = self.before.set.clone();
            self.want(Task::new(uri, Role::CapabilityList));
        }
    }

    /// The changes that a list lacks although its index states that it has them, or that it begins after all that it has: it was read in
    /// an earlier state.
    fn shortened(&self) -> Option<Gap> {
        self.lists.iter().find_map(|list| {
            let [from, until] = self.claims.get(&key(&list.uri))?;
            let end = list.until.as_ref().or(list.last.as_ref());
            let ends = |claimed: &&Time| {
                let is_known = self.as_of.as_ref().is_some_and(|as_of| as_of.reaches(claimed));
                is_known || list.until.as_ref().is_some_and(|until| until.reaches(claimed))
            };
            // Where a closed list has the changes in between, they are complete, but not if the times of these two cannot be compared.
            let is_ahead = |claimed: &Time| claimed.seconds() > self.clock().saturating_add(AHEAD);
            let is_closed = |claimed: &Time| {
                let mut ends = self.lists.iter().filter_map(|list| list.until.as_ref());
                !is_ahead(claimed) && ends.any(|until| until.reaches(claimed))
            };
            let begins = |claimed: &&Time| {
                let is_in = end.or(list.from.as_ref()).is_none_or(|end| end.reaches(claimed));
                is_in || is_closed(claimed)
            };
            let claimed = until.as_ref().filter(|claimed| !ends(claimed));
            let claimed = claimed.or_else(|| from.as_ref().filter(|claimed| !begins(claimed)))?;
            let text = |time: &Time| time.text.clone();
            Some(Gap { after: end.or(self.as_of.as_ref()).map(text), before: Some(text(claimed)) })
        })
    }

    /// The changes after one of several open lists that is missing now, if no other list continues it.
    fn broken_off(&self) -> Option<Gap> {
        if self.before.open.len() < 2 {
            return None;
        }
        let open = self.lost.iter().filter_map(|(task, _)| task.open.as_ref());
        open.into_iter().find_map(|open| {
            let end = Time::read(open.last.as_deref().or(open.from.as_deref()));
            let is_continued = |list: &List| {
                list.begins_with(open)
                    || list.from.as_ref().zip(end.as_ref()).is_some_and(|(from, end)| end.reaches(from))
            };
            let after = end.as_ref().map(|end| end.text.clone());
            (!self.lists.iter().any(is_continued)).then_some(Gap { after, before: None })
        })
    }

    /// The changes since the last closed list, where only an open list is left that begins before that one ended and has none of
    /// the changes since: it may be of an earlier state of the Source.
    fn reopened(&self) -> Option<Gap> {
        if self.is_after_baseline || self.accepts_older || !self.before.open.is_empty() {
            return None;
        }
        let until = Time::read(self.before.seen.until.as_deref())?;
        let reaches = |time: &Option<Time>| time.as_ref().is_some_and(|time| time.reaches(&until));
        let is_later = |list: &List| reaches(&list.from) || reaches(&list.last) || reaches(&list.until);
        let is_any = self.lists.iter().any(|list| list.until.is_none());
        (is_any && !self.lists.iter().any(is_later)).then_some(Gap { after: Some(until.text), before: None })
    }

    /// True if the documents that were read do not belong together, as far as they show it.
    fn is_torn(&self, coverage: &Coverage) -> bool {
        let consulted_all = self.stage == Stage::CapabilityList;
        let lists: Vec<&List> = coverage.order.iter().filter_map(|index| self.lists.get(*index)).collect();
        // Of the lists of an index, only the last one is open; another one may have been closed since.
        let last = lists.last().and_then(|list| list.from.as_ref());
        let precedes = |list: &&List| {
            list.from.as_ref().zip(last).is_some_and(|(from, last)| from.compare(last) == Ordering::Less)
        };
        let has_new_index = self.has_index && !self.has_same_index;
        let is_unclosed = has_new_index && lists.iter().any(|list| list.until.is_none() && precedes(list));
        // An open list only gets more entries; without times nothing else shows that one with fewer is an earlier state.
        let is_of = |list: &List, open: &Open| {
            list.uri == open.uri && list.from.as_ref().map(|from| &*from.text) == open.from.as_deref()
        };
        let is_shorter = |list: &List, open: &Open| list.continued.is_none() && list.entries < open.entries;
        let has_shrunk = lists.iter().any(|list| {
            self.before.open.iter().any(|open| open.last.is_none() && is_of(list, open) && is_shorter(list, open))
        });
        let is_absent = self.sources.is_empty() && consulted_all;
        let is_missing = self.lost.iter().any(|(task, _)| self.is_named(task, consulted_all))
            || self.found.documents.iter().any(|read| read.unread.is_some());
        !is_absent
            && (coverage.gap.is_some()
                || coverage.hole.is_some()
                || is_missing
                || is_unclosed
                || has_shrunk
                || self.is_older(coverage))
    }

    fn is_older(&self, coverage: &Coverage) -> bool {
        let lists: Vec<&List> = coverage.order.iter().filter_map(|index| self.lists.get(*index)).collect();
        !self.accepts_older && !self.older(&lists).is_empty()
    }

    /// True if only sources that the Capability List no longer names lead to the list.
    fn is_replaced(&self, list: &List) -> bool {
        let has = |sources: &[String], wanted: &String| sources.iter().any(|uri| key(uri) == *wanted);
        let is_former = |uri: &String| has(&self.before.sources, uri) && !has(&self.sources, uri);
        let uri = key(&list.uri);
        let parents = self.parents.get(&uri);
        let is_member = parents.is_some_and(|parents| !parents.iter().all(is_former));
        !is_member && !has(&self.sources, &uri) && (parents.is_some() || is_former(&uri))
    }

    /// Leaves out lists that were open and that nothing names any more.
    fn drop_abandoned(&mut self) {
        let Some(named) = self.named.as_ref().filter(|_| !self.has_same_index) else { return };
        // Without an index, lists that were read before the Capability List are named by what it was.
        let is_named = |uri: &String| named.contains(uri) || self.sources.iter().any(|source| key(source) == *uri);
        let is_left = |list: &List| is_named(&key(&list.uri)) && !self.is_replaced(list);
        let left: Vec<bool> = self.lists.iter().map(|list| list.until.is_some() || is_left(list)).collect();
        let mut left = left.into_iter();
        self.lists.retain(|_| left.next() == Some(true));
    }

    /// Notes documents that are missing although they are still named.
    fn miss_named(&mut self, consulted_all: bool) {
        let lost = core::mem::take(&mut self.lost);
        for (task, reason) in lost {
            if self.is_named(&task, consulted_all) {
                self.found.documents.push(Read::unread(&task.uri, task.role, reason));
            }
        }
    }

    fn is_named(&self, task: &Task, consulted_all: bool) -> bool {
        let is_named = self.named.as_ref().is_some_and(|named| named.contains(&key(&task.uri)));
        is_named || (consulted_all && self.sources.contains(&task.uri))
    }

    /// Reads lists again that follow one that is processed as a whole: of several changes of a resource, the last one counts.
    fn read_whole(&mut self, coverage: &Coverage) -> bool {
        let first = self.first_whole(coverage);
        let lists = coverage.order.iter().skip(first).filter_map(|index| self.lists.get(*index));
        let again: Vec<Open> = lists.filter(|list| list.is_same).filter_map(|list| list.continued.clone()).collect();
        self.lists.retain(|list| !list.is_same || again.iter().all(|open| open.uri != list.uri));
        let is_any = !again.is_empty();
        for open in again {
            let open = Open { etag: None, modified: None, ..open };
            self.tasks.push_back(Task::opened(open));
        }
        is_any
    }

    /// The place in the order of the first list that is processed as a whole: it is another one than before, or follows one that has new
    /// changes.
    fn first_whole(&self, coverage: &Coverage) -> usize {
        if self.is_entry_by_entry {
            return usize::MAX;
        }
        let list = |index: &usize| self.lists.get(*index);
        let place = |is: fn(&List) -> bool| coverage.order.iter().position(|index| list(index).is_some_and(is));
        let after_new = place(|list| list.entries > list.skipped()).map(|place| place.saturating_add(1));
        let other = place(|list| list.continued.is_none());
        other.into_iter().chain(after_new).min().unwrap_or(usize::MAX)
    }

    /// The result.
    fn conclude(&mut self, coverage: &Coverage) {
        let consulted_all = self.stage == Stage::CapabilityList;
        self.stage = Stage::Done;
        self.miss_named(consulted_all);
        let lists: Vec<&List> = coverage.order.iter().filter_map(|index| self.lists.get(*index)).collect();
        let is_missing = self.found.documents.iter().any(|read| read.unread.is_some());
        let older = if self.accepts_older { Vec::new() } else { self.older(&lists) };
        let is_new = |list: &&&List| list.entries > list.skipped();
        let state = if self.is_unread || (is_missing && self.is_after_baseline) {
            State::Unread
        } else if !older.is_empty() {
            State::Older
        } else if self.sources.is_empty() && consulted_all {
            State::Absent
        } else if (coverage.gap.is_some() || is_missing) && !self.crosses_gaps {
            State::Gap
        } else if !lists.iter().any(|list| is_new(&list)) {
            State::Unchanged
        } else if lists.iter().filter(is_new).any(|list| list.continued.is_none() && list.grown.is_none())
            && !self.before.open.is_empty()
        {
            let is_next = lists.iter().any(|list| list.until.is_some());
            if is_next { State::Next } else { State::Rewritten }
        } else if lists.iter().any(|list| list.until.is_some()) {
            State::Next
        } else {
            State::Continued
        };
        let ahead = lists.iter().find_map(|list| {
            let is_ahead = |time: &&Time| time.seconds() > self.clock().saturating_add(AHEAD);
            let time = [&list.ahead, &list.until, &list.from].into_iter().flatten().find(is_ahead)?;
            Some((list.uri.clone(), time.text.clone()))
        });
        let first = self.first_whole(coverage);
        let part = |list: &List, from: u64| Part {
            document: list.number,
            order: list.order(),
            from: from.max(list.listed(self.is_entry_by_entry)),
        };
        let read = |list: &&&List| !list.is_same;
        let known = lists.iter().take(first).filter(read).map(|list| part(list, list.skipped()));
        let whole = lists.iter().skip(first).filter(read).map(|list| part(list, 0));
        let order: Vec<Part> = known.chain(whole).collect();
        let checkpoint = match state.is_complete() {
            true => self.checkpoint(&lists, coverage.hole.clone().or_else(|| self.unclosed(&lists)), consulted_all),
            false => self.given.clone(),
        };
        self.found.state = state;
        self.found.gap.clone_from(&coverage.gap);
        self.found.ahead = ahead;
        if state.is_complete() {
            self.found.slices = self.slices(&lists, &order);
            self.found.rewritten = self.rewritten(coverage.gap.is_some());
            self.found.ended = self.ended(&lists);
            self.found.order = order;
        }
        self.found.older = older;
        self.found.checkpoint = checkpoint;
        if state.is_complete() {
            let as_of = self.found.checkpoint.as_of.clone();
            self.found.checkpoint.closed = self.found.closed(&self.before, as_of.as_deref(), &[]);
            self.found.checkpoint.inner = self.inner(&self.found.checkpoint.closed, as_of.as_deref());
        }
    }

    /// The new entries of the documents to process.
    fn slices(&self, lists: &[&List], order: &[Part]) -> Vec<Slice> {
        let since = if self.before.open.is_empty() { self.as_of.as_ref() } else { self.baseline.as_ref() };
        let text = |time: &Time| time.text.clone();
        let slice = |part: &Part| {
            let list = lists.iter().find(|list| list.number == part.document)?;
            (part.from < list.entries).then(|| Slice {
                uri: list.uri.clone(),
                from: part.from,
                entries: list.entries,
                prefix: list.prefix(),
                since: since.filter(|_| self.is_entry_by_entry || part.order != Order::Forward).map(text),
                until: list.until.as_ref().map(text),
            })
        };
        order.iter().filter_map(slice).collect()
    }

    /// True if a list that begins then was processed to its end. Where no list is kept, the last one ended at the moment that was seen last.
    fn has_ended(&self, uri: &str, from: Option<&Time>) -> bool {
        let Checkpoint { as_of, baseline, open, closed, seen, .. } = &self.before;
        if closed.is_empty() && open.is_empty() && !self.is_entry_by_entry {
            return as_of.is_some() && *as_of == seen.until && as_of != baseline;
        }
        let begins = |closed: &Open| from.is_none_or(|from| closed.from.as_deref() == Some(&*from.text));
        self.before.closed.iter().any(|closed| key(&closed.uri) == key(uri) && begins(closed))
    }

    /// The state to store of a list. Entry by entry, a rewritten list is an error whatever it has.
    fn state_of(&self, list: &List) -> Open {
        let open = list.open();
        let marks = match (self.is_entry_by_entry, list.is_same) {
            (true, _) => String::new(),
            (false, true) => open.marks,
            (false, false) => self.newest.text(list),
        };
        Open { marks, ..open }
    }

    /// The closed lists that are processed now, and those that were and are still there.
    fn ended(&self, lists: &[&List]) -> Vec<(Open, String)> {
        let delivered = self.lists.iter().filter(|list| list.is_delivered);
        let closed = lists.iter().copied().chain(delivered).filter_map(|list| Some((list, list.until.as_ref()?)));
        closed
            .map(|(list, until)| (Open { etag: None, modified: None, ..self.state_of(list) }, until.text.clone()))
            .collect()
    }

    /// The lists that were open, and of which no list has the processed entries any more. Where changes are missing, one that is not there may
    /// have been removed with them.
    fn rewritten(&self, is_gap: bool) -> Vec<String> {
        let is_there = |open: &Open| {
            let mut lists = self.lists.iter();
            lists.any(|list| list.uri == open.uri && list.from.as_ref().map(|from| &*from.text) == open.from.as_deref())
        };
        let is_known = |open: &&Open| self.lists.iter().any(|list| list.begins_with(open));
        let open = self.before.open.iter().filter(|open| open.entries > 0 && (!is_gap || is_there(open)));
        let open = open.filter(|open| !is_known(open)).map(|open| open.uri.clone());
        let is_other = |list: &&List| {
            let is_of = |closed: &Open| {
                closed.uri == list.uri && closed.from.as_deref() == list.from.as_ref().map(|from| &*from.text)
            };
            self.is_entry_by_entry
                && !list.is_delivered
                && list.continued.is_none()
                && self.before.closed.iter().any(is_of)
        };
        open.chain(self.lists.iter().filter(is_other).map(|list| list.uri.clone())).collect()
    }

    /// Lists that are older than those seen before.
    fn older(&self, lists: &[&List]) -> Vec<(String, String, String)> {
        let mut older = Vec::new();
        let mut check = |list: &List, time: Option<&Time>, seen: Option<&str>| {
            if let Some((time, seen)) = time.zip(Time::read(seen))
                && !time.reaches(&seen)
            {
                older.push((list.uri.clone(), time.text.clone(), seen.text));
            }
        };
        let open = self.lists.iter().filter(|list| list.until.is_none());
        if let Some((list, from)) = latest(&mut open.filter_map(|list| Some((list, list.from.as_ref()?)))) {
            check(list, Some(from), self.before.seen.from.as_deref());
        }
        // A list that was open is closed now, at any time; only the others were closed before.
        // Where none of them is of the Source as it is now, they do not show that it is older.
        let closed = self.lists.iter().filter(|list| !list.was_open() && list.until.is_some());
        if closed.clone().any(|list| !self.is_replaced(list))
            && let Some((list, until)) = latest(&mut closed.filter_map(|list| Some((list, list.until.as_ref()?))))
        {
            let later = |one: Time, other: Time| if one.compare(&other) == Ordering::Less { other } else { one };
            let until = Time::later(
                Some(until.clone()),
                self.claims.values().filter_map(|[_, until]| until.clone()).reduce(later),
            );
            check(list, until.as_ref(), self.before.seen.until.as_deref());
        }
        // The same list without its last entries.
        for list in lists.iter().filter(|list| list.continued.is_none()) {
            let same = |open: &&Open| {
                open.uri == list.uri && open.from.as_deref() == list.from.as_ref().map(|from| from.text.as_str())
            };
            if let Some(open) = self.before.open.iter().find(same) {
                check(list, list.last.as_ref(), open.last.as_deref());
            }
        }
        older
    }

    /// True if an index states another beginning of an open list than the closed one has that was read at its URI: a cache has one of the two
    /// in an earlier state. Were the index known then, it would be unchanged, and its open list never read.
    fn is_contradicted(&self, index: &Known) -> bool {
        self.lists.iter().filter(|list| list.until.is_some()).any(|list| {
            let uri = key(&list.uri);
            let is_named = self.parents.get(&uri).is_some_and(|parents| parents.contains(&key(&index.uri)));
            let claimed = self.claims.get(&uri).filter(|[_, until]| is_named && until.is_none());
            let times = list.from.as_ref().zip(claimed.and_then(|[from, _]| from.as_ref()));
            times.is_some_and(|(own, claimed)| own.compare(claimed) != Ordering::Equal)
        })
    }

    /// The changes between an open list of an index and the list after it. It was closed when that one began, so what was read of it is
    /// of an earlier state, unless its changes reach that far.
    fn unclosed(&self, lists: &[&List]) -> Option<Gap> {
        if self.accepts_older || !self.has_index {
            return None;
        }
        lists.iter().zip(lists.iter().skip(1)).find_map(|(list, next)| {
            let end = Time::later(list.last.clone(), list.from.clone()).filter(|_| list.until.is_none())?;
            let is_ahead = |time: &Time| time.seconds() > self.clock().saturating_add(AHEAD);
            let next = next.from.as_ref().filter(|next| !end.reaches(next) && !is_ahead(next))?;
            let after = Time::later(Some(end), self.as_of.clone())?;
            (!after.reaches(next)).then(|| Gap { after: Some(after.text), before: Some(next.text.clone()) })
        })
    }

    /// The state to store.
    fn checkpoint(&self, lists: &[&List], hole: Option<Gap>, consulted_all: bool) -> Checkpoint {
        let clock = self.clock();
        let is_past = |time: &&Time| time.seconds() <= clock.saturating_add(AHEAD);
        let mut as_of = self.as_of.clone();
        let mut seen = match self.accepts_older {
            true => Seen::default(),
            false => self.before.seen.clone(),
        };
        let later = |seen: &mut Option<String>, time: Option<&Time>| {
            let own = Time::read(seen.as_deref());
            *seen = Time::later(own, time.filter(is_past).cloned()).map(|time| time.text);
        };
        for list in lists {
            // An open list has all changes since it begins. What a closed one has after its end shows nothing about other changes of that time.
            let is_over = |last: &&Time| list.until.as_ref().is_some_and(|until| until.is_before(last));
            let last = list.last.as_ref().filter(|last| !is_over(last));
            for time in [list.from.as_ref(), last, list.until.as_ref()].into_iter().flatten().filter(is_past) {
                as_of = Time::later(as_of, Some(capped(time, clock)));
            }
            match list.until {
                Some(_) => later(&mut seen.until, list.until.as_ref()),
                None => later(&mut seen.from, list.from.as_ref()),
            }
        }
        let open = lists.iter().filter(|list| list.until.is_none()).map(|list| self.state_of(list)).collect();
        let has_consulted = self.named.is_some()
            || consulted_all
            || self
                .found
                .documents
                .iter()
                .any(|read| read.is_same && matches!(read.role, Role::Changes | Role::CapabilityList));
        let known: BTreeSet<&String> = self.sources.iter().collect();
        Checkpoint {
            hole: hole.or_else(|| self.before.hole.clone().filter(|hole| !lists.iter().any(|list| list.fills(hole)))),
            set: self.before.set.clone(),
            as_of: as_of.map(|as_of| as_of.text),
            baseline: self.before.baseline.clone(),
            sources: self.sources.clone(),
            dumps: self.dumps.clone(),
            open,
            closed: Vec::new(),
            inner: None,
            documents: self
                .documents
                .iter()
                .filter(|document| document.role == Role::CapabilityList || known.contains(&document.uri))
                .filter(|document| !self.is_contradicted(document))
                .cloned()
                .collect(),
            seen,
            consulted: if has_consulted { clock } else { self.before.consulted },
        }
    }
}

/// The list with the latest time.
fn latest<'l>(lists: &mut dyn Iterator<Item = (&'l List, &'l Time)>) -> Option<(&'l List, &'l Time)> {
    lists.reduce(|one, other| if one.1.compare(other.1) == Ordering::Less { other } else { one })
}

/// A time, or that of the server if it is earlier.
fn capped(time: &Time, clock: i64) -> Time {
    if time.seconds() <= clock {
        return time.clone();
    }
    let now = Datetime::from_unix(clock, 0).and_then(|now| Time::read(Some(&now.to_string())));
    now.unwrap_or_else(|| time.clone())
}
