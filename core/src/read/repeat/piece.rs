//! A piece: white space and one child of an entry, or its start or end tag.

use alloc::{boxed::Box, vec::Vec};

use super::{
    part::{Lists, Part},
    position::{Distance, Point, TagMark, ValueMark},
    slot::{Filling, Found, Slot},
};
/// A piece of an entry, with everything that reading decided about it.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) segments: Box<[Segment]>,
    /// The position of its start tag, unless it is an end tag.
    pub(super) tag: Option<TagMark>,
    /// Those of its attributes, or of its text.
    pub(super) values: Box<[ValueMark]>,
    pub(super) part: Part,
    /// Parts that no entry uses at the moment.
    pub(super) spare: Vec<Part>,
}

/// A literal, and the slot after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) literal: Box<[u8]>,
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
        let mut rest = text.get(from..).unwrap_or_default();
        for segment in &self.segments {
            let Some(after) = rest.strip_prefix(&*segment.literal) else {
                return if segment.literal.starts_with(rest) { Met::Short } else { Met::Other };
            };
            rest = after;
            if segment.slot == Slot::End {
                break;
            }
            match segment.slot.find(rest, segment.close, limit) {
                Filling::Value(length, found) => {
                    rest = rest.get(length..).unwrap_or_default();
                    taken.push(Taken { length, found });
                }
                Filling::Short => return Met::Short,
                Filling::Other => return Met::Other,
            }
        }
        let end = text.len().wrapping_sub(rest.len());
        if end.wrapping_sub(from) > limit { Met::Other } else { Met::Whole(end) }
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
        let (mut point, mut at) = (start, 0_usize);
        let mut part = lists.next(&self.part);
        starts.clear();
        for segment in &self.segments {
            starts.push(point);
            point = point.after(segment.distance);
            at = at.wrapping_add(segment.literal.len());
            let (false, Some(value)) = (segment.slot == Slot::End, taken.as_slice().first()) else { break };
            taken.next();
            let fixed = if let Slot::Uri(fixed) = segment.slot { usize::from(fixed) } else { 0 };
            let end = at.wrapping_add(value.length);
            let written = text.get(at.wrapping_sub(fixed)..end).unwrap_or_default();
            part.set(segment.attribute, segment.slot, written, value.found);
            point = point.along(value.length);
            at = end;
        }
        if let Some(tag) = &self.tag {
            part.move_to(tag.span(starts), self.values.iter().map(|value| value.spans(starts)));
        }
        (text.get(at..).unwrap_or_default(), point)
    }

    /// Bytes of its literals.
    pub(super) fn bytes(&self) -> usize {
        self.segments.iter().map(|segment| segment.literal.len()).fold(0, usize::saturating_add)
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
        self.segments == other.segments && self.tag == other.tag && self.values == other.values
    }
}
