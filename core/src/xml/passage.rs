//! Passages between two pieces of markup that a reader above recognizes by itself.

use crate::{
    span::Place,
    xml::{
        input::End,
        position::PositionTracker,
        reader::{Within, Xml},
    },
};

impl Xml {
    /// The bytes to be read next, if reading is between two pieces of markup of an open element; nothing of them was consumed. There may be
    /// characters among them that no document may contain.
    #[inline]
    pub(crate) fn ahead(&self) -> Option<&str> {
        let between = self.within == Within::Nothing && !self.owed_end && self.stopped.is_none();
        (between && !self.open.is_empty() && !self.ruler.is_after_cr()).then(|| self.input.unread(self.at))
    }

    /// The position of the next byte.
    #[inline]
    pub(crate) fn next_place(&self) -> Place {
        self.ruler.place()
    }

    /// True if more bytes may follow those that are there.
    pub(crate) fn may_continue(&self) -> bool {
        self.input.end == End::Open
    }

    /// Consumes bytes that the caller has recognized as what the reader accepted before: whole elements in ASCII without CR, up to `end`.
    pub(crate) fn pass(&mut self, length: usize, end: Place) {
        self.at = self.at.saturating_add(length);
        self.ruler = PositionTracker::at(end);
        self.position = end;
    }

    /// The bytes from an offset up to the current position, if all of them are still there.
    pub(crate) fn behind(&self, offset: u64) -> Option<&str> {
        let from = usize::try_from(offset.checked_sub(self.input.base())?).ok()?;
        self.input.text().get(from..self.at)
    }
}
