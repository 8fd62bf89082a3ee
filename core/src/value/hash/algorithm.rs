//! Digest algorithms and their tokens.

use alloc::{boxed::Box, vec::Vec};

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

    pub(super) fn exact(token: &str) -> Option<Algorithm> {
        Algorithm::KNOWN.into_iter().find(|known| known.as_str() == token)
    }

    /// What a token means that is spelt otherwise: `SHA-256`, `sha256`, `urn:sha1`.
    pub(super) fn alias(token: &str) -> Option<Algorithm> {
        let token = token.strip_prefix("urn:").unwrap_or(token);
        let plain = |text: &str| {
            text.bytes().filter(|byte| !b"-_".contains(byte)).map(|byte| byte.to_ascii_lowercase()).collect::<Vec<_>>()
        };
        let wanted = plain(token);
        Algorithm::KNOWN.into_iter().find(|known| plain(known.as_str()) == wanted)
    }
}
