//! Percent-encoding.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Everything except the unreserved characters of RFC 3986.
pub(crate) const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Everything except the characters that RFC 3986 allows in a path.
pub(crate) const PATH: &AsciiSet = &SEGMENT
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@')
    .remove(b'/');

/// Decodes escapes such as `%41`; text that would not be UTF-8 stays unchanged.
#[must_use]
pub fn percent_decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_string(), |decoded| decoded.into_owned())
}

/// Decodes a path segment as a file name, which need not be UTF-8; `None` if it is not one, or would lead elsewhere.
pub(crate) fn percent_decoded_name(segment: &str) -> Option<Vec<u8>> {
    let mut escapes = segment.split('%').skip(1);
    let is_hex = |byte: &u8| byte.is_ascii_hexdigit();
    if !escapes.all(|after| after.as_bytes().get(..2).is_some_and(|digits| digits.iter().all(is_hex))) {
        return None;
    }
    let name: Vec<u8> = percent_decode_str(segment).collect();
    let is_name = !name.iter().any(|byte| matches!(byte, b'/' | 0)) && !matches!(&*name, b"" | b"." | b"..");
    is_name.then_some(name)
}

/// Encodes text as a path segment.
pub(crate) fn percent_encoded(text: &str) -> String {
    percent_encoded_but(text, SEGMENT)
}

/// Encodes the characters of the set, and all that are not ASCII.
pub(crate) fn percent_encoded_but(text: &str, set: &'static AsciiSet) -> String {
    utf8_percent_encode(text, set).to_string()
}
