//! Searches stored data for a data descriptor, at which streaming readers would end the member.

// All positions are in one window.
#![allow(clippy::arithmetic_side_effects)]

use alloc::vec::Vec;

use memchr::memmem;

use super::bytes::u32_at;

/// The signature of a descriptor.
const SIGNATURE: &[u8] = b"PK\x07\x08";
/// Bytes before the sizes, which have four bytes or eight.
const LENGTH: usize = 12;

/// Searches for a descriptor inside the data.
#[derive(Debug, Default)]
pub(super) struct Streamed {
    /// Bytes that may start a descriptor and were not checked yet.
    rest: Vec<u8>,
    /// The number of bytes checked.
    seen: u64,
    /// Their checksum.
    crc: crc32fast::Hasher,
    /// True once a descriptor was found.
    pub(super) ends_early: bool,
}

impl Streamed {
    /// Checks more of the data.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        let Streamed { rest, seen, crc, ends_early } = self;
        rest.extend_from_slice(bytes);
        let end = rest.len().saturating_sub(LENGTH - 1);
        let mut done = 0;
        let mut pass = |crc: &mut crc32fast::Hasher, to: usize| {
            crc.update(rest.get(done..to).unwrap_or(&[]));
            done = to;
        };
        for at in memmem::find_iter(rest, SIGNATURE).take_while(|at| *at < end) {
            pass(crc, at);
            let size = *seen + at as u64;
            let fits = u32_at(rest, at + 8) == (size & 0xffff_ffff) as u32;
            *ends_early |= fits && u32_at(rest, at + 4) == crc.clone().finalize();
        }
        pass(crc, end);
        *seen += end as u64;
        rest.drain(..end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(data: &[u8], window: usize) -> bool {
        let mut streamed = Streamed::default();
        data.chunks(window).for_each(|bytes| streamed.feed(bytes));
        streamed.ends_early
    }

    #[test]
    fn a_descriptor_of_what_stands_before_it_is_found_however_the_data_is_cut() {
        let data = |before: &[u8], crc: u32, size: u32| {
            let mut data = [before, SIGNATURE, &crc.to_le_bytes(), &size.to_le_bytes()].concat();
            data.extend_from_slice(b"and more");
            data
        };
        let before = b"PK\x07\x08 is no descriptor";
        let (crc, size) = (crc32fast::hash(before), before.len() as u32);
        for window in [1, 5, 12, 13, 4096] {
            assert!(found(&data(before, crc, size), window), "{window}");
            assert!(!found(&data(before, crc, size + 1), window), "{window}");
            assert!(!found(&data(before, crc ^ 1, size), window), "{window}");
        }
        assert!(found(&data(b"", 0, 0), 3));
        assert!(!found(SIGNATURE, 4096));
    }
}
