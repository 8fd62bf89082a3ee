//! The buffer of a document: recently read bytes, and those still to be read.

use alloc::string::String;

use memchr::memchr;

use crate::xml::{
    decode::{Decoder, Undecodable},
    position::plain,
    reference::is_legal,
    text_buffer::floor,
};

/// The maximum distance between the start of a span and [`Xml::position`](super::Xml::position) at which [`Xml::excerpt`](super::Xml::excerpt) still
/// works.
///
/// More than one 64 KiB window, even of UTF-16, which grows when decoded: after [`Cut::Wait`](super::Cut::Wait) a retry after the next
/// window succeeds.
pub const HISTORY: usize = 100 << 10;

/// Bytes kept after they were read; slightly more than [`HISTORY`].
const KEPT: usize = HISTORY + (1 << 10);
/// Old bytes are dropped in chunks of this size, because the rest has to be moved.
const PORTION: usize = 256 << 10;
/// Bytes that are decoded and stored before the next ones, so that they are still in the fastest memory.
const BLOCK: usize = 3 << 10;
/// Bytes kept after the position where reading stopped, for its excerpt.
const AFTER: usize = 1 << 10;

#[derive(Debug)]
pub(super) struct Input {
    decoder: Decoder,
    text: String,
    /// The offset of the first byte of `text`.
    base: u64,
    /// The end of the readable bytes. While the input is open, the rest of `text` was not searched for illegal characters yet; afterwards it is
    /// only for excerpts.
    readable: usize,
    pub(super) end: End,
    /// From this offset on there is only ASCII without CR.
    foreign: u64,
    /// True at the end of the input.
    closed: bool,
    limit: u64,
    /// The number of bytes that were pushed.
    pushed: u64,
}

/// The reason why the readable bytes end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    /// More may come.
    Open,
    /// The end of the document.
    Finished,
    /// Something that cannot be decoded.
    Undecodable(Undecodable),
    /// A character that no XML document contains.
    Illegal(char),
    /// More bytes than allowed.
    TooLong,
}

impl Input {
    pub(super) fn new(limit: u64) -> Input {
        Input {
            decoder: Decoder::new(),
            text: String::new(),
            base: 0,
            readable: 0,
            end: End::Open,
            foreign: 0,
            closed: false,
            limit,
            pushed: 0,
        }
    }

    /// Creates a buffer for UTF-8 whose first byte is at `offset`.
    pub(super) fn start_inside(&mut self, offset: u64) {
        self.decoder = Decoder::utf8_only();
        self.base = offset;
    }

    /// Of UTF-16 whether the low byte of a unit comes first; `None` for anything else.
    pub(super) fn utf16(&self) -> Option<bool> {
        self.decoder.low_first()
    }

    /// The bytes of a document that was read to its end, before they were decoded.
    pub(super) fn encoded(&self) -> Option<u64> {
        Some(self.pushed).filter(|_| self.end == End::Finished && self.utf16().is_some())
    }

    /// Ends the input, also for excerpts.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    pub(super) fn base(&self) -> u64 {
        self.base
    }

    /// The offset after the last readable byte.
    pub(super) fn readable_offset(&self) -> u64 {
        self.base.saturating_add(self.readable as u64)
    }

    /// The whole buffer.
    #[inline]
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The readable text from `at` on.
    #[inline]
    pub(super) fn rest(&self, at: usize) -> &str {
        self.text.get(at..self.readable).unwrap_or_default()
    }

    /// The readable text from `at` on, and what was not searched for illegal characters yet.
    #[inline]
    pub(super) fn unread(&self, at: usize) -> &str {
        self.text.get(at..if self.end == End::Open { self.text.len() } else { self.readable }).unwrap_or_default()
    }

    /// The readable bytes from `at` on, without a check of character boundaries.
    #[inline]
    pub(super) fn bytes(&self, at: usize) -> &[u8] {
        self.text.as_bytes().get(at..self.readable).unwrap_or_default()
    }

    /// True if the readable bytes from here on are ASCII without CR.
    #[inline]
    pub(super) fn is_simple(&self, at: usize) -> bool {
        self.base.saturating_add(at as u64) >= self.foreign
    }

    /// An offset up to which there is certainly only ASCII without line endings.
    pub(super) fn plain(&self, at: usize) -> usize {
        let ahead = self.bytes(at);
        at.saturating_add(if self.is_simple(at) { memchr(b'\n', ahead).unwrap_or(ahead.len()) } else { plain(ahead) })
    }

    /// Adds bytes, with reading at `at`. Returns the number of bytes dropped at the front.
    pub(super) fn push(&mut self, bytes: &[u8], at: usize) -> usize {
        let dropped = self.drop_before(at.saturating_sub(KEPT));
        self.pushed = self.pushed.saturating_add(bytes.len() as u64);
        self.text.reserve(bytes.len());
        for block in bytes.chunks(BLOCK) {
            if !self.closed {
                let decoded = self.decoder.decode(block, &mut self.text);
                self.note(decoded, at.saturating_sub(dropped));
            }
        }
        dropped
    }

    /// Adds bytes only as far as an excerpt at `stopped` may need them.
    pub(super) fn push_after(&mut self, bytes: &[u8], stopped: usize) {
        let room = stopped.saturating_add(AFTER).saturating_sub(self.text.len());
        if !self.closed && room > 0 {
            let decoded = self.decoder.decode(bytes, &mut self.text);
            self.closed = decoded.is_err();
            self.text.truncate(floor(&self.text, stopped.saturating_add(AFTER)));
        }
    }

    pub(super) fn finish(&mut self) {
        if self.closed {
            return;
        }
        let decoded = self.decoder.finish(&mut self.text);
        self.note(decoded, 0);
        self.read_on(0);
        self.closed = true;
        if self.end == End::Open {
            self.end = End::Finished;
        }
    }

    /// Notes the result of decoding; everything is searched, from `at` on, if nothing more can be read.
    fn note(&mut self, decoded: Result<(), Undecodable>, at: usize) {
        self.closed = decoded.is_err();
        let is_too_long = self.room() < self.text.len();
        if self.end == End::Open && (is_too_long || decoded.is_err()) {
            self.search(at, decoded);
        }
    }

    /// Makes readable what was decoded since, with reading at `at`; false if there is nothing more.
    pub(super) fn read_on(&mut self, at: usize) -> bool {
        let is_more = self.end == End::Open && self.readable < self.text.len();
        if is_more {
            self.search(at, Ok(()));
        }
        is_more
    }

    /// Determines how far the bytes are readable, up to the first obstacle. Those before `at` were recognized as what was readable before.
    fn search(&mut self, at: usize, decoded: Result<(), Undecodable>) {
        let (mut stop, mut end) = match decoded {
            Ok(()) => (self.text.len(), End::Open),
            Err(why) => (self.text.len(), End::Undecodable(why)),
        };
        let (illegal, foreign) = inspect(&self.text, self.readable.max(at));
        if let Some((index, character)) = illegal {
            (stop, end) = (index, End::Illegal(character));
        }
        if foreign {
            self.foreign = self.base.saturating_add(self.text.len() as u64);
        }
        let room = self.room();
        if room < self.text.len() && room <= stop {
            (stop, end) = (floor(&self.text, room), End::TooLong);
        }
        self.readable = stop;
        self.end = end;
    }

    /// The number of bytes that may be in the buffer.
    fn room(&self) -> usize {
        usize::try_from(self.limit.saturating_sub(self.base)).unwrap_or(usize::MAX)
    }

    fn drop_before(&mut self, index: usize) -> usize {
        if index < PORTION {
            return 0;
        }
        let index = floor(&self.text, index);
        self.text.drain(..index);
        self.base = self.base.saturating_add(index as u64);
        self.readable = self.readable.saturating_sub(index);
        index
    }
}

/// The first character outside production `Char`, and whether there is anything other than ASCII, or a CR.
fn inspect(text: &str, from: usize) -> (Option<(usize, char)>, bool) {
    // U+FFFE and U+FFFF start with EF; surrogates are not UTF-8.
    let suspect = |byte: u8| byte == 0xEF || (byte < b' ' && byte != b'\n' && byte != b'\t' && byte != b'\r');
    let foreign = |byte: u8| byte >= 0x80 || byte == b'\r';
    // Branch-free, so that it is vectorized.
    let look = |chunk: &[u8], seen: bool| {
        chunk.iter().fold((false, seen), |(bad, seen), byte| (bad | suspect(*byte), seen | foreign(*byte)))
    };
    let (chunks, rest) = text.as_bytes().get(from..).unwrap_or_default().as_chunks::<64>();
    let (mut at, mut any_foreign, mut found) = (from, false, None);
    // Most chunks pass this test, which takes a third of the time.
    let usual = |byte: u8| (byte.cast_signed() >= b' '.cast_signed()) | (byte == b'\n');
    for chunk in chunks.iter().map(<[u8; 64]>::as_slice).chain([rest]) {
        if chunk.len() == 64 && chunk.iter().fold(true, |all, byte| all & usual(*byte)) {
            at = at.saturating_add(64);
            continue;
        }
        let (bad, seen) = if chunk.len() == 64 { look(chunk, any_foreign) } else { look(rest, any_foreign) };
        any_foreign = seen;
        if bad && found.is_none() {
            found = chunk.iter().enumerate().filter(|(_, byte)| suspect(**byte)).find_map(|(index, _)| {
                let index = at.saturating_add(index);
                let character = text.get(index..)?.chars().next()?;
                (!is_legal(character)).then_some((index, character))
            });
        }
        at = at.saturating_add(chunk.len());
    }
    (found, any_foreign)
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String};

    use super::{End, Input, inspect};

    #[test]
    fn illegal_characters_are_found_wherever_they_stand() {
        for (index, wrong) in ['\0', '\u{1}', '\u{B}', '\u{1F}', '\u{FFFE}', '\u{FFFF}'].into_iter().enumerate() {
            let lead = "é\u{FEFF}a\t\r\n\u{7F}\u{85}\u{FFFD}".repeat(index * 3);
            let text = format!("{lead}{wrong}x\0");
            assert_eq!(inspect(&text, 0).0, Some((lead.len(), wrong)));
            assert_eq!(inspect(&lead, 0).0, None);
        }
    }

    #[test]
    fn what_is_held_does_not_grow() {
        let mut input = Input::new(u64::MAX);
        let window = "x".repeat(64 << 10);
        let mut at = 0;
        for _ in 0..100 {
            at -= input.push(window.as_bytes(), at);
            at += window.len();
            assert!(input.text().len() < 512 << 10);
        }
        assert_eq!(input.base() + at as u64, 100 * (64 << 10));
    }

    #[test]
    fn the_limit_counts_bytes_and_what_comes_first_wins() {
        for (limit, end, readable) in
            [(5, End::TooLong, 5), (6, End::TooLong, 5), (7, End::TooLong, 7), (8, End::Illegal('\u{1}'), 7)]
        {
            for step in 1..9 {
                let mut input = Input::new(limit);
                for piece in "abcdeé\u{1}\u{1}".as_bytes().chunks(step) {
                    input.push(piece, 0);
                }
                input.read_on(0);
                assert_eq!((&input.end, input.readable), (&end, readable), "{limit} by {step}");
            }
        }
        let mut input = Input::new(3);
        input.push(String::from("abc").as_bytes(), 0);
        input.finish();
        assert_eq!(input.end, End::Finished);
    }
}
