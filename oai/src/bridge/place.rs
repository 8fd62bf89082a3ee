//! The path of a record in a store: a name that does not collide with others on any file system.

use alloc::{borrow::ToOwned, format, string::String};

use resourcesync::value::to_hex;
use sha2::{Digest, Sha256};

/// Maximum bytes of a name, without extension.
const LONGEST: usize = 200;
/// Digits of the digest that makes names distinct.
const DIGITS: usize = 16;

/// The path of a record, relative to the store, without extension: `records/oai_dc/7f/3a/oai%3Aexample.org%3A1234`.
pub fn place(prefix: &str, identifier: &str) -> String {
    let digest = to_hex(&Sha256::digest(identifier.as_bytes()));
    let (first, second) = (digest.get(..2).unwrap_or_default(), digest.get(2..4).unwrap_or_default());
    format!("records/{}/{first}/{second}/{}", name(prefix), name(identifier))
}

/// The first digits of the SHA-256 of a text: enough to make a few names distinct.
#[must_use]
pub fn short_digest(text: &str) -> String {
    to_hex(&Sha256::digest(text.as_bytes())).get(..8).unwrap_or_default().to_owned()
}

/// A text as a file name: everything except lower-case letters, digits, `-`, `_` and inner `.` is percent-encoded. A digest is appended
/// if the name could collide on a case-insensitive file system; it replaces a name that would be too long.
fn name(text: &str) -> String {
    let mut name = String::new();
    for (at, byte) in text.bytes().enumerate() {
        let is_dot = byte == b'.' && at > 0 && at.saturating_add(1) < text.len();
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || is_dot {
            name.push(byte as char);
        } else {
            name.push_str(&format!("%{byte:02X}"));
        }
    }
    let digest = to_hex(&Sha256::digest(text.as_bytes()));
    if name.is_empty() || name.len() > LONGEST {
        return digest;
    }
    let has_case = text.bytes().any(|byte| byte.is_ascii_uppercase());
    if has_case || is_reserved(&name) {
        return format!("{name}~{}", digest.get(..DIGITS).unwrap_or_default());
    }
    name
}

/// Device names of Windows, with any extension.
fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let is_numbered = |word: &str| {
        stem.strip_prefix(word).is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    matches!(stem, "con" | "prn" | "aux" | "nul") || is_numbered("com") || is_numbered("lpt")
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;

    #[test]
    fn any_identifier_has_a_place_of_its_own_inside_the_store() {
        let identifiers = [
            "oai:example.org:1234",
            "oai:Example.org:1234",
            "oai:EXAMPLE.org:1234",
            "../../etc/passwd",
            "/../",
            "..",
            ".",
            "",
            "a\0b",
            "a/b",
            "a\\b",
            "con",
            "nul.x",
            "日本",
            &"x".repeat(4096),
            &"x".repeat(4097),
            "%2E",
            "a~b",
        ];
        let mut places = BTreeSet::new();
        for identifier in identifiers {
            let place = place("oai_dc", identifier);
            assert!(places.insert(place.to_lowercase()), "{place}");
            assert_eq!(place.split('/').count(), 5, "{place}");
            let name = place.rsplit('/').next().unwrap_or_default();
            assert!(name.len() <= 220 && !name.starts_with('.') && !name.is_empty(), "{name}");
            assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.%~".contains(&byte)), "{name}");
        }
        assert!(place("oai_dc", "oai:example.org:1234").ends_with("/oai%3Aexample.org%3A1234"));
        assert_eq!(place("..", "a").split('/').nth(1), Some("%2E%2E"));
    }
}
