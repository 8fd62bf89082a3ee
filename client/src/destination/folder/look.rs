//! What is at a place.

use std::{
    fs, io,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt};
use cap_std::fs::{Dir, File, Metadata, OpenOptions};
use resourcesync_sync::Local;

/// Metadata of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::destination) struct Look {
    pub(in crate::destination) size: u64,
    /// Nanoseconds since 1970.
    pub(in crate::destination) mtime: i64,
    /// True for a regular file.
    pub(in crate::destination) is_file: bool,
    pub(in crate::destination) is_folder: bool,
}

impl Look {
    pub(in crate::destination) fn of(meta: &Metadata) -> Look {
        let mtime = meta.modified().ok().map(cap_std::time::SystemTime::into_std).map_or(0, nanoseconds);
        Look { size: meta.len(), mtime, is_file: meta.is_file(), is_folder: meta.is_dir() }
    }

    /// Bytes in a store, which have no time.
    pub(in crate::destination) fn stored(size: u64) -> Look {
        Look { size, mtime: 0, is_file: true, is_folder: false }
    }

    /// Compares it with the recorded size and time.
    pub(in crate::destination) fn compare(look: Option<Look>, size: u64, mtime: i64) -> Local {
        match look {
            None => Local::Missing,
            Some(look) if look.is_file && look.size == size && look.mtime == mtime => Local::Intact,
            Some(_) => Local::Changed,
        }
    }
}

/// The file at a place, for read-only access to the folder.
pub(in crate::destination) fn look_at(root: &Dir, place: &str) -> io::Result<Option<(Look, Dir, String)>> {
    let (folders, name) = split(place);
    let mut folder = root.try_clone()?;
    for part in parts(folders) {
        folder = match folder.open_dir_nofollow(part) {
            Ok(inner) => inner,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
    }
    match folder.symlink_metadata(name) {
        Ok(meta) => Ok(Some((Look::of(&meta), folder, name.to_owned()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Opens a regular file without following links.
pub(in crate::destination) fn open_file(folder: &Dir, name: &str) -> io::Result<fs::File> {
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No);
    let file: File = folder.open_with(name, &options)?;
    if file.metadata()?.is_file() { Ok(file.into_std()) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

/// Nanoseconds since 1970.
pub(in crate::destination) fn nanoseconds(time: SystemTime) -> i64 {
    let whole = |length: Duration| i64::try_from(length.as_nanos()).unwrap_or(i64::MAX);
    time.duration_since(UNIX_EPOCH).map_or_else(|before| whole(before.duration()).saturating_neg(), whole)
}

/// Splits a place into its parent folders and its last part.
pub(super) fn split(place: &str) -> (&str, &str) {
    place.rsplit_once('/').unwrap_or(("", place))
}

/// The parts of a path.
pub(super) fn parts(folders: &str) -> impl Iterator<Item = &str> {
    folders.split('/').filter(|part| !part.is_empty())
}
