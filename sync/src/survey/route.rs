//! The order of the documents: the start, Source Descriptions, Capability Lists, lists and their members.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::cmp::Ordering;

use resourcesync::{
    diagnostic::{Reason, ReasonCode},
    model::Kind,
    rules::{KindProfile, Level},
    source::{
        Response,
        discovery::{announcements, header_targets, resolve, sitemaps},
    },
    value::{Capability, key},
};

use super::{
    AHEAD, Event, Known, Read, Reading, Role, Set, Skipped, Snapshot, Survey, Task, clock,
    content::{Child, Content},
    is_list, snapshot,
};
use crate::{listed_resource::moment, stored_state::comparable};

impl Survey {
    /// A completely read body.
    pub(super) fn take(&mut self, mut reading: Reading) {
        let digest = reading.content.digest();
        let Reading { task, number, head, mut content, .. } = reading;
        let is_same = self.known(&task).is_some_and(|known| match head.status {
            // Without a condition, 304 has no meaning.
            304 => known.etag.is_some() || self.date_of(known).is_some(),
            200 => known.digest == digest,
            _ => false,
        });
        if self.is_polling {
            match is_same {
                true => {
                    let at = self.before.at(&task.uri).map(ToString::to_string);
                    let kind = match task.role {
                        Role::CapabilityList => Kind::CapabilityList,
                        Role::List | Role::Member | Role::Manifest => Kind::ResourceList,
                        _ => Kind::SourceDescription,
                    };
                    self.found.documents.push(Read {
                        uri: task.uri,
                        role: task.role,
                        kind,
                        entries: 0,
                        at,
                        unread: None,
                        is_same: true,
                    });
                }
                false => self.begin(),
            }
            return;
        }
        if task.role == Role::Again {
            if !is_same {
                self.mixed(task.index.as_ref().unwrap_or(&task.uri));
            }
            return;
        }
        if head.status != 200 {
            let reason = Reason::new(ReasonCode::HttpStatus).arg("status", head.status);
            return self.unread(&task, number, reason);
        }
        let is_document = content.problem.is_none() && content.kind != Kind::Unknown;
        if !is_document && matches!(task.role, Role::Start | Role::Robots) {
            let response = Response { headers: Some(head.headers.clone()), ..Response::found(&head.uri) };
            let (targets, role) = match task.role {
                Role::Robots => (sitemaps(&String::from_utf8_lossy(&content.text)), Role::Start),
                _ => (announced(&String::from_utf8_lossy(&content.text), &response), Role::CapabilityList),
            };
            // What is left of a document must not be passed over in favour of the next candidate, which may list less.
            if !targets.is_empty() || !content.is_cut() {
                return self.lead(&task, number, targets, role);
            }
        }
        if let Some(reason) = content.problem.take() {
            return self.unread(&task, number, reason);
        }
        let children = core::mem::take(&mut content.children);
        let expects = |roles: &[Role]| roles.contains(&task.role);
        let mut role = task.role;
        match content.kind {
            kind if KindProfile::of(kind).level == Level::Source && expects(&[Role::Start, Role::Description]) => {
                role = Role::Description;
                let is_index = content.kind == Kind::SourceDescriptionIndex;
                let below = if is_index { Role::Description } else { Role::CapabilityList };
                let is_selected = |uri: &str| is_index || self.sets.is_empty() || self.sets.contains(&key(uri));
                let children: Vec<_> = children.into_iter().filter(|child| is_selected(&child.uri)).collect();
                for child in children {
                    self.want(Task::new(child.uri, below));
                }
                self.found.lists_complete &= content.unreadable == 0;
            }
            Kind::CapabilityList if expects(&[Role::Start, Role::Description, Role::CapabilityList]) => {
                role = Role::CapabilityList;
                let of = |capability: Capability| {
                    children.iter().filter(move |child| child.capability.as_ref() == Some(&capability))
                };
                let uris = |capability| -> Vec<_> { of(capability).map(|child| child.uri.clone()).collect() };
                let (mut lists, dumps) = (uris(Capability::ResourceList), uris(Capability::ResourceDump));
                let has_only_dumps = lists.is_empty();
                if !dumps.is_empty() {
                    let skipped = match (has_only_dumps, self.by_dumps) {
                        (true, _) => Skipped::Nothing,
                        (false, true) => Skipped::Lists,
                        (false, false) => Skipped::Dumps,
                    };
                    self.found.remembered.skipped = self.found.remembered.skipped.max(Some(skipped));
                }
                if has_only_dumps || (self.by_dumps && !dumps.is_empty()) {
                    lists.clone_from(&dumps);
                }
                if lists.is_empty() {
                    let reason = Reason::other("it names neither a Resource List nor a Resource Dump");
                    return self.unread(&task, number, reason);
                }
                let change_dumps = uris(Capability::ChangeDump);
                let lists_of_changes = Some(uris(Capability::ChangeList)).filter(|lists| !lists.is_empty());
                let changes = lists_of_changes.unwrap_or_else(|| change_dumps.clone());
                let uri = task.uri.clone();
                self.found.sets.push(Set { uri, changes, change_dumps, dumps, has_only_dumps, ..Set::default() });
                if self.found.sets.len() > 1 && !self.has_several {
                    self.has_several = true;
                    // Lists that were read before have been taken for those of the only set.
                    if self.found.documents.iter().any(|read| matches!(read.role, Role::List | Role::Member)) {
                        return self.begin();
                    }
                }
                for uri in lists {
                    self.want(Task { set: task.uri.clone(), ..Task::new(uri, Role::List) });
                }
            }
            Kind::ResourceList
            | Kind::ResourceListIndex
            | Kind::ResourceDump
            | Kind::ResourceDumpIndex
            | Kind::ChangeList
            | Kind::ChangeListIndex
                if task.role == Role::Start && content.up.is_some() =>
            {
                let is_resource_list = !matches!(content.kind, Kind::ChangeList | Kind::ChangeListIndex);
                let up = content.up.take().unwrap_or_default();
                return self.ascend(&task, number, up, Role::CapabilityList, is_resource_list);
            }
            Kind::ResourceListIndex | Kind::ResourceDumpIndex if expects(&[Role::Start, Role::List]) => {
                role = Role::List;
                self.want_members(&task, &content, &digest, children, Role::Member);
                self.found.unreadable_entries = self.found.unreadable_entries.saturating_add(content.unreadable);
            }
            Kind::ResourceDump if expects(&[Role::Start, Role::List, Role::Member]) => {
                if task.role == Role::Start {
                    role = Role::List;
                }
                if self.is_of_another_snapshot(&task, &content) {
                    return;
                }
                self.want_members(&task, &content, &digest, children, Role::Manifest);
                self.found.unreadable_entries = self.found.unreadable_entries.saturating_add(content.unreadable);
            }
            Kind::ResourceDumpManifest if task.role == Role::Manifest => {
                if self.is_of_another_snapshot(&task, &content) {
                    return;
                }
                self.count(&content, number, 0);
            }
            Kind::ResourceList if expects(&[Role::Start, Role::List, Role::Member]) => {
                if task.role == Role::Start {
                    role = Role::List;
                }
                if let Some(index) = content.index.take().filter(|_| task.role == Role::Start) {
                    return self.ascend(&task, number, index, Role::List, true);
                }
                let members = children.len() as u64;
                if members > 0 && task.role == Role::Member {
                    return self.wrong_kind(&task, number, Kind::ResourceListIndex.title());
                }
                if self.is_of_another_snapshot(&task, &content) {
                    return;
                }
                if self.repeats_another(&task, &content, &digest) {
                    let reason = Reason::other("it has the bytes of another part of this list");
                    return self.unread(&task, number, reason);
                }
                let next = content.next.take();
                if members > 0 || next.is_some() {
                    self.want_members(&task, &content, &digest, children, Role::Member);
                }
                if let Some(uri) = next {
                    let (set, index) = (task.set.clone(), Some(task.uri.clone()));
                    self.want(Task { set, index, ..Task::new(uri, role) });
                }
                self.count(&content, number, members);
            }
            kind => return self.wrong_kind(&task, number, kind.title()),
        }
        let is_list = is_list(role);
        let mut at = content.at.take().filter(|_| is_list);
        let seen = self.before.at(&task.uri).map(ToString::to_string);
        let is_older = |now: &str, seen: &str| {
            moment(now).zip(moment(seen)).is_some_and(|(now, seen)| snapshot::compare(&now, &seen) == Ordering::Less)
        };
        if let Some((now, seen)) = at.as_deref().zip(seen.as_deref()).filter(|(now, seen)| is_older(now, seen))
            && !self.accepts_older
        {
            let older = (task.uri.clone(), now.to_string(), seen.to_string());
            // It may be the copy of a cache.
            if !self.again.no_cache() && self.again.begin() {
                return self.begin();
            }
            self.found.older.push(older);
            self.found.lists_complete = false;
        }
        let now = clock(self.found.date, self.now);
        let etag = head.header("etag").map(ToString::to_string);
        let modified = comparable(head.header("last-modified"), head.header("date"));
        if let Some(index) = task.index.as_ref().filter(|_| is_list && role != Role::Manifest) {
            // To ask whether it changed costs nothing; to read it again is worth it where its time would not tell.
            let is_current =
                || self.snapshots.get(index).is_some_and(|all| all.is_current(&task.uri, at.as_deref(), now));
            if etag.is_some() || modified.is_some() || is_current() {
                self.rereads.push(Task { index: Some(index.clone()), ..Task::new(task.uri.clone(), Role::Again) });
            }
        }
        let most = now.saturating_add(AHEAD);
        let is_ahead = |at: &&str| moment(at).is_some_and(|at| Some(at.to_unix().0) > self.reached.max(Some(most)));
        let ahead = at.as_deref().filter(is_ahead).map(ToString::to_string);
        if let Some(ahead) = &ahead {
            self.found.ahead.push((task.uri.clone(), ahead.clone()));
        }
        if is_list {
            self.note_list(&task, role, at.as_deref(), ahead.is_some(), &digest);
        }
        if ahead.is_some() {
            at = seen.filter(|_| !self.accepts_older);
        }
        self.found.remembered.documents.push(Known {
            uri: task.uri.clone(),
            role,
            is_start: task.is_start,
            etag,
            modified,
            digest,
            at: at.clone(),
            is_ahead: ahead.is_some(),
        });
        let at = ahead.or(at);
        let (kind, entries) = (content.kind, content.entries);
        self.found.documents.push(Read { uri: task.uri, role, kind, entries, at, unread: None, is_same: false });
    }

    /// Counts the resources of a list that was read to its end; `members` of its entries are other lists.
    fn count(&mut self, content: &Content, number: u32, members: u64) {
        self.found.unreadable_entries = self.found.unreadable_entries.saturating_add(content.unreadable);
        let others = content.unreadable.saturating_add(members);
        self.found.listed = self.found.listed.saturating_add(content.entries.saturating_sub(others));
        self.events.push(Event::Counts(number));
    }

    /// Notes a list with its set.
    fn note_list(&mut self, task: &Task, role: Role, at: Option<&str>, is_ahead: bool, digest: &str) {
        let known = self.before.documents.iter().find(|known| known.uri == task.uri);
        if let Some((at, known)) = at.zip(known)
            && known.at.as_deref() == Some(at)
            && known.digest != digest
            && !self.accepts_older
        {
            self.found.rewritten.push((task.uri.clone(), at.to_string()));
        }
        let uri = if task.set.is_empty() { &task.uri } else { &task.set };
        let sets = &mut self.found.sets;
        if sets.iter().all(|set| set.uri != *uri) {
            sets.push(Set { uri: uri.clone(), ..Set::default() });
        }
        if let Some(set) = sets.iter_mut().find(|set| set.uri == *uri) {
            // A time ahead of the clock is none, also for a member.
            set.note(at.filter(|_| !is_ahead), role != Role::List && !is_ahead);
        }
    }

    /// Continues with the links of a start.
    fn lead(&mut self, task: &Task, number: u32, targets: Vec<String>, role: Role) {
        self.events.push(Event::Dropped(number));
        // What it leads to may name it again.
        self.seen.remove(&key(&task.uri));
        if targets.is_empty() {
            // One of several `Sitemap:` lines: an ordinary sitemap, or a page.
            let has_others = !self.tasks.is_empty() || !self.found.documents.is_empty();
            if !task.is_start && has_others {
                return;
            }
            if !self.candidates.is_empty() {
                return self.try_next();
            }
            let reason = Reason::other("it does not lead to a ResourceSync document");
            return self.unread(task, number, reason);
        }
        for uri in targets {
            self.want(Task { is_probe: task.role == Role::Robots, ..Task::new(uri, role) });
        }
    }

    /// Continues with the document above a Resource List that the user named, which is read alone if there is none.
    fn ascend(&mut self, task: &Task, number: u32, uri: String, role: Role, is_resource_list: bool) {
        self.events.push(Event::Dropped(number));
        self.seen.remove(&key(&task.uri));
        let named_by = Some(task.uri.clone()).filter(|_| is_resource_list && task.is_start);
        self.want(Task { named_by, ..Task::new(uri, role) });
    }

    /// Continues with the members of an index, or the packages of a dump; all of them belong to one snapshot.
    fn want_members(&mut self, index: &Task, content: &Content, digest: &str, members: Vec<Child>, role: Role) {
        self.rereads.push(Task::new(index.uri.clone(), Role::Again));
        self.snapshots.insert(index.uri.clone(), Snapshot::of(content, digest, &members));
        for member in members {
            if key(&member.uri) == key(&index.uri) {
                self.found.lists_complete = false;
                self.found.documents.push(Read::unread(&member.uri, role, Reason::other("it names itself as a part")));
                continue;
            }
            let (set, of) = (index.set.clone(), Some(index.uri.clone()));
            self.want(Task { set, index: of, stated: member.stated, ..Task::new(member.uri, role) });
        }
    }

    /// True if a member is not of the snapshot of its index, and all is read again.
    fn is_of_another_snapshot(&mut self, task: &Task, content: &Content) -> bool {
        let Some(index) = &task.index else { return false };
        self.snapshots.get_mut(index).is_some_and(|snapshot| !snapshot.takes(&task.uri, content)) && self.mixed(index)
    }

    /// True if a list with entries has the bytes of another part of its index: a server that ignores a part of the URI would give each of them the same.
    fn repeats_another(&mut self, task: &Task, content: &Content, digest: &str) -> bool {
        let snapshot = task.index.as_ref().and_then(|index| self.snapshots.get_mut(index));
        content.entries > 0 && snapshot.is_some_and(|snapshot| !snapshot.is_new(digest))
    }

    /// An index changed while its members were read, or these are of another snapshot. True if all is read again.
    fn mixed(&mut self, index: &str) -> bool {
        let is_again = self.again.begin();
        match is_again {
            true => self.begin(),
            false => self.found.mixed = Some(index.to_string()),
        }
        is_again
    }
}

/// The Capability Lists linked in the headers or the head of a page.
fn announced(page: &str, response: &Response) -> Vec<String> {
    let mut targets = header_targets(response, "resourcesync");
    let (found, base) = announcements(page);
    let base = base.and_then(|base| resolve(&response.uri, &base)).unwrap_or_else(|| response.uri.clone());
    let hrefs = found.into_iter().filter(|one| one.problem.is_none()).filter_map(|one| one.href);
    targets.extend(hrefs.filter_map(|href| resolve(&base, &href)));
    targets
}
