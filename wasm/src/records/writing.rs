//! A generation being written, some entries at a time.

use std::{collections::BTreeMap, iter::Peekable, vec};

use js_sys::Array;
use resourcesync::{
    build::CapabilityEntry,
    publish::{
        self, BlockIndexWriter, CHANGES, Change, FileDigest, Generation, INDEX, INVENTORY, Plan, Record, Update,
    },
};
use resourcesync_notify::publication::{Channels, withdrawn_topics};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use super::{
    notifications::{Notifications, Notified},
    part::PartWriter,
    state::PublishState,
};
use crate::{
    convert::failed,
    fail::{Kind, fail, wrong},
    outbox::{Shared, done, drained},
};

/// Entries that are written at once.
const STEP: usize = 1000;

/// The set that is written.
#[derive(Debug)]
struct OpenSet {
    name: String,
    /// Its Change Lists have begun; true if the last one stays open.
    changes: Option<bool>,
    /// The number of open changes of the sets before.
    first: usize,
    /// What its Capability List has of its notification channels.
    channels: Vec<CapabilityEntry>,
}

/// A generation being written.
#[wasm_bindgen]
#[derive(Debug)]
pub struct GenerationWriter {
    outbox: Shared,
    generation: Option<Generation<Shared>>,
    state: publish::State,
    todo: vec::IntoIter<(String, u64)>,
    set: Option<OpenSet>,
    /// The number of new changes of each set.
    fresh: BTreeMap<String, u64>,
    records: Vec<Record>,
    /// The number of records that are listed.
    listed: usize,
    earlier: Peekable<vec::IntoIter<Change>>,
    news: Peekable<vec::IntoIter<Change>>,
    /// The changes of open Change Lists.
    open: Vec<Change>,
    part: Option<PartOut>,
    /// The index of the inventory that was written.
    index: BlockIndexWriter,
    notifications: Option<Notifications>,
    notified: Option<Notified>,
    /// The files of the topics that are withdrawn.
    withdrawn: Vec<String>,
}

/// The part that is written.
#[derive(Debug)]
enum PartOut {
    Inventory(PartWriter<Record>),
    Changes(PartWriter<Change>),
    /// The bytes that are left.
    Index(Vec<u8>, FileDigest),
}

#[wasm_bindgen]
impl GenerationWriter {
    /// Writes some more: the actions on files, or `undefined` at the end.
    ///
    /// # Errors
    ///
    /// If a document would not be valid.
    pub fn step(&mut self) -> Result<Option<Array>, JsValue> {
        for done in 0..STEP {
            if !self.one()? {
                return Ok((done > 0).then(|| drained(&self.outbox)));
            }
        }
        Ok(Some(drained(&self.outbox)))
    }

    /// Ends the documents: `{ steps, published, accepted }`.
    ///
    /// # Errors
    ///
    /// If one of them would not be valid.
    pub fn finish(&mut self) -> Result<JsValue, JsValue> {
        let generation = self.generation.take().ok_or_else(|| wrong("the documents are finished"))?;
        let published = generation.finish(&mut self.state).map_err(failed)?;
        if let Some(notifications) = self.notifications.take() {
            self.notified = Some(notifications.finish(&published, &mut self.state, &mut self.outbox)?);
        }
        Ok(done(published, &self.outbox))
    }

    /// The file with the payloads, if there are notification channels.
    pub fn payloads(&mut self) -> Option<Vec<u8>> {
        self.notified.as_mut().map(|notified| std::mem::take(&mut notified.payloads))
    }

    /// The files of topics without a new payload, which stay as they are or are empty.
    pub fn topics(&mut self) -> Vec<String> {
        self.notified.as_mut().map(|notified| std::mem::take(&mut notified.kept)).unwrap_or_default()
    }

    /// The files of topics that are withdrawn.
    pub fn withdrawn(&mut self) -> Vec<String> {
        std::mem::take(&mut self.withdrawn)
    }

    /// Writes a part of the state: its next bytes, which are empty at its end. The index is written after the inventory.
    ///
    /// # Errors
    ///
    /// If there is no such part.
    pub fn part(&mut self, name: &str) -> Result<Vec<u8>, JsValue> {
        let part = match (&mut self.part, name) {
            (Some(part), _) => part,
            (none, INDEX) => {
                let lines = std::mem::take(&mut self.index).finish();
                none.insert(PartOut::Index(lines.into_bytes(), FileDigest::default()))
            }
            (none, INVENTORY) => none.insert(PartOut::Inventory(PartWriter::new(std::mem::take(&mut self.records)))),
            (none, CHANGES) => none.insert(PartOut::Changes(PartWriter::new(std::mem::take(&mut self.open)))),
            _ => return Err(wrong(&format!("a state has no part {name}"))),
        };
        let (bytes, record) = match part {
            PartOut::Inventory(part) => (part.next(|record, line| self.index.push(record, line)), part.record()),
            PartOut::Changes(part) => (part.next(|_, _| {}), part.record()),
            PartOut::Index(bytes, digest) => {
                digest.push(bytes);
                (Ok(std::mem::take(bytes)), digest.clone().finish())
            }
        };
        let bytes = bytes.map_err(|error| fail(Kind::Publish, &error.to_string()))?;
        if bytes.is_empty() {
            self.state.parts.insert(name.to_owned(), record);
            self.part = None;
        }
        Ok(bytes)
    }

    /// The state of the generation, when all its parts are written.
    pub fn state(self) -> PublishState {
        PublishState::from(self.state)
    }
}

impl GenerationWriter {
    /// Starts a generation with these records, the changes of open Change Lists, and the new changes.
    pub(super) fn new(
        (plan, channels): (Plan, Option<&Channels>),
        (before, state): (Option<&publish::State>, publish::State),
        update: Update,
        (records, earlier, news): (Vec<Record>, Vec<Change>, Vec<Change>),
    ) -> Result<GenerationWriter, JsValue> {
        let mut fresh: BTreeMap<String, u64> = BTreeMap::new();
        for change in &news {
            let count = fresh.entry(change.record.set.clone()).or_default();
            *count = count.saturating_add(1);
        }
        let outbox = Shared::default();
        let withdrawn = before.filter(|_| channels.is_none()).map(|before| withdrawn_topics(before, &state));
        let notifications = channels.map(|channels| Notifications::new(channels, &plan, before));
        let generation = Generation::new(outbox.clone(), plan, update.sets.keys(), before).map_err(failed)?;
        Ok(GenerationWriter {
            outbox,
            generation: Some(generation),
            state,
            todo: update.sets.into_iter().collect::<Vec<_>>().into_iter(),
            set: None,
            fresh,
            records,
            listed: 0,
            earlier: earlier.into_iter().peekable(),
            news: news.into_iter().peekable(),
            open: Vec::new(),
            part: None,
            index: BlockIndexWriter::default(),
            notifications,
            notified: None,
            withdrawn: withdrawn.unwrap_or_default(),
        })
    }

    /// Starts a set, or adds an entry to it; false at the end.
    fn one(&mut self) -> Result<bool, JsValue> {
        let Some(generation) = &mut self.generation else { return Ok(false) };
        let Some(set) = &mut self.set else {
            let Some((name, resources)) = self.todo.next() else { return Ok(false) };
            generation.set(&name, resources).map_err(failed)?;
            let list = generation.publication().capability_list().cloned();
            let channels = match (&mut self.notifications, list) {
                (Some(notifications), Some(list)) => notifications.set(&name, &list)?,
                _ => Vec::new(),
            };
            self.set = Some(OpenSet { name, changes: None, first: self.open.len(), channels });
            return Ok(true);
        };
        let name = &*set.name;
        let Some(is_open) = set.changes else {
            match self.records.get(self.listed).filter(|record| record.set == name) {
                Some(record) => {
                    generation.resource(record).map_err(failed)?;
                    self.listed = self.listed.saturating_add(1);
                }
                None => {
                    let fresh = self.fresh.get(name).copied().unwrap_or(0);
                    set.changes = Some(generation.begin_changes(name, fresh).map_err(failed)?.is_open);
                }
            }
            return Ok(true);
        };
        let is_own = |change: &Change| change.record.set == name;
        let earlier = self.earlier.next_if(is_own);
        let is_new = earlier.is_none();
        if let Some(change) = earlier.or_else(|| self.news.next_if(is_own)) {
            if generation.change(&change).map_err(failed)? == 1 {
                self.open.truncate(set.first);
            }
            if is_new {
                self.notifications.as_mut().map_or(Ok(()), |own| own.change(&change))?;
            }
            self.open.extend(Some(change).filter(|_| is_open));
        } else {
            for entry in std::mem::take(&mut set.channels) {
                generation.publication().announce(entry).map_err(failed)?;
            }
            self.notifications.as_mut().map_or(Ok(()), Notifications::end_set)?;
            self.set = None;
        }
        Ok(true)
    }
}
