//! From the open model to plain values.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use super::{Attribute, Digests, Document, Entry, Head, Link};
use crate::{
    model::{self, AnyField, AttributeValue, Attributes, Child, Field, Name},
    value,
};

/// The attributes that have a field in an entry.
const OF_ENTRY: &[Name] = &[
    Name::At,
    Name::Capability,
    Name::Change,
    Name::Completed,
    Name::Datetime,
    Name::Encoding,
    Name::From,
    Name::Hash,
    Name::Length,
    Name::Path,
    Name::Type,
    Name::Until,
];
const OF_HEAD: &[Name] = &[Name::At, Name::Capability, Name::Completed, Name::From, Name::Until];
const OF_LINK: &[Name] = &[
    Name::Encoding,
    Name::Hash,
    Name::Href,
    Name::Length,
    Name::Modified,
    Name::Path,
    Name::Pri,
    Name::Rel,
    Name::Type,
];

impl From<&model::Document> for Document {
    fn from(document: &model::Document) -> Document {
        let model::Document { root, head, entries } = document;
        let mut plain = Head::from(head);
        plain.root_attributes = root.attributes.iter().map(attribute).collect();
        Document { kind: document.kind(), head: plain, entries: entries.iter().map(Entry::from).collect() }
    }
}

impl From<&model::Head> for Head {
    fn from(head: &model::Head) -> Head {
        let none = Attributes::default();
        let own = head.md.first().map_or(&none, |md| &md.attributes);
        Head {
            capability: own.capability().map(text),
            at: own.at().map(text),
            completed: own.completed().map(text),
            from: own.from().map(text),
            until: own.until().map(text),
            links: head.links.iter().map(Link::from).collect(),
            attributes: others(own, OF_HEAD),
            elements: elements(&head.others),
            root_attributes: Vec::new(),
        }
    }
}

impl From<&model::Entry> for Entry {
    fn from(entry: &model::Entry) -> Entry {
        let none = Attributes::default();
        let own = entry.first_md().map_or(&none, |md| &md.attributes);
        Entry {
            uri: entry.loc.first().map(|loc| text(&loc.field)).unwrap_or_default(),
            lastmod: first(&entry.lastmod),
            changefreq: first(&entry.changefreq),
            priority: first(&entry.priority),
            change: own.change().map(text),
            datetime: own.datetime().map(text),
            capability: own.capability().map(text),
            at: own.at().map(text),
            completed: own.completed().map(text),
            from: own.from().map(text),
            until: own.until().map(text),
            hashes: hashes(own),
            length: length(own),
            media_type: own.media_type().map(text),
            encoding: own.encoding().map(text),
            path: own.path().map(text),
            links: entry.links.iter().map(Link::from).collect(),
            attributes: others(own, OF_ENTRY),
            elements: elements(&entry.others),
        }
    }
}

impl From<&model::Link> for Link {
    fn from(link: &model::Link) -> Link {
        let own = &link.attributes;
        Link {
            rel: own.rel().map(text),
            href: own.href().map(text),
            pri: own.pri().and_then(|pri| pri.value()).map(|pri| pri.get()),
            modified: own.modified().map(text),
            hashes: hashes(own),
            length: length(own),
            media_type: own.media_type().map(text),
            encoding: own.encoding().map(text),
            path: own.path().map(text),
            attributes: others(own, OF_LINK),
        }
    }
}

/// The canonical spelling if the value is understood, otherwise the text as written.
fn text<T: value::Value>(field: &Field<T>) -> String {
    field.value().map_or_else(|| field.text(), T::spelling).into_owned()
}

fn first<T: value::Value>(children: &[Child<T>]) -> Option<String> {
    children.first().map(|child| text(&child.field))
}

fn length(attributes: &Attributes) -> Option<u64> {
    attributes.length().and_then(|length| length.value()).map(|length| length.0)
}

fn hashes(attributes: &Attributes) -> Digests {
    let Some(field) = attributes.hash() else { return Digests::default() };
    if let Some(hashes) = field.value() {
        return hashes.iter().map(|hash| (hash.algorithm.as_str(), value::to_hex(&hash.digest))).collect();
    }
    value::Hashes::items(&field.text()).map(|item| (item.algorithm_text, item.digest_text)).collect()
}

/// The attributes without a field, and numbers that could not be parsed.
fn others(attributes: &Attributes, own: &[Name]) -> Vec<Attribute> {
    let has_field = |name: Name, value: &AttributeValue| match value {
        AttributeValue::Length(length) => length.value().is_some(),
        AttributeValue::Pri(pri) => pri.value().is_some(),
        _ => own.contains(&name),
    };
    let other = |found: &&model::Attribute| {
        found.value.name().is_none_or(|name| !own.contains(&name) || !has_field(name, &found.value))
    };
    attributes.iter().filter(other).map(attribute).collect()
}

fn attribute(attribute: &model::Attribute) -> Attribute {
    let namespace = match &attribute.value {
        AttributeValue::Other(other) => other.namespace.to_string(),
        _ => String::new(),
    };
    Attribute {
        name: attribute.local().to_string(),
        namespace,
        prefix: attribute.prefix.as_deref().unwrap_or_default().to_string(),
        value: attribute.text().into_owned(),
    }
}

fn elements(others: &[model::Element]) -> Vec<String> {
    others.iter().filter_map(|element| element.xml.as_deref().map(String::from)).collect()
}
