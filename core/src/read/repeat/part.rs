//! The part of an entry that a piece describes, and writing values into it.

use super::slot::{Found, Slot};
use crate::{
    model::{AnyField, AttributeValue, Attributes, Child, Entry, EntryElement, Field, Link, Md},
    span::Span,
    value::{Changefreq, Datetime, Length, MediaType, SitemapPriority, Uri, Value},
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

/// The parts of an entry, each list in its order.
pub(super) struct Lists<'e> {
    span: &'e mut Span,
    loc: core::slice::IterMut<'e, Child<Uri>>,
    lastmod: core::slice::IterMut<'e, Child<Datetime>>,
    changefreq: core::slice::IterMut<'e, Child<Changefreq>>,
    priority: core::slice::IterMut<'e, Child<SitemapPriority>>,
    md: core::slice::IterMut<'e, Md>,
    links: core::slice::IterMut<'e, Link>,
}

impl<'e> Lists<'e> {
    pub(super) fn of(entry: &'e mut Entry) -> Lists<'e> {
        Lists {
            span: &mut entry.span,
            loc: entry.loc.iter_mut(),
            lastmod: entry.lastmod.iter_mut(),
            changefreq: entry.changefreq.iter_mut(),
            priority: entry.priority.iter_mut(),
            md: entry.md.iter_mut(),
            links: entry.links.iter_mut(),
        }
    }

    /// The next part of the same kind.
    #[inline]
    pub(super) fn next(&mut self, like: &Part) -> Own<'_> {
        let part = match like {
            Part::Open(_) => Some(Own::Open(self.span)),
            Part::Loc(_) => self.loc.next().map(Own::Loc),
            Part::Lastmod(_) => self.lastmod.next().map(Own::Lastmod),
            Part::Changefreq(_) => self.changefreq.next().map(Own::Changefreq),
            Part::Priority(_) => self.priority.next().map(Own::Priority),
            Part::Md(_) => self.md.next().map(|md| Own::Element(&mut md.attributes, &mut md.span)),
            Part::Link(_) => self.links.next().map(|link| Own::Element(&mut link.attributes, &mut link.span)),
            Part::Close => None,
        };
        part.unwrap_or(Own::Nothing)
    }
}

/// A part in its entry.
pub(super) enum Own<'e> {
    Open(&'e mut Span),
    Loc(&'e mut Child<Uri>),
    Lastmod(&'e mut Child<Datetime>),
    Changefreq(&'e mut Child<Changefreq>),
    Priority(&'e mut Child<SitemapPriority>),
    Element(&'e mut Attributes, &'e mut Span),
    Nothing,
}

impl Own<'_> {
    /// Overwrites a value; its position is set later.
    #[inline]
    pub(super) fn set(&mut self, attribute: u8, slot: Slot, written: &str, found: Found) {
        match self {
            Own::Element(attributes, _) => {
                if let Some(attribute) = attributes.at_mut(attribute.into()) {
                    set_attribute(&mut attribute.value, slot, written, found);
                }
            }
            Own::Loc(child) => set_uri(&mut child.field, written, found),
            Own::Lastmod(child) => set_time(&mut child.field, written, found),
            Own::Open(_) | Own::Changefreq(_) | Own::Priority(_) | Own::Nothing => {}
        }
    }

    /// Moves it to these positions: its start tag, and each attribute with its value, or its text.
    #[inline]
    pub(super) fn move_to(self, tag: Span, mut values: impl Iterator<Item = (Span, Span)>) {
        match self {
            Own::Open(span) => *span = tag,
            Own::Loc(child) => move_child(child, tag, values),
            Own::Lastmod(child) => move_child(child, tag, values),
            Own::Changefreq(child) => move_child(child, tag, values),
            Own::Priority(child) => move_child(child, tag, values),
            Own::Element(attributes, span) => {
                *span = tag;
                for attribute in attributes.iter_mut() {
                    let (whole, value) = values.next().unwrap_or_default();
                    attribute.whole = whole;
                    attribute.value.move_to(value);
                }
            }
            Own::Nothing => {}
        }
    }
}

fn move_child<T: Value>(child: &mut Child<T>, tag: Span, mut values: impl Iterator<Item = (Span, Span)>) {
    child.span = tag;
    child.field.move_to(values.next().unwrap_or_default().1);
}

#[inline]
fn set_attribute(value: &mut AttributeValue, slot: Slot, written: &str, found: Found) {
    match value {
        AttributeValue::Href(field) => set_uri(field, written, found),
        AttributeValue::At(field)
        | AttributeValue::Completed(field)
        | AttributeValue::Datetime(field)
        | AttributeValue::From(field)
        | AttributeValue::Modified(field)
        | AttributeValue::Until(field) => set_time(field, written, found),
        AttributeValue::Hash(field) => {
            if let (Slot::Digest(_, number), Some(hashes)) = (slot, field.exact_mut()) {
                hashes.overwrite(number.into(), written);
            }
        }
        AttributeValue::Length(field) => match found {
            Found::Length(length) => *field.exact_mut() = Some(Length(length)),
            _ => *field = read(written),
        },
        AttributeValue::Type(field) => match found {
            Found::Type(number) => *field.exact_mut() = MediaType::numbered(number.into()),
            _ => *field = read(written),
        },
        AttributeValue::Path(field) => *field = read(written),
        // These are literal.
        AttributeValue::Capability(_)
        | AttributeValue::Change(_)
        | AttributeValue::Encoding(_)
        | AttributeValue::Pri(_)
        | AttributeValue::Rel(_)
        | AttributeValue::Other(_) => {}
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

#[inline]
fn set_uri(field: &mut Field<Uri>, written: &str, found: Found) {
    match found {
        Found::Uri(escaped) => Uri::replace(field.exact_mut(), written, escaped),
        _ => *field = read(written),
    }
}

#[inline]
fn set_time(field: &mut Field<Datetime>, written: &str, found: Found) {
    match found {
        Found::Time(seconds) => *field.exact_mut() = Some(Datetime::second(seconds)),
        _ => *field = read(written),
    }
}

/// A value that is not usual.
#[cold]
fn read<T: Value>(written: &str) -> Field<T> {
    Field::read(written, Span::default())
}
