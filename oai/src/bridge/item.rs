//! A record as a store knows it, without its metadata.

use alloc::string::String;

use super::List;
use crate::stamp::{Datestamp, Stamp};

/// A record of a harvest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item<'a> {
    /// The identifier of the item.
    pub identifier: &'a str,
    /// The format.
    pub prefix: &'a str,
    /// The datestamp as written.
    pub datestamp: Option<&'a str>,
    /// The datestamp of this version of its metadata, if the repository changed the datestamp since, and nothing else.
    pub modified: Option<&'a str>,
    /// False if it was deleted, is no longer listed, or left the set.
    pub is_active: bool,
    /// The sets of its header.
    pub sets: &'a [String],
    /// The set through which it was harvested.
    pub via: Option<&'a str>,
    /// The length of its standalone metadata.
    pub length: Option<u64>,
    /// Their SHA-256, in hexadecimal.
    pub sha256: Option<&'a str>,
    /// The URIs of what it describes.
    pub described: &'a [String],
    /// The file with its standalone metadata.
    pub file: Option<&'a str>,
}

impl<'a> Item<'a> {
    /// A record without sets.
    pub fn new(identifier: &'a str, prefix: &'a str, datestamp: Option<&'a str>, is_active: bool) -> Item<'a> {
        Item {
            identifier,
            prefix,
            datestamp,
            modified: None,
            is_active,
            sets: &[],
            via: None,
            length: None,
            sha256: None,
            described: &[],
            file: None,
        }
    }

    /// True if it belongs to a list: it was harvested through it, or is in its set or a subset of that (OAI-PMH 2.0 §2.6).
    pub fn is_in(&self, list: &List) -> bool {
        let Some(set) = list.set.as_deref() else { return self.prefix == list.prefix };
        let is_own = |own: &String| own.strip_prefix(set).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
        self.prefix == list.prefix && (self.via == Some(set) || self.sets.iter().any(is_own))
    }

    /// When it changed, or was deleted.
    pub(super) fn moment(&self) -> Option<Stamp> {
        if self.is_active { self.version() } else { read(self.datestamp) }
    }

    /// When its metadata changed.
    pub(super) fn version(&self) -> Option<Stamp> {
        read(self.modified).or_else(|| read(self.datestamp))
    }
}

fn read(text: Option<&str>) -> Option<Stamp> {
    text.and_then(|text| Datestamp::read(text).stamp)
}
