//! Faults that end a document early: not well-formed, an exceeded limit, or an unsupported encoding.

use alloc::{boxed::Box, format, string::String, vec::Vec};

use crate::{span::Span, xml::Detail};

/// The reason why reading stopped. It is the last event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The problem.
    pub kind: FaultKind,
    /// The range; empty at the end of a truncated document.
    pub span: Span,
    /// A contradicting position: the start tag, the first of two attributes, the start of unfinished markup.
    pub related: Option<Span>,
    /// The named arguments of the message.
    pub args: Vec<(&'static str, FaultArg)>,
}

/// The type of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The document is not well-formed XML.
    NotWellFormed(Detail),
    /// The document exceeds a limit (`args`: `limit`).
    Limit(LimitKind),
    /// The document has an unsupported encoding.
    Encoding(EncodingFault),
}

/// An exceeded limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LimitKind {
    /// Bytes of the document.
    DocumentBytes,
    /// Open elements.
    Depth,
    /// Attributes of one element, including declarations.
    Attributes,
    /// Namespace declarations in scope.
    Namespaces,
    /// Bytes of a name, or of a reference.
    NameBytes,
    /// Bytes of one attribute value.
    ValueBytes,
    /// Bytes of one tag or of the XML declaration.
    TagBytes,
}

impl LimitKind {
    /// The name of the field of [`Limits`](crate::limits::Limits).
    pub fn as_str(self) -> &'static str {
        match self {
            LimitKind::DocumentBytes => "document_bytes",
            LimitKind::Depth => "depth",
            LimitKind::Attributes => "attributes",
            LimitKind::Namespaces => "namespaces",
            LimitKind::NameBytes => "name_bytes",
            LimitKind::ValueBytes => "value_bytes",
            LimitKind::TagBytes => "tag_bytes",
        }
    }
}

/// Why the bytes cannot be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncodingFault {
    /// UTF-32, with or without a byte order mark.
    Utf32,
    /// UTF-16 without a byte order mark.
    Utf16WithoutMark,
    /// EBCDIC.
    Ebcdic,
    /// The declaration names another encoding (`args`: `encoding`), and the bytes are not UTF-8.
    Declared,
    /// The declaration names an encoding (`args`: `encoding`) that contradicts the first bytes (`args`:
    /// `actual`).
    Contradiction,
}

impl EncodingFault {
    /// The name, in kebab-case.
    pub fn as_str(self) -> &'static str {
        match self {
            EncodingFault::Utf32 => "utf-32",
            EncodingFault::Utf16WithoutMark => "utf-16-without-mark",
            EncodingFault::Ebcdic => "ebcdic",
            EncodingFault::Declared => "declared",
            EncodingFault::Contradiction => "contradiction",
        }
    }
}

/// One argument of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultArg {
    /// Text of the document.
    Text(String),
    /// A number.
    Number(u64),
}

impl From<&str> for FaultArg {
    fn from(text: &str) -> FaultArg {
        FaultArg::Text(text.into())
    }
}

impl From<String> for FaultArg {
    fn from(text: String) -> FaultArg {
        FaultArg::Text(text)
    }
}

impl From<u64> for FaultArg {
    fn from(number: u64) -> FaultArg {
        FaultArg::Number(number)
    }
}

/// A fault whose positions are byte offsets in a text.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) kind: FaultKind,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) related: Option<(usize, usize)>,
    pub(super) args: Vec<(&'static str, FaultArg)>,
}

impl Problem {
    #[cold]
    pub(super) fn new(detail: Detail, start: usize, end: usize) -> Box<Problem> {
        let kind = FaultKind::NotWellFormed(detail);
        Box::new(Problem { kind, start, end, related: None, args: Vec::new() })
    }

    #[cold]
    pub(super) fn limit(limit: LimitKind, value: u64, start: usize, end: usize) -> Box<Problem> {
        let args = Vec::from([("limit", FaultArg::Number(value))]);
        Box::new(Problem { kind: FaultKind::Limit(limit), start, end, related: None, args })
    }

    #[cold]
    pub(super) fn encoding(fault: EncodingFault, start: usize, end: usize) -> Box<Problem> {
        Box::new(Problem { kind: FaultKind::Encoding(fault), start, end, related: None, args: Vec::new() })
    }

    pub(super) fn with(mut self: Box<Problem>, name: &'static str, value: impl Into<FaultArg>) -> Box<Problem> {
        self.args.push((name, value.into()));
        self
    }

    pub(super) fn related(mut self: Box<Problem>, start: usize, end: usize) -> Box<Problem> {
        self.related = Some((start, end));
        self
    }
}

/// A character for messages: itself in backticks if it is visible, otherwise its code point.
pub(super) fn named(character: char) -> String {
    if character.is_alphanumeric() || character.is_ascii_punctuation() {
        format!("`{character}`")
    } else {
        format!("U+{:04X}", u32::from(character))
    }
}
