//! Walks the published folder: finds the files that are resources, and the reasons why others are skipped.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use crate::{cancel::Cancel, folder::is_state_folder, system::reason};

use super::{Error, Exclusion, Glob, digests::Stamp, names};

/// A file that is a resource.
pub(crate) struct Found {
    /// Its path below the folder, percent-encoded.
    pub(crate) encoded: String,
    /// Its path below the folder with `/` as separator, as matched by patterns.
    pub(crate) shown: String,
    pub(crate) length: u64,
    pub(crate) stamp: Stamp,
}

/// The files of a folder that are resources.
#[derive(Debug, Clone, Default)]
pub struct FileSelection {
    /// Only files that match one of these patterns, if there are any.
    pub include: Vec<Glob>,
    /// Without files that match one of these patterns. A folder that matches is not read.
    pub exclude: Vec<Glob>,
    /// Includes hidden files and folders.
    pub hidden: bool,
    /// Follows symbolic links that stay below the folder. Others are always skipped.
    pub follow_symlinks: bool,
}

/// The files to skip, and counts of those skipped.
#[derive(Default)]
pub(crate) struct Skipping {
    pub(crate) files: FileSelection,
    /// Private folders below the published folder.
    pub(crate) own: Vec<PathBuf>,
    /// The number of skipped files by reason, with the first of them.
    pub(crate) left: BTreeMap<Exclusion, (u64, String)>,
}

/// A folder to read.
struct Place {
    relative: PathBuf,
    /// The folders with the symbolic links that led here.
    links: Vec<PathBuf>,
}

/// Iterates over all resources below a folder. Only the folders of one path are in memory.
pub(crate) fn walk(
    folder: &Path,
    leaving: &mut Skipping,
    cancel: &Cancel,
    take: &mut dyn FnMut(Found) -> Result<(), Error>,
) -> Result<(), Error> {
    let unreadable = |path: &Path, error| format!("{} could not be read: {}", path.display(), reason(&error));
    let root = fs::canonicalize(folder).map_err(|error| unreadable(folder, error))?;
    let mut waiting = vec![Place { relative: PathBuf::new(), links: Vec::new() }];
    while let Some(Place { relative, links }) = waiting.pop() {
        let here = folder.join(&relative);
        for entry in fs::read_dir(&here).map_err(|error| unreadable(&here, error))? {
            if cancel.is_cancelled() {
                return Err("interrupted".into());
            }
            let entry = entry.map_err(|error| unreadable(&here, error))?;
            let name = entry.file_name();
            let (path, relative) = (entry.path(), relative.join(&name));
            if name.as_encoded_bytes().starts_with(b".") && !leaving.files.hidden {
                leaving.leave(Exclusion::Hidden, &relative);
                continue;
            }
            let segments: Vec<_> = relative.iter().map(|segment| segment.to_string_lossy()).collect();
            let shown = segments.join("/");
            let within = format!("{shown}/");
            // A pattern with a slash at its end matches a folder as `folder/**`.
            if leaving.files.exclude.iter().any(|glob| glob.matches(&shown) || glob.matches(&within)) {
                leaving.leave(Exclusion::Matching, &relative);
                continue;
            }
            let kind = entry.file_type().map_err(|error| unreadable(&path, error))?;
            let is_link = kind.is_symlink();
            if is_link && !leaving.files.follow_symlinks {
                leaving.leave(Exclusion::Link, &relative);
                continue;
            }
            if is_link && !fs::canonicalize(&path).is_ok_and(|target| target.starts_with(&root)) {
                leaving.leave(Exclusion::LinkOutside, &relative);
                continue;
            }
            let meta = fs::metadata(&path).map_err(|error| unreadable(&path, error))?;
            if meta.is_dir() {
                let real = fs::canonicalize(&path).map_err(|error| unreadable(&path, error))?;
                let mut links = links.clone();
                if is_link {
                    links.push(fs::canonicalize(&here).map_err(|error| unreadable(&here, error))?);
                    // INVARIANT: no folder on the way is entered twice, so the walk ends.
                    if links.iter().any(|passed| passed.starts_with(&real)) {
                        leaving.leave(Exclusion::LinkAbove, &relative);
                        continue;
                    }
                }
                if leaving.own.contains(&real) {
                    continue;
                }
                if is_state_folder(&path) {
                    leaving.leave(Exclusion::State, &relative);
                } else {
                    waiting.push(Place { relative, links });
                }
            } else if meta.is_file() {
                if !leaving.files.include.is_empty() && !leaving.files.include.iter().any(|glob| glob.matches(&shown)) {
                    leaving.leave(Exclusion::NotIncluded, &relative);
                    continue;
                }
                let encoded = names::encode(&relative);
                take(Found { encoded, shown, length: meta.len(), stamp: Stamp::of(&meta) })?;
            } else {
                leaving.leave(Exclusion::NotAFile, &relative);
            }
        }
    }
    Ok(())
}

impl Skipping {
    pub(crate) fn leave(&mut self, why: Exclusion, path: &Path) {
        let (count, _) = self.left.entry(why).or_insert_with(|| (0, path.display().to_string()));
        *count = count.saturating_add(1);
    }
}
