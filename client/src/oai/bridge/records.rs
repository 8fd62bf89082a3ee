//! The records of a store as resources and as changes.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{self, BufWriter, Write},
    path::Path,
};

use resourcesync::{
    publish::{Event, EventVerb},
    value::Algorithm,
};
use resourcesync_oai::{
    bridge::{Bridge, Item, List},
    harvest::{Proof, Purpose},
};
use tempfile::NamedTempFile;

use super::{BridgeError, BridgeOptions};
use crate::{
    cancel::Cancel,
    oai::{
        HarvestError,
        store::{Config, Entry, State, Storage},
    },
    publish::{Collected, Error},
};

/// The most changes that are published one by one, since they are held in memory.
pub(super) const MOST_CHANGES: usize = 20_000;

/// The records of a store.
pub(super) struct Records<'a> {
    pub(super) bridge: Bridge,
    options: &'a BridgeOptions,
    store: &'a Path,
    state: &'a State,
    /// True if the store has a file for each record.
    has_files: bool,
}

/// All resources, in a temporary file.
pub(super) struct All(NamedTempFile);

impl All {
    pub(super) fn collected(&self) -> Collected {
        Collected { file: self.0.path().to_owned(), unknown: 0 }
    }
}

impl<'a> Records<'a> {
    pub(super) fn new(
        options: &'a BridgeOptions,
        store: &'a Path,
        config: &Config,
        state: &'a State,
        proof: &Proof,
    ) -> Records<'a> {
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
        Records { bridge, options, store, state, has_files: config.store == Storage::Files }
    }

    /// What to publish after what runs changed since; `None` if that is too much.
    pub(super) fn changes(&self, since: u64, cancel: &Cancel) -> Result<Option<Vec<Event>>, BridgeError> {
        let mut changes = Vec::new();
        // Nothing is read if there was no run since.
        if self.state.run == since {
            return Ok(Some(changes));
        }
        for entries in self.state.items(self.store, Some(since))? {
            changes.extend(self.events(&entries?)?);
            if changes.len() > MOST_CHANGES {
                return Ok(None);
            }
            if cancel.is_cancelled() {
                return Err(Error::Cancelled.into());
            }
        }
        Ok(Some(changes))
    }

    /// All resources; `None` if there are none.
    pub(super) fn all(&self, cancel: &Cancel) -> Result<Option<All>, BridgeError> {
        let failed =
            |error: io::Error| BridgeError::from(Error::new(format!("a temporary file could not be written: {error}")));
        let mut out = BufWriter::with_capacity(128 << 10, NamedTempFile::new().map_err(failed)?);
        let mut is_empty = true;
        for entries in self.state.items(self.store, None)? {
            for event in self.events(&entries?)? {
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
        Ok((!is_empty).then_some(All(file)))
    }

    /// The records of an item as they are to be published.
    fn events(&self, entries: &[Entry]) -> Result<Vec<Event>, BridgeError> {
        let held = entries.iter().map(|entry| self.held(entry)).collect::<Result<Vec<Held>, _>>()?;
        let items = entries.iter().zip(&held).map(|(entry, held)| Item {
            datestamp: entry.datestamp.as_deref(),
            modified: entry.modified.as_deref(),
            sets: &entry.sets,
            via: entry.via.as_deref(),
            length: held.length,
            sha256: entry.sha256.as_deref(),
            described: &held.described,
            file: held.file.as_deref(),
            ..Item::new(&entry.identifier, &entry.prefix, None, entry.status.is_active())
        });
        Ok(self.bridge.events(&items.collect::<Vec<_>>()))
    }

    /// What is known of the metadata of a record.
    fn held(&self, entry: &Entry) -> Result<Held, HarvestError> {
        let location = entry.location.as_ref().filter(|_| entry.status.is_active() && self.has_files);
        let file = location.map(|location| format!("{}/{location}", self.store.display()));
        let unread = |error| HarvestError::read(file.as_deref().unwrap_or_default(), error);
        let described = match (&self.options.describes, &file) {
            (Some(element), Some(file)) => element.values(&fs::read(file).map_err(unread)?),
            _ => Vec::new(),
        };
        // A store of an earlier version does not know the length.
        let length = match (entry.length, &file) {
            (None, Some(file)) => Some(fs::metadata(file).map_err(unread)?.len()),
            (length, _) => length,
        };
        Ok(Held { file, described, length })
    }
}

/// What is known of the metadata of a record.
struct Held {
    file: Option<String>,
    described: Vec<String>,
    length: Option<u64>,
}

/// The lists of a store: those that ended, or were requested.
fn lists(state: &State, proof: &Proof) -> Vec<List> {
    let ended = state.next.iter().map(|next| List::new(&next.prefix, next.set.as_deref()));
    let requested = proof
        .of(Purpose::Harvest)
        .filter_map(|sequence| Some(List::new(sequence.task.prefix.as_deref()?, sequence.task.set.as_deref())));
    ended.chain(requested).collect::<BTreeSet<_>>().into_iter().collect()
}
