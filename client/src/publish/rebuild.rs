//! Checks the state of a Source, and rebuilds it from the published documents.

use std::{collections::BTreeMap, path::Path};

use resourcesync::{
    api::plain,
    build::{ChangeHistory, DumpHistory, Interval, Opened, PackageRecord},
    model::Kind,
    publish::{ABOUT, CHANGES, Change, Dump, INVENTORY, Overlay, Record, Set, State, merged, prefix},
    value::{Change as Verb, Datetime, Parsed, Value},
};
use resourcesync_notify::{payload::Channel, publication::topic_file};

use super::{
    Error, Options,
    files::{PACKED, PLAIN},
    grouped::{InventoryFile, Lines, unwritten},
    known::Known,
    names,
    resource_list_input::{ListHead, entries, members},
    state_files::{self, damaged},
};
use crate::{
    cancel::Cancel,
    folder::{FolderError, Generations, Next, files_below},
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
    let mut state = rebuild.state(&next, options)?;
    // Foreign files could have such names, so only linked documents count.
    state_files::write(&mut state, &next.folder, &current.public)?;
    let sets: Vec<String> = state.sets.keys().cloned().collect();
    state.files.retain(|name, _| is_own(name, &sets));
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
    fn state(&self, next: &Next<'_>, options: &Options) -> Result<State, Error> {
        let mut lists = Vec::new();
        let description = self.public.join(".well-known/resourcesync");
        self.entries(&description, Kind::SourceDescription, &mut |entry| {
            lists.push(self.path(&entry.uri)?);
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
        let at = head.at.ok_or_else(|| Error::new("the published Resource Lists have no `at`"))?;
        let mut later = Later { at: at.clone(), last: at, overlay: Overlay::default() };
        for list in &lists {
            let set = self.changes(set_of(list), suffix, &mut changes, &mut later)?;
            sets.insert(set_of(list).to_owned(), set);
        }
        let Later { last: at, overlay, .. } = later;
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
        Ok(state)
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

    fn changes(&self, set: &str, suffix: &str, into: &mut Sorter<Change>, later: &mut Later) -> Result<Set, Error> {
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
            dump: self.dump(set, &file("changedump"))?,
            notified: None,
        })
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

    fn dump(&self, set: &str, list: &Path) -> Result<Option<Dump>, Error> {
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
        let sets = [set.to_owned()];
        let files =
            files_below(&self.public.join(set)).map_err(|error| damaged(self.public, &reason(&error).to_string()))?;
        let of_set = files.into_iter().map(|name| format!("{}{name}", prefix(set))).filter(|name| is_own(name, &sets));
        let start = format!("{}resourcedump", prefix(set));
        let files = of_set.filter(|name| name.starts_with(&start)).collect();
        Ok(Some(Dump { history: DumpHistory { from, packages, next }, files }))
    }
}

/// The path of a document below the published folder.
fn path_below(uri: &str, documents: &str) -> Result<String, Error> {
    let path = uri.strip_prefix(documents).and_then(names::decode);
    let path = path.and_then(|path| path.to_str().map(str::to_owned));
    path.ok_or_else(|| format!("{uri} is not below --documents-uri {documents}").into())
}

/// True for the path of a file that publications of these sets write.
fn is_own(path: &str, sets: &[String]) -> bool {
    if path == ".well-known/resourcesync" || path == ABOUT {
        return true;
    }
    sets.iter().any(|set| {
        let Some(name) = path.strip_prefix(&prefix(set)) else { return false };
        let is_topic = || Channel::ALL.iter().any(|channel| path == topic_file(set, *channel));
        is_document(name) || is_topic()
    })
}

/// True for the name of a document or package: `changelist-3.xml`, `resourcedump-1-manifest.xml.gz`.
fn is_document(name: &str) -> bool {
    let stems = ["capabilitylist", "resourcelist", "changelist", "resourcedump", "changedump"];
    let Some(rest) = stems.iter().find_map(|stem| name.strip_prefix(stem)) else { return false };
    let Some(rest) = [PACKED, PLAIN, ".zip"].iter().find_map(|suffix| rest.strip_suffix(suffix)) else { return false };
    let rest = rest.strip_suffix("-manifest").unwrap_or(rest);
    let number = rest.strip_prefix('-');
    rest.is_empty()
        || number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
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
