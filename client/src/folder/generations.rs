//! Generations of a published folder: each is built next to it, and replaces the previous one in a single step.
//!
//! Next to the output `public` is `public.resourcesync`, which is never published:
//!
//! | name | content |
//! | --- | --- |
//! | `lock` | held by the current run, with the number of its process |
//! | `journal`, `journal.taken`, `journal.lock` | events that wait for a publication |
//! | `lock.pid` | the number of the process of a run of the npm package |
//! | `published` | the generation that was published last, to see that the published folder was not lost |
//! | `harvest/` | the records of an OAI-PMH repository that is published |
//! | `next/` | the generation being built: `public/`, `state.json`, `inventory.jsonl` |
//! | `7/` | the state of generation 7; `7/public/` is that generation until it is published, then the one it replaced |
//! | `7/foreign.json` | what it carried over, until what happened to that before the exchange was repeated |
//!
//! The published folder names its generation in `.generation`. A run that was killed leaves at most folders that are not named there; the
//! next run removes them.

mod next;
#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

pub use self::next::{Current, Next};
use resourcesync::publish::{CHANGES, INDEX, INVENTORY, LOG, STATE};

use resourcesync_notify::publication::PAYLOADS;

use super::{FolderError, carry::walk, lock::Lock};

const MARK: &str = ".generation";
/// The generation being built.
const NEXT: &str = "next";
/// The generation that was published last.
const PUBLISHED: &str = "published";
/// The records of a repository that is published.
pub(crate) const HARVEST: &str = "harvest";

/// A published folder with its generations, locked.
#[derive(Debug)]
pub struct Generations {
    out: PathBuf,
    state_folder: PathBuf,
    /// The published generation; 0 if there is none.
    current: u64,
    /// Number of generations kept in addition to the published one.
    keep: u64,
    _lock: Lock,
}

impl Generations {
    /// Locks the folder, and removes the remains of a killed run.
    ///
    /// # Errors
    ///
    /// If another run has the lock, the folder is not empty and was not published here, or an operation fails.
    pub fn open(out: &Path, keep: u64) -> Result<Generations, FolderError> {
        let generations = Generations::open_unchecked(out, keep)?;
        let Generations { out, state_folder, current, .. } = &generations;
        let (out, current, state) = (out.clone(), *current, state_folder.clone());
        let last = last(state_folder);
        if current == 0 && last > 0 {
            return Err(FolderError::PublishedMissing { out, generation: last, state });
        }
        if current > 0 && !generations.known(current).join("state.json").is_file() {
            return Err(FolderError::StateMissing { out, generation: current, state });
        }
        generations.clear(current)?;
        Ok(generations)
    }

    /// Locks the folder regardless of its state, and removes nothing.
    ///
    /// # Errors
    ///
    /// As [`Generations::open`], except for missing parts.
    pub fn open_unchecked(out: &Path, keep: u64) -> Result<Generations, FolderError> {
        let (out, state_folder) = places(out)?;
        // Nothing is created for a rejected folder.
        generation(&out)?;
        fs::create_dir_all(&state_folder).map_err(|error| FolderError::io("the folder", &state_folder, error))?;
        let lock = Lock::take_shared(&state_folder)?;
        resume(&out, &state_folder).map_err(|error| FolderError::io("the folder", &out, error))?;
        let current = generation(&out)?;
        let generations = Generations { out, state_folder, current, keep, _lock: lock };
        generations.carry_left();
        Ok(generations)
    }

    /// Sets the number of generations that are kept in addition to the published one.
    pub fn set_keep(&mut self, keep: u64) {
        self.keep = keep;
    }

    /// Removes the generations that are not kept, which the publication of a new one does itself.
    ///
    /// # Errors
    ///
    /// If an operation fails.
    pub fn remove_others(&self) -> Result<(), FolderError> {
        self.clear(self.current)
    }

    /// Continues with the generation that was published while this value has the lock.
    ///
    /// # Errors
    ///
    /// If an operation fails.
    pub fn refresh(&mut self) -> Result<(), FolderError> {
        self.current = generation(&self.out)?;
        self.remove_others()
    }

    /// True if a folder was published here.
    ///
    /// # Errors
    ///
    /// If it is not empty and was not published here, or an operation fails.
    pub fn is_published(out: &Path) -> Result<bool, FolderError> {
        let (out, _) = places(out)?;
        Ok(generation(&out)? > 0)
    }

    /// The folder with the state of what is published, without a lock.
    ///
    /// # Errors
    ///
    /// As [`Generations::is_published`].
    pub fn published_state(out: &Path) -> Result<Option<PathBuf>, FolderError> {
        let (out, state_folder) = places(out)?;
        let current = generation(&out)?;
        Ok((current > 0).then(|| state_folder.join(current.to_string())))
    }

    /// The folder next to a published one, which need not exist yet.
    ///
    /// # Errors
    ///
    /// As [`Generations::is_published`].
    pub fn state_folder(out: &Path) -> Result<PathBuf, FolderError> {
        let (out, state_folder) = places(out)?;
        generation(&out).map(|_| state_folder)
    }

    /// The path of a file next to the published folder that does not belong to a generation.
    #[must_use]
    pub fn state(&self, name: &str) -> PathBuf {
        self.state_folder.join(name)
    }

    /// Removes all generations except the current one and those kept.
    fn clear(&self, current: u64) -> Result<(), FolderError> {
        let failed =
            |error| FolderError::io("what an earlier run left could not be removed from", &self.state_folder, error);
        for entry in fs::read_dir(&self.state_folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if !entry.file_type().map_err(failed)?.is_dir() {
                // Left by a run that was killed while it wrote the number.
                if entry.file_name().to_string_lossy().starts_with(".published.") {
                    fs::remove_file(entry.path()).map_err(failed)?;
                }
                continue;
            }
            if entry.file_name() == HARVEST {
                continue;
            }
            let number: Option<u64> = entry.file_name().to_str().and_then(|name| name.parse().ok());
            let age = number.and_then(|number| current.checked_sub(number));
            match age.filter(|_| number > Some(0)) {
                // The folder of a generation contains the replaced one, unless the published folder is a link to it.
                Some(0) if self.keep == 0 && !self.is_linked() => remove(&entry.path().join("public"))?,
                Some(age) if age <= self.keep => {}
                Some(0) => {}
                _ if is_generation(&entry.path()) => remove(&entry.path())?,
                // It was not made here.
                _ => {}
            }
        }
        Ok(())
    }

    /// True if the published folder is a link.
    fn is_linked(&self) -> bool {
        fs::symlink_metadata(&self.out).is_ok_and(|meta| meta.is_symlink())
    }

    /// The folder with the state of a generation.
    fn known(&self, generation: u64) -> PathBuf {
        self.state_folder.join(generation.to_string())
    }

    /// The published folder and the one next to it, as far as they exist.
    #[must_use]
    pub fn own(&self) -> Vec<PathBuf> {
        [&self.out, &self.state_folder].into_iter().filter_map(|path| fs::canonicalize(path).ok()).collect()
    }

    /// Creates the folder of the next generation, for a caller that starts it later. It is removed when the folder is opened again.
    ///
    /// # Errors
    ///
    /// If an operation fails.
    pub fn prepare(&self) -> Result<PathBuf, FolderError> {
        let folder = self.state_folder.join(NEXT);
        let public = folder.join("public");
        fs::create_dir_all(&public).map_err(|error| FolderError::io("the folder", &public, error))?;
        Ok(folder)
    }
}

/// Removes the files created for a folder that was not published in the end.
impl Drop for Generations {
    fn drop(&mut self) {
        if self.current == 0 && fs::read_dir(&self.state_folder).is_ok_and(|entries| entries.count() == 1) {
            let _ = fs::remove_file(self.state_folder.join("lock"));
            let _ = fs::remove_dir(&self.state_folder);
        }
    }
}

/// The files of which each state folder has at least one.
const STATE_FILES: [&str; 5] = ["journal.lock", "lock", "lock.pid", "published", "state.sqlite"];

/// True for the folder with the state of a published folder, whichever face of this project published it, or of a copy.
#[must_use]
pub fn is_state_folder(path: &Path) -> bool {
    let is_named = path.file_name().is_some_and(|name| name.as_encoded_bytes().ends_with(b".resourcesync"));
    is_named && STATE_FILES.iter().any(|name| path.join(name).is_file())
}

/// The generation that was published last; 0 if unknown.
fn last(state_folder: &Path) -> u64 {
    let text = fs::read_to_string(state_folder.join(PUBLISHED)).unwrap_or_default();
    text.trim().parse().unwrap_or(0)
}

/// Puts a folder back that a killed run of the npm package had moved next to its state, to replace it with a link.
#[cfg(unix)]
fn resume(out: &Path, state_folder: &Path) -> io::Result<()> {
    let (last, name) = (last(state_folder), state_folder.file_name().unwrap_or_default());
    let moved = Path::new(name).join(last.to_string()).join("public");
    let mark = || fs::read_to_string(state_folder.with_file_name(&moved).join(MARK)).unwrap_or_default();
    let link = state_folder.join("link");
    let is_moved = fs::symlink_metadata(out).is_err() && fs::symlink_metadata(&link).is_ok();
    if !is_moved || mark().trim() != last.to_string() {
        return Ok(());
    }
    std::os::unix::fs::symlink(moved, out)?;
    fs::remove_file(link)
}

#[cfg(not(unix))]
fn resume(_: &Path, _: &Path) -> io::Result<()> {
    Ok(())
}

/// The published folder, and the one next to it with its state.
fn places(out: &Path) -> Result<(PathBuf, PathBuf), FolderError> {
    let real = real(out).map_err(|error| FolderError::io("the folder", out, error))?;
    let out = real.as_path();
    let name = out.file_name().ok_or_else(|| FolderError::NoName(out.to_owned()))?;
    let parent = match out.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let parent = fs::canonicalize(parent).map_err(|error| FolderError::io("the folder above", parent, error))?;
    let (out, mut state_folder) = (parent.join(name), name.to_owned());
    state_folder.push(".resourcesync");
    let state_folder = parent.join(state_folder);
    Ok((out, state_folder))
}

/// The target of a link that was not created here; any other path unchanged.
fn real(out: &Path) -> io::Result<PathBuf> {
    let mut own = out.file_name().unwrap_or_default().to_owned();
    own.push(".resourcesync");
    match fs::read_link(out) {
        Ok(target) if !target.starts_with(&own) => fs::canonicalize(out),
        _ => Ok(out.to_owned()),
    }
}

/// True for a folder that has, as far as its removal was not interrupted, what a generation has.
fn is_generation(folder: &Path) -> bool {
    let parts = ["public", STATE, INVENTORY, INDEX, CHANGES, LOG, PAYLOADS, "bitstreams"];
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_empty = || fs::read_dir(folder).is_ok_and(|mut names| names.next().is_none());
    [NEXT, "replaced", "one", "other"].contains(&name)
        || name.parse::<u64>().is_ok() && (parts.iter().any(|part| folder.join(part).exists()) || is_empty())
}

/// Removes a generation, unless something is mounted in it.
pub(crate) fn remove(folder: &Path) -> Result<(), FolderError> {
    let mut place = folder.to_owned();
    let mut removed = || {
        if folder.is_dir() {
            walk(folder, &mut |_, _| Ok(()))?;
        }
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            // Its folders have the permissions of those that were published, which may be read-only.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                unlock(folder)?;
                walk(folder, &mut |path, is_folder| {
                    place = folder.join(path);
                    if is_folder { unlock(&place) } else { Ok(()) }
                })?;
                place = folder.to_owned();
                fs::remove_dir_all(folder)
            }
            outcome => outcome,
        }
    };
    removed().map_err(|error| FolderError::io("what an earlier run left could not be removed:", place, error))
}

/// Lets the owner of a folder remove what is in it.
fn unlock(folder: &Path) -> io::Result<()> {
    let mut permissions = fs::symlink_metadata(folder)?.permissions();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        permissions.set_mode(permissions.mode() | 0o700);
    }
    #[cfg(not(unix))]
    permissions.set_readonly(false);
    fs::set_permissions(folder, permissions)
}

/// The generation in the marker file of a folder; 0 if there is none yet.
fn generation(out: &Path) -> Result<u64, FolderError> {
    let mark = out.join(MARK);
    match fs::read_to_string(&mark) {
        Ok(text) => text.trim().parse().map_err(|_| FolderError::Mark(mark)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::read_dir(out).map(Iterator::count) {
            Ok(1..) => Err(FolderError::NotOurs(out.to_owned())),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(FolderError::io("the folder", out, error)),
            _ => Ok(0),
        },
        Err(error) => Err(FolderError::io("the folder", out, error)),
    }
}
