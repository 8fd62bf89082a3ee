//! `X-Hub-Signature`: signs deliveries, and verifies them before their content is read (W §7).

use alloc::{string::String, vec::Vec};
use core::fmt;

use hmac::{Hmac, KeyInit, Mac};
use resourcesync::value::to_hex;
use sha1::Sha1;
use sha2::{Sha256, Sha384, Sha512};

/// The maximum number of signatures checked in one request; a hub sends one.
const MOST: usize = 8;

/// Defines the algorithms: their names and digest lengths in bytes.
macro_rules! algorithms {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $hash:ty;)*) => {
        /// A hash function of HMAC.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Algorithm { $($(#[$doc])* $name),* }

        impl Algorithm {
            /// All algorithms, the weakest first.
            pub const ALL: &'static [Algorithm] = &[$(Algorithm::$name),*];

            /// The name in a signature.
            pub fn as_str(self) -> &'static str {
                match self { $(Algorithm::$name => $text),* }
            }

            /// The HMAC of a body.
            fn tag(self, secret: &[u8], body: &[u8]) -> Vec<u8> {
                match self { $(Algorithm::$name => keyed::<Hmac<$hash>>(secret, body).finalize().into_bytes().to_vec()),* }
            }

            /// Compares in constant time.
            fn is_tag(self, secret: &[u8], body: &[u8], tag: &[u8]) -> bool {
                match self { $(Algorithm::$name => keyed::<Hmac<$hash>>(secret, body).verify_slice(tag).is_ok()),* }
            }
        }
    };
}

algorithms! {
    /// HMAC-SHA1; allowed by the Recommendation for old hubs.
    Sha1 = "sha1", Sha1;
    /// HMAC-SHA256.
    Sha256 = "sha256", Sha256;
    /// HMAC-SHA384.
    Sha384 = "sha384", Sha384;
    /// HMAC-SHA512.
    Sha512 = "sha512", Sha512;
}

fn keyed<M: Mac + KeyInit>(secret: &[u8], body: &[u8]) -> M {
    let mut mac = <M as KeyInit>::new_from_slice(secret).expect("HMAC takes keys of any length");
    mac.update(body);
    mac
}

impl Algorithm {
    /// The algorithm of this name.
    pub fn find(name: &str) -> Option<Algorithm> {
        Algorithm::ALL.iter().copied().find(|algorithm| algorithm.as_str() == name)
    }
}

/// The value of `X-Hub-Signature` for a body.
///
/// ```
/// use resourcesync_notify::signature::{Algorithm, sign, verify};
///
/// let signature = sign(Algorithm::Sha256, b"secret", b"<urlset/>");
/// assert_eq!(&signature[..14], "sha256=926b967");
/// assert_eq!(verify(b"secret", [&*signature], b"<urlset/>", &[Algorithm::Sha256]), Ok(Algorithm::Sha256));
/// ```
pub fn sign(algorithm: Algorithm, secret: &[u8], body: &[u8]) -> String {
    let (name, digits) = (algorithm.as_str(), to_hex(&algorithm.tag(secret, body)));
    [name, "=", &digits].concat()
}

/// Verifies a body against the values of its `X-Hub-Signature` headers; one valid value is sufficient.
///
/// A value may be a list, because some servers join fields of the same name. Algorithm names and digits are in lower case.
///
/// # Errors
///
/// If none of them is valid.
pub fn verify<'a>(
    secret: &[u8],
    headers: impl IntoIterator<Item = &'a str>,
    body: &[u8],
    allowed: &[Algorithm],
) -> Result<Algorithm, SignatureError> {
    let mut worst = SignatureError::Missing;
    let values = headers.into_iter().flat_map(|header| header.split(',')).map(str::trim_ascii);
    for value in values.filter(|value| !value.is_empty()).take(MOST) {
        let (name, digits) = value.split_once('=').unwrap_or((value, ""));
        let found = match Algorithm::find(name) {
            None => SignatureError::UnknownAlgorithm,
            Some(algorithm) if !allowed.contains(&algorithm) => SignatureError::WeakAlgorithm(algorithm),
            Some(algorithm) => match bytes(digits) {
                Some(tag) if algorithm.is_tag(secret, body, &tag) => return Ok(algorithm),
                _ => SignatureError::Wrong,
            },
        };
        worst = worst.max(found);
    }
    Err(worst)
}

/// Hexadecimal digits in lower case, two for each byte.
pub(crate) fn bytes(digits: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| match byte {
        b'0'..=b'9' => byte.checked_sub(b'0'),
        b'a'..=b'f' => byte.checked_sub(b'a' - 10),
        _ => None,
    };
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some(digit(high)? << 4 | digit(low)?),
        _ => None,
    };
    digits.as_bytes().chunks(2).map(pair).collect()
}

/// The reason why a request has no valid signature. The last of several reasons is the most specific.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SignatureError {
    /// The signature is missing.
    Missing,
    /// The algorithm is unknown.
    UnknownAlgorithm,
    /// The algorithm is not allowed.
    WeakAlgorithm(Algorithm),
    /// The signature does not match the body and the secret.
    Wrong,
}

impl SignatureError {
    /// A short identifier for data.
    pub fn as_str(self) -> &'static str {
        match self {
            SignatureError::Missing => "missing",
            SignatureError::UnknownAlgorithm => "unknown-algorithm",
            SignatureError::WeakAlgorithm(_) => "weak-algorithm",
            SignatureError::Wrong => "wrong",
        }
    }
}

impl fmt::Display for SignatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignatureError::Missing => f.write_str("no signature"),
            SignatureError::UnknownAlgorithm => f.write_str("unknown signature algorithm"),
            SignatureError::WeakAlgorithm(algorithm) => write!(f, "{} is not allowed", algorithm.as_str()),
            SignatureError::Wrong => f.write_str("the signature does not match"),
        }
    }
}

impl core::error::Error for SignatureError {}

#[cfg(test)]
mod tests {
    use super::*;

    const STRONG: &[Algorithm] = &[Algorithm::Sha256, Algorithm::Sha384, Algorithm::Sha512];
    const BODY: &[u8] = b"<urlset/>";

    fn check(headers: &[&str]) -> Result<Algorithm, SignatureError> {
        verify(b"secret", headers.iter().copied(), BODY, STRONG)
    }

    #[test]
    fn what_is_signed_verifies_with_its_secret_and_body_only() {
        for algorithm in Algorithm::ALL.iter().copied() {
            let signature = sign(algorithm, b"secret", BODY);
            assert_eq!(verify(b"secret", [&*signature], BODY, Algorithm::ALL), Ok(algorithm));
            assert_eq!(verify(b"other", [&*signature], BODY, Algorithm::ALL), Err(SignatureError::Wrong));
            assert_eq!(verify(b"secret", [&*signature], b"<urlset/> ", Algorithm::ALL), Err(SignatureError::Wrong));
            assert_eq!(Algorithm::find(algorithm.as_str()), Some(algorithm));
        }
    }

    #[test]
    fn a_signature_is_complete_and_in_lower_case() {
        let signature = sign(Algorithm::Sha256, b"secret", BODY);
        let digits = signature.trim_start_matches("sha256=");
        for wrong in [
            alloc::format!("sha256={}", digits.to_ascii_uppercase()),
            alloc::format!("sha256={}", &digits[..62]),
            alloc::format!("sha256={}", &digits[..63]),
            alloc::format!("sha256={digits}00"),
            alloc::format!("sha256=0x{digits}"),
            alloc::format!("sha384={digits}"),
            String::from("sha256="),
        ] {
            assert_eq!(check(&[&wrong]), Err(SignatureError::Wrong), "{wrong}");
        }
        for unknown in [alloc::format!("SHA256={digits}"), alloc::format!("md5={digits}"), String::from(digits)] {
            assert_eq!(check(&[&unknown]), Err(SignatureError::UnknownAlgorithm), "{unknown}");
        }
        assert_eq!(check(&[]), Err(SignatureError::Missing));
        assert_eq!(check(&["", " , "]), Err(SignatureError::Missing));
    }

    #[test]
    fn one_right_signature_among_several_is_enough() {
        let (right, weak) = (sign(Algorithm::Sha512, b"secret", BODY), sign(Algorithm::Sha1, b"secret", BODY));
        assert_eq!(check(&[&weak]), Err(SignatureError::WeakAlgorithm(Algorithm::Sha1)));
        assert_eq!(check(&[&weak, &right]), Ok(Algorithm::Sha512));
        // Some servers join fields of the same name; blanks around a value are not part of it.
        assert_eq!(check(&[&alloc::format!("md5=00, {right} ,{weak}")]), Ok(Algorithm::Sha512));
        // Bounds the work that one request can cause.
        assert_eq!(check(&[&alloc::format!("{}{right}", "sha256=00,".repeat(8))]), Err(SignatureError::Wrong));
    }
}
