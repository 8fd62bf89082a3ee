//! File names as parts of URIs, and back.

use std::path::{Path, PathBuf};

/// The bytes of a relative path as they stand in a URI: segments joined by `/`, everything but unreserved characters escaped.
pub(super) fn encode(path: &Path) -> String {
    let mut encoded = String::new();
    for segment in path {
        if !encoded.is_empty() {
            encoded.push('/');
        }
        for byte in segment.as_encoded_bytes() {
            match byte {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => encoded.push(char::from(*byte)),
                _ => encoded.push_str(&format!("%{byte:02X}")),
            }
        }
    }
    encoded
}

/// The path that was encoded; `None` for what `encode` does not write.
pub(super) fn decode(text: &str) -> Option<PathBuf> {
    text.split('/').map(segment).collect()
}

fn segment(text: &str) -> Option<PathBuf> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        match (first, after) {
            (b'%', [high, low, after @ ..]) => {
                let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                bytes.push(digit(*high)? << 4 | digit(*low)?);
                rest = after;
            }
            (b'%', _) => return None,
            _ => bytes.push(*first),
        }
    }
    let is_name = !bytes.is_empty() && bytes != b"." && bytes != b".." && !bytes.contains(&b'/') && !bytes.contains(&0);
    is_name.then(|| name(bytes)).flatten()
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
