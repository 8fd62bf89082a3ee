//! Carries foreign files over from one generation to the next.

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use serde::{Deserialize, Serialize};

use super::FolderError;

/// Calls back for every entry below a folder, folders after their contents, with `/` as separator. What is mounted below it is an error of the
/// kind [`io::ErrorKind::CrossesDevices`]: it belongs to others, who would lose it with the folder.
pub(super) fn walk(folder: &Path, take: &mut dyn FnMut(&Path, bool) -> io::Result<()>) -> io::Result<()> {
    fn visit(folder: &Path, relative: &Path, take: &mut dyn FnMut(&Path, bool) -> io::Result<()>) -> io::Result<()> {
        let mut names = fs::read_dir(folder.join(relative))?.collect::<io::Result<Vec<_>>>()?;
        names.sort_by_key(fs::DirEntry::file_name);
        for entry in names {
            let path = relative.join(entry.file_name());
            let is_folder = entry.file_type()?.is_dir();
            if is_folder {
                if is_mounted(&folder.join(&path)) {
                    return Err(io::Error::new(io::ErrorKind::CrossesDevices, format!("{} is mounted", name(&path))));
                }
                visit(folder, &path, take)?;
            }
            take(&path, is_folder)?;
        }
        Ok(())
    }
    visit(folder, Path::new(""), take)
}

/// True for a folder or file that another one, or a file system, is mounted on.
#[cfg(target_os = "linux")]
pub(crate) fn is_mounted(folder: &Path) -> bool {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
    // Also of a folder of the same file system, which a number of the device does not tell.
    statx(CWD, folder, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::empty())
        .is_ok_and(|meta| meta.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
}

/// True for a folder that a file system is mounted on.
#[cfg(all(unix, not(target_os = "linux")))]
pub(crate) fn is_mounted(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let device = |path: Option<&Path>| path.and_then(|path| fs::symlink_metadata(path).ok()).map(|meta| meta.dev());
    device(Some(folder)) != device(folder.parent())
}

#[cfg(not(unix))]
pub(crate) fn is_mounted(_: &Path) -> bool {
    false
}

/// The paths of all files below a folder, with `/` as separator.
///
/// # Errors
///
/// If it cannot be read.
pub fn files_below(folder: &Path) -> io::Result<Vec<String>> {
    let mut files = Vec::new();
    walk(folder, &mut |path, is_folder| {
        if !is_folder {
            files.push(name(path));
        }
        Ok(())
    })?;
    Ok(files)
}

/// A path in the form of state files.
fn name(path: &Path) -> String {
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// Carries everything foreign below `old` over to `new`: files as hard links, or as copies where that is not possible. Returns these files.
///
/// # Errors
///
/// If `new` already has a file of the same name, something is mounted below `old`, or an operation fails.
pub(super) fn carry_over(old: &Path, new: &Path, is_own: &dyn Fn(&str) -> bool) -> Result<Vec<Carried>, FolderError> {
    let (mut clash, mut place, mut files) = (None, old.to_owned(), Vec::new());
    let outcome = walk(old, &mut |path, is_folder| {
        if !is_folder && is_own(&name(path)) {
            return Ok(());
        }
        let (from, to) = (old.join(path), new.join(path));
        place.clone_from(&from);
        let carried = match is_folder {
            true => folder(&from, &to),
            false => Version::of(&from).and_then(|before| {
                file(&from, &to)?;
                files.push(Carried { path: path.to_owned(), before, after: Version::of(&to)? });
                Ok(())
            }),
        };
        match carried {
            Err(error) if matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory) => {
                clash = Some(path.to_owned());
                Err(error)
            }
            outcome => outcome,
        }
    });
    match (outcome, clash) {
        (Err(_), Some(name)) => Err(FolderError::Clash { out: old.to_owned(), name }),
        (Err(error), None) if error.kind() == io::ErrorKind::CrossesDevices => {
            Err(FolderError::Mounted { out: old.to_owned(), error })
        }
        (Err(error), None) => Err(FolderError::io("files of others could not be carried over from", place, error)),
        (Ok(()), _) => Ok(files),
    }
}

/// A foreign file that was carried over.
#[derive(Serialize, Deserialize)]
pub(super) struct Carried {
    path: PathBuf,
    /// In the old folder.
    before: Version,
    /// In the new one.
    after: Version,
}

/// What tells the versions of a file apart.
#[derive(PartialEq, Serialize, Deserialize)]
struct Version {
    length: u64,
    modified: Option<SystemTime>,
    inode: u64,
}

impl Version {
    fn of(path: &Path) -> io::Result<Version> {
        let meta = fs::symlink_metadata(path)?;
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(&meta);
        #[cfg(not(unix))]
        let inode = 0;
        Ok(Version { length: meta.len(), modified: meta.modified().ok(), inode })
    }
}

/// Repeats what happened to foreign files of `old` after they were carried over, until it was replaced by `new`: they were added, replaced or
/// removed. What happened to them in `new` since is newer, and stays.
pub(super) fn carry_late(old: &Path, new: &Path, carried: &[Carried], is_own: &dyn Fn(&str) -> bool) {
    // Without the old folder nothing is known of its files, and least of all that they were removed.
    if !old.is_dir() {
        return;
    }
    for Carried { path, before, after } in carried {
        let (from, to) = (old.join(path), new.join(path));
        if Version::of(&to).is_ok_and(|now| now == *after) {
            match Version::of(&from) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => drop(fs::remove_file(to)),
                Ok(now) if now != *before => drop(replace(&from, &to)),
                _ => {}
            }
        }
    }
    let carried: HashSet<&Path> = carried.iter().map(|carried| carried.path.as_path()).collect();
    let _ = walk(old, &mut |path, is_folder| {
        if !is_folder && !carried.contains(path) && !is_own(&name(path)) {
            let _ = file(&old.join(path), &new.join(path));
        }
        Ok(())
    });
}

/// Puts a file in the place of another one in one step.
fn replace(from: &Path, to: &Path) -> io::Result<()> {
    let mut place = to.as_os_str().to_owned();
    place.push(".late");
    file(from, place.as_ref())?;
    fs::rename(&place, to).inspect_err(|_| drop(fs::remove_file(&place)))
}

/// A foreign folder without foreign files is carried over as well.
fn folder(from: &Path, to: &Path) -> io::Result<()> {
    match fs::symlink_metadata(to) {
        Ok(meta) if meta.is_dir() => same_access(from, to),
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) if fs::read_dir(from)?.next().is_some() => Ok(()),
        Err(_) => make(from, to),
    }
}

/// Creates a folder and its parents with the permissions that they have in the old generation.
fn make(from: &Path, to: &Path) -> io::Result<()> {
    if to.is_dir() {
        return Ok(());
    }
    if let (Some(above), Some(place)) = (from.parent(), to.parent()) {
        make(above, place)?;
    }
    fs::create_dir(to)?;
    same_access(from, to)
}

/// Gives a folder or file the permissions and, where that is allowed, the owner and group of another one.
pub(crate) fn same_access(from: &Path, to: &Path) -> io::Result<()> {
    let meta = fs::metadata(from)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, chown};
        let is_same = fs::metadata(to).is_ok_and(|own| (own.uid(), own.gid()) == (meta.uid(), meta.gid()));
        // Only root may change the owner; others have mostly made what is replaced, or share a group with its owner.
        if !is_same && chown(to, Some(meta.uid()), Some(meta.gid())).is_err() {
            let _ = chown(to, None, Some(meta.gid()));
        }
    }
    fs::set_permissions(to, meta.permissions())
}

fn file(from: &Path, to: &Path) -> io::Result<()> {
    if let (Some(above), Some(place)) = (from.parent(), to.parent()) {
        make(above, place)?;
    }
    let kind = fs::symlink_metadata(from)?.file_type();
    if kind.is_symlink() {
        return link(&fs::read_link(from)?, to);
    }
    match fs::hard_link(from, to) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices && is_mounted(from) => {
            Err(io::Error::new(error.kind(), format!("{} is mounted", from.file_name().unwrap_or_default().display())))
        }
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists && kind.is_file() => {
            // A copy never replaces a file created meanwhile.
            let mut copy = fs::OpenOptions::new().write(true).create_new(true).open(to)?;
            io::copy(&mut fs::File::open(from)?, &mut copy)?;
            copy.set_permissions(fs::metadata(from)?.permissions())
        }
        outcome => outcome,
    }
}

#[cfg(unix)]
fn link(target: &PathBuf, to: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, to)
}

#[cfg(not(unix))]
fn link(target: &PathBuf, to: &Path) -> io::Result<()> {
    fs::copy(target, to).map(drop)
}
