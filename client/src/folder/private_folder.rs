//! A locked folder for unfinished files that only this user can read, and the removal of those that killed runs left.

use std::{ffi::OsString, fs::TryLockError, io, process};

use cap_fs_ext::DirExt;
use cap_std::fs::{Dir, OpenOptions};

use super::enter::enter;

/// Names tried for the folder of unfinished files: killed runs may have left others.
const TRIES: u32 = 100;
/// How the names of private folders begin; the process and a number follow.
const PREFIX: &str = ".resourcesync-";
/// How the names of private files and folders begin, of copies as well.
const RESERVED: &str = ".resourcesync";
/// The lock file in a private folder.
pub(super) const LOCK: &str = "lock";

/// True if a part of a relative name, with `/` as separator, is reserved for private files and folders.
#[must_use]
pub fn is_reserved(name: &str) -> bool {
    let mut parts = name.split('/').filter_map(|part| part.get(..RESERVED.len()));
    parts.any(|start| start.eq_ignore_ascii_case(RESERVED))
}

/// Creates a folder that only this user can read and write, and locks it.
pub(super) fn create(root: &Dir) -> io::Result<(Dir, OsString, std::fs::File)> {
    for number in 0..TRIES {
        let name = format!("{PREFIX}{}-{number}", process::id());
        match make_private(root, &name) {
            Ok(()) => {
                if let Some((staging, lock)) = lock(root, &name)? {
                    return Ok((staging, name.into(), lock));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Locks a private folder that was just created; `None` if another run is removing it as a leftover.
fn lock(root: &Dir, name: &str) -> io::Result<Option<(Dir, std::fs::File)>> {
    let locked = || {
        let staging = enter(root, name)?;
        let lock = staging.open_with(LOCK, options().write(true).create_new(true))?.into_std();
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::NotFound.into()),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        enter(root, name)?.symlink_metadata(LOCK)?;
        Ok((staging, lock))
    };
    match locked() {
        Ok(locked) => Ok(Some(locked)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes the private folders that killed runs left: those whose lock is not held.
pub(super) fn remove_leftovers(root: &Dir) -> io::Result<()> {
    for entry in root.entries()? {
        let name = entry?.file_name();
        let is_ours = name.to_str().and_then(|name| name.strip_prefix(PREFIX)).is_some_and(|rest| {
            let numbers = rest.split_once('-');
            numbers.is_some_and(|(process, number)| is_number(process) && is_number(number))
        });
        if !is_ours {
            continue;
        }
        // A leftover that cannot be removed does no harm.
        let Ok(leftover) = root.open_dir_nofollow(&name) else { continue };
        let Ok(lock) = leftover.open_with(LOCK, options().write(true)) else { continue };
        let lock = lock.into_std();
        if lock.try_lock().is_err() {
            continue;
        }
        for file in leftover.entries()?.flatten().map(|entry| entry.file_name()) {
            if file.to_str().is_some_and(is_number) {
                let _ = leftover.remove_file(file);
            }
        }
        drop(lock);
        let _ = leftover.remove_file(LOCK);
        let _ = root.remove_dir(&name);
    }
    Ok(())
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(unix)]
fn make_private(root: &Dir, name: &str) -> io::Result<()> {
    use cap_std::fs::{DirBuilder, DirBuilderExt};
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    root.create_dir_with(name, &builder)
}

#[cfg(not(unix))]
fn make_private(root: &Dir, name: &str) -> io::Result<()> {
    root.create_dir(name)
}

/// Options to create a file.
#[cfg(unix)]
pub(super) fn options() -> OpenOptions {
    use cap_std::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.mode(0o644);
    options
}

#[cfg(not(unix))]
pub(super) fn options() -> OpenOptions {
    OpenOptions::new()
}
