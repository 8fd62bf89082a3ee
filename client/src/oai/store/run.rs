//! One run of a store: receives the records of a harvest, and merges them at the end.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use resourcesync::value::to_hex;
use resourcesync_oai::{
    harvest::{
        Call, Checkpoint, Comparison, Handled, Harvest, Moment, Owed, Plan, Proof, Purpose, Replayed, Scope, Status,
    },
    page::{Damaged, Header, MetadataFormat, Piece, Record},
    stamp::Stamp,
};
use sha2::{Digest, Sha256};

use super::{
    super::{HarvestError, Line, Sink},
    catalogue::{self, Catalogue},
    config::{self, Config, Storage},
    items::Items,
    journal::{self, Damage, Frame, Frames, Item, Journal},
    merge::{self, Counts, Task},
    quarantine::{self, Quarantined},
    state::{OpenRun, State},
};
use crate::folder::{self, Lock};

/// The runs of which the state names the proofs.
const PROOFS: u64 = 100;

/// Options of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreOptions {
    /// True to store also deleted records that were never present.
    pub tombstones: bool,
    /// True if the files of records are those of a Source: an incomplete harvest changes none of them.
    pub holds_incomplete: bool,
}

/// A run of a store. No other run can start at the same time.
pub struct Run {
    folder: PathBuf,
    /// Its configuration.
    pub config: Config,
    state: State,
    options: StoreOptions,
    journal: Journal,
    /// The length of the journal in the state.
    saved: u64,
    /// True if a record of this run came damaged.
    has_damage: bool,
    /// The formats of the response that is being read.
    formats: Vec<MetadataFormat>,
    _lock: Lock,
}

impl Run {
    /// Opens or creates a store. `wanted` is the configuration; it may be omitted for an existing store.
    ///
    /// # Errors
    ///
    /// If the folder is something else, contains other records than those requested, is in use, or cannot be
    /// written.
    pub fn open(folder: &Path, wanted: Option<&Config>, options: StoreOptions) -> Result<Run, HarvestError> {
        if Config::read(folder)?.is_none() {
            if wanted.is_none() {
                return Err(HarvestError::NotAStore(folder.to_owned()));
            }
            if !is_empty(folder)? {
                return Err(HarvestError::NotOurs(folder.to_owned()));
            }
            fs::create_dir_all(folder).map_err(|error| HarvestError::write(folder, error))?;
        }
        let lock = Lock::take(folder)?;
        // Another run may have made it a store meanwhile.
        let config = match (Config::read(folder)?, wanted) {
            (Some(config), None) => config,
            (Some(config), Some(wanted)) => {
                config.compare(wanted)?;
                Config { contact: wanted.contact.clone().or(config.contact.clone()), ..config }
            }
            (None, None) => return Err(HarvestError::NotAStore(folder.to_owned())),
            (None, Some(wanted)) => wanted.clone(),
        };
        remove_temporary(folder)?;
        if Config::read(folder)?.as_ref() != Some(&config) {
            config.write(folder)?;
        }
        let mut state = State::read(folder)?;
        // A run that ended before it wrote the state may have replaced the catalogue.
        state.catalogue = merge::replaced(folder, &state).or(state.catalogue);
        let run = folder.join("run");
        fs::create_dir_all(&run).map_err(|error| HarvestError::write(&run, error))?;
        clear(&run)?;
        let saved = state.open.as_ref().map_or(0, |open| open.journal);
        let journal = Journal::open(&folder.join(merge::JOURNAL), saved)?;
        Ok(Run {
            folder: folder.to_owned(),
            config,
            state,
            options,
            journal,
            saved,
            has_damage: false,
            formats: Vec::new(),
            _lock: lock,
        })
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Completes the plan of a harvest from the store.
    ///
    /// # Errors
    ///
    /// If the store could not be read.
    pub fn prepare(&self, plan: &mut Plan) -> Result<(), HarvestError> {
        prepare(plan, &self.folder, &self.config, &self.state)
    }

    /// The harvest: that of an unfinished run, or a new one.
    ///
    /// # Errors
    ///
    /// If the journal could not be read.
    pub fn harvest(&mut self, plan: Plan, now: Moment) -> Result<Harvest, HarvestError> {
        let open = self.state.open.clone();
        let resumed = open.and_then(|open| Some((Harvest::resume(plan.clone(), open.checkpoint, now)?, open.journal)));
        let Some((mut harvest, length)) = resumed else {
            self.state.open = None;
            self.journal = Journal::open(&self.folder.join(merge::JOURNAL), 0)?;
            self.saved = 0;
            return Ok(Harvest::new(plan, now));
        };
        let frames = Frames::open(&self.folder.join(merge::JOURNAL), length)?;
        for found in frames.into_iter().flatten() {
            match found?.frame {
                Frame::Record(item) | Frame::Listed(item) => harvest.replay(Replayed::Identifier(&item.identifier)),
                Frame::Damaged(damage) => {
                    self.has_damage = true;
                    if damage.repaired.is_empty() {
                        harvest.replay(Replayed::Damaged(damage.identifier.as_deref()));
                    }
                }
                Frame::Mark(mark) => harvest.replay(Replayed::Mark(mark)),
            }
        }
        Ok(harvest)
    }

    /// Merges the records of the run, unless it is held, and stores its proof. Returns the changes, and the path of the proof. The records of a
    /// run that is held are those of the run that continues it, or are requested again.
    ///
    /// # Errors
    ///
    /// If something could not be written. The next run repeats it.
    pub fn finish(mut self, harvest: &Harvest, proof: &Proof) -> Result<(Counts, PathBuf), HarvestError> {
        let length = self.journal.sync()?;
        // What a killed run has merged in part is always merged to its end.
        let is_held = self.options.holds_incomplete
            && proof.status == Status::Incomplete
            && !self.state.is_interrupted(&self.folder);
        let merged = (!is_held).then(|| self.task(length, &proof.reconciled).merge()).transpose()?;
        let name = self.write_proof(proof)?;
        let path = self.folder.join(&name);
        let open = harvest.checkpoint().map(|checkpoint| OpenRun { checkpoint, journal: length });
        self.state.run = self.state.run.saturating_add(1);
        self.state.proofs.insert(self.state.run, name.clone());
        let first = self.state.run.saturating_sub(PROOFS);
        self.state.proofs.retain(|run, _| *run > first);
        self.state.proof = Some(name);
        let mut counts = Counts::default();
        if let Some((changes, catalogue)) = merged {
            (counts, self.state.catalogue) = (changes, catalogue);
            self.advance(proof);
        }
        let goes_on = open.is_some();
        self.state.open = open;
        self.state.write(&self.folder)?;
        drop(self.journal);
        if !goes_on {
            journal::remove(&self.folder.join(merge::JOURNAL))?;
        }
        merge::forget(&self.folder)?;
        Ok((counts, path))
    }

    fn task<'a>(&'a self, journal: u64, reconciled: &'a [resourcesync_oai::harvest::Reconciliation]) -> Task<'a> {
        Task {
            folder: &self.folder,
            storage: self.config.store,
            tombstones: self.options.tombstones || self.config.tombstones,
            journal,
            run: self.state.run.saturating_add(1),
            catalogue: self.state.catalogue.clone(),
            reconciled,
            lists_of_a_prefix: self.config.sets.len().max(1),
        }
    }

    /// The starting point of the next run.
    fn advance(&mut self, proof: &Proof) {
        for next in &proof.next {
            self.state.next.retain(|own| own.prefix != next.prefix || own.set != next.set);
            self.state.next.push(next.clone());
        }
    }

    fn write_proof(&self, proof: &Proof) -> Result<String, HarvestError> {
        let place = self.folder.join("proofs");
        fs::create_dir_all(&place).map_err(|error| HarvestError::write(&place, error))?;
        let time = proof.ended.datetime().map_or_else(String::new, |time| time.to_string().replace(':', "-"));
        let mut number = 1;
        let name = loop {
            let suffix = if number == 1 { String::new() } else { format!("-{number}") };
            let name = format!("proofs/{time}{suffix}.json");
            if !self.folder.join(&name).exists() {
                break name;
            }
            number += 1;
        };
        let path = self.folder.join(&name);
        let mut bytes = serde_json::to_vec(proof).map_err(|error| HarvestError::write(&path, error.into()))?;
        bytes.push(b'\n');
        folder::write_atomic(&path, &bytes).map_err(|error| HarvestError::write(path, error))?;
        Ok(name)
    }

    fn record(&mut self, call: &Call, record: &Record, transcoded: Option<&str>) -> Result<(), HarvestError> {
        let prefix = prefix(call, &self.config);
        let mut item = Item { prefix, via: via(call, &self.config), ..item(&record.header) };
        let mut parts: Vec<Vec<u8>> = Vec::new();
        if let Some(markup) = &record.metadata {
            let standalone = markup.standalone();
            item.sha256 = Some(to_hex(&Sha256::digest(&standalone)));
            item.length = Some(standalone.len() as u64);
            match self.config.store {
                Storage::Files => {
                    parts.push(standalone.into_owned());
                    parts.extend(record.about.iter().map(|about| about.standalone().into_owned()));
                }
                Storage::Jsonl => {
                    let mut line = Vec::new();
                    let run = self.state.run.saturating_add(1);
                    let written = Line::record(record, &item.prefix, transcoded).of_run(run).write(&mut line);
                    written.map_err(HarvestError::Output)?;
                    parts.push(line);
                }
            }
        }
        item.lengths = parts.iter().map(|part| part.len() as u64).collect();
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        self.journal.push(&Frame::Record(item), &parts)
    }

    fn damaged(&mut self, call: &Call, damaged: &Damaged, transcoded: Option<&str>) -> Result<(), HarvestError> {
        let requested = call.request.argument("identifier").map(str::to_owned);
        let damage = Damage {
            identifier: requested.or_else(|| damaged.identifier.clone()),
            prefix: prefix(call, &self.config),
            via: via(call, &self.config),
            code: damaged.why.code().to_owned(),
            reason: damaged.why.reason(),
            request: call.request.query(),
            number: damaged.number,
            line: damaged.span.start.line,
            column: damaged.span.start.column,
            repaired: damaged.repaired.as_ref().map(|own| own.changes.clone()).unwrap_or_default(),
        };
        self.has_damage = true;
        self.journal.push(&Frame::Damaged(Box::new(damage)), &[&damaged.raw])?;
        match &damaged.repaired {
            Some(repaired) => self.record(call, &repaired.record, transcoded),
            None => Ok(()),
        }
    }
}

impl Sink for Run {
    fn piece(&mut self, call: &Call, piece: Piece, transcoded: Option<&'static str>) -> Result<(), HarvestError> {
        match (call.purpose, &piece) {
            (Purpose::Harvest | Purpose::Owed, Piece::Record(record)) => self.record(call, record, transcoded),
            (Purpose::Harvest | Purpose::Owed, Piece::Damaged(damaged)) => self.damaged(call, damaged, transcoded),
            (Purpose::Reconcile, Piece::Header(header)) => {
                let purpose = Some(call.purpose);
                let via = via(call, &self.config);
                let item = Item { prefix: prefix(call, &self.config), purpose, via, ..item(header) };
                self.journal.push(&Frame::Listed(item), &[])
            }
            (Purpose::Formats, Piece::MetadataFormat(format)) => {
                self.formats.push(format.clone());
                Ok(())
            }
            (Purpose::Sets, Piece::Set(set)) => {
                let identifier = set.spec.clone().unwrap_or_default();
                let item = Item { identifier, purpose: Some(Purpose::Sets), ..Item::default() };
                self.journal.push(&Frame::Listed(item), &[])
            }
            _ => Ok(()),
        }
    }

    fn settle(&mut self, handled: &Handled) -> Result<(), HarvestError> {
        let formats = std::mem::take(&mut self.formats);
        if handled.accepted {
            let known = formats.into_iter().filter_map(|format| Some((format.prefix?, format.namespace?)));
            self.state.namespaces.extend(known);
        } else {
            self.journal.forget()?;
        }
        for mark in &handled.marks {
            self.journal.push(&Frame::Mark(Box::new(mark.clone())), &[])?;
        }
        self.journal.keep();
        Ok(())
    }

    fn save(&mut self, checkpoint: &Checkpoint) -> Result<(), HarvestError> {
        let journal = self.journal.sync()?;
        self.saved = journal;
        self.state.open = Some(OpenRun { checkpoint: checkpoint.clone(), journal });
        self.state.write(&self.folder)
    }

    fn compare(&mut self, scope: &Scope) -> Result<Comparison, HarvestError> {
        let length = self.journal.sync()?;
        self.task(length, &[]).compare(scope)
    }

    fn owed(&mut self) -> Result<Option<Vec<Owed>>, HarvestError> {
        // Most stores owe nothing, and need not read their journal again.
        if !self.has_damage && quarantine::owed(&self.folder)?.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let length = self.journal.sync()?;
        self.task(length, &[]).owed().map(Some)
    }
}

fn item(header: &Header) -> Item {
    Item {
        identifier: header.identifier.clone(),
        datestamp: header.datestamp.as_ref().map(|stamp| stamp.text.clone()),
        deleted: header.is_deleted,
        sets: header.sets.clone(),
        ..Item::default()
    }
}

/// The format of a call: its own, or that of the list continued by a token.
fn prefix(call: &Call, config: &Config) -> String {
    call.prefix.clone().or_else(|| config.prefixes.first().cloned()).unwrap_or_else(|| "oai_dc".into())
}

/// The set through which a record was harvested, if only sets are harvested.
fn via(call: &Call, config: &Config) -> Option<String> {
    call.set.clone().filter(|_| !config.sets.is_empty())
}

/// True if a folder is empty or does not exist.
fn is_empty(folder: &Path) -> Result<bool, HarvestError> {
    match fs::read_dir(folder) {
        Ok(entries) => {
            for entry in entries {
                let name = entry.map_err(|error| HarvestError::read(folder, error))?.file_name();
                // Left by a run that was killed while it created the store.
                if name != "lock" && !folder::is_temporary(&name) {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(HarvestError::read(folder, error)),
    }
}

/// Removes the temporary files of killed runs.
fn remove_temporary(folder: &Path) -> Result<(), HarvestError> {
    for place in [folder.to_owned(), folder.join("proofs"), folder.join("quarantine")] {
        let entries = match fs::read_dir(&place) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(HarvestError::read(place, error)),
        };
        for entry in entries {
            let entry = entry.map_err(|error| HarvestError::read(&place, error))?;
            if folder::is_temporary(&entry.file_name()) {
                fs::remove_file(entry.path()).map_err(|error| HarvestError::write(entry.path(), error))?;
            }
        }
    }
    Ok(())
}

/// Removes the remains of an interrupted merge that are not needed to repeat it.
fn clear(run: &Path) -> Result<(), HarvestError> {
    for entry in fs::read_dir(run).map_err(|error| HarvestError::read(run, error))? {
        let path = entry.map_err(|error| HarvestError::read(run, error))?.path();
        let is_needed = ["journal", "merge.json", "merging"].iter().any(|name| path.ends_with(name));
        if !is_needed {
            fs::remove_file(&path).map_err(|error| HarvestError::write(&path, error))?;
        }
    }
    Ok(())
}

fn prepare(plan: &mut Plan, folder: &Path, config: &Config, state: &State) -> Result<(), HarvestError> {
    plan.starts.clone_from(&state.next);
    plan.owed = quarantine::owed(folder)?;
    for own in plan.owed.iter().filter(|own| own.identifier.is_none()) {
        // Only a list of all identifiers tells which record it was.
        let of_prefix = plan.starts.iter_mut().filter(|start| start.prefix == own.prefix);
        of_prefix.for_each(|start| start.reconciled = None);
    }
    plan.prefixes.clone_from(&config.prefixes);
    plan.sets.clone_from(&config.sets);
    plan.all_formats = config.all_formats;
    let since = config.since.as_deref().and_then(Stamp::read);
    match plan.since {
        // What is held would begin at another time than the store says.
        Some(wanted) if since != Some(wanted) => {
            let stored = config.since.clone().unwrap_or_else(|| "(none)".to_owned());
            return Err(HarvestError::OtherHarvest { setting: "the start", stored, wanted: wanted.to_string() });
        }
        _ => plan.since = since,
    }
    Ok(())
}

/// Reads a store without changing it.
impl State {
    /// Completes the plan of the next run of a store. Returns the checkpoint of an unfinished run.
    ///
    /// # Errors
    ///
    /// If the folder is not a store, or cannot be read.
    pub fn prepare(folder: &Path, plan: &mut Plan) -> Result<Option<Checkpoint>, HarvestError> {
        let config = Config::read(folder)?.ok_or_else(|| HarvestError::NotAStore(folder.to_owned()))?;
        let state = State::read(folder)?;
        prepare(plan, folder, &config, &state)?;
        Ok(state.open.map(|open| open.checkpoint))
    }

    /// True if the last harvest was interrupted while it stored records: the next one completes it.
    pub(crate) fn is_interrupted(&self, folder: &Path) -> bool {
        merge::is_interrupted(folder, self)
    }

    /// The entries of the catalogue of a store, in order.
    ///
    /// # Errors
    ///
    /// If the folder is not a store, or its catalogue cannot be read.
    pub fn catalogue(folder: &Path) -> Result<Option<Catalogue>, HarvestError> {
        if !folder.join(config::NAME).exists() {
            return Err(HarvestError::NotAStore(folder.to_owned()));
        }
        let state = State::read(folder)?;
        let expected = merge::replaced(folder, &state).or(state.catalogue);
        match (&expected, folder.join(catalogue::NAME).exists()) {
            (None, false) => Ok(None),
            _ => Catalogue::open(folder, expected),
        }
    }

    /// The records of each item with one that was changed after a run, or of all items.
    ///
    /// # Errors
    ///
    /// If the folder is not a store, its catalogue cannot be read, or its last harvest was interrupted while it stored records.
    pub fn items(&self, folder: &Path, since: Option<u64>) -> Result<Items, HarvestError> {
        if self.is_interrupted(folder) {
            return Err(HarvestError::Interrupted(folder.to_owned()));
        }
        Ok(Items::new(Catalogue::open(folder, self.catalogue.clone())?, since))
    }

    /// The damaged records of a store.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub fn quarantined(folder: &Path) -> Result<Vec<Quarantined>, HarvestError> {
        Ok(quarantine::read(folder)?.into_iter().map(|(_, own)| own).collect())
    }
}
