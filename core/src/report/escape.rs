//! Escapes quoted text, so that it cannot be markup of a format or a control sequence of a terminal.

use alloc::{borrow::Cow, string::String};

use serde::Serialize;

/// True for characters that are invisible or change the display of others: controls, format characters such as bidi
/// overrides and zero-width characters, line separators, fillers, private use, noncharacters.
pub(super) fn is_hidden(character: char) -> bool {
    let code = u32::from(character);
    match code {
        0x20..=0x7e => false,
        0..=0x9f | 0xad | 0x34f | 0x600..=0x605 | 0x61c | 0x6dd | 0x70f | 0x890..=0x891 | 0x8e2 => true,
        0x115f..=0x1160 | 0x17b4..=0x17b5 | 0x180b..=0x180f | 0x3164 | 0xffa0 => true,
        0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfeff | 0xfff0..=0xfffb => true,
        0x110bd | 0x110cd | 0x13430..=0x1343f | 0x1bca0..=0x1bca3 | 0x1d173..=0x1d17a => true,
        0xe000..=0xf8ff | 0xfdd0..=0xfdef | 0xe0000..=0xe00ff | 0xe01f0..=0x10_ffff => true,
        _ => code & 0xfffe == 0xfffe,
    }
}

/// The text, or its first characters and an ellipsis.
pub(super) fn truncated(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => alloc::format!("{}…", text.get(..end).unwrap_or("")),
        None => text.into(),
    }
}

/// Writes one character, escaped as `\u{202e}` if it is invisible.
pub(super) fn push_visible(out: &mut String, character: char) {
    if is_hidden(character) {
        out.push_str("\\u{");
        out.push_str(&alloc::format!("{:x}", u32::from(character)));
        out.push('}');
    } else {
        out.push(character);
    }
}

/// Text in which characters that are invisible, or change the display of others, are escaped as `\u{202e}`.
pub fn visible(text: &str) -> String {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|character| push_visible(&mut out, character));
    out
}

/// A value as one line of JSON, with a final line break. Invisible characters are escaped, so that it can be shown on a terminal.
///
/// # Errors
///
/// If the value cannot be JSON, such as a map with keys that are not text.
pub fn json_line<T: Serialize + ?Sized>(value: &T) -> Result<String, serde_json::Error> {
    serde_json::to_string(value).map(line)
}

/// A value as JSON, indented by two spaces, with a final line break. Invisible characters are escaped, so that it can be shown on a
/// terminal.
///
/// # Errors
///
/// If the value cannot be JSON, such as a map with keys that are not text.
pub fn json_pretty<T: Serialize + ?Sized>(value: &T) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(value).map(line)
}

fn line(text: String) -> String {
    let mut text = match escaped_json(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(escaped) => escaped,
    };
    text.push('\n');
    text
}

/// JSON in which characters that are invisible, or change the display of others, are escaped as `\u202e`. All of them are in strings,
/// and JSON itself escapes those below U+0020.
pub fn escaped_json(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.chars().any(|character| !character.is_ascii() && is_hidden(character)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() || !is_hidden(character) {
            out.push(character);
            continue;
        }
        let mut units = [0; 2];
        for unit in character.encode_utf16(&mut units) {
            out.push_str(&alloc::format!("\\u{unit:04x}"));
        }
    }
    Cow::Owned(out)
}

/// Visible text, escaped as character data or attribute value of XML and HTML.
pub(super) fn markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => push_visible(&mut out, other),
        }
    }
    out
}

/// Visible text without any Markdown, HTML, mention or link; text between backticks becomes code.
pub(super) fn markdown(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((code, after)) = after.split_once('`') else { break };
        push_plain(&mut out, before);
        out.push_str(&markdown_code(code));
        rest = after;
    }
    push_plain(&mut out, rest);
    out
}

fn push_plain(out: &mut String, text: &str) {
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let ends_word = characters.peek().is_none_or(|next| *next == ' ');
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // Bare links, mentions and emoji are recognized without markup.
            ':' if !ends_word => out.push_str("&#58;"),
            '@' => out.push_str("&#64;"),
            // Tables split cells even at escaped bars.
            '|' => out.push_str("&#124;"),
            ' ' | ':' | ',' | ';' | '(' | ')' | '?' | '\'' | '/' | '%' => out.push(character),
            // These are special at the start of a line, or in `www.`.
            '-' if before.is_ascii_alphanumeric() => out.push('-'),
            '.' if before.is_ascii_digit() && !ends_word => out.push('.'),
            mark if mark.is_ascii_punctuation() => {
                out.push('\\');
                out.push(mark);
            }
            other => push_visible(out, other),
        }
        before = character;
    }
}

/// Visible text as code of Markdown. Empty text stays empty.
pub(super) fn markdown_code(text: &str) -> String {
    let fence = fence(text, 1);
    let mut out = String::new();
    if text.is_empty() {
        return out;
    }
    out.push_str(&fence);
    // Renderers drop a space next to the fence if there is one on both sides.
    let spaced = text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
    if spaced {
        out.push(' ');
    }
    text.chars().for_each(|character| push_visible(&mut out, character));
    if spaced {
        out.push(' ');
    }
    out.push_str(&fence);
    out
}

/// Markdown as a table cell, which ends at a bar even inside code.
pub(super) fn markdown_cell(markdown: &str) -> String {
    markdown.replace('|', "\\|")
}

/// A fence of backticks longer than any in the text.
pub(super) fn fence(text: &str, at_least: usize) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(longest.saturating_add(1).max(at_least))
}

/// Visible text as the message of a workflow command.
pub(super) fn workflow_message(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '%' => out.push_str("%25"),
            other => push_visible(&mut out, other),
        }
    }
    out
}

/// Visible text as a property of a workflow command.
pub(super) fn workflow_property(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '%' => out.push_str("%25"),
            ':' => out.push_str("%3A"),
            ',' => out.push_str("%2C"),
            other => push_visible(&mut out, other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_written_as_its_number() {
        assert_eq!(visible("a\u{1b}[31m\n\u{85}\u{7f}"), "a\\u{1b}[31m\\u{a}\\u{85}\\u{7f}");
        for hidden in
            ['\u{202e}', '\u{2066}', '\u{200f}', '\u{61c}', '\u{2028}', '\u{200b}', '\u{feff}', '\u{e000}', '\u{e0041}']
        {
            assert!(is_hidden(hidden), "{:x}", u32::from(hidden));
        }
        for seen in [' ', '~', 'é', '学', '　', '😀', '\u{e0100}', '\u{301}'] {
            assert!(!is_hidden(seen), "{seen}");
        }
    }

    #[test]
    fn json_escapes_what_cannot_be_seen_and_reads_the_same() {
        let text = "a\u{9b}\u{85}\u{202e}\u{e0041}\u{1b}é\n学";
        let plain = serde_json::to_string(text).unwrap_or_default();
        let escaped = escaped_json(&plain);
        assert_eq!(escaped, "\"a\\u009b\\u0085\\u202e\\udb40\\udc41\\u001bé\\n学\"");
        assert_eq!(serde_json::from_str::<String>(&escaped).ok().as_deref(), Some(text));
        assert_eq!(escaped_json("{\n}"), "{\n}");
        assert_eq!(json_line(text).ok(), Some(escaped.into_owned() + "\n"));
    }

    #[test]
    fn markup_of_a_document_is_text() {
        assert_eq!(markup("<b a=\"1\" c='2'>&\0"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;\\u{0}");
    }

    #[test]
    fn markdown_keeps_nothing_but_code() {
        assert_eq!(markdown("the `rs:md` of [x](http://y) <b>"), "the `rs:md` of \\[x\\](http&#58;//y) &lt;b&gt;");
        assert_eq!(markdown("one ` only @you #1"), "one \\` only &#64;you \\#1");
        assert_eq!(markdown_cell(&markdown_code("a``b|c")), "```a``b\\|c```");
        assert_eq!(markdown_cell(&markdown("a|b")), "a&#124;b");
        assert_eq!(markdown_code("`"), "`` ` ``");
    }

    #[test]
    fn a_message_cannot_start_another_workflow_command() {
        assert_eq!(workflow_message("100%\n::error::x"), "100%25\\u{a}::error::x");
        assert_eq!(workflow_property("a,b:c%"), "a%2Cb%3Ac%25");
    }
}
