//! Entries that are overwritten by the next of the same shape.

use alloc::vec::Vec;

use crate::model::Entry;

/// Maximum attributes in them.
const ATTRIBUTES: usize = 320;

/// For each of the latest shapes an entry with its parts, of which one is with the reader.
#[derive(Debug, Default)]
pub(super) struct Ready {
    entries: Vec<Own>,
    /// The index of the one that is with the reader, whose own entry is there instead.
    lent: Option<usize>,
}

#[derive(Debug)]
struct Own {
    shape: u16,
    attributes: usize,
    entry: Entry,
}

impl Ready {
    /// Brings an entry of a shape to the reader, unless it is there; one that is made if there is none.
    #[inline]
    pub(super) fn lend(&mut self, shape: u16, place: &mut Entry, make: impl FnOnce() -> Entry) {
        let is_there = self.lent.and_then(|lent| self.entries.get(lent)).is_some_and(|own| own.shape == shape);
        if is_there {
            return;
        }
        self.take_back(place);
        let known = self.entries.iter().position(|own| own.shape == shape);
        let index = known.unwrap_or_else(|| self.add(shape, make()));
        if let Some(own) = self.entries.get_mut(index) {
            core::mem::swap(place, &mut own.entry);
            self.lent = Some(index);
        }
    }

    /// Takes the entry back from the reader.
    #[inline]
    pub(super) fn take_back(&mut self, place: &mut Entry) {
        if let Some(own) = self.lent.take().and_then(|lent| self.entries.get_mut(lent)) {
            core::mem::swap(place, &mut own.entry);
        }
    }

    /// The entry that was with the reader is somebody else's now.
    pub(super) fn forget(&mut self) {
        if let Some(lent) = self.lent.take() {
            self.entries.swap_remove(lent);
        }
    }

    /// Adds an entry; those that were added first make room.
    fn add(&mut self, shape: u16, entry: Entry) -> usize {
        let lists = entry.md.iter().map(|md| &md.attributes).chain(entry.links.iter().map(|link| &link.attributes));
        let attributes = lists.map(|list| list.iter().len()).fold(1, usize::saturating_add);
        let sum = |entries: &[Own]| entries.iter().map(|own| own.attributes).fold(attributes, usize::saturating_add);
        while !self.entries.is_empty() && sum(&self.entries) > ATTRIBUTES {
            self.entries.remove(0);
        }
        self.entries.push(Own { shape, attributes, entry });
        self.entries.len().saturating_sub(1)
    }
}
