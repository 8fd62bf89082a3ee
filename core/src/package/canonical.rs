//! What a document says, whatever its spelling: two documents that say the same have the same digest.
//!
//! White space, comments, prefixes, quotes and the order of attributes make no difference; the order of entries does.

use alloc::{string::String, vec::Vec};

use sha2::{Digest, Sha256};

use crate::{
    model::{AnyField, Attributes, Entry},
    rules::Item,
};

/// Takes items, gives a digest.
#[derive(Debug, Default, Clone)]
pub(crate) struct Canonical {
    hash: Sha256,
}

impl Canonical {
    /// Takes the next item.
    pub(crate) fn add(&mut self, item: Item<'_>) {
        match item {
            Item::Root(root) => self.text("root", &root.local),
            Item::Md(md) => self.attributes("md", &md.attributes),
            Item::Link(link) => self.attributes("ln", &link.attributes),
            Item::Entry(entry) => self.entry(entry),
            Item::Other(element) => self.text("other", &element.local),
            Item::Namespace(_) | Item::End(_) => {}
        }
    }

    /// The digest of all that was taken.
    pub(crate) fn finish(&self) -> [u8; 32] {
        self.hash.clone().finalize().into()
    }

    fn entry(&mut self, entry: &Entry) {
        self.text("entry", entry.element.as_str());
        entry.loc.iter().for_each(|child| self.text("loc", &child.field.text()));
        entry.lastmod.iter().for_each(|child| self.text("lastmod", &child.field.text()));
        entry.changefreq.iter().for_each(|child| self.text("changefreq", &child.field.text()));
        entry.priority.iter().for_each(|child| self.text("priority", &child.field.text()));
        entry.md.iter().for_each(|md| self.attributes("md", &md.attributes));
        entry.links.iter().for_each(|link| self.attributes("ln", &link.attributes));
        entry.others.iter().for_each(|other| self.text("other", &other.local));
    }

    fn attributes(&mut self, name: &str, attributes: &Attributes) {
        let mut list: Vec<(&str, String)> =
            attributes.iter().map(|one| (one.local(), one.text().into_owned())).collect();
        list.sort();
        self.text("element", name);
        list.iter().for_each(|(name, value)| self.text(name, value));
    }

    /// Lengths go first, so that no two texts run into each other.
    fn text(&mut self, name: &str, value: &str) {
        for part in [name, value] {
            self.hash.update((part.len() as u64).to_le_bytes());
            self.hash.update(part.as_bytes());
        }
    }
}
