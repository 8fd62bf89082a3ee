//! The comparison key of a URI.

use alloc::string::{String, ToString};

use memchr::{memchr, memchr3};

use super::{Parsed, Uri, Value};
use crate::bytes;

/// Normalizes a URI, without its fragment.
pub fn key(uri: &str) -> String {
    let bare = uri.split('#').next().unwrap_or(uri);
    match Uri::read(bare) {
        Parsed::Exact(uri) | Parsed::Lenient(uri) => uri.normalized(),
        Parsed::Malformed => bare.to_string(),
    }
}

/// True if a URI is its own key, by far the most common case: a hundredth of the cost of computing the key. Checked by a
/// test.
pub(crate) fn is_key(uri: &str) -> bool {
    let bytes = uri.as_bytes();
    let Some(rest) = bytes.strip_prefix(b"http://").or_else(|| bytes.strip_prefix(b"https://")) else { return false };
    let Some((host, path)) = memchr(b'/', rest).and_then(|slash| rest.split_at_checked(slash)) else { return false };
    // The port may be the default port.
    let is_of_host = |byte: u8| byte.is_ascii_lowercase() | byte.is_ascii_digit() | (byte == b'-') | (byte == b'.');
    !host.is_empty() && bytes::all(host, is_of_host) && is_normal_path(path)
}

/// True if path and query are in normal form and there is no fragment.
fn is_normal_path(path: &[u8]) -> bool {
    // Everything up to the byte before the first of these is in normal form.
    let Some(first) = memchr3(b'%', b'#', b'.', path) else { return true };
    let mut rest = path.get(first.saturating_sub(1)..).unwrap_or(path);
    loop {
        rest = match rest {
            [] => return true,
            // A dot segment, or one that starts like it.
            [b'#', ..] | [b'/', b'.', ..] => return false,
            [b'%', high, low, after @ ..] if is_normal_escape(*high, *low) => after,
            [b'%', ..] => return false,
            [_, after @ ..] => after,
        };
    }
}

/// True for upper-case digits of a character that must be escaped.
fn is_normal_escape(high: u8, low: u8) -> bool {
    let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'A'..=b'F');
    let is_letter = match high {
        b'4' | b'6' => low != b'0',
        b'5' | b'7' => matches!(low, b'0'..=b'9' | b'A'),
        _ => false,
    };
    let is_unreserved = match high {
        b'2' => matches!(low, b'D' | b'E'),
        b'3' => low.is_ascii_digit(),
        b'5' => low == b'F',
        b'7' => low == b'E',
        _ => false,
    };
    is_digit(high) && is_digit(low) && !is_letter && !is_unreserved
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn spellings_of_one_uri_have_one_key() {
        assert_eq!(key("HTTP://A.example:80/%7eb#c"), key("http://a.example/~b"));
    }

    #[test]
    fn what_is_taken_for_a_key_is_one() {
        let pieces = |texts: &[&str], of: &[&str]| -> Vec<String> {
            texts.iter().flat_map(|text| of.iter().map(move |piece| alloc::format!("{text}{piece}"))).collect()
        };
        let of = |texts: Vec<String>, of: &[&str]| pieces(&texts.iter().map(String::as_str).collect::<Vec<_>>(), of);
        let path = [
            "", "/", "/a", "/.", "/..", ".", "/%41", "/%2F", "/%2f", "/%7E", "/~", "/a.b", "?", "?/../", "#a", ":",
            "%C3%A9", "%C", "%",
        ];
        let hosts =
            ["a.example", "A.example", "", "a.example:80", "a.example:8080", "u@a.example", "[::1]", "%41.example"];
        let all = of(of(of(pieces(&["http://", "https://", "HTTP://", "urn:"], &hosts), &path), &path), &path);
        let keys = all.iter().filter(|uri| is_key(uri));
        assert!(keys.clone().count() > 1000);
        for uri in keys.filter(|uri| Uri::problem(uri).is_none()) {
            assert_eq!(key(uri), *uri);
        }
        for code in 0..=255_u8 {
            let uri = alloc::format!("http://a.example/%{code:02X}");
            assert_eq!(is_key(&uri), key(&uri) == uri, "{uri}");
        }
        for uri in ["http://a.example/", "https://a.example/b/c.d?e=f/g", "http://a.example/%E6%97%A5%20b"] {
            assert!(is_key(uri), "{uri}");
        }
    }
}
