//! The `hash` attribute: digests of a bitstream, each with its algorithm.

mod algorithm;
mod digits;
mod item;

use alloc::{boxed::Box, vec::Vec};
use core::fmt;

use memchr::memchr;

use self::digits::hex;
pub use self::{
    algorithm::Algorithm,
    digits::to_hex,
    item::{DigestForm, HashItem, HashKind},
};
pub(crate) use self::{
    algorithm::algorithms,
    digits::{is_hex, push_hex},
};
use super::{Parsed, Value};

/// One digest.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Hash {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The digest itself.
    pub digest: Box<[u8]>,
}

/// A list of digests (Z39.99-2017 §7).
///
/// ```
/// use resourcesync::value::{Algorithm, Hashes, Parsed, Value};
/// let Parsed::Exact(hashes) = Hashes::read("md5:1584abdf8ebdc9802ac0c6a7402c03b6") else { unreachable!() };
/// assert_eq!(hashes.get(&Algorithm::Md5).map(|digest| digest[0]), Some(0x15));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hashes {
    list: Vec<Hash>,
}

impl Hashes {
    /// The digest of an algorithm, if there is one.
    pub fn get(&self, algorithm: &Algorithm) -> Option<&[u8]> {
        self.list.iter().find(|hash| hash.algorithm == *algorithm).map(|hash| hash.digest.as_ref())
    }

    /// In the order written.
    pub fn iter(&self) -> core::slice::Iter<'_, Hash> {
        self.list.iter()
    }

    /// Adds a digest.
    pub fn push(&mut self, algorithm: Algorithm, digest: impl Into<Box<[u8]>>) {
        self.list.push(Hash { algorithm, digest: digest.into() });
    }

    /// Overwrites a digest by the value of hexadecimal digits, of which there are as many as before.
    pub(crate) fn overwrite(&mut self, number: usize, digits: &[u8]) {
        if let Some(hash) = self.list.get_mut(number) {
            digits::decode(digits, &mut hash.digest);
        }
    }

    /// Sets all bytes of a digest to 0.
    pub(crate) fn zero(&mut self, number: usize) {
        if let Some(hash) = self.list.get_mut(number) {
            hash.digest.fill(0);
        }
    }

    /// Bytes of the canonical spelling.
    pub(crate) fn written_length(&self) -> usize {
        let length = |hash: &Hash| {
            let digits = hash.digest.len().saturating_mul(2);
            hash.algorithm.as_str().len().saturating_add(digits).saturating_add(": ".len())
        };
        self.list.iter().fold(0_usize, |sum, hash| sum.saturating_add(length(hash))).saturating_sub(1)
    }

    /// The digests of any text that can be parsed; other parts are ignored.
    pub fn readable(text: &str) -> Hashes {
        let hash = |item: HashItem<'_>| Some(Hash { algorithm: item.algorithm()?, digest: item.bytes()? });
        Hashes { list: Hashes::items(text).filter_map(hash).collect() }
    }

    /// Splits any text into tokens.
    pub fn items(text: &str) -> impl Iterator<Item = HashItem<'_>> {
        let mut from = 0;
        core::iter::from_fn(move || {
            let rest = text.get(from..)?;
            let start = from.checked_add(rest.find(|c: char| !c.is_ascii_whitespace())?)?;
            let tail = text.get(start..)?;
            let length = tail.find(|c: char| c.is_ascii_whitespace()).unwrap_or(tail.len());
            let end = start.checked_add(length)?;
            from = end;
            Some(HashItem::new(start..end, text.get(start..end)?))
        })
    }
}

/// Parses a list without errors or unknown algorithms, by far the most common case, in one pass.
fn exact(text: &str) -> Option<Hashes> {
    let mut hashes = Hashes::default();
    let mut rest = text.trim_ascii_start();
    while !rest.is_empty() {
        let (name, after) = rest.split_at_checked(memchr(b':', rest.as_bytes())?)?;
        let algorithm = Algorithm::exact(name)?;
        let (digest, after) = after.get(1..)?.split_at_checked(algorithm.digits()?)?;
        hashes.list.push(Hash { algorithm, digest: hex(digest)? });
        rest = after.trim_ascii_start();
        if rest.len() == after.len() && !rest.is_empty() {
            return None;
        }
    }
    (!hashes.list.is_empty()).then_some(hashes)
}

impl Value for Hashes {
    fn read(text: &str) -> Parsed<Hashes> {
        if let Some(hashes) = exact(text) {
            return Parsed::Exact(hashes);
        }
        let (mut hashes, mut exact) = (Hashes::default(), true);
        for item in Hashes::items(text) {
            let (Some(algorithm), Some(digest)) = (item.algorithm(), item.bytes()) else { return Parsed::Malformed };
            exact &= item.digest == DigestForm::Good && !matches!(item.kind, HashKind::Alias(_));
            hashes.push(algorithm, digest);
        }
        match (hashes.list.is_empty(), exact) {
            (true, _) => Parsed::Malformed,
            (false, true) => Parsed::Exact(hashes),
            (false, false) => Parsed::Lenient(hashes),
        }
    }
}

impl fmt::Display for Hashes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, hash) in self.list.iter().enumerate() {
            let separator = if number == 0 { "" } else { " " };
            write!(f, "{separator}{}:{}", hash.algorithm.as_str(), to_hex(&hash.digest))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    const MD5: &str = "md5:1584abdf8ebdc9802ac0c6a7402c03b6";

    #[test]
    fn a_digest_is_found_by_its_algorithm() {
        let text = alloc::format!("{MD5} sha-1:{}", "0a".repeat(20));
        let Parsed::Exact(hashes) = Hashes::read(&text) else { panic!("{text}") };
        assert_eq!(hashes.get(&Algorithm::Sha1), Some([0x0a; 20].as_slice()));
        assert_eq!(hashes.get(&Algorithm::Md5).map(<[u8]>::len), Some(16));
        assert_eq!(hashes.get(&Algorithm::Sha256), None);
    }

    #[test]
    fn a_list_is_written_as_it_was_read() {
        let text = alloc::format!("{MD5} sha-1:{}", "0a".repeat(20));
        let Parsed::Exact(hashes) = Hashes::read(&text) else { panic!("{text}") };
        assert_eq!(hashes.to_string(), text);
        assert_eq!(hashes.written_length(), text.len());
        assert!(matches!(Hashes::read(&alloc::format!("\n  {MD5}\t")), Parsed::Exact(_)));
    }

    #[test]
    fn base64_of_the_right_length_is_understood() {
        let Parsed::Lenient(hashes) = Hashes::read("md5:1B2M2Y8AsgTpgAmY7PhCfg==") else { panic!() };
        assert_eq!(hashes.to_string(), "md5:d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(Hashes::read("md5:1B2M2Y8AsgTpgAmY7PhC"), Parsed::Malformed);
        assert_eq!(Hashes::read(""), Parsed::Malformed);
    }

    #[test]
    fn readable_digests_count_whatever_is_next_to_them() {
        let text = alloc::format!("sha-256:abc {MD5} 1584");
        assert_eq!(Hashes::read(&text), Parsed::Malformed);
        assert_eq!(Hashes::readable(&text).to_string(), MD5);
        assert_eq!(Hashes::readable("md5:abc"), Hashes::default());
    }

    #[test]
    fn an_unknown_algorithm_is_kept() {
        let Parsed::Exact(hashes) = Hashes::read("blake3:00ff") else { panic!() };
        assert_eq!(hashes.to_string(), "blake3:00ff");
    }
}
