//! The part of a URI that is the same for all of a Source, and the part that changes, as documents write them.

use alloc::string::String;

use memchr::{memchr, memchr2_iter};

use super::{
    Uri,
    plain::{is_plain, is_plain_http},
};
use crate::bytes;

impl Uri {
    /// Replaces a URI by another in its memory: the text of a document that begins as [`Uri::fixed_part`] says and continues as
    /// [`Uri::variable_part`] says; with `&amp;` if `escaped`.
    pub(crate) fn replace(place: &mut Option<Uri>, written: &str, escaped: bool) {
        let mut text = String::from(place.take().map(|uri| uri.0).unwrap_or_default());
        text.clear();
        let mut rest = written;
        if escaped {
            // Not by searching for a text, which takes longer than everything else here.
            while let Some(end) = memchr(b'&', rest.as_bytes()).map(|at| at.saturating_add(1)) {
                text.push_str(rest.get(..end).unwrap_or_default());
                rest = rest.get(end.saturating_add("amp;".len())..).unwrap_or_default();
            }
        }
        text.reserve_exact(rest.len());
        text.push_str(rest);
        debug_assert_eq!(Uri::problem(&text), None, "{text}");
        *place = Some(Uri(text.into_boxed_str()));
    }

    /// The length of scheme, authority and first slash, if a URI of the common form has them: `http(s)://`, a host name, a port.
    pub(crate) fn fixed_part(&self) -> Option<usize> {
        let before = self.0.find("://")?.saturating_add("://".len());
        let length = before.saturating_add(memchr(b'/', self.0.as_bytes().get(before..)?)?).saturating_add(1);
        is_plain_http(self.0.as_bytes().get(..length)?).then_some(length)
    }

    /// Whether there is an `&amp;` in what follows the fixed part, if that is nothing but characters of paths and queries, and escapes, as
    /// a document writes them.
    #[inline]
    pub(crate) fn variable_part(written: &[u8]) -> Option<bool> {
        if bytes::all(written, is_common) {
            return Some(false);
        }
        if !bytes::all(written, |byte| is_plain(byte) | (byte == b'%')) {
            return None;
        }
        let mut escaped = false;
        for special in memchr2_iter(b'%', b'&', written) {
            match written.get(special..)? {
                [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {}
                [b'&', b'a', b'm', b'p', b';', ..] => escaped = true,
                _ => return None,
            }
        }
        Some(escaped)
    }
}

/// Characters of most paths and queries. There are few conditions, since each is tested for every byte.
fn is_common(byte: u8) -> bool {
    matches!(byte, b'('..=b';') | (byte | 0x20).is_ascii_lowercase() | (byte == b'=') | (byte == b'?') | (byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_and_a_variable_part_are_a_uri() {
        let fixed = |text: &str| text.parse::<Uri>().ok().and_then(|uri| uri.fixed_part());
        assert_eq!(fixed("https://example.com/a/b"), Some("https://example.com/".len()));
        assert_eq!(fixed("http://example.com:80/"), Some("http://example.com:80/".len()));
        for text in ["http://example.com", "urn:isbn:1", "ftp://a/", "http://u@h/", "HTTP://h/"] {
            assert_eq!(fixed(text), None, "{text}");
        }
        for byte in 0..=0xff_u8 {
            let tail = [b"aaaaaaaaaaaaaaaa", [byte].as_slice(), b"bb"].concat();
            let usual = Uri::variable_part(&tail).is_some();
            let text = alloc::format!("http://h/{}", alloc::string::String::from_utf8_lossy(&tail));
            assert!(!usual || Uri::problem(&text).is_none() && byte != b'&', "{text}");
        }
        let mut place = None;
        for (tail, escaped, text) in [
            ("a?b=c&amp;d", Some(true), "http://h/a?b=c&d"),
            ("&amp;&amp;", Some(true), "http://h/&&"),
            ("", Some(false), "http://h/"),
            ("a&amp", None, ""),
            ("a&amp;<", None, ""),
            ("a%20&amp;%E3", Some(true), "http://h/a%20&%E3"),
            ("a%2", None, ""),
        ] {
            assert_eq!(Uri::variable_part(tail.as_bytes()), escaped, "{tail}");
            if let Some(escaped) = escaped {
                Uri::replace(&mut place, &alloc::format!("http://h/{tail}"), escaped);
                assert_eq!(place.as_ref().map(Uri::as_str), Some(text));
            }
        }
    }
}
