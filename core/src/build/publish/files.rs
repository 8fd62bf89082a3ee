//! The store, and the files written to it.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Store;
use crate::{
    build::{Accepted, PublishError},
    value::{Capability, Uri, to_hex},
};

/// Bytes buffered before they are passed to the store.
pub(super) const PORTION: usize = 64 << 10;

/// Writes files and remembers their names.
#[derive(Debug)]
pub(super) struct Files<S> {
    pub(super) store: S,
    pub(super) written: Vec<String>,
    /// Completed documents, if they are to be recorded.
    pub(super) documents: Option<Vec<PublishedDocument>>,
    /// Findings that did not cause rejection.
    pub(super) accepted: Accepted,
    /// The document that is being written.
    open: Option<(Listed, Sha256)>,
}

/// The role of a file whose changes may be announced.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) capability: Capability,
    pub(super) uri: Uri,
    pub(super) index: Option<Uri>,
}

impl<S: Store> Files<S> {
    pub(super) fn new(store: S, digests: bool) -> Files<S> {
        Files {
            store,
            written: Vec::new(),
            documents: digests.then(Vec::new),
            accepted: Accepted::default(),
            open: None,
        }
    }

    /// Starts a document.
    pub(super) fn begin_document(&mut self, path: String, listed: Listed) -> Result<(), PublishError<S::Error>> {
        self.open = self.documents.is_some().then(|| (listed, Sha256::new()));
        self.begin(path)
    }

    /// Writes a whole document.
    pub(super) fn put_document(
        &mut self,
        path: String,
        listed: Listed,
        text: &str,
    ) -> Result<(), PublishError<S::Error>> {
        self.begin_document(path, listed)?;
        self.write(text.as_bytes())?;
        self.end()
    }

    /// The documents since the last call.
    pub(super) fn take_documents(&mut self) -> Vec<PublishedDocument> {
        self.documents.as_mut().map(core::mem::take).unwrap_or_default()
    }

    pub(super) fn begin(&mut self, path: String) -> Result<(), PublishError<S::Error>> {
        self.store.begin(&path).map_err(PublishError::Store)?;
        self.written.push(path);
        Ok(())
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), PublishError<S::Error>> {
        if let Some((_, digest)) = &mut self.open {
            digest.update(bytes);
        }
        bytes.chunks(PORTION).try_for_each(|portion| self.store.write(portion)).map_err(PublishError::Store)
    }

    pub(super) fn end(&mut self) -> Result<(), PublishError<S::Error>> {
        if let Some((Listed { capability, uri, index }, digest)) = self.open.take() {
            let sha256 = to_hex(&digest.finalize());
            let document = PublishedDocument { capability, uri, index, sha256 };
            self.documents.iter_mut().for_each(|documents| documents.push(document.clone()));
        }
        self.store.end().map_err(PublishError::Store)
    }

    /// Writes a whole file that notifications do not mention.
    pub(super) fn put(&mut self, path: String, text: &str) -> Result<(), PublishError<S::Error>> {
        self.begin(path)?;
        self.write(text.as_bytes())?;
        self.end()
    }
}

/// A published document, as a Framework Notification announces it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PublishedDocument {
    /// Its capability.
    pub capability: Capability,
    /// Its URI.
    pub uri: Uri,
    /// The index that lists it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<Uri>,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
}
