//! In what two versions of a resource differ.

use alloc::{string::String, vec::Vec};

use crate::{
    model::{Attributes, Entry, Field, Kind, Link, Name},
    named_enum,
    value::Datetime,
};

named_enum! {
    /// In what two entries of a resource differ.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Aspect {
        /// A digest of the same algorithm.
        Digest = "digest",
        /// The length, or only one of them states it.
        Length = "length",
        /// The time of the last change.
        Lastmod = "lastmod",
        /// The media type.
        Type = "type",
        /// The content coding.
        Encoding = "encoding",
        /// The links.
        Links = "links",
    }
}

named_enum! {
    /// Why the resources of two documents cannot be compared.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Incomparable {
        /// One of them lists something other than resources and their state: changes, packages or documents.
        NoResources = "no-resources",
        /// They are of different kinds.
        Kinds = "kinds",
    }
}

/// Why the resources that documents of these kinds list cannot be compared. `None` if they can.
pub fn incomparable(old: Kind, new: Kind) -> Option<Incomparable> {
    let lists_resources = |kind| matches!(kind, Kind::ResourceList | Kind::ResourceDumpManifest | Kind::Sitemap);
    if !lists_resources(old) || !lists_resources(new) {
        return Some(Incomparable::NoResources);
    }
    (old != new).then_some(Incomparable::Kinds)
}

/// In what two entries of a resource differ; nothing if they describe the same version of it.
///
/// Type, content coding and links must be equal, and also the length if both state it. Digests must be equal for every common algorithm;
/// without a common algorithm `lastmod` must be equal, and both or neither must state a length. `lastmod` alone makes no difference
/// where a digest is the same, since it is that of the same bytes.
pub fn aspects(old: &Entry, new: &Entry) -> Vec<Aspect> {
    let none = Attributes::default();
    let (a, b) = (attributes(old).unwrap_or(&none), attributes(new).unwrap_or(&none));
    let mut found = Vec::new();
    let hashes = (a.hash().map(Field::readable), b.hash().map(Field::readable));
    let mut common = false;
    if let (Some(first), Some(second)) = hashes {
        for hash in first.iter() {
            let Some(other) = second.get(&hash.algorithm) else { continue };
            common = true;
            if *hash.digest != *other {
                found.push(Aspect::Digest);
                break;
            }
        }
    }
    let length = |attributes: &Attributes| attributes.length().and_then(|field| field.value()).copied();
    let lengths = (length(a), length(b));
    let is_longer = matches!(lengths, (Some(a), Some(b)) if a != b);
    if is_longer || !common && lengths.0 != lengths.1 {
        found.push(Aspect::Length);
    }
    for (name, aspect) in [(Name::Type, Aspect::Type), (Name::Encoding, Aspect::Encoding)] {
        if text(a, name) != text(b, name) {
            found.push(aspect);
        }
    }
    let is_linked =
        old.links.len() == new.links.len() && old.links.iter().zip(&new.links).all(|(a, b)| is_same_link(a, b));
    if !is_linked {
        found.push(Aspect::Links);
    }
    let lastmod = |entry: &Entry| entry.lastmod.first().and_then(|child| child.field.value()).map(Datetime::start);
    if (!common || !found.is_empty()) && lastmod(old) != lastmod(new) {
        found.push(Aspect::Lastmod);
    }
    found
}

/// True if two entries describe the same version of a resource: they differ in no [aspect](aspects).
pub fn is_same_version(old: &Entry, new: &Entry) -> bool {
    aspects(old, new).is_empty()
}

fn is_same_link(old: &Link, new: &Link) -> bool {
    Name::ALL.iter().all(|name| text(&old.attributes, *name) == text(&new.attributes, *name))
}

fn text(attributes: &Attributes, name: Name) -> Option<String> {
    attributes.get(name).map(|found| found.text().into_owned())
}

pub(super) fn attributes(entry: &Entry) -> Option<&Attributes> {
    entry.first_md().map(|md| &md.attributes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::build::Resource;

    fn entry() -> Resource {
        Resource::new("http://example.com/1".parse().unwrap())
    }

    #[test]
    fn an_update_says_in_what_the_versions_differ() {
        let time = |text: &str| text.parse::<Datetime>().unwrap();
        let old: Entry = entry().length(5).lastmod(time("2024-01-01")).into();
        let new: Entry = entry().length(6).lastmod(time("2024-02-01")).into();
        assert_eq!(aspects(&old, &new), [Aspect::Length, Aspect::Lastmod]);
        assert_eq!(aspects(&old, &entry().length(5).lastmod(time("2024-02-01")).into()), [Aspect::Lastmod]);
        assert_eq!(aspects(&old, &old), []);
        assert_eq!(aspects(&old, &entry().lastmod(time("2024-01-01")).into()), [Aspect::Length]);
    }

    #[test]
    fn only_documents_of_one_kind_that_list_resources_can_be_compared() {
        assert_eq!(incomparable(Kind::ResourceList, Kind::ResourceList), None);
        assert_eq!(incomparable(Kind::ResourceList, Kind::Sitemap), Some(Incomparable::Kinds));
        assert_eq!(incomparable(Kind::ChangeList, Kind::ChangeList), Some(Incomparable::NoResources));
    }
}
