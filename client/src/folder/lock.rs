//! A lock that only one run can hold at a time.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::Write,
    path::Path,
};

use super::FolderError;

/// The lock file of the npm package, with the number of the process that holds it: Node has no locks of the system.
pub(super) const PROCESS_LOCK: &str = "lock.pid";

/// Held until it is dropped; the system releases it when the process ends in any way.
#[derive(Debug)]
pub struct Lock {
    file: File,
    /// The process is named in the file.
    is_named: bool,
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
            Ok(()) => Ok(Lock { file, is_named: false }),
            Err(TryLockError::WouldBlock) => Err(FolderError::Locked(path)),
            Err(TryLockError::Error(error)) => Err(FolderError::io("the lock", path, error)),
        }
    }

    /// Takes the lock of a folder that the npm package uses as well.
    ///
    /// # Errors
    ///
    /// As [`Lock::take`], also if a run of the npm package is at work.
    pub(super) fn take_shared(folder: &Path) -> Result<Lock, FolderError> {
        let mut lock = Lock::take(folder)?;
        lock.is_named = true;
        // INVARIANT: each writes its process before it reads that of the other, so that two runs never miss each other.
        let written = lock.file.set_len(0).and_then(|()| write!(lock.file, "{}", std::process::id()));
        written.map_err(|error| FolderError::io("the lock", folder.join("lock"), error))?;
        let other = folder.join(PROCESS_LOCK);
        let owner = fs::read_to_string(&other).ok().and_then(|text| text.trim().parse::<u32>().ok());
        match owner.filter(|owner| *owner != std::process::id() && is_alive(*owner)) {
            Some(_) => Err(FolderError::Locked(other)),
            None => Ok(lock),
        }
    }
}

/// The process of a lock that is no longer held is not named any more.
impl Drop for Lock {
    fn drop(&mut self) {
        if self.is_named {
            let _ = self.file.set_len(0);
        }
        // To close the file does not suffice: a process that this one is starting has it open until it runs its program.
        let _ = self.file.unlock();
    }
}

/// True if a process exists.
#[cfg(unix)]
fn is_alive(process: u32) -> bool {
    use rustix::{
        io::Errno,
        process::{Pid, test_kill_process},
    };
    let pid = i32::try_from(process).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| !matches!(test_kill_process(pid), Err(Errno::SRCH)))
}

/// True if a process exists, as far as that is known.
#[cfg(not(unix))]
fn is_alive(_: u32) -> bool {
    true
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
        // As a process has it that this one is about to start.
        let inherited = first.file.try_clone().unwrap();
        drop(first);
        Lock::take(&folder).unwrap();
        drop(inherited);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_run_of_the_npm_package_is_seen_while_its_process_lives() {
        let folder = std::env::temp_dir().join(format!("resourcesync-shared-lock-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut node = std::process::Command::new("sleep").arg("600").spawn().unwrap();
        std::fs::write(folder.join(PROCESS_LOCK), node.id().to_string()).unwrap();
        assert!(matches!(Lock::take_shared(&folder), Err(FolderError::Locked(path)) if path.ends_with(PROCESS_LOCK)));
        assert_eq!(std::fs::read_to_string(folder.join("lock")).unwrap(), "");
        node.kill().unwrap();
        node.wait().unwrap();
        let lock = Lock::take_shared(&folder).unwrap();
        assert_eq!(std::fs::read_to_string(folder.join("lock")).unwrap(), std::process::id().to_string());
        drop(lock);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
