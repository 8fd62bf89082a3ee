//! The attributes of `rs:md` and `rs:ln`, in the order written.

use alloc::{borrow::Cow, boxed::Box, string::String, vec::Vec};
use core::ops::Range;

use super::{AnyField, Field};
use crate::{
    model::RESOURCESYNC,
    span::Span,
    value::{BitstreamPath, Capability, Change, Coding, Datetime, Hashes, Length, MediaType, Pri, Relation, Uri},
};

/// The single list of attributes, from which names, values and accessors are generated.
macro_rules! attributes {
    ($($(#[$doc:meta])* $name:ident = $text:literal: $type:ty, $accessor:ident;)*) => {
        /// The attributes ResourceSync defines (Z39.99-2017 §7, Table 3).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Name { $($(#[$doc])* $name),* }

        impl Name {
            /// All of them, in alphabetical order.
            pub const ALL: &'static [Name] = &[$(Name::$name),*];

            /// As written in a document.
            pub fn as_str(self) -> &'static str {
                match self { $(Name::$name => $text),* }
            }

            /// The attribute of this name.
            pub fn find(text: &str) -> Option<Name> {
                match text { $($text => Some(Name::$name),)* _ => None }
            }
        }

        /// The value of an attribute, typed by its name.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum AttributeValue {
            $($(#[$doc])* $name(Field<$type>),)*
            /// An attribute that ResourceSync does not define.
            Other(Box<ForeignAttribute>),
        }

        impl AttributeValue {
            #[inline(always)] // as `Field::read`
            pub(crate) fn read(name: Name, text: &str, span: Span) -> AttributeValue {
                match name { $(Name::$name => AttributeValue::$name(Field::read(text, span))),* }
            }

            /// Its position, mutably.
            #[inline]
            pub(crate) fn span_mut(&mut self) -> &mut Span {
                match self {
                    $(AttributeValue::$name(field) => field.span_mut(),)*
                    AttributeValue::Other(other) => &mut other.span,
                }
            }

            /// The name, if ResourceSync defines it.
            pub fn name(&self) -> Option<Name> {
                match self { $(AttributeValue::$name(_) => Some(Name::$name),)* AttributeValue::Other(_) => None }
            }

            /// The value of any type; `None` for attributes that ResourceSync does not define.
            pub fn field(&self) -> Option<&dyn AnyField> {
                match self { $(AttributeValue::$name(field) => Some(field),)* AttributeValue::Other(_) => None }
            }
        }

        impl Attributes {
            $($(#[$doc])* pub fn $accessor(&self) -> Option<&Field<$type>> {
                match &self.get(Name::$name)?.value {
                    AttributeValue::$name(field) => Some(field),
                    _ => None,
                }
            })*
        }
    };
}

attributes! {
    /// When the snapshot was started.
    At = "at": Datetime, at;
    /// The kind of this document, or of the linked one.
    Capability = "capability": Capability, capability;
    /// The type of change.
    Change = "change": Change, change;
    /// When the snapshot was finished.
    Completed = "completed": Datetime, completed;
    /// When the change happened.
    Datetime = "datetime": Datetime, datetime;
    /// Content codings, as in `Content-Encoding`.
    Encoding = "encoding": Coding, encoding;
    /// The beginning of the interval whose changes are listed.
    From = "from": Datetime, from;
    /// Digests of the bitstream.
    Hash = "hash": Hashes, hash;
    /// The target of a link.
    Href = "href": Uri, href;
    /// Length of the bitstream in bytes.
    Length = "length": Length, length;
    /// When the linked resource was last modified.
    Modified = "modified": Datetime, modified;
    /// Path of the bitstream in the package.
    Path = "path": BitstreamPath, path;
    /// The priority of a link; lower is better.
    Pri = "pri": Pri, pri;
    /// The relation of a link.
    Rel = "rel": Relation, rel;
    /// Media type of the bitstream.
    Type = "type": MediaType, media_type;
    /// The end of the interval whose changes are listed.
    Until = "until": Datetime, until;
}

/// One attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// The value.
    pub value: AttributeValue,
    /// The prefix it was written with, where there should be none (NS-01).
    pub prefix: Option<Box<str>>,
    /// From the first byte of the name to the closing quote.
    pub whole: Span,
    /// The layout of a `hash` with references, line breaks or repeated spaces, to locate its parts.
    pub(crate) layout: Layout,
}

/// A value as written in the source, and with normalized white space; empty if both equal the value.
///
/// Any two layouts compare equal, like spans.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layout(Option<Box<Laid>>);

#[derive(Debug, Clone)]
struct Laid {
    source: Box<str>,
    text: Box<str>,
}

impl Layout {
    pub(crate) fn new(source: &str, text: &str) -> Layout {
        Layout(Some(Box::new(Laid { source: source.into(), text: text.into() })))
    }
}

impl PartialEq for Layout {
    fn eq(&self, _: &Layout) -> bool {
        true
    }
}

impl Eq for Layout {}

impl Attribute {
    /// An attribute without a source.
    pub fn new(value: AttributeValue) -> Attribute {
        let prefix = match &value {
            AttributeValue::Other(other) if !other.prefix.is_empty() => Some(other.prefix.clone()),
            _ => None,
        };
        Attribute { value, prefix, whole: Span::default(), layout: Layout::default() }
    }

    /// The local name.
    pub fn local(&self) -> &str {
        match &self.value {
            AttributeValue::Other(other) => &other.local,
            known => known.name().map_or("", Name::as_str),
        }
    }

    /// The name in paths: with the prefix `rs:` in the ResourceSync namespace, whatever the prefix in the document.
    pub(crate) fn name_in_paths(&self) -> String {
        let Some(prefix) = &self.prefix else { return self.local().into() };
        let ours = !matches!(&self.value, AttributeValue::Other(other) if *other.namespace != *RESOURCESYNC);
        alloc::format!("{}:{}", if ours { "rs" } else { prefix }, self.local())
    }

    /// The text as written, except for harmless differences.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.value {
            AttributeValue::Other(other) => Cow::Borrowed(&other.text),
            known => known.field().map_or(Cow::Borrowed(""), AnyField::text),
        }
    }

    /// The text exactly as written if its layout was kept; otherwise as `text`.
    pub(crate) fn laid_out(&self) -> Cow<'_, str> {
        self.layout.0.as_ref().map_or_else(|| self.text(), |laid| Cow::Borrowed(&laid.text))
    }

    /// The position of the part `range` of `laid_out`.
    pub(crate) fn part(&self, range: Range<usize>) -> Span {
        match &self.layout.0 {
            Some(laid) => self.span().part(&laid.source, laid.place(range.start)..laid.place(range.end)),
            None => self.span().part(&self.text(), range),
        }
    }

    /// The position of the value, without the quotes.
    pub fn span(&self) -> Span {
        match &self.value {
            AttributeValue::Other(other) => other.span,
            known => known.field().map_or(self.whole, AnyField::span),
        }
    }
}

impl Laid {
    /// The length in the source of the first `to` bytes of the text.
    fn place(&self, to: usize) -> usize {
        let mut at = 0_usize;
        for _ in self.text.get(..to).unwrap_or(&self.text).chars() {
            let rest = self.source.get(at..).unwrap_or("");
            let taken = match rest.chars().next() {
                Some('&') => rest.find(';').map_or(rest.len(), |end| end.saturating_add(1)),
                _ if rest.starts_with("\r\n") => 2,
                character => character.map_or(0, char::len_utf8),
            };
            at = at.saturating_add(taken);
        }
        at
    }
}

/// An attribute that ResourceSync does not define.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignAttribute {
    /// The prefix as written; empty if there is none.
    pub prefix: Box<str>,
    /// The name after the prefix.
    pub local: Box<str>,
    /// The namespace name; empty if there is none.
    pub namespace: Box<str>,
    /// The value.
    pub text: Box<str>,
    /// The position of the value.
    pub span: Span,
}

/// The attributes of one element.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Attributes {
    list: Vec<Attribute>,
    /// For each name the index in `list` of its first attribute, plus one; 0 if absent. Some fifty rules look up the same
    /// few attributes of each element: a linear search took an eighth of validation.
    first: [u32; Name::ALL.len()],
}

impl Attributes {
    /// In the order written.
    pub fn iter(&self) -> core::slice::Iter<'_, Attribute> {
        self.list.iter()
    }

    /// The attribute at a position, mutably; its name must not be changed.
    pub(crate) fn at_mut(&mut self, index: usize) -> Option<&mut Attribute> {
        self.list.get_mut(index)
    }

    /// In the order written, mutably; names must not be changed.
    pub(crate) fn iter_mut(&mut self) -> core::slice::IterMut<'_, Attribute> {
        self.list.iter_mut()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The first attribute of this name.
    #[inline]
    pub fn get(&self, name: Name) -> Option<&Attribute> {
        let place = *self.first.get(name as usize)?;
        self.list.get((place as usize).checked_sub(1)?)
    }

    /// Adds one at the end.
    pub fn push(&mut self, attribute: Attribute) {
        let name = attribute.value.name();
        self.list.push(attribute);
        if let Some(first @ 0) = name.and_then(|name| self.first.get_mut(name as usize)) {
            *first = u32::try_from(self.list.len()).unwrap_or_default();
        }
    }

    /// Adds an attribute of this name, constructed in place: `push` would copy it.
    #[inline(always)] // otherwise it is not constructed in place
    pub(crate) fn make(&mut self, name: Name, attribute: impl FnOnce() -> Attribute) {
        self.list.extend(core::iter::once_with(attribute));
        if let Some(first @ 0) = self.first.get_mut(name as usize) {
            *first = u32::try_from(self.list.len()).unwrap_or_default();
        }
    }

    /// An empty list in the memory of another.
    pub(crate) fn reusing(list: Vec<Attribute>) -> Attributes {
        Attributes { list, first: Default::default() }
    }

    /// Its memory, emptied.
    pub(crate) fn emptied(self) -> Vec<Attribute> {
        let mut list = self.list;
        list.clear();
        list
    }

    /// Sets a value of the standard, replacing one of the same name.
    pub fn set(&mut self, value: AttributeValue) {
        let place = value.name().and_then(|name| self.first.get(name as usize)).copied().unwrap_or_default();
        match (place as usize).checked_sub(1).and_then(|place| self.list.get_mut(place)) {
            Some(attribute) => {
                attribute.value = value;
                attribute.layout = Layout::default();
            }
            None => self.push(Attribute::new(value)),
        }
    }
}

impl<'a> IntoIterator for &'a Attributes {
    type Item = &'a Attribute;
    type IntoIter = core::slice::Iter<'a, Attribute>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}
