//! Finds the ends of markup without quick-xml.

use memchr::{memchr, memchr_iter, memchr3};

use crate::xml::feed::Feed;

/// A minimal scanner.
#[derive(Debug, Default)]
pub(super) struct SliceFeed {
    /// Inside an attribute value with this quote.
    quote: Option<u8>,
    /// The number of hyphens at the end of the bytes so far, at most two.
    hyphens: usize,
    /// The bytes so far end with a question mark.
    question: bool,
}

impl Feed for SliceFeed {
    fn tag(&mut self, bytes: &[u8]) -> Option<usize> {
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

    fn comment(&mut self, bytes: &[u8]) -> Option<usize> {
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

    fn instruction(&mut self, bytes: &[u8]) -> Option<usize> {
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
    use alloc::{boxed::Box, vec::Vec};

    use super::SliceFeed;
    use crate::xml::feed::Feed;

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

    type Ask = fn(&mut dyn Feed, &[u8]) -> Option<usize>;

    fn ends(feed: &mut dyn Feed, text: &str, step: usize) -> [Option<usize>; 3] {
        let mut found = [None; 3];
        let asks: [Ask; 3] =
            [|feed, bytes| feed.tag(bytes), |feed, bytes| feed.comment(bytes), |feed, bytes| feed.instruction(bytes)];
        for (ask, found) in asks.iter().zip(&mut found) {
            let mut before = 0;
            for piece in text.as_bytes().chunks(step).flat_map(|piece| [&[], piece]) {
                if let Some(end) = ask(feed, piece) {
                    *found = Some(before + end);
                    break;
                }
                before += piece.len();
            }
        }
        found
    }

    fn feeds() -> Vec<fn() -> Box<dyn Feed>> {
        Vec::from([
            (|| Box::new(SliceFeed::default())) as fn() -> Box<dyn Feed>,
            #[cfg(feature = "std")]
            (|| Box::new(crate::xml::feed_quick::QuickFeed::default())),
        ])
    }

    #[test]
    fn all_feeds_find_the_same_ends_in_pieces_of_any_size() {
        for text in TEXTS {
            let whole = ends(&mut SliceFeed::default(), text, text.len());
            assert_eq!(whole[1], text.find("-->").map(|at| at + 3), "{text}");
            assert_eq!(whole[2], text.find("?>").map(|at| at + 2), "{text}");
            for feed in feeds() {
                for step in 1..=text.len() {
                    assert_eq!(ends(&mut *feed(), text, step), whole, "{text} by {step}");
                }
            }
        }
    }
}
