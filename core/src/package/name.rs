//! Names of members: dangerous ones, and ones that are not portable.

use crate::{diagnostic::Code, limits::Limits};

/// The first problem of a name, if any.
pub(crate) fn fault(name: &str) -> Option<(Code, &'static str)> {
    let path = name.strip_suffix('/').unwrap_or(name);
    let segments = || path.split('/');
    if path.is_empty() {
        return Some(if name.is_empty() { (Code::ZIP_13, "empty") } else { (Code::PKG_13, "absolute") });
    }
    if path.starts_with('/') {
        return Some((Code::PKG_13, "absolute"));
    }
    if path.contains('\\') {
        return Some((Code::PKG_13, "backslash"));
    }
    if segments().any(|segment| segment == "..") {
        return Some((Code::PKG_13, "parent-segment"));
    }
    if matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic()) {
        return Some((Code::ZIP_13, "drive"));
    }
    if has_invisible(path) {
        return Some((Code::ZIP_13, "control"));
    }
    segments().find_map(segment)
}

/// True if a name contains invisible characters. A joiner after a non-ASCII letter or an emoji is allowed, since it is part
/// of the spelling, as in Persian.
fn has_invisible(path: &str) -> bool {
    let mut last = '/';
    path.chars().any(|character| {
        let before = core::mem::replace(&mut last, character);
        let is_written = is_joiner(character) && !before.is_ascii() && !is_joiner(before);
        is_invisible(character) && !is_written
    })
}

/// Joiners and non-joiners, which are invisible.
pub(super) fn is_joiner(character: char) -> bool {
    matches!(character, '\u{200c}' | '\u{200d}')
}

fn segment(text: &str) -> Option<(Code, &'static str)> {
    match text {
        "" => Some((Code::ZIP_13, "empty-segment")),
        "." => Some((Code::ZIP_13, "dot-segment")),
        _ if text.ends_with(['.', ' ']) => Some((Code::ZIP_13, "trailing-dot")),
        _ if is_device(text) => Some((Code::ZIP_13, "device")),
        _ if text.contains(['<', '>', ':', '"', '|', '?', '*']) => Some((Code::ZIP_14, "character-windows")),
        _ => None,
    }
}

/// Controls, invisible characters, and characters that change the direction of text.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Device names of Windows, with any extension.
fn is_device(segment: &str) -> bool {
    let stem = segment.split('.').next().unwrap_or(segment).trim_end_matches(' ');
    let is = |name: &str| stem.eq_ignore_ascii_case(name);
    if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"].into_iter().any(is) {
        return true;
    }
    let (Some(port), Some(number)) = (stem.get(..3), stem.get(3..)) else { return false };
    let is_port = port.eq_ignore_ascii_case("COM") || port.eq_ignore_ascii_case("LPT");
    let mut number = number.chars();
    is_port && matches!((number.next(), number.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
}

/// The name and value of the limit that a member's name exceeds, if any.
pub(super) fn beyond(name: &[u8], limits: &Limits) -> Option<(&'static str, u32)> {
    let segments = || name.split(|byte| *byte == b'/');
    if name.len() > limits.member_name_bytes as usize {
        Some(("member_name_bytes", limits.member_name_bytes))
    } else if segments().any(|segment| segment.len() > limits.member_part_bytes as usize) {
        Some(("member_part_bytes", limits.member_part_bytes))
    } else if segments().count() > limits.member_depth as usize {
        Some(("member_depth", limits.member_depth))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_are_fine() {
        for name in [
            "manifest.xml",
            "res/",
            "res/a b.pdf",
            "日本語/論文.pdf",
            "...a",
            "a..b/c",
            "com10.txt",
            "console.log",
            "a/.hidden",
            "é.txt",
            "CON_1",
            "می\u{200c}خواهم.pdf",
            "👩\u{200d}🔬.jpg",
        ] {
            assert_eq!(fault(name), None, "{name}");
        }
    }

    #[test]
    fn each_danger_has_its_word() {
        for (name, code, problem) in [
            ("", Code::ZIP_13, "empty"),
            ("/", Code::PKG_13, "absolute"),
            ("/etc/passwd", Code::PKG_13, "absolute"),
            ("a\\b", Code::PKG_13, "backslash"),
            ("C:\\x", Code::PKG_13, "backslash"),
            ("../x", Code::PKG_13, "parent-segment"),
            ("a/..", Code::PKG_13, "parent-segment"),
            ("C:x", Code::ZIP_13, "drive"),
            ("a\u{0}b", Code::ZIP_13, "control"),
            ("a\u{202e}b", Code::ZIP_13, "control"),
            ("a\u{200d}b", Code::ZIP_13, "control"),
            ("م\u{200c}\u{200c}", Code::ZIP_13, "control"),
            ("\u{200c}م", Code::ZIP_13, "control"),
            ("م\u{180e}م", Code::ZIP_13, "control"),
            ("a//b", Code::ZIP_13, "empty-segment"),
            ("./a", Code::ZIP_13, "dot-segment"),
            ("a./b", Code::ZIP_13, "trailing-dot"),
            ("aux", Code::ZIP_13, "device"),
            ("a/nul.txt", Code::ZIP_13, "device"),
            ("COM¹", Code::ZIP_13, "device"),
            ("a?b", Code::ZIP_14, "character-windows"),
        ] {
            assert_eq!(fault(name), Some((code, problem)), "{name}");
        }
    }
}
