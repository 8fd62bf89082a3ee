//! A set of texts, with 32 bytes per text.

use alloc::vec::Vec;
use core::hash::Hasher;

use siphasher::sip::SipHasher13;

use crate::span::{Place, Span};

/// A set of texts by 64-bit keyed hash, with the position of the first occurrence.
///
/// A hash table of indexes into a list: 24 bytes for the list and at most 7.5 for the table. A `BTreeMap` takes 36 bytes and
/// three times as long.
#[derive(Debug, Default)]
pub struct FirstSeen {
    /// Of the hash: without it, texts could be chosen that all have the same key.
    seed: u64,
    /// In insertion order; in chunks, so that nothing is copied when the list grows.
    portions: Vec<Vec<First>>,
    count: usize,
    /// 0, or the number of a text from 1; the unused upper bits contain bits of its key.
    slots: Vec<u32>,
}

#[derive(Debug)]
struct First {
    key: u64,
    offset: u64,
    line: u32,
    column: u32,
}

impl First {
    fn place(&self) -> Place {
        Place { offset: self.offset, line: self.line, column: self.column }
    }
}

/// Texts per chunk.
const PORTION: usize = 512;
/// Initial number of slots. The table grows by half when four fifths are used.
const SLOTS: usize = 64;

impl FirstSeen {
    /// Nothing yet, with the seed of a run.
    pub fn seeded(seed: u64) -> FirstSeen {
        FirstSeen { seed, ..FirstSeen::default() }
    }

    /// The first occurrence of this text, if any.
    pub fn get(&self, text: &str) -> Option<Span> {
        let start = self.get_by(key(self.seed, text))?;
        Some(Span::new(start, start.after(text)))
    }

    /// The start of the first occurrence by key.
    pub(super) fn get_by(&self, key: u64) -> Option<Place> {
        self.find(key).ok().map(First::place)
    }

    pub(super) fn insert(&mut self, text: &str, at: Place) {
        self.insert_by(key(self.seed, text), at);
    }

    pub(super) fn insert_by(&mut self, key: u64, at: Place) {
        self.enter(key, at);
    }

    /// Inserts a text by its key; returns its first occurrence if it is there already.
    pub(super) fn enter(&mut self, key: u64, at: Place) -> Option<Place> {
        if self.count >= (self.slots.len() / 5).saturating_mul(4) {
            self.grow();
        }
        let slot = match self.find(key) {
            Ok(first) => return Some(first.place()),
            Err(slot) => slot,
        };
        let first = First { key, offset: at.offset, line: at.line, column: at.column };
        match self.portions.last_mut().filter(|portion| portion.len() < PORTION) {
            Some(portion) => portion.push(first),
            None => {
                let mut portion = Vec::with_capacity(PORTION);
                portion.push(first);
                self.portions.push(portion);
            }
        }
        self.count = self.count.saturating_add(1);
        self.take(slot, key, self.count);
        None
    }

    /// The text with this key, or the free slot for it.
    fn find(&self, key: u64) -> Result<&First, usize> {
        let mask = self.mask();
        let mark = key as u32 & !mask;
        let mut slot = self.home(key);
        loop {
            match self.slots.get(slot) {
                // There is always a free slot, except in an empty table.
                None if self.slots.is_empty() => return Err(0),
                None => slot = 0,
                Some(0) => return Err(slot),
                Some(taken) => {
                    if taken & !mask == mark {
                        let number = (taken & mask) as usize;
                        if let Some(first) = self.numbered(number).filter(|first| first.key == key) {
                            return Ok(first);
                        }
                    }
                    slot = slot.saturating_add(1);
                }
            }
        }
    }

    fn numbered(&self, number: usize) -> Option<&First> {
        let index = number.checked_sub(1)?;
        self.portions.get(index / PORTION)?.get(index % PORTION)
    }

    /// The bits of a slot that hold a number.
    fn mask(&self) -> u32 {
        u32::MAX.checked_shr(self.slots.len().leading_zeros().saturating_sub(usize::BITS - u32::BITS)).unwrap_or(0)
    }

    /// The first slot to probe: from the upper bits of the key, since the slot contains the lower ones.
    fn home(&self, key: u64) -> usize {
        (u128::from(key).saturating_mul(self.slots.len() as u128) >> 64) as usize
    }

    fn take(&mut self, slot: usize, key: u64, number: usize) {
        let (mask, number) = (self.mask(), number as u32);
        if let Some(slot) = self.slots.get_mut(slot) {
            *slot = number & mask | key as u32 & !mask;
        }
    }

    /// Builds a larger table from the list. The old one is freed first, so there are never two.
    fn grow(&mut self) {
        let wanted = self.slots.len().saturating_add(self.slots.len() / 2).max(SLOTS);
        self.slots = Vec::new();
        self.slots = alloc::vec![0; wanted];
        for number in 1..=self.count {
            let Some(key) = self.numbered(number).map(|first| first.key) else { continue };
            if let Err(slot) = self.find(key) {
                self.take(slot, key, number);
            }
        }
    }
}

/// The key of a text, for repeated lookups.
pub(super) fn key(seed: u64, text: &str) -> u64 {
    let mut hasher = SipHasher13::new_with_keys(seed, !seed);
    hasher.write(text.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn the_first_place_is_remembered_of_each_text_however_many() {
        let mut seen = FirstSeen::default();
        assert!(seen.get("0").is_none());
        for number in 0..20_000_u32 {
            let text = format!("{}", number % 15_000);
            assert_eq!(seen.get(&text).map(|span| span.start.line), (number >= 15_000).then_some(number % 15_000));
            seen.insert(&text, Place { offset: 0, line: number, column: 1 });
        }
        assert_eq!(seen.count, 15_000);
        assert!(seen.get("15000").is_none());
    }

    #[test]
    fn the_seed_decides_the_key_and_not_what_is_found() {
        let keys: alloc::collections::BTreeSet<u64> = (0..100).map(|seed| key(seed, "http://a.example/")).collect();
        assert_eq!(keys.len(), 100);
        for seed in [0, 1, u64::MAX] {
            let mut seen = FirstSeen::seeded(seed);
            seen.insert("a", Place { offset: 0, line: 7, column: 1 });
            assert_eq!((seen.get("a").map(|span| span.start.line), seen.get("b")), (Some(7), None));
        }
    }

    #[test]
    fn nothing_is_forgotten_however_full_the_table() {
        let mut seen = FirstSeen::default();
        for number in 0..600_u32 {
            seen.insert(&format!("{number}"), Place { offset: 0, line: number, column: 1 });
            for earlier in 0..=number {
                assert_eq!(seen.get(&format!("{earlier}")).map(|span| span.start.line), Some(earlier), "of {number}");
            }
        }
    }

    #[test]
    fn a_slot_has_as_many_bits_for_the_number_as_it_needs() {
        let of = |slots| FirstSeen { slots: alloc::vec![0; slots], ..FirstSeen::default() };
        assert_eq!([of(0), of(64), of(96), of(144)].map(|seen| seen.mask()), [0, 127, 127, 255]);
        assert_eq!([0, 1 << 63, u64::MAX].map(|key| of(64).home(key)), [0, 32, 63]);
    }

    #[test]
    fn a_text_costs_32_bytes() {
        let mut seen = FirstSeen::default();
        for number in 0..100_000_u32 {
            seen.insert(&format!("{number}"), Place::default());
            let bytes = seen.slots.capacity() * 4 + seen.portions.len() * (PORTION * size_of::<First>() + 24);
            assert!(bytes <= (seen.count + PORTION) * 32, "{number}: {bytes}");
        }
    }
}
