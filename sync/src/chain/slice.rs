//! The new entries of a Change List, so exactly that the same ones are found again.

use alloc::string::String;

use resourcesync::model::{AnyField, Entry};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::list::Time;
use crate::change::identity_of;

/// Consecutive entries of a Change List.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Slice {
    /// The URI of the list.
    pub uri: String,
    /// The position of the first entry, from 0.
    pub from: u64,
    /// The number of entries up to the last one, from the beginning of the list.
    pub entries: u64,
    /// SHA-256 of these entries, in hexadecimal.
    pub prefix: String,
    /// Entries that are certainly before this time are left out: their order does not show that they were processed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// The end of the list, if it is closed.
    #[serde(skip)]
    pub until: Option<String>,
}

/// Finds the entries of a slice in a list, and whether these are still the same.
#[derive(Debug)]
pub struct SliceReader {
    slice: Slice,
    since: Option<Time>,
    hash: Sha256,
    entries: u64,
}

impl SliceReader {
    /// Begins at the first entry of a list.
    pub fn new(slice: Slice) -> SliceReader {
        let since = Time::read(slice.since.as_deref());
        SliceReader { slice, since, hash: Sha256::new(), entries: 0 }
    }

    /// Takes the next entry of the list; true if it belongs to the slice.
    pub fn take(&mut self, entry: &Entry) -> bool {
        if self.is_over() {
            return false;
        }
        self.hash.update(identity_of(entry).as_bytes());
        let position = self.entries;
        self.entries = position.saturating_add(1);
        let datetime = entry.first_md().and_then(|md| md.attributes.datetime()).map(AnyField::text);
        let time = Time::read(datetime.as_deref());
        let is_before = time.zip(self.since.as_ref()).is_some_and(|(time, since)| time.is_before(since));
        position >= self.slice.from && !is_before
    }

    /// True if all its entries were read; the rest of the list is not needed.
    pub fn is_over(&self) -> bool {
        self.entries >= self.slice.entries
    }

    /// True if the list begins with the entries that were read when the slice was made.
    pub fn is_same(&self) -> bool {
        self.entries == self.slice.entries
            && resourcesync::value::to_hex(&self.hash.clone().finalize()) == self.slice.prefix
    }
}
