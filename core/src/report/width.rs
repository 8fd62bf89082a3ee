//! Measures text in columns of a terminal.

use unicode_width::UnicodeWidthChar;

/// Columns of one character: none, one or two; a control character counts as one.
pub(super) fn of(character: char) -> usize {
    character.width().unwrap_or(1)
}

/// The width of a text in columns of a terminal.
pub fn of_text(text: &str) -> usize {
    text.chars().map(of).fold(0, usize::saturating_add)
}

/// The spaces that pad a text to a width.
pub(super) fn padding(text: &str, width: usize) -> usize {
    width.saturating_sub(of_text(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kanji_and_kana_take_two_columns_and_marks_none() {
        assert_eq!(of_text("abc"), 3);
        assert_eq!(of_text("学術リポジトリ、（全角）"), 24);
        assert_eq!(of_text("e\u{301}"), 1);
        assert_eq!(of_text("\u{304b}\u{3099}"), 2);
        assert_eq!(of_text("ｶﾞ …"), 4);
        assert_eq!(of_text("𠮷😀"), 4);
    }
}
