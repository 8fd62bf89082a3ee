//! Finds the end of a piece of markup, and keeps its state, so that a token split over many windows is scanned only once.

use memchr::{memchr, memchr_iter, memchr3};

/// Bytes are passed in order, each once; after a result the state is reset.
#[derive(Debug, Default)]
pub(super) struct MarkupEnd {
    /// Inside an attribute value with this quote.
    quote: Option<u8>,
    /// The number of hyphens at the end of the bytes so far, at most two.
    hyphens: usize,
    /// The bytes so far end with a question mark.
    question: bool,
}

impl MarkupEnd {
    /// Bytes up to and including the `>` of a start tag; called from just after its `<`.
    #[inline]
    pub(super) fn tag(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0_usize;
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            let found = match self.quote {
                Some(quote) => memchr(quote, rest)?,
                None => memchr3(b'>', b'"', b'\'', rest)?,
            };
            at = at.saturating_add(found).saturating_add(1);
            match (self.quote, rest.get(found)) {
                (None, Some(b'>')) => return Some(at),
                (None, quote) => self.quote = quote.copied(),
                (Some(_), _) => self.quote = None,
            }
        }
    }

    /// Bytes up to and including the `-->` of a comment; called from just after its `<!--`.
    pub(super) fn comment(&mut self, bytes: &[u8]) -> Option<usize> {
        let trailing = |before: &[u8]| before.iter().rev().take(2).take_while(|byte| **byte == b'-').count();
        for index in memchr_iter(b'>', bytes) {
            let hyphens = trailing(bytes.get(..index).unwrap_or_default());
            let carried = if hyphens == index { self.hyphens } else { 0 };
            if hyphens.saturating_add(carried) >= 2 {
                self.hyphens = 0;
                return Some(index.saturating_add(1));
            }
        }
        let hyphens = trailing(bytes);
        let carried = if hyphens == bytes.len() { self.hyphens } else { 0 };
        self.hyphens = hyphens.saturating_add(carried).min(2);
        None
    }

    /// Bytes up to and including the `?>` of a processing instruction; called from just after its target.
    pub(super) fn instruction(&mut self, bytes: &[u8]) -> Option<usize> {
        for index in memchr_iter(b'>', bytes) {
            let question = match index.checked_sub(1) {
                Some(before) => bytes.get(before) == Some(&b'?'),
                None => self.question,
            };
            if question {
                self.question = false;
                return Some(index.saturating_add(1));
            }
        }
        if let Some(last) = bytes.last() {
            self.question = *last == b'?';
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use quick_xml::parser::{CommentParser, ElementParser, Parser, PiParser};

    use super::MarkupEnd;

    const TEXTS: [&str; 12] = [
        "a b='>' c=\"'>\">x",
        " -->",
        "-- -->",
        "->-->",
        "->--->",
        "?>",
        "a ? > ??>",
        "a?b>c?>",
        ">->-->",
        "a'\"'\"'\">",
        "a-b->x-c->-->",
        "--x->-->",
    ];

    /// The first ends of a tag, a comment and a processing instruction, searched in pieces of this size.
    fn ends(text: &str, step: usize) -> [Option<usize>; 3] {
        let asks = [MarkupEnd::tag, MarkupEnd::comment, MarkupEnd::instruction];
        asks.map(|ask| {
            let (mut own, mut before) = (MarkupEnd::default(), 0);
            for piece in text.as_bytes().chunks(step).flat_map(|piece| [&[], piece]) {
                if let Some(end) = ask(&mut own, piece) {
                    return Some(before + end);
                }
                before += piece.len();
            }
            None
        })
    }

    /// The same by quick-xml, in one piece: in smaller ones quick-xml 0.42 loses count of hyphens and question marks.
    fn oracle(text: &str) -> [Option<usize>; 3] {
        let bytes = text.as_bytes();
        let after = |last: usize| last + 1;
        let tag = ElementParser::default().feed(bytes).map(after);
        [tag, CommentParser::default().feed(bytes), PiParser::default().feed(bytes).map(after)]
    }

    #[test]
    fn ends_are_those_of_quick_xml_in_pieces_of_any_size() {
        for text in TEXTS {
            let whole = ends(text, text.len());
            assert_eq!(whole, oracle(text), "{text}");
            assert_eq!(whole[1], text.find("-->").map(|at| at + 3), "{text}");
            assert_eq!(whole[2], text.find("?>").map(|at| at + 2), "{text}");
            for step in 1..=text.len() {
                assert_eq!(ends(text, step), whole, "{text} by {step}");
            }
        }
    }

    #[test]
    fn any_text_of_delimiters_has_the_ends_that_quick_xml_finds() {
        let letters = [b'>', b'-', b'?', b'"', b'\'', b'x'];
        for number in 0..letters.len().pow(6) {
            let text: alloc::string::String =
                (0..6).map(|place| char::from(letters[number / letters.len().pow(place) % letters.len()])).collect();
            assert_eq!(ends(&text, 6), oracle(&text), "{text}");
            assert_eq!(ends(&text, 1), oracle(&text), "{text} byte by byte");
        }
    }
}
