//! Positions and ranges in a document.

/// A point in a document. Lines and columns count from 1; columns count Unicode scalar values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Offset in bytes, in the decompressed document as UTF-8, including a byte order mark.
    pub offset: u64,
    /// CR, LF and CRLF each end one line.
    pub line: u32,
    /// Unicode scalar values since the start of the line, plus one.
    pub column: u32,
}

/// A range of a document; the end is exclusive.
///
/// All spans compare equal, so that parsed and built values are compared by their content.
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

    /// Nothing, at the beginning of a document.
    pub(crate) fn beginning() -> Span {
        let start = Place { offset: 0, line: 1, column: 1 };
        Span { start, end: start }
    }

    /// Length in bytes.
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

impl Place {
    /// The position after reading `text` from here.
    #[must_use]
    pub fn after(self, text: &str) -> Place {
        let mut place = self;
        place.offset = place.offset.saturating_add(text.len() as u64);
        let mut previous = '\0';
        for character in text.chars() {
            match character {
                '\n' if previous == '\r' => {}
                '\n' | '\r' => {
                    place.line = place.line.saturating_add(1);
                    place.column = 1;
                }
                _ => place.column = place.column.saturating_add(1),
            }
            previous = character;
        }
        place
    }
}

impl Span {
    /// The span of `range` within `text`, where this span covers `text` as written.
    ///
    /// If references or line breaks make text and source differ, it is the whole span.
    #[must_use]
    pub fn part(&self, text: &str, range: core::ops::Range<usize>) -> Span {
        // The whole range, by far the most common case, needs no counting.
        if range == (0..text.len()) {
            return *self;
        }
        let one_line = self.start.line == self.end.line || text.contains(['\n', '\r']);
        if self.length() != text.len() as u64 || !one_line {
            return *self;
        }
        let (Some(before), Some(inside)) = (text.get(..range.start), text.get(range.clone())) else {
            return *self;
        };
        let start = self.start.after(before);
        Span { start, end: start.after(inside) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cr_lf_and_crlf_each_end_one_line() {
        let start = Place { offset: 0, line: 1, column: 1 };
        assert_eq!(start.after("a\r\nb\rc\nd"), Place { offset: 8, line: 4, column: 2 });
    }

    #[test]
    fn a_part_of_a_text_with_references_is_the_whole() {
        let start = Place { offset: 10, line: 1, column: 11 };
        let span = Span::new(start, start.after("a&amp;b"));
        assert_eq!(span.part("a&b", 2..3).start, span.start);
        let plain = Span::new(start, start.after("a b"));
        assert_eq!(plain.part("a b", 2..3).start.column, 13);
    }
}
