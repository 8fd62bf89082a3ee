//! The identifiers and pages that a list has delivered.

use alloc::{vec, vec::Vec};
use core::hash::Hasher;

use siphasher::sip::SipHasher13;

/// Keyed hashes of identifiers, so that no repository can construct collisions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key(u64);

impl Key {
    pub(super) fn new(seed: u64) -> Key {
        Key(seed)
    }

    /// Never 0.
    pub(super) fn of(self, identifier: &str) -> u64 {
        let mut hasher = SipHasher13::new_with_keys(self.0, !self.0);
        hasher.write(identifier.as_bytes());
        hasher.finish().max(1)
    }
}

/// A set of hashes: 8 bytes each, in a table that is at most three quarters full.
#[derive(Debug, Default)]
pub(super) struct IdSet {
    /// 0 for an empty slot.
    slots: Vec<u64>,
    count: usize,
}

impl IdSet {
    /// Adds one. False if it was present.
    pub(super) fn insert(&mut self, hash: u64) -> bool {
        if self.count.saturating_mul(4) >= self.slots.len().saturating_mul(3) {
            self.grow();
        }
        let is_new = place(&mut self.slots, hash);
        self.count = self.count.saturating_add(usize::from(is_new));
        is_new
    }

    pub(super) fn clear(&mut self) {
        *self = IdSet::default();
    }

    fn grow(&mut self) {
        let mut slots = vec![0; self.slots.len().saturating_mul(2).max(1024)];
        self.slots.iter().filter(|hash| **hash != 0).for_each(|hash| {
            place(&mut slots, *hash);
        });
        self.slots = slots;
    }
}

/// Inserts a hash by linear probing; there is always a free slot.
fn place(slots: &mut [u64], hash: u64) -> bool {
    let mask = slots.len().wrapping_sub(1);
    let mut at = hash as usize & mask;
    while let Some(slot) = slots.get_mut(at) {
        match *slot {
            0 => {
                *slot = hash;
                return true;
            }
            own if own == hash => return false,
            _ => at = at.wrapping_add(1) & mask,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn each_identifier_is_new_once() {
        let (key, mut set) = (Key::new(7), IdSet::default());
        for round in 0..2 {
            for number in 0..5000 {
                assert_eq!(set.insert(key.of(&format!("oai:a:{number}"))), round == 0);
            }
        }
        assert_eq!(set.count, 5000);
        assert!(set.slots.len() <= 8192);
    }
}
