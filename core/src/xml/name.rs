//! Names: XML 1.0, fifth edition, productions 4 and 4a, and qualified names.

use alloc::boxed::Box;

use crate::xml::{
    detail::Detail,
    fault::{LimitKind, Problem, named},
};

/// A qualified name inside a text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Name {
    pub(super) start: usize,
    /// The start of the local part; equal to `start` without a prefix.
    pub(super) local: usize,
    pub(super) end: usize,
}

impl Name {
    pub(super) fn whole<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start..self.end).unwrap_or_default()
    }

    /// Prefix (or empty) and local part.
    #[inline]
    pub(super) fn parts<'a>(&self, text: &'a str) -> (&'a str, &'a str) {
        let local = text.get(self.local..self.end).unwrap_or_default();
        if self.local == self.start {
            return ("", local);
        }
        (text.get(self.start..self.local.saturating_sub(1)).unwrap_or_default(), local)
    }
}

const OTHER: u8 = 0;
const LATER: u8 = NAMING;
const FIRST: u8 = NAMING | 2;
const COLON: u8 = 4;
const WIDE: u8 = 8;
/// The ranges common to FIRST and LATER.
const NAMING: u8 = 1;

/// Computed at compile time, which checks every index.
#[allow(clippy::indexing_slicing)]
const CLASSES: [u8; 256] = {
    let mut table = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => FIRST,
            b'0'..=b'9' | b'-' | b'.' => LATER,
            b':' => COLON,
            0x80.. => WIDE,
            _ => OTHER,
        };
        byte += 1;
    }
    table
};

#[inline]
fn class(byte: u8) -> u8 {
    CLASSES.get(usize::from(byte)).copied().unwrap_or(OTHER)
}

/// True if the character may start a name, except the colon.
pub(super) fn is_first(character: char) -> bool {
    match character {
        'a'..='z' | 'A'..='Z' | '_' => true,
        '\0'..='\u{7f}' => false,
        _ => matches!(character,
            '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}' | '\u{370}'..='\u{37D}'
            | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}'
            | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}'),
    }
}

/// True if the character may occur in a name, except the colon.
pub(super) fn is_later(character: char) -> bool {
    is_first(character)
        || matches!(character, '0'..='9' | '-' | '.' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

/// The character at a position.
pub(super) fn character(text: &str, at: usize) -> Option<char> {
    text.get(at..).and_then(|rest| rest.chars().next())
}

/// The end of a run of name characters and colons, the number of colons, and the position of the first.
#[inline]
pub(super) fn run(text: &str, from: usize) -> (usize, usize, usize) {
    let bytes = text.as_bytes();
    let (mut at, mut colons, mut colon) = (from, 0_usize, from);
    while let Some(byte) = bytes.get(at) {
        match class(*byte) {
            OTHER => break,
            COLON => {
                if colons == 0 {
                    colon = at;
                }
                colons = colons.saturating_add(1);
            }
            WIDE => match character(text, at) {
                Some(wide) if is_later(wide) => {
                    at = at.saturating_add(wide.len_utf8());
                    continue;
                }
                _ => break,
            },
            _ => {}
        }
        at = at.saturating_add(1);
    }
    (at, colons, colon)
}

/// The fast path for an ASCII name with at most one prefix, and the byte after it: takes half the time.
#[inline(always)] // as `value_to` of tags
fn plain(bytes: &[u8], from: usize) -> Option<Name> {
    let rest = bytes.get(from..)?;
    let first = letters(rest)?;
    let end = from.saturating_add(first);
    match rest.get(first..)? {
        [b':', after @ ..] => {
            let local = end.saturating_add(1);
            let second = letters(after)?;
            let next = class(*after.get(second)?);
            (next == OTHER).then_some(Name { start: from, local, end: local.saturating_add(second) })
        }
        [next, ..] if class(*next) == OTHER => Some(Name { start: from, local: from, end }),
        _ => None,
    }
}

/// The number of ASCII letters in a part of a name; 0 if it starts with something else.
#[inline(always)] // as `value_to` of tags
fn letters(bytes: &[u8]) -> Option<usize> {
    let (first, rest) = bytes.split_first()?;
    let more = rest.iter().position(|byte| class(*byte) & NAMING == 0).unwrap_or(rest.len());
    (class(*first) == FIRST).then_some(more.saturating_add(1))
}

/// Parses the qualified name that starts at `from`. At the end of `text` it may be incomplete, which the caller must check.
#[inline(always)] // as `value_to` of tags
pub(super) fn read(text: &str, from: usize, name_bytes: u32) -> Result<Name, Box<Problem>> {
    if let Some(name) = plain(text.as_bytes(), from).filter(|name| name.end.saturating_sub(from) <= name_bytes as usize)
    {
        return Ok(name);
    }
    let (end, colons, colon) = run(text, from);
    let bytes = text.as_bytes();
    if bytes.get(from).is_some_and(|byte| class(*byte) != FIRST) {
        match character(text, from) {
            Some(first) if is_first(first) || first == ':' => {}
            found => return Err(misplaced(Detail::BadName, from, found.unwrap_or_default())),
        }
    }
    if end.saturating_sub(from) > name_bytes as usize {
        return Err(Problem::limit(LimitKind::NameBytes, name_bytes.into(), from, from.saturating_add(1)));
    }
    if colons == 0 {
        return Ok(Name { start: from, local: from, end });
    }
    let local = colon.saturating_add(1);
    let local_first = match character(text, local) {
        Some(first) => is_first(first),
        // At the end of the text, the name may continue.
        None => true,
    };
    if colons > 1 || colon == from || !local_first {
        let name = text.get(from..end).unwrap_or_default();
        return Err(Problem::new(Detail::NameColons, from, end).with("name", name));
    }
    Ok(Name { start: from, local, end })
}

/// A character that is not allowed here.
pub(super) fn misplaced(detail: Detail, at: usize, found: char) -> Box<Problem> {
    Problem::new(detail, at, at.saturating_add(found.len_utf8())).with("character", named(found))
}

#[cfg(test)]
mod tests {
    use super::{is_first, is_later, read};

    #[test]
    fn the_table_and_the_productions_agree_on_ascii() {
        for character in '\0'..='\u{7f}' {
            let class = super::class(character as u8);
            assert_eq!(class == super::FIRST, is_first(character), "{character:?}");
            assert_eq!(class == super::FIRST || class == super::LATER, is_later(character), "{character:?}");
        }
    }

    #[test]
    fn a_qualified_name_has_one_colon_with_something_on_both_sides() {
        assert_eq!(read("rs:md ", 0, 256).map(|name| name.parts("rs:md ")).ok(), Some(("rs", "md")));
        assert_eq!(read("md>", 0, 256).map(|name| name.parts("md>")).ok(), Some(("", "md")));
        for wrong in ["a:b:c ", ":a ", "a: ", "a:1 ", "1a ", "-a ", ": ", "a:: ", "\u{B7}a ", "×a "] {
            assert!(read(wrong, 0, 256).is_err(), "{wrong}");
        }
        for right in ["_ ", "é.b-c1 ", "漢:字 ", "a\u{B7} "] {
            assert!(read(right, 0, 256).is_ok(), "{right}");
        }
    }
}
