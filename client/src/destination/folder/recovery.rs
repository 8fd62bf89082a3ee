//! What a killed run has begun, to its end.

use resourcesync::value::Algorithm;
use resourcesync_sync::{Local, ledger::Resources};

use super::{
    copies::{Copies, InTheWay},
    look::Look,
    store::Keep,
    writing::Folder,
};
use crate::destination::{
    SyncError,
    fetch::{digests, sha256},
    ledger::{Ledger, Placing},
};

impl Folder {
    /// Completes the work of a killed run; the number of files that other programs had changed.
    pub(in crate::destination) fn recover(&mut self, ledger: &mut Ledger) -> Result<usize, SyncError> {
        let changed = self.finish_moves(ledger)?;
        let list = ledger.placing()?;
        // From an earlier run: whether they are still listed is not known yet.
        let run = self.options.run.saturating_sub(1);
        let (mut placed, mut lost) = (Vec::new(), Vec::new());
        for mut placing in list {
            let place = self.place_of(&placing.stored);
            let held = ledger.find(&placing.stored.uri)?;
            let held = held.filter(|held| self.place_of(held) == place);
            let copies = self.copies()?;
            // Neither a file that others put there meanwhile, nor one that they changed, is replaced: the run decides about it.
            let is_taken = copies.look(&place)?.filter(|look| look.is_file).is_some_and(|look| {
                held.is_none_or(|held| Look::compare(Some(look), held.state.size, held.mtime) != Local::Intact)
            });
            let is_there = match (copies.staging().has(placing.number), is_taken) {
                (true, false) if copies.has_store() => {
                    placing.stored.mtime = copies.put(placing.number, &placing.stored, place)?;
                    true
                }
                (true, false) => match copies.place(placing.number, &place) {
                    Ok(()) => true,
                    Err(InTheWay::NoFolder(_)) => false,
                    Err(problem) => return Err(problem.into()),
                },
                // In a store it may have been placed before it left staging.
                (true, true) if !copies.has_store() => false,
                _ => is_file(copies, &place, &mut placing)?,
            };
            if is_there { placed.push(placing) } else { lost.push(placing.number) }
        }
        self.sync_folders()?;
        ledger.recovered(&placed, &lost, run)?;
        let parts = self.copies()?.staging().clear(&[])?;
        self.parts = parts.into_iter().map(|part| (part.uri.clone(), part)).collect();
        remove_finished(ledger, self.copies()?)?;
        Ok(changed)
    }

    /// Files are taken to be as they were left, but not where none of a few is there: the folder is not mounted, or not that of this copy.
    pub(in crate::destination) fn check_files(&mut self, ledger: &Ledger) -> Result<(), SyncError> {
        let mut are_missing = false;
        for (uri, path) in ledger.some_files()? {
            // One that was renamed by a run that was killed has its next name already.
            let next = self.places.of(&uri);
            let evading = next.as_ref().map(|next| format!("{next}^"));
            for place in [path, next, evading].into_iter().flatten() {
                if self.files.look(&place)?.is_some() {
                    return Ok(());
                }
                are_missing = true;
            }
        }
        if are_missing { Err(SyncError::NoFiles) } else { Ok(()) }
    }

    /// Removes what a run that cannot go on has in staging; what is being placed is completed by the next one, and what was cut off is
    /// continued.
    pub(in crate::destination) fn abandon(&mut self, ledger: &Ledger) -> Result<(), SyncError> {
        let keep: Vec<u64> = ledger.placing()?.iter().map(|placing| placing.number).collect();
        self.copies()?.staging().clear(&keep)?;
        Ok(())
    }

    /// Completes the moves that a killed run had recorded; the number of files that other programs had changed. A file that was put in the place of one of them meanwhile is left alone.
    fn finish_moves(&mut self, ledger: &mut Ledger) -> Result<usize, SyncError> {
        let list = ledger.moves()?;
        if list.is_empty() {
            return Ok(0);
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
                None if copies.remove_stored(&moving.uri, &moving.place, moving.run)? => {}
                None if is_it(copies.look(&moving.place)?) => {
                    copies.trash(&moving.place, moving.run)?;
                    copies.prune(&moving.place);
                }
                None => {}
            }
        }
        self.sync_folders()?;
        ledger.moved(&renamed)?;
        Ok(list.iter().filter(|moving| moving.is_changed).count())
    }
}

/// Removes the files that were only kept until their changes were acknowledged.
pub(in crate::destination) fn remove_finished(ledger: &Ledger, copies: &mut Copies) -> Result<(), SyncError> {
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
    let Some(look) = copies.look(place)?.filter(|look| look.is_file && look.size == placing.stored.state.size) else {
        return Ok(false);
    };
    let hashes = digests(&mut copies.read(place)?, [Algorithm::Sha256])?;
    placing.stored.mtime = look.mtime;
    Ok(sha256(&hashes) == placing.stored.state.sha256)
}
