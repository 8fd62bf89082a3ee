//! Checks the state of a Source, and rebuilds it from the published documents.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use resourcesync::{
    api::plain,
    build::{ChangeHistory, DumpHistory, Interval, Opened, PackageRecord},
    model::Kind,
    publish::{ABOUT, CHANGES, Change, Dump, INVENTORY, Overlay, Record, Set, State, merged, prefix},
    value::{Change as Verb, Datetime, Parsed, Value},
};

use super::{
    Error, Options,
    files::{PACKED, PLAIN},
    grouped::{InventoryFile, Lines, unwritten},
    known::Known,
    names,
    resource_list_input::{ListHead, entries},
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
            let found = state_files::record(&path).map_err(|error| damaged(&path, &reason(&error).to_string()))?;
            if found.sha256.as_ref() != Some(&package.sha256) {
                return Err(damaged(&path, "its digest is not that of state.json"));
            }
        }
    }
    summary(state, ledger.resources())
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
    let own = rebuild.own(&state);
    state.files.retain(|name, _| own.iter().any(|start| name.starts_with(start.as_str())));
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
        for record in merged(resources, overlay) {
            inventory.push(&record?)?;
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
        let path = uri.strip_prefix(self.documents).and_then(names::decode);
        let path = path.and_then(|path| path.to_str().map(str::to_owned));
        path.ok_or_else(|| format!("{uri} is not below --documents-uri {}", self.documents).into())
    }

    /// The files of a set whose names start with `prefix`.
    fn named(&self, set: &str, start: &str) -> Result<Vec<PathBuf>, Error> {
        let folder = self.public.join(set);
        let entries = fs::read_dir(&folder).map_err(|error| damaged(&folder, &reason(&error).to_string()))?;
        let is_named = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start));
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_named).collect();
        files.sort();
        Ok(files)
    }

    fn resources(&self, set: &str, suffix: &str, into: &mut Sorter<Record>, head: &mut ListHead) -> Result<(), Error> {
        for path in self.named(set, "resourcelist")? {
            if !path.to_string_lossy().ends_with(suffix) {
                continue;
            }
            entries(&path, (Kind::ResourceList, true), head, self.cancel, &mut |entry| {
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
        let name =
            |path: PathBuf| path.strip_prefix(self.public).map(|path| path.display().to_string()).unwrap_or_default();
        let files = self.named(set, "resourcedump")?.into_iter().map(name).collect();
        Ok(Some(Dump { history: DumpHistory { from, packages, next }, files }))
    }

    /// The prefixes of the names of published documents and packages.
    fn own(&self, state: &State) -> Vec<String> {
        let stems = ["capabilitylist", "resourcelist", "changelist", "resourcedump", "changedump"];
        let of_sets = state.sets.keys().flat_map(|set| stems.map(|stem| format!("{}{stem}", prefix(set))));
        of_sets.chain([".well-known/resourcesync", ABOUT].map(str::to_owned)).collect()
    }
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
