//! Digest algorithms and their tokens.

use alloc::{boxed::Box, vec::Vec};

use sha2::digest::Output;

/// Passes to a macro the algorithms whose digests can be checked, one per row: name, token of the standard, hash.
macro_rules! algorithms {
    ($with:ident) => {
        $with! {
            Md5 = "md5", md5::Md5;
            Sha1 = "sha-1", sha1::Sha1;
            Sha256 = "sha-256", sha2::Sha256;
            Sha384 = "sha-384", sha2::Sha384;
            Sha512 = "sha-512", sha2::Sha512;
        }
    };
}
pub(crate) use algorithms;

macro_rules! declare {
    ($($name:ident = $token:literal, $hash:ty;)*) => {
        /// A digest algorithm by the token that names it.
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Algorithm {
            $(#[doc = concat!("`", $token, "`")] $name,)*
            /// Any other token; its digests cannot be checked.
            Other(Box<str>),
        }

        impl Algorithm {
            /// The algorithms whose digests can be checked.
            pub const KNOWN: [Algorithm; [$($token),*].len()] = [$(Algorithm::$name),*];

            /// The token, in the spelling of the standard.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Algorithm::$name => $token,)*
                    Algorithm::Other(token) => token,
                }
            }

            /// Bytes of a digest, if the algorithm is known.
            pub(crate) fn bytes(&self) -> Option<usize> {
                match self {
                    $(Algorithm::$name => Some(size_of::<Output<$hash>>()),)*
                    Algorithm::Other(_) => None,
                }
            }
        }
    };
}
algorithms!(declare);

impl Algorithm {
    /// Hexadecimal digits of a digest, if the algorithm is known.
    pub fn digits(&self) -> Option<usize> {
        self.bytes().map(|bytes| bytes.saturating_mul(2))
    }

    pub(super) fn exact(token: &str) -> Option<Algorithm> {
        Algorithm::KNOWN.into_iter().find(|known| known.as_str() == token)
    }

    /// The algorithm of a token in another spelling: `SHA-256`, `sha256`, `urn:sha1`.
    pub(super) fn alias(token: &str) -> Option<Algorithm> {
        let token = token.strip_prefix("urn:").unwrap_or(token);
        let plain = |text: &str| {
            text.bytes().filter(|byte| !b"-_".contains(byte)).map(|byte| byte.to_ascii_lowercase()).collect::<Vec<_>>()
        };
        let wanted = plain(token);
        Algorithm::KNOWN.into_iter().find(|known| plain(known.as_str()) == wanted)
    }
}
