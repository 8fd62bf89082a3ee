//! Runs after which readers of the folder see all changes at one moment: a run works on the next generation of the copy, with a ledger of its own, and
//! the generation takes the place of the folder in one step if it is in step.

mod generation;
mod links;
mod owners;

use std::{fs, path::Path, sync::Arc};

use resourcesync::diagnostic::Reason;
use resourcesync_sync::{
    conclude::Outcome,
    ledger::Resources,
    report::{Finding, Report, StoredCounts},
};

use self::generation::{Base, Generation};
use super::{
    Event, Options, SyncError,
    clock::now,
    folder::{Copies, Keep},
    ledger::Ledger,
    open::{Opened, lock, locked, open, state_of},
    run::sync_opened,
};
use crate::{
    cancel::Cancel,
    folder::{FolderError, Lock},
    http::Client,
};

/// Synchronizes the next generation of a folder, and exchanges it for the folder.
pub(super) fn sync(
    uri: &str,
    folder: &Path,
    client: &Arc<Client>,
    options: &Options,
    cancel: &Cancel,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<Report, SyncError> {
    let started = now();
    let (generation, _locks) = match take(folder, options, cancel) {
        Err(SyncError::Folder(FolderError::Locked(_))) => return Ok(locked(uri, folder, options, started)),
        taken => taken?,
    };
    let before = Ledger::read(&state_of(generation.folder(), None));
    let before = match before {
        // The run makes it again, in the next generation.
        Err(SyncError::State(_)) if options.settings.placing.rebuild => None,
        read => read?,
    };
    let run = before.as_ref().map_or(Ok(0), Ledger::last_run)?;
    let held = before.as_ref().map_or(Ok((0, 0)), Ledger::totals)?;
    drop(before);
    generation.prepare(&Base::of(generation.folder(), run)?)?;
    let opened = open(&generation.next(), options, cancel)?;
    let (mut report, opened) = sync_opened(opened, started, uri, client, options, cancel, on_event)?;
    // The ledger is closed before its folder is exchanged; the lock in the folder is held, since its name is that of the copy afterwards.
    let Opened { locks, ledger, files, .. } = opened;
    drop((ledger, files));
    let exchanged = match report.run.outcome {
        Outcome::InStep => generation.exchange(!options.settings.placing.volatile).map(Some),
        _ => Ok(None),
    };
    let why = match exchanged {
        Ok(Some(())) => {
            let aside = generation.finish(report.run.number)?;
            if aside > 0 {
                report.diagnostics.extend(Finding::new("SYN-10", [("n", aside.into())]));
            }
            return Ok(report);
        }
        Ok(None) => None,
        Err(error) => {
            report.run.outcome = Outcome::Failed;
            Some(crate::system::reason(&error))
        }
    };
    drop(locks);
    // What the generation has is not what readers see.
    report.as_of = None;
    report.held = StoredCounts { resources: held.0, bytes: held.1 };
    let why = why.unwrap_or_else(|| Reason::other(report.run.outcome.as_str().to_owned()));
    report.diagnostics.extend(Finding::new("SYN-23", [("reason", why.into())]));
    Ok(report)
}

/// The locks of the folder and of what is next to it.
fn take(folder: &Path, options: &Options, cancel: &Cancel) -> Result<(Generation, Vec<Lock>), SyncError> {
    if options.state.is_some() || !matches!(options.keep, Keep::Folder) {
        return Err(SyncError::NotWhole);
    }
    fs::create_dir_all(folder)?;
    let generation = Generation::of(folder)?;
    let wait = options.settings.wait;
    let mut locks = vec![lock(&generation.beside(), wait, cancel)?];
    let copies = Copies::open(generation.folder(), Keep::Folder)?;
    locks.push(lock(&copies.own_path(), wait, cancel)?);
    Ok((generation, locks))
}
