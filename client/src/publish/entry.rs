//! Resources and changes as entries of documents.

use resourcesync::{
    api::plain,
    build::is_same_version,
    model::{Entry, Shape},
};

use super::{change::Change, record::Record};

/// The entry of a resource in a Resource List.
pub(crate) fn resource(record: &Record) -> Entry {
    plain_resource(record).to_model(Shape::UrlSet)
}

/// The entry of a change in a Change List.
pub(crate) fn change(change: &Change) -> Entry {
    plain_change(change).to_model(Shape::UrlSet)
}

/// A resource as a plain value.
pub(crate) fn plain_resource(record: &Record) -> plain::Entry {
    plain::Entry {
        uri: record.uri.clone(),
        lastmod: record.lastmod.clone(),
        hashes: record.hashes.clone(),
        length: record.length,
        media_type: record.media_type.clone(),
        encoding: record.encoding.clone(),
        changefreq: record.changefreq.clone(),
        priority: record.priority.clone(),
        elements: record.elements.clone(),
        links: record.links.clone(),
        ..plain::Entry::default()
    }
}

/// A change as a plain value. A deletion has no metadata of the bitstream.
pub fn plain_change(change: &Change) -> plain::Entry {
    let (verb, datetime) = (Some(change.change.clone()), Some(change.datetime.clone()));
    let said = match change.change.as_str() {
        "deleted" => plain::Entry { uri: change.record.uri.clone(), ..plain::Entry::default() },
        _ => plain_resource(&change.record),
    };
    plain::Entry { change: verb, datetime, ..said }
}

impl Record {
    /// True if a harvester must fetch the resource or its description again.
    pub fn differs(&self, other: &Record) -> bool {
        // Most resources are equal in every field, which is a cheap test.
        let is_alike = self.lastmod == other.lastmod
            && self.length == other.length
            && self.hashes == other.hashes
            && self.media_type == other.media_type
            && self.encoding == other.encoding
            && self.links == other.links;
        !is_alike && !is_same_version(&resource(other), &resource(self))
    }
}
