//! A document as a stream: its parts, one by one, in the order they were read.

use super::{Document, Element, Entry, Link, Md, Namespace, Root};

/// One part of a document, in document order.
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
    /// A namespace name accepted as one of the two.
    Namespace(&'a Namespace),
    /// An entry.
    Entry(&'a Entry),
    /// A digest of all foreign content in the document, if there is any; comes before the end.
    Extensions(u128),
    /// The end of the document, with its length in bytes.
    End(u64),
}

impl Document {
    /// Adds the next item.
    pub(crate) fn keep(&mut self, item: Item<'_>) {
        match item {
            Item::Root(root) => self.root = root.clone(),
            Item::Md(md) => self.head.md.push(md.clone()),
            Item::Link(link) => self.head.links.push(link.clone()),
            Item::Other(element) => self.head.others.push(element.clone()),
            Item::Entry(entry) => self.entries.push(entry.clone()),
            Item::Namespace(namespace) => self.head.namespaces.push(namespace.clone()),
            Item::Extensions(_) | Item::End(_) => {}
        }
    }
}
