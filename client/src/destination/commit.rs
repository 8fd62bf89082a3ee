//! Moves verified files from staging to their places, in groups: makes them durable, records them, renames them,
//! and records that they are in place.
//!
//! INVARIANT, whenever a run is killed: a file in staging without a row in `placing` is useless; and a row in `placing` refers to a durable
//! file, in staging or at its place.

use std::time::{Duration, Instant};

use resourcesync_sync::report::{Done, ItemCode};

use super::{
    SyncError,
    copies::{Copies, InTheWay, Look},
    ledger::{self, Placing},
    run::Run,
    transfer::{digests, sha256},
};

/// Maximum files of a group.
const FILES: usize = 256;
/// Maximum bytes of a group.
const BYTES: u64 = 32 << 20;
/// Maximum time that a verified file waits for others.
const WAIT: Duration = Duration::from_millis(500);

/// Files that are placed together.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) list: Vec<Placing>,
    bytes: u64,
    begun: Option<Instant>,
    /// The previous group: in place, but not yet recorded as stored.
    before: Vec<Placing>,
}

impl Group {
    pub(super) fn push(&mut self, placing: Placing) {
        self.bytes = self.bytes.saturating_add(placing.entry.held.size);
        self.begun.get_or_insert_with(Instant::now);
        self.list.push(placing);
    }

    pub(super) fn is_due(&self) -> bool {
        let waits = self.begun.is_some_and(|begun| begun.elapsed() >= WAIT);
        self.list.len() >= FILES || self.bytes >= BYTES || waits
    }
}

/// The decision about a verified file.
enum Way {
    /// It gets this path, if it differs from that of the layout.
    Free(Option<String>),
    /// A foreign file is in the way.
    Foreign,
}

impl Run<'_, '_> {
    /// Places the group.
    pub(super) fn commit(&mut self) -> Result<(), SyncError> {
        let (mut group, before) = (std::mem::take(&mut self.group.list), std::mem::take(&mut self.group.before));
        (self.group.bytes, self.group.begun) = (0, None);
        if group.is_empty() && before.is_empty() {
            return Ok(());
        }
        let is_durable = self.options.durable;
        self.copies()?.sync_folders(is_durable)?;
        if is_durable && !group.is_empty() {
            self.copies()?.sync_staging(group.iter().map(|placing| placing.number))?;
        }
        let run = self.number;
        let transaction = self.ledger.transaction()?;
        ledger::placed(&transaction, &before, run)?;
        transaction.commit()?;
        let places: Vec<String> = group.iter().map(|placing| self.place_of(placing)).collect();
        let mut kept = Vec::new();
        for (mut placing, place) in group.drain(..).zip(&places) {
            let has_below = places.iter().any(|other| is_below(other, place));
            match self.clear_the_way(&placing, place, has_below)? {
                Way::Free(path) => {
                    placing.entry.path = path;
                    kept.push(placing);
                }
                Way::Foreign => {
                    self.copies()?.staging().discard(placing.number);
                    self.conflict(&placing)?;
                }
            }
        }
        let transaction = self.ledger.transaction()?;
        ledger::begin_placing(&transaction, &kept, run)?;
        transaction.commit()?;
        for placing in &kept {
            let place = self.place_of(placing);
            self.copies()?.place(placing.number, &place).map_err(way)?;
            self.placed(placing);
        }
        self.group.before = kept;
        Ok(())
    }

    /// Places the remaining files, and records everything.
    pub(super) fn commit_all(&mut self) -> Result<(), SyncError> {
        self.commit()?;
        self.commit()
    }

    fn place_of(&self, placing: &Placing) -> String {
        placing.entry.path.clone().or_else(|| self.places.of(&placing.entry.uri)).unwrap_or_default()
    }

    /// Makes room at a place, without touching foreign files.
    fn clear_the_way(&mut self, placing: &Placing, place: &str, has_below: bool) -> Result<Way, SyncError> {
        let (run, overwrites) = (self.number, self.options.overwrite);
        while let Err(problem) = self.copies()?.make_way(place) {
            let InTheWay::NoFolder(file) = problem else { return Err(way(problem)) };
            let owner = self.places.uri(&file).map(|uri| self.ledger.find(&uri)).transpose()?.flatten();
            match owner.filter(|owner| owner.path.is_none()) {
                // A file of this copy: `a` and `a/b` are both listed.
                Some(owner) => {
                    let other = format!("{file}^");
                    self.copies()?.rename(&file, &other).map_err(way)?;
                    self.ledger.move_to(&owner.uri, &other)?;
                }
                None if overwrites => drop(self.copies()?.trash(&file, run).map_err(way)?),
                None => return Ok(Way::Foreign),
            }
        }
        let mut path = None;
        let mut look = self.copies()?.look(place)?;
        if has_below || look.is_some_and(|look| look.is_folder) {
            let other = format!("{place}^");
            look = self.copies()?.look(&other)?;
            path = Some(other);
        } else if placing.entry.path.is_some() {
            path = Some(place.to_owned());
        }
        let place = path.as_deref().unwrap_or(place);
        let Some(look) = look else { return Ok(Way::Free(path)) };
        let held = self.ledger.find(&placing.entry.uri)?;
        let own = held.as_ref().map(|held| Look::compare(Some(look), held.held.size, held.mtime));
        match own {
            Some(resourcesync_sync::Local::Intact) => {}
            Some(_) => {
                self.changed = self.changed.saturating_add(1);
                self.copies()?.trash(place, run).map_err(way)?;
            }
            None if overwrites => drop(self.copies()?.trash(place, run).map_err(way)?),
            None => return Ok(Way::Foreign),
        }
        Ok(Way::Free(path))
    }

    fn conflict(&mut self, placing: &Placing) -> Result<(), SyncError> {
        self.counts.conflicts = self.counts.conflicts.saturating_add(1);
        let Some(wanted) = self.wanted.remove(&placing.number) else { return Ok(()) };
        self.ledger.owe(&wanted, ItemCode::Foreign, self.number)?;
        let mut item = self.item(&wanted, placing.entry.id != 0, Done::Conflict);
        item.code = Some(ItemCode::Foreign);
        self.report(item);
        Ok(())
    }

    /// Completes the work of a killed run.
    pub(super) fn recover(&mut self) -> Result<(), SyncError> {
        let list = self.ledger.placing()?;
        // From an earlier run: whether they are still listed is not known yet.
        let run = self.number.saturating_sub(1);
        let (mut placed, mut lost) = (Vec::new(), Vec::new());
        for mut placing in list {
            let place = self.place_of(&placing);
            let copies = self.copies()?;
            let is_there = if copies.is_staged(placing.number) {
                match copies.place(placing.number, &place) {
                    Ok(()) => true,
                    Err(InTheWay::NoFolder(_)) => false,
                    Err(problem) => return Err(way(problem)),
                }
            } else {
                is_file(copies, &place, &mut placing)?
            };
            if is_there { placed.push(placing) } else { lost.push(placing.number) }
        }
        let is_durable = self.options.durable;
        self.copies()?.sync_folders(is_durable)?;
        let transaction = self.ledger.transaction()?;
        ledger::placed(&transaction, &placed, run)?;
        for number in lost {
            ledger::not_placed(&transaction, number)?;
        }
        transaction.commit()?;
        self.copies()?.clear_staging()?;
        Ok(())
    }
}

/// True if the file at a place is the intended one.
fn is_file(copies: &mut Copies, place: &str, placing: &mut Placing) -> Result<bool, SyncError> {
    let Some(look) = copies.look(place)?.filter(|look| look.is_file && look.size == placing.entry.held.size) else {
        return Ok(false);
    };
    let hashes = digests(&mut copies.read(place)?, [resourcesync::value::Algorithm::Sha256])?;
    placing.entry.mtime = look.mtime;
    Ok(sha256(&hashes) == placing.entry.held.sha256)
}

fn is_below(place: &str, above: &str) -> bool {
    place.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'))
}

pub(super) fn way(problem: InTheWay) -> SyncError {
    match problem {
        InTheWay::Io(error) => SyncError::Io(error),
        InTheWay::NoFolder(_) => SyncError::Io(std::io::ErrorKind::NotADirectory.into()),
    }
}
