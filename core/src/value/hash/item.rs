//! A token of `hash` as written, and its problems.

use alloc::boxed::Box;
use core::ops::Range;

use super::{
    Algorithm,
    digits::{base64, hex},
};

/// One token of a `hash` as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashItem<'a> {
    /// Its range in the text.
    pub range: Range<usize>,
    /// The text before the colon.
    pub algorithm_text: &'a str,
    /// The text after the colon.
    pub digest_text: &'a str,
    /// The meaning of the text before the colon.
    pub kind: HashKind,
    /// The form of the digest, regardless of the algorithm's spelling.
    pub digest: DigestForm,
}

/// The meaning of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HashKind {
    /// A known algorithm in the spelling of the standard.
    Known(Algorithm),
    /// A known algorithm in another spelling.
    Alias(Algorithm),
    /// An unknown algorithm.
    Unknown,
    /// No algorithm or no digest (AT-04).
    NoDigest,
}

/// The form of a digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DigestForm {
    /// Hexadecimal, of the right length if that is known.
    Good,
    /// Something other than hexadecimal digits.
    NotHex {
        /// True if it is base64 or base64url of the right number of bytes.
        base64: bool,
    },
    /// Hexadecimal of the wrong length.
    WrongLength {
        /// The number of digits.
        digits: usize,
        /// The number of digits for this algorithm.
        expected: usize,
    },
}

impl<'a> HashItem<'a> {
    pub(super) fn new(range: Range<usize>, token: &'a str) -> HashItem<'a> {
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

    /// The algorithm, if the token names one.
    pub fn algorithm(&self) -> Option<Algorithm> {
        match &self.kind {
            HashKind::Known(algorithm) | HashKind::Alias(algorithm) => Some(algorithm.clone()),
            HashKind::Unknown => Some(Algorithm::Other(self.algorithm_text.into())),
            HashKind::NoDigest => None,
        }
    }

    pub(super) fn bytes(&self) -> Option<Box<[u8]>> {
        match self.digest {
            DigestForm::Good => hex(self.digest_text),
            DigestForm::NotHex { base64: true } => base64(self.digest_text),
            DigestForm::NotHex { .. } | DigestForm::WrongLength { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::value::{Hashes, Parsed, Value};

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
            assert_eq!(Hashes::read(text), Parsed::Malformed);
        }
        assert_eq!(kinds("md5:abc")[0].1, DigestForm::WrongLength { digits: 3, expected: 32 });
        assert_eq!(kinds("SHA256:xyz")[0], (HashKind::Alias(Algorithm::Sha256), DigestForm::NotHex { base64: false }));
        assert_eq!(kinds("urn:sha1:ab")[0].0, HashKind::Alias(Algorithm::Sha1));
        assert_eq!(kinds("md5:")[0].0, HashKind::NoDigest);
    }
}
