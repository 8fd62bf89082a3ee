//! A document as a stream: its parts, one by one, in the order they were read.

use super::{Element, Entry, Link, Md, Namespace, Root};

/// One thing read from a document, in the order it was read.
#[derive(Debug, Clone, Copy)]
pub enum Item<'a> {
    /// The root element; always first.
    Root(&'a Root),
    /// An `rs:md` of the root.
    Md(&'a Md),
    /// An `rs:ln` of the root.
    Link(&'a Link),
    /// Any other element below the root.
    Other(&'a Element),
    /// A namespace name taken for one of the two.
    Namespace(&'a Namespace),
    /// An entry.
    Entry(&'a Entry),
    /// A digest of all that other vocabularies say in the document; before its end, if they say anything.
    Extensions(u128),
    /// The end of the document, with its length in bytes.
    End(u64),
}
