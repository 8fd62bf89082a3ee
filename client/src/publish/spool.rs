//! Collects resources from a program, checking each when it is added.

use std::{io::Write, path::Path};

use resourcesync::{
    api::{Builder, plain},
    build::{BuildOptions, Refused},
    model::Kind,
};
use tempfile::NamedTempFile;

use super::{Error, Record, inventory, resource_list_input::record, source::check_set};
use crate::system::reason;

/// Resources in a temporary file, which is removed when this value is dropped.
pub struct Spool {
    file: std::io::BufWriter<NamedTempFile>,
    options: BuildOptions,
    checker: Option<Builder>,
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
        Ok(Spool { file, options, checker: None, entries: 0 })
    }

    /// Adds a resource of a set.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if a list with it would be invalid, another error if it has no usable URI or could not be stored. Earlier
    /// resources are not affected.
    pub fn push(&mut self, entry: plain::Entry, set: &str) -> Result<(), Error> {
        check_set(set)?;
        self.check(&entry)?;
        let record = Record { set: set.to_owned(), ..inventory::check(record(entry), Path::new("."))? };
        let written = serde_json::to_writer(&mut self.file, &record).map_err(std::io::Error::from);
        written.and_then(|()| self.file.write_all(b"\n")).map_err(|error| unwritten(&error))?;
        self.entries = self.entries.saturating_add(1);
        Ok(())
    }

    /// Checks whether a Resource List would accept the entry.
    fn check(&mut self, entry: &plain::Entry) -> Result<(), Error> {
        for _ in 0..2 {
            let checker = match &mut self.checker {
                Some(checker) => checker,
                None => self
                    .checker
                    .insert(Builder::from_plain(Kind::ResourceList, &head(), self.options.clone()).map_err(refused)?),
            };
            match checker.push_plain(entry) {
                Ok(()) => {
                    drop(checker.take());
                    return Ok(());
                }
                // A full list is followed by another one.
                Err(found) if found.is_full() && checker.entries() > 0 => self.checker = None,
                Err(found) => return Err(refused(found)),
            }
        }
        Ok(())
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

    /// The file with all resources.
    ///
    /// # Errors
    ///
    /// If the last of them could not be stored.
    pub fn finish(&mut self) -> Result<&Path, Error> {
        self.file.flush().map_err(|error| unwritten(&error))?;
        Ok(self.file.get_ref().path())
    }
}

impl std::fmt::Debug for Spool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Spool").field("entries", &self.entries).finish_non_exhaustive()
    }
}

/// For a list that is never published.
fn head() -> plain::Head {
    let up = plain::Link {
        rel: Some("up".to_owned()),
        href: Some("http://example.com/capabilitylist.xml".to_owned()),
        ..plain::Link::default()
    };
    plain::Head { at: Some("2000-01-01T00:00:00Z".to_owned()), links: vec![up], ..plain::Head::default() }
}

fn refused(found: Refused) -> Error {
    Error::Refused(Box::new(found))
}

fn unwritten(error: &std::io::Error) -> Error {
    Error::new(format!("the resources could not be written to a temporary file: {}", reason(error)))
}
