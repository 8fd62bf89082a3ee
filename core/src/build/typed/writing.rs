//! A document of a known kind, from its head to its end.

use alloc::string::String;
use core::marker::PhantomData;

use crate::{
    build::{BuildOptions, Builder, Refused},
    model::{Entry, Head, Kind},
};

/// The head of a document of one kind.
pub trait Document: Sized {
    /// What it lists.
    type Entry: Into<Entry>;
    /// The kind.
    const KIND: Kind;

    /// The root metadata of the document.
    fn into_head(self) -> Head;
}

/// A document of one kind being written: entries in, text out.
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
    /// If anything is wrong with it, or with it in this place; then everything is as before.
    pub fn push(&mut self, entry: D::Entry) -> Result<(), Refused> {
        self.inner.push(entry.into())
    }

    /// What was written since the last call. Taken often, memory does not grow with the document.
    pub fn take(&mut self) -> String {
        self.inner.take()
    }

    /// Ends the document and gives what was not taken yet.
    ///
    /// # Errors
    ///
    /// If something is wrong with the document as a whole; what was taken of it should be thrown away.
    pub fn finish(self) -> Result<String, Refused> {
        self.inner.finish()
    }

    /// Entries so far.
    pub fn entries(&self) -> u64 {
        self.inner.entries()
    }

    /// Bytes so far, those taken away among them.
    pub fn bytes(&self) -> u64 {
        self.inner.bytes()
    }
}
