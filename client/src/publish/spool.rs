//! Collects resources from a program, checking each when it is added.

use std::{
    collections::HashSet,
    hash::{BuildHasher, RandomState},
    io::Write,
};

use resourcesync::{
    api::{Builder, plain},
    build::{BuildOptions, Refused},
    diagnostic::{Code, Finding},
    model::Kind,
    value::{Parsed, Uri, UriProblem, Value},
};
use tempfile::NamedTempFile;

use super::{Error, Record, options::Collected, resource_list_input::record, source::check_set};
use crate::system::reason;

/// Resources in a temporary file, which is removed when this value is dropped.
pub struct Spool {
    file: std::io::BufWriter<NamedTempFile>,
    options: BuildOptions,
    checker: Option<Builder>,
    entries: u64,
    /// Hashes of the sets and URIs so far; of 128 bits, so that no two resources are ever confused.
    seen: HashSet<(u64, u64)>,
    keys: [RandomState; 2],
    /// Rejected resources whose URI is unknown.
    unknown: u64,
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
        let (seen, keys) = (HashSet::new(), [RandomState::new(), RandomState::new()]);
        Ok(Spool { file, options, checker: None, entries: 0, seen, keys, unknown: 0 })
    }

    /// Records that a resource was rejected: what is published of it stays.
    ///
    /// # Errors
    ///
    /// If it could not be stored.
    pub fn refuse(&mut self, uri: &str, set: &str) -> Result<(), Error> {
        match Uri::read(uri) {
            Parsed::Exact(uri) => {
                self.write(&Record { uri: uri.to_string(), set: set.to_owned(), refused: true, ..Record::default() })
            }
            _ => {
                self.unknown = self.unknown.saturating_add(1);
                Ok(())
            }
        }
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
        if let Err(error) = self.check(&entry) {
            self.refuse(&entry.uri, set)?;
            return Err(error);
        }
        let Parsed::Exact(uri) = Uri::read(&entry.uri) else {
            self.refuse(&entry.uri, set)?;
            let problem = Uri::problem(&entry.uri).unwrap_or(UriProblem::Form);
            let finding = Finding::new(Code::GEN_11).arg("value", entry.uri).arg("problem", problem.as_str());
            return Err(refused(finding.into()));
        };
        let uri = uri.to_string();
        let [one, other] = &self.keys;
        if !self.seen.insert((one.hash_one((set, &uri)), other.hash_one((set, &uri)))) {
            return Err(refused(Refused::repeated(&uri)));
        }
        self.write(&Record { uri, set: set.to_owned(), ..record(entry) })?;
        self.entries = self.entries.saturating_add(1);
        Ok(())
    }

    fn write(&mut self, record: &Record) -> Result<(), Error> {
        let written = serde_json::to_writer(&mut self.file, record).map_err(std::io::Error::from);
        written.and_then(|()| self.file.write_all(b"\n")).map_err(|error| unwritten(&error))
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

    /// All resources, to be published while this value exists.
    ///
    /// # Errors
    ///
    /// If the last of them could not be stored.
    pub fn finish(&mut self) -> Result<Collected, Error> {
        self.file.flush().map_err(|error| unwritten(&error))?;
        Ok(Collected { file: self.file.get_ref().path().to_owned(), unknown: self.unknown })
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
