//! Finds the position at which reading can be resumed after a damaged record.

use alloc::{format, string::String, vec::Vec};

use memchr::{memchr, memmem};
use resourcesync::{span::Place, xml::Fault};

use super::Damage;
use crate::bytes::Bytes;

/// Finds the start of the next item, the token or the end of the list in bytes that are not reliably well-formed.
///
/// An item is recognised by its start tag, white space, and the start tag of its first element: the `record` of MARCXML has no
/// `header`. The content of closed comments, CDATA sections and processing instructions is ignored.
#[derive(Debug)]
pub(super) struct Finder {
    item: Vec<u8>,
    first_child: Vec<u8>,
    token: Vec<u8>,
    list_end: Vec<u8>,
    /// There is no boundary before this offset in the page.
    at: u64,
}

/// The result of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// A boundary, at this offset.
    At(u64),
    /// None so far: more bytes are needed; those from [`Finder::at`] on are searched again.
    More,
    /// There is none.
    Nothing,
}

impl Finder {
    /// Creates a finder that starts at an offset, with the prefix of the OAI-PMH elements of the page.
    pub(super) fn new(prefix: &str, item: &str, first_child: &str, list: &str, from: u64) -> Finder {
        let colon = if prefix.is_empty() { "" } else { ":" };
        let tag = |opener: &str, name: &str| -> Vec<u8> { format!("{opener}{prefix}{colon}{name}").into_bytes() };
        Finder {
            item: tag("<", item),
            first_child: tag("<", first_child),
            token: tag("<", "resumptionToken"),
            list_end: tag("</", list),
            at: from,
        }
    }

    /// Everything before this offset has been searched.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// Searches the last bytes again.
    pub(super) fn step_back(&mut self, bytes: u64) {
        self.at = self.at.saturating_sub(bytes);
    }

    /// Continues in `held`, whose first byte is at the offset `base`.
    pub(super) fn look(&mut self, held: &[u8], base: u64, is_all: bool) -> Found {
        loop {
            let from = usize::try_from(self.at.saturating_sub(base)).unwrap_or(usize::MAX);
            let rest = held.get(from..).unwrap_or_default();
            let Some(next) = memchr(b'<', rest) else {
                self.at = base.saturating_add(held.len() as u64);
                return if is_all { Found::Nothing } else { Found::More };
            };
            self.at = self.at.saturating_add(next as u64);
            let rest = rest.get(next..).unwrap_or_default();
            match self.step(rest) {
                Step::Boundary => return Found::At(self.at),
                Step::Past(length) => self.at = self.at.saturating_add(length as u64),
                Step::Unclosed if is_all => self.at = self.at.saturating_add(1),
                Step::Unclosed => return Found::More,
            }
        }
    }

    /// At a `<`.
    fn step(&self, rest: &[u8]) -> Step {
        let starts = |word: &[u8]| {
            let length = word.len().min(rest.len());
            let (a, b) = (rest.get(..length).unwrap_or_default(), word.get(..length).unwrap_or_default());
            if a != b {
                Some(false)
            } else if length < word.len() {
                None
            } else {
                Some(true)
            }
        };
        for (opener, terminator, never) in
            [(&b"<!--"[..], &b"-->"[..], &b"--"[..]), (b"<![CDATA[", b"]]>", b"<![CDATA["), (b"<?", b"?>", b"<?")]
        {
            match starts(opener) {
                None => return Step::Unclosed,
                Some(false) => {}
                Some(true) => {
                    let body = rest.get(opener.len()..).unwrap_or_default();
                    let Some(end) = memmem::find(body, terminator) else { return Step::Unclosed };
                    // A construct that contains such a tag was never closed: the end belongs to another one.
                    let inside = memmem::find(body, never).is_some_and(|at| at < end);
                    let whole = opener.len().saturating_add(end).saturating_add(terminator.len());
                    return Step::Past(if inside { opener.len() } else { whole });
                }
            }
        }
        match starts(&self.list_end) {
            None => return Step::Unclosed,
            Some(true) => return ends(rest, self.list_end.len()),
            Some(false) => {}
        }
        match starts(&self.token) {
            None => return Step::Unclosed,
            Some(true) => return ends(rest, self.token.len()),
            Some(false) => {}
        }
        match starts(&self.item) {
            None => return Step::Unclosed,
            Some(false) => return Step::Past(1),
            Some(true) => {}
        }
        match ends(rest, self.item.len()) {
            Step::Boundary => {}
            other => return other,
        }
        let Some(close) = memchr(b'>', rest) else { return Step::Unclosed };
        let after = rest.get(close.saturating_add(1)..).unwrap_or_default().trim_ascii_start();
        let length = self.first_child.len().min(after.len());
        match after.get(..length) == self.first_child.get(..length) {
            false => Step::Past(1),
            true if length < self.first_child.len() => Step::Unclosed,
            true => ends(after, self.first_child.len()),
        }
    }
}

enum Step {
    Boundary,
    /// No match; skip this number of bytes.
    Past(usize),
    /// More bytes are needed.
    Unclosed,
}

/// Whether a name ends after this number of bytes.
fn ends(tag: &[u8], length: usize) -> Step {
    match tag.get(length) {
        None => Step::Unclosed,
        Some(b'>' | b'/' | b' ' | b'\t' | b'\n' | b'\r') => Step::Boundary,
        Some(_) => Step::Past(1),
    }
}

/// The identifier of a damaged item, if its element is intact.
pub(super) fn identifier(raw: &[u8], prefix: &str) -> Option<String> {
    let colon = if prefix.is_empty() { "" } else { ":" };
    let start = memmem::find(raw, format!("<{prefix}{colon}identifier>").as_bytes())?;
    let rest = raw.get(start..)?;
    let from = memchr(b'>', rest)?.checked_add(1)?;
    let value = rest.get(from..)?;
    let value = value.get(..memchr(b'<', value)?)?;
    let text = core::str::from_utf8(value).ok()?.trim();
    let is_plain = !text.is_empty() && !text.contains('&') && text.chars().all(|character| !character.is_control());
    is_plain.then(|| text.into())
}

/// A damaged item, and the search for the next one.
pub(super) struct Recovering {
    pub(super) finder: Finder,
    pub(super) start: Place,
    pub(super) why: Damage,
    pub(super) fault: Fault,
    pub(super) number: u64,
    /// The first bytes of an item that exceeds the limit; the rest is not stored.
    pub(super) kept: Option<Bytes>,
    /// The start of the buffered bytes.
    pub(super) held_from: Place,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(prefix: &str, text: &str) -> Option<usize> {
        let mut found = Vec::new();
        for step in [1, 7, text.len()] {
            let mut finder = Finder::new(prefix, "record", "header", "ListRecords", 100);
            let mut held = 0;
            found.push(loop {
                held = (held + step).min(text.len());
                match finder.look(&text.as_bytes()[..held], 100, held == text.len()) {
                    Found::At(at) => break Some(at as usize - 100),
                    Found::Nothing => break None,
                    Found::More => assert!(held < text.len()),
                }
            });
        }
        assert!(found.iter().all(|own| *own == found[0]), "{found:?}");
        found[0]
    }

    #[test]
    fn the_next_record_is_found() {
        for text in [
            "x<record><record>\n <header>",
            "<record><leader/></record><datafield><record a='>'",
            "<!-- <record><header> --><![CDATA[<record><header>]]>",
            "<?x <record><header> ?>",
            "<recordx><header></ListRecordsx><resumptionTokens>",
            "<record><headers>",
        ] {
            let boundary = text.find("<record>\n");
            assert_eq!(find("", text), boundary, "{text}");
            for end in ["<record>\t<header status='deleted'/>", "</ListRecords >", "<resumptionToken/>"] {
                assert_eq!(find("", &format!("{text}&{end}")), boundary.or(Some(text.len() + 1)), "{text}{end}");
            }
        }
        assert_eq!(find("o", "<record><header><o:record x='y' ><o:header>"), Some(16));
    }

    #[test]
    fn what_is_never_closed_hides_nothing() {
        for opener in ["<![CDATA[", "<!--", "<?"] {
            assert_eq!(find("", &format!("{opener} x <record><header>y")), Some(opener.len() + 3), "{opener}");
        }
        assert_eq!(find("", "<![CDATA[ x <record><header><![CDATA[y]]>"), Some(12));
        assert_eq!(find("", "<!-- x <record><header><!-- y -->"), Some(7));
    }

    #[test]
    fn an_identifier_is_read_where_it_is_plain() {
        assert_eq!(identifier(b"<record><header><identifier> a:1\n</identifier>\x0b", "").as_deref(), Some("a:1"));
        assert_eq!(identifier(b"<o:identifier>a</o:identifier>", "o").as_deref(), Some("a"));
        for raw in ["<identifier>a", "<identifier>a&amp;b</identifier>", "<identifier></identifier>", "<x>a</x>"] {
            assert_eq!(identifier(raw.as_bytes(), ""), None, "{raw}");
        }
    }
}
