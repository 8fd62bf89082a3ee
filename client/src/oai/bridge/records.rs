//! The records of a store as resources and as changes.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use resourcesync::{
    publish::{Event, EventVerb},
    value::Algorithm,
};
use resourcesync_oai::{
    bridge::{Bridge, Element, Item, List},
    harvest::{Proof, Purpose},
};
use tempfile::NamedTempFile;

use super::{BridgeError, BridgeOptions};
use crate::{
    cancel::Cancel,
    oai::{
        HarvestError,
        store::{Config, Entry, State, Storage, Texts},
    },
    publish::{Collected, Contents, Error, TakeContent, Wanted},
};

/// The most changes that are published one by one, since they are held in memory.
pub(super) const MOST_CHANGES: usize = 20_000;

/// The records of a store.
#[derive(Debug, Clone)]
pub(super) struct Records {
    pub(super) bridge: Bridge,
    describes: Option<Element>,
    store: PathBuf,
    state: State,
    /// True if the store has a file for each record.
    has_files: bool,
    /// Only records that were changed after this run.
    since: Option<u64>,
}

/// All resources, in a temporary file.
pub(super) struct All {
    file: NamedTempFile,
    is_empty: bool,
}

impl All {
    pub(super) fn is_empty(&self) -> bool {
        self.is_empty
    }

    pub(super) fn collected(&self) -> Collected {
        Collected { file: self.file.path().to_owned(), unknown: 0 }
    }
}

impl Records {
    pub(super) fn new(options: &BridgeOptions, store: &Path, config: &Config, state: &State, proof: &Proof) -> Records {
        let lists = lists(state, proof);
        let is_own = |prefix: &&String| lists.iter().any(|list| list.prefix == **prefix);
        let namespaces: BTreeMap<String, String> =
            state.namespaces.iter().filter(|(prefix, _)| is_own(prefix)).map(|(a, b)| (a.clone(), b.clone())).collect();
        let resources = &options.publication.resources;
        let bridge = Bridge {
            repository: config.url.clone(),
            base: resources.base_uri.to_string(),
            form: options.form,
            lists,
            namespaces,
            collections: options.collections,
            digest: resources.hash.contains(&Algorithm::Sha256),
        };
        Records {
            bridge,
            describes: options.describes.clone(),
            store: store.to_owned(),
            state: state.clone(),
            has_files: config.store == Storage::Files,
            since: None,
        }
    }

    /// Those that were changed after a run.
    pub(super) fn since(&self, run: u64) -> Records {
        Records { since: Some(run), ..self.clone() }
    }

    /// True if the store has a file for each record.
    pub(super) fn has_files(&self) -> bool {
        self.has_files
    }

    /// What to publish of these records; `None` if that is too much.
    pub(super) fn changes(&self, cancel: &Cancel) -> Result<Option<Vec<Event>>, BridgeError> {
        let mut changes = Vec::new();
        // Nothing is read if there was no run since.
        if self.since == Some(self.state.run) {
            return Ok(Some(changes));
        }
        let mut texts = Texts::new(&self.store);
        for entries in self.state.items(&self.store, self.since)? {
            changes.extend(self.events(&entries?, &mut texts)?);
            if changes.len() > MOST_CHANGES {
                return Ok(None);
            }
            if cancel.is_cancelled() {
                return Err(Error::Cancelled.into());
            }
        }
        Ok(Some(changes))
    }

    /// All resources.
    pub(super) fn all(&self, cancel: &Cancel) -> Result<All, BridgeError> {
        let failed =
            |error: io::Error| BridgeError::from(Error::new(format!("a temporary file could not be written: {error}")));
        let mut out = BufWriter::with_capacity(128 << 10, NamedTempFile::new().map_err(failed)?);
        let (mut is_empty, mut texts) = (true, Texts::new(&self.store));
        for entries in self.state.items(&self.store, None)? {
            for event in self.events(&entries?, &mut texts)? {
                if event.verb == EventVerb::Upsert {
                    serde_json::to_writer(&mut out, &event.record).map_err(io::Error::from).map_err(failed)?;
                    out.write_all(b"\n").map_err(failed)?;
                    is_empty = false;
                }
            }
            if cancel.is_cancelled() {
                return Err(Error::Cancelled.into());
            }
        }
        let file = out.into_inner().map_err(|error| failed(error.into_error()))?;
        Ok(All { file, is_empty })
    }

    /// The records of an item as they are to be published.
    fn events(&self, entries: &[Entry], texts: &mut Texts) -> Result<Vec<Event>, BridgeError> {
        let held = entries.iter().map(|entry| self.held(entry, texts)).collect::<Result<Vec<Held>, _>>()?;
        Ok(self.bridge.events(&items(entries, &held)))
    }

    /// What is known of the metadata of a record.
    fn held(&self, entry: &Entry, texts: &mut Texts) -> Result<Held, HarvestError> {
        let location = entry.location.as_ref().filter(|_| entry.status.is_active());
        let file = location.filter(|_| self.has_files).map(|location| format!("{}/{location}", self.store.display()));
        let unread = |error| HarvestError::read(file.as_deref().unwrap_or_default(), error);
        let mut text = None;
        if self.describes.is_some() && location.is_some() {
            text = Some(match &file {
                Some(file) => fs::read(file).map_err(unread)?,
                None => texts.read(entry)?,
            });
        }
        let described = self.describes.iter().zip(&text).flat_map(|(element, text)| element.values(text)).collect();
        // A store of an earlier version does not know the length.
        let length = match (entry.length, &file) {
            (None, Some(file)) => Some(fs::metadata(file).map_err(unread)?.len()),
            (length, _) => length,
        };
        Ok(Held { file, described, length, text })
    }
}

impl Contents for Records {
    fn each(&self, set: &str, wanted: Wanted<'_>, cancel: &Cancel, take: TakeContent<'_>) -> Result<(), Error> {
        let failed = |error: HarvestError| Error::new(error.to_string());
        let mut texts = Texts::new(&self.store);
        for entries in self.state.items(&self.store, self.since).map_err(failed)? {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let entries = entries.map_err(failed)?;
            let held = entries.iter().map(|entry| self.held(entry, &mut texts)).collect::<Result<Vec<_>, _>>();
            let mut held = held.map_err(failed)?;
            for (number, record) in self.bridge.resources_of_set(&items(&entries, &held), set) {
                let (Some(entry), Some(held)) = (entries.get(number), held.get_mut(number)) else { continue };
                if wanted(&record.uri) {
                    let text = match held.text.take() {
                        Some(text) => text,
                        None => texts.read(entry).map_err(failed)?,
                    };
                    take(record, &text)?;
                }
            }
        }
        Ok(())
    }
}

fn items<'a>(entries: &'a [Entry], held: &'a [Held]) -> Vec<Item<'a>> {
    let item = |(entry, held): (&'a Entry, &'a Held)| Item {
        datestamp: entry.datestamp.as_deref(),
        modified: entry.modified.as_deref(),
        sets: &entry.sets,
        via: entry.via.as_deref(),
        length: held.length,
        sha256: entry.sha256.as_deref(),
        described: &held.described,
        file: held.file.as_deref(),
        ..Item::new(&entry.identifier, &entry.prefix, None, entry.status.is_active())
    };
    entries.iter().zip(held).map(item).collect()
}

/// What is known of the metadata of a record.
struct Held {
    file: Option<String>,
    described: Vec<String>,
    length: Option<u64>,
    /// The metadata, if they were read.
    text: Option<Vec<u8>>,
}

/// The lists of a store: those that ended, or were requested.
fn lists(state: &State, proof: &Proof) -> Vec<List> {
    let ended = state.next.iter().map(|next| List::new(&next.prefix, next.set.as_deref()));
    let requested = proof
        .of(Purpose::Harvest)
        .filter_map(|sequence| Some(List::new(sequence.task.prefix.as_deref()?, sequence.task.set.as_deref())));
    ended.chain(requested).collect::<BTreeSet<_>>().into_iter().collect()
}
