//! Positions in a piece, relative to the bytes whose number is fixed.

use crate::span::Place;

/// A position in a document, of which moving on the same line is one addition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Point {
    offset: u64,
    /// Subtracted from the offset to get the column.
    origin: u64,
    line: u32,
}

impl Point {
    pub(super) fn at(place: Place) -> Point {
        Point { offset: place.offset, origin: place.offset.wrapping_sub(place.column.into()), line: place.line }
    }

    #[inline]
    pub(super) fn place(self) -> Place {
        Place { offset: self.offset, line: self.line, column: self.offset.wrapping_sub(self.origin) as u32 }
    }

    /// The position after so many bytes on the same line.
    #[inline]
    pub(super) fn along(self, bytes: usize) -> Point {
        Point { offset: self.offset.wrapping_add(bytes as u64), ..self }
    }

    #[inline]
    pub(super) fn after(self, distance: Distance) -> Point {
        let offset = self.offset.wrapping_add(distance.bytes.into());
        if distance.lines == 0 {
            return Point { offset, ..self };
        }
        // The column of the byte after a line end is 1.
        let origin = offset.wrapping_sub(distance.tail.into()).wrapping_sub(1);
        Point { offset, origin, line: self.line.saturating_add(distance.lines) }
    }
}

/// A number of fixed bytes, and their effect on lines and columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Distance {
    bytes: u32,
    /// Line ends in them.
    lines: u32,
    /// Bytes after the last line end.
    tail: u32,
}

impl Distance {
    /// Over ASCII without CR; `None` if there are too many bytes.
    pub(super) fn over(text: &[u8]) -> Option<Distance> {
        let tail = text.rsplit(|byte| *byte == b'\n').next().map_or(0, <[u8]>::len);
        let lines = text.iter().filter(|byte| **byte == b'\n').count();
        let number = |count: usize| u32::try_from(count).ok();
        Some(Distance { bytes: number(text.len())?, lines: number(lines)?, tail: number(tail)? })
    }
}

/// A position in a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    /// The literal in which it is, by number.
    pub(super) literal: u16,
    /// From the start of the literal.
    pub(super) distance: Distance,
}

impl Mark {
    /// The position in an entry whose literals start here.
    #[inline]
    pub(super) fn place(&self, starts: &[Point]) -> Place {
        let start = starts.get(usize::from(self.literal)).copied().unwrap_or_default();
        start.after(self.distance).place()
    }
}
