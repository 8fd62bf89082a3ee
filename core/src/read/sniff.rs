//! Content sniffing: detects inputs that are not documents.

use alloc::{borrow::Cow, string::String};

use crate::model::Kind;

/// Endings of the names of pages.
const PAGES: [&str; 4] = [".html", ".htm", ".xhtml", ".php"];

/// Maximum bytes inspected.
pub(crate) const HEAD: usize = 512;

/// The word for a ZIP archive.
pub(crate) const ZIP: &str = "a ZIP package";

/// The detected format of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sniffed {
    /// Possibly XML.
    Xml,
    /// gzip.
    Gzip,
    /// Another format: its name and its kind.
    Other(&'static str, Kind),
}

/// True if these first bytes are those of a ZIP archive, which [`Verification`](crate::package::Verification) checks.
pub fn is_package(head: &[u8]) -> bool {
    let beginnings: [&[u8]; 4] = [b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08PK\x03\x04", b"PK00PK\x03\x04"];
    beginnings.iter().any(|beginning| head.starts_with(beginning))
}

/// True for the name of a file that is a package, whatever it contains.
pub fn is_package_name(name: &str) -> bool {
    ends_with(name, ".zip")
}

/// True for the path of a file, with `/` as separator, that is validated as part of a folder: a document or package by its name,
/// or the Source Description at its well-known path (Z39.99-2017 §6.3).
pub fn counts_in_folder(path: &str) -> bool {
    let is_well_known =
        path.strip_suffix(".well-known/resourcesync").is_some_and(|above| above.is_empty() || above.ends_with('/'));
    is_well_known || [".xml", ".xml.gz", ".zip"].iter().any(|ending| ends_with(path, ending))
}

fn ends_with(name: &str, ending: &str) -> bool {
    let start = name.len().saturating_sub(ending.len());
    name.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(ending))
}

/// Detects the format of the first bytes.
pub(crate) fn sniff(head: &[u8]) -> Sniffed {
    let signatures: [(&[u8], &str, Kind); 12] = [
        (b"PK\x03\x04", ZIP, Kind::Package),
        (b"PK\x05\x06", ZIP, Kind::Package),
        (b"%PDF-", "a PDF", Kind::Unknown),
        (b"\x89PNG", "an image", Kind::Unknown),
        (b"\xff\xd8\xff", "an image", Kind::Unknown),
        (b"GIF8", "an image", Kind::Unknown),
        (b"\xfd7zXZ", "an xz archive", Kind::Unknown),
        (b"7z\xbc\xaf", "a 7-Zip archive", Kind::Package),
        (b"BZh", "a bzip2 archive", Kind::Unknown),
        (b"\x28\xb5\x2f\xfd", "a zstd archive", Kind::Unknown),
        (b"Rar!", "a RAR archive", Kind::Package),
        (b"\x7fELF", "binary data", Kind::Unknown),
    ];
    if head.starts_with(b"\x1f\x8b") {
        return Sniffed::Gzip;
    }
    if let Some((_, words, kind)) = signatures.iter().find(|(signature, ..)| head.starts_with(signature)) {
        return Sniffed::Other(words, *kind);
    }
    if head.get(257..262) == Some(b"ustar") {
        return Sniffed::Other("a tar archive", Kind::Package);
    }
    let text = text(head);
    match text.trim_start_matches('\u{feff}').trim_ascii_start().as_bytes().first() {
        Some(b'{' | b'[') => Sniffed::Other("JSON", Kind::Unknown),
        _ if is_html(beginning(&text)) => Sniffed::Other("an HTML page", Kind::Html),
        _ => Sniffed::Xml,
    }
}

/// True for an HTML page: by content, or by media type or URI unless its root is that of a document. The page of a host or folder may
/// contain anything.
pub(crate) fn is_page(head: &[u8], media_type: &str, uri: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or("").trim_ascii();
    let path = uri.split(['?', '#']).next().unwrap_or(uri);
    let has_type = ["text/html", "application/xhtml+xml"].iter().any(|own| essence.eq_ignore_ascii_case(own));
    let has_name = path.ends_with('/') || PAGES.iter().any(|ending| ends_with(path, ending));
    match sniff(head) {
        Sniffed::Other(_, kind) => has_name || kind == Kind::Html,
        Sniffed::Gzip => false,
        Sniffed::Xml => {
            (has_type || has_name) && !matches!(local(tag(beginning(&text(head)))), "urlset" | "sitemapindex")
        }
    }
}

/// Text in UTF-16 if its byte order mark says so, otherwise in UTF-8.
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    let (is_little, rest) = match bytes {
        [0xFF, 0xFE, rest @ ..] => (true, rest),
        [0xFE, 0xFF, rest @ ..] => (false, rest),
        _ => return String::from_utf8_lossy(bytes),
    };
    let unit = |two: &[u8; 2]| if is_little { u16::from_le_bytes(*two) } else { u16::from_be_bytes(*two) };
    let units = rest.as_chunks().0.iter().map(unit);
    char::decode_utf16(units).map(|decoded| decoded.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// True for names such as `part1.tar.xz`, a compressed package.
pub(crate) fn is_tarball(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let short = [".tgz", ".txz", ".tbz", ".tbz2", ".tzst"];
    name.rsplit('/').next().is_some_and(|last| last.contains(".tar.")) || short.iter().any(|end| name.ends_with(end))
}

/// The text after a byte order mark, an XML declaration, comments and white space.
fn beginning(text: &str) -> &str {
    let mut rest = text.trim_start_matches('\u{feff}');
    loop {
        rest = rest.trim_ascii_start();
        let end = if rest.starts_with("<?") {
            "?>"
        } else if rest.starts_with("<!--") {
            "-->"
        } else {
            return rest;
        };
        rest = rest.split_once(end).map_or("", |(_, after)| after);
    }
}

/// The name of the tag at the start of a text.
fn tag(text: &str) -> &str {
    let name = text.strip_prefix('<').unwrap_or("");
    name.split(|c: char| c.is_ascii_whitespace() || c == '>' || c == '/').next().unwrap_or("")
}

/// A name without its prefix.
fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// True if an HTML page starts here, even if it omits optional tags.
fn is_html(beginning: &str) -> bool {
    let tag = tag(beginning);
    let is = |name: &str, word: &str| name.eq_ignore_ascii_case(word);
    let doctype = beginning.strip_prefix('<').and_then(|rest| rest.split_at_checked("!doctype html".len()));
    is(local(tag), "html")
        || ["head", "meta", "title", "link"].iter().any(|word| is(tag, word))
        || doctype.is_some_and(|(word, next)| {
            is(word, "!doctype html")
                && (next.is_empty() || next.starts_with(|c: char| c.is_ascii_whitespace() || c == '>'))
        })
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn what_counts_in_a_folder_is_known_by_its_name() {
        for path in ["a/B.XML", "a.xml.gz", "x/part1.Zip", ".well-known/resourcesync", "site/.well-known/resourcesync"]
        {
            assert!(counts_in_folder(path), "{path}");
        }
        for path in ["a.xml/b", "xml", "a.gz", "site/resourcesync", "a.well-known/resourcesync", "", "日本"] {
            assert!(!counts_in_folder(path), "{path}");
        }
        assert!(is_package_name("A.ZIP") && !is_package_name("zip") && !is_package_name("a.zip.xml"));
    }

    #[test]
    fn a_page_is_known_by_its_beginning() {
        for page in [
            "<!DOCTYPE html>",
            "\u{feff} \n<!doctype HTML PUBLIC",
            "<?xml version='1.0'?><!-- x --><html lang='ja'>",
            "<HTML>",
            "<h:html xmlns:h='http://www.w3.org/1999/xhtml'>",
            "<meta charset=utf-8>",
            "<!-- x --><TITLE>",
        ] {
            assert_eq!(sniff(page.as_bytes()), Sniffed::Other("an HTML page", Kind::Html), "{page}");
            let units = || page.trim_start_matches('\u{feff}').encode_utf16();
            let little: Vec<u8> = [0xFF, 0xFE].into_iter().chain(units().flat_map(u16::to_le_bytes)).collect();
            let big: Vec<u8> = [0xFE, 0xFF].into_iter().chain(units().flat_map(u16::to_be_bytes)).collect();
            assert!(is_page(&little, "", "") && is_page(&big, "", ""), "{page}");
        }
        for xml in ["<urlset>", "<?xml version='1.0'?>", "<htmlx>", "", "   ", "<!DOCTYPE urlset>", "<titles>", "text"]
        {
            assert_eq!(sniff(xml.as_bytes()), Sniffed::Xml, "{xml}");
        }
        assert_eq!(sniff(b"<!-- <html>"), Sniffed::Xml);
        assert_eq!(sniff(b" [1]"), Sniffed::Other("JSON", Kind::Unknown));
    }

    #[test]
    fn a_media_type_says_what_a_page_is_where_it_looks_like_nothing() {
        assert!(is_page(b"<p>x", "Text/HTML; charset=utf-8", ""));
        assert!(is_page(b"<x:y>", "application/xhtml+xml", ""));
        for (head, media_type) in [
            (&b"<p>x"[..], "application/xml"),
            (b"<p>x", ""),
            (b"<?xml version='1.0'?><urlset>", "text/html"),
            (b"<s:sitemapindex ", "text/html"),
            (b"\x1f\x8b", "text/html"),
        ] {
            assert!(!is_page(head, media_type, "http://example.com/a"));
        }
    }

    #[test]
    fn the_page_of_a_host_may_contain_anything_but_a_document() {
        for head in [&b""[..], b"hello", b"# Title", b"[link](x)", b"<?php echo 1;", b"%PDF-"] {
            for uri in ["http://example.com/", "http://example.com/index.html?x", "http://example.com/a.PHP"] {
                assert!(is_page(head, "", uri), "{uri}");
            }
            assert!(!is_page(head, "", "http://example.com/.well-known/resourcesync"));
        }
        for head in [&b"<urlset"[..], b"<?xml version='1.0'?><s:sitemapindex ", b"\x1f\x8b"] {
            assert!(!is_page(head, "", "http://example.com/"));
        }
    }
}
