//! The entries of each kind of document.

use alloc::vec::Vec;

use super::{
    RelatedLink,
    setters::{element, entry_aspect, set},
};
use crate::{
    model::{AttributeValue, Child, Entry, EntryElement, Field, Inside, Link},
    value::{
        BitstreamPath, Capability, Change, Changefreq, Coding, Datetime, Hashes, Length, MediaType, Relation,
        SitemapPriority, Uri,
    },
};

/// The single list of entry types and their methods.
macro_rules! entries {
    ($($(#[$doc:meta])* $name:ident [$($aspect:ident)*])*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name(Entry);

        impl $name {
            $(entry_aspect!($aspect);)*
            entry_aspect!(foreign);
        }

        impl From<$name> for Entry {
            fn from(entry: $name) -> Entry {
                entry.0
            }
        }
    )*};
}

entries! {
    /// A Capability List in a Source Description.
    CapabilityListEntry [describedby]
    /// A Source Description in its index.
    SourceDescriptionEntry [lastmod]
    /// A capability in a Capability List.
    CapabilityEntry []
    /// A resource in a Resource List.
    Resource [lastmod changefreq priority hash length media_type encoding related]
    /// A Resource List or Resource Dump in its index.
    SnapshotEntry [lastmod snapshot]
    /// A package in a Resource Dump.
    Package [lastmod snapshot hash contents]
    /// A bitstream in a Resource Dump Manifest.
    Bitstream [lastmod changefreq hash length encoding related]
    /// A change in a Change List.
    ResourceChange [datetime lastmod changefreq hash length media_type encoding related]
    /// A Change List or Change Dump in its index.
    IntervalEntry [until lastmod]
    /// A package in a Change Dump.
    ChangePackage [until lastmod hash contents]
    /// A change in a Change Dump Manifest.
    ChangedBitstream [datetime lastmod changefreq hash length encoding related]
    /// A change in a Change Notification.
    NotifiedChange [datetime lastmod hash length media_type encoding related]
    /// A change of a ResourceSync document in a Framework Notification.
    FrameworkChange [datetime index]
}

fn url(uri: Uri) -> Entry {
    Entry { loc: Vec::from([Child::new(uri)]), ..Entry::default() }
}

fn sitemap(uri: Uri) -> Entry {
    Entry { element: EntryElement::Sitemap, ..url(uri) }
}

fn with(mut entry: Entry, values: impl IntoIterator<Item = AttributeValue>) -> Entry {
    values.into_iter().for_each(|value| set(&mut entry, value));
    entry
}

fn change(uri: Uri, change: Change) -> Entry {
    with(url(uri), [AttributeValue::Change(Field::new(change))])
}

impl CapabilityListEntry {
    /// The Capability List at a URI.
    pub fn new(uri: Uri) -> Self {
        Self(with(url(uri), [AttributeValue::Capability(Field::new(Capability::CapabilityList))]))
    }
}

impl SourceDescriptionEntry {
    /// The Source Description at a URI.
    pub fn new(uri: Uri) -> Self {
        Self(sitemap(uri))
    }
}

impl CapabilityEntry {
    /// The document of a capability, or its index.
    pub fn new(capability: Capability, uri: Uri) -> Self {
        Self(with(url(uri), [AttributeValue::Capability(Field::new(capability))]))
    }

    /// A notification channel: its topic, and the hub to subscribe with.
    pub fn channel(capability: Capability, topic: Uri, hub: Uri) -> Self {
        Self::new(capability, topic).hub(hub)
    }

    /// Adds a hub to subscribe with.
    #[must_use]
    pub fn hub(mut self, hub: Uri) -> Self {
        self.0.links.push(Link::new(Relation::HUB, hub));
        self
    }
}

impl Resource {
    /// The resource of a URI.
    pub fn new(uri: Uri) -> Self {
        Self(url(uri))
    }
}

impl SnapshotEntry {
    /// The list or dump at a URI.
    pub fn new(uri: Uri) -> Self {
        Self(sitemap(uri))
    }
}

impl Package {
    /// The ZIP package at a URI, with its length in bytes.
    pub fn new(uri: Uri, length: u64) -> Self {
        let values =
            [AttributeValue::Type(Field::new(MediaType::zip())), AttributeValue::Length(Field::new(Length(length)))];
        Self(with(url(uri), values))
    }
}

impl Bitstream {
    /// The bitstream of a URI, at this path in the package.
    pub fn new(uri: Uri, path: BitstreamPath, media_type: MediaType) -> Self {
        Self(with(url(uri), [AttributeValue::Type(Field::new(media_type)), AttributeValue::Path(Field::new(path))]))
    }
}

/// A constructor for each type of change.
macro_rules! changes {
    ($($name:ident)*) => {$(
        impl $name {
            /// The resource was created.
            pub fn created(uri: Uri) -> Self {
                Self(change(uri, Change::Created))
            }

            /// The resource was modified.
            pub fn updated(uri: Uri) -> Self {
                Self(change(uri, Change::Updated))
            }

            /// The resource was deleted.
            pub fn deleted(uri: Uri) -> Self {
                Self(change(uri, Change::Deleted))
            }
        }
    )*};
}
changes!(ResourceChange NotifiedChange);

impl IntervalEntry {
    /// The list or dump at a URI, of the changes since a moment.
    pub fn new(uri: Uri, from: Datetime) -> Self {
        Self(with(sitemap(uri), [AttributeValue::From(Field::new(from))]))
    }
}

impl ChangePackage {
    /// The ZIP package at a URI, with its length in bytes and the start of its interval.
    pub fn new(uri: Uri, length: u64, from: Datetime) -> Self {
        let values = [AttributeValue::From(Field::new(from)), AttributeValue::Type(Field::new(MediaType::zip()))];
        Self(with(with(url(uri), values), [AttributeValue::Length(Field::new(Length(length)))]))
    }
}

impl ChangedBitstream {
    /// The resource was created; its bitstream is at this path in the package.
    pub fn created(uri: Uri, path: BitstreamPath, media_type: MediaType) -> Self {
        Self(with(
            change(uri, Change::Created),
            [AttributeValue::Type(Field::new(media_type)), AttributeValue::Path(Field::new(path))],
        ))
    }

    /// The resource was modified; its bitstream is at this path in the package.
    pub fn updated(uri: Uri, path: BitstreamPath, media_type: MediaType) -> Self {
        Self(with(
            change(uri, Change::Updated),
            [AttributeValue::Type(Field::new(media_type)), AttributeValue::Path(Field::new(path))],
        ))
    }

    /// The resource was deleted; nothing is packaged.
    pub fn deleted(uri: Uri) -> Self {
        Self(change(uri, Change::Deleted))
    }
}

impl FrameworkChange {
    /// A change of a document with this capability.
    pub fn new(uri: Uri, happened: Change, capability: Capability) -> Self {
        Self(with(change(uri, happened), [AttributeValue::Capability(Field::new(capability))]))
    }
}
