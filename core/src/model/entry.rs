//! An entry (`url` or `sitemap`) and its contents.

use alloc::{boxed::Box, vec::Vec};

use super::{AnyField, Attribute, AttributeValue, Attributes, Field};
use crate::{
    named_enum,
    span::Span,
    value::{Capability, Changefreq, Datetime, Relation, SitemapPriority, Uri, Value},
};

/// `rs:md`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Md {
    /// What it says.
    pub attributes: Attributes,
    /// The start tag.
    pub span: Span,
    /// The first thing inside, where there should be nothing (GEN-34).
    pub content: Option<Span>,
}

/// `rs:ln`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Link {
    /// What it says.
    pub attributes: Attributes,
    /// The start tag.
    pub span: Span,
    /// The first thing inside, where there should be nothing (GEN-34).
    pub content: Option<Span>,
}

impl Link {
    /// A link with this relation and target.
    pub fn new(relation: Relation, href: Uri) -> Link {
        let mut link = Link::default();
        link.attributes.set(AttributeValue::Rel(Field::new(relation)));
        link.attributes.set(AttributeValue::Href(Field::new(href)));
        link
    }

    /// True if the relation is this one, or one of several in a list (LK-04).
    pub(crate) fn names(&self, relation: &str) -> bool {
        self.attributes.rel().is_some_and(|rel| match (rel.value(), rel.malformed()) {
            (Some(value), _) => value.is(relation),
            (None, several) => several.is_some_and(|several| {
                several.split_ascii_whitespace().any(|name| name.eq_ignore_ascii_case(relation))
            }),
        })
    }
}

/// An element that holds one value as text, such as `loc`.
///
/// A comment inside does not take part in equality: it is not part of the value.
#[derive(Debug, Clone, Eq)]
pub struct Child<T> {
    /// The text, trimmed.
    pub field: Field<T>,
    /// The start tag.
    pub span: Span,
    /// A comment or processing instruction inside the text.
    pub aside: Option<Span>,
    /// The text exceeded the limit; only its beginning was kept.
    pub cut: bool,
}

impl<T: Value> Child<T> {
    /// A value without a source.
    pub fn new(value: T) -> Child<T> {
        Child { field: Field::new(value), span: Span::default(), aside: None, cut: false }
    }
}

impl<T: PartialEq> PartialEq for Child<T> {
    fn eq(&self, other: &Child<T>) -> bool {
        self.field == other.field && self.cut == other.cut
    }
}

/// The vocabulary of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    /// The Sitemap protocol.
    Sitemap,
    /// ResourceSync.
    ResourceSync,
    /// Any other, or none.
    Foreign,
}

/// The position of an element that the standard does not define there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inside {
    /// Below the root.
    Root,
    /// Below an entry.
    Entry,
    /// Inside an element that holds text, such as `loc`.
    Text(&'static str),
}

/// An element or text at a position for which the standard does not define it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// Its vocabulary.
    pub space: Space,
    /// The prefix as written; empty if there is none.
    pub prefix: Box<str>,
    /// The name after the prefix; `#text` for text.
    pub local: Box<str>,
    /// The namespace name; empty if there is none.
    pub namespace: Box<str>,
    /// Its position.
    pub inside: Inside,
    /// The start tag.
    pub span: Span,
    /// The element as self-contained XML; `None` where it was not kept.
    pub xml: Option<Box<str>>,
}

named_enum! {
    /// The type of entry element.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum EntryElement {
        /// Of a `urlset`.
        #[default]
        Url = "url",
        /// Of a `sitemapindex`.
        Sitemap = "sitemap",
    }
}

/// One entry. Elements that must not repeat are lists, too, because a document may contain anything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entry {
    /// `url` or `sitemap`, as written.
    pub element: EntryElement,
    /// Its number in the document, from 1.
    pub number: u64,
    /// The start tag.
    pub span: Span,
    /// Attributes of the entry element itself; the standard has none (GEN-12).
    pub attributes: Vec<Attribute>,
    /// `loc`.
    pub loc: Vec<Child<Uri>>,
    /// `lastmod`.
    pub lastmod: Vec<Child<Datetime>>,
    /// `changefreq`.
    pub changefreq: Vec<Child<Changefreq>>,
    /// `priority` of the Sitemap protocol.
    pub priority: Vec<Child<SitemapPriority>>,
    /// `rs:md`.
    pub md: Vec<Md>,
    /// `rs:ln`.
    pub links: Vec<Link>,
    /// Everything else.
    pub others: Vec<Element>,
}

impl Entry {
    /// The first `loc`, if it is a URI or could be interpreted as one.
    pub fn uri(&self) -> Option<&Uri> {
        self.loc.first().and_then(|loc| loc.field.value())
    }

    /// True for the entry of a notification channel in a Capability List: its `loc` is a topic.
    pub fn is_channel(&self) -> bool {
        let capability = self.first_md().and_then(|md| md.attributes.capability()).and_then(|field| field.value());
        matches!(capability, Some(Capability::ChangeNotification | Capability::FrameworkNotification))
    }

    /// The first `rs:md`.
    pub fn first_md(&self) -> Option<&Md> {
        self.md.first()
    }

    /// Empties the entry for the next one, keeping its memory.
    pub(crate) fn clear(&mut self) {
        // Destructured so that a new field cannot be forgotten.
        let Entry { element, number, span, attributes, loc, lastmod, changefreq, priority, md, links, others } = self;
        *element = EntryElement::Url;
        *number = 0;
        *span = Span::default();
        attributes.clear();
        loc.clear();
        lastmod.clear();
        changefreq.clear();
        priority.clear();
        md.clear();
        links.clear();
        others.clear();
    }
}
