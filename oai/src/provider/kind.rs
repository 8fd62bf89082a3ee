//! What a file is, by its first bytes.

use alloc::string::String;

/// True if a document is a response of a repository, by its first bytes.
pub fn is_response(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head.get(..RESPONSE.min(head.len())).unwrap_or_default());
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    // What may precede the root, with its end.
    let asides = [("<?", "?>"), ("<!--", "-->"), ("<!", ">")];
    while let Some((_, end)) = asides.iter().find(|(start, _)| rest.starts_with(start)) {
        let Some((_, after)) = rest.split_once(end) else { return false };
        rest = after.trim_start();
    }
    let Some(tag) = rest.strip_prefix('<') else { return false };
    let name = tag.split([' ', '\t', '\r', '\n', '>', '/']).next().unwrap_or_default();
    name.rsplit(':').next() == Some("OAI-PMH")
}

/// Bytes that contain the start tag of the root.
const RESPONSE: usize = 4 << 10;

/// True if a file is a recording, by its first bytes.
pub fn is_recording(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head.get(..RECORDING.min(head.len())).unwrap_or_default());
    let object = text.trim_start_matches('\u{feff}').trim_start().strip_prefix('{');
    object.is_some_and(|members| members.trim_start().starts_with("\"log\""))
}

/// Bytes that contain the name of the first member.
const RECORDING: usize = 256;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_recognized_by_their_root() {
        for (text, is_one) in [
            ("<OAI-PMH xmlns='http://www.openarchives.org/OAI/2.0/'>", true),
            ("<?xml version='1.0'?>\n<!-- <urlset> -->\n<oai:OAI-PMH\nxmlns:oai='u'>", true),
            ("<urlset><loc>OAI-PMH</loc>", false),
            ("<html><OAI-PMH>", false),
            ("OAI-PMH", false),
            ("", false),
        ] {
            assert_eq!(is_response(text.as_bytes()), is_one, "{text}");
        }
    }
}
