//! The settings of a publication.

use alloc::string::String;

use crate::{
    build::BuildOptions,
    limits::{STANDARD_BYTES, STANDARD_ENTRIES},
    value::Uri,
};

/// How to publish. The defaults are the bounds of the standard.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Settings {
    /// What to let pass, and within which bounds.
    pub options: BuildOptions,
    /// What describes the Source as a whole.
    pub describedby: Option<Uri>,
    /// How the names of documents end: `.xml`, or `.xml.gz` where the store packs them.
    pub suffix: String,
    /// Entries of one document; at most 50,000.
    pub document_entries: u64,
    /// Bytes of one document; at most 50,000,000.
    pub document_bytes: u64,
    /// Entries of the manifest of one package; at most 50,000.
    pub package_entries: u64,
    /// Bytes of the bitstreams of one package. One that is larger gets a package of its own.
    pub package_bytes: u64,
    /// Computes a digest of each document, so that the next publication shows which of them changed.
    pub digests: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            options: BuildOptions::default(),
            describedby: None,
            suffix: ".xml".into(),
            document_entries: STANDARD_ENTRIES,
            document_bytes: STANDARD_BYTES,
            package_entries: STANDARD_ENTRIES,
            package_bytes: 1_000_000_000,
            digests: false,
        }
    }
}
