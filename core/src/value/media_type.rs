//! Media types: syntax, and the IANA registry.

use alloc::{borrow::Cow, string::String};
use core::fmt;

use memchr::memchr;

use super::{Parsed, Value};

/// A snapshot of the IANA registry, one lower-case type per line, sorted bytewise. A missing type may be new.
const REGISTRY: &str = include_str!("media_types.txt");

/// The most common types, recognized without parsing, searching or allocating, which took a tenth of
/// validating a list.
const COMMON: [&str; 20] = [
    "application/pdf",
    "text/html",
    "application/xml",
    "text/xml",
    "application/json",
    "application/zip",
    "text/plain",
    "image/jpeg",
    "image/png",
    "image/tiff",
    "text/csv",
    "application/gzip",
    "application/ld+json",
    "application/rdf+xml",
    "application/octet-stream",
    "application/json-patch+json",
    "application/atom+xml",
    "image/jp2",
    "video/mp4",
    "audio/mpeg",
];

/// The offset of each line of the registry. Computed at compile time, which checks every index.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
static LINES: [u32; count_lines(REGISTRY.as_bytes())] = {
    let (bytes, mut lines) = (REGISTRY.as_bytes(), [0; count_lines(REGISTRY.as_bytes())]);
    let (mut at, mut line) = (0, 1);
    while line < lines.len() {
        if bytes[at] == b'\n' {
            lines[line] = at as u32 + 1;
            line += 1;
        }
        at += 1;
    }
    lines
};

#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
const fn count_lines(text: &[u8]) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < text.len() {
        count += (text[at] == b'\n') as usize;
        at += 1;
    }
    count
}

/// A media type with its parameters, as written (RFC 6838, RFC 9110 §8.3.1).
///
/// INVARIANT: borrowed values are those of `COMMON`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MediaType(Cow<'static, str>);

impl MediaType {
    /// The number of the text among the most common types.
    #[inline]
    pub(crate) fn common(text: &[u8]) -> Option<usize> {
        COMMON.iter().position(|common| common.as_bytes() == text)
    }

    /// One of the most common types by its number.
    pub(crate) fn numbered(number: usize) -> Option<MediaType> {
        COMMON.get(number).map(|common| MediaType(Cow::Borrowed(common)))
    }

    /// The whole text as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// `type/subtype` in lower case, without parameters.
    pub fn essence(&self) -> String {
        self.bare().to_ascii_lowercase()
    }

    /// True if both name the same type, parameters aside.
    pub fn same_essence(&self, other: &MediaType) -> bool {
        self.bare().eq_ignore_ascii_case(other.bare())
    }

    /// `application/zip`.
    pub fn zip() -> MediaType {
        MediaType(Cow::Borrowed("application/zip"))
    }

    /// `application/octet-stream`: any bytes.
    pub fn bytes() -> MediaType {
        MediaType(Cow::Borrowed("application/octet-stream"))
    }

    /// `application/xml`.
    pub fn xml() -> MediaType {
        MediaType(Cow::Borrowed("application/xml"))
    }

    /// True if this is `application/zip`.
    pub fn is_zip(&self) -> bool {
        self.bare().eq_ignore_ascii_case("application/zip")
    }

    /// True if the type is in our snapshot of the IANA registry.
    pub fn is_registered(&self) -> bool {
        if matches!(self.0, Cow::Borrowed(_)) {
            return true;
        }
        let wanted = self.essence();
        // Uses the table of lines: splitting the text each time took three quarters of the search.
        let line = |start: &u32| REGISTRY.get(*start as usize..).and_then(|rest| rest.split('\n').next()).unwrap_or("");
        LINES.binary_search_by(|start| line(start).cmp(&wanted)).is_ok()
    }

    fn bare(&self) -> &str {
        until_semicolon(&self.0).trim_end()
    }
}

/// True for a non-empty token of HTTP.
pub(super) fn is_token(text: &[u8]) -> bool {
    let mark = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    !text.is_empty() && text.iter().all(mark)
}

/// True for a name as defined by RFC 6838 §4.2.
fn is_name(text: &str) -> bool {
    let first = text.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric);
    let rest = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte));
    first && rest && text.len() <= 127
}

fn until_semicolon(text: &str) -> &str {
    memchr(b';', text.as_bytes()).and_then(|end| text.get(..end)).unwrap_or(text)
}

fn blank(text: &str) -> &str {
    text.trim_start_matches([' ', '\t'])
}

fn is_media_type(text: &str) -> bool {
    let bare = until_semicolon(text);
    let Some((kind, subtype)) = bare.trim_end_matches([' ', '\t']).split_once('/') else { return false };
    if !is_name(kind) || !is_name(subtype) {
        return false;
    }
    let mut rest = text.get(bare.len()..).unwrap_or("");
    if rest.is_empty() && bare.ends_with([' ', '\t']) {
        return false;
    }
    while let Some(parameter) = blank(rest).strip_prefix(';') {
        // A trailing semicolon is legal (RFC 9110 §5.6.6).
        if matches!(blank(parameter).bytes().next(), None | Some(b';')) {
            rest = blank(parameter);
            continue;
        }
        let Some((name, value)) = blank(parameter).split_once('=') else { return false };
        if !is_token(name.as_bytes()) {
            return false;
        }
        let Some(after) = parameter_value(value) else { return false };
        rest = after;
    }
    rest.is_empty()
}

/// The rest after a token or a quoted string.
fn parameter_value(text: &str) -> Option<&str> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([';', ' ', '\t']).unwrap_or(text.len());
        let (token, rest) = text.split_at_checked(end)?;
        return is_token(token.as_bytes()).then_some(rest);
    };
    let mut escaped = false;
    for (at, byte) in quoted.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return quoted.get(at.saturating_add(1)..),
            _ => {}
        }
    }
    None
}

impl Value for MediaType {
    fn read(text: &str) -> Parsed<MediaType> {
        if let Some(common) = MediaType::common(text.as_bytes()).and_then(MediaType::numbered) {
            return Parsed::Exact(common);
        }
        let owned = |text: &str| MediaType(Cow::Owned(text.into()));
        if is_media_type(text) {
            return Parsed::Exact(owned(text));
        }
        let trimmed = text.trim();
        if is_media_type(trimmed) { Parsed::Lenient(owned(trimmed)) } else { Parsed::Malformed }
    }

    fn spelling(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.0)
    }
}

impl fmt::Display for MediaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(text: &str) -> Option<MediaType> {
        if let Parsed::Exact(media_type) = MediaType::read(text) { Some(media_type) } else { None }
    }

    #[test]
    fn suffixes_dots_and_parameters_are_legal() {
        for text in [
            "text/html",
            "application/ld+json",
            "application/vnd.oai.openapi+json;version=3.0",
            "text/html; charset=utf-8",
            "application/atom+xml ; type=\"entry;feed\"",
            "x-foo/bar",
            "TEXT/HTML",
            "text/xml;a=\"\\\"\";b=c",
            "text/html;",
            "text/html; ; a=b;;",
            "text/html; ",
        ] {
            assert_eq!(exact(text).as_ref().map(MediaType::as_str), Some(text));
        }
        for text in [
            "",
            "text",
            "text/",
            "/html",
            "text/html;charset",
            "text /html",
            "text/html;a=\"b",
            "text/a b",
            "*/*",
            "text/html ",
            "text/html;a=b ",
        ] {
            assert!(exact(text).is_none(), "{text}");
        }
    }

    #[test]
    fn the_registry_is_sorted_and_searched() {
        assert!(REGISTRY.lines().zip(REGISTRY.lines().skip(1)).all(|(a, b)| a < b));
        assert!(REGISTRY.lines().all(|line| exact(line).is_some_and(|media_type| media_type.is_registered())));
        let registered = |text| exact(text).is_some_and(|media_type| media_type.is_registered());
        assert!(COMMON.iter().all(|common| REGISTRY.lines().any(|line| line == *common)));
        assert!(registered("application/json-patch+json"));
        assert!(registered("Application/ZIP"));
        assert!(!registered("application/json-patch"));
        assert!(!registered("aaa/aaa"));
        assert!(!registered("zzz/zzz"));
    }
}
