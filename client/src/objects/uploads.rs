//! The uploads of a run, noted in the private folder of the copy before their first part, so that the next run can abort those that a
//! killed one left.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// The uploads that were begun.
#[derive(Debug)]
pub(super) struct Uploads {
    file: PathBuf,
}

impl Uploads {
    /// Those that are noted in a folder.
    pub(super) fn of(folder: &Path) -> Uploads {
        Uploads { file: folder.join("uploads.jsonl") }
    }

    /// Notes an upload durably.
    pub(super) fn note(&self, key: &str, id: &str) -> io::Result<()> {
        let line = serde_json::to_string(&(key, id))? + "\n";
        let mut file = OpenOptions::new().create(true).append(true).open(&self.file)?;
        file.write_all(line.as_bytes())?;
        file.sync_data()
    }

    /// The uploads of runs before, with their keys. A line that was cut off is that of an upload without a part.
    pub(super) fn left(&self) -> io::Result<Vec<(String, String)>> {
        match fs::read_to_string(&self.file) {
            Ok(text) => Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Forgets them: they are completed or aborted.
    pub(super) fn forget(&self) -> io::Result<()> {
        match fs::remove_file(&self.file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}
