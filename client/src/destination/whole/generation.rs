//! The generations of a copy. Next to the folder `copy` is `copy.resourcesync`:
//!
//! | name | content |
//! | --- | --- |
//! | `lock` | held by the run |
//! | `begun` | links to the files of the folder, while they are made |
//! | `next` | the generation that a run works on, and that a later run continues; after the exchange, the one before |
//! | `before` | the generation before, until the files of others that were put into it meanwhile are in the folder |
//! | `old` | the same afterwards: who reads it may go on until the next run |

use std::{
    env, fs, io, mem,
    path::{Path, PathBuf},
};

use cap_fs_ext::DirExt;
use resourcesync_sync::Local;
use serde::{Deserialize, Serialize};

use super::{
    links::{self, Missing},
    owners::Owners,
};
use crate::{
    destination::{
        SyncError,
        folder::{Look, OWN, private_folder},
        open::state_of,
    },
    folder::{can_exchange, remove_generation, swap},
};

/// The file that a generation has until it was exchanged: what it was made of.
const MARK: &str = "whole.json";
/// The file that it has since the moment before it was exchanged, until the files of others are in it.
const EXCHANGED: &str = "exchanged";

/// Maximum files whose resources are looked up together.
const TOGETHER: usize = 16_384;

/// What a generation was made of. It is continued only while this is what the folder has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Base {
    /// The folder, as the system identifies it.
    identity: (u64, u64),
    /// Its ledger: one that was rebuilt counts its runs from the start.
    #[serde(default)]
    ledger: (u64, u64),
    /// Its last run.
    run: u64,
}

impl Base {
    pub(super) fn of(folder: &Path, run: u64) -> io::Result<Base> {
        let ledger = fs::metadata(state_of(folder, None)).map(|meta| links::identity(&meta)).unwrap_or_default();
        Ok(Base { identity: links::identity(&fs::metadata(folder)?), ledger, run })
    }
}

/// A folder with what is next to it.
#[derive(Debug)]
pub(super) struct Generation {
    folder: PathBuf,
    beside: PathBuf,
}

impl Generation {
    /// Of an existing folder.
    pub(super) fn of(folder: &Path) -> Result<Generation, SyncError> {
        let folder = fs::canonicalize(folder)?;
        if env::current_dir().is_ok_and(|working| working.starts_with(&folder)) {
            return Err(SyncError::WorkingFolder(folder));
        }
        let mut name = folder.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?.to_owned();
        name.push(OWN);
        let beside = folder.with_file_name(name);
        fs::create_dir_all(&beside)?;
        can_exchange(&beside)?;
        Ok(Generation { folder, beside })
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder next to it.
    pub(super) fn beside(&self) -> PathBuf {
        self.beside.clone()
    }

    /// The folder that a run works on.
    pub(super) fn next(&self) -> PathBuf {
        self.beside.join("next")
    }

    /// Makes the next generation from the folder, unless there is one of the same base already, and completes what a killed run has begun.
    pub(super) fn prepare(&self, base: &Base) -> Result<(), SyncError> {
        let (next, before) = (self.next(), self.beside.join("before"));
        // Of a run that was killed after the exchange: without it, what is exchanged for this folder is known to be the one before.
        self.unmark()?;
        // A run was killed after the exchange.
        if next.exists() && mark(&next).is_none() {
            fs::rename(&next, &before)?;
        }
        if before.exists() {
            self.take_over(&before, base.run)?;
            remove_generation(&before)?;
        }
        remove_file(&self.folder.join(OWN).join(EXCHANGED))?;
        // Not before: removing links changes the times by which versions are told apart.
        remove_generation(&self.beside.join("begun"))?;
        remove_generation(&self.beside.join("old"))?;
        if next.exists() {
            if mark(&next).is_some_and(|own| own == *base) {
                return Ok(());
            }
            remove_generation(&next)?;
        }
        let begun = self.beside.join("begun");
        links::copy(&self.folder, &begun)?;
        fs::write(begun.join(OWN).join(MARK), serde_json::to_vec(base)?)?;
        Ok(fs::rename(&begun, &next)?)
    }

    /// Exchanges the next generation for the folder, once its files are on the disk if it is to be durable.
    pub(super) fn exchange(&self, is_durable: bool) -> io::Result<()> {
        let next = self.next();
        if is_durable {
            sync_all(&next)?;
        }
        fs::write(next.join(OWN).join(EXCHANGED), "")?;
        // From here on it is complete, and a generation without the mark in `next` is the one before.
        swap(&next, &self.folder, &self.beside)
    }

    /// Takes over what others have put into the folder during the run; the number of files that another file is in the way of, which are in the
    /// trash of the run.
    pub(super) fn finish(&self, run: u64) -> Result<usize, SyncError> {
        let before = self.beside.join("before");
        fs::rename(self.next(), &before)?;
        let aside = self.take_over(&before, run)?;
        fs::rename(&before, self.beside.join("old"))?;
        self.unmark()?;
        remove_file(&self.folder.join(OWN).join(EXCHANGED))?;
        Ok(aside)
    }

    /// Removes the mark of a generation that was exchanged.
    fn unmark(&self) -> io::Result<()> {
        remove_file(&self.folder.join(OWN).join(MARK))
    }

    /// Takes the files of the generation before into the folder that are not of the copy, or were changed since the generation of the folder was made.
    fn take_over(&self, before: &Path, run: u64) -> Result<usize, SyncError> {
        let (old, new) = (links::open(before)?, links::open(&self.folder)?);
        let owners = Owners::of(before).unwrap_or_else(|_| Owners::unknown());
        let mut left = Vec::new();
        let mut sift = |files: Vec<Missing>| {
            owners.each(files, &mut |missing, stored| {
                let is_handled = stored.is_some_and(|stored| {
                    // What the run has replaced or deleted; if it was changed before that, it is in the trash.
                    let look = Some(Look::of(&missing.meta));
                    links::is_linked(&missing.meta)
                        || Look::compare(look, stored.state.size, stored.mtime) == Local::Intact
                });
                if !is_handled {
                    left.push(missing);
                }
                Ok(())
            })
        };
        let mut files = Vec::new();
        let empty = links::each_missing(&old, &new, &mut |missing| {
            files.push(missing);
            if files.len() < TOGETHER { Ok(()) } else { sift(mem::take(&mut files)) }
        })?;
        sift(files)?;
        let has_any = !left.is_empty();
        let exchanged = new.symlink_metadata(Path::new(OWN).join(EXCHANGED)).ok().map(|meta| links::changed(&meta));
        let mut aside = 0_usize;
        Owners::of(&self.folder)?.each(left, &mut |missing, resource| {
            if missing.link_below(&old, &new)? {
                return Ok(());
            }
            // In its place is the version that was there when the generation was made, unless others have put another one there since the exchange.
            if resource.is_none() && missing.replace_below(&old, &new, exchanged)? {
                return Ok(());
            }
            // With another link, such as that in the trash, nothing is lost.
            if !links::is_linked(&missing.meta) {
                let trash = private_folder(&private_folder(&new.open_dir_nofollow(OWN)?, "trash")?, &run.to_string())?;
                missing.move_below(&old, &trash)?;
                aside = aside.saturating_add(1);
            }
            Ok(())
        })?;
        empty.iter().try_for_each(|path| links::make_below(&new, path))?;
        if has_any {
            sync_all(&self.folder)?;
        }
        Ok(aside)
    }
}

/// What a generation was made of; `None` if it was exchanged.
fn mark(generation: &Path) -> Option<Base> {
    serde_json::from_slice(&fs::read(generation.join(OWN).join(MARK)).ok()?).ok()
}

/// Makes a folder durable.
fn sync_all(folder: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    return rustix::fs::syncfs(fs::File::open(folder)?).map_err(io::Error::from);
    #[cfg(not(target_os = "linux"))]
    crate::folder::sync(folder)
}

fn remove_file(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
