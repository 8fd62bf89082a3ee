//! Walks the published folder: finds the files that are resources, and the reasons why others are skipped.

use std::{
    collections::BTreeMap,
    fs::{self, FileType},
    io,
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
#[derive(Clone, Default)]
struct Place {
    relative: PathBuf,
    /// The folders with the symbolic links that led here.
    links: Vec<PathBuf>,
}

/// What is at a path.
enum Looked {
    Folder(Place),
    File(Found),
    /// Nothing that is a resource.
    Nothing,
}

/// A folder whose files are resources.
struct Walk<'a> {
    folder: &'a Path,
    /// Its canonical path.
    root: PathBuf,
    cancel: &'a Cancel,
}

/// Iterates over all resources below a folder. Only the folders of one path are in memory.
pub(crate) fn walk(
    folder: &Path,
    leaving: &mut Skipping,
    cancel: &Cancel,
    take: &mut dyn FnMut(Found) -> Result<(), Error>,
) -> Result<(), Error> {
    Walk::new(folder, cancel)?.below(Place::default(), leaving, take)
}

/// Iterates over the resources at a path below the folder: a file, those below a folder, or none.
pub(crate) fn walk_at(
    folder: &Path,
    path: &Path,
    leaving: &mut Skipping,
    cancel: &Cancel,
    take: &mut dyn FnMut(Found) -> Result<(), Error>,
) -> Result<(), Error> {
    let walk = Walk::new(folder, cancel)?;
    let mut here = Place::default();
    let mut names = path.iter().peekable();
    while let Some(name) = names.next() {
        let relative = here.relative.join(name);
        let kind = match fs::symlink_metadata(folder.join(&relative)) {
            Err(error) if is_absent(&error) => return Ok(()),
            meta => meta.map_err(|error| unreadable(&folder.join(&relative), &error))?.file_type(),
        };
        here = match walk.look(&here, relative, kind, leaving)? {
            Looked::Folder(place) => place,
            Looked::File(found) if names.peek().is_none() => return take(found),
            Looked::File(_) | Looked::Nothing => return Ok(()),
        };
    }
    walk.below(here, leaving, take)
}

fn unreadable(path: &Path, error: &io::Error) -> Error {
    format!("{} could not be read: {}", path.display(), reason(error)).into()
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

impl<'a> Walk<'a> {
    fn new(folder: &'a Path, cancel: &'a Cancel) -> Result<Walk<'a>, Error> {
        let root = fs::canonicalize(folder).map_err(|error| unreadable(folder, &error))?;
        Ok(Walk { folder, root, cancel })
    }

    fn below(
        &self,
        place: Place,
        leaving: &mut Skipping,
        take: &mut dyn FnMut(Found) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut waiting = vec![place];
        while let Some(place) = waiting.pop() {
            let here = self.folder.join(&place.relative);
            for entry in fs::read_dir(&here).map_err(|error| unreadable(&here, &error))? {
                if self.cancel.is_cancelled() {
                    return Err(Error::Cancelled);
                }
                let entry = entry.map_err(|error| unreadable(&here, &error))?;
                let kind = entry.file_type().map_err(|error| unreadable(&entry.path(), &error))?;
                match self.look(&place, place.relative.join(entry.file_name()), kind, leaving)? {
                    Looked::Folder(place) => waiting.push(place),
                    Looked::File(found) => take(found)?,
                    Looked::Nothing => {}
                }
            }
        }
        Ok(())
    }

    /// What is at a path in a folder; what is skipped is counted.
    fn look(&self, place: &Place, relative: PathBuf, kind: FileType, leaving: &mut Skipping) -> Result<Looked, Error> {
        let path = self.folder.join(&relative);
        let is_hidden = relative.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if is_hidden && !leaving.files.hidden {
            return Ok(leaving.nothing(Exclusion::Hidden, &relative));
        }
        let segments: Vec<_> = relative.iter().map(|segment| segment.to_string_lossy()).collect();
        let shown = segments.join("/");
        let within = format!("{shown}/");
        // A pattern with a slash at its end matches a folder as `folder/**`.
        if leaving.files.exclude.iter().any(|glob| glob.matches(&shown) || glob.matches(&within)) {
            return Ok(leaving.nothing(Exclusion::Matching, &relative));
        }
        let is_link = kind.is_symlink();
        if is_link && !leaving.files.follow_symlinks {
            return Ok(leaving.nothing(Exclusion::Link, &relative));
        }
        if is_link && !fs::canonicalize(&path).is_ok_and(|target| target.starts_with(&self.root)) {
            return Ok(leaving.nothing(Exclusion::LinkOutside, &relative));
        }
        // The folder itself may be below one of them.
        let is_own =
            |target: &Path| leaving.own.iter().any(|own| target.starts_with(own) && !self.root.starts_with(own));
        if is_link && fs::canonicalize(&path).is_ok_and(|target| is_own(&target)) {
            return Ok(Looked::Nothing);
        }
        let meta = fs::metadata(&path).map_err(|error| unreadable(&path, &error))?;
        if meta.is_dir() {
            let real = fs::canonicalize(&path).map_err(|error| unreadable(&path, &error))?;
            let mut links = place.links.clone();
            if is_link {
                let here = self.folder.join(&place.relative);
                links.push(fs::canonicalize(&here).map_err(|error| unreadable(&here, &error))?);
                // INVARIANT: no folder on the way is entered twice, so the walk ends.
                if links.iter().any(|passed| passed.starts_with(&real)) {
                    return Ok(leaving.nothing(Exclusion::LinkAbove, &relative));
                }
            }
            if is_own(&real) || leaving.own.contains(&real) {
                return Ok(Looked::Nothing);
            }
            if is_state_folder(&path) {
                return Ok(leaving.nothing(Exclusion::State, &relative));
            }
            return Ok(Looked::Folder(Place { relative, links }));
        }
        if !meta.is_file() {
            return Ok(leaving.nothing(Exclusion::NotAFile, &relative));
        }
        if !leaving.files.include.is_empty() && !leaving.files.include.iter().any(|glob| glob.matches(&shown)) {
            return Ok(leaving.nothing(Exclusion::NotIncluded, &relative));
        }
        let encoded = names::encode(&relative);
        Ok(Looked::File(Found { encoded, shown, length: meta.len(), stamp: Stamp::of(&meta) }))
    }
}

impl Skipping {
    pub(crate) fn leave(&mut self, why: Exclusion, path: &Path) {
        let (count, _) = self.left.entry(why).or_insert_with(|| (0, path.display().to_string()));
        *count = count.saturating_add(1);
    }

    fn nothing(&mut self, why: Exclusion, path: &Path) -> Looked {
        self.leave(why, path);
        Looked::Nothing
    }
}
