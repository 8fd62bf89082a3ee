//! Positions in a piece, relative to the bytes whose number is fixed.

use crate::span::{Place, Span};

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
        self.place_at(self.offset)
    }

    /// The position at another offset on the same line.
    #[inline]
    fn place_at(self, offset: u64) -> Place {
        Place { offset, line: self.line, column: offset.wrapping_sub(self.origin) as u32 }
    }

    /// The position after so many bytes on the same line.
    #[inline]
    pub(super) fn along(self, bytes: usize) -> Point {
        Point { offset: self.offset.wrapping_add(bytes as u64), ..self }
    }

    #[inline(always)] // as `ValueMark::set`
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

    pub(super) fn bytes(self) -> u32 {
        self.bytes
    }
}

/// Maximum literals of a piece.
pub(super) const SEGMENTS: usize = 16;

/// Where the literals of a piece start.
#[derive(Debug, Default)]
pub(super) struct Starts([Point; SEGMENTS]);

impl Starts {
    #[inline(always)] // as `ValueMark::set`
    pub(super) fn set(&mut self, index: usize, point: Point) {
        // No index is greater: the remainder replaces a check.
        if let Some(start) = self.0.get_mut(index % SEGMENTS) {
            *start = point;
        }
    }

    #[inline(always)] // as `ValueMark::set`
    fn get(&self, index: usize) -> Point {
        self.0.get(index % SEGMENTS).copied().unwrap_or_default()
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
    /// The position in a piece whose literals start here.
    #[inline(always)] // as `ValueMark::set`
    fn point(&self, starts: &Starts) -> Point {
        starts.get(self.literal.into()).after(self.distance)
    }
}

/// The position of a tag, which may have several lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TagMark {
    pub(super) start: Mark,
    pub(super) end: Mark,
}

impl TagMark {
    #[inline]
    pub(super) fn span(&self, starts: &Starts) -> Span {
        Span::new(self.start.point(starts).place(), self.end.point(starts).place())
    }
}

/// The position of a value on one line, with the name before it if it is that of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ValueMark {
    /// Of the name of the attribute, or of the value if it has none.
    pub(super) start: Mark,
    /// Bytes from there to the value.
    pub(super) lead: u32,
    /// The literal in which the value ends, and the distance to its end from there.
    pub(super) end_literal: u16,
    pub(super) end: u32,
}

impl ValueMark {
    /// Sets the spans of the attribute, up to the closing quote, and of its value.
    #[inline(always)] // so that both are written once
    pub(super) fn set(&self, starts: &Starts, whole: &mut Span, value: &mut Span) {
        let start = self.start.point(starts);
        let end = starts.get(self.end_literal.into()).offset.wrapping_add(self.end.into());
        *whole = Span::new(start.place(), start.place_at(end.wrapping_add(1)));
        *value = Span::new(start.place_at(start.offset.wrapping_add(self.lead.into())), start.place_at(end));
    }
}
