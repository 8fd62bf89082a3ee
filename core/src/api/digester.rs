//! Digests of bytes that are pushed: all algorithms in one pass.

use alloc::vec::Vec;

use crate::{
    package,
    value::{Algorithm, Hashes},
};

/// Computes digests as they are listed in `hash`.
///
/// ```
/// use resourcesync::{api::Digester, value::Algorithm};
/// let mut digester = Digester::new([Algorithm::Md5, Algorithm::Sha1]);
/// digester.push(b"a");
/// digester.push(b"bc");
/// let hashes = "md5:900150983cd24fb0d6963f7d28e17f72 sha-1:a9993e364706816aba3e25717850c26c9cd0d89d";
/// assert_eq!(digester.finish().to_string(), hashes);
/// ```
#[derive(Debug)]
pub struct Digester {
    algorithms: Vec<Algorithm>,
    set: package::Algorithms,
    inner: package::Digester,
}

impl Digester {
    /// For these algorithms; one that is not known, or comes a second time, is left out.
    pub fn new(algorithms: impl IntoIterator<Item = Algorithm>) -> Digester {
        let (mut wanted, mut known) = (Hashes::default(), Vec::new());
        for algorithm in algorithms {
            if algorithm.digits().is_some() && !known.contains(&algorithm) {
                wanted.push(algorithm.clone(), []);
                known.push(algorithm);
            }
        }
        let set = package::Algorithms::of(&wanted);
        Digester { algorithms: known, set, inner: package::Digester::new(set) }
    }

    /// Takes more bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.inner.update(bytes);
    }

    /// The digests, in the order the algorithms were named.
    pub fn finish(self) -> Hashes {
        let (mut hashes, mut digests) = (Hashes::default(), Vec::new());
        self.inner.finish(&mut digests);
        for algorithm in self.algorithms {
            if let Some(digest) = package::digest(self.set, &digests, &algorithm) {
                hashes.push(algorithm, digest);
            }
        }
        hashes
    }
}
