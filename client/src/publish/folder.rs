//! Walks the published folder: finds the files that are resources, and the reasons why others are skipped.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use crate::{cancel::Cancel, system::reason};

use super::Error;
use super::{digests::Stamp, names};

/// A file that is a resource.
pub(crate) struct Found {
    /// Its path below the folder, percent-encoded.
    pub(crate) encoded: String,
    /// Its path below the folder with `/` as separator, as matched by patterns.
    pub(crate) shown: String,
    pub(crate) length: u64,
    pub(crate) stamp: Stamp,
}

/// The files to skip, and counts of those skipped.
#[derive(Default)]
pub(crate) struct Skipping {
    /// True if hidden files are resources, too.
    pub(crate) hidden: bool,
    /// Private folders below the published folder.
    pub(crate) own: Vec<PathBuf>,
    /// The number of skipped files by reason, with the first of them.
    pub(crate) left: BTreeMap<&'static str, (u64, String)>,
}

/// Iterates over all resources below a folder. Only the folders of one path are in memory.
pub(crate) fn walk(
    folder: &Path,
    leaving: &mut Skipping,
    cancel: &Cancel,
    take: &mut dyn FnMut(Found) -> Result<(), Error>,
) -> Result<(), Error> {
    let unreadable = |path: &Path, error| format!("{} could not be read: {}", path.display(), reason(&error));
    let mut waiting = vec![PathBuf::new()];
    while let Some(relative) = waiting.pop() {
        let here = folder.join(&relative);
        for entry in fs::read_dir(&here).map_err(|error| unreadable(&here, error))? {
            if cancel.is_cancelled() {
                return Err("interrupted".into());
            }
            let entry = entry.map_err(|error| unreadable(&here, error))?;
            let name = entry.file_name();
            let (path, relative) = (entry.path(), relative.join(&name));
            let kind = entry.file_type().map_err(|error| unreadable(&path, error))?;
            if name.as_encoded_bytes().starts_with(b".") && !leaving.hidden {
                leaving.leave("name begins with a dot (use --hidden)", &relative);
            } else if kind.is_symlink() {
                leaving.leave("symbolic link", &relative);
            } else if kind.is_dir() {
                let real = fs::canonicalize(&path).map_err(|error| unreadable(&path, error))?;
                if !leaving.own.contains(&real) {
                    waiting.push(relative);
                }
            } else if kind.is_file() {
                let meta = entry.metadata().map_err(|error| unreadable(&path, error))?;
                let segments: Vec<_> = relative.iter().map(|segment| segment.to_string_lossy()).collect();
                let (encoded, shown) = (names::encode(&relative), segments.join("/"));
                take(Found { encoded, shown, length: meta.len(), stamp: Stamp::of(&meta) })?;
            } else {
                leaving.leave("not a regular file", &relative);
            }
        }
    }
    Ok(())
}

impl Skipping {
    pub(crate) fn leave(&mut self, why: &'static str, path: &Path) {
        let (count, _) = self.left.entry(why).or_insert_with(|| (0, path.display().to_string()));
        *count = count.saturating_add(1);
    }
}
