//! A bit set of row numbers.

/// A bit set of row numbers.
#[derive(Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// Adds a number; false if it was already present.
    pub(super) fn insert(&mut self, number: i64) -> bool {
        let Ok(number) = usize::try_from(number) else { return false };
        let (word, bit) = (number / 64, 1_u64 << (number % 64));
        if self.0.len() <= word {
            self.0.resize(word.saturating_add(1), 0);
        }
        let Some(word) = self.0.get_mut(word) else { return false };
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    pub(super) fn remove(&mut self, number: i64) {
        let Ok(number) = usize::try_from(number) else { return };
        if let Some(word) = self.0.get_mut(number / 64) {
            *word &= !(1_u64 << (number % 64));
        }
    }

    pub(super) fn contains(&self, number: i64) -> bool {
        let Ok(number) = usize::try_from(number) else { return false };
        self.0.get(number / 64).is_some_and(|word| word & 1_u64 << (number % 64) != 0)
    }
}
