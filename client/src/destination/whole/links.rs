//! A folder made of links to the files of another one, and the comparison of both.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

use cap_fs_ext::DirExt;
use cap_std::{
    ambient_authority,
    fs::{Dir, Metadata},
};

use crate::{
    destination::{SyncError, folder::OWN},
    folder::{FolderError, is_mounted, same_access},
};

/// Files of the private folder that change in place, and are copied.
const COPIED: &[&str] = &["state.sqlite", "state.sqlite-journal"];
/// What else of it a generation has.
const LINKED: &[&str] = &["trash", "history"];
/// Begins the names of ledgers that were set aside.
const BEFORE: &str = "state-before";

/// Makes a folder with links to all files of another one, which is locked.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), SyncError> {
    fs::create_dir(to)?;
    let (source, target) = (open(from)?, open(to)?);
    Links { from, to, is_wanted: &|name| name != OWN }.make(&source, &target)?;
    let (from_own, to_own) = (from.join(OWN), to.join(OWN));
    fs::create_dir(&to_own)?;
    for name in COPIED {
        let (from, to) = (from_own.join(name), to_own.join(name));
        match fs::copy(&from, &to).and_then(|_| same_access(&from, &to)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    let (source, target) = (source.open_dir_nofollow(OWN)?, target.open_dir_nofollow(OWN)?);
    let is_wanted = |name: &str| LINKED.contains(&name) || name.starts_with(BEFORE);
    Links { from: &from_own, to: &to_own, is_wanted: &is_wanted }.make(&source, &target)?;
    same_access(&from_own, &to_own)?;
    Ok(same_access(from, to)?)
}

/// Links to what is in a folder, and below.
struct Links<'a> {
    from: &'a Path,
    to: &'a Path,
    /// What is wanted of the folder itself.
    is_wanted: &'a dyn Fn(&str) -> bool,
}

impl Links<'_> {
    fn make(&self, source: &Dir, target: &Dir) -> Result<(), FolderError> {
        for entry in source.entries()? {
            let entry = entry?;
            let name = entry.file_name();
            if !name.to_str().is_none_or(self.is_wanted) {
                continue;
            }
            let linked = match entry.file_type()?.is_dir() {
                true => self.folder(source, target, &name),
                false => source.hard_link(&name, target, &name).map_err(|error| self.failed(&name, error)),
            };
            match linked {
                // Others have removed it meanwhile.
                Err(FolderError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => {}
                linked => linked?,
            }
        }
        Ok(())
    }

    fn folder(&self, source: &Dir, target: &Dir, name: &OsStr) -> Result<(), FolderError> {
        let (from, to) = (self.from.join(name), self.to.join(name));
        if is_mounted(&from) {
            return Err(self.failed(name, io::ErrorKind::CrossesDevices.into()));
        }
        if from.join(OWN).is_dir() {
            return Err(FolderError::CopyInside(from));
        }
        let failed = |error: io::Error| self.failed(name, error);
        let inner = source.open_dir_nofollow(name).map_err(failed)?;
        target.create_dir(name).map_err(failed)?;
        let copied = target.open_dir_nofollow(name).map_err(failed)?;
        Links { from: &from, to: &to, is_wanted: &|_| true }.make(&inner, &copied)?;
        same_access(&from, &to).map_err(failed)
    }

    fn failed(&self, name: &OsStr, error: io::Error) -> FolderError {
        match error.kind() {
            io::ErrorKind::CrossesDevices => FolderError::Mounted {
                out: self.from.to_owned(),
                error: io::Error::new(error.kind(), format!("{} is mounted", name.display())),
            },
            _ => FolderError::io("the next generation cannot have a link to", self.from.join(name), error),
        }
    }
}

/// A file that one folder has and another one lacks.
pub(super) struct Missing {
    /// Its name, below the folder.
    pub(super) path: PathBuf,
    pub(super) meta: Metadata,
}

/// Passes on each file of a folder, outside of its private folder, that the other one does not have under the same name. Returns the
/// paths of folders without anything in them that it does not have.
pub(super) fn each_missing(
    from: &Dir,
    other: &Dir,
    take: &mut dyn FnMut(Missing) -> Result<(), SyncError>,
) -> Result<Vec<PathBuf>, SyncError> {
    let mut empty = Vec::new();
    missing_below(from, Some(other), Path::new(""), &mut empty, take)?;
    Ok(empty)
}

/// Makes a folder, unless there is something of that name.
pub(super) fn make_below(root: &Dir, path: &Path) -> io::Result<()> {
    let (Some(parent), Some(name)) = (parent(root, path, false)?, path.file_name()) else { return Ok(()) };
    match parent.create_dir(name) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

fn missing_below(
    from: &Dir,
    other: Option<&Dir>,
    above: &Path,
    empty: &mut Vec<PathBuf>,
    take: &mut dyn FnMut(Missing) -> Result<(), SyncError>,
) -> Result<(), SyncError> {
    for entry in from.entries()? {
        let entry = entry?;
        let name = entry.file_name();
        let path = above.join(&name);
        if path == Path::new(OWN) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            let own = from.open_dir_nofollow(&name)?;
            let inner = other.and_then(|other| other.open_dir_nofollow(&name).ok());
            if inner.is_none() && own.entries()?.next().is_none() {
                empty.push(path.clone());
            }
            missing_below(&own, inner.as_ref(), &path, empty, take)?;
            continue;
        }
        let meta = from.symlink_metadata(&name)?;
        let there = other.and_then(|other| other.symlink_metadata(&name).ok());
        if there.is_none_or(|there| !is_same(&meta, &there)) {
            take(Missing { path, meta })?;
        }
    }
    Ok(())
}

impl Missing {
    /// Gives it the same name below another folder; false if something is in the way.
    pub(super) fn link_below(&self, from: &Dir, root: &Dir) -> io::Result<bool> {
        let Some(parent) = parent(root, &self.path, false)? else { return Ok(false) };
        match self.folder(from)?.hard_link(self.name(), &parent, self.name()) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Moves it below a folder, in the place of the file of that name; false if that is none, or came since this moment.
    pub(super) fn replace_below(&self, from: &Dir, root: &Dir, exchanged: Option<Moment>) -> io::Result<bool> {
        let Some(parent) = parent(root, &self.path, false)? else { return Ok(false) };
        let is_in_the_way =
            |meta: Metadata| meta.is_dir() || exchanged.is_some_and(|exchanged| changed(&meta) >= exchanged);
        if parent.symlink_metadata(self.name()).is_ok_and(is_in_the_way) {
            return Ok(false);
        }
        self.folder(from)?.rename(self.name(), &parent, self.name()).map(|()| true)
    }

    /// Moves it below a folder, to a free name.
    pub(super) fn move_below(&self, from: &Dir, root: &Dir) -> io::Result<()> {
        let parent = parent(root, &self.path, true)?.ok_or(io::ErrorKind::AlreadyExists)?;
        let mut name = self.name().to_owned();
        while parent.symlink_metadata(&name).is_ok() {
            name.push("^");
        }
        self.folder(from)?.rename(self.name(), &parent, name)
    }

    fn name(&self) -> &OsStr {
        self.path.file_name().unwrap_or_default()
    }

    /// Its folder. It is opened for each file, since there may be more folders than files can be open.
    fn folder(&self, from: &Dir) -> io::Result<Dir> {
        let mut names = self.path.parent().into_iter().flat_map(Path::components);
        names.try_fold(from.try_clone()?, |folder, name| folder.open_dir_nofollow(name.as_os_str()))
    }
}

/// Opens the parent folder of a path, and creates it if necessary. Where something else is in the way, that is evaded, or there is none.
fn parent(root: &Dir, path: &Path, evades: bool) -> io::Result<Option<Dir>> {
    let mut folder = root.try_clone()?;
    for part in path.parent().into_iter().flat_map(Path::components) {
        let mut name = part.as_os_str().to_owned();
        folder = loop {
            match folder.create_dir(&name) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
            match folder.open_dir_nofollow(&name) {
                Ok(inner) => break inner,
                Err(_) if folder.symlink_metadata(&name).is_ok_and(|meta| !meta.is_dir()) => match evades {
                    true => name.push("^"),
                    false => return Ok(None),
                },
                Err(error) => return Err(error),
            }
        };
    }
    Ok(Some(folder))
}

/// Opens a folder.
pub(super) fn open(folder: &Path) -> io::Result<Dir> {
    Dir::open_ambient_dir(folder, ambient_authority())
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use cap_std::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Seconds and nanoseconds, by the clock of the file system.
pub(super) type Moment = (i64, i64);

/// When a file was last written, renamed, or linked.
#[cfg(unix)]
pub(super) fn changed(meta: &Metadata) -> Moment {
    use cap_std::fs::MetadataExt;
    (meta.ctime(), meta.ctime_nsec())
}

/// True if a file has further names.
#[cfg(unix)]
pub(super) fn is_linked(meta: &Metadata) -> bool {
    cap_std::fs::MetadataExt::nlink(meta) > 1
}

/// What identifies a folder.
#[cfg(unix)]
pub(super) fn identity(meta: &fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (meta.dev(), meta.ino())
}

// Without an exchange of folders no generation is made.
#[cfg(not(unix))]
fn is_same(_: &Metadata, _: &Metadata) -> bool {
    false
}

#[cfg(not(unix))]
pub(super) fn changed(_: &Metadata) -> Moment {
    (0, 0)
}

#[cfg(not(unix))]
pub(super) fn is_linked(_: &Metadata) -> bool {
    false
}

#[cfg(not(unix))]
pub(super) fn identity(_: &fs::Metadata) -> (u64, u64) {
    (0, 0)
}
