//! Folders that the user chose for the URIs with a prefix.

use alloc::{format, string::String};

use resourcesync::value::key;
use serde::{Deserialize, Serialize};

use super::segment::{self, encode, folded, parts};

/// A folder for all URIs with a prefix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Map {
    /// The prefix, including a final `/`.
    pub prefix: String,
    /// The folder, its parts separated by `/`.
    pub folder: String,
}

impl Map {
    /// Creates a folder for the URIs with a prefix; `None` if the prefix is not an http or https URI that ends in `/`, or if the folder name
    /// could collide with another name.
    pub fn new(prefix: &str, folder: &str) -> Option<Map> {
        let (prefix, folder) = (key(prefix), folder.trim_end_matches('/'));
        let (.., query) = parts(&prefix)?;
        let is_plain = |part: &str| encode(part, false, None, false) == part && part.len() <= segment::LONGEST;
        let is_name = |part: &str| {
            !part.is_empty()
                && !part.contains(|letter: char| letter.is_control() || "^\\:*?\"<>|".contains(letter))
                && is_plain(part)
        };
        let is_whole = prefix.ends_with('/') && query.is_none() && folder.split('/').all(is_name);
        is_whole.then(|| Map { prefix, folder: folder.into() })
    }

    /// True if one folder equals or contains the other, ignoring case.
    pub fn overlaps(&self, other: &Map) -> bool {
        let (one, other) = (format!("{}/", folded(&self.folder)), format!("{}/", folded(&other.folder)));
        one.starts_with(&other) || other.starts_with(&one)
    }
}
