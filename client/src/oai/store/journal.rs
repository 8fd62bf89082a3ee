//! The journal of a run: the items of its pages, in order. A page counts once its mark was written.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use resourcesync_oai::{
    harvest::{Mark, Purpose},
    page::Change,
};
use serde::{Deserialize, Serialize};

use super::super::HarvestError;

/// A frame of the journal.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Frame {
    /// A record, followed by its metadata in the form of the storage.
    Record(Item),
    /// An item of a list of identifiers, or of sets.
    Listed(Item),
    /// A damaged record, followed by all its bytes.
    Damaged(Box<Damage>),
    /// A mark: everything before it counts.
    Mark(Box<Mark>),
}

/// A record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Item {
    pub(super) identifier: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) prefix: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) datestamp: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) deleted: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) sets: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) via: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sha256: Option<String>,
    /// The length of the standalone metadata.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) length: Option<u64>,
    /// The lengths of the following parts: metadata, then each `about`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) lengths: Vec<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) purpose: Option<Purpose>,
}

/// A damaged record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Damage {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) identifier: Option<String>,
    pub(super) prefix: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) via: Option<String>,
    /// The problem, as a code and as text.
    pub(super) code: String,
    pub(super) reason: String,
    /// The request, its number in the page, and its position there.
    pub(super) request: String,
    pub(super) number: u64,
    pub(super) line: u32,
    pub(super) column: u32,
    /// The changes that repaired it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) repaired: Vec<Change>,
}

/// A journal being written.
pub(super) struct Journal {
    path: PathBuf,
    out: BufWriter<File>,
    length: u64,
    /// The start of the current page.
    page: u64,
}

/// Bytes of a frame header: the lengths of its two parts.
const HEAD: usize = 12;
/// Maximum bytes of a frame; a journal with a longer one is damaged.
const LONGEST: u64 = 1 << 40;

impl Journal {
    /// Opens it, and drops everything after `length`.
    pub(super) fn open(path: &Path, length: u64) -> Result<Journal, HarvestError> {
        let failed = |error: io::Error| HarvestError::write(path, error);
        let opened = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
        let mut file = opened.map_err(failed)?;
        if file.metadata().map_err(failed)?.len() < length {
            return Err(HarvestError::Changed(path.to_owned()));
        }
        file.set_len(length).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let out = BufWriter::with_capacity(1 << 18, file);
        Ok(Journal { path: path.to_owned(), out, length, page: length })
    }

    /// Adds a frame with its bytes.
    pub(super) fn push(&mut self, frame: &Frame, parts: &[&[u8]]) -> Result<(), HarvestError> {
        let failed = |error: io::Error| HarvestError::write(&self.path, error);
        let head = serde_json::to_vec(frame).map_err(|error| failed(error.into()))?;
        let bytes = parts.iter().fold(0_u64, |sum, part| sum.saturating_add(part.len() as u64));
        let length = u32::try_from(head.len()).map_err(|_| failed(io::ErrorKind::FileTooLarge.into()))?;
        self.out.write_all(&length.to_le_bytes()).map_err(failed)?;
        self.out.write_all(&bytes.to_le_bytes()).map_err(failed)?;
        self.out.write_all(&head).map_err(failed)?;
        parts.iter().try_for_each(|part| self.out.write_all(part)).map_err(failed)?;
        self.length = self.length.saturating_add(HEAD as u64).saturating_add(head.len() as u64).saturating_add(bytes);
        Ok(())
    }

    /// Confirms the frames added since the last page.
    pub(super) fn keep(&mut self) {
        self.page = self.length;
    }

    /// Discards the frames added since the last page.
    pub(super) fn forget(&mut self) -> Result<(), HarvestError> {
        if self.length == self.page {
            return Ok(());
        }
        let failed = |error: io::Error| HarvestError::write(&self.path, error);
        self.out.flush().map_err(failed)?;
        let file = self.out.get_mut();
        file.set_len(self.page).map_err(failed)?;
        file.seek(SeekFrom::Start(self.page)).map_err(failed)?;
        self.length = self.page;
        Ok(())
    }

    /// Syncs it to disk and returns its length.
    pub(super) fn sync(&mut self) -> Result<u64, HarvestError> {
        let failed = |error: io::Error| HarvestError::write(&self.path, error);
        self.out.flush().map_err(failed)?;
        self.out.get_ref().sync_data().map_err(failed)?;
        Ok(self.length)
    }
}

/// Reads the frames of a journal.
pub(super) struct Frames {
    path: PathBuf,
    file: BufReader<File>,
    at: u64,
    end: u64,
}

/// A frame, and the position of its bytes.
pub(super) struct Found {
    pub(super) frame: Frame,
    pub(super) bytes: u64,
    pub(super) length: u64,
}

impl Frames {
    /// Opens the first `end` bytes; `None` if there is no journal.
    pub(super) fn open(path: &Path, end: u64) -> Result<Option<Frames>, HarvestError> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound && end == 0 => return Ok(None),
            Err(error) => return Err(HarvestError::read(path, error)),
        };
        let file = BufReader::with_capacity(1 << 18, file);
        Ok(Some(Frames { path: path.to_owned(), file, at: 0, end }))
    }

    fn read(&mut self) -> Result<Option<Found>, HarvestError> {
        if self.at >= self.end {
            return Ok(None);
        }
        let path = self.path.clone();
        let failed = |error: io::Error| HarvestError::read(&path, error);
        let damaged = || HarvestError::Changed(path.clone());
        let mut head = [0; HEAD];
        self.file.read_exact(&mut head).map_err(failed)?;
        let (length, bytes) = head.split_at_checked(4).ok_or_else(damaged)?;
        let length = u32::from_le_bytes(length.try_into().map_err(|_| damaged())?);
        let bytes = u64::from_le_bytes(bytes.try_into().map_err(|_| damaged())?);
        let start = self.at.saturating_add(HEAD as u64).saturating_add(length.into());
        if bytes > LONGEST || start.saturating_add(bytes) > self.end {
            return Err(damaged());
        }
        let mut head = vec![0; length as usize];
        self.file.read_exact(&mut head).map_err(failed)?;
        let frame = serde_json::from_slice(&head).map_err(|_| damaged())?;
        self.file.seek_relative(i64::try_from(bytes).map_err(|_| damaged())?).map_err(failed)?;
        self.at = start.saturating_add(bytes);
        Ok(Some(Found { frame, bytes: start, length: bytes }))
    }
}

impl Iterator for Frames {
    type Item = Result<Found, HarvestError>;

    fn next(&mut self) -> Option<Result<Found, HarvestError>> {
        self.read().transpose()
    }
}

/// Reads the bytes of frames, in any order.
pub(super) struct Bytes {
    path: PathBuf,
    file: File,
}

impl Bytes {
    pub(super) fn open(path: &Path) -> Result<Bytes, HarvestError> {
        let file = File::open(path).map_err(|error| HarvestError::read(path, error))?;
        Ok(Bytes { path: path.to_owned(), file })
    }

    pub(super) fn read(&mut self, at: u64, length: u64) -> Result<Vec<u8>, HarvestError> {
        let failed = |error: io::Error| HarvestError::read(&self.path, error);
        self.file.seek(SeekFrom::Start(at)).map_err(failed)?;
        let mut bytes = vec![0; usize::try_from(length).map_err(|_| failed(io::ErrorKind::FileTooLarge.into()))?];
        self.file.read_exact(&mut bytes).map_err(failed)?;
        Ok(bytes)
    }
}

/// Removes a journal.
pub(super) fn remove(path: &Path) -> Result<(), HarvestError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(HarvestError::write(path, error)),
        _ => Ok(()),
    }
}
