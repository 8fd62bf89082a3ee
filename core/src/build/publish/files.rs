//! The store, and what was put there.

use alloc::{string::String, vec::Vec};

use super::Store;
use crate::build::PublishError;

/// Bytes that are gathered before they are handed on.
pub(super) const PORTION: usize = 64 << 10;

/// Writes files and remembers their names.
#[derive(Debug)]
pub(super) struct Files<S> {
    pub(super) store: S,
    pub(super) written: Vec<String>,
}

impl<S: Store> Files<S> {
    pub(super) fn begin(&mut self, path: String) -> Result<(), PublishError<S::Error>> {
        self.store.begin(&path).map_err(PublishError::Store)?;
        self.written.push(path);
        Ok(())
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), PublishError<S::Error>> {
        bytes.chunks(PORTION).try_for_each(|portion| self.store.write(portion)).map_err(PublishError::Store)
    }

    pub(super) fn end(&mut self) -> Result<(), PublishError<S::Error>> {
        self.store.end().map_err(PublishError::Store)
    }

    /// A whole file.
    pub(super) fn put(&mut self, path: String, text: &str) -> Result<(), PublishError<S::Error>> {
        self.begin(path)?;
        self.write(text.as_bytes())?;
        self.end()
    }
}
