//! From the open model to plain values.

use alloc::{
    borrow::Cow,
    string::{String, ToString},
    vec::Vec,
};

use super::{Attribute, Digests, Document, Entry, Head, Link};
use crate::{
    model::{self, AnyField, AttributeValue, Attributes, Child, Field, Name},
    value,
};

/// Names of attributes.
#[derive(Clone, Copy)]
pub(super) struct Names(u32);

impl Names {
    const fn of(mut names: &[Name]) -> Names {
        let mut all = 0;
        while let [name, rest @ ..] = names {
            all |= 1_u32.wrapping_shl(*name as u32);
            names = rest;
        }
        Names(all)
    }

    fn have(self, name: Name) -> bool {
        self.0 & 1_u32.wrapping_shl(name as u32) != 0
    }
}

/// The attributes that have a field in an entry.
pub(super) const OF_ENTRY: Names = Names::of(&[
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
]);
const OF_HEAD: Names = Names::of(&[Name::At, Name::Capability, Name::Completed, Name::From, Name::Until]);
pub(super) const OF_LINK: Names = Names::of(&[
    Name::Encoding,
    Name::Hash,
    Name::Href,
    Name::Length,
    Name::Modified,
    Name::Path,
    Name::Pri,
    Name::Rel,
    Name::Type,
]);

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
            attributes: others(own, OF_HEAD).map(attribute).collect(),
            elements: elements(&head.others).map(String::from).collect(),
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
            attributes: others(own, OF_ENTRY).map(attribute).collect(),
            elements: elements(&entry.others).map(String::from).collect(),
        }
    }
}

impl From<&model::Link> for Link {
    fn from(link: &model::Link) -> Link {
        let own = &link.attributes;
        Link {
            rel: own.rel().map(text),
            href: own.href().map(text),
            pri: pri(own),
            modified: own.modified().map(text),
            hashes: hashes(own),
            length: length(own),
            media_type: own.media_type().map(text),
            encoding: own.encoding().map(text),
            path: own.path().map(text),
            attributes: others(own, OF_LINK).map(attribute).collect(),
        }
    }
}

/// The canonical spelling if the value is understood, otherwise the text as written.
pub(super) fn spelled<T: value::Value>(field: &Field<T>) -> Cow<'_, str> {
    field.value().map_or_else(|| field.text(), T::spelling)
}

fn text<T: value::Value>(field: &Field<T>) -> String {
    spelled(field).into_owned()
}

fn first<T: value::Value>(children: &[Child<T>]) -> Option<String> {
    children.first().map(|child| text(&child.field))
}

pub(super) fn length(attributes: &Attributes) -> Option<u64> {
    attributes.length().and_then(|length| length.value()).map(|length| length.0)
}

pub(super) fn pri(attributes: &Attributes) -> Option<u32> {
    attributes.pri().and_then(|pri| pri.value()).map(|pri| pri.get())
}

pub(super) fn hashes(attributes: &Attributes) -> Digests {
    let Some(field) = attributes.hash() else { return Digests::default() };
    if let Some(hashes) = field.value() {
        return hashes.iter().map(|hash| (hash.algorithm.as_str(), value::to_hex(&hash.digest))).collect();
    }
    value::Hashes::items(&field.text()).map(|item| (item.algorithm_text, item.digest_text)).collect()
}

/// The attributes without a field, and numbers that could not be parsed.
pub(super) fn others(attributes: &Attributes, own: Names) -> impl Iterator<Item = &model::Attribute> {
    attributes.iter().filter(move |found| match &found.value {
        AttributeValue::Length(length) => !own.have(Name::Length) || length.value().is_none(),
        AttributeValue::Pri(pri) => !own.have(Name::Pri) || pri.value().is_none(),
        value => value.name().is_none_or(|name| !own.have(name)),
    })
}

fn attribute(attribute: &model::Attribute) -> Attribute {
    Attribute {
        name: attribute.local().to_string(),
        namespace: namespace(attribute).to_string(),
        prefix: attribute.prefix.as_deref().unwrap_or_default().to_string(),
        value: attribute.text().into_owned(),
    }
}

/// The namespace name of an attribute; empty if there is none.
pub(super) fn namespace(attribute: &model::Attribute) -> &str {
    match &attribute.value {
        AttributeValue::Other(other) => &other.namespace,
        _ => "",
    }
}

pub(super) fn elements(others: &[model::Element]) -> impl Iterator<Item = &str> {
    others.iter().filter_map(|element| element.xml.as_deref())
}
