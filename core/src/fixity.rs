//! Digests of pushed bytes, several algorithms in one pass.

use alloc::vec::Vec;
use core::ops::Range;

use sha2::Digest;

use crate::value::{Algorithm, Hashes, algorithms};

/// A set of algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Algorithms(u8);

fn bit(algorithm: &Algorithm) -> Option<usize> {
    Algorithm::KNOWN.iter().position(|known| known == algorithm)
}

impl Algorithms {
    /// Those whose digests are listed and can be computed.
    pub(crate) fn of(hashes: &Hashes) -> Algorithms {
        Algorithms(hashes.iter().filter_map(|hash| bit(&hash.algorithm)).fold(0, |set, bit| set | 1 << bit))
    }

    pub(crate) fn with(self, other: Algorithms) -> Algorithms {
        Algorithms(self.0 | other.0)
    }

    /// As a number, the same for equal sets.
    pub(crate) fn bits(self) -> u8 {
        self.0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    fn has(self, bit: usize) -> bool {
        self.0 >> bit & 1 == 1
    }

    /// The position of an algorithm's digest among those of this set.
    fn place(self, algorithm: &Algorithm) -> Option<Range<usize>> {
        let wanted = bit(algorithm).filter(|bit| self.has(*bit))?;
        let before = Algorithm::KNOWN.iter().enumerate().take(wanted).filter(|(bit, _)| self.has(*bit));
        let start = before.filter_map(|(_, known)| known.bytes()).sum::<usize>();
        Some(start..start.saturating_add(algorithm.bytes()?))
    }
}

/// The digest of an algorithm among those of a set.
pub(crate) fn digest<'a>(set: Algorithms, digests: &'a [u8], algorithm: &Algorithm) -> Option<&'a [u8]> {
    digests.get(set.place(algorithm)?)
}

/// Computes digests as they are listed in `hash`, all algorithms in one pass.
///
/// ```
/// use resourcesync::{fixity::Digester, value::Algorithm};
/// let mut digester = Digester::new([Algorithm::Md5, Algorithm::Sha1]);
/// digester.push(b"a");
/// digester.push(b"bc");
/// let hashes = "md5:900150983cd24fb0d6963f7d28e17f72 sha-1:a9993e364706816aba3e25717850c26c9cd0d89d";
/// assert_eq!(digester.finish().to_string(), hashes);
/// ```
#[derive(Debug, Default)]
pub struct Digester {
    /// In the order in which they were requested.
    algorithms: Vec<Algorithm>,
    set: Algorithms,
    hashers: Hashers,
}

macro_rules! hashers {
    ($($name:ident = $token:literal, $hash:ty;)*) => {
        /// A hasher for each requested algorithm.
        #[derive(Debug, Default)]
        #[allow(non_snake_case, reason = "named as the algorithms are")]
        struct Hashers { $($name: Option<$hash>),* }

        impl Hashers {
            fn of(set: Algorithms) -> Hashers {
                let has = |algorithm| bit(&algorithm).is_some_and(|bit| set.has(bit));
                Hashers { $($name: has(Algorithm::$name).then(<$hash>::new)),* }
            }

            fn push(&mut self, bytes: &[u8]) {
                $(if let Some(hash) = &mut self.$name { hash.update(bytes) })*
            }

            /// Appends the digests to a list.
            fn finish(self, digests: &mut Vec<u8>) {
                $(if let Some(hash) = self.$name { digests.extend_from_slice(&hash.finalize()) })*
            }
        }
    };
}
algorithms!(hashers);

impl Digester {
    /// Creates a digester for these algorithms; unknown and repeated ones are ignored.
    pub fn new(algorithms: impl IntoIterator<Item = Algorithm>) -> Digester {
        let (mut set, mut known) = (Algorithms::default(), Vec::new());
        for algorithm in algorithms {
            if let Some(bit) = bit(&algorithm).filter(|bit| !set.has(*bit)) {
                set.0 |= 1 << bit;
                known.push(algorithm);
            }
        }
        Digester { algorithms: known, ..Digester::of(set) }
    }

    pub(crate) fn of(set: Algorithms) -> Digester {
        Digester { algorithms: Vec::new(), set, hashers: Hashers::of(set) }
    }

    /// Hashes more bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.hashers.push(bytes);
    }

    /// Returns the digests, in the order in which the algorithms were requested.
    pub fn finish(mut self) -> Hashes {
        let (algorithms, set) = (core::mem::take(&mut self.algorithms), self.set);
        let (mut hashes, mut digests) = (Hashes::default(), Vec::new());
        self.finish_into(&mut digests);
        for algorithm in algorithms {
            if let Some(digest) = digest(set, &digests, &algorithm) {
                hashes.push(algorithm, digest);
            }
        }
        hashes
    }

    /// Appends the digests to a list.
    pub(crate) fn finish_into(self, digests: &mut Vec<u8>) {
        self.hashers.finish(digests);
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::value::{Parsed, Value};

    #[test]
    fn every_algorithm_has_its_place() {
        // Digests of "abc" (RFC 1321, FIPS 180-4), in a different order.
        let text = "sha-256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad \
            sha-512:ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f \
            md5:900150983cd24fb0d6963f7d28e17f72 sha-1:a9993e364706816aba3e25717850c26c9cd0d89d \
            sha-384:cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7";
        let Parsed::Exact(hashes) = Hashes::read(text) else { panic!() };
        for wanted in [Algorithms::of(&hashes), Algorithms(0b10101), Algorithms(0b01010)] {
            let mut digester = Digester::of(wanted);
            digester.push(b"a");
            digester.push(b"bc");
            let mut digests = vec![];
            digester.finish_into(&mut digests);
            for hash in hashes.iter() {
                let expected = bit(&hash.algorithm).filter(|bit| wanted.has(*bit)).map(|_| hash.digest.as_ref());
                assert_eq!(digest(wanted, &digests, &hash.algorithm), expected, "{}", hash.algorithm.as_str());
            }
        }
    }
}
