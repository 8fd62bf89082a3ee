//! Keeps a second run away while one is at work.

use std::{
    fs::{File, OpenOptions},
    io,
    path::Path,
};

use super::FolderError;

/// Held until it is dropped; the system lets go of it when the process ends in any way.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of a folder.
    ///
    /// # Errors
    ///
    /// If another run has it, or the system refuses.
    pub fn take(folder: &Path) -> Result<Lock, FolderError> {
        let path = folder.join("lock");
        match lock(&path) {
            Ok(Some(file)) => Ok(Lock { _file: file }),
            Ok(None) => Err(FolderError::Locked(path)),
            Err(error) => Err(FolderError::io("the lock", path, error)),
        }
    }
}

/// The locked file; `None` if another process has it.
#[cfg(unix)]
fn lock(path: &Path) -> io::Result<Option<File>> {
    use rustix::{
        fs::{FlockOperation, flock},
        io::Errno,
    };
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The file, open to nobody else; `None` if another process has it.
#[cfg(windows)]
fn lock(path: &Path) -> io::Result<Option<File>> {
    use std::os::windows::fs::OpenOptionsExt;
    const SHARING_VIOLATION: i32 = 32;
    match OpenOptions::new().create(true).truncate(false).write(true).share_mode(0).open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.raw_os_error() == Some(SHARING_VIOLATION) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_second_run_is_refused_until_the_first_ends() {
        let folder = std::env::temp_dir().join(format!("resourcesync-lock-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let first = Lock::take(&folder).unwrap();
        assert!(matches!(Lock::take(&folder), Err(FolderError::Locked(_))));
        drop(first);
        Lock::take(&folder).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
