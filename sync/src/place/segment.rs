//! Converts a segment of a path to a file name and back.

use alloc::{format, string::String, vec::Vec};

use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Maximum bytes of a name.
pub(super) const LONGEST: usize = 200;
/// Bytes kept of a longer name.
pub(super) const KEPT: usize = 150;

/// Names that are devices on some systems, with any extension.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// True for a name reserved by some system or by this crate.
pub(super) fn is_special(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_lowercase();
    let numbered = |kind: &str| {
        let digit = stem.strip_prefix(kind);
        digit.is_some_and(|digit| digit.len() == 1 && digit.bytes().all(|byte| byte.is_ascii_digit()))
    };
    DEVICES.contains(&stem.as_str())
        || numbered("com")
        || numbered("lpt")
        || name.get(..13).is_some_and(|start| start.eq_ignore_ascii_case(".resourcesync"))
}

/// A segment, with the query if it is the last one, as a name.
pub(super) fn encode(segment: &str, is_last: bool, query: Option<&str>, is_portable: bool) -> String {
    let mark = if is_portable { "^-" } else { "^" };
    let mut name = match (segment, is_last) {
        ("", true) => format!("{mark}index"),
        ("", false) => format!("{mark}empty"),
        _ => plain(segment, is_portable),
    };
    if let Some(query) = query {
        name.push_str("^3F");
        name.push_str(&plain(query, is_portable));
    }
    if is_special(&name)
        && let Some(first) = name.chars().next()
    {
        name = format!("{}{}", escape(first), name.get(first.len_utf8()..).unwrap_or_default());
    }
    if let Some(last) = name.chars().last().filter(|last| ['.', ' '].contains(last)) {
        name.truncate(name.len().saturating_sub(1));
        name.push_str(&escape(last));
    }
    name
}

/// Text of a URI as part of a name.
pub(super) fn plain(text: &str, is_portable: bool) -> String {
    let readable = if is_portable { None } else { readable(text) };
    let mut name = String::new();
    for character in readable.as_deref().unwrap_or(text).replace("%20", " ").chars() {
        match character {
            ':' | '*' | '/' | '?' => name.push_str(&escape(character)),
            'A'..='Z' if is_portable => {
                name.push('^');
                name.push(character.to_ascii_lowercase());
            }
            _ => name.push(character),
        }
    }
    name
}

fn escape(character: char) -> String {
    format!("^{:02X}", u32::from(character))
}

/// The text with its letters beyond ASCII decoded; `None` if that would not be in normal form C.
fn readable(text: &str) -> Option<String> {
    if !text.contains('%') {
        return None;
    }
    let (mut decoded, mut rest) = (String::new(), text);
    while let Some((before, _)) = rest.split_once('%') {
        decoded.push_str(before);
        rest = rest.get(before.len()..)?;
        let bytes = escaped(rest);
        let letter = core::str::from_utf8(&bytes).ok().or_else(|| {
            let end = bytes.utf8_chunks().next().map_or(0, |chunk| chunk.valid().len());
            core::str::from_utf8(bytes.get(..end)?).ok()
        });
        match letter.and_then(|text| text.chars().next()).filter(|letter| is_readable(*letter)) {
            Some(letter) => {
                decoded.push(letter);
                rest = rest.get(letter.len_utf8().saturating_mul(3)..)?;
            }
            None => {
                decoded.push('%');
                rest = rest.get(1..)?;
            }
        }
    }
    decoded.push_str(rest);
    is_nfc(&decoded).then_some(decoded)
}

/// The bytes of the escapes at the start of a text, at most those of one character, and only beyond ASCII.
fn escaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while bytes.len() < 4 {
        let Some(byte) = rest.strip_prefix('%').and_then(|rest| u8::from_str_radix(rest.get(..2)?, 16).ok()) else {
            break;
        };
        if byte < 0x80 {
            break;
        }
        bytes.push(byte);
        rest = rest.get(3..).unwrap_or("");
    }
    bytes
}

/// Letters and digits of all scripts, and the marks of Japanese texts: assigned, and neither control nor format characters.
fn is_readable(character: char) -> bool {
    character as u32 >= 0x80
        && (character.is_alphanumeric() || matches!(character, '\u{3001}'..='\u{3020}' | '\u{ff01}'..='\u{ff5e}'))
}

/// The segment of a name, and the query.
pub(super) fn decode(name: &str, is_portable: bool) -> Option<(String, Option<String>)> {
    let mut text = String::new();
    let mut query = None;
    let mut rest = name;
    let mark = if is_portable { "^-" } else { "^" };
    for word in ["index", "empty"] {
        let whole = format!("{mark}{word}");
        if let Some(after) = rest.strip_prefix(&whole).filter(|after| after.is_empty() || after.starts_with("^3F")) {
            rest = after;
        }
    }
    while let Some((before, after)) = rest.split_once('^') {
        text.push_str(before);
        let digits =
            after.get(..2).filter(|digits| digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'A'..=b'F')));
        if let Some(character) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            rest = after.get(2..)?;
            if character == b'?' && query.is_none() {
                query = Some(core::mem::take(&mut text));
            } else {
                text.push(char::from(character));
            }
        } else {
            let letter = after.chars().next().filter(|letter| is_portable && letter.is_ascii_lowercase())?;
            text.push(letter.to_ascii_uppercase());
            rest = after.get(1..)?;
        }
    }
    text.push_str(rest);
    Some(match query {
        Some(segment) => (written(&segment), Some(written(&text))),
        None => (written(&text), None),
    })
}

/// Encodes text for a URI.
fn written(text: &str) -> String {
    let mut uri = String::new();
    for character in text.chars() {
        if character == ' ' || !character.is_ascii() {
            let mut bytes = [0; 4];
            character.encode_utf8(&mut bytes).bytes().for_each(|byte| uri.push_str(&format!("%{byte:02X}")));
        } else {
            uri.push(character);
        }
    }
    uri
}

/// A path in the form compared by file systems that ignore case or normalise names.
pub fn folded(place: &str) -> String {
    place.nfd().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfd().collect()
}

/// Scheme, authority, path and query of an http or https URI without user and fragment.
pub(super) fn parts(uri: &str) -> Option<(&str, &str, &str, Option<&str>)> {
    let (scheme, rest) = uri.split_once("://").filter(|(scheme, _)| ["http", "https"].contains(scheme))?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at_checked(end)?;
    let (path, query) = rest.split_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
    let is_whole = path.starts_with('/') && !uri.contains('#') && !authority.is_empty() && !authority.contains('@');
    let is_ascii = uri.bytes().all(|byte| matches!(byte, 0x21..=0x7e) && !b"\"<>\\^`{|}".contains(&byte));
    (is_whole && is_ascii).then_some((scheme, authority, path, query))
}
