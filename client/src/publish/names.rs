//! Converts between file names and parts of URIs.

use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};

/// The characters not encoded in a URI: the unreserved ones of RFC 3986.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The bytes of a relative path as a URI has them: segments joined by `/`, everything but unreserved characters encoded.
#[must_use]
pub fn encode(path: &Path) -> String {
    let segments = path.iter().map(|segment| percent_encode(segment.as_encoded_bytes(), SEGMENT).to_string());
    segments.collect::<Vec<_>>().join("/")
}

/// Decodes such a path; `None` for anything that `encode` does not produce.
pub(crate) fn decode(text: &str) -> Option<PathBuf> {
    text.split('/').map(segment).collect()
}

fn segment(text: &str) -> Option<PathBuf> {
    let bytes: Vec<u8> = percent_decode_str(text).collect();
    let is_name = !bytes.is_empty() && bytes != b"." && bytes != b".." && !bytes.contains(&b'/') && !bytes.contains(&0);
    // Another spelling could have another meaning.
    let is_ours = percent_encode(&bytes, SEGMENT).to_string() == text;
    (is_name && is_ours).then(|| name(bytes)).flatten()
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere not every name is a path")]
fn name(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn name(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn any_name_has_a_uri_and_comes_back() {
        for (name, uri) in [
            ("a b/日本.txt", "a%20b/%E6%97%A5%E6%9C%AC.txt"),
            ("100%/#1?x", "100%25/%231%3Fx"),
            ("line\nend", "line%0Aend"),
            ("~ok-_.x", "~ok-_.x"),
            ("a:b;c=d&e+f", "a%3Ab%3Bc%3Dd%26e%2Bf"),
        ] {
            assert_eq!(encode(Path::new(name)), uri);
            assert_eq!(decode(uri).unwrap(), Path::new(name));
        }
        for bad in ["", "a//b", "../a", "a/%2E%2E", "a%2Fb", "a%zz", "a%"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_not_utf_8_keeps_its_bytes() {
        use std::os::unix::ffi::OsStrExt;
        let name = Path::new(std::ffi::OsStr::from_bytes(b"caf\xe9"));
        assert_eq!(encode(name), "caf%E9");
        assert_eq!(decode("caf%E9").unwrap(), name);
    }
}
