//! Positions in a piece, relative to the bytes whose number is fixed.

use crate::span::Place;

/// A number of fixed bytes: an offset, and its effect on lines and columns.
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
        let tail = text
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(text.len(), |end| text.len().wrapping_sub(end).wrapping_sub(1));
        let lines = text.iter().filter(|byte| **byte == b'\n').count();
        let number = |count: usize| u32::try_from(count).ok();
        Some(Distance { bytes: number(text.len())?, lines: number(lines)?, tail: number(tail)? })
    }

    /// Over so many bytes on one line.
    #[inline]
    pub(super) fn on_line(bytes: usize) -> Distance {
        // Values are shorter than their limit.
        let bytes = bytes as u32;
        Distance { bytes, lines: 0, tail: bytes }
    }

    #[inline]
    pub(super) fn after(self, place: Place) -> Place {
        let column = if self.lines == 0 { place.column } else { 1 };
        Place {
            offset: place.offset.wrapping_add(self.bytes.into()),
            line: place.line.saturating_add(self.lines),
            column: column.wrapping_add(self.tail),
        }
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
    /// The position in an entry whose literals start at these places.
    #[inline]
    pub(super) fn place(&self, starts: &[Place]) -> Place {
        self.distance.after(starts.get(usize::from(self.literal)).copied().unwrap_or_default())
    }
}
