//! What is at a place.

use std::{
    fs, io,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt};
use cap_std::fs::{Dir, File, Metadata, OpenOptions};
use resourcesync_sync::Local;
use sha2::{Digest as _, Sha256};

use super::store::StoredBytes;

/// Metadata of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::destination) struct Look {
    pub(in crate::destination) size: u64,
    /// Nanoseconds since 1970; of bytes in a store, a number made of their version, or 0.
    pub(in crate::destination) mtime: i64,
    /// True for a regular file.
    pub(in crate::destination) is_file: bool,
    pub(in crate::destination) is_folder: bool,
    is_stored: bool,
}

impl Look {
    pub(in crate::destination) fn of(meta: &Metadata) -> Look {
        let mtime = meta.modified().ok().map(cap_std::time::SystemTime::into_std).map_or(0, nanoseconds);
        Look { size: meta.len(), mtime, is_file: meta.is_file(), is_folder: meta.is_dir(), is_stored: false }
    }

    /// Bytes in a store.
    pub(in crate::destination) fn stored(StoredBytes { length, version }: StoredBytes) -> Look {
        Look { size: length, mtime: in_place_of_time(version), is_file: true, is_folder: false, is_stored: true }
    }

    /// Compares it with the recorded size and time.
    pub(in crate::destination) fn compare(look: Option<Look>, size: u64, mtime: i64) -> Local {
        match look {
            None => Local::Missing,
            Some(look) if look.is_file && look.size == size && look.has_time(mtime) => Local::Intact,
            Some(_) => Local::Changed,
        }
    }

    fn has_time(self, recorded: i64) -> bool {
        let is_without_version = self.is_stored && (recorded == 0 || recorded > 0 && self.mtime == 0);
        is_without_version || self.mtime == recorded
    }
}

/// What is recorded of the version of stored bytes, where files have a time: greater than 0 if there is one.
pub(in crate::destination) fn in_place_of_time(version: Option<String>) -> i64 {
    let Some(version) = version else { return 0 };
    let [a, b, c, d, e, f, g, h, ..]: [u8; 32] = Sha256::digest(version).into();
    i64::from_be_bytes([a, b, c, d, e, f, g, h]) & i64::MAX | 1
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
