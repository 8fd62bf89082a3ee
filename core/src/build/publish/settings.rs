//! The settings of a publication.

use alloc::string::String;

use crate::{
    build::BuildOptions,
    limits::{STANDARD_BYTES, STANDARD_ENTRIES},
    value::Uri,
};

/// The settings of a publication. The defaults are the limits of the standard.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Settings {
    /// The options of the builders.
    pub options: BuildOptions,
    /// The description of the whole Source.
    pub describedby: Option<Uri>,
    /// The index that lists the Source Description, if one does.
    pub index: Option<Uri>,
    /// The extension of documents: `.xml`, or `.xml.gz` if the store compresses them.
    pub suffix: String,
    /// Entries of one document; at most 50,000.
    pub max_document_entries: u64,
    /// Bytes of one document; at most 50,000,000.
    pub max_document_bytes: u64,
    /// Entries of the manifest of one package; at most 50,000.
    pub max_package_entries: u64,
    /// Bytes of the bitstreams of one package. A larger bitstream gets its own package.
    pub max_package_bytes: u64,
    /// Computes a digest of each document, so that the next publication shows which of them changed.
    pub digests: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            options: BuildOptions::default(),
            describedby: None,
            index: None,
            suffix: ".xml".into(),
            max_document_entries: STANDARD_ENTRIES,
            max_document_bytes: STANDARD_BYTES,
            max_package_entries: STANDARD_ENTRIES,
            max_package_bytes: 1_000_000_000,
            digests: false,
        }
    }
}
