//! The events: what a document says, piece by piece.

use alloc::{borrow::Cow, string::String};

use crate::{
    span::{Place, Span},
    xml::{
        fault::Fault,
        reader::Xml,
        reference,
        ruler::Ruler,
        tag::Raw,
    },
};

/// One thing a document says. The XML declaration and white space outside the root element are no events.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A start tag, or `<x/>`; then an [`Event::End`] follows.
    Start(Start<'a>),
    /// All characters between two pieces of markup, or one CDATA section (also an empty one).
    Text {
        /// References resolved, line ends normalised.
        text: Cow<'a, str>,
        /// As written; for CDATA with its delimiters.
        span: Span,
        /// From a CDATA section.
        cdata: bool,
        /// `text` is only the first `value_bytes` of it; the rest was checked and dropped.
        cut: bool,
    },
    /// The end of the innermost open element.
    End {
        /// The end tag; for `<x/>` its `/>`.
        span: Span,
    },
    /// A comment or a processing instruction.
    Aside {
        /// The target of a processing instruction; none for a comment.
        instruction: Option<&'a str>,
        /// All of it.
        span: Span,
    },
    /// Something about the encoding that is worth knowing, and not fatal.
    Encoding(EncodingNote, Span),
    /// The end of reading.
    Fault(Fault),
}

/// What is odd about the encoding of a document that can be read all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodingNote {
    /// UTF-16 with a byte order mark; read as if it were UTF-8. The span is that of the mark.
    Utf16,
    /// The declaration names this encoding, the bytes are read as UTF-8. The span is that of the name.
    Declared(String),
}

/// A start tag.
#[derive(Debug, Clone, Copy)]
pub struct Start<'a> {
    /// What stands before the colon, else empty.
    pub prefix: &'a str,
    /// The name without prefix.
    pub local: &'a str,
    /// The namespace of the element; empty for none.
    pub namespace: &'a str,
    /// The whole tag.
    pub span: Span,
    /// The name with its prefix.
    pub name_span: Span,
    pub(super) inside: Inside<'a>,
}

impl<'a> Start<'a> {
    /// The attributes in the order of the document, without namespace declarations.
    pub fn attributes(&self) -> Attributes<'a> {
        Attributes { walk: self.inside.walk() }
    }

    /// The namespace declarations of this tag, in the order of the document.
    pub fn declarations(&self) -> Declarations<'a> {
        Declarations { walk: self.inside.walk() }
    }

    /// The namespace bound to a prefix here; the empty prefix is the default namespace.
    pub fn bound(&self, prefix: &str) -> Option<&'a str> {
        self.inside.xml.namespaces.bound(prefix)
    }
}

/// One attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute<'a> {
    /// What stands before the colon, else empty.
    pub prefix: &'a str,
    /// The name without prefix.
    pub local: &'a str,
    /// The namespace of the prefix; empty without prefix.
    pub namespace: &'a str,
    /// The value, normalised: references resolved, tabs and line ends as spaces.
    pub value: Cow<'a, str>,
    /// The value as written, without quotes.
    pub span: Span,
    /// From the name to the closing quote.
    pub whole: Span,
}

/// One namespace declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration<'a> {
    /// The prefix; empty for the default namespace.
    pub prefix: &'a str,
    /// The namespace; empty takes the default namespace away.
    pub uri: Cow<'a, str>,
    /// The namespace as written, without quotes.
    pub span: Span,
    /// From `xmlns` to the closing quote.
    pub whole: Span,
}

/// The attributes of a tag, in order.
#[derive(Debug, Clone)]
pub struct Attributes<'a> {
    walk: Walk<'a>,
}

impl<'a> Iterator for Attributes<'a> {
    type Item = Attribute<'a>;

    #[inline]
    fn next(&mut self) -> Option<Attribute<'a>> {
        let raw = self.walk.next(false)?;
        let (whole, span) = self.walk.spans(raw);
        let inside = &self.walk.inside;
        let (prefix, local) = raw.name.parts(inside.text);
        let namespace = raw.binding.map_or("", |binding| inside.xml.namespaces.uri(binding));
        Some(Attribute { prefix, local, namespace, value: inside.value(raw), span, whole })
    }
}

/// The namespace declarations of a tag, in order.
#[derive(Debug, Clone)]
pub struct Declarations<'a> {
    walk: Walk<'a>,
}

impl<'a> Iterator for Declarations<'a> {
    type Item = Declaration<'a>;

    fn next(&mut self) -> Option<Declaration<'a>> {
        let raw = self.walk.next(true)?;
        let (whole, span) = self.walk.spans(raw);
        let inside = &self.walk.inside;
        let (prefix, local) = raw.name.parts(inside.text);
        let prefix = if prefix.is_empty() { "" } else { local };
        Some(Declaration { prefix, uri: inside.value(raw), span, whole })
    }
}

/// Where the parts of a tag are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inside<'a> {
    pub(super) xml: &'a Xml,
    /// From `<` to `>`.
    pub(super) text: &'a str,
    /// All ASCII on one line: places are sums.
    pub(super) plain: bool,
}

impl<'a> Inside<'a> {
    fn walk(&self) -> Walk<'a> {
        Walk { inside: *self, rest: self.xml.tag.attributes.iter(), ruler: self.xml.begin, at: 0 }
    }

    #[inline]
    fn value(&self, raw: &Raw) -> Cow<'a, str> {
        let text = self.text.get(raw.value..raw.value_end).unwrap_or_default();
        if raw.literal { Cow::Borrowed(text) } else { Cow::Owned(reference::value(text)) }
    }
}

#[derive(Debug, Clone)]
struct Walk<'a> {
    inside: Inside<'a>,
    rest: core::slice::Iter<'a, Raw>,
    ruler: Ruler,
    /// How far the ruler has gone.
    at: usize,
}

impl<'a> Walk<'a> {
    #[inline]
    fn next(&mut self, declaration: bool) -> Option<&'a Raw> {
        self.rest.find(|raw| raw.declaration == declaration)
    }

    /// The attribute as a whole, and its value.
    #[inline]
    fn spans(&mut self, raw: &Raw) -> (Span, Span) {
        let whole = self.place(raw.name.start);
        let start = self.place(raw.value);
        let end = self.place(raw.value_end);
        let close = Place { offset: end.offset.saturating_add(1), line: end.line, column: end.column.saturating_add(1) };
        (Span::new(whole, close), Span::new(start, end))
    }

    #[inline]
    fn place(&mut self, index: usize) -> Place {
        if self.inside.plain {
            return self.ruler.ahead(index);
        }
        let text = self.inside.text.as_bytes();
        self.ruler.advance(text.get(self.at..index).unwrap_or_default());
        self.at = index;
        self.ruler.place()
    }
}
