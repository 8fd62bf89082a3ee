//! Escapes text for XML.

use alloc::{format, string::String};

/// Escapes text for an element or a double-quoted attribute value.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' => escaped.push_str("&#9;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Escapes text, including surrounding white space.
pub(crate) fn character_data(text: &str) -> String {
    if text.contains("]]>") { escape(text) } else { format!("<![CDATA[{text}]]>") }
}
