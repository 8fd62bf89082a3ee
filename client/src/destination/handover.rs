//! Runs of several machines on one store: each goes on from the state that describes the store, or does not begin.
//!
//! A run has a name, which is noted in its state before the store knows it, and a store names its last run. So a state that is older than the store is
//! recognized: a copy of a folder, a backup, or the folder of a machine after which another one was at work.

use std::{
    fs::{self, File},
    io,
    path::Path,
    slice::from_ref,
};

use super::{
    SyncError,
    binding::Binding,
    folder::{Beginning, Copies, Files, Keep, Latest},
    ledger::Ledger,
};
use crate::system::seed;

/// The entry of a ledger with the names of runs: the last one that changed the store, and later ones that perhaps did.
const RUNS: &str = "runs-on-store";
/// Runs that are noted; if there are more, some that perhaps did not begin are forgotten.
const MOST: usize = 64;

/// Begins to use the store of a copy, and makes the state the one that describes it. Returns what [`confirm`] records. `takes_over` is true if the
/// state is recreated.
pub(super) fn begin(copies: &mut Copies, state: &Path, takes_over: bool) -> Result<Vec<String>, SyncError> {
    if !copies.has_store() {
        return Ok(Vec::new());
    }
    let run = format!("{:016x}", seed());
    if takes_over {
        return match copies.begin(&Beginning { run: &run, known: &[], takes_over })? {
            Latest::Known(_) => Ok(vec![run]),
            latest => Err(latest.into()),
        };
    }
    let mut ledger = Ledger::open(state)?;
    let latest = copies.store()?.latest(&known(&ledger)?)?;
    if let Latest::Saved(by) = latest {
        drop(ledger);
        load(copies, state, &by)?;
        ledger = Ledger::open(state)?;
    }
    let known = known(&ledger)?;
    note(&ledger, &[&*known, from_ref(&run)].concat())?;
    match copies.begin(&Beginning { run: &run, known: &known, takes_over }) {
        Ok(Latest::Known(changed)) => Ok(changed.into_iter().chain([run]).collect()),
        Ok(latest) => {
            note(&ledger, &known)?;
            Err(latest.into())
        }
        Err(error) => {
            if error.kind() == io::ErrorKind::WouldBlock {
                note(&ledger, &known)?;
            }
            Err(error.into())
        }
    }
}

/// Records that a run has begun.
pub(super) fn confirm(ledger: &Ledger, runs: &[String]) -> Result<(), SyncError> {
    if runs.is_empty() { Ok(()) } else { note(ledger, runs) }
}

/// Fails unless a state describes the store, as far as nothing is to be changed.
pub(super) fn check(ledger: &Ledger, keep: &Keep) -> Result<(), SyncError> {
    let Some(mut store) = keep.used() else { return Ok(()) };
    match store.latest(&known(ledger)?)? {
        Latest::Known(_) => Ok(()),
        latest => Err(latest.into()),
    }
}

/// Ends the changes of a run. A copy of the state that was made meanwhile does not know them, so that they get another name.
pub(super) fn finish(ledger: &Ledger, copies: &Copies) -> Result<(), SyncError> {
    let mut runs = known(ledger)?;
    let Some(run) = runs.last().filter(|_| copies.has_store()) else { return Ok(()) };
    let name = format!("{run}-end");
    runs.push(name.clone());
    note(ledger, &runs)?;
    Ok(copies.store()?.finish(&name)?)
}

/// Saves the state in the store.
pub(super) fn save(ledger: &Ledger, files: &mut Files) -> Result<(), SyncError> {
    let copies = files.own()?;
    let copy = copies.own_path().join("state-copy.sqlite");
    remove(&copy)?;
    let saved = ledger.copy_to(&copy).and_then(|()| Ok(copies.store()?.save_state(File::open(&copy)?)?));
    remove(&copy)?;
    saved
}

/// The runs that a state knows.
fn known(ledger: &Ledger) -> Result<Vec<String>, SyncError> {
    Ok(ledger.get(RUNS)?.iter().flat_map(|runs| runs.split_whitespace()).map(str::to_owned).collect())
}

fn note(ledger: &Ledger, runs: &[String]) -> Result<(), SyncError> {
    let (first, rest) = runs.split_at(runs.len().min(1));
    let rest = rest.get(rest.len().saturating_sub(MOST)..).unwrap_or_default();
    ledger.put(RUNS, &[first, rest].concat().join(" "))
}

/// Puts the state that another run has saved in the place of this one, which does not describe the store.
fn load(copies: &mut Copies, state: &Path, by: &str) -> Result<(), SyncError> {
    let new = state.with_file_name("state-new.sqlite");
    let journal = |state: &Path| state.with_extension("sqlite-journal");
    remove(&new)?;
    remove(&journal(&new))?;
    let mut file = File::create_new(&new)?;
    copies.store()?.load_state(by, &mut file).map_err(|error| match error.kind() {
        // It was removed by others.
        io::ErrorKind::NotFound => SyncError::StateElsewhere,
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
            SyncError::State(format!("what is saved in the store cannot be read ({error})"))
        }
        _ => error.into(),
    })?;
    file.sync_all()?;
    let (ledger, old) = (Ledger::open(&new)?, Ledger::open(state)?);
    if !known(&ledger)?.iter().any(|run| run == by) {
        return Err(SyncError::State("what is saved in the store is that of another run".to_owned()));
    }
    if let (Some(old), Some(saved)) = (Binding::bound(&old)?, Binding::bound(&ledger)?) {
        if old.source != saved.source {
            return Err(SyncError::OtherSource { held: old.source });
        }
        if old.sets != saved.sets {
            return Err(SyncError::OtherSets { held: old.sets.into_iter().collect() });
        }
    }
    if old.has_any("version")? {
        return Err(SyncError::State("the versions of the history are on this machine".to_owned()));
    }
    drop(old);
    // It was perhaps that of a folder on another machine.
    ledger.unset("folder")?;
    drop(ledger);
    // It has nothing: the state was open before.
    remove(&journal(state))?;
    fs::rename(&new, state)?;
    if cfg!(unix) {
        File::open(state.parent().unwrap_or(state))?.sync_all()?;
    }
    Ok(())
}

fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
