//! A publication of stated changes: the core decides in memory, JavaScript reads and stores files.

use std::{
    collections::{BTreeMap, VecDeque},
    mem,
};

use js_sys::{Array, Reflect};
use resourcesync::{
    build::{Effect, Rotate},
    publish::{
        Batch, Block, BlockIndex, BlockIndexWriter, CHANGES, Change, ChangeDocuments, Event, EventTimes, FileDigest,
        FileRecord, Found, Group, INDEX, INVENTORY, MomentError, Net, Plan, Record, RunMoment, STATE, Snapshot,
        State as Previous, Update, Written, merged, staged,
    },
    value::Datetime,
};
use resourcesync_notify::publication::PAYLOADS;
use serde::Serialize;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use super::{
    choice::{Choice, SUFFIX, mismatch},
    notifications::{Notifications, Notified},
    part::PartReader,
    run::published_changes,
    state::PublishState,
    stated::StatedChanges,
    writing::GenerationWriter,
};
use crate::{
    convert::failed,
    fail::{Kind, fail, wrong},
    object::object,
    outbox::{Shared, drained, json_of},
};

/// The number of changes at which the open Change List is closed by default: each publication writes all of it.
const ROTATE: Rotate = Rotate::Changes(1_000);

/// The folder of documents among the staged files.
const PUBLIC: &str = "public/";

/// A place in the inventory of the published state.
#[derive(Serialize)]
struct Place {
    offset: u64,
    length: u64,
}

/// What a publication does.
#[derive(Serialize)]
struct Summary {
    resources: u64,
    created: u64,
    updated: u64,
    deleted: u64,
    unchanged: u64,
    clamped: u64,
    at: String,
    warnings: Vec<String>,
}

/// A publication of changes. First it gets the blocks of the inventory that it asks for; then it decides what is written.
#[wasm_bindgen]
#[derive(Debug)]
pub struct ChangesRun {
    choice: Choice,
    before: Option<PublishState>,
    index: BlockIndex,
    events: VecDeque<Event>,
    batch: Batch,
    net: Net,
    at: Option<Datetime>,
    warnings: Vec<String>,
    inventory: PartReader<Record>,
    open: PartReader<Change>,
    written: Option<Written>,
    notified: Option<Notified>,
}

#[wasm_bindgen]
impl ChangesRun {
    /// Starts a publication of these events, after the one with this state if there is one.
    ///
    /// # Errors
    ///
    /// If an option is invalid, or the publication does not continue what is published.
    #[wasm_bindgen(constructor)]
    pub fn new(stated: &StatedChanges, given: &JsValue, before: Option<PublishState>) -> Result<ChangesRun, JsValue> {
        let mut choice = Choice::read(given, stated.options.clone())?;
        if let Some(before) = &before {
            let state = &before.ledger.state;
            state.check_resources().map_err(|why| before.damaged(STATE, &why))?;
            choice.continue_with(state.remembered.as_ref());
            choice.check_continued(state)?;
        }
        Ok(ChangesRun {
            choice,
            before,
            index: BlockIndex::default(),
            events: stated.events.iter().cloned().collect(),
            batch: Batch::new(false),
            net: Net::default(),
            at: None,
            warnings: Vec::new(),
            inventory: PartReader::default(),
            open: PartReader::default(),
            written: None,
            notified: None,
        })
    }

    /// True if there are notification channels.
    #[wasm_bindgen(getter, js_name = hasChannels)]
    pub fn has_channels(&self) -> bool {
        self.choice.channels.is_some()
    }

    /// True if the state has an index of its inventory.
    #[wasm_bindgen(getter, js_name = hasIndex)]
    pub fn has_index(&self) -> bool {
        self.before.as_ref().is_some_and(|before| before.ledger.state.parts.contains_key(INDEX))
    }

    /// Reads the index.
    ///
    /// # Errors
    ///
    /// If it is damaged.
    pub fn index(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        let Some(before) = &self.before else { return Ok(()) };
        let mut digest = FileDigest::default();
        digest.push(bytes);
        let damaged = |why: String| before.damaged(INDEX, &why);
        before.ledger.state.check_part(INDEX, &digest.finish()).map_err(damaged)?;
        let text = std::str::from_utf8(bytes).map_err(|error| damaged(error.to_string()))?;
        self.index = BlockIndex::parse(text).map_err(damaged)?;
        Ok(())
    }

    /// Makes the index of an inventory without one, from its bytes.
    ///
    /// # Errors
    ///
    /// If it is damaged.
    #[wasm_bindgen(js_name = makeIndex)]
    pub fn make_index(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        let Some(before) = &self.before else { return Ok(()) };
        let (mut digest, mut index) = (FileDigest::default(), BlockIndexWriter::default());
        digest.push(bytes);
        let damaged = |why: String| before.damaged(INVENTORY, &why);
        before.ledger.state.check_part(INVENTORY, &digest.finish()).map_err(damaged)?;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let record: Record = serde_json::from_slice(line).map_err(|error| damaged(error.to_string()))?;
            index.push(&record, line);
        }
        self.index = BlockIndex::parse(&index.finish()).map_err(damaged)?;
        Ok(())
    }

    /// Applies events up to the first whose resource has to be looked up; returns the place of its block: `{ offset, length }`.
    ///
    /// # Errors
    ///
    /// Never.
    #[wasm_bindgen(js_name = nextBlock)]
    pub fn next_block(&mut self) -> Result<JsValue, JsValue> {
        while let Some(event) = self.events.front() {
            let (set, uri) = (&event.record.set, &event.record.uri);
            let published = match &self.before {
                Some(before) if !self.batch.has(set, uri) => match before.ledger.find(set, uri) {
                    Found::Here(record) => record.cloned(),
                    Found::Base => match self.index.locate(set, uri) {
                        Some(Block { offset, length, .. }) => {
                            return Ok(object(&Place { offset: *offset, length: *length }));
                        }
                        None => None,
                    },
                },
                _ => None,
            };
            self.apply(published);
        }
        Ok(JsValue::UNDEFINED)
    }

    /// The bytes of the block that [`ChangesRun::next_block`] returned.
    ///
    /// # Errors
    ///
    /// If they are damaged.
    pub fn block(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        let (Some(before), Some(event)) = (&self.before, self.events.front()) else { return Ok(()) };
        let (set, uri) = (&event.record.set, &event.record.uri);
        let Some(block) = self.index.locate(set, uri) else { return Ok(()) };
        let published = block.find(bytes, set, uri).map_err(|why| before.damaged(INVENTORY, &why))?;
        self.apply(published);
        Ok(())
    }

    /// Decides what is written: `nothing`, `changes` for the Change Lists, or `generation`. `now` is in milliseconds since 1970, `log` the
    /// length of the log.
    ///
    /// # Errors
    ///
    /// If the time is not later than the last publication, or the deletions are more than allowed.
    pub fn decide(&mut self, now: f64, log: f64) -> Result<String, JsValue> {
        let past = self.before.as_ref().map(|before| before.ledger.state.moment()).transpose();
        let past = past.map_err(|error| fail(Kind::Publish, &format!("the time of the previous run: {error}")))?;
        let (mut times, moment) = match EventTimes::new(self.choice.at.as_ref(), past.as_ref(), now.floor() as i64) {
            Ok((times, RunMoment::Now(moment))) => (times, moment),
            Ok((times, RunMoment::ClockBehind(moment))) => {
                let past = past.as_ref().map(ToString::to_string).unwrap_or_default();
                self.warnings.push(format!("the clock is earlier than the previous publication ({past})"));
                (times, moment)
            }
            Ok((_, RunMoment::Wait)) | Err(MomentError::NotLater) => {
                return Err(fail(Kind::Publish, "at must be later than the previous run"));
            }
            Err(error) => return Err(fail(Kind::Publish, &error.to_string())),
        };
        let batch = mem::take(&mut self.batch);
        self.net = batch.finish(&mut times).map_err(|error| fail(Kind::Publish, &error.to_string()))?;
        let last = self.net.changes.last().map(|change| change.datetime.parse()).transpose();
        let last = last.map_err(|_| fail(Kind::Publish, "a change has no datetime"))?;
        let Some(before) = &self.before else {
            self.at = Some(last.unwrap_or(moment));
            return Ok("generation".to_owned());
        };
        before.ledger.state.check_changes(&self.net).map_err(mismatch)?;
        if let Some(most) = self.choice.max_delete {
            let effect = self.effect(before.ledger.resources());
            effect.check(Some(most), None).map_err(|guard| fail(Kind::Guard, &guard.to_string()))?;
        }
        let (ledger, wanted) = (&before.ledger, self.choice.wanted());
        let is_now = self.choice.snapshot == Some(Snapshot::Now);
        let is_listed = ledger.publications() == 0 && ledger.state.wanted == wanted;
        self.at = last.or(past);
        if self.net.changes.is_empty() && (!is_now || is_listed) {
            return Ok("nothing".to_owned());
        }
        let rotate = self.choice.rotate.unwrap_or(ROTATE);
        let due = ledger.needs_generation(&self.net, &wanted, (self.choice.snapshot, rotate), &moment, log as u64);
        Ok(if due { "generation" } else { "changes" }.to_owned())
    }

    /// Bytes of a part of the state: the changes of open Change Lists, and for a generation also the inventory.
    ///
    /// # Errors
    ///
    /// If there is no such part.
    pub fn part(&mut self, name: &str, bytes: &[u8]) -> Result<(), JsValue> {
        match name {
            INVENTORY => self.inventory.push(bytes),
            CHANGES => self.open.push(bytes),
            _ => return Err(wrong(&format!("a state has no part {name}"))),
        }
        Ok(())
    }

    /// Writes the Change Lists: the actions on the files to stage; `undefined` if a generation is needed after all.
    ///
    /// # Errors
    ///
    /// If a document would not be valid, or the state is damaged.
    pub fn stage(&mut self) -> Result<Option<Array>, JsValue> {
        let (plan, earlier) = (self.plan(SUFFIX)?, self.earlier()?);
        let Some(before) = &self.before else { return Ok(None) };
        let mut outbox = Shared::default();
        let channels = self.choice.channels.as_ref();
        let mut notifications = channels.map(|own| Notifications::new(own, &plan, Some(&before.ledger.state)));
        let mut documents = ChangeDocuments::new(outbox.clone(), plan, &before.ledger.state).map_err(failed)?;
        let mut sets: BTreeMap<&str, Vec<&Change>> = BTreeMap::new();
        for change in &self.net.changes {
            sets.entry(&change.record.set).or_default().push(change);
        }
        for (set, changes) in sets {
            documents.set(set, changes.len() as u64).map_err(failed)?;
            let own = earlier.iter().filter(|change| change.record.set == set).chain(changes.iter().copied());
            own.into_iter().try_for_each(|change| documents.change(change)).map_err(failed)?;
            if let (Some(notifications), Some(list)) = (&mut notifications, documents.capability_list()) {
                notifications.set(set, list)?;
                changes.into_iter().try_for_each(|change| notifications.change(change))?;
                notifications.end_set()?;
            }
        }
        let Some(mut written) = documents.finish().map_err(failed)? else { return Ok(None) };
        let notified = notifications.map(|notifications| notifications.finish_changes(&mut written, &mut outbox));
        self.notified = notified.transpose()?;
        self.written = Some(written);
        Ok(Some(drained(&outbox)))
    }

    /// The file with the payloads that are staged, if there are notification channels.
    pub fn payloads(&mut self) -> Option<Vec<u8>> {
        self.notified.as_mut().map(|notified| mem::take(&mut notified.payloads))
    }

    /// The folder of the staged files.
    #[wasm_bindgen(getter)]
    pub fn staged(&self) -> String {
        staged(self.number())
    }

    /// What is appended to the log once the files are staged, with their places in order: `{ bytes, places, accepted }`. `files` are
    /// objects with `path`, `length` and `sha256`.
    ///
    /// # Errors
    ///
    /// If nothing is staged.
    pub fn group(&mut self, files: &JsValue) -> Result<JsValue, JsValue> {
        let Some(written) = self.written.take() else { return Err(wrong("nothing is staged")) };
        let files: Vec<File> =
            serde_wasm_bindgen::from_value(files.clone()).map_err(|error| wrong(&error.to_string()))?;
        let record = |file: File| {
            let own = FileRecord { length: file.length, lines: None, sha256: Some(file.sha256) };
            (file.path, own)
        };
        let mut places: Vec<String> = written.places.iter().map(|path| format!("{PUBLIC}{path}")).collect();
        if let Some(notified) = self.notified.take() {
            places.extend(notified.written.iter().map(|path| format!("{PUBLIC}{path}")));
            places.push(PAYLOADS.to_owned());
        }
        let mut changes = self.net.changes.clone();
        changes.sort_by(|one, other| one.record.set.cmp(&other.record.set));
        let group = Group {
            at: self.at.as_ref().map(ToString::to_string).unwrap_or_default(),
            sets: written.sets,
            places: places.clone(),
            files: files.into_iter().map(record).collect(),
            journal: None,
            changes,
        };
        let bytes = group.to_bytes(self.number()).map_err(|error| fail(Kind::Publish, &error.to_string()))?;
        let done = js_sys::Object::new();
        let bytes = js_sys::Uint8Array::from(bytes.as_slice());
        for (name, value) in
            [("bytes", bytes.into()), ("places", object(&places)), ("accepted", json_of(&written.accepted).into())]
        {
            // Setting a property of a new object cannot fail.
            let _ = Reflect::set(&done, &name.into(), &value);
        }
        Ok(done.into())
    }

    /// What the publication does.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn summary(&self) -> Result<JsValue, JsValue> {
        let Net { created, updated, deleted, counts, .. } = &self.net;
        let published = self.before.as_ref().map_or(0, |before| before.ledger.resources());
        Ok(object(&Summary {
            resources: self.effect(published).resources,
            created: *created,
            updated: *updated,
            deleted: *deleted,
            unchanged: counts.unchanged,
            clamped: counts.clamped,
            at: self.at.as_ref().map(ToString::to_string).unwrap_or_default(),
            warnings: self.warnings.clone(),
        }))
    }

    /// The changes that it publishes; none in the first publication.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn changes(&self) -> Result<JsValue, JsValue> {
        let none = [];
        Ok(published_changes(if self.before.is_some() { &self.net.changes } else { &none }))
    }

    /// Starts a generation.
    ///
    /// # Errors
    ///
    /// If the state is damaged, or a URI or a limit is invalid.
    pub fn write(mut self) -> Result<GenerationWriter, JsValue> {
        let (plan, earlier) = (self.plan(SUFFIX)?, self.earlier()?);
        let mut overlay = self.before.as_ref().map(|before| before.ledger.overlay().clone()).unwrap_or_default();
        self.net.changes.iter().for_each(|change| overlay.add(change));
        let mut old = Vec::new();
        if let Some(before) = &self.before {
            let check = |found: &_| before.ledger.state.check_part(INVENTORY, found);
            let read = mem::take(&mut self.inventory).finish(check);
            old = read.map_err(|why| before.damaged(INVENTORY, &why))?;
        }
        let records: Vec<Record> = merged(old.into_iter().map(Ok::<_, JsValue>), overlay).collect::<Result<_, _>>()?;
        let mut update = Update::default();
        for record in &records {
            let count = update.sets.entry(record.set.clone()).or_default();
            *count = count.saturating_add(1);
        }
        let state = self.before.as_ref().map(|before| &before.ledger.state);
        update.add_empty_sets(&[], state);
        let mut next = Previous::new(&plan.at, self.choice.uris(), self.choice.wanted());
        next.set_names = Some(Vec::new());
        next.remembered = Some(self.choice.remembered());
        next.read = state.and_then(|state| Some(state.last_read()?.to_string()));
        let mut news = if state.is_some() { self.net.changes } else { Vec::new() };
        news.sort_by(Change::order);
        let channels = self.choice.channels.as_ref();
        GenerationWriter::new((plan, channels), (state, next), update, (records, earlier, news))
    }
}

/// A staged file.
#[derive(serde::Deserialize)]
struct File {
    path: String,
    length: u64,
    sha256: String,
}

impl ChangesRun {
    /// Applies the first event, whose resource is published like this.
    fn apply(&mut self, published: Option<Record>) {
        if let Some(event) = self.events.pop_front() {
            // Only strict batches refuse events.
            let _ = self.batch.push(event, published);
        }
    }

    fn effect(&self, published: u64) -> Effect {
        let resources = published.saturating_add(self.net.created).saturating_sub(self.net.deleted);
        Effect { published: Some(published), resources, deleted: self.net.deleted }
    }

    /// The number of this publication in the log.
    fn number(&self) -> u64 {
        self.before.as_ref().map_or(0, |before| before.ledger.publications()).saturating_add(1)
    }

    fn plan(&self, suffix: &str) -> Result<Plan, JsValue> {
        let Some(at) = self.at.clone() else { return Err(wrong("the publication has no time yet")) };
        let Choice { documents, describedby, keep, builders, .. } = &self.choice;
        Ok(Plan {
            documents: documents.clone(),
            at,
            describedby: describedby.clone(),
            index: None,
            about: None,
            suffix: suffix.to_owned(),
            lists: true,
            rotate: self.choice.rotate.unwrap_or(ROTATE),
            keep: *keep,
            builders: builders.clone(),
            digests: self.choice.channels.is_some(),
        })
    }

    /// The changes in open Change Lists.
    fn earlier(&mut self) -> Result<Vec<Change>, JsValue> {
        let Some(before) = &self.before else { return Ok(Vec::new()) };
        let check = |found: &_| before.ledger.state.check_part(CHANGES, found);
        let open = mem::take(&mut self.open).finish(check).map_err(|why| before.damaged(CHANGES, &why))?;
        Ok(before.ledger.all_open(open))
    }
}
