//! A digest of the elements that the standard does not define.

use alloc::{borrow::Cow, vec::Vec};
use core::hash::Hasher;

use siphasher::sip128::{Hasher128, SipHasher13};

use crate::xml::Start;

/// Adds the content of such elements; prefixes and the amount of white space do not matter.
#[derive(Debug, Default)]
pub(super) struct Extensions {
    hasher: Option<SipHasher13>,
    /// Whether the last addition was a word, and whether white space followed it.
    word: bool,
    gap: bool,
}

/// The type of the next part.
const START: u8 = 1;
const END: u8 = 2;
const ATTRIBUTE: u8 = 3;
const TEXT: u8 = 4;

impl Extensions {
    /// The following content belongs to this entry, or to none.
    pub(super) fn begin(&mut self, entry: Option<u64>) {
        self.put(START, &entry.unwrap_or_default().to_le_bytes());
    }

    pub(super) fn start(&mut self, start: &Start<'_>) {
        self.put(START, start.namespace.as_bytes());
        self.put(START, start.local.as_bytes());
        let mut attributes: Vec<(&str, &str, Cow<'_, str>)> =
            start.attributes().map(|one| (one.namespace, one.local, one.value)).collect();
        attributes.sort_unstable();
        for (namespace, local, value) in &attributes {
            [namespace, local, &**value].iter().for_each(|part| self.put(ATTRIBUTE, part.as_bytes()));
        }
    }

    /// Adds text, which may be split into pieces.
    pub(super) fn text(&mut self, text: &str) {
        for piece in text.split_inclusive(|character: char| character.is_ascii_whitespace()) {
            let word = piece.trim_ascii_end();
            if !word.is_empty() {
                if !self.word || self.gap {
                    self.put(TEXT, &[]);
                }
                self.hasher().write(word.as_bytes());
                (self.word, self.gap) = (true, false);
            }
            self.gap |= word.len() < piece.len();
        }
    }

    pub(super) fn end(&mut self) {
        self.put(END, &[]);
    }

    /// Returns the digest, if anything was added.
    pub(super) fn take(&mut self) -> Option<u128> {
        self.hasher.take().map(|hasher| hasher.finish128().as_u128())
    }

    fn hasher(&mut self) -> &mut SipHasher13 {
        self.hasher.get_or_insert_default()
    }

    /// Texts are prefixed with their length, so that their boundaries are unambiguous.
    fn put(&mut self, what: u8, bytes: &[u8]) {
        (self.word, self.gap) = (false, false);
        let hasher = self.hasher();
        hasher.write(&[what]);
        if what != TEXT {
            hasher.write(&(bytes.len() as u64).to_le_bytes());
            hasher.write(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(pieces: &[&str]) -> Option<u128> {
        let mut extensions = Extensions::default();
        extensions.begin(None);
        pieces.iter().for_each(|piece| extensions.text(piece));
        extensions.end();
        extensions.take()
    }

    #[test]
    fn only_words_count_however_they_are_cut() {
        assert_eq!(digest(&["one two"]), digest(&[" on", "e ", "", "\n two\t"]));
        assert_ne!(digest(&["one two"]), digest(&["onetwo"]));
        assert_ne!(digest(&["one two"]), digest(&["one three"]));
        assert_eq!(Extensions::default().take(), None);
    }
}
