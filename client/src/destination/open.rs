//! Opens the folder of a copy, its ledger and its locks.

use std::{
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use cap_std::{ambient_authority, fs::Dir};
use resourcesync_sync::{
    Change, Destination,
    conclude::Outcome,
    destination,
    ledger::{Resources, UNSETTLED},
    related::Related,
    report::Report,
};

use super::{
    Options, SyncError,
    binding::Binding,
    clock::now,
    folder::{Copies, Files, Folder, OWN, PlacingOptions},
    handover,
    ledger::Ledger,
};
use crate::{
    cancel::Cancel,
    folder::{FolderError, Lock},
};

/// Between two attempts to take a lock.
const PAUSE: Duration = Duration::from_millis(200);
/// The same for a store.
const LEASED: Duration = Duration::from_secs(1);

/// The Source that a folder holds a copy of, if it does. `state` is where its ledger is, if not in the folder.
///
/// # Errors
///
/// If the state cannot be read.
pub fn source(folder: &Path, state: Option<&Path>) -> Result<Option<String>, SyncError> {
    let Some(ledger) = Ledger::read(&state_of(folder, state))? else { return Ok(None) };
    Ok(Binding::bound(&ledger)?.map(|binding| binding.source))
}

/// The URI of the store that a copy keeps its bytes in, if it has one. `state` is where its ledger is, if not in the folder.
///
/// # Errors
///
/// If the state cannot be read.
pub fn kept_at(folder: &Path, state: Option<&Path>) -> Result<Option<String>, SyncError> {
    let Some(ledger) = Ledger::read(&state_of(folder, state))? else { return Ok(None) };
    Ok(ledger.get("keep")?.filter(|keep| keep.contains("://")))
}

/// Which related resources a folder has, if it is a copy.
///
/// # Errors
///
/// If the state cannot be read.
pub fn related(folder: &Path, state: Option<&Path>) -> Result<Related, SyncError> {
    Ledger::read(&state_of(folder, state))?.map_or_else(|| Ok(Related::default()), |ledger| ledger.related())
}

/// The file of the ledger.
pub(super) fn state_of(folder: &Path, state: Option<&Path>) -> PathBuf {
    // Links that lead to the folder are followed, those in it are not.
    let path = state.unwrap_or(folder);
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if state.is_some() { path } else { path.join(OWN) }.join("state.sqlite")
}

/// What a run works on.
pub(super) struct Opened {
    pub(super) files: Files,
    pub(super) ledger: Ledger,
    pub(super) locks: Vec<Lock>,
    /// The changes of a notification, which are applied instead of reading lists.
    pub(super) notified: Option<Vec<Change>>,
}

/// The folder, its ledger, and the locks.
pub(super) fn open(folder: &Path, options: &Options, cancel: &Cancel) -> Result<Opened, SyncError> {
    if options.settings.dry_run {
        let root = match Dir::open_ambient_dir(folder, ambient_authority()) {
            Ok(root) => Some(root),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        let ledger = Ledger::read(&state_of(folder, options.state.as_deref()))?.map_or_else(Ledger::empty, Ok)?;
        if !options.settings.placing.rebuild {
            handover::check(&ledger, &options.keep)?;
        }
        return Ok(Opened {
            files: Files::Others(root, options.keep.clone()),
            ledger,
            locks: Vec::new(),
            notified: None,
        });
    }
    let (copies, mut locks) = loop {
        let copies = Copies::open(folder, options.keep.clone())?;
        let lock = lock(&copies.own_path(), options.settings.wait, cancel)?;
        if copies.is_in_place()? {
            break (copies, vec![lock]);
        }
    };
    if let Some(state) = &options.state {
        fs::create_dir_all(state)?;
        locks.push(lock(state, options.settings.wait, cancel)?);
    }
    let (mut copies, rebuild) = (copies, options.settings.placing.rebuild);
    let state = state_of(folder, options.state.as_deref());
    let begun = Instant::now();
    let runs = loop {
        match handover::begin(&mut copies, &state, rebuild) {
            Err(SyncError::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => {
                if begun.elapsed() >= options.settings.wait || !cancel.sleep(LEASED) {
                    return Err(FolderError::Locked(folder.to_path_buf()).into());
                }
            }
            runs => break runs?,
        }
    };
    if rebuild {
        set_aside(&state)?;
    }
    let ledger = Ledger::open(&state)?;
    handover::confirm(&ledger, &runs)?;
    Ok(Opened { files: Files::Own(Box::new(copies)), ledger, locks, notified: None })
}

/// A run that can begin.
pub(super) struct Prepared {
    pub(super) machine: Destination,
    pub(super) ledger: Ledger,
    pub(super) folder: Folder,
    pub(super) run: u64,
}

impl Opened {
    /// Begins a run: checks that it is of the same copy as those before, and records what the first one fixes.
    pub(super) fn prepare(
        self,
        uri: &str,
        started: String,
        options: &Options,
    ) -> Result<(Prepared, Vec<Lock>), SyncError> {
        let Opened { files, mut ledger, locks, notified } = self;
        let bound = Binding::bound(&ledger)?.unwrap_or_default();
        let goal = bound.with(uri, options)?;
        let is_renamed = options.settings.placing.relayout && bound.is_laid_out_otherwise(&goal);
        ledger.check_keep(&options.keep)?;
        if is_renamed && options.keep.used().is_some() {
            return Err(SyncError::NoRelayout);
        }
        if let (Some(state), Files::Own(copies)) = (&options.state, &files) {
            let own = copies.own_path().display().to_string();
            match ledger.get("folder")? {
                Some(other) if other != own => {
                    return Err(SyncError::OtherFolder { state: state.display().to_string(), held: other });
                }
                _ => ledger.put("folder", &own)?,
            }
        }
        let run = match &files {
            Files::Others(..) => ledger.last_run()?.saturating_add(1),
            Files::Own(copies) => {
                ledger.keep_in(&options.keep)?;
                ledger.put_related(&options.settings.related)?;
                if is_renamed {
                    bound.begin_relayout(&goal, &mut ledger)?;
                } else {
                    goal.write(&mut ledger)?;
                }
                // A state that knows the store knows its runs, too.
                let is_known = copies.has_store() && ledger.last_run()? > 0;
                ledger.begin_run(&started, if is_known { 0 } else { copies.last_trash()? })?
            }
        };
        let (places, mut settings) = (goal.places(), options.settings());
        if ledger.get(REBUILDING)?.is_some() {
            // The files are those of the copy, as far as nothing is known of them.
            (settings.placing.adopt, settings.placing.overwrite) = (true, true);
        }
        let placing = &settings.placing;
        let placing = PlacingOptions { run, overwrites: placing.overwrite, is_durable: !placing.volatile };
        let folder = Folder::new(files, places.clone(), placing);
        let binding = destination::Binding { uri: uri.to_owned(), sets: goal.sets, places };
        let machine = Destination::new(binding, settings, run, started, ledger.totals()?.0);
        let machine = match notified {
            Some(changes) => machine.applying(changes),
            None => machine,
        };
        Ok((Prepared { machine, ledger, folder, run }, locks))
    }
}

/// The report where another run is at work.
pub(super) fn locked(uri: &str, folder: &Path, options: &Options, started: String) -> Report {
    let mut report = Report::begin(0, options.settings.dry_run, uri, started);
    report.run.outcome = Outcome::Locked;
    report.run.ended = now();
    let ledger = Ledger::read(&state_of(folder, options.state.as_deref()));
    if let Ok(Some(totals)) = ledger.and_then(|ledger| ledger.map(|ledger| ledger.totals()).transpose()) {
        (report.held.resources, report.held.bytes) = totals;
    }
    report
}

/// Lets the next run fetch resources again, whose files it would find unchanged by size and time.
pub(super) fn suspect<'u>(
    folder: &Path,
    state: Option<&Path>,
    uris: impl Iterator<Item = &'u str>,
) -> Result<(), SyncError> {
    let options = Options { state: state.map(Path::to_path_buf), ..Options::default() };
    let Opened { mut ledger, locks, .. } = open(folder, &options, &Cancel::default())?;
    ledger.suspect(uris)?;
    drop(locks);
    Ok(())
}

/// Takes a lock, and waits for it this long.
pub(super) fn lock(folder: &Path, wait: Duration, cancel: &Cancel) -> Result<Lock, SyncError> {
    let begun = Instant::now();
    loop {
        match Lock::take(folder) {
            Err(FolderError::Locked(_)) if begun.elapsed() < wait && !cancel.is_cancelled() => thread::sleep(PAUSE),
            taken => return Ok(taken?),
        }
    }
}

/// The mark of a ledger that is being recreated.
const REBUILDING: &str = "rebuild";

/// Keeps a ledger that is not used any more under another name; what can be read of it is carried over.
fn set_aside(state: &Path) -> Result<(), SyncError> {
    let before = state.with_file_name("state-before.sqlite");
    // A run that was killed may have set it aside already.
    let old = Ledger::read(if state.exists() { state } else { &before }).ok().flatten();
    let records = old.as_ref().is_some_and(|ledger| ledger.records_changes().unwrap_or(false));
    let keep = old.as_ref().and_then(|ledger| ledger.get("keep").ok().flatten());
    let binding = old.and_then(|ledger| Binding::bound(&ledger).ok().flatten());
    if state.exists() {
        let named = |number: u32, ending: &str| {
            let number = if number == 1 { String::new() } else { format!("-{number}") };
            state.with_file_name(format!("state-before{number}.sqlite{ending}"))
        };
        let number = (1..).find(|number| !named(*number, "").exists()).unwrap_or(u32::MAX);
        for ending in ["-journal", ""] {
            match fs::rename(state.with_file_name(format!("state.sqlite{ending}")), named(number, ending)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
                _ => {}
            }
        }
    }
    let mut ledger = Ledger::open(state)?;
    // Until a run is in step: also if this one is killed.
    ledger.put(REBUILDING, "begun")?;
    let Some(binding) = binding else { return Ok(()) };
    if records {
        ledger.record_changes()?;
    }
    // The files are still those of the same Source, in the same place.
    ledger.put("settled", UNSETTLED)?;
    if let Some(keep) = keep {
        ledger.put("keep", &keep)?;
    }
    binding.write(&mut ledger)
}

/// Fails for a folder that is a generation and not the copy, as the working folder is after an exchange.
pub(super) fn check_is_copy(folder: &Path) -> Result<(), SyncError> {
    let Ok(folder) = fs::canonicalize(folder) else { return Ok(()) };
    let name = |path: &Path| path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
    let copy = folder.parent().and_then(|beside| {
        let copy = name(beside).strip_suffix(OWN).map(|copy| beside.with_file_name(copy))?;
        let is_generation = ["begun", "next", "before", "old"].contains(&&*name(&folder));
        (is_generation && copy.join(OWN).is_dir()).then_some(copy)
    });
    copy.map_or(Ok(()), |copy| Err(SyncError::EarlierGeneration(copy)))
}
