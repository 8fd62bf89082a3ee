//! References: the five predefined entities, character references, and values that contain them.

use alloc::{boxed::Box, string::String};

use memchr::memchr3;

use crate::xml::{
    detail::Detail,
    fault::{LimitKind, Problem},
    name,
};

/// The result of parsing an ampersand.
pub(super) enum Reference {
    /// This character, and the length of the reference in bytes.
    Character(char, usize),
    /// The text ends too early to decide.
    Unfinished,
}

/// Production `Char` of XML 1.0.
pub(super) fn is_legal(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// Parses the reference at `at`, the position of an ampersand.
pub(super) fn read(text: &str, at: usize, name_bytes: u32) -> Result<Reference, Box<Problem>> {
    let from = at.saturating_add(1);
    let bytes = text.as_bytes();
    let numeric = bytes.get(from) == Some(&b'#');
    let end = if numeric {
        let digits = bytes.iter().skip(from.saturating_add(1));
        let count = digits.take_while(|byte| byte.is_ascii_alphanumeric()).take(name_bytes as usize).count();
        from.saturating_add(1).saturating_add(count)
    } else {
        name::run(text, from).0
    };
    if end.saturating_sub(from) > name_bytes as usize {
        return Err(Problem::limit(LimitKind::NameBytes, name_bytes.into(), at, from));
    }
    let inner = text.get(from..end).unwrap_or_default();
    match name::character(text, end) {
        None => return Ok(Reference::Unfinished),
        Some(';') if !inner.is_empty() => {}
        Some(_) => return Err(broken(text.get(..end).unwrap_or_default(), at)),
    }
    let after = end.saturating_add(1);
    if !numeric && name::character(inner, 0).is_some_and(|first| first != ':' && !name::is_first(first)) {
        return Err(Problem::new(Detail::BareAmpersand, at, from));
    }
    let character = match inner {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ if numeric => match number(inner).and_then(char::from_u32).filter(|character| is_legal(*character)) {
            Some(character) => character,
            None => {
                let shown = text.get(at..after).unwrap_or_default();
                return Err(Problem::new(Detail::BadCharacterReference, at, after).with("reference", shown));
            }
        },
        _ => return Err(Problem::new(Detail::UndefinedEntity, at, after).with("entity", inner)),
    };
    Ok(Reference::Character(character, after.saturating_sub(at)))
}

/// Handles a reference without a semicolon at the end of the text.
pub(super) fn broken(text: &str, at: usize) -> Box<Problem> {
    let shown = text.get(at..).unwrap_or_default();
    if shown.starts_with("&#") {
        return Problem::new(Detail::BadCharacterReference, at, text.len()).with("reference", shown);
    }
    Problem::new(Detail::BareAmpersand, at, at.saturating_add(1))
}

/// Parses `#65` or `#x41`.
fn number(inner: &str) -> Option<u32> {
    let digits = inner.strip_prefix('#')?;
    let (digits, radix) = match digits.strip_prefix('x') {
        Some(digits) => (digits, 16),
        None => (digits, 10),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| (byte as char).is_digit(radix)) {
        return None;
    }
    // from_str_radix accepts any number of leading zeros.
    u32::from_str_radix(digits, radix).ok()
}

/// The value of an attribute whose references were checked: references resolved, tabs and line endings replaced by
/// spaces.
pub(super) fn value(raw: &str) -> String {
    let mut value = String::with_capacity(raw.len());
    let mut rest = raw;
    loop {
        let found = rest.bytes().position(|byte| byte == b'&' || byte < b' ');
        let Some(index) = found else { break };
        value.push_str(rest.get(..index).unwrap_or_default());
        let taken = match read(rest, index, u32::MAX) {
            _ if rest.as_bytes().get(index) != Some(&b'&') => {
                value.push(' ');
                let tail = rest.get(index..).unwrap_or_default();
                if tail.starts_with("\r\n") { 2 } else { 1 }
            }
            Ok(Reference::Character(character, length)) => {
                value.push(character);
                length
            }
            _ => 1,
        };
        rest = rest.get(index.saturating_add(taken)..).unwrap_or_default();
    }
    value.push_str(rest);
    value
}

/// The next byte of text that needs processing: `&`, `]` or CR.
#[inline]
pub(super) fn special(text: &[u8]) -> Option<usize> {
    memchr3(b'&', b']', b'\r', text)
}

#[cfg(test)]
mod tests {
    use super::{Reference, read, value};

    fn character(text: &str) -> Option<char> {
        match read(text, 0, 256) {
            Ok(Reference::Character(character, length)) if length == text.len() => Some(character),
            _ => None,
        }
    }

    #[test]
    fn legal_references_give_their_character() {
        assert_eq!(character("&amp;"), Some('&'));
        assert_eq!(character("&#x1F980;"), Some('🦀'));
        assert_eq!(character("&#0000000000000000000000065;"), Some('A'));
        assert_eq!(character("&#13;"), Some('\r'));
    }

    #[test]
    fn everything_else_is_refused() {
        for wrong in [
            "&;",
            "& ",
            "&nbsp;",
            "&#;",
            "&#x;",
            "&#0;",
            "&#x1F;",
            "&#xD800;",
            "&#xFFFE;",
            "&#x110000;",
            "&#+65;",
            "&#X41;",
            "&#6 5;",
            "&#99999999999;",
            "&amp ",
            "&AMP;",
            "&#12a;",
            "&-a;",
        ] {
            assert!(read(wrong, 0, 256).is_err(), "{wrong}");
        }
    }

    #[test]
    fn white_space_becomes_spaces_but_not_when_referred_to() {
        assert_eq!(value("a\tb\nc\r\nd\re&#10;f&#9;&lt;"), "a b c d e\nf\t<");
    }
}
