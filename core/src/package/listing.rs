//! The entries of a manifest, read before the members so that these need to be unpacked only once.

use alloc::{vec, vec::Vec};

use super::{
    Archive,
    name_similarity::near,
    resource::{self, Noted},
};
use crate::{
    fixity::Algorithms,
    limits::Limits,
    model::{Attributes, Entry, Item, Kind, Md, Root},
    read::{Canonical, ReadEvent, Reader},
    value::Relation,
};

/// The members that a manifest names, and the digests to compute of each.
#[derive(Debug)]
pub(crate) struct Listing {
    /// `None` once the manifest was read, to free its memory before the members are read.
    reader: Option<Reader>,
    root: Root,
    /// The kind of the manifest.
    pub(crate) kind: Kind,
    /// Its root `rs:md`.
    pub(crate) head: Option<Md>,
    /// Named members, by index.
    listed: Vec<bool>,
    /// Listed digest algorithms of each.
    pub(crate) wanted: Vec<Algorithms>,
    /// The digest of its content, independent of spelling.
    pub(crate) canonical: Canonical,
    /// True once the manifest was read to its end.
    pub(crate) complete: bool,
    /// The entries, if requested.
    pub(crate) noted: Option<Vec<Noted>>,
}

impl Listing {
    /// An empty list; `noting` keeps the entries.
    pub(crate) fn new(archive: &Archive, limits: &Limits, noting: bool) -> Listing {
        Listing {
            reader: Some(Reader::new(limits)),
            root: Root::default(),
            kind: Kind::Unknown,
            head: None,
            listed: vec![false; archive.len()],
            wanted: vec![Algorithms::default(); archive.len()],
            canonical: Canonical::default(),
            complete: false,
            noted: noting.then(Vec::new),
        }
    }

    /// Reads more of the manifest.
    pub(crate) fn push(&mut self, bytes: &[u8], archive: &Archive) {
        let Some(mut reader) = self.reader.take() else { return };
        reader.feed(bytes, &mut |event| self.take(event, archive));
        self.reader = Some(reader);
    }

    /// Ends the manifest.
    pub(crate) fn finish(&mut self, archive: &Archive) {
        if let Some(mut reader) = self.reader.take() {
            reader.end(&mut |event| self.take(event, archive));
        }
    }

    fn take(&mut self, event: ReadEvent<'_>, archive: &Archive) {
        let Listing { root, kind, head, listed, wanted, canonical, complete, noted, .. } = self;
        let ReadEvent::Item(item) = event else { return };
        canonical.add(item);
        match item {
            Item::Root(own) => *root = own.clone(),
            Item::Md(md) if head.is_none() => {
                let capability = md.attributes.capability().and_then(|field| field.value());
                *kind = root
                    .shape
                    .zip(capability)
                    .map_or(Kind::Unknown, |(shape, capability)| Kind::from_parts(shape, capability));
                *head = Some(md.clone());
            }
            Item::Entry(entry) => {
                named(entry, &mut |attributes| note(attributes, archive, listed, wanted));
                noted.iter_mut().for_each(|noted| resource::note(entry, archive, noted));
            }
            Item::End(_) => *complete = true,
            _ => {}
        }
    }

    /// True if the manifest names the member.
    pub(crate) fn has(&self, index: u32) -> bool {
        self.listed.get(index as usize).copied().unwrap_or(true)
    }

    /// Frees the memory that is no longer needed.
    pub(crate) fn take_listed(&mut self) {
        self.listed = Vec::new();
    }
}

/// The parts of an entry that may name a member: its `rs:md`, and its patch links.
fn named(entry: &Entry, take: &mut dyn FnMut(&Attributes)) {
    entry.first_md().into_iter().for_each(|md| take(&md.attributes));
    for link in &entry.links {
        let relation = link.attributes.rel().and_then(|rel| rel.value());
        if relation.is_some_and(Relation::is_patch) {
            take(&link.attributes);
        }
    }
}

fn note(attributes: &Attributes, archive: &Archive, listed: &mut [bool], wanted: &mut [Algorithms]) {
    let Some(path) = attributes.path().and_then(|path| path.value()) else { return };
    // A near miss is reported as such, and not also as unlisted.
    let name = path.member_name();
    let Some(index) = archive.find(name.as_bytes()) else {
        let near = near(archive, name).and_then(|(near, _)| listed.get_mut(near as usize));
        near.into_iter().for_each(|listed| *listed = true);
        return;
    };
    if let Some(listed) = listed.get_mut(index as usize) {
        *listed = true;
    }
    if let (Some(own), Some(hashes)) = (wanted.get_mut(index as usize), attributes.hash()) {
        *own = own.with(Algorithms::of(&hashes.readable()));
    }
}
