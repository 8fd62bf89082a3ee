//! The `hash` attribute: digests of a bitstream, each with its algorithm.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::{fmt, ops::Range};

use memchr::memchr;

use super::{Reading, Value};
use crate::bytes;

/// A digest algorithm by the token that names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Algorithm {
    /// `md5`
    Md5,
    /// `sha-1`
    Sha1,
    /// `sha-256`
    Sha256,
    /// `sha-384`
    Sha384,
    /// `sha-512`
    Sha512,
    /// Any other token; its digests cannot be checked.
    Other(Box<str>),
}

impl Algorithm {
    /// The algorithms whose digests can be checked.
    pub const KNOWN: [Algorithm; 5] =
        [Algorithm::Md5, Algorithm::Sha1, Algorithm::Sha256, Algorithm::Sha384, Algorithm::Sha512];

    /// The token, exactly as the standard writes it.
    pub fn as_str(&self) -> &str {
        match self {
            Algorithm::Md5 => "md5",
            Algorithm::Sha1 => "sha-1",
            Algorithm::Sha256 => "sha-256",
            Algorithm::Sha384 => "sha-384",
            Algorithm::Sha512 => "sha-512",
            Algorithm::Other(token) => token,
        }
    }

    /// Hexadecimal digits of a digest, if the algorithm is known.
    pub fn digits(&self) -> Option<usize> {
        match self {
            Algorithm::Md5 => Some(32),
            Algorithm::Sha1 => Some(40),
            Algorithm::Sha256 => Some(64),
            Algorithm::Sha384 => Some(96),
            Algorithm::Sha512 => Some(128),
            Algorithm::Other(_) => None,
        }
    }

    fn exact(token: &str) -> Option<Algorithm> {
        Algorithm::KNOWN.into_iter().find(|known| known.as_str() == token)
    }

    /// What a token means that is spelt otherwise: `SHA-256`, `sha256`, `urn:sha1`.
    fn alias(token: &str) -> Option<Algorithm> {
        let token = token.strip_prefix("urn:").unwrap_or(token);
        let plain = |text: &str| {
            text.bytes().filter(|byte| !b"-_".contains(byte)).map(|byte| byte.to_ascii_lowercase()).collect::<Vec<_>>()
        };
        let wanted = plain(token);
        Algorithm::KNOWN.into_iter().find(|known| plain(known.as_str()) == wanted)
    }
}

/// One digest.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Hash {
    /// How it was computed.
    pub algorithm: Algorithm,
    /// The digest itself.
    pub digest: Box<[u8]>,
}

/// A list of digests (Z39.99-2017 §7).
///
/// ```
/// use resourcesync::value::{Algorithm, Hashes, Reading, Value};
/// let Reading::Exact(hashes) = Hashes::read("md5:1584abdf8ebdc9802ac0c6a7402c03b6") else { unreachable!() };
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

    /// Bytes of the list when it is written.
    pub(crate) fn written_length(&self) -> usize {
        let length = |hash: &Hash| {
            let digits = hash.digest.len().saturating_mul(2);
            hash.algorithm.as_str().len().saturating_add(digits).saturating_add(": ".len())
        };
        self.list.iter().fold(0_usize, |sum, hash| sum.saturating_add(length(hash))).saturating_sub(1)
    }

    /// Takes any text apart, token by token.
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

/// One token of a `hash` as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashItem<'a> {
    /// Where in the text.
    pub range: Range<usize>,
    /// What stands before the colon.
    pub algorithm_text: &'a str,
    /// What stands after the colon.
    pub digest_text: &'a str,
    /// What the token before the colon is.
    pub kind: HashKind,
    /// What is wrong with the digest, whatever the algorithm's spelling.
    pub digest: DigestForm,
}

/// What a token names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HashKind {
    /// A known algorithm, exactly spelt.
    Known(Algorithm),
    /// A known algorithm, spelt otherwise.
    Alias(Algorithm),
    /// An algorithm we do not know.
    Unknown,
    /// No algorithm or no digest (AT-04).
    NoDigest,
}

/// The form of a digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DigestForm {
    /// Hexadecimal, of the right length where that is known.
    Good,
    /// Something else than hexadecimal digits.
    NotHex {
        /// True if it is base64 or base64url of the right number of bytes.
        base64: bool,
    },
    /// Hexadecimal of the wrong length.
    WrongLength {
        /// Digits given.
        digits: usize,
        /// Digits of a digest of this algorithm.
        expected: usize,
    },
}

impl<'a> HashItem<'a> {
    fn new(range: Range<usize>, token: &'a str) -> HashItem<'a> {
        let (algorithm_text, digest_text) = match token.strip_prefix("urn:").and_then(|rest| rest.split_once(':')) {
            Some((name, digest)) => (token.get(..name.len().saturating_add(4)).unwrap_or(token), digest),
            None => token.split_once(':').unwrap_or((token, "")),
        };
        let kind = if algorithm_text.is_empty() || digest_text.is_empty() {
            HashKind::NoDigest
        } else if let Some(algorithm) = Algorithm::exact(algorithm_text) {
            HashKind::Known(algorithm)
        } else if let Some(algorithm) = Algorithm::alias(algorithm_text) {
            HashKind::Alias(algorithm)
        } else {
            HashKind::Unknown
        };
        let expected = match &kind {
            HashKind::Known(algorithm) | HashKind::Alias(algorithm) => algorithm.digits(),
            HashKind::Unknown | HashKind::NoDigest => None,
        };
        let digest = if !digest_text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            let bytes = base64(digest_text).map(|bytes| bytes.len());
            DigestForm::NotHex { base64: bytes.is_some() && bytes == expected.map(|digits| digits / 2) }
        } else {
            match expected {
                Some(expected) if expected != digest_text.len() => {
                    DigestForm::WrongLength { digits: digest_text.len(), expected }
                }
                _ => DigestForm::Good,
            }
        };
        HashItem { range, algorithm_text, digest_text, kind, digest }
    }

    /// The algorithm, where the token names one.
    pub fn algorithm(&self) -> Option<Algorithm> {
        match &self.kind {
            HashKind::Known(algorithm) | HashKind::Alias(algorithm) => Some(algorithm.clone()),
            HashKind::Unknown => Some(Algorithm::Other(self.algorithm_text.into())),
            HashKind::NoDigest => None,
        }
    }

    fn bytes(&self) -> Option<Box<[u8]>> {
        match self.digest {
            DigestForm::Good => hex(self.digest_text),
            DigestForm::NotHex { base64: true } => base64(self.digest_text),
            DigestForm::NotHex { .. } | DigestForm::WrongLength { .. } => None,
        }
    }
}

/// Reads digits and judges them apart, without a branch or a table, so that both become a few vector instructions: four
/// times as fast.
fn hex(text: &str) -> Option<Box<[u8]>> {
    // Ranges of bytes as one subtraction and comparison each.
    let is_digit = |digit: u8| (digit.wrapping_sub(b'0') < 10) | ((digit | 0x20).wrapping_sub(b'a') < 6);
    // Both digits of a byte as one number, the first in its lower half. Letters have bit 6, and the value of their low bits is
    // nine too small.
    let value = |pair: &[u8; 2]| {
        let pair = u16::from_le_bytes(*pair);
        let values = (pair & 0x0f0f).wrapping_add((pair >> 6 & 0x0101).wrapping_mul(9));
        (values << 4 | values >> 8) as u8
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let good = bytes::all(text.as_bytes(), is_digit);
    let values = pairs.iter().map(value);
    (rest.is_empty() && good).then(|| values.collect())
}

/// Reads a list in which nothing is wrong or unknown, as nearly all are, in one pass.
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

/// Standard and URL alphabets alike, padded or not.
fn base64(text: &str) -> Option<Box<[u8]>> {
    let text = text.trim_end_matches('=');
    let (mut bits, mut count, mut bytes) = (0_u32, 0_u32, Vec::new());
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte.wrapping_sub(b'A'),
            b'a'..=b'z' => byte.wrapping_sub(b'a').wrapping_add(26),
            b'0'..=b'9' => byte.wrapping_sub(b'0').wrapping_add(52),
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count = count.saturating_add(6);
        if count >= 8 {
            count = count.saturating_sub(8);
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    Some(bytes.into())
}

impl Value for Hashes {
    fn read(text: &str) -> Reading<Hashes> {
        if let Some(hashes) = exact(text) {
            return Reading::Exact(hashes);
        }
        let (mut hashes, mut exact) = (Hashes::default(), true);
        for item in Hashes::items(text) {
            let (Some(algorithm), Some(digest)) = (item.algorithm(), item.bytes()) else { return Reading::Malformed };
            exact &= item.digest == DigestForm::Good && !matches!(item.kind, HashKind::Alias(_));
            hashes.push(algorithm, digest);
        }
        match (hashes.list.is_empty(), exact) {
            (true, _) => Reading::Malformed,
            (false, true) => Reading::Exact(hashes),
            (false, false) => Reading::Lenient(hashes),
        }
    }
}

/// Bytes as hexadecimal digits, in lower case.
///
/// ```
/// assert_eq!(resourcesync::value::to_hex(&[0x15, 0x8a]), "158a");
/// ```
pub fn to_hex(bytes: &[u8]) -> String {
    // Each digit by the formatting machinery took an eighth of building a list.
    let digit = |half: u8| if half < 10 { b'0'.wrapping_add(half) } else { b'a'.wrapping_add(half.wrapping_sub(10)) };
    let digits = bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 0xf)]);
    let mut text = Vec::with_capacity(bytes.len().saturating_mul(2));
    text.extend(digits);
    // All of it is ASCII.
    String::from_utf8(text).unwrap_or_default()
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
    fn a_digest_in_base64_is_read_in_either_alphabet() {
        for text in ["AZaz09+/", "AZaz09-_", "AZaz09-_=="] {
            assert_eq!(base64(text).as_deref(), Some([0x01, 0x96, 0xb3, 0xd3, 0xdf, 0xbf].as_slice()));
        }
        assert_eq!(base64("AZ"), Some([0x01].into()));
        assert_eq!(base64("A.Z"), None);
    }

    #[test]
    fn a_digest_is_found_by_its_algorithm() {
        let text = alloc::format!("{MD5} sha-1:{}", "0a".repeat(20));
        let Reading::Exact(hashes) = Hashes::read(&text) else { panic!("{text}") };
        assert_eq!(hashes.get(&Algorithm::Sha1), Some([0x0a; 20].as_slice()));
        assert_eq!(hashes.get(&Algorithm::Md5).map(<[u8]>::len), Some(16));
        assert_eq!(hashes.get(&Algorithm::Sha256), None);
    }

    #[test]
    fn a_list_is_written_as_it_was_read() {
        let text = alloc::format!("{MD5} sha-1:{}", "0a".repeat(20));
        let Reading::Exact(hashes) = Hashes::read(&text) else { panic!("{text}") };
        assert_eq!(hashes.to_string(), text);
        assert_eq!(hashes.written_length(), text.len());
        assert!(matches!(Hashes::read(&alloc::format!("\n  {MD5}\t")), Reading::Exact(_)));
    }

    #[test]
    fn each_token_says_what_is_wrong_with_it() {
        let kinds = |text| Hashes::items(text).map(|item| (item.kind, item.digest)).collect::<Vec<_>>();
        assert_eq!(kinds("sha- 256:ab")[0].0, HashKind::NoDigest);
        assert_eq!(kinds("sha- 256:ab")[1], (HashKind::Unknown, DigestForm::Good));
        // The byte after `9`, and those around `a` and `f`.
        for text in [
            "md5:1584abdf8ebdc9802ac0c6a7402c03:6",
            "md5:1584abdf8ebdc9802ac0c6a7402c03`6",
            "md5:1584abdf8ebdc9802ac0c6a7402c03g6",
        ] {
            assert_eq!(kinds(text)[0].1, DigestForm::NotHex { base64: false });
            assert_eq!(Hashes::read(text), Reading::Malformed);
        }
        assert_eq!(kinds("md5:abc")[0].1, DigestForm::WrongLength { digits: 3, expected: 32 });
        assert_eq!(kinds("SHA256:xyz")[0], (HashKind::Alias(Algorithm::Sha256), DigestForm::NotHex { base64: false }));
        assert_eq!(kinds("urn:sha1:ab")[0].0, HashKind::Alias(Algorithm::Sha1));
        assert_eq!(kinds("md5:")[0].0, HashKind::NoDigest);
    }

    #[test]
    fn base64_of_the_right_length_is_understood() {
        let Reading::Lenient(hashes) = Hashes::read("md5:1B2M2Y8AsgTpgAmY7PhCfg==") else { panic!() };
        assert_eq!(hashes.to_string(), "md5:d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(Hashes::read("md5:1B2M2Y8AsgTpgAmY7PhC"), Reading::Malformed);
        assert_eq!(Hashes::read(""), Reading::Malformed);
    }

    #[test]
    fn an_unknown_algorithm_is_kept() {
        let Reading::Exact(hashes) = Hashes::read("blake3:00ff") else { panic!() };
        assert_eq!(hashes.to_string(), "blake3:00ff");
    }
}
