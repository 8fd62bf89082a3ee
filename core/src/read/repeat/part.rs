//! The part of an entry that a piece describes.

use super::slot::Slot;
use crate::{
    model::{AnyField, AttributeValue, Child, Entry, EntryElement, Link, Md},
    span::Span,
    value::{Changefreq, Datetime, SitemapPriority, Uri},
};

/// The part of an entry that a piece describes.
#[derive(Debug, Clone)]
pub(super) enum Part {
    /// The start tag.
    Open(EntryElement),
    Loc(Child<Uri>),
    Lastmod(Child<Datetime>),
    Changefreq(Child<Changefreq>),
    Priority(Child<SitemapPriority>),
    Md(Md),
    Link(Link),
    /// The end tag.
    Close,
}

impl Part {
    /// Adds the part to an entry.
    pub(super) fn join(self, entry: &mut Entry) {
        match self {
            Part::Open(element) => entry.element = element,
            Part::Loc(child) => entry.loc.push(child),
            Part::Lastmod(child) => entry.lastmod.push(child),
            Part::Changefreq(child) => entry.changefreq.push(child),
            Part::Priority(child) => entry.priority.push(child),
            Part::Md(md) => entry.md.push(md),
            Part::Link(link) => entry.links.push(link),
            Part::Close => {}
        }
    }

    /// The position of its text, if it is an element that holds one.
    pub(super) fn text_span(&self) -> Span {
        match self {
            Part::Loc(child) => child.field.span(),
            Part::Lastmod(child) => child.field.span(),
            Part::Changefreq(child) => child.field.span(),
            Part::Priority(child) => child.field.span(),
            Part::Open(_) | Part::Md(_) | Part::Link(_) | Part::Close => Span::default(),
        }
    }

    /// Removes the value of a slot, which each entry has another of.
    pub(super) fn empty(&mut self, attribute: u8, slot: Slot) {
        match self {
            _ if slot == Slot::End => {}
            Part::Md(Md { attributes, .. }) | Part::Link(Link { attributes, .. }) => {
                if let Some(attribute) = attributes.at_mut(attribute.into()) {
                    empty_attribute(&mut attribute.value, slot);
                }
            }
            Part::Loc(child) => *child.field.exact_mut() = None,
            Part::Lastmod(child) => *child.field.exact_mut() = None,
            Part::Open(_) | Part::Changefreq(_) | Part::Priority(_) | Part::Close => {}
        }
    }
}

fn empty_attribute(value: &mut AttributeValue, slot: Slot) {
    match value {
        AttributeValue::Href(field) => *field.exact_mut() = None,
        AttributeValue::At(field)
        | AttributeValue::Completed(field)
        | AttributeValue::Datetime(field)
        | AttributeValue::From(field)
        | AttributeValue::Modified(field)
        | AttributeValue::Until(field) => *field.exact_mut() = None,
        AttributeValue::Hash(field) => {
            if let (Slot::Digest(_, number), Some(hashes)) = (slot, field.exact_mut()) {
                hashes.zero(number.into());
            }
        }
        AttributeValue::Length(field) => *field.exact_mut() = None,
        AttributeValue::Type(field) => *field.exact_mut() = None,
        AttributeValue::Path(field) => *field.exact_mut() = None,
        // These are literal.
        AttributeValue::Capability(_)
        | AttributeValue::Change(_)
        | AttributeValue::Encoding(_)
        | AttributeValue::Pri(_)
        | AttributeValue::Rel(_)
        | AttributeValue::Other(_) => {}
    }
}
