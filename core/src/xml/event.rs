//! The events of a document.

use alloc::{borrow::Cow, string::String};

use crate::{
    span::{Place, Span},
    xml::{fault::Fault, position::PositionTracker, reader::Xml, reference, tag::Raw},
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

/// Who is told the events one by one, rather than given them.
pub(crate) trait Listener {
    /// What comes of an event.
    type Answer;

    fn start(&mut self, start: &Start<'_>) -> Self::Answer;
    /// Text or CDATA, and whether it is cut.
    fn text(&mut self, text: &str, span: Span, cut: bool) -> Self::Answer;
    fn end(&mut self) -> Self::Answer;
    fn aside(&mut self, span: Span) -> Self::Answer;
    fn encoding(&mut self, note: EncodingNote, span: Span) -> Self::Answer;
    fn fault(&mut self, fault: Fault) -> Self::Answer;
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

/// True for what Python and others write where UTF-8 is meant: no registered name, but no other encoding either.
pub(crate) fn means_utf8(name: &str) -> bool {
    ["utf8", "utf_8"].iter().any(|alias| name.eq_ignore_ascii_case(alias))
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
    /// What stands before the colon, else empty.
    pub prefix: &'a str,
    /// The name without prefix.
    pub local: &'a str,
    /// The namespace of the prefix; empty without prefix.
    pub namespace: &'a str,
    /// The value, normalised: references resolved, tabs and line ends as spaces.
    pub value: Cow<'a, str>,
    /// The value as written.
    pub source: &'a str,
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
        let piece = self.piece()?;
        let (whole, span) = self.spans(&piece);
        let (prefix, local) = piece.name();
        let (namespace, value, source) = (piece.namespace(), piece.value(), piece.source());
        Some(Attribute { prefix, local, namespace, value, source, span, whole })
    }
}

impl<'a> Attributes<'a> {
    /// The next attribute, for a reader that makes something else of its parts at once: written together and taken apart
    /// again as an [`Attribute`], they cost a twentieth of all reading.
    #[inline(always)] // as `Xml::next_to`
    pub(crate) fn piece(&mut self) -> Option<Piece<'a>> {
        let raw = self.walk.next(false)?;
        Some(Piece { raw, inside: self.walk.inside })
    }

    /// The attribute as a whole, and its value; asked once of each, in order.
    #[inline(always)] // as `Xml::next_to`
    pub(crate) fn spans(&mut self, piece: &Piece<'a>) -> (Span, Span) {
        self.walk.spans(piece.raw)
    }
}

/// The parts of an attribute where they stand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece<'a> {
    raw: &'a Raw,
    inside: Inside<'a>,
}

impl<'a> Piece<'a> {
    /// Prefix (else empty) and local part.
    #[inline]
    pub(crate) fn name(&self) -> (&'a str, &'a str) {
        self.raw.name.parts(self.inside.text)
    }

    #[inline]
    pub(crate) fn namespace(&self) -> &'a str {
        self.raw.binding.map_or("", |binding| self.inside.xml.namespaces.uri(binding))
    }

    /// The value, normalised.
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

/// Where the parts of a tag are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inside<'a> {
    pub(super) xml: &'a Xml,
    /// From `<` to `>`.
    pub(super) text: &'a str,
    /// All ASCII on one line: places are sums.
    pub(super) plain: bool,
    /// All ASCII, and lines end with LF only.
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
    /// How far the ruler has gone.
    at: usize,
    /// No LF is before this.
    line_end: usize,
}

impl<'a> Walk<'a> {
    #[inline]
    fn next(&mut self, declaration: bool) -> Option<&'a Raw> {
        self.rest.find(|raw| raw.declaration == declaration)
    }

    /// The attribute as a whole, and its value.
    #[inline(always)] // as `Xml::next_to`
    fn spans(&mut self, raw: &Raw) -> (Span, Span) {
        let whole = self.place(raw.name.start);
        // As nearly all are: `name="value"` on one line.
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
