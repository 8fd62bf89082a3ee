//! The part of a URI that is the same for all of a Source, and the part that changes, as documents write them.

use alloc::string::String;

use memchr::memchr;

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

    /// The length of what may follow the fixed part, as a document writes it: characters of paths and queries, and escapes, up to the first
    /// other byte; and whether there is an `&amp;`.
    #[inline]
    pub(crate) fn variable_part(text: &[u8]) -> (usize, bool) {
        let (mut rest, mut escaped) = (text, false);
        loop {
            while let Some((piece, after)) = rest.split_first_chunk::<16>()
                && bytes::whole(piece, &is_common)
            {
                rest = after;
            }
            let plain =
                rest.iter().take(16).take_while(|byte| IS_PLAIN.get(usize::from(**byte)) == Some(&true)).count();
            rest = match rest.get(plain..).unwrap_or_default() {
                [b'&', b'a', b'm', b'p', b';', after @ ..] => {
                    escaped = true;
                    after
                }
                [b'%', high, low, after @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => after,
                after if plain == 16 => after,
                after => return (text.len().wrapping_sub(after.len()), escaped),
            };
        }
    }
}

/// Which bytes are characters of paths and queries, except the ampersand, which is escaped, and the apostrophe, which may be the end of the
/// value. Computed at compile time, which checks every index.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
static IS_PLAIN: [bool; 256] = {
    let mut all = [false; 256];
    let mut byte = 0_u8;
    while byte < 0x80 {
        all[byte as usize] = is_plain(byte) && byte != b'&' && byte != b'\'';
        byte += 1;
    }
    all
};

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
            let usual = Uri::variable_part(&tail).0 == tail.len();
            let text = alloc::format!("http://h/{}", alloc::string::String::from_utf8_lossy(&tail));
            assert!(!usual || Uri::problem(&text).is_none() && byte != b'&', "{text}");
        }
        let mut place = None;
        for (tail, length, escaped, text) in [
            ("a?b=c&amp;d", 11, true, "http://h/a?b=c&d"),
            ("&amp;&amp;", 10, true, "http://h/&&"),
            ("", 0, false, "http://h/"),
            ("a&amp", 1, false, ""),
            ("a&amp;<", 6, true, ""),
            ("a%20&amp;%E3", 12, true, "http://h/a%20&%E3"),
            ("a%2", 1, false, ""),
            ("a'b", 1, false, ""),
            ("a@~!$\"", 5, false, ""),
        ] {
            assert_eq!(Uri::variable_part(tail.as_bytes()), (length, escaped), "{tail}");
            if !text.is_empty() {
                Uri::replace(&mut place, &alloc::format!("http://h/{tail}"), escaped);
                assert_eq!(place.as_ref().map(Uri::as_str), Some(text));
            }
        }
    }
}
