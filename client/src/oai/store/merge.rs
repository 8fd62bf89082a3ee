//! Merges the journal of a run into the store.

mod join;
mod next_catalogue;
mod sample;
mod task;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use resourcesync_oai::{
    bridge::short_digest,
    harvest::{Action, Comparison, Mark, Owed, Reconciliation, Scope},
    stamp::{Datestamp, Stamp},
};
use serde::{Deserialize, Serialize};

pub(super) use self::task::Task;
use self::{
    join::{Both, Change, Known},
    next_catalogue::Next,
    sample::Sample,
};
use super::{
    super::HarvestError,
    catalogue::{self, Catalogue, CatalogueState, Entry, EntryStatus},
    config::Storage,
    journal::{Bytes, Damage, Frame, Frames, Item},
    output::{self, Output},
    quarantine,
    state::State,
};
use crate::folder;

/// The changes of a store by a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// New records.
    pub created: u64,
    /// Records with changed metadata.
    pub changed: u64,
    /// Deleted records.
    pub deleted: u64,
    /// Records that left the set.
    pub left_set: u64,
    /// Records with another datestamp or other sets but the same metadata.
    pub touched: u64,
    /// Unchanged records.
    pub unchanged: u64,
    /// Deleted records that were never present.
    pub tombstones: u64,
    /// Damaged records.
    pub quarantined: u64,
    /// Damaged records that were repaired.
    pub repaired: u64,
}

/// The counts of an interrupted merge.
#[derive(Debug, Serialize, Deserialize)]
struct Interrupted {
    run: u64,
    journal: u64,
    counts: Counts,
    catalogue: CatalogueState,
}

pub(super) const JOURNAL: &str = "run/journal";
const INTERRUPTED: &str = "run/merge.json";
/// Has the number of the run from the beginning of a merge until the state includes it: files and catalogue may differ meanwhile.
const MERGING: &str = "run/merging";

/// Removes the traces of a merge, once the state includes it.
pub(super) fn forget(folder: &Path) -> Result<(), HarvestError> {
    output::remove_file(&folder.join(INTERRUPTED))?;
    output::remove_file(&folder.join(MERGING)).map(|_| ())
}

/// True if a merge was interrupted: the next run completes it.
pub(super) fn is_interrupted(folder: &Path, state: &State) -> bool {
    let merging = fs::read_to_string(folder.join(MERGING));
    merging.is_ok_and(|run| run.trim().parse().map_or(true, |run: u64| run > state.run))
}

/// The catalogue of a merge that ended before the state was written.
pub(super) fn replaced(folder: &Path, state: &State) -> Option<CatalogueState> {
    let interrupted = interrupted(folder).filter(|own| own.run == state.run.saturating_add(1))?;
    is_catalogue(folder, &interrupted.catalogue).then_some(interrupted.catalogue)
}

fn interrupted(folder: &Path) -> Option<Interrupted> {
    fs::read(folder.join(INTERRUPTED)).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok())
}

/// True if this is the catalogue of the store.
fn is_catalogue(folder: &Path, state: &CatalogueState) -> bool {
    let length = fs::metadata(folder.join(catalogue::NAME)).map(|meta| meta.len());
    let catalogue = Catalogue::open(folder, Some(state.clone()));
    length.is_ok_and(|length| length == state.bytes)
        && catalogue.is_ok_and(|catalogue| catalogue.is_some_and(|mut all| all.all(|entry| entry.is_ok())))
}

impl Task<'_> {
    fn journal_path(&self) -> PathBuf {
        self.folder.join(JOURNAL)
    }

    /// Merges the journal. The merge takes effect when the state is written; until then it can be repeated with the
    /// same result.
    pub(super) fn merge(&self) -> Result<(Counts, Option<CatalogueState>), HarvestError> {
        let merging = self.folder.join(MERGING);
        fs::write(&merging, self.run.to_string()).map_err(|error| HarvestError::write(&merging, error))?;
        let path = self.folder.join(INTERRUPTED);
        let earlier =
            interrupted(self.folder).filter(|earlier| earlier.run == self.run && earlier.journal == self.journal);
        // The catalogue may be the old one, or already the new one.
        let replaced = earlier.as_ref().filter(|earlier| is_catalogue(self.folder, &earlier.catalogue));
        let expected = replaced.map(|earlier| earlier.catalogue.clone()).or(self.catalogue.clone());
        if expected.is_none() && self.folder.join(catalogue::NAME).exists() {
            return Err(HarvestError::Changed(self.folder.join(catalogue::NAME)));
        }
        let (mut counts, mut removed) = (Counts::default(), Vec::new());
        let mut output = Output::new(self.folder, self.storage, self.run);
        let state = self.stream(expected, &mut output, &mut counts, &mut removed)?;
        output.finish()?;
        self.quarantine(&mut counts)?;
        let counts = replaced.map_or(counts, |earlier| earlier.counts);
        let Some(state) = state else {
            self.remove(&removed)?;
            return Ok((counts, replaced.map(|earlier| earlier.catalogue.clone()).or(self.catalogue.clone())));
        };
        let interrupted = Interrupted { run: self.run, journal: self.journal, counts, catalogue: state.clone() };
        let bytes = serde_json::to_vec(&interrupted).map_err(|error| HarvestError::write(&path, error.into()))?;
        folder::write_atomic(&path, &bytes).map_err(|error| HarvestError::write(&path, error))?;
        let place = self.folder.join(catalogue::NAME);
        fs::rename(self.folder.join(next_catalogue::NAME), &place)
            .map_err(|error| HarvestError::write(place, error))?;
        self.remove(&removed)?;
        Ok((counts, Some(state)))
    }

    fn remove(&self, removed: &[String]) -> Result<(), HarvestError> {
        if self.storage == Storage::Files {
            removed.iter().try_for_each(|location| output::remove(self.folder, location))?;
        }
        Ok(())
    }

    /// Writes the records that changed, and a new catalogue if anything did.
    fn stream(
        &self,
        expected: Option<CatalogueState>,
        output: &mut Output,
        counts: &mut Counts,
        removed: &mut Vec<String>,
    ) -> Result<Option<CatalogueState>, HarvestError> {
        let mut bytes = match self.journal {
            0 => None,
            _ => Some(Bytes::open(&self.journal_path())?),
        };
        let mut next = Next::new(self.folder);
        let mut both = Both::new(self, expected)?;
        while let Some((known, changes)) = both.next()? {
            let (entry, end) = known.map_or((None, 0), |known| (Some(known.entry), known.end));
            let is_untouched = changes.is_empty() && self.reconciled.is_empty();
            if let Some(entry) = entry.as_ref().filter(|_| is_untouched) {
                next.keep(entry, end)?;
                // An interrupted merge of this run may not have written it.
                if entry.run == self.run && !entry.status.is_active() {
                    removed.extend(entry.location.clone());
                }
                continue;
            }
            let old = entry.clone();
            let new = self.apply(entry, &changes, output, &mut bytes, counts, removed)?;
            match (&old, &new) {
                (Some(old), Some(new)) if old == new => next.keep(new, end)?,
                (_, Some(new)) => next.push(new)?,
                // Entries are never removed.
                (_, None) => {}
            }
        }
        next.finish()
    }

    /// Updates an entry.
    fn apply(
        &self,
        entry: Option<Entry>,
        changes: &[Change],
        output: &mut Output,
        bytes: &mut Option<Bytes>,
        counts: &mut Counts,
        removed: &mut Vec<String>,
    ) -> Result<Option<Entry>, HarvestError> {
        // The last one counts (OAI-PMH 2.0 §3.5: a list is the concatenation of its pages).
        let last = changes.iter().rev().find_map(|change| change.item.as_ref().map(|item| (change, item)));
        let Some((change, item)) = last else { return Ok(self.reconcile(entry, changes, counts, removed)) };
        // An interrupted merge of this run already did this.
        let is_again = entry.as_ref().is_some_and(|entry| entry.run == self.run);
        let made = |status: EntryStatus, location: Option<String>| Entry {
            identifier: change.identifier.clone(),
            prefix: change.prefix.clone(),
            datestamp: item.datestamp.clone(),
            status,
            modified: None,
            length: item.length,
            sha256: item.sha256.clone(),
            sets: item.sets.clone(),
            via: item.via.clone(),
            location,
            moved: None,
            run: self.run,
        };
        if item.deleted {
            // A record that this run delivered, and then its deletion.
            let delivered = changes.iter().filter_map(|change| change.item.as_ref()).rfind(|item| !item.deleted);
            return Ok(match entry {
                None if delivered.is_some() => {
                    counts.deleted = counts.deleted.saturating_add(1);
                    let sha256 = delivered.and_then(|item| item.sha256.clone());
                    let length = delivered.and_then(|item| item.length);
                    Some(Entry { sha256, length, ..made(EntryStatus::Deleted, None) })
                }
                None => {
                    counts.tombstones = counts.tombstones.saturating_add(1);
                    self.tombstones.then(|| made(EntryStatus::Deleted, None))
                }
                Some(entry) if entry.status == EntryStatus::Deleted => {
                    if is_again {
                        removed.extend(entry.location.clone());
                    }
                    counts.unchanged = counts.unchanged.saturating_add(1);
                    Some(entry)
                }
                Some(entry) => {
                    counts.deleted = counts.deleted.saturating_add(1);
                    removed.extend(entry.location.clone());
                    let Entry { sha256, length, .. } = entry;
                    Some(Entry { sha256, length, ..made(EntryStatus::Deleted, entry.location) })
                }
            });
        }
        let same = |entry: &Entry| entry.status.is_active() && entry.sha256 == item.sha256;
        match entry {
            Some(entry) if same(&entry) && !is_again => {
                let is_same = entry.datestamp == item.datestamp && entry.sets == item.sets;
                let count = if is_same { &mut counts.unchanged } else { &mut counts.touched };
                *count = count.saturating_add(1);
                if is_same {
                    return Ok(Some(entry));
                }
                // The file of the record stays.
                let is_moved = entry.sets != item.sets || entry.via != item.via;
                let moved = if is_moved { Some(self.run) } else { entry.moved };
                let modified = entry.modified.or(entry.datestamp);
                let modified = modified.filter(|own| Some(own) != item.datestamp.as_ref());
                let Entry { run, length, location, .. } = entry;
                let length = item.length.or(length);
                Ok(Some(Entry { modified, length, moved, run, ..made(EntryStatus::Active, location) }))
            }
            entry => {
                let was_active = entry.is_some_and(|entry| entry.status.is_active());
                let count = if was_active { &mut counts.changed } else { &mut counts.created };
                *count = count.saturating_add(1);
                let parts = self.parts(change, item, bytes)?;
                let location = output.write(&change.prefix, &change.identifier, &parts)?;
                Ok(Some(made(EntryStatus::Active, Some(location))))
            }
        }
    }

    fn parts(&self, change: &Change, item: &Item, bytes: &mut Option<Bytes>) -> Result<Vec<Vec<u8>>, HarvestError> {
        let Some(bytes) = bytes else { return Ok(Vec::new()) };
        let mut at = change.at;
        let mut parts = Vec::new();
        for length in &item.lengths {
            parts.push(bytes.read(at, *length)?);
            at = at.saturating_add(*length);
        }
        Ok(parts)
    }

    /// Updates a record that was not part of the run, depending on whether it is still listed.
    fn reconcile(
        &self,
        entry: Option<Entry>,
        changes: &[Change],
        counts: &mut Counts,
        removed: &mut Vec<String>,
    ) -> Option<Entry> {
        let entry = entry?;
        let is_again = entry.run == self.run && !entry.status.is_active();
        let is_listed = changes.iter().any(|change| change.is_listed);
        let action = self.reconciled.iter().find(|own| {
            matches!(own.action, Action::Delete | Action::LeftSet)
                && entry.is_in(&own.prefix, own.set.as_deref())
                && is_before(&entry, own.before)
        });
        if is_again {
            removed.extend(entry.location.clone());
        }
        let Some(own) = action.filter(|_| !is_listed && entry.status.is_active()) else { return Some(entry) };
        let (status, count) = match own.action {
            Action::LeftSet => (EntryStatus::LeftSet, &mut counts.left_set),
            _ => (EntryStatus::Deleted, &mut counts.deleted),
        };
        *count = count.saturating_add(1);
        removed.extend(entry.location.clone());
        Some(Entry { status, run: self.run, ..entry })
    }

    /// Compares the records of a scope with the list of its identifiers.
    pub(super) fn compare(&self, scope: &Scope) -> Result<Comparison, HarvestError> {
        let mut result = Comparison::default();
        let mut sample = Sample::new(scope.sample as usize);
        let is_own_list = |change: &&Change| {
            let is_of_set = scope.set.is_none() || change.via == scope.set;
            change.is_listed && change.prefix == scope.prefix && is_of_set
        };
        let is_since = |stamp: Stamp| scope.from.is_none_or(|from| stamp.last_second() >= from);
        // A record of an earlier run, also of the day on which the list began, would be in it.
        let would_be_listed = |stamp: Stamp| stamp.unix() < scope.before && is_since(stamp);
        let was_settled = |stamp: Stamp| stamp.last_second() < scope.before && is_since(stamp);
        let mut both = Both::new(self, self.catalogue.clone())?;
        while let Some((known, changes)) = both.next()? {
            let entry = known.map(|Known { entry, .. }| entry).filter(|entry| entry.status.is_active());
            let held = entry.as_ref().and_then(stamp_of);
            if entry.as_ref().is_some_and(|entry| entry.is_in(&scope.prefix, scope.set.as_deref())) {
                result.total = result.total.saturating_add(1);
                // The status of records of this run is known.
                if changes.is_empty() && held.is_some_and(would_be_listed) {
                    result.missing = result.missing.saturating_add(1);
                    sample.push(&entry.as_ref().map(|entry| entry.identifier.clone()).unwrap_or_default());
                }
            }
            let listed = changes.iter().rev().find(is_own_list).filter(|change| change.item.is_none());
            let is_delivered = changes.iter().any(|change| !change.is_listed);
            let Some(listed) = listed.filter(|_| !is_delivered) else { continue };
            let stamp = listed.datestamp.as_deref().and_then(|text| Datestamp::read(text).stamp);
            let is_older = match (held, stamp) {
                (Some(held), Some(stamp)) => held.last_second() < stamp.unix(),
                _ => false,
            };
            // Later ones are delivered by the next harvest.
            if stamp.is_some_and(was_settled) && (entry.is_none() || is_older) {
                result.lacking = result.lacking.saturating_add(1);
                if result.wanted.len() < scope.wanted as usize {
                    result.wanted.push(listed.identifier.clone());
                }
            }
        }
        result.sample = sample.finish();
        Ok(result)
    }

    /// What happened to damaged records in this run.
    fn damages(&self, known: &BTreeSet<Key>) -> Result<Damages, HarvestError> {
        let mut damages = Damages::default();
        for found in Frames::open(&self.journal_path(), self.journal)?.into_iter().flatten() {
            let found = found?;
            match found.frame {
                Frame::Damaged(damage) => {
                    if let Some(key) = damage.identifier.clone().map(|identifier| (damage.prefix.clone(), identifier)) {
                        if damage.repaired.is_empty() {
                            damages.whole.remove(&key);
                        }
                        damages.names.insert(key);
                    }
                    damages.all.push((damage, found.bytes, found.length));
                }
                Frame::Record(item) => {
                    let key = (item.prefix, item.identifier);
                    if known.contains(&key) || damages.names.contains(&key) {
                        damages.whole.insert(key);
                    }
                }
                Frame::Mark(mark) => {
                    if let Mark::Settled { prefix, identifier } = *mark {
                        damages.whole.insert((prefix, identifier));
                    }
                }
                Frame::Listed(_) => {}
            }
        }
        Ok(damages)
    }

    /// The records that are owed: those of earlier runs that were not delivered intact since, and those of this run.
    pub(super) fn owed(&self) -> Result<Vec<Owed>, HarvestError> {
        let mut owed = quarantine::owed(self.folder)?;
        let known = owed.iter().filter_map(key_of).collect();
        let damages = self.damages(&known)?;
        owed.retain(|own| !key_of(own).is_some_and(|key| damages.names.contains(&key) || damages.whole.contains(&key)));
        // Each run requests others first, in case that not all can be requested.
        owed.sort_by_cached_key(|own| short_digest(&format!("{} {:?}", self.run, own.identifier)));
        let mut taken = BTreeSet::new();
        for (damage, ..) in damages.all.into_iter().filter(|(damage, ..)| damage.repaired.is_empty()) {
            let new = Owed { prefix: damage.prefix, set: damage.via, identifier: damage.identifier, is_new: true };
            let key = key_of(&new);
            if key.is_none_or(|key| !damages.whole.contains(&key) && taken.insert(key)) {
                owed.push(new);
            }
        }
        Ok(owed)
    }

    /// Stores damaged records, and removes those that are not owed any more.
    fn quarantine(&self, counts: &mut Counts) -> Result<(), HarvestError> {
        let known = quarantine::read(self.folder)?;
        let keys = known.iter().filter_map(|(_, own)| Some((own.prefix.clone(), own.identifier.clone()?))).collect();
        let Damages { whole, all, .. } = self.damages(&keys)?;
        let is_whole = |identifier: &Option<String>, prefix: &str| {
            identifier.as_ref().is_some_and(|own| whole.contains(&(prefix.to_owned(), own.clone())))
        };
        let mut bytes = match all.is_empty() {
            true => None,
            false => Some(Bytes::open(&self.journal_path())?),
        };
        let (mut files, mut again) = (BTreeSet::new(), BTreeSet::new());
        for (damage, at, length) in all {
            let is_repaired = !damage.repaired.is_empty();
            let count = if is_repaired { &mut counts.repaired } else { &mut counts.quarantined };
            *count = count.saturating_add(1);
            let Some(bytes) = bytes.as_mut().filter(|_| is_repaired || !is_whole(&damage.identifier, &damage.prefix))
            else {
                continue;
            };
            let raw = bytes.read(at, length)?;
            quarantine::write(self.folder, &damage, &raw, self.run)?;
            files.insert(quarantine::name(&damage.prefix, &raw));
            let Damage { identifier, prefix, .. } = *damage;
            again.extend(identifier.filter(|_| !is_repaired).map(|identifier| (prefix, identifier)));
        }
        for (path, own) in known.iter().filter(|(_, own)| own.repaired.is_empty()) {
            let is_kept = path.file_stem().and_then(|name| name.to_str()).is_some_and(|name| files.contains(name));
            let is_again = own.identifier.as_ref().is_some_and(|id| again.contains(&(own.prefix.clone(), id.clone())));
            let is_found = own.identifier.is_none() && self.is_compared(&own.prefix);
            if !is_kept && (is_whole(&own.identifier, &own.prefix) || is_again || is_found) {
                quarantine::remove(path)?;
            }
        }
        Ok(())
    }

    /// True if all that is listed in a format is held, or owed by its name.
    fn is_compared(&self, prefix: &str) -> bool {
        let is_settled = |own: &&Reconciliation| {
            own.prefix == prefix && matches!(own.action, Action::Nothing | Action::Delete | Action::LeftSet)
        };
        self.reconciled.iter().filter(is_settled).count() >= self.lists_of_a_prefix
    }
}

/// A record: its format and identifier.
type Key = (String, String);

/// What a run delivered damaged, and which damaged records it settled.
#[derive(Default)]
struct Damages {
    /// Delivered intact after they were damaged, or not in the repository any more.
    whole: BTreeSet<Key>,
    /// Delivered damaged, also if they were repaired.
    names: BTreeSet<Key>,
    /// Each damage, with its place in the journal.
    all: Vec<(Box<Damage>, u64, u64)>,
}

fn key_of(owed: &Owed) -> Option<Key> {
    Some((owed.prefix.clone(), owed.identifier.clone()?))
}

/// The datestamp of an entry, if it is valid.
fn stamp_of(entry: &Entry) -> Option<Stamp> {
    entry.datestamp.as_deref().and_then(|text| Datestamp::read(text).stamp)
}

/// True if an entry was changed before `second`; false without a valid datestamp.
fn is_before(entry: &Entry, before: i64) -> bool {
    stamp_of(entry).is_some_and(|stamp| stamp.unix() < before)
}
