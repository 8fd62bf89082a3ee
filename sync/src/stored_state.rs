//! A stored resource.

use alloc::string::String;

use resourcesync::value::{Algorithm, Hashes, http_date, to_hex};

/// The record of a resource in the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoredState {
    /// Verified digests in the spelling of the standard, of the listed coding.
    pub hash: Option<String>,
    /// The length that was listed.
    pub length: Option<u64>,
    /// When it was last modified, as listed.
    pub lastmod: Option<String>,
    /// The entity tag of the response.
    pub etag: Option<String>,
    /// `Last-Modified` of the response.
    pub modified: Option<String>,
    /// The SHA-256 of the stored bytes, in hexadecimal.
    pub sha256: String,
    /// Bytes stored.
    pub size: u64,
}

/// `Last-Modified` of a response, if it can be compared: within the second of the response, the bytes may have changed again (RFC 9110
/// §8.8.2.2).
pub(crate) fn comparable(modified: Option<&str>, date: Option<&str>) -> Option<String> {
    let (served, sent) = (http_date(modified?)?, http_date(date?)?);
    if sent.saturating_sub(served) >= 2 { modified.map(Into::into) } else { None }
}

/// The file of a copy, compared with the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Local {
    /// Unchanged.
    Intact,
    /// With another size or time.
    Changed,
    /// Missing.
    Missing,
}

impl StoredState {
    /// The digests that can be compared with listed ones.
    pub fn hashes(&self) -> Hashes {
        self.hash.as_deref().map(Hashes::readable).unwrap_or_default()
    }

    /// True if the digests are not those of the file: what was listed is its content coding.
    pub fn is_decoded(&self) -> bool {
        self.hashes().get(&Algorithm::Sha256).is_some_and(|digest| to_hex(digest) != self.sha256)
    }

    /// True if a conditional request can be made.
    pub fn has_validator(&self) -> bool {
        self.etag.is_some() || self.modified.is_some()
    }
}
