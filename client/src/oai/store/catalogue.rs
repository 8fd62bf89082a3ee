//! `catalogue.jsonl`: one line per record, sorted by identifier and format.

use std::{
    cmp::Ordering,
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Read, Write},
    path::{Path, PathBuf},
};

use resourcesync::value::to_hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::super::HarvestError;

pub(super) const NAME: &str = "catalogue.jsonl";
/// Only deleted records and those that left the set have a status. Inside a string its quotation marks would
/// be escaped.
const STATUS: &[u8] = b",\"status\":\"";

/// The entry of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The identifier of the item.
    pub identifier: String,
    /// The format.
    pub prefix: String,
    /// The datestamp as written by the repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datestamp: Option<String>,
    /// Its status.
    #[serde(default, skip_serializing_if = "EntryStatus::is_active")]
    pub status: EntryStatus,
    /// The datestamp of this version of the metadata, if the repository changed the datestamp since, and nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// The length of the standalone metadata.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// SHA-256 of the standalone metadata.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The sets of its header.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<String>,
    /// The set through which it was harvested, if only sets are harvested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// The path of the metadata, relative to the store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// The run in which its sets changed last, if nothing else did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<u64>,
    /// The run of the last change.
    pub run: u64,
}

/// The status of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntryStatus {
    /// Present.
    #[default]
    Active,
    /// The repository reports it as deleted, or no longer lists it.
    Deleted,
    /// It left the harvested set.
    LeftSet,
}

impl EntryStatus {
    /// True if it is present.
    #[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
    #[must_use]
    pub fn is_active(&self) -> bool {
        *self == EntryStatus::Active
    }
}

impl Entry {
    pub(super) fn key(&self) -> (&str, &str) {
        (&self.identifier, &self.prefix)
    }

    /// True if it belongs to the harvested set, or if everything is harvested.
    pub(super) fn is_in(&self, prefix: &str, set: Option<&str>) -> bool {
        let Some(set) = set else { return self.prefix == prefix };
        let is_own = |own: &String| own.strip_prefix(set).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
        self.prefix == prefix && (self.via.as_deref() == Some(set) || self.sets.iter().any(is_own))
    }
}

/// The entries of a catalogue, in order.
pub struct Catalogue {
    path: PathBuf,
    lines: BufReader<File>,
    line: Vec<u8>,
    digest: Sha256,
    bytes: u64,
    expected: Option<CatalogueState>,
    last: Option<(String, String)>,
}

impl Catalogue {
    /// Opens the catalogue of a store; `None` if there is none.
    pub(super) fn open(folder: &Path, expected: Option<CatalogueState>) -> Result<Option<Catalogue>, HarvestError> {
        let path = folder.join(NAME);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound && expected.is_none() => return Ok(None),
            Err(error) => return Err(HarvestError::read(path, error)),
        };
        let lines = BufReader::with_capacity(1 << 18, file);
        let (line, digest) = (Vec::new(), Sha256::new());
        Ok(Some(Catalogue { path, lines, line, digest, bytes: 0, expected, last: None }))
    }

    /// The end of the last line read.
    pub(super) fn offset(&self) -> u64 {
        self.bytes
    }

    /// The next line; at the end the catalogue is compared with the state.
    pub(super) fn line(&mut self) -> Result<Option<&[u8]>, HarvestError> {
        self.line.clear();
        let length =
            self.lines.read_until(b'\n', &mut self.line).map_err(|error| HarvestError::read(&self.path, error))?;
        if length == 0 {
            return self.check().map(|()| None);
        }
        self.digest.update(&self.line);
        self.bytes = self.bytes.saturating_add(length as u64);
        Ok(Some(&self.line))
    }

    /// Reads a line.
    pub(super) fn entry(&self, line: &[u8]) -> Result<Entry, HarvestError> {
        let malformed =
            |error: serde_json::Error| HarvestError::Malformed { path: self.path.clone(), why: error.to_string() };
        serde_json::from_slice(line).map_err(malformed)
    }

    fn read(&mut self) -> Result<Option<Entry>, HarvestError> {
        if self.line()?.is_none() {
            return Ok(None);
        }
        let entry = self.entry(&self.line)?;
        let key = (entry.identifier.clone(), entry.prefix.clone());
        if self.last.as_ref().is_some_and(|last| *last >= key) {
            return Err(HarvestError::Changed(self.path.clone()));
        }
        self.last = Some(key);
        Ok(Some(entry))
    }

    /// Compares it with the state, at its end.
    fn check(&mut self) -> Result<(), HarvestError> {
        let Some(expected) = self.expected.take() else { return Ok(()) };
        let sha256 = to_hex(&self.digest.clone().finalize());
        match expected.sha256 == sha256 && expected.bytes == self.bytes {
            true => Ok(()),
            false => Err(HarvestError::Changed(self.path.clone())),
        }
    }
}

impl Iterator for Catalogue {
    type Item = Result<Entry, HarvestError>;

    fn next(&mut self) -> Option<Result<Entry, HarvestError>> {
        self.read().transpose()
    }
}

/// A catalogue being written.
pub(super) struct Writer {
    path: PathBuf,
    out: BufWriter<File>,
    digest: Sha256,
    state: CatalogueState,
}

impl Writer {
    pub(super) fn create(path: PathBuf) -> Result<Writer, HarvestError> {
        let file = File::create(&path).map_err(|error| HarvestError::write(&path, error))?;
        let state = CatalogueState { records: 0, active: 0, bytes: 0, sha256: String::new() };
        Ok(Writer { path, out: BufWriter::with_capacity(1 << 18, file), digest: Sha256::new(), state })
    }

    pub(super) fn push(&mut self, entry: &Entry) -> Result<(), HarvestError> {
        let failed = |error: io::Error| HarvestError::write(&self.path, error);
        let mut line = serde_json::to_vec(entry).map_err(|error| failed(error.into()))?;
        line.push(b'\n');
        self.digest.update(&line);
        self.state.bytes = self.state.bytes.saturating_add(line.len() as u64);
        self.state.records = self.state.records.saturating_add(1);
        self.state.active = self.state.active.saturating_add(u64::from(entry.status.is_active()));
        self.out.write_all(&line).map_err(failed)
    }

    /// Copies the start of the catalogue of a store.
    pub(super) fn copy(&mut self, folder: &Path, bytes: u64) -> Result<(), HarvestError> {
        let path = folder.join(NAME);
        if bytes == 0 {
            return Ok(());
        }
        let failed = |error: io::Error| HarvestError::read(&path, error);
        let mut old = BufReader::with_capacity(1 << 18, File::open(&path).map_err(failed)?).take(bytes);
        let mut line = Vec::new();
        while old.read_until(b'\n', &mut line).map_err(failed)? > 0 {
            self.digest.update(&line);
            self.state.bytes = self.state.bytes.saturating_add(line.len() as u64);
            self.state.records = self.state.records.saturating_add(1);
            // The line was written by this code, so its form is known.
            let is_gone = line.windows(STATUS.len()).any(|window| window == STATUS);
            self.state.active = self.state.active.saturating_add(u64::from(!is_gone));
            self.out.write_all(&line).map_err(|error| HarvestError::write(&self.path, error))?;
            line.clear();
        }
        Ok(())
    }

    /// Syncs it to disk and returns its summary.
    pub(super) fn finish(mut self) -> Result<CatalogueState, HarvestError> {
        let path = self.path;
        let failed = |error: io::Error| HarvestError::write(&path, error);
        self.out.flush().map_err(failed)?;
        self.out.get_ref().sync_all().map_err(failed)?;
        self.state.sha256 = to_hex(&self.digest.finalize());
        Ok(self.state)
    }
}

/// The order of a catalogue.
pub(super) fn order(one: (&str, &str), other: (&str, &str)) -> Ordering {
    one.cmp(&other)
}

/// The summary of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CatalogueState {
    /// The number of its lines.
    pub records: u64,
    /// The number of present records: neither deleted nor removed from the set.
    pub active: u64,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256.
    pub sha256: String,
}
