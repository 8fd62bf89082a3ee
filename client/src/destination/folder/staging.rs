//! Files that are not visible yet.

use std::{
    fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt};
use cap_std::fs::{Dir, OpenOptions};
use serde::{Deserialize, Serialize};

use super::look::open_file;

/// The ending of the notes about files that can be continued.
const NOTE: &str = ".part";
/// Maximum bytes of a note.
const LONGEST_NOTE: u64 = 64 << 10;

/// Files that are not visible yet; shared by all workers.
#[derive(Debug)]
pub(in crate::destination) struct Staging {
    folder: Dir,
    /// Its path, for programs.
    path: PathBuf,
    next: AtomicU64,
}

impl Staging {
    /// Opens the folder, and creates it if necessary.
    pub(super) fn open(own: &Dir, own_path: &Path) -> io::Result<Staging> {
        Ok(Staging { folder: private_folder(own, "staging")?, path: own_path.join("staging"), next: AtomicU64::new(0) })
    }

    /// The path of a file, for a program that gets its name.
    pub(in crate::destination) fn path(&self, number: u64) -> PathBuf {
        self.path.join(number.to_string())
    }

    /// True if the file system takes names for the same that differ in case or in the form of Unicode.
    pub(super) fn folds(&self) -> io::Result<bool> {
        let name = "probe-\u{c9}";
        self.folder.open_with(name, new_file().write(true).create(true))?;
        let is_there = |other: &str| self.folder.symlink_metadata(other).is_ok();
        let folds = is_there("PROBE-\u{c9}") || is_there("probe-\u{e9}") || is_there("probe-E\u{301}");
        self.folder.remove_file(name)?;
        Ok(folds)
    }

    /// Opens a verified file.
    pub(in crate::destination) fn read(&self, number: u64) -> io::Result<fs::File> {
        open_file(&self.folder, &number.to_string())
    }

    /// Renames a file to a name in a folder of the copy.
    pub(super) fn rename(&self, number: u64, to: &Dir, name: &str) -> io::Result<()> {
        self.folder.rename(number.to_string(), to, name)
    }

    /// Creates a file.
    pub(in crate::destination) fn begin(&self) -> io::Result<(u64, fs::File)> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let file = self.folder.open_with(number.to_string(), new_file().write(true).create_new(true))?;
        Ok((number, file.into_std()))
    }

    /// Removes an unneeded file.
    pub(in crate::destination) fn discard(&self, number: u64) {
        let _ = self.folder.remove_file(number.to_string());
        self.forget(number);
    }

    /// Opens a file of an earlier run, to read and continue it.
    pub(in crate::destination) fn reopen(&self, number: u64) -> io::Result<fs::File> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).follow(FollowSymlinks::No);
        let file = self.folder.open_with(number.to_string(), &options)?;
        if file.metadata()?.is_file() { Ok(file.into_std()) } else { Err(io::ErrorKind::InvalidInput.into()) }
    }

    /// Notes that the next run can continue a file.
    pub(in crate::destination) fn note(&self, part: &Part) -> io::Result<()> {
        let text = serde_json::to_vec(part)?;
        let mut file = self.folder.open_with(note_of(part.number), new_file().write(true).create_new(true))?;
        file.write_all(&text)
    }

    /// Removes the note of a file.
    pub(in crate::destination) fn forget(&self, number: u64) {
        let _ = self.folder.remove_file(note_of(number));
    }

    /// What runs before have left and noted.
    fn parts(&self) -> io::Result<Vec<Part>> {
        let mut parts = Vec::new();
        for entry in self.folder.entries()? {
            let name = entry?.file_name();
            let Some(number) = name.to_str().and_then(|name| name.strip_suffix(NOTE)?.parse::<u64>().ok()) else {
                continue;
            };
            let mut text = Vec::new();
            let file = open_file(&self.folder, &note_of(number))?;
            file.take(LONGEST_NOTE).read_to_end(&mut text)?;
            // A note that was cut off is none.
            if let Ok(part) = serde_json::from_slice::<Part>(&text)
                && part.number == number
                && self.folder.symlink_metadata(number.to_string()).is_ok_and(|meta| meta.is_file())
            {
                parts.push(part);
            }
        }
        Ok(parts)
    }

    /// True if there is a file with this number.
    pub(super) fn has(&self, number: u64) -> bool {
        self.folder.symlink_metadata(number.to_string()).is_ok_and(|meta| meta.is_file())
    }

    /// Removes all files that were not placed but these and those that can be continued, which are returned.
    pub(super) fn clear(&self, keep: &[u64]) -> io::Result<Vec<Part>> {
        let parts = self.parts()?;
        let is_part = |number: u64| parts.iter().any(|part| part.number == number);
        for entry in self.folder.entries()? {
            let name = entry?.file_name();
            let text = name.to_str().unwrap_or_default();
            let is_kept = match text.strip_suffix(NOTE) {
                Some(number) => number.parse().is_ok_and(is_part),
                None => text.parse().is_ok_and(|number| keep.contains(&number) || is_part(number)),
            };
            if !is_kept {
                self.folder.remove_file(name)?;
            }
        }
        let last = parts.iter().map(|part| part.number).chain(keep.iter().copied()).max();
        if let Some(last) = last {
            self.next.fetch_max(last.saturating_add(1), Ordering::Relaxed);
        }
        Ok(parts)
    }

    /// Makes all files of staging durable.
    pub(super) fn sync(&self, numbers: impl Iterator<Item = u64>) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        {
            let _ = numbers;
            // Directory handles are only for traversal; this one can be synced.
            rustix::fs::syncfs(self.folder.open(".")?).map_err(io::Error::from)
        }
        #[cfg(not(target_os = "linux"))]
        {
            for number in numbers {
                self.folder.open(number.to_string())?.sync_all()?;
            }
            Ok(())
        }
    }
}

/// The beginning of a resource, in staging.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::destination) struct Part {
    pub(in crate::destination) number: u64,
    pub(in crate::destination) uri: String,
    /// The entity tag of its version.
    pub(in crate::destination) etag: String,
}

fn note_of(number: u64) -> String {
    format!("{number}{NOTE}")
}

/// Opens or creates a private folder, which must not be a symbolic link.
pub(in crate::destination) fn private_folder(above: &Dir, name: &str) -> io::Result<Dir> {
    match above.create_dir(name) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    above.open_dir_nofollow(name)
}

#[cfg(unix)]
fn new_file() -> OpenOptions {
    use cap_std::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.mode(0o644);
    options
}

#[cfg(not(unix))]
fn new_file() -> OpenOptions {
    OpenOptions::new()
}
