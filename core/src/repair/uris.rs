//! Percent-encodes invalid characters in URIs.

use alloc::{format, string::String};

use crate::value::{Parsed, Uri, Value};

/// Characters that can be encoded without changing their meaning. A backslash cannot: some readers treat it as a slash.
const LITERAL: &str = "\"<>^`{|}";

/// The URI with such characters percent-encoded, if it is otherwise valid.
pub(super) fn encoded(text: &str) -> Option<Uri> {
    let text = text.trim();
    if !text.contains(|character| LITERAL.contains(character)) {
        return None;
    }
    let mut encoded = String::with_capacity(text.len());
    for character in text.chars() {
        if LITERAL.contains(character) {
            encoded.push_str(&format!("%{:02X}", u32::from(character)));
        } else {
            encoded.push(character);
        }
    }
    match Uri::read(&encoded) {
        Parsed::Exact(uri) | Parsed::Lenient(uri) => Some(uri),
        Parsed::Malformed => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_mean_themselves_are_encoded_and_others_left() {
        let uri = |text| encoded(text).map(|uri| String::from(uri.as_str()));
        assert_eq!(uri("http://example.com/a|b{c}").as_deref(), Some("http://example.com/a%7Cb%7Bc%7D"));
        assert_eq!(uri("http://example.com/a b|日").as_deref(), Some("http://example.com/a%20b%7C%E6%97%A5"));
        assert_eq!(uri("http://example.com/100%|"), None, "the percent sign may or may not be an escape");
        assert_eq!(uri("http://example.com/a\\b"), None);
        assert_eq!(uri("a|b"), None);
    }
}
