//! Writes a whole document from memory.

use alloc::string::String;
use core::borrow::Borrow;

use super::Writer;
use crate::model::{Child, Document, Element, Entry, Head};

/// Part of the document was not kept when it was read, so it cannot be written unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// What was lost, such as `content of rs:md`.
    pub what: &'static str,
    /// The entry it belongs to; `None` for the head.
    pub entry: Option<u64>,
}

impl core::fmt::Display for Loss {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.entry {
            Some(number) => write!(f, "entry {number}: {} was not retained", self.what),
            None => write!(f, "{} was not retained", self.what),
        }
    }
}

impl core::error::Error for Loss {}

/// Writes a document that was read by [`read::document`](crate::read::document), or built by hand.
///
/// Comments, processing instructions and the order of parts within head and entry are not kept.
///
/// # Errors
///
/// If something in it was too long to be kept, was inside `rs:md` or `rs:ln`, or was in a misspelt namespace.
pub fn document(document: &Document) -> Result<String, Loss> {
    entries(document, &document.entries)
}

/// Writes the root and head of a document with other entries, such as those of [`CompactEntries`](crate::model::CompactEntries).
///
/// # Errors
///
/// As [`document`].
pub fn entries<E: Borrow<Entry>>(document: &Document, entries: impl IntoIterator<Item = E>) -> Result<String, Loss> {
    let head = &document.head;
    let lost = |what| Err(Loss { what, entry: None });
    if let Some(what) = missing_of_head(head) {
        return lost(what);
    }
    // The root keeps its namespace name as written; parts do not.
    if head.namespaces.iter().any(|namespace| namespace.written != document.root.namespace) {
        return lost("a namespace name");
    }
    let mut writer = Writer::new(&document.root);
    head.links.iter().for_each(|link| writer.link(link));
    head.md.iter().for_each(|md| writer.md(md));
    head.others.iter().for_each(|element| writer.other(element));
    for entry in entries {
        let entry = entry.borrow();
        if let Some(what) = missing(entry) {
            return Err(Loss { what, entry: Some(entry.number) });
        }
        writer.entry(entry);
    }
    Ok(writer.finish())
}

/// Content in an element that must be empty.
pub(crate) const CONTENT: &str = "content of rs:md or rs:ln";

fn is_kept(element: &Element) -> bool {
    element.xml.is_some()
}

fn is_whole<T>(children: &[Child<T>]) -> bool {
    children.iter().all(|child| !child.cut)
}

/// The part of a head that was not kept when it was read.
pub(crate) fn missing_of_head(head: &Head) -> Option<&'static str> {
    if head.md.iter().any(|md| md.content.is_some()) || head.links.iter().any(|link| link.content.is_some()) {
        return Some(CONTENT);
    }
    (!head.others.iter().all(is_kept)).then_some("an element of the root")
}

/// The part of an entry that was not kept when it was read.
pub(crate) fn missing(entry: &Entry) -> Option<&'static str> {
    if entry.md.iter().any(|md| md.content.is_some()) || entry.links.iter().any(|link| link.content.is_some()) {
        return Some(CONTENT);
    }
    if !entry.others.iter().all(is_kept) {
        return Some("an element");
    }
    let whole =
        is_whole(&entry.loc) && is_whole(&entry.lastmod) && is_whole(&entry.changefreq) && is_whole(&entry.priority);
    (!whole).then_some("part of a text")
}
