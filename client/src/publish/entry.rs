//! Resources and changes as entries of documents.

use resourcesync::{
    api::plain,
    model::{Entry, Shape},
};

use super::{change::Change, record::Record};

/// A resource as a Resource List has it.
pub(crate) fn resource(record: &Record) -> Entry {
    plain_resource(record).to_model(Shape::UrlSet)
}

/// A change as a Change List has it.
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

/// A change as a plain value. Of what was deleted nothing is said: there is no bitstream any more.
pub fn plain_change(change: &Change) -> plain::Entry {
    let (verb, datetime) = (Some(change.change.clone()), Some(change.datetime.clone()));
    let said = match change.change.as_str() {
        "deleted" => plain::Entry { uri: change.record.uri.clone(), ..plain::Entry::default() },
        _ => plain_resource(&change.record),
    };
    plain::Entry { change: verb, datetime, ..said }
}
