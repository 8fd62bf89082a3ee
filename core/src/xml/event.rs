//! The events of a document.

use alloc::{borrow::Cow, string::String};

use crate::{
    span::{Place, Span},
    xml::{fault::Fault, position::PositionTracker, reader::Xml, reference, tag::Raw},
};

/// An event of a document. There are none for the XML declaration and white space outside the root element.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A start tag, or `<x/>`, which is followed by an [`Event::End`].
    Start(Start<'a>),
    /// All characters between two pieces of markup, or one CDATA section (also an empty one).
    Text {
        /// With references resolved and line endings normalized.
        text: Cow<'a, str>,
        /// The range as written; for CDATA with its delimiters.
        span: Span,
        /// True for a CDATA section.
        cdata: bool,
        /// True if `text` is only the first `value_bytes`; the rest was checked and dropped.
        cut: bool,
    },
    /// The end of the innermost open element.
    End {
        /// The range of the end tag; for `<x/>` its `/>`.
        span: Span,
    },
    /// A comment or a processing instruction.
    Aside {
        /// The target of a processing instruction; none for a comment.
        instruction: Option<&'a str>,
        /// The whole range.
        span: Span,
    },
    /// A non-fatal problem of the encoding.
    Encoding(EncodingNote, Span),
    /// The end of reading.
    Fault(Fault),
}

/// A receiver of events by callback.
pub(crate) trait Listener {
    /// The result of processing an event.
    type Answer;

    fn start(&mut self, start: &Start<'_>) -> Self::Answer;
    /// Text or CDATA, and whether it is truncated.
    fn text(&mut self, text: &str, span: Span, cut: bool) -> Self::Answer;
    fn end(&mut self) -> Self::Answer;
    fn aside(&mut self, span: Span) -> Self::Answer;
    fn encoding(&mut self, note: EncodingNote, span: Span) -> Self::Answer;
    fn fault(&mut self, fault: Fault) -> Self::Answer;
}

/// A problem of the encoding of a document that can still be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodingNote {
    /// UTF-16 with a byte order mark; converted to UTF-8. The span is that of the mark.
    Utf16,
    /// The declaration names this encoding, but the bytes are read as UTF-8. The span is that of the name.
    Declared(String),
}

/// True for unregistered names that Python and other tools write for UTF-8.
pub(crate) fn means_utf8(name: &str) -> bool {
    ["utf8", "utf_8"].iter().any(|alias| name.eq_ignore_ascii_case(alias))
}

/// A start tag.
#[derive(Debug, Clone, Copy)]
pub struct Start<'a> {
    /// The prefix; empty if there is none.
    pub prefix: &'a str,
    /// The name without prefix.
    pub local: &'a str,
    /// The namespace of the element; empty if there is none.
    pub namespace: &'a str,
    /// The whole tag.
    pub span: Span,
    pub(super) inside: Inside<'a>,
}

impl<'a> Start<'a> {
    /// The name with its prefix.
    pub fn name_span(&self) -> Span {
        self.inside.xml.open.last().map(|open| open.name_span).unwrap_or_default()
    }

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
    /// The prefix; empty if there is none.
    pub prefix: &'a str,
    /// The name without prefix.
    pub local: &'a str,
    /// The namespace of the prefix; empty without prefix.
    pub namespace: &'a str,
    /// The normalized value: references resolved, tabs and line endings replaced by spaces.
    pub value: Cow<'a, str>,
    /// The value as written.
    pub source: &'a str,
    /// The value as written, without quotes.
    pub span: Span,
    /// The range from the name to the closing quote.
    pub whole: Span,
}

/// One namespace declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration<'a> {
    /// The prefix; empty for the default namespace.
    pub prefix: &'a str,
    /// The namespace; empty undeclares the default namespace.
    pub uri: Cow<'a, str>,
    /// The namespace as written, without quotes.
    pub span: Span,
    /// The range from `xmlns` to the closing quote.
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
        let piece = self.piece()?;
        let (whole, span) = self.spans(&piece);
        let (prefix, local) = piece.name();
        let (namespace, value, source) = (piece.namespace(), piece.value(), piece.source());
        Some(Attribute { prefix, local, namespace, value, source, span, whole })
    }
}

impl<'a> Attributes<'a> {
    /// The next attribute in parts, for a reader that converts them at once: building an [`Attribute`] took a twentieth
    /// of reading.
    #[inline(always)] // as `Xml::next_to`
    pub(crate) fn piece(&mut self) -> Option<Piece<'a>> {
        let raw = self.walk.next(false)?;
        Some(Piece { raw, inside: self.walk.inside })
    }

    /// The spans of the attribute and of its value; to be called once per attribute, in order.
    #[inline(always)] // as `Xml::next_to`
    pub(crate) fn spans(&mut self, piece: &Piece<'a>) -> (Span, Span) {
        self.walk.spans(piece.raw)
    }
}

/// The parts of an attribute, borrowed from the tag.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece<'a> {
    raw: &'a Raw,
    inside: Inside<'a>,
}

impl<'a> Piece<'a> {
    /// Prefix (or empty) and local part.
    #[inline]
    pub(crate) fn name(&self) -> (&'a str, &'a str) {
        self.raw.name.parts(self.inside.text)
    }

    #[inline]
    pub(crate) fn namespace(&self) -> &'a str {
        self.raw.binding.map_or("", |binding| self.inside.xml.namespaces.uri(binding))
    }

    /// The normalized value.
    #[inline]
    pub(crate) fn value(&self) -> Cow<'a, str> {
        self.inside.value(self.raw)
    }

    /// The value as written.
    #[inline]
    pub(crate) fn source(&self) -> &'a str {
        self.inside.source(self.raw)
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

/// The positions of the parts of a tag.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inside<'a> {
    pub(super) xml: &'a Xml,
    /// The range from `<` to `>`.
    pub(super) text: &'a str,
    /// ASCII on one line, so that positions are sums.
    pub(super) plain: bool,
    /// ASCII with LF line endings only.
    pub(super) simple: bool,
}

impl<'a> Inside<'a> {
    fn walk(&self) -> Walk<'a> {
        Walk { inside: *self, rest: self.xml.tag.attributes.iter(), ruler: self.xml.begin, at: 0, line_end: 0 }
    }

    #[inline]
    fn source(&self, raw: &Raw) -> &'a str {
        self.text.get(raw.value..raw.value_end).unwrap_or_default()
    }

    #[inline]
    fn value(&self, raw: &Raw) -> Cow<'a, str> {
        let text = self.source(raw);
        if raw.literal { Cow::Borrowed(text) } else { Cow::Owned(reference::value(text)) }
    }
}

#[derive(Debug, Clone)]
struct Walk<'a> {
    inside: Inside<'a>,
    rest: core::slice::Iter<'a, Raw>,
    ruler: PositionTracker,
    /// The current offset of the ruler.
    at: usize,
    /// There is no LF before this offset.
    line_end: usize,
}

impl<'a> Walk<'a> {
    #[inline]
    fn next(&mut self, declaration: bool) -> Option<&'a Raw> {
        self.rest.find(|raw| raw.declaration == declaration)
    }

    /// The spans of the attribute and of its value.
    #[inline(always)] // as `Xml::next_to`
    fn spans(&mut self, raw: &Raw) -> (Span, Span) {
        let whole = self.place(raw.name.start);
        // The common case: `name="value"` on one line.
        let compact = raw.literal && raw.value == raw.name.end.saturating_add(2);
        let (start, end) = if self.inside.simple && compact {
            let from = if self.inside.plain { 0 } else { self.at };
            (self.ruler.ahead(raw.value.wrapping_sub(from)), self.ruler.ahead(raw.value_end.wrapping_sub(from)))
        } else {
            (self.place(raw.value), self.place(raw.value_end))
        };
        let close =
            Place { offset: end.offset.saturating_add(1), line: end.line, column: end.column.saturating_add(1) };
        (Span::new(whole, close), Span::new(start, end))
    }

    #[inline]
    fn place(&mut self, index: usize) -> Place {
        if self.inside.plain {
            return self.ruler.ahead(index);
        }
        let text = self.inside.text.as_bytes();
        if self.inside.simple {
            self.ruler.advance_lines(text, self.at, index, &mut self.line_end);
            self.at = index;
            return self.ruler.place();
        }
        self.ruler.advance(text.get(self.at..index).unwrap_or_default());
        self.at = index;
        self.ruler.place()
    }
}
