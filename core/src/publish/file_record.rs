//! The length and digest of a written file, by which a later run recognizes damage.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::value::to_hex;

/// The summary of a written file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FileRecord {
    /// Its length in bytes.
    pub length: u64,
    /// The number of lines, for parts of the state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<u64>,
    /// SHA-256 in hexadecimal; the digests of packages are in the dump.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// Computes the record of a file from its bytes.
#[derive(Debug, Clone, Default)]
pub struct FileDigest {
    digest: Sha256,
    length: u64,
    lines: u64,
}

impl FileDigest {
    /// Adds bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.digest.update(bytes);
        self.length = self.length.saturating_add(bytes.len() as u64);
        self.lines = self.lines.saturating_add(bytes.iter().filter(|byte| **byte == b'\n').count() as u64);
    }

    /// The record of a part of the state.
    #[must_use]
    pub fn finish(self) -> FileRecord {
        FileRecord { length: self.length, lines: Some(self.lines), sha256: Some(to_hex(&self.digest.finalize())) }
    }
}
