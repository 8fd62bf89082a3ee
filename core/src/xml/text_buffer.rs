//! Assembles text: resolves references, normalizes line endings, and enforces limits.

use alloc::{boxed::Box, string::String};

use memchr::memchr;

use crate::xml::{
    detail::Detail,
    fault::Problem,
    reference::{self, Reference},
};

/// The text so far.
#[derive(Debug, Default)]
pub(super) struct TextBuffer {
    text: String,
    cut: bool,
    limit: usize,
    /// True to check without storing.
    dropping: bool,
}

impl TextBuffer {
    pub(super) fn new(limit: u32) -> TextBuffer {
        TextBuffer { limit: limit as usize, ..TextBuffer::default() }
    }

    /// Sets whether further text is stored.
    pub(super) fn keep(&mut self, keep: bool) {
        self.dropping = !keep;
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.cut = false;
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// True if the limit was exceeded.
    pub(super) fn cut(&self) -> bool {
        self.cut
    }

    /// Processes character data and returns its length. An incomplete token at the end is left, unless `complete`.
    pub(super) fn text_from(&mut self, raw: &str, complete: bool, name_bytes: u32) -> Result<usize, Box<Problem>> {
        let bytes = raw.as_bytes();
        let mut at = 0;
        while let Some(index) = reference::special(bytes.get(at..).unwrap_or_default()) {
            let found = at.saturating_add(index);
            self.push(raw, at, found);
            at = found;
            let rest = bytes.get(found..).unwrap_or_default();
            let taken = match rest {
                [b'&', ..] => match reference::read(raw, found, name_bytes)? {
                    Reference::Character(character, length) => {
                        self.push(character.encode_utf8(&mut [0; 4]), 0, character.len_utf8());
                        length
                    }
                    Reference::Unfinished if complete => return Err(reference::broken(raw, found)),
                    Reference::Unfinished => return Ok(found),
                },
                [b']', b']', b'>', ..] => {
                    return Err(Problem::new(Detail::CdataEndInText, found, found.saturating_add(3)));
                }
                [b']'] | [b']', b']'] if !complete => return Ok(found),
                [b'\r', ..] => match self.line_end(rest, complete) {
                    Some(taken) => taken,
                    None => return Ok(found),
                },
                _ => {
                    self.push("]", 0, 1);
                    1
                }
            };
            at = at.saturating_add(taken);
        }
        self.push(raw, at, raw.len());
        Ok(raw.len())
    }

    /// Processes the content of a CDATA section in the same way. Its end is not in `raw`.
    pub(super) fn cdata_from(&mut self, raw: &str, complete: bool) -> usize {
        let bytes = raw.as_bytes();
        let trailing = bytes.iter().rev().take(2).take_while(|byte| **byte == b']').count();
        let end = bytes.len().saturating_sub(if complete { 0 } else { trailing });
        let mut at = 0;
        while let Some(index) = memchr(b'\r', bytes.get(at..end).unwrap_or_default()) {
            let found = at.saturating_add(index);
            self.push(raw, at, found);
            // To the end: a bracket that is left is not a line feed.
            match self.line_end(bytes.get(found..).unwrap_or_default(), complete) {
                Some(taken) => at = found.saturating_add(taken),
                None => return found,
            }
        }
        self.push(raw, at, end);
        end
    }

    /// Handles a CR; `None` if an LF may still follow.
    fn line_end(&mut self, rest: &[u8], complete: bool) -> Option<usize> {
        let taken = match rest.get(1) {
            Some(b'\n') => 2,
            None if !complete => return None,
            _ => 1,
        };
        self.push("\n", 0, 1);
        Some(taken)
    }

    fn push(&mut self, text: &str, from: usize, to: usize) {
        let piece = text.get(from..to).unwrap_or_default();
        if self.cut || self.dropping || piece.is_empty() {
            return;
        }
        let room = self.limit.saturating_sub(self.text.len());
        if piece.len() <= room {
            self.text.push_str(piece);
            return;
        }
        self.cut = true;
        self.text.push_str(piece.get(..floor(piece, room)).unwrap_or_default());
    }
}

/// The nearest start of a character at or before `index`.
pub(super) fn floor(text: &str, index: usize) -> usize {
    if index >= text.len() {
        return text.len();
    }
    (0..=index).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{TextBuffer, floor};

    #[test]
    fn what_could_go_on_waits() {
        let mut gathered = TextBuffer::new(100);
        assert_eq!(gathered.text_from("a&am", false, 256).ok(), Some(1));
        assert_eq!(gathered.text_from("&amp;b]]", false, 256).ok(), Some(6));
        assert_eq!(gathered.text_from("]]\r", false, 256).ok(), Some(2));
        assert_eq!(gathered.text_from("\r\nc", true, 256).ok(), Some(3));
        assert_eq!(gathered.text(), "a&b]]\nc");
        assert!(gathered.text_from("]]>", true, 256).is_err());
    }

    #[test]
    fn no_more_is_kept_than_allowed() {
        let mut gathered = TextBuffer::new(5);
        for _ in 0..3 {
            assert_eq!(gathered.text_from("é&lt;", false, 256).ok(), Some(6));
        }
        assert_eq!((gathered.text(), gathered.cut()), ("é<é", true));
        assert_eq!(floor("é", 1), 0);
    }
}
