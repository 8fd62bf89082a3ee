//! The names of the files that the documents of a folder link to, so that a damaged document is not mistaken for somebody else's file.

use alloc::boxed::Box;
use core::hash::Hasher;

use siphasher::sip::SipHasher13;

use super::{DocumentSummary, Observer, summary::LinkedNames};
use crate::{
    model::{Item, Kind, Link, Shape},
    rules::KindProfile,
    span::Span,
    value::{Uri, percent_decoded_name},
    xml::Cut,
};

/// Relations that lead to documents.
const RELATIONS: [&str; 3] = ["up", "index", "contents"];

/// Collects the names of linked documents: 8 bytes each.
#[derive(Debug)]
pub(super) struct LinkedFiles {
    seed: u64,
    shape: Option<Shape>,
    /// True if the entries are documents.
    lists_documents: bool,
    names: LinkedNames,
}

impl LinkedFiles {
    pub(super) fn new(seed: u64) -> LinkedFiles {
        LinkedFiles { seed, shape: None, lists_documents: false, names: LinkedNames::default() }
    }

    fn name(&self, uri: &str) -> Option<u64> {
        let path = uri.split(['?', '#']).next().unwrap_or(uri);
        let name = path.rsplit('/').next().and_then(percent_decoded_name)?;
        Some(file_hash(self.seed, &name))
    }

    fn add(&mut self, uri: &str) {
        self.names.documents.extend(self.name(uri));
    }
}

fn href(link: &Link) -> Option<&str> {
    link.attributes.href().and_then(|href| href.value()).map(Uri::as_str)
}

/// The hash of the name of a file.
pub(super) fn file_hash(seed: u64, name: &[u8]) -> u64 {
    let mut hasher = SipHasher13::new_with_keys(seed, !seed);
    hasher.write(name);
    hasher.finish()
}

impl Observer for LinkedFiles {
    fn take(&mut self, item: Item<'_>) {
        match item {
            Item::Root(root) => self.shape = root.shape,
            Item::Md(md) => {
                let capability = md.attributes.capability().and_then(|field| field.value());
                let kind = self.shape.zip(capability).map(|(shape, capability)| Kind::from_parts(shape, capability));
                self.lists_documents |= kind.is_some_and(|kind| KindProfile::of(kind).lists_documents());
            }
            Item::Link(link) if RELATIONS.iter().any(|relation| link.names(relation)) => {
                href(link).into_iter().for_each(|uri| self.add(uri));
            }
            Item::Entry(entry) if self.lists_documents => {
                let name = entry.uri().and_then(|uri| self.name(uri.as_str()));
                match entry.is_channel() {
                    true => self.names.topics.extend(name),
                    false => self.names.documents.extend(name),
                }
                let contents = entry.links.iter().filter(|link| link.names("contents")).filter_map(href);
                contents.for_each(|uri| self.add(uri));
            }
            _ => {}
        }
    }

    fn settle(&mut self, _: bool, _: &dyn Fn(&Span) -> Cut) {}

    fn is_resource_sync(&self) -> bool {
        true
    }

    fn finish(self: Box<Self>) -> DocumentSummary {
        DocumentSummary { linked_files: self.names, ..DocumentSummary::default() }
    }
}
