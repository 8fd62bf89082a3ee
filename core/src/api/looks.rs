//! Recognises what is given where a document was expected.

use crate::model::Kind;

/// Bytes looked at.
pub(super) const HEAD: usize = 512;

/// What a ZIP archive looks like.
pub(super) const ZIP: &str = "a ZIP package";

/// What an input looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Looks {
    /// It may be XML.
    Xml,
    /// It is gzip.
    Gzip,
    /// It is something else: in words, and its kind.
    Other(&'static str, Kind),
}

/// Judges by the first bytes.
pub(super) fn like(head: &[u8]) -> Looks {
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
        return Looks::Gzip;
    }
    if let Some((_, words, kind)) = signatures.iter().find(|(signature, ..)| head.starts_with(signature)) {
        return Looks::Other(words, *kind);
    }
    if head.get(257..262) == Some(b"ustar") {
        return Looks::Other("a tar archive", Kind::Package);
    }
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    match text.first() {
        Some(b'{' | b'[') => Looks::Other("JSON", Kind::Unknown),
        _ if is_html(text) => Looks::Other("an HTML page", Kind::Html),
        _ => Looks::Xml,
    }
}

/// True for names such as `part1.tar.xz`: what is compressed is a package.
pub(super) fn is_tarball(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let short = [".tgz", ".txz", ".tbz", ".tbz2", ".tzst"];
    name.rsplit('/').next().is_some_and(|last| last.contains(".tar.")) || short.iter().any(|end| name.ends_with(end))
}

/// True if a page begins after an XML declaration, comments and white space.
fn is_html(text: &[u8]) -> bool {
    let mut rest = text;
    loop {
        rest = rest.trim_ascii_start();
        let end: &[u8] = if rest.starts_with(b"<?") {
            b"?>"
        } else if rest.starts_with(b"<!--") {
            b"-->"
        } else {
            break;
        };
        let Some(at) = memchr::memmem::find(rest, end) else { return false };
        rest = rest.get(at.saturating_add(end.len())..).unwrap_or(&[]);
    }
    let begins = |word: &[u8]| {
        let next = rest.get(word.len()).is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b'>');
        rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)) && next
    };
    begins(b"<!doctype html") || begins(b"<html")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_known_by_its_beginning() {
        for page in [
            "<!DOCTYPE html>",
            "\u{feff} \n<!doctype HTML PUBLIC",
            "<?xml version='1.0'?><!-- x --><html lang='ja'>",
            "<HTML>",
        ] {
            assert_eq!(like(page.as_bytes()), Looks::Other("an HTML page", Kind::Html), "{page}");
        }
        for xml in ["<urlset>", "<?xml version='1.0'?>", "<htmlx>", "", "   ", "<!DOCTYPE urlset>", "text"] {
            assert_eq!(like(xml.as_bytes()), Looks::Xml, "{xml}");
        }
        assert_eq!(like(b" [1]"), Looks::Other("JSON", Kind::Unknown));
    }
}
