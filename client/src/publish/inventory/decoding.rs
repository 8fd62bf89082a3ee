//! The text of an inventory: UTF-8, or another encoding that is recognized or given.

use std::{
    cell::Cell,
    io::{self, Read},
};

use encoding_rs::{Decoder, DecoderResult, Encoding, SHIFT_JIS, UTF_8};

/// Bytes that are read at once, and by which the encoding is recognized.
const WINDOW: usize = 64 << 10;

/// Decodes a text in UTF-8, Shift_JIS, or UTF-16 with a byte order mark. Also returns the name of the encoding, unless that is UTF-8.
///
/// # Errors
///
/// If it is in none of them.
pub fn decode(bytes: &[u8]) -> io::Result<(String, Option<&'static str>)> {
    let (used, mut text) = (Cell::new(None), String::new());
    Decoding::new(bytes, &used).read_to_string(&mut text)?;
    Ok((text, used.get().filter(|used| *used != UTF_8).map(Encoding::name)))
}

/// Passes on the text as UTF-8.
pub(super) struct Decoding<'a, R> {
    input: R,
    /// What the text is read as, once that is known.
    used: &'a Cell<Option<&'static Encoding>>,
    /// For another encoding than UTF-8.
    decoder: Option<Decoder>,
    window: Vec<u8>,
    /// What was read and not decoded yet.
    raw: Vec<u8>,
    /// Text that was not passed on yet.
    text: Vec<u8>,
    at: usize,
    is_begun: bool,
    is_over: bool,
}

impl<'a, R: Read> Decoding<'a, R> {
    /// `used` has the encoding if that is given.
    pub(super) fn new(input: R, used: &'a Cell<Option<&'static Encoding>>) -> Decoding<'a, R> {
        let decoder = used.get().filter(|used| *used != UTF_8).map(Encoding::new_decoder_with_bom_removal);
        let (window, raw, text) = (vec![0; WINDOW], Vec::new(), Vec::new());
        Decoding { input, used, decoder, window, raw, text, at: 0, is_begun: false, is_over: false }
    }

    /// Reads until there is this number of bytes, or nothing more.
    fn fill(&mut self, least: usize) -> io::Result<()> {
        while self.raw.len() < least && !self.is_over {
            match self.input.read(&mut self.window) {
                Ok(read) => {
                    self.is_over = read == 0;
                    self.raw.extend_from_slice(self.window.get(..read).unwrap_or_default());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Recognizes the encoding by a byte order mark, or by the first bytes that are not ASCII. Until there are any, it does not matter.
    fn recognize(&mut self) -> io::Result<()> {
        if self.used.get().is_some() {
            return Ok(());
        }
        if !self.is_begun {
            self.is_begun = true;
            self.fill(3)?;
            if let Some((found, _)) = Encoding::for_bom(&self.raw) {
                self.choose(found);
            }
        }
        if self.used.get().is_some() || self.raw.is_ascii() {
            return Ok(());
        }
        self.fill(WINDOW)?;
        let is_utf_8 = match std::str::from_utf8(&self.raw) {
            Ok(_) => true,
            Err(error) => error.error_len().is_none() && !self.is_over,
        };
        let (mut probe, mut text) = (SHIFT_JIS.new_decoder_without_bom_handling(), String::new());
        text.reserve(self.raw.len().saturating_mul(3));
        let (result, _) = probe.decode_to_string_without_replacement(&self.raw, &mut text, self.is_over);
        let is_shift_jis = !is_utf_8 && !matches!(result, DecoderResult::Malformed(..));
        self.choose(if is_shift_jis { SHIFT_JIS } else { UTF_8 });
        Ok(())
    }

    fn choose(&mut self, encoding: &'static Encoding) {
        self.used.set(Some(encoding));
        self.decoder = (encoding != UTF_8).then(|| encoding.new_decoder_with_bom_removal());
    }

    /// Makes text of what was read.
    fn decode(&mut self) -> io::Result<()> {
        (self.text, self.at) = (std::mem::take(&mut self.raw), 0);
        let Some(mut decoder) = self.decoder.take() else { return Ok(()) };
        let mut text = String::new();
        text.reserve(decoder.max_utf8_buffer_length_without_replacement(self.text.len()).unwrap_or(WINDOW));
        match decoder.decode_to_string_without_replacement(&self.text, &mut text, self.is_over).0 {
            DecoderResult::InputEmpty => {
                self.text = text.into_bytes();
                // A decoder is used up by the last bytes.
                self.decoder = Some(decoder).filter(|_| !self.is_over);
                Ok(())
            }
            _ => {
                let name = decoder.encoding().name();
                Err(io::Error::new(io::ErrorKind::InvalidData, format!("the text is not {name}; see --encoding")))
            }
        }
    }
}

impl<R: Read> Read for Decoding<'_, R> {
    fn read(&mut self, window: &mut [u8]) -> io::Result<usize> {
        while self.at == self.text.len() {
            self.fill(1)?;
            self.recognize()?;
            let is_last = self.is_over;
            self.decode()?;
            if self.text.is_empty() && is_last {
                return Ok(0);
            }
        }
        let read = self.text.get(self.at..).unwrap_or_default().read(window)?;
        self.at = self.at.saturating_add(read);
        Ok(read)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use encoding_rs::{UTF_16BE, UTF_16LE};

    use super::*;

    /// Returns a byte at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, window: &mut [u8]) -> io::Result<usize> {
            let length = window.len().min(1);
            self.0.read(window.get_mut(..length).unwrap())
        }
    }

    fn read(bytes: &[u8], given: Option<&'static Encoding>) -> (String, Option<&'static Encoding>) {
        let mut found = Vec::new();
        for is_slow in [false, true] {
            let (used, mut text) = (Cell::new(given), Vec::new());
            match is_slow {
                true => Decoding::new(Slow(bytes), &used).read_to_end(&mut text).unwrap(),
                false => Decoding::new(bytes, &used).read_to_end(&mut text).unwrap(),
            };
            found.push((String::from_utf8_lossy(&text).into_owned(), used.get()));
        }
        assert_eq!(found.first(), found.last());
        found.pop().unwrap()
    }

    #[test]
    fn an_encoding_is_recognized_by_its_mark_or_its_first_letters() {
        let text = format!("uri,link:describedby\nhttps://example.com/1,{}論文\n", "a".repeat(3 * WINDOW));
        let ascii = "uri\nhttps://example.com/1\n";
        assert_eq!(read(ascii.as_bytes(), None), (ascii.to_owned(), None));
        assert_eq!(read(b"", None), (String::new(), None));
        assert_eq!(read(text.as_bytes(), None), (text.clone(), Some(UTF_8)));
        let shift_jis = SHIFT_JIS.encode(&text).0;
        assert_eq!(read(&shift_jis, None), (text.clone(), Some(SHIFT_JIS)));
        assert_eq!(read(&shift_jis, Some(SHIFT_JIS)).0, text);
        let little: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
        assert_eq!(read(&little, None), (text.clone(), Some(UTF_16LE)));
        assert_eq!(read(&big, None), (text.clone(), Some(UTF_16BE)));
        assert_eq!(decode(text.as_bytes()).unwrap(), (text.clone(), None));
        assert_eq!(decode(&shift_jis).unwrap(), (text.clone(), Some("Shift_JIS")));
        assert_eq!(decode(&big).unwrap(), (text, Some("UTF-16BE")));
    }

    #[test]
    fn what_is_neither_stays_as_it_is_and_what_is_not_as_given_is_an_error() {
        let bytes = b"uri\nhttps://example.com/\xff\n";
        assert_eq!(read(bytes, None).1, Some(UTF_8));
        decode(bytes).unwrap_err();
        let used = Cell::new(Some(SHIFT_JIS));
        let error = Decoding::new(&bytes[..], &used).read_to_end(&mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains("not Shift_JIS"), "{error}");
    }
}
