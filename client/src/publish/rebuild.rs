//! Checks the state of a Source, and rebuilds it from the published documents.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use resourcesync::{
    api::plain,
    build::{ChangeHistory, DumpHistory, Interval, Opened, PackageRecord},
    model::Kind,
    publish::{
        ABOUT, CHANGES, Change, Dump, INVENTORY, Mismatch, Notified, Overlay, Record, Set, State, merged, prefix,
    },
    value::{Change as Verb, Datetime, Parsed, Value},
};
use resourcesync_notify::{
    payload::Channel,
    publication::{Channels, topic_file},
};

use super::{
    Error, Options,
    files::{PACKED, PLAIN},
    grouped::{InventoryFile, Lines, unwritten},
    known::Known,
    names,
    new_generation::channels,
    resource_list_input::{ListHead, entries, members},
    state_files::{self, damaged},
};
use crate::{
    cancel::Cancel,
    folder::{FolderError, Generations, Next},
    sort::Sorter,
    system::reason,
};

/// The state of a Source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// The time of publication.
    pub at: Datetime,
    /// Resources.
    pub resources: u64,
    /// Changes in the open Change Lists.
    pub changes: u64,
}

/// The Source Description.
const DESCRIPTION: &str = ".well-known/resourcesync";

/// Compares every file of the state, and every published file, with the digests of `state.json`.
///
/// # Errors
///
/// If one is damaged or missing.
pub fn verify_state(out: &Path) -> Result<Verified, Error> {
    let generations = Generations::open(out, u64::MAX)?;
    let current = generations.current().ok_or_else(|| none(out))?;
    let Known { ledger, .. } = Known::open(&current)?;
    let state = &ledger.state;
    state_files::check(state, &current.known)?;
    state_files::check_published(state, &current.public, true)?;
    for (name, set) in &state.sets {
        for package in set.dump.iter().flat_map(|dump| &dump.history.packages) {
            let path = current.public.join(format!("{}changedump-{}.zip", prefix(name), package.number));
            check_package(&path, Some(&package.sha256), "state.json")?;
        }
        let list = format!("{}resourcedump{}", prefix(name), state.suffix);
        if state.files.contains_key(&list) {
            // The state has no digests of these packages, and this document has.
            let (path, cancel) = (current.public.join(list), Cancel::default());
            entries(&path, (Kind::ResourceDump, false), &mut ListHead::default(), &cancel, &mut |entry| {
                let package = current.public.join(path_below(&entry.uri, &state.documents_uri)?);
                check_package(&package, entry.hashes.get("sha-256"), "the Resource Dump")
            })?;
        }
    }
    summary(state, ledger.resources())
}

/// Compares a package with its digest.
fn check_package(path: &Path, sha256: Option<&str>, place: &str) -> Result<(), Error> {
    let found = state_files::record(path).map_err(|error| damaged(path, &reason(&error).to_string()))?;
    match found.sha256.as_deref() == sha256 {
        true => Ok(()),
        false => Err(damaged(path, &format!("its digest is not that of {place}"))),
    }
}

/// Rebuilds the state of the published generation from its documents. Information that is only in the state is lost: the times at which
/// files were last read, so that the next run reads all of them.
///
/// # Errors
///
/// If nothing is published there, or the documents cannot be read.
pub fn rebuild_state(options: &Options, cancel: &Cancel) -> Result<Verified, Error> {
    let generations = Generations::open_unchecked(&options.out, options.keep_generations)?;
    let current = generations.current().ok_or_else(|| none(&options.out))?;
    let next = generations.begin()?;
    let rebuild = Rebuild { public: &current.public, documents: options.documents().as_str(), cancel };
    let (mut state, own) = rebuild.state(&next, options)?;
    state_files::write(&mut state, &next.folder, &current.public)?;
    state.files.retain(|name, _| own.contains(name));
    // The next generation takes them over.
    let lists = state.sets.iter().flat_map(|(set, own)| {
        let list = |number| format!("{}changelist-{number}{}", prefix(set), state.suffix);
        own.changes.closed.iter().map(move |closed| list(closed.number))
    });
    let packages = state.sets.values().flat_map(|set| set.dump.iter().flat_map(|dump| dump.files.iter().cloned()));
    if let Some(missing) = lists.chain(packages).find(|name| !state.files.contains_key(name)) {
        return Err(damaged(&current.public.join(missing), "the Source links to it, and it is missing"));
    }
    state_files::save(&state, &next.folder)?;
    let resources = state.parts.get(INVENTORY).and_then(|part| part.lines).unwrap_or(0);
    let summary = summary(&state, resources)?;
    generations.replace_state(next)?;
    Ok(summary)
}

fn none(out: &Path) -> Error {
    Error::Folder(FolderError::NotOurs(out.to_owned()))
}

fn summary(state: &State, resources: u64) -> Result<Verified, Error> {
    let changes = state.sets.values().map(|set| set.open).sum();
    Ok(Verified { at: state_files::moment(state)?, resources, changes })
}

/// A published Source whose state is being rebuilt.
struct Rebuild<'a> {
    public: &'a Path,
    documents: &'a str,
    cancel: &'a Cancel,
}

impl Rebuild<'_> {
    /// The state, and the names of its files.
    fn state(&self, next: &Next<'_>, options: &Options) -> Result<(State, BTreeSet<String>), Error> {
        let (mut lists, mut own) = (Vec::new(), BTreeSet::from([DESCRIPTION.to_owned()]));
        own.extend(options.describedby.is_none().then(|| ABOUT.to_owned()));
        self.entries(&self.public.join(DESCRIPTION), Kind::SourceDescription, &mut |entry| {
            lists.push(self.path(&entry.uri)?);
            own.extend(self.linked(&entry));
            Ok(())
        })?;
        let suffix = if lists.iter().any(|list| list.ends_with(PACKED)) { PACKED } else { PLAIN };
        let mut sets = BTreeMap::new();
        let mut resources = Sorter::new(&next.folder, "resources");
        let mut changes = Sorter::new(&next.folder, "changes");
        let mut head = ListHead::default();
        for list in &lists {
            self.resources(set_of(list), suffix, &mut resources, &mut head)?;
        }
        let at = head.at.ok_or_else(|| {
            let place = self.public.display();
            Error::new(format!(
                "no Resource List in {place} has an `at` that the Source could continue from; publish to another --out"
            ))
        })?;
        let mut later = Later { at: at.clone(), last: at, overlay: Overlay::default() };
        let mut has_channels = false;
        for list in &lists {
            has_channels |= self.documents_of(list, suffix, &mut own, options)?;
            let set = self.changes(set_of(list), suffix, &mut own, &mut changes, &mut later)?;
            sets.insert(set_of(list).to_owned(), set);
        }
        let Later { last: at, overlay, .. } = later;
        if has_channels {
            // What was announced of documents is not known, so the next run announces them.
            let until = at.to_string();
            for set in sets.values_mut() {
                set.notified = Some(Notified { until: until.clone(), documents: Vec::new() });
            }
        }
        let unsorted = |error: std::io::Error| unwritten(&next.folder, &error);
        let mut inventory = InventoryFile::create(&next.folder)?;
        let resources = resources.finish().map_err(unsorted)?.map(|record| record.map_err(unsorted));
        let mut last: Option<(String, String)> = None;
        for record in merged(resources, overlay) {
            let record = record?;
            let key = (record.set.clone(), record.uri.clone());
            if last.as_ref() == Some(&key) {
                return Err(damaged(&self.public.join(&key.0), &format!("its Resource Lists list {} twice", key.1)));
            }
            last = Some(key);
            inventory.push(&record)?;
        }
        inventory.finish()?;
        let mut open = Lines::create(next.folder.join(CHANGES))?;
        for change in changes.finish().map_err(unsorted)? {
            open.push(&change.map_err(unsorted)?)?;
        }
        open.finish()?;
        let base = options.resources.base_uri.as_str();
        let mut state = State::new(&at, (base, self.documents, suffix), String::new());
        state.sets = sets;
        state.remembered = Some(options.remembered(None));
        let topics = channels(options).map(|channels| channels.topics_uri(options.documents()));
        state.topics_uri = topics.filter(|_| has_channels).map(str::to_owned);
        // INVARIANT: later runs that state changes continue with the options of this one.
        state.check_parts(true, topics.is_some() || options.no_hub, topics)?;
        Ok((state, own))
    }

    /// The names of what an entry lists and links to, except for a description, which is written here only if no other is given.
    fn linked(&self, entry: &plain::Entry) -> Vec<String> {
        let links = entry.links.iter().filter(|link| link.rel.as_deref() != Some("describedby"));
        let links = links.filter_map(|link| link.href.as_deref());
        links.chain([&*entry.uri]).filter_map(|uri| self.path(uri).ok()).collect()
    }

    /// Adds the names of the documents and packages of a set, to which its Capability List leads. Files of others may have such names. True if
    /// it has notification channels, whose topics the Source may serve.
    fn documents_of(
        &self,
        list: &str,
        suffix: &str,
        own: &mut BTreeSet<String>,
        options: &Options,
    ) -> Result<bool, Error> {
        let (set, mut has_channels) = (set_of(list), false);
        own.insert(list.to_owned());
        let documents = options.documents();
        let topic = |channels: &Channels, channel: &Channel| channels.topic_uri(documents, set, *channel);
        self.entries(&self.public.join(list), Kind::CapabilityList, &mut |entry| {
            if entry.capability.as_ref().is_none_or(|capability| !capability.ends_with("-notification")) {
                own.extend(self.linked(&entry));
                return Ok(());
            }
            has_channels = true;
            let is_given = |channels: &Channels| {
                Channel::ALL.iter().any(|own| topic(channels, own).is_ok_and(|topic| topic.as_str() == entry.uri))
            };
            match channels(options).filter(|channels| !is_given(channels)) {
                Some(channels) => {
                    let given = channels.topics_uri(documents).to_owned();
                    Err(Mismatch::Topics { published: entry.uri, given }.into())
                }
                None => Ok(()),
            }
        })?;
        if has_channels {
            own.extend(Channel::ALL.iter().map(|channel| topic_file(set, *channel)));
        }
        for (name, kind) in [
            ("resourcelist", Kind::ResourceListIndex),
            ("changelist", Kind::ChangeListIndex),
            ("resourcedump", Kind::ResourceDump),
            ("changedump", Kind::ChangeDump),
        ] {
            let path = self.public.join(format!("{}{name}{suffix}", prefix(set)));
            if path.is_file() {
                entries(&path, (kind, true), &mut ListHead::default(), self.cancel, &mut |entry| {
                    own.extend(self.linked(&entry));
                    Ok(())
                })?;
            }
        }
        Ok(has_channels)
    }

    /// Reads every entry of a document.
    fn entries(
        &self,
        path: &Path,
        kind: Kind,
        take: &mut dyn FnMut(plain::Entry) -> Result<(), Error>,
    ) -> Result<(), Error> {
        entries(path, (kind, false), &mut ListHead::default(), self.cancel, take)
    }

    /// The path of a document below the published folder.
    fn path(&self, uri: &str) -> Result<String, Error> {
        path_below(uri, self.documents)
    }

    /// Reads the Resource Lists of a set: the one that its Capability List names, or those of its index.
    fn resources(&self, set: &str, suffix: &str, into: &mut Sorter<Record>, head: &mut ListHead) -> Result<(), Error> {
        let list = self.public.join(format!("{}resourcelist{suffix}", prefix(set)));
        if !list.exists() {
            return Ok(());
        }
        let paths = match members(&list, self.cancel)? {
            Some(names) => names.iter().map(|name| list.with_file_name(name)).collect(),
            None => vec![list],
        };
        for path in paths {
            entries(&path, (Kind::ResourceList, false), head, self.cancel, &mut |entry| {
                let record = Record { set: set.to_owned(), ..Record::from(entry) };
                let size = record.size();
                into.push(record, size).map_err(|error| unwritten(&path, &error))
            })?;
        }
        Ok(())
    }

    fn changes(
        &self,
        set: &str,
        suffix: &str,
        own: &mut BTreeSet<String>,
        into: &mut Sorter<Change>,
        later: &mut Later,
    ) -> Result<Set, Error> {
        let file = |name: &str| self.public.join(format!("{}{name}{suffix}", prefix(set)));
        let (mut closed, mut open) = (Vec::new(), None);
        // One list has no index.
        let mut head = ListHead::default();
        let is_index = (Kind::ChangeListIndex, true);
        entries(&file("changelist"), is_index, &mut head, self.cancel, &mut |entry| {
            let (number, from) = (number(&entry.uri)?, moment(entry.from.as_deref(), &entry.uri)?);
            match entry.until.as_deref() {
                Some(until) => closed.push(Interval { number, from, until: moment(Some(until), &entry.uri)? }),
                None => open = Some(Opened { number, from }),
            }
            Ok(())
        })?;
        for closed in &closed {
            let Some(before) = closed.number.checked_sub(1) else { continue };
            let name = format!("{}changelist-{before}{suffix}", prefix(set));
            if !own.contains(&name) && self.is_copy(&name, &closed.from)? {
                own.insert(name);
            }
        }
        let list = match (&open, closed.is_empty()) {
            (Some(open), _) => file(&format!("changelist-{}", open.number)),
            (None, true) => file("changelist"),
            (None, false) => return Err(damaged(&file("changelist"), "it lists no open Change List")),
        };
        let snapshot = later.at.start();
        for closed in closed.iter().filter(|closed| closed.until.start() > snapshot) {
            let list = file(&format!("changelist-{}", closed.number));
            self.list(&list, set, &mut ListHead::default(), &mut |change| later.add(&change))?;
        }
        let mut count = 0_u64;
        let mut head = ListHead::default();
        self.list(&list, set, &mut head, &mut |change| {
            count = count.saturating_add(1);
            later.add(&change)?;
            let size = change.record.size();
            into.push(change, size).map_err(|error| unwritten(self.public, &error))
        })?;
        let from = || head.from.ok_or_else(|| damaged(&list, "it has no `from`"));
        let open = open.map_or_else(|| from().map(|from| Opened { number: 1, from }), Ok)?;
        Ok(Set {
            changes: ChangeHistory { closed, open },
            open: count,
            dump: self.dump(set, own, &file("changedump"))?,
            notified: None,
        })
    }

    /// True for a copy of a Change List that begins there, which no index lists: one that was open and was closed under another name.
    fn is_copy(&self, name: &str, from: &Datetime) -> Result<bool, Error> {
        let (path, mut head) = (self.public.join(name), ListHead::default());
        if path.is_file() {
            entries(&path, (Kind::ChangeList, true), &mut head, self.cancel, &mut |_| Ok(()))?;
        }
        Ok(head.from.as_ref() == Some(from))
    }

    /// Reads the changes of a Change List.
    fn list(
        &self,
        list: &Path,
        set: &str,
        head: &mut ListHead,
        take: &mut dyn FnMut(Change) -> Result<(), Error>,
    ) -> Result<(), Error> {
        entries(list, (Kind::ChangeList, false), head, self.cancel, &mut |entry| {
            let change = entry.change.as_deref().map_or(Parsed::Malformed, Verb::read);
            let (Parsed::Exact(change) | Parsed::Lenient(change)) = change else {
                return Err(damaged(list, "a change is neither created, updated nor deleted"));
            };
            let datetime = entry.datetime.clone().unwrap_or_default();
            take(Change { change, datetime, record: Record { set: set.to_owned(), ..Record::from(entry) } })
        })
    }

    fn dump(&self, set: &str, own: &BTreeSet<String>, list: &Path) -> Result<Option<Dump>, Error> {
        if !list.is_file() {
            return Ok(None);
        }
        let mut packages = Vec::new();
        let mut head = ListHead::default();
        entries(list, (Kind::ChangeDump, false), &mut head, self.cancel, &mut |entry| {
            let sha256 = entry.hashes.get("sha-256").unwrap_or_default().to_owned();
            packages.push(PackageRecord {
                number: number(&entry.uri)?,
                from: moment(entry.from.as_deref(), &entry.uri)?,
                until: moment(entry.until.as_deref(), &entry.uri)?,
                length: entry.length.unwrap_or(0),
                sha256,
            });
            Ok(())
        })?;
        let next = packages.iter().map(|package| package.number).max().unwrap_or(0).saturating_add(1);
        let from = packages.first().map(|package| package.from.clone()).or(head.from);
        let from = from.ok_or_else(|| damaged(list, "it has no `from`"))?;
        let start = format!("{}resourcedump", prefix(set));
        let files = own.iter().filter(|name| name.starts_with(&start)).cloned().collect();
        Ok(Some(Dump { history: DumpHistory { from, packages, next }, files }))
    }
}

/// The path of a document below the published folder.
fn path_below(uri: &str, documents: &str) -> Result<String, Error> {
    let path = uri.strip_prefix(documents).and_then(names::decode);
    let path = path.and_then(|path| path.to_str().map(str::to_owned));
    path.ok_or_else(|| format!("{uri} is not below --documents-uri {documents}").into())
}

/// The changes since the Resource Lists were written.
struct Later {
    /// When that was.
    at: Datetime,
    /// The time of the last change.
    last: Datetime,
    overlay: Overlay,
}

impl Later {
    fn add(&mut self, change: &Change) -> Result<(), Error> {
        let datetime = moment(Some(&change.datetime), &change.record.uri)?;
        if datetime.start() <= self.at.start() {
            return Ok(());
        }
        self.overlay.add(change);
        if datetime.start() > self.last.start() {
            self.last = datetime;
        }
        Ok(())
    }
}

/// The set of a Capability List.
fn set_of(list: &str) -> &str {
    list.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The number in the name of a document or package.
fn number(uri: &str) -> Result<u64, Error> {
    let name = uri.rsplit('/').next().unwrap_or_default();
    let number = name.split(['-', '.']).nth(1).and_then(|number| number.parse().ok());
    number.ok_or_else(|| format!("{uri} has no number in its name").into())
}

fn moment(text: Option<&str>, uri: &str) -> Result<Datetime, Error> {
    let moment = text.and_then(|text| text.parse().ok());
    moment.ok_or_else(|| format!("the interval of {uri} is not complete").into())
}
