//! The log of `--log`: lines of JSON at the end of a file, to which several runs may append.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use resourcesync_client::reason;

use crate::error::CliError;

/// Every event of a run, appended to a file.
pub(super) struct Log {
    path: PathBuf,
    file: Mutex<(File, io::Result<()>)>,
}

impl Log {
    /// Opens a file to append to.
    pub(super) fn open(path: &Path) -> Result<Log, CliError> {
        let file = File::options().append(true).create(true).open(path);
        let file = file.map_err(|error| format!("{} cannot be written: {}", path.display(), reason(&error)))?;
        Ok(Log { path: path.to_owned(), file: Mutex::new((file, Ok(()))) })
    }

    /// Appends a line at once, so that lines of several runs do not mix.
    pub(super) fn write(&self, line: &str) {
        let mut locked = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, result) = &mut *locked;
        if result.is_ok() {
            *result = file.write_all(line.as_bytes());
        }
    }

    /// Whether everything was written.
    pub(super) fn finish(self) -> Result<(), CliError> {
        let (_, result) = self.file.into_inner().unwrap_or_else(PoisonError::into_inner);
        result.map_err(|error| format!("{} could not be written: {}", self.path.display(), reason(&error)).into())
    }
}
