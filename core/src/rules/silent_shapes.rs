//! The shapes of which an entry was checked completely without a finding.

use alloc::vec::Vec;

use super::{
    EntryShape,
    depends::{Depends, Extent},
};

/// A set of shapes, with one bit for each.
#[derive(Debug, Default)]
pub(super) struct SilentShapes {
    words: Vec<u64>,
}

impl SilentShapes {
    /// The checks that an entry needs.
    pub(super) fn extent(&self, shape: Option<EntryShape>) -> Extent {
        match shape.filter(|shape| self.contains(shape.number)) {
            None => Extent::All,
            Some(EntryShape { is_usual: false, .. }) => Extent::From(Depends::Usual),
            Some(EntryShape { is_usual: true, .. }) => Extent::From(Depends::Values),
        }
    }

    pub(super) fn insert(&mut self, number: u16) {
        let word = usize::from(number / 64);
        if word >= self.words.len() {
            self.words.resize(word.saturating_add(1), 0);
        }
        if let Some(word) = self.words.get_mut(word) {
            *word |= 1 << (number % 64);
        }
    }

    pub(super) fn clear(&mut self) {
        self.words.clear();
    }

    fn contains(&self, number: u16) -> bool {
        self.words.get(usize::from(number / 64)).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_that_was_silent_needs_fewer_checks() {
        let mut silent = SilentShapes::default();
        let shape = |number, is_usual| Some(EntryShape { number, is_usual });
        [3, 64, 4_095].into_iter().for_each(|number| silent.insert(number));
        for number in [3, 64, 4_095] {
            assert_eq!(silent.extent(shape(number, true)), Extent::From(Depends::Values));
            assert_eq!(silent.extent(shape(number, false)), Extent::From(Depends::Usual));
        }
        for unknown in [shape(4, true), shape(0, true), shape(65, true), shape(5_000, false), None] {
            assert_eq!(silent.extent(unknown), Extent::All);
        }
        silent.clear();
        assert_eq!(silent.extent(shape(3, true)), Extent::All);
    }
}
