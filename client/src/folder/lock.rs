//! A lock that only one run can hold at a time.

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::Path,
};

use super::FolderError;

/// Held until it is dropped; the system releases it when the process ends in any way.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of a folder: a file `lock` in it.
    ///
    /// # Errors
    ///
    /// If another run holds it, or on a system error.
    pub fn take(folder: &Path) -> Result<Lock, FolderError> {
        let path = folder.join("lock");
        let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = opened.map_err(|error| FolderError::io("the lock", &path, error))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(FolderError::Locked(path)),
            Err(TryLockError::Error(error)) => Err(FolderError::io("the lock", path, error)),
        }
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
