//! A folder made of links to the files of another one, and the comparison of both.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use cap_fs_ext::DirExt;
use cap_std::{
    ambient_authority,
    fs::{Dir, Metadata},
};

use crate::destination::{SyncError, folder::OWN};

/// Files of the private folder that change in place, and are copied.
const COPIED: &[&str] = &["state.sqlite", "state.sqlite-journal"];
/// What else of it a generation has.
const LINKED: &[&str] = &["trash", "history"];
/// Begins the names of ledgers that were set aside.
const BEFORE: &str = "state-before";

/// Makes a folder with links to all files of another one, which is locked.
pub(super) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    let (source, target) = (open(from)?, open(to)?);
    link_all(&source, &target, &|name| name != OWN)?;
    fs::create_dir(to.join(OWN))?;
    for name in COPIED {
        match fs::copy(from.join(OWN).join(name), to.join(OWN).join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    let (source, target) = (source.open_dir_nofollow(OWN)?, target.open_dir_nofollow(OWN)?);
    link_all(&source, &target, &|name| LINKED.contains(&name) || name.starts_with(BEFORE))?;
    fs::set_permissions(to, fs::metadata(from)?.permissions())
}

/// Links what is in a folder, and below.
fn link_all(from: &Dir, to: &Dir, is_wanted: &dyn Fn(&str) -> bool) -> io::Result<()> {
    for entry in from.entries()? {
        let entry = entry?;
        let name = entry.file_name();
        if !name.to_str().is_none_or(is_wanted) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            let inner = from.open_dir_nofollow(&name)?;
            to.create_dir(&name)?;
            link_all(&inner, &to.open_dir_nofollow(&name)?, &|_| true)?;
            to.set_permissions(&name, inner.dir_metadata()?.permissions())?;
        } else {
            from.hard_link(&name, to, &name)?;
        }
    }
    Ok(())
}

/// A file that one folder has and another one lacks.
pub(super) struct Missing {
    /// Its name, below the folder.
    pub(super) path: PathBuf,
    /// Its folder, and its name there.
    folder: Dir,
    name: OsString,
    pub(super) meta: Metadata,
}

/// Passes on each file of a folder, outside of its private folder, that the other one does not have under the same name.
pub(super) fn each_missing(
    from: &Dir,
    other: &Dir,
    take: &mut dyn FnMut(Missing) -> Result<(), SyncError>,
) -> Result<(), SyncError> {
    missing_below(from, Some(other), Path::new(""), take)
}

fn missing_below(
    from: &Dir,
    other: Option<&Dir>,
    above: &Path,
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
            let inner = other.and_then(|other| other.open_dir_nofollow(&name).ok());
            missing_below(&from.open_dir_nofollow(&name)?, inner.as_ref(), &path, take)?;
            continue;
        }
        let meta = from.symlink_metadata(&name)?;
        let there = other.and_then(|other| other.symlink_metadata(&name).ok());
        if there.is_none_or(|there| !is_same(&meta, &there)) {
            take(Missing { path, folder: from.try_clone()?, name, meta })?;
        }
    }
    Ok(())
}

impl Missing {
    /// Gives it the same name below a folder; false if something is in the way.
    pub(super) fn link_below(&self, root: &Dir) -> io::Result<bool> {
        let Some(parent) = parent(root, &self.path, false)? else { return Ok(false) };
        match self.folder.hard_link(&self.name, &parent, &self.name) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Moves it below a folder, in the place of the file of that name; false if that is none.
    pub(super) fn replace_below(&self, root: &Dir) -> io::Result<bool> {
        let Some(parent) = parent(root, &self.path, false)? else { return Ok(false) };
        if parent.symlink_metadata(&self.name).is_ok_and(|meta| meta.is_dir()) {
            return Ok(false);
        }
        self.folder.rename(&self.name, &parent, &self.name).map(|()| true)
    }

    /// Moves it below a folder, to a free name.
    pub(super) fn move_below(&self, root: &Dir) -> io::Result<()> {
        let parent = parent(root, &self.path, true)?.ok_or(io::ErrorKind::AlreadyExists)?;
        let mut name = self.name.clone();
        while parent.symlink_metadata(&name).is_ok() {
            name.push("^");
        }
        self.folder.rename(&self.name, &parent, name)
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
pub(super) fn is_linked(_: &Metadata) -> bool {
    false
}

#[cfg(not(unix))]
pub(super) fn identity(_: &fs::Metadata) -> (u64, u64) {
    (0, 0)
}
