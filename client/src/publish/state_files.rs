//! The files of a state: reads them, compares them with their recorded digests, and writes them.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use resourcesync::{
    publish::{CHANGES, FileDigest, FileRecord, INDEX, INVENTORY, LOG, STATE, State, prefix},
    value::Datetime,
};

use super::Error;
use crate::{
    folder::{Generations, files_below},
    system::reason,
};

const WINDOW: usize = 128 << 10;

/// Reads the state of a generation.
pub(crate) fn read(folder: &Path) -> Result<State, Error> {
    let path = folder.join(STATE);
    let text = fs::read_to_string(&path);
    let text = text.map_err(|error| format!("{} could not be read: {}", path.display(), reason(&error)))?;
    State::parse(&text).map_err(|why| damaged(&path, &why))
}

/// Names the publication that a folder holds, without a lock. It changes when something else is published there, or an earlier one restored.
pub(crate) fn version(out: &Path) -> Option<String> {
    let folder = Generations::published_state(out).ok().flatten()?;
    let at = read(&folder).ok()?.moment().ok()?;
    let log = fs::metadata(folder.join(LOG)).map_or(0, |meta| meta.len());
    Some(format!("{} {at} {log}", folder.file_name()?.to_string_lossy()))
}

/// The start of the run of a state.
pub(crate) fn moment(state: &State) -> Result<Datetime, Error> {
    state.moment().map_err(|error| format!("the time of the previous run: {error}").into())
}

/// Compares the other files of a state with their recorded digests, so that a damaged state is never used.
pub(crate) fn check(state: &State, folder: &Path) -> Result<(), Error> {
    state.parts.keys().try_for_each(|part| check_part(state, folder, part))
}

/// Compares one of them with its recorded digest.
pub(crate) fn check_part(state: &State, folder: &Path, part: &str) -> Result<(), Error> {
    let path = folder.join(part);
    let found = record(&path).map_err(|error| damaged(&path, &reason(&error).to_string()))?;
    state.check_part(part, &found).map_err(|why| damaged(&path, &why))
}

/// Rejects a state without resources, which belongs to a publication driven by a program.
pub(crate) fn check_resources(state: &State, folder: &Path) -> Result<(), Error> {
    state.check_resources().map_err(|why| damaged(&folder.join(STATE), &why))
}

/// Compares the published files with their recorded digests; `deep` reads everything except packages.
pub(crate) fn check_published(state: &State, public: &Path, deep: bool) -> Result<(), Error> {
    state.files.keys().try_for_each(|name| check_file(state, public, name, deep))
}

/// True if all files are there that a generation writes again, in contrast to closed Change Lists and packages.
pub(crate) fn is_whole(state: &State, public: &Path) -> bool {
    let folders: Vec<String> = state.sets.keys().map(|set| prefix(set)).collect();
    let closed = state.sets.iter().flat_map(|(set, own)| {
        let folder = prefix(set);
        own.changes.closed.iter().map(move |list| format!("{folder}changelist-{}{}", list.number, state.suffix))
    });
    let closed: BTreeSet<String> = closed.collect();
    let is_package = |name: &str| {
        let mut own = folders.iter().filter_map(|folder| name.strip_prefix(&**folder));
        own.any(|name| name.starts_with("resourcedump") || name.starts_with("changedump-"))
    };
    let is_kept = |name: &str| closed.contains(name) || is_package(name);
    state.files.keys().filter(|name| !is_kept(name)).all(|name| check_file(state, public, name, false).is_ok())
}

/// True if the documents by which a Source is found are there: those without a number in their name.
pub(crate) fn has_entry_points(state: &State, public: &Path) -> bool {
    let is_numbered =
        |name: &str| name.rsplit('/').next().is_some_and(|last| last.contains(|own: char| own.is_ascii_digit()));
    let mut names = state.files.keys().filter(|name| !is_numbered(name));
    names.all(|name| check_file(state, public, name, false).is_ok())
}

/// Compares a published file with its recorded digest.
pub(crate) fn check_file(state: &State, public: &Path, name: &str, deep: bool) -> Result<(), Error> {
    let Some(written) = state.files.get(name) else { return Ok(()) };
    let path = public.join(name);
    let unread = |error: io::Error| damaged(&path, &reason(&error).to_string());
    let length = fs::metadata(&path).map_err(unread)?.len();
    if length != written.length {
        return Err(damaged(&path, &format!("it has {length} bytes, not {}", written.length)));
    }
    if deep && written.sha256.is_some() && record(&path).map_err(unread)?.sha256 != written.sha256 {
        return Err(damaged(&path, "its digest is not that of state.json"));
    }
    Ok(())
}

/// Completes a state with the digests of all written files, and writes it as that of a generation being built.
pub(crate) fn write(state: &mut State, folder: &Path, public: &Path) -> Result<(), Error> {
    let unread = |path: &Path, error: &io::Error| Error::new(format!("{}: {}", path.display(), reason(error)));
    for part in [INVENTORY, INDEX, CHANGES].into_iter().filter(|part| folder.join(part).exists()) {
        let path = folder.join(part);
        state.parts.insert(part.to_owned(), record(&path).map_err(|error| unread(&path, &error))?);
    }
    for name in files_below(public).map_err(|error| unread(public, &error))? {
        let path = public.join(&name);
        let found = published(&path).map_err(|error| unread(&path, &error))?;
        state.add_file(name, found);
    }
    save(state, folder)
}

/// Writes a state unchanged.
pub(crate) fn save(state: &State, folder: &Path) -> Result<(), Error> {
    let path = folder.join(STATE);
    let said = |why: String| Error::new(format!("{} could not be written: {why}", path.display()));
    let text = state.to_text().map_err(|error| said(error.to_string()))?;
    fs::write(&path, text).map_err(|error| said(reason(&error).to_string()))
}

/// Reads a file: its length, its lines and its digest.
pub(crate) fn record(path: &Path) -> io::Result<FileRecord> {
    let (mut file, mut window, mut digest) = (File::open(path)?, vec![0; WINDOW], FileDigest::default());
    loop {
        match file.read(&mut window) {
            Ok(0) => return Ok(digest.finish()),
            Ok(read) => digest.push(window.get(..read).unwrap_or(&[])),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// A published file; packages, which are large, are not read.
fn published(path: &Path) -> io::Result<FileRecord> {
    if path.extension().is_some_and(|ending| ending == "zip") {
        return Ok(FileRecord { length: fs::metadata(path)?.len(), lines: None, sha256: None });
    }
    record(path)
}

/// The error for a damaged file that a run depends on, with a remedy.
pub(crate) fn damaged(path: &Path, why: &str) -> Error {
    Error::Damaged { path: path.to_owned(), why: why.to_owned() }
}
