//! A bit set of the numbers of stored resources.

use alloc::vec::Vec;

/// A bit set of the numbers of stored resources.
#[derive(Debug, Default)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// Adds a number; false if it was already present.
    pub fn insert(&mut self, number: i64) -> bool {
        let Ok(number) = usize::try_from(number) else { return false };
        let (word, bit) = (number / 64, bit(number));
        if self.0.len() <= word {
            self.0.resize(word.saturating_add(1), 0);
        }
        let Some(word) = self.0.get_mut(word) else { return false };
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Removes a number.
    pub fn remove(&mut self, number: i64) {
        let Ok(number) = usize::try_from(number) else { return };
        if let Some(word) = self.0.get_mut(number / 64) {
            *word &= !bit(number);
        }
    }

    /// True if a number is present.
    pub fn contains(&self, number: i64) -> bool {
        let Ok(number) = usize::try_from(number) else { return false };
        self.0.get(number / 64).is_some_and(|word| word & bit(number) != 0)
    }
}

/// The bit of a number within its word.
fn bit(number: usize) -> u64 {
    1 << (number % 64)
}
