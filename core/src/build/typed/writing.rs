//! Writes a document of a known kind.

use alloc::string::String;
use core::marker::PhantomData;

use crate::{
    build::{BuildOptions, Builder, Refused},
    model::{Entry, Head, Kind},
};

/// The head of a document of one kind.
pub trait Document: Sized {
    /// The type of its entries.
    type Entry: Into<Entry>;
    /// The kind.
    const KIND: Kind;

    /// The root metadata of the document.
    fn into_head(self) -> Head;
}

/// A document of one kind being written.
#[derive(Debug)]
pub struct Writing<D> {
    inner: Builder,
    kind: PhantomData<fn(D)>,
}

impl<D: Document> Writing<D> {
    pub(super) fn begin(document: D, options: BuildOptions) -> Result<Writing<D>, Refused> {
        Ok(Writing { inner: Builder::new(D::KIND, document.into_head(), options)?, kind: PhantomData })
    }

    /// Adds an entry.
    ///
    /// # Errors
    ///
    /// If the entry is invalid, or invalid at this position; the document is then unchanged.
    pub fn push(&mut self, entry: D::Entry) -> Result<(), Refused> {
        self.inner.push(entry.into())
    }

    /// Returns the output written since the last call. If it is called regularly, memory does not grow with
    /// the document.
    pub fn take(&mut self) -> String {
        self.inner.take()
    }

    /// Ends the document and returns the output that was not taken yet.
    ///
    /// # Errors
    ///
    /// If the document as a whole is invalid; discard the output that was already taken.
    pub fn finish(self) -> Result<String, Refused> {
        self.inner.finish()
    }

    /// The number of entries so far.
    pub fn entries(&self) -> u64 {
        self.inner.entries()
    }

    /// Bytes of output so far, including those already taken.
    pub fn bytes(&self) -> u64 {
        self.inner.bytes()
    }
}
