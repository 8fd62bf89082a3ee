//! A piece: white space and one child of an entry, or its start or end tag.

use alloc::{boxed::Box, vec::Vec};

use super::{
    part::{Lists, Part},
    position::{Distance, Mark, Point},
    slot::{Filling, Found, Slot},
};
use crate::span::Span;

/// A piece of an entry, with everything that reading decided about it.
#[derive(Debug)]
pub(super) struct Piece {
    /// All literals, one after the other.
    pub(super) literals: Box<[u8]>,
    pub(super) segments: Box<[Segment]>,
    /// Start and end of each span of the part, in its order.
    pub(super) marks: Box<[Mark]>,
    pub(super) part: Part,
    /// Parts that no entry uses at the moment.
    pub(super) spare: Vec<Part>,
}

/// A literal, and the slot after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Segment {
    /// The end of the literal in all literals.
    pub(super) end: usize,
    /// Over the literal.
    pub(super) distance: Distance,
    pub(super) slot: Slot,
    /// The byte before which the value ends.
    pub(super) close: u8,
    /// The attribute that has the value, by its number in the part; nothing else has several.
    pub(super) attribute: u8,
}

/// A value of an entry being recognized.
#[derive(Debug)]
pub(super) struct Taken {
    pub(super) length: usize,
    pub(super) found: Found,
}

/// The result of comparing a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Met {
    /// All of it, up to this offset.
    Whole(usize),
    /// The bytes end before the piece, without a difference.
    Short,
    /// There is a difference.
    Other,
}

/// Maximum spare parts of a piece.
const SPARE: usize = 2;

impl Piece {
    /// Compares the piece with the text from `from` on; adds the values to `taken`. No value is longer than `limit`, nor is the piece.
    #[inline]
    pub(super) fn meet(&self, text: &[u8], from: usize, limit: usize, taken: &mut Vec<Taken>) -> Met {
        let (mut at, mut start) = (from, 0);
        for segment in &self.segments {
            let literal = self.literals.get(start..segment.end).unwrap_or_default();
            let rest = text.get(at..).unwrap_or_default();
            let Some(rest) = rest.strip_prefix(literal) else {
                return if literal.starts_with(rest) { Met::Short } else { Met::Other };
            };
            (at, start) = (at.saturating_add(literal.len()), segment.end);
            if segment.slot == Slot::End {
                break;
            }
            match segment.slot.find(rest, segment.close, limit) {
                Filling::Value(length, found) => {
                    at = at.saturating_add(length);
                    taken.push(Taken { length, found });
                }
                Filling::Short => return Met::Short,
                Filling::Other => return Met::Other,
            }
        }
        if at.saturating_sub(from) > limit { Met::Other } else { Met::Whole(at) }
    }

    /// Writes the values and positions of a piece that was met into its part of the entry; returns the text after it, and where that
    /// starts. `starts` is a scratch list.
    #[inline]
    pub(super) fn write<'t>(
        &self,
        text: &'t str,
        start: Point,
        taken: &mut core::slice::Iter<'_, Taken>,
        starts: &mut Vec<Point>,
        lists: &mut Lists<'_>,
    ) -> (&'t str, Point) {
        let (mut point, mut at, mut begun) = (start, 0_usize, 0);
        let mut part = lists.next(&self.part);
        starts.clear();
        for segment in &self.segments {
            starts.push(point);
            point = point.after(segment.distance);
            at = at.saturating_add(segment.end.saturating_sub(begun));
            begun = segment.end;
            let (false, Some(value)) = (segment.slot == Slot::End, taken.as_slice().first()) else { break };
            taken.next();
            let fixed = if let Slot::Uri(fixed) = segment.slot { usize::from(fixed) } else { 0 };
            let end = at.saturating_add(value.length);
            let written = text.get(at.saturating_sub(fixed)..end).unwrap_or_default();
            part.set(segment.attribute, segment.slot, written, value.found);
            point = point.along(value.length);
            at = end;
        }
        let mut spans =
            self.marks.as_chunks().0.iter().map(|[from, to]| Span::new(from.place(starts), to.place(starts)));
        part.move_to(&mut spans);
        (text.get(at..).unwrap_or_default(), point)
    }

    /// Takes a part for an entry.
    pub(super) fn take_part(&mut self) -> Part {
        self.spare.pop().unwrap_or_else(|| self.part.clone())
    }

    /// Keeps a part that an entry does not use any more.
    pub(super) fn keep_part(&mut self, part: Part) {
        if self.spare.len() < SPARE {
            self.spare.push(part);
        }
    }

    /// True if both have the same bytes in the same places.
    pub(super) fn is_same(&self, other: &Piece) -> bool {
        self.literals == other.literals && self.segments == other.segments && self.marks == other.marks
    }
}
