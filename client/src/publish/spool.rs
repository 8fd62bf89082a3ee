//! Collects resources from a program, checking each when it is added.

use std::io::Write;

use resourcesync::{
    api::plain,
    build::BuildOptions,
    publish::{Intake, Record, check_set},
};
use tempfile::NamedTempFile;

use super::{Error, options::Collected};
use crate::system::reason;

/// Resources in a temporary file, which is removed when this value is dropped.
pub struct Spool {
    file: std::io::BufWriter<NamedTempFile>,
    intake: Intake,
    entries: u64,
}

impl Spool {
    /// Creates an empty spool. Its resources are checked with these options.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be created.
    pub fn new(options: BuildOptions) -> Result<Spool, Error> {
        let file = NamedTempFile::new().map_err(|error| unwritten(&error))?;
        let file = std::io::BufWriter::with_capacity(128 << 10, file);
        Ok(Spool { file, intake: Intake::new(options), entries: 0 })
    }

    /// Records that a resource was rejected: what is published of it stays.
    ///
    /// # Errors
    ///
    /// If it could not be stored.
    pub fn refuse(&mut self, uri: &str, set: &str) -> Result<(), Error> {
        self.intake.refuse(uri, set).map_or(Ok(()), |record| self.write(&record))
    }

    /// Adds a resource of a set.
    ///
    /// If it is rejected and the others are published all the same, what is published of it stays: it is neither updated nor deleted.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if a list with it would be invalid, or the set has a resource with its URI; another error if it could not be
    /// stored. Earlier resources are not affected.
    pub fn push(&mut self, entry: plain::Entry, set: &str) -> Result<(), Error> {
        check_set(set)?;
        match self.intake.accept(entry, set) {
            Ok(record) => {
                self.write(&record)?;
                self.entries = self.entries.saturating_add(1);
                Ok(())
            }
            Err(mut rejected) => {
                rejected.record.take().map_or(Ok(()), |record| self.write(&record))?;
                Err(rejected.into())
            }
        }
    }

    fn write(&mut self, record: &Record) -> Result<(), Error> {
        let written = serde_json::to_writer(&mut self.file, record).map_err(std::io::Error::from);
        written.and_then(|()| self.file.write_all(b"\n")).map_err(|error| unwritten(&error))
    }

    /// The number of resources so far.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.entries
    }

    /// True if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// All resources, to be published while this value exists.
    ///
    /// # Errors
    ///
    /// If the last of them could not be stored.
    pub fn finish(&mut self) -> Result<Collected, Error> {
        self.file.flush().map_err(|error| unwritten(&error))?;
        Ok(Collected { file: self.file.get_ref().path().to_owned(), unknown: self.intake.unknown() })
    }
}

impl std::fmt::Debug for Spool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Spool").field("entries", &self.entries).finish_non_exhaustive()
    }
}

fn unwritten(error: &std::io::Error) -> Error {
    Error::new(format!("the resources could not be written to a temporary file: {}", reason(error)))
}
