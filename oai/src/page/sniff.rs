//! Recognizes responses that are not OAI-PMH pages.

use alloc::string::String;

/// A response that is not OAI-PMH.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sniffed {
    /// Its apparent type.
    pub kind: SniffedKind,
    /// The start of its first non-blank line.
    pub first_line: String,
}

/// The apparent type of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SniffedKind {
    /// An empty body.
    Empty,
    /// A page for browsers: an error, a login, a landing page.
    Html,
    /// JSON.
    Json,
    /// XML with another root.
    Xml,
    /// Compressed with something other than gzip, or not gzip although it begins so.
    Packed(&'static str),
    /// A ZIP package, a PDF, an image.
    Binary,
    /// Anything else.
    Text,
}

impl SniffedKind {
    /// The identifier for messages and data.
    pub fn as_str(self) -> &'static str {
        match self {
            SniffedKind::Empty => "empty",
            SniffedKind::Html => "HTML",
            SniffedKind::Json => "JSON",
            SniffedKind::Xml => "XML",
            SniffedKind::Packed(name) => name,
            SniffedKind::Binary => "binary data",
            SniffedKind::Text => "text",
        }
    }
}

/// The number of bytes examined.
pub(super) const HEAD: usize = 1 << 10;
/// The maximum number of characters quoted from the first line.
const LINE: usize = 160;

/// Detects compression by the first bytes.
pub(super) fn packed(head: &[u8]) -> Option<&'static str> {
    let signatures: [(&[u8], &str); 5] = [
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"\xfd7zXZ", "xz"),
        (b"BZh", "bzip2"),
        (b"\x1f\x9d", "compress"),
        (b"\x04\x22\x4d\x18", "lz4"),
    ];
    signatures.iter().find(|(signature, _)| head.starts_with(signature)).map(|(_, name)| *name)
}

/// Determines the type of a response that is not OAI-PMH by its first bytes and, for XML, by the name of its root.
pub(super) fn sniff(head: &[u8], root: Option<&str>) -> Sniffed {
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let lower = floor(text, 512).to_ascii_lowercase();
    let names_html = |tag: &str| {
        let mut found = lower.match_indices(tag);
        found
            .any(|(at, tag)| !lower.as_bytes().get(at.saturating_add(tag.len())).is_some_and(u8::is_ascii_alphanumeric))
    };
    let is_html = ["<!doctype html", "<html", "<head", "<body", "<title", "<meta"].iter().any(|tag| names_html(tag));
    let kind = match root {
        Some(root) if root.eq_ignore_ascii_case("html") => SniffedKind::Html,
        Some(_) => SniffedKind::Xml,
        None if head.is_empty() || text.is_empty() => SniffedKind::Empty,
        None if is_html => SniffedKind::Html,
        None => match (packed(head), text.as_bytes().first()) {
            (Some(name), _) => SniffedKind::Packed(name),
            (None, Some(b'{' | b'[')) => SniffedKind::Json,
            _ if head.contains(&0) || head.starts_with(b"PK\x03\x04") || head.starts_with(b"%PDF") => {
                SniffedKind::Binary
            }
            _ => SniffedKind::Text,
        },
    };
    let line = match kind {
        SniffedKind::Packed(_) | SniffedKind::Binary => "",
        _ => text.lines().next().unwrap_or_default(),
    };
    Sniffed { kind, first_line: line.trim_end().chars().take(LINE).collect() }
}

/// The prefix of a text with at most this number of bytes.
pub(super) fn floor(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_instead_is_recognized() {
        for (head, kind, line) in [
            (&b"\n<!DOCTYPE html>\n<html>"[..], SniffedKind::Html, "<!DOCTYPE html>"),
            (b"  <p>x<TITLE>Login", SniffedKind::Html, "<p>x<TITLE>Login"),
            (b"{\"error\": 1}", SniffedKind::Json, "{\"error\": 1}"),
            (b"\x28\xb5\x2f\xfd\x00", SniffedKind::Packed("zstd"), ""),
            (b"Internal Server Error\n", SniffedKind::Text, "Internal Server Error"),
            (b" \r\n ", SniffedKind::Empty, ""),
            (b"", SniffedKind::Empty, ""),
            (b"%PDF-1.7", SniffedKind::Binary, ""),
        ] {
            assert_eq!(sniff(head, None), Sniffed { kind, first_line: line.into() });
        }
        assert_eq!(sniff(b"<?xml version='1.0'?><html>", Some("html")).kind, SniffedKind::Html);
        assert_eq!(sniff(b"<rss>", Some("rss")).kind, SniffedKind::Xml);
    }
}
