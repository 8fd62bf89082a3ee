//! A piece: white space and one child of an entry, or its start or end tag.

use alloc::{boxed::Box, vec::Vec};

use super::{
    part::Part,
    position::{Distance, TagMark, ValueMark},
    slot::{Filling, Found, Slot},
};
use crate::bytes;

/// A piece of an entry, with everything that reading decided about it.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) segments: Box<[Segment]>,
    /// The position of its start tag, unless it is an end tag.
    pub(super) tag: Option<TagMark>,
    /// Those of its attributes, or of its text.
    pub(super) values: Box<[ValueMark]>,
    pub(super) part: Part,
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
#[derive(Debug, Clone, Copy)]
pub(super) struct Taken {
    /// Its index in the text.
    pub(super) at: usize,
    pub(super) length: usize,
    pub(super) found: Found,
}

/// The values of an entry being recognized.
#[derive(Debug, Default)]
pub(super) struct Values {
    pub(super) list: Vec<Taken>,
    /// True if there was one that is not usual, even if it was dropped.
    had_unusual: bool,
}

impl Values {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.had_unusual = false;
    }

    /// True if each has its usual form.
    pub(super) fn are_usual(&self) -> bool {
        !self.had_unusual || self.list.iter().all(|value| value.found != Found::Unusual)
    }
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

impl Piece {
    /// Compares the piece with the text from `from` on; adds the values to `taken`. No value is longer than `limit`, nor is the piece.
    #[inline(always)] // calling it would take as long as comparing
    pub(super) fn meet(&self, text: &[u8], from: usize, limit: usize, taken: &mut Values) -> Met {
        let mut rest = text.get(from..).unwrap_or_default();
        for segment in &self.segments {
            let Some(after) = bytes::after(rest, &segment.literal) else {
                let is_short = rest.len() < segment.literal.len() && segment.literal.starts_with(rest);
                return if is_short { Met::Short } else { Met::Other };
            };
            rest = after;
            if segment.slot == Slot::End {
                break;
            }
            let (length, found) = match segment.slot.find(rest, segment.close, limit) {
                Filling::Value(length, found) => (length, found),
                Filling::Unusual(length) => {
                    taken.had_unusual = true;
                    (length, Found::Unusual)
                }
                Filling::Short => return Met::Short,
                Filling::Other => return Met::Other,
            };
            taken.list.push(Taken { at: text.len().wrapping_sub(rest.len()), length, found });
            rest = rest.get(length..).unwrap_or_default();
        }
        let end = text.len().wrapping_sub(rest.len());
        if end.wrapping_sub(from) > limit { Met::Other } else { Met::Whole(end) }
    }

    /// The number of its slots.
    #[inline]
    pub(super) fn values_count(&self) -> usize {
        self.segments.len().saturating_sub(1)
    }

    /// Bytes of its literals.
    pub(super) fn bytes(&self) -> usize {
        self.segments.iter().map(|segment| segment.literal.len()).fold(0, usize::saturating_add)
    }

    /// True if both have the same bytes in the same places.
    pub(super) fn is_same(&self, other: &Piece) -> bool {
        self.segments == other.segments && self.tag == other.tag && self.values == other.values
    }
}
