//! Makes hostile text harmless before a terminal sees it.

/// The text with controls, escapes and invisible or direction-changing characters written as `\u{…}`; line breaks stay.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if character != '\n' && (character.is_control() || is_invisible(character)) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Format characters: directions, joiners, tags, and the separators that some terminals take for line breaks.
fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn what_could_fool_a_terminal_is_spelled_out() {
        assert_eq!(visible("a\u{1b}[31mb\u{202e}\u{9b}\r"), "a\\u{1b}[31mb\\u{202e}\\u{9b}\\r");
    }

    #[test]
    fn ordinary_text_stays() {
        assert_eq!(visible("リソースリスト \"a\\b\" é\n"), "リソースリスト \"a\\b\" é\n");
    }
}
