//! Moves verified files from staging to their places, in groups: makes them durable, records them, renames them,
//! and records that they are in place.
//!
//! INVARIANT, whenever a run is killed: a file in staging without a row in `placing` is useless, or the beginning of a resource; a row in `placing` refers to a durable
//! file, in staging or at its place; and no file of the copy was moved without a row in `moving`.

use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

use resourcesync_sync::{
    Local, place,
    report::{Done, ItemCode},
};

use super::{
    SyncError,
    copies::{Copies, InTheWay, Look},
    files::Files,
    inventory::holding,
    ledger::{Entry, Ledger, Move, Placing},
    run::Run,
    store::Keep,
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
    /// A file of another resource is there, and at the path that it would get instead too.
    SameName,
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
        self.ledger.placed(&before, run)?;
        let is_stored = self.copies()?.has_store();
        if is_stored {
            let staging = self.copies()?.staging();
            before.iter().for_each(|placing| staging.discard(placing.number));
        }
        let places: Vec<String> = group.iter().map(|placing| self.place_of(placing)).collect();
        let (mut kept, mut aside) = (Vec::new(), Vec::new());
        let folds = self.copies()?.folds();
        let folded: Vec<String> =
            if folds { places.iter().map(|place| place::folded(place)).collect() } else { places.clone() };
        let mut taken = HashSet::new();
        for ((mut placing, place), alike) in group.drain(..).zip(&places).zip(&folded) {
            let has_below = !is_stored && folded.iter().any(|other| is_below(other, alike));
            let place = match folds && !taken.insert(alike) {
                true => place::aside(place, &placing.entry.uri),
                false => place.clone(),
            };
            match self.clear_the_way(&placing, &place, has_below, &mut aside)? {
                Way::Free(mut path) => {
                    if path.is_none() && self.places.of(&placing.entry.uri).as_ref() != Some(&place) {
                        path = Some(place);
                    }
                    placing.entry.path = path;
                    if is_stored {
                        placing.entry.mtime = 0;
                    }
                    kept.push(placing);
                }
                other => {
                    self.copies()?.staging().discard(placing.number);
                    let is_foreign = matches!(other, Way::Foreign);
                    self.conflict(&placing, if is_foreign { ItemCode::Foreign } else { ItemCode::SameName })?;
                }
            }
        }
        self.ledger.begin_placing(&kept, &aside, run)?;
        let changed = aside.iter().filter(|moving| moving.is_changed).count();
        self.record.changed = self.record.changed.saturating_add(changed as u64);
        for placing in &kept {
            let place = self.place_of(placing);
            if is_stored {
                self.copies()?.put(placing.number, &holding(placing.entry.clone(), place))?;
            } else {
                if aside.iter().any(|moving| moving.place == place) {
                    self.copies()?.trash(&place, run)?;
                }
                self.copies()?.place(placing.number, &place)?;
            }
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

    /// Removes what a run that cannot go on has in staging; what is being placed is completed by the next one, and what was cut off is
    /// continued.
    pub(super) fn abandon(&mut self) -> Result<(), SyncError> {
        let keep: Vec<u64> = self.ledger.placing()?.iter().map(|placing| placing.number).collect();
        self.copies()?.clear_staging(&keep)?;
        Ok(())
    }

    fn place_of(&self, placing: &Placing) -> String {
        placing.entry.path.clone().or_else(|| self.places.of(&placing.entry.uri)).unwrap_or_default()
    }

    /// Makes room at a place, without touching foreign files. `aside` takes the files that are to be moved to the trash first.
    fn clear_the_way(
        &mut self,
        placing: &Placing,
        place: &str,
        has_below: bool,
        aside: &mut Vec<Move>,
    ) -> Result<Way, SyncError> {
        let overwrites = self.options.overwrite;
        while let Err(problem) = self.copies()?.make_way(place) {
            let InTheWay::NoFolder(mut file) = problem else { return Err(problem.into()) };
            if let Some(other) = self.other_at(&file)? {
                file = other;
            }
            match self.owner_of(&file)? {
                // A file of this copy: `a` and `a/b` are both listed.
                Some(owner) => {
                    if !self.step_aside(&owner, &file)? {
                        return Ok(Way::Foreign);
                    }
                }
                None if overwrites => {
                    if let Some(look) = self.copies()?.look(&file)? {
                        self.trash_foreign(&file, look)?;
                    }
                }
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
        let is_changed = match own {
            Some(Local::Intact) => return Ok(Way::Free(path)),
            Some(_) => true,
            None if self.other_at(place)?.is_some() => {
                let other = place::aside(place, &placing.entry.uri);
                let is_taken = self.copies()?.look(&other)?.is_some();
                return Ok(if is_taken { Way::SameName } else { Way::Free(Some(other)) });
            }
            None if overwrites => false,
            None => return Ok(Way::Foreign),
        };
        // A store replaces it itself.
        if !self.copies()?.has_store() {
            let uri = if is_changed { &*placing.entry.uri } else { "" };
            aside.push(self.to_trash(uri, place, look, is_changed));
        }
        Ok(Way::Free(path))
    }

    /// The move of a file to the trash of this run.
    pub(super) fn to_trash(&self, uri: &str, place: &str, look: Look, is_changed: bool) -> Move {
        let (uri, place, run) = (uri.to_owned(), place.to_owned(), self.number);
        Move { uri, place, target: None, size: look.size, mtime: look.mtime, is_changed, is_done: false, run }
    }

    /// Moves a file of others that is in the way to the trash.
    fn trash_foreign(&mut self, file: &str, look: Look) -> Result<(), SyncError> {
        let run = self.number;
        let moving = self.to_trash("", file, look, false);
        self.ledger.announce(&[moving])?;
        self.copies()?.trash(file, run)?;
        Ok(())
    }

    /// The resource of a file of this copy that has the name of the layout.
    pub(super) fn owner_of(&self, file: &str) -> Result<Option<Entry>, SyncError> {
        let owner = self.places.uri(file).map(|uri| self.ledger.find(&uri)).transpose()?.flatten();
        Ok(owner.filter(|owner| owner.path.is_none()))
    }

    /// Renames the file of a resource so that a folder can have its name. False if a file of others is in the way.
    pub(super) fn step_aside(&mut self, owner: &Entry, file: &str) -> Result<bool, SyncError> {
        let other = format!("{file}^");
        let (now, taken) = (self.copies()?.look(file)?, self.copies()?.look(&other)?);
        let Some(look) = now else { return Ok(false) };
        match taken {
            Some(taken) if self.options.overwrite => self.trash_foreign(&other, taken)?,
            Some(_) => return Ok(false),
            None => {}
        }
        let (uri, place, target, run) = (owner.uri.clone(), file.to_owned(), Some(other.clone()), self.number);
        let (size, mtime) = (look.size, look.mtime);
        let moving = Move { uri, place, target, size, mtime, is_changed: false, is_done: false, run };
        self.ledger.announce(&[moving])?;
        self.copies()?.rename(file, &other)?;
        let is_durable = self.options.durable;
        self.copies()?.sync_folders(is_durable)?;
        self.ledger.moved(&[(&owner.uri, &other)])?;
        Ok(true)
    }

    /// The path of a file of ours that the file system takes for this one, although it is of another resource.
    pub(super) fn other_at(&mut self, place: &str) -> Result<Option<String>, SyncError> {
        if !self.copies()?.folds() {
            return Ok(None);
        }
        let Some(actual) = self.copies()?.actual(place)?.filter(|actual| actual != place) else { return Ok(None) };
        let Some(uri) = self.places.uri(&actual) else { return Ok(None) };
        let is_ours = self.ledger.find(&uri)?.is_some_and(|owner| owner.path.is_none())
            || self.group.before.iter().any(|placing| placing.entry.uri == uri);
        Ok(is_ours.then_some(actual))
    }

    fn conflict(&mut self, placing: &Placing, code: ItemCode) -> Result<(), SyncError> {
        self.record.counts.conflicts = self.record.counts.conflicts.saturating_add(1);
        let Some(wanted) = self.wanted.remove(&placing.number) else { return Ok(()) };
        self.ledger.retry_later(&wanted, code, self.number)?;
        let mut item = self.item(&wanted, placing.entry.id != 0, Done::Conflict);
        item.code = Some(code);
        if code == ItemCode::SameName {
            let path = item.path.clone().unwrap_or_default();
            self.record.find("SYN-08", [("uri", wanted.uri.as_str().into()), ("path", path.into())]);
        }
        self.report(item);
        Ok(())
    }

    /// Completes the moves that a killed run had recorded. A file that was put in the place of one of them meanwhile is left alone.
    fn finish_moves(&mut self) -> Result<(), SyncError> {
        let list = self.ledger.moves()?;
        if list.is_empty() {
            return Ok(());
        }
        let mut renamed = Vec::new();
        for moving in &list {
            let copies = self.copies()?;
            let is_it = |look: Option<Look>| Look::compare(look, moving.size, moving.mtime) == Local::Intact;
            match &moving.target {
                _ if moving.is_done => {}
                Some(target) if is_it(copies.look(target)?) => renamed.push((&*moving.uri, &**target)),
                // Still under its old name, which it may keep.
                Some(_) => {}
                None if copies.remove_stored(&moving.uri, &moving.place)? => {}
                None if is_it(copies.look(&moving.place)?) => {
                    copies.trash(&moving.place, moving.run)?;
                    copies.prune(&moving.place);
                }
                None => {}
            }
            self.record.changed = self.record.changed.saturating_add(u64::from(moving.is_changed));
        }
        let is_durable = self.options.durable;
        self.copies()?.sync_folders(is_durable)?;
        self.ledger.moved(&renamed)?;
        Ok(())
    }

    /// Completes the work of a killed run.
    pub(super) fn recover(&mut self) -> Result<(), SyncError> {
        self.finish_moves()?;
        let list = self.ledger.placing()?;
        // From an earlier run: whether they are still listed is not known yet.
        let run = self.number.saturating_sub(1);
        let (mut placed, mut lost) = (Vec::new(), Vec::new());
        for mut placing in list {
            let place = self.place_of(&placing);
            let copies = self.copies()?;
            let is_there = if copies.is_staged(placing.number) && copies.has_store() {
                copies.put(placing.number, &holding(placing.entry.clone(), place))?;
                true
            } else if copies.is_staged(placing.number) {
                match copies.place(placing.number, &place) {
                    Ok(()) => true,
                    Err(InTheWay::NoFolder(_)) => false,
                    Err(problem) => return Err(problem.into()),
                }
            } else {
                is_file(copies, &place, &mut placing)?
            };
            if is_there { placed.push(placing) } else { lost.push(placing.number) }
        }
        let is_durable = self.options.durable;
        self.copies()?.sync_folders(is_durable)?;
        self.ledger.recovered(&placed, &lost, run)?;
        let parts = self.copies()?.clear_staging(&[])?;
        self.parts = parts.into_iter().map(|part| (part.uri.clone(), part)).collect();
        match &mut self.files {
            Files::Own(copies) => remove_finished(&self.ledger, copies),
            Files::Others(..) => Ok(()),
        }
    }
}

/// Removes the files that were only kept until their changes were acknowledged.
pub(super) fn remove_finished(ledger: &Ledger, copies: &mut Copies) -> Result<(), SyncError> {
    if !matches!(copies.keep(), Keep::UntilDone) {
        return Ok(());
    }
    let paths = ledger.finished()?;
    if paths.is_empty() {
        return Ok(());
    }
    for path in &paths {
        copies.discard(path)?;
    }
    ledger.forget_finished()
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
