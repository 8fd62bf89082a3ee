//! A digest of the content of a document, independent of its spelling.
//!
//! White space, comments, prefixes, quotes and the order of attributes make no difference, nor does the order of `rs:md`, `rs:ln`
//! and the children of an entry; the order of entries does.

use alloc::{borrow::Cow, vec::Vec};

use sha2::{Digest, Sha256};

use crate::model::{AnyField, Attribute, AttributeValue, Attributes, Entry, Item};

/// The namespace of `schemaLocation`.
const SCHEMA: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// Computes the digest of a sequence of items.
#[derive(Debug, Default, Clone)]
pub(crate) struct Canonical {
    hash: Sha256,
    /// Digests of each `rs:md` and `rs:ln` of the root.
    head: Vec<[u8; 32]>,
}

impl Canonical {
    /// Adds the next item.
    pub(crate) fn add(&mut self, item: Item<'_>) {
        match item {
            Item::Root(root) => {
                text(&mut self.hash, "root", &root.local);
                foreign(&mut self.hash, &root.attributes);
            }
            Item::Md(md) => self.head.push(digest("md", &md.attributes)),
            Item::Link(link) => self.head.push(digest("ln", &link.attributes)),
            Item::Entry(entry) => self.entry(entry),
            Item::Extensions(digest) => self.hash.update(digest.to_le_bytes()),
            // Everything else is covered by the digest of the extensions.
            Item::Other(_) | Item::Namespace(_) | Item::End(_) => {}
        }
    }

    /// Returns the digest.
    pub(crate) fn finish(&self) -> [u8; 32] {
        let (mut hash, mut head) = (self.hash.clone(), self.head.clone());
        head.sort_unstable();
        head.iter().for_each(|digest| hash.update(digest));
        hash.finalize().into()
    }

    fn entry(&mut self, entry: &Entry) {
        let hash = &mut self.hash;
        text(hash, "entry", entry.element.as_str());
        foreign(hash, &entry.attributes);
        entry.loc.iter().for_each(|child| text(hash, "loc", &child.field.text()));
        entry.lastmod.iter().for_each(|child| text(hash, "lastmod", &child.field.text()));
        entry.changefreq.iter().for_each(|child| text(hash, "changefreq", &child.field.text()));
        entry.priority.iter().for_each(|child| text(hash, "priority", &child.field.text()));
        entry.md.iter().for_each(|md| attributes(hash, "md", &md.attributes));
        match entry.links.as_slice() {
            [link] => attributes(hash, "ln", &link.attributes),
            links => {
                let mut digests: Vec<_> = links.iter().map(|link| digest("ln", &link.attributes)).collect();
                digests.sort_unstable();
                digests.iter().for_each(|digest| hash.update(digest));
            }
        }
    }
}

fn digest(name: &str, own: &Attributes) -> [u8; 32] {
    let mut hash = Sha256::default();
    attributes(&mut hash, name, own);
    hash.finalize().into()
}

fn attributes<'a>(hash: &mut Sha256, name: &str, own: impl IntoIterator<Item = &'a Attribute>) {
    let mut list: Vec<(&str, &str, Cow<'_, str>)> =
        own.into_iter().map(|one| (namespace(one), one.local(), one.text())).collect();
    list.sort_unstable();
    text(hash, "element", name);
    for (namespace, name, value) in &list {
        text(hash, name, value);
        text(hash, "of", namespace);
    }
}

fn namespace(attribute: &Attribute) -> &str {
    match &attribute.value {
        AttributeValue::Other(other) => &other.namespace,
        _ => "",
    }
}

/// Attributes where the standard has none.
fn foreign(hash: &mut Sha256, own: &[Attribute]) {
    // The location of a schema is not content.
    let own: Vec<&Attribute> = own.iter().filter(|one| namespace(one) != SCHEMA).collect();
    if !own.is_empty() {
        attributes(hash, "own", own);
    }
}

/// Texts are prefixed with their length, so that their boundaries are unambiguous.
fn text(hash: &mut Sha256, name: &str, value: &str) {
    for part in [name, value] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String};

    use super::*;
    use crate::{
        limits::Limits,
        read::{ReadEvent, Reader},
    };

    /// The digest of a manifest with these parts in its root and entry, read in windows of `window` bytes.
    fn said(root: &str, entry: &str, window: usize) -> [u8; 32] {
        let document = format!(
            r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"
                xmlns:x="urn:x" xmlns:z="urn:z">{root}<url><loc>http://example.com/</loc>{entry}</url></urlset>"#
        );
        let (mut canonical, mut reader) = (Canonical::default(), Reader::new(&Limits::default()));
        let mut drain = |reader: &mut Reader| {
            while let Some(read) = reader.next() {
                if let ReadEvent::Item(item) = read {
                    canonical.add(item);
                }
            }
        };
        for bytes in document.as_bytes().chunks(window) {
            assert_eq!(reader.push(bytes), bytes.len());
            drain(&mut reader);
        }
        reader.finish();
        drain(&mut reader);
        canonical.finish()
    }

    #[test]
    fn spelling_and_free_order_make_no_difference() {
        let head = [
            r#"<rs:md capability="resourcedump-manifest"/>"#,
            r#"<rs:ln rel="up" href="u"/>"#,
            r#"<rs:ln rel="x" href="y"/>"#,
        ];
        let first = said(&head.concat(), "<x:a p='1' q='2'>one <z:b/>two</x:a>", 4096);
        let turned: String = head.iter().rev().copied().collect();
        for (root, entry) in [
            (turned.as_str(), r#"<a xmlns="urn:x" q="2" p="1">one<!-- or two --> <z:b/>two</a>"#),
            (&head.concat(), "<x:a p='1' q='&#50;'>\n  one\n  <z:b></z:b><![CDATA[two]]>\n</x:a>"),
        ] {
            for window in [1, 7, 4096] {
                assert_eq!(said(root, entry, window), first, "{entry} {window}");
            }
        }
    }

    #[test]
    fn what_other_vocabularies_say_makes_a_difference() {
        let parts = [
            ("", ""),
            ("<x:a/>", ""),
            ("", "<x:a/>"),
            ("", "<x:a/><x:a/>"),
            ("", "<z:a/>"),
            ("", "<x:a>1</x:a>"),
            ("", "<x:a>2</x:a>"),
            ("", "<x:a b='1'/>"),
            ("", "<x:a x:b='1'/>"),
            ("", "<x:a><x:b/></x:a>"),
            ("", "<rs:md x:b='1'/>"),
            ("", "<rs:md z:b='1'/>"),
            ("", "<rs:ln x:b='1'/>"),
            ("", "<rs:ln x:b='2'/>"),
        ];
        for (number, one) in parts.iter().enumerate() {
            for other in parts.iter().skip(number + 1) {
                assert_ne!(said(one.0, one.1, 4096), said(other.0, other.1, 4096), "{one:?} {other:?}");
            }
        }
    }
}
