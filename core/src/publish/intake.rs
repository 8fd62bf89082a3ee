//! Checks the resources of a program, one at a time.

use alloc::{
    borrow::ToOwned,
    boxed::Box,
    collections::BTreeSet,
    string::{String, ToString},
    vec::Vec,
};
use core::hash::Hasher;

use siphasher::sip128::{Hasher128, SipHasher13};

use super::Record;
use crate::{
    api::{Builder, plain},
    build::{BuildOptions, Refused},
    diagnostic::{Code, Finding},
    model::Kind,
    value::{Parsed, Uri, UriProblem, Value},
};

/// Accepts what a Resource List would accept, once in each set.
#[derive(Debug)]
pub struct Intake {
    options: BuildOptions,
    checker: Option<Builder>,
    /// Hashes of the sets and URIs so far; of 128 bits, so that no two resources are ever confused.
    seen: BTreeSet<u128>,
    unknown: u64,
}

/// A rejected resource.
#[derive(Debug)]
pub struct Rejected {
    /// Why it was rejected.
    pub refused: Box<Refused>,
    /// It is part of the run, so that what is published of it stays; `None` if its URI is unknown, or was accepted before.
    pub record: Option<Box<Record>>,
}

impl Intake {
    /// Nothing yet. Resources are checked with these options.
    #[must_use]
    pub fn new(options: BuildOptions) -> Intake {
        Intake { options, checker: None, seen: BTreeSet::new(), unknown: 0 }
    }

    /// Checks a resource of a set.
    ///
    /// # Errors
    ///
    /// If a list with it would be invalid, or the set has a resource with its URI.
    pub fn accept(&mut self, entry: plain::Entry, set: &str) -> Result<Record, Rejected> {
        let uri = entry.uri.clone();
        let record = match self.record(entry, set) {
            Ok(record) => record,
            Err(refused) => {
                return Err(Rejected { refused: Box::new(refused), record: self.refuse(&uri, set).map(Box::new) });
            }
        };
        if !self.seen.insert(key(set, &record.uri)) {
            return Err(Rejected { refused: Box::new(Refused::repeated(&record.uri)), record: None });
        }
        Ok(record)
    }

    /// Checks a resource of a set, which may occur again.
    ///
    /// # Errors
    ///
    /// If a list with it would be invalid.
    pub fn record(&mut self, entry: plain::Entry, set: &str) -> Result<Record, Refused> {
        self.check(&entry)?;
        let Parsed::Exact(uri) = Uri::read(&entry.uri) else {
            let problem = Uri::problem(&entry.uri).unwrap_or(UriProblem::Form);
            return Err(Finding::new(Code::GEN_11).arg("value", entry.uri).arg("problem", problem.as_str()).into());
        };
        Ok(Record { uri: uri.to_string(), set: set.to_owned(), ..Record::from(entry) })
    }

    /// The record of a resource that was rejected by the program; `None` if its URI is unknown.
    pub fn refuse(&mut self, uri: &str, set: &str) -> Option<Record> {
        match Uri::read(uri) {
            Parsed::Exact(uri) => {
                Some(Record { uri: uri.to_string(), set: set.to_owned(), refused: true, ..Record::default() })
            }
            _ => {
                self.unknown = self.unknown.saturating_add(1);
                None
            }
        }
    }

    /// Rejected resources whose URI is unknown.
    #[must_use]
    pub fn unknown(&self) -> u64 {
        self.unknown
    }

    /// Checks whether a Resource List would accept the entry.
    ///
    /// # Errors
    ///
    /// If it would be invalid.
    pub fn check(&mut self, entry: &plain::Entry) -> Result<(), Refused> {
        for _ in 0..2 {
            let checker = match &mut self.checker {
                Some(checker) => checker,
                None => self.checker.insert(Builder::from_plain(Kind::ResourceList, &head(), self.options.clone())?),
            };
            match checker.push_plain(entry) {
                Ok(()) => {
                    drop(checker.take());
                    return Ok(());
                }
                // A full list is followed by another one.
                Err(found) if found.is_full() && checker.entries() > 0 => self.checker = None,
                Err(found) => return Err(found),
            }
        }
        Ok(())
    }
}

fn key(set: &str, uri: &str) -> u128 {
    let mut hasher = SipHasher13::new();
    hasher.write(set.as_bytes());
    hasher.write_u8(0);
    hasher.write(uri.as_bytes());
    hasher.finish128().as_u128()
}

/// For a list that is never published.
fn head() -> plain::Head {
    let up = plain::Link {
        rel: Some("up".to_owned()),
        href: Some("http://example.com/capabilitylist.xml".to_owned()),
        ..plain::Link::default()
    };
    plain::Head { at: Some(String::from("2000-01-01T00:00:00Z")), links: Vec::from([up]), ..plain::Head::default() }
}
