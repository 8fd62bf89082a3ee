//! Counting lines and columns.

use memchr::{memchr, memchr2};

use crate::span::Place;

/// The lookahead of `plain`.
const AHEAD: usize = 1 << 10;

/// A position that advances over UTF-8 bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct PositionTracker {
    offset: u64,
    /// Subtracted from `offset` to get the column, so that advancing over ASCII on one line is a single addition. This also
    /// avoids reading as one word what was just written as two, which costs as much as finding an attribute.
    origin: u64,
    line: u32,
    /// The last byte was a CR: an LF now belongs to the same line ending.
    after_cr: bool,
}

impl PositionTracker {
    pub(super) fn new() -> PositionTracker {
        PositionTracker { offset: 0, origin: 0_u64.wrapping_sub(1), line: 1, after_cr: false }
    }

    /// Starts at a position of a document.
    pub(super) fn at(place: Place) -> PositionTracker {
        let origin = place.offset.wrapping_sub(place.column.into());
        PositionTracker { offset: place.offset, origin, line: place.line, after_cr: false }
    }

    #[inline]
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    #[inline]
    pub(super) fn place(&self) -> Place {
        Place { offset: self.offset, line: self.line, column: self.offset.wrapping_sub(self.origin) as u32 }
    }

    /// Advances over a byte order mark, which has bytes and no column.
    pub(super) fn skip_mark(&mut self) {
        self.offset = self.offset.wrapping_add(3);
        self.origin = self.origin.wrapping_add(3);
    }

    /// Moves back by this many ASCII characters on the line.
    pub(super) fn step_back(&mut self, length: u64) {
        self.offset = self.offset.wrapping_sub(length);
    }

    /// The position after `length` ASCII bytes on this line.
    #[inline]
    pub(super) fn ahead(&self, length: usize) -> Place {
        let mut ruler = *self;
        ruler.advance_plain(length);
        ruler.place()
    }

    /// Advances over `length` bytes, at least one, that are ASCII without CR and LF.
    #[inline]
    pub(super) fn advance_plain(&mut self, length: usize) {
        self.offset = self.offset.wrapping_add(length as u64);
        self.after_cr = false;
    }

    /// Advances between two indexes of bytes that are ASCII without CR, like nearly all documents. There is no LF before
    /// `line_end`. Half of these steps stay on their line, and the others search for each LF only once: with `advance`
    /// reading was a tenth slower.
    #[inline]
    pub(super) fn advance_lines(&mut self, bytes: &[u8], from: usize, to: usize, line_end: &mut usize) {
        let mut at = from;
        loop {
            if bytes.get(*line_end) != Some(&b'\n') {
                let rest = bytes.get(*line_end..).unwrap_or_default();
                *line_end = line_end.saturating_add(memchr(b'\n', rest).unwrap_or(rest.len()));
            }
            if *line_end >= to {
                break;
            }
            let next = line_end.saturating_add(1);
            self.offset = self.offset.wrapping_add(next.wrapping_sub(at) as u64);
            self.origin = self.offset.wrapping_sub(1);
            self.line = self.line.saturating_add(1);
            (at, *line_end) = (next, next);
        }
        self.offset = self.offset.wrapping_add(to.wrapping_sub(at) as u64);
    }

    /// The last byte was a CR, and an LF may belong to it.
    pub(super) fn is_after_cr(&self) -> bool {
        self.after_cr
    }

    /// Advances over any whole characters.
    pub(super) fn advance(&mut self, bytes: &[u8]) {
        let Some(first) = bytes.first() else { return };
        let mut column = self.offset.wrapping_sub(self.origin);
        let mut rest = bytes;
        if self.after_cr && *first == b'\n' {
            rest = rest.get(1..).unwrap_or_default();
        }
        self.after_cr = bytes.last() == Some(&b'\r');
        loop {
            // Most line breaks are at the start of their text, or adjacent.
            let found = match rest.first() {
                Some(b'\n' | b'\r') => Some(0),
                _ => memchr2(b'\n', b'\r', rest),
            };
            let Some(index) = found else { break };
            self.line = self.line.saturating_add(1);
            column = 1;
            let pair = rest.get(index) == Some(&b'\r') && rest.get(index.saturating_add(1)) == Some(&b'\n');
            rest = rest.get(index.saturating_add(if pair { 2 } else { 1 })..).unwrap_or_default();
        }
        column = column.wrapping_add(scalars(rest) as u64);
        self.offset = self.offset.wrapping_add(bytes.len() as u64);
        self.origin = self.offset.wrapping_sub(column);
    }
}

/// The number of characters.
pub(super) fn scalars(bytes: &[u8]) -> usize {
    // Every byte except continuation bytes (10xxxxxx) starts a character.
    bytes.iter().filter(|byte| (**byte as i8) >= -64).count()
}

/// A number of bytes from the start that are certainly ASCII without CR and LF. The lookahead is bounded, so that
/// repeated calls cost no more than reading.
pub(super) fn plain(bytes: &[u8]) -> usize {
    let near = bytes.get(..AHEAD).unwrap_or(bytes);
    let line = memchr2(b'\n', b'\r', near).and_then(|end| near.get(..end)).unwrap_or(near);
    if line.is_ascii() {
        return line.len();
    }
    line.iter().position(|byte| !byte.is_ascii()).unwrap_or(line.len())
}

#[cfg(test)]
mod tests {
    use super::{PositionTracker, plain, scalars};

    fn after(pieces: &[&str]) -> (u64, u32, u32) {
        let mut ruler = PositionTracker::new();
        for piece in pieces {
            ruler.advance(piece.as_bytes());
        }
        (ruler.offset, ruler.line, ruler.place().column)
    }

    #[test]
    fn cr_lf_and_both_end_one_line_each_however_they_are_cut() {
        assert_eq!(after(&["a\r\nb\rc\n\n"]), (8, 5, 1));
        assert_eq!(after(&["a\r", "\nb", "\r", "c\n", "\n"]), (8, 5, 1));
        assert_eq!(after(&["\r", "\r", "\n"]), (3, 3, 1));
        assert_eq!(after(&["\n\r"]), (2, 3, 1));
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(after(&["é漢🦀x"]), (10, 1, 5));
        assert_eq!(scalars("é漢🦀x".as_bytes()), 4);
    }

    #[test]
    fn plain_stops_at_the_first_line_end_or_foreign_byte() {
        assert_eq!(plain(b"0123456789abcdef0123\n56"), 20);
        assert_eq!(plain("0123456789é".as_bytes()), 10);
        assert_eq!(plain(b"0123456789abcdef0123456789"), 26);
    }
}
