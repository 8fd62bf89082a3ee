//! Places and stretches of a document.

/// A point in a document. Lines and columns count from 1; columns count Unicode scalar values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Bytes of the unpacked document as UTF-8, a byte order mark counted.
    pub offset: u64,
    /// CR, LF and CRLF each end one line.
    pub line: u32,
    /// Unicode scalar values since the line began, plus one.
    pub column: u32,
}

/// A stretch of a document; the end is exclusive.
///
/// Any span equals any other, so that values read and values built compare by what they say.
#[derive(Debug, Clone, Copy, Default)]
pub struct Span {
    /// The first byte.
    pub start: Place,
    /// Just after the last byte.
    pub end: Place,
}

impl Span {
    /// From `start` up to, not including, `end`.
    pub fn new(start: Place, end: Place) -> Span {
        Span { start, end }
    }

    /// Bytes covered.
    pub fn length(&self) -> u64 {
        self.end.offset.saturating_sub(self.start.offset)
    }

    /// From the first byte of this one to the last byte of the other.
    pub fn to(&self, other: &Span) -> Span {
        Span { start: self.start, end: other.end }
    }
}

impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}

impl Eq for Span {}
