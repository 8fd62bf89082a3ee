//! The name of an input as a URI reference.

use alloc::{format, string::String};

use percent_encoding::AsciiSet;

use super::Input;
use crate::value::{PATH, percent_encoded_but};

/// The characters percent-encoded in a relative path, where a colon would end a scheme.
const RELATIVE: &AsciiSet = &PATH.add(b':');
/// The characters that are percent-encoded in a URI.
const URI: &AsciiSet = &PATH.remove(b'?').remove(b'#').remove(b'[').remove(b']').remove(b'%');

/// An input as a URI reference: a URI, a `file:` URI, or a relative path.
pub(super) fn uri(input: &Input) -> String {
    let scheme = |text: &str| {
        let (scheme, _) = text.split_once("://")?;
        let mut letters = scheme.chars();
        let sound =
            letters.next()?.is_ascii_alphabetic() && letters.all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
        sound.then_some(())
    };
    if scheme(&input.name).is_some() {
        return percent_encoded_but(&input.name, URI);
    }
    let path = percent_encoded_but(&input.name.replace('\\', "/"), RELATIVE);
    let drive = matches!(input.name.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic());
    if path.starts_with("//") {
        format!("file:{path}")
    } else if path.starts_with('/') {
        format!("file://{path}")
    } else if drive {
        format!("file:///{}", path.replacen("%3A", ":", 1))
    } else {
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn names_of_inputs_become_uri_references() {
        let named = |name: &str| uri(&Input { name: name.into(), ..sample::input(0) });
        assert_eq!(named("lists/a b.xml"), "lists/a%20b.xml");
        assert_eq!(named("一覧.xml"), "%E4%B8%80%E8%A6%A7.xml");
        assert_eq!(named("a:b.xml"), "a%3Ab.xml");
        assert_eq!(named("/tmp/x.xml"), "file:///tmp/x.xml");
        assert_eq!(named("C:\\data\\x.xml"), "file:///C:/data/x.xml");
        assert_eq!(named("\\\\host\\x.xml"), "file://host/x.xml");
        assert_eq!(named("https://example.com/a?b=c d"), "https://example.com/a?b=c%20d");
    }
}
