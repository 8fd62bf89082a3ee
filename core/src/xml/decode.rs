//! Decodes bytes to characters: UTF-8, or UTF-16 with a byte order mark.

use alloc::{format, string::String, vec::Vec};
use core::str::from_utf8;

use crate::xml::fault::EncodingFault;

/// Why decoding stopped. Everything before was decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Undecodable {
    /// These bytes, in hexadecimal, are not UTF-8; with their number.
    Utf8(String, usize),
    /// These bytes, in hexadecimal, are not UTF-16.
    Utf16(String),
    /// Another encoding.
    Other(EncodingFault),
}

/// Decodes bytes incrementally.
#[derive(Debug)]
pub(super) struct Decoder {
    encoding: Encoding,
    /// The start of a character, or the first bytes while the encoding is unknown.
    held: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Unknown,
    Utf8,
    Utf16 { little: bool },
}

/// Bytes needed to detect the encoding (XML 1.0 Appendix F).
const TELLING: usize = 4;

impl Decoder {
    pub(super) fn new() -> Decoder {
        Decoder { encoding: Encoding::Unknown, held: Vec::with_capacity(TELLING) }
    }

    /// Creates a decoder for input that is known to be UTF-8.
    pub(super) fn utf8_only() -> Decoder {
        Decoder { encoding: Encoding::Utf8, held: Vec::new() }
    }

    /// Of UTF-16 whether the low byte of a unit comes first; `None` for anything else.
    pub(super) fn low_first(&self) -> Option<bool> {
        match self.encoding {
            Encoding::Utf16 { little } => Some(little),
            _ => None,
        }
    }

    /// Decodes the next bytes.
    pub(super) fn decode(&mut self, bytes: &[u8], text: &mut String) -> Result<(), Undecodable> {
        match self.encoding {
            Encoding::Utf8 => self.utf8(bytes, text),
            Encoding::Utf16 { little } => self.utf16(bytes, little, text),
            Encoding::Unknown => {
                let missing = TELLING.saturating_sub(self.held.len()).min(bytes.len());
                let (first, rest) = bytes.split_at_checked(missing).unwrap_or((bytes, &[]));
                self.held.extend_from_slice(first);
                if self.held.len() < TELLING {
                    return Ok(());
                }
                self.begin(text)?;
                self.decode(rest, text)
            }
        }
    }

    /// Ends the input.
    pub(super) fn finish(&mut self, text: &mut String) -> Result<(), Undecodable> {
        if self.encoding == Encoding::Unknown {
            self.begin(text)?;
        }
        let held = core::mem::take(&mut self.held);
        match self.encoding {
            _ if held.is_empty() => Ok(()),
            Encoding::Utf16 { .. } => Err(Undecodable::Utf16(hex(&held))),
            _ => Err(Undecodable::Utf8(hex(&held), held.len())),
        }
    }

    fn begin(&mut self, text: &mut String) -> Result<(), Undecodable> {
        let first = core::mem::take(&mut self.held);
        self.encoding = tell(&first).map_err(Undecodable::Other)?;
        self.decode(&first, text)
    }

    fn utf8(&mut self, bytes: &[u8], text: &mut String) -> Result<(), Undecodable> {
        let mut bytes = bytes;
        while !self.held.is_empty() {
            let Some((next, rest)) = bytes.split_first() else { return Ok(()) };
            self.held.push(*next);
            bytes = rest;
            match from_utf8(&self.held) {
                Ok(character) => {
                    text.push_str(character);
                    self.held.clear();
                }
                Err(error) => bad(&self.held, error.error_len())?,
            }
        }
        // A window often ends inside a character: what is before it need not be checked twice.
        let (whole, started) = bytes.split_at_checked(started(bytes)).unwrap_or((bytes, &[]));
        if let Ok(all) = from_utf8(whole) {
            text.push_str(all);
            bytes = started;
        }
        match from_utf8(bytes) {
            Ok(all) => text.push_str(all),
            Err(error) => {
                let (good, rest) = bytes.split_at_checked(error.valid_up_to()).unwrap_or_default();
                text.push_str(from_utf8(good).unwrap_or_default());
                bad(rest, error.error_len())?;
                self.held.extend_from_slice(rest);
            }
        }
        Ok(())
    }

    fn utf16(&mut self, bytes: &[u8], little: bool, text: &mut String) -> Result<(), Undecodable> {
        for byte in bytes {
            self.held.push(*byte);
            let unit = |pair: [u8; 2]| if little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) };
            let character = match *self.held.as_slice() {
                [a, b] => match unit([a, b]) {
                    0xD800..=0xDBFF => continue,
                    single => char::from_u32(single.into()),
                },
                [a, b, c, d] => {
                    char::decode_utf16([unit([a, b]), unit([c, d])]).next().and_then(|decoded| decoded.ok())
                }
                _ => continue,
            };
            let Some(character) = character else { return Err(Undecodable::Utf16(hex(&self.held))) };
            text.push(character);
            self.held.clear();
        }
        Ok(())
    }
}

/// The index of a character of which only the first bytes are there; the length if there is none.
fn started(bytes: &[u8]) -> usize {
    for (index, byte) in bytes.iter().enumerate().rev().take(3) {
        let length = match byte {
            0xC0..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0.. => 4,
            0x80..=0xBF => continue,
            _ => 1,
        };
        return if bytes.len().saturating_sub(index) < length { index } else { bytes.len() };
    }
    bytes.len()
}

/// An error, unless more bytes could complete the character.
fn bad(bytes: &[u8], length: Option<usize>) -> Result<(), Undecodable> {
    match length {
        None => Ok(()),
        Some(length) => Err(Undecodable::Utf8(hex(bytes.get(..length).unwrap_or_default()), length)),
    }
}

/// Detects the encoding by the first bytes.
fn tell(first: &[u8]) -> Result<Encoding, EncodingFault> {
    match first {
        [0, 0, 0xFE, 0xFF, ..] | [0xFF, 0xFE, 0, 0, ..] => Err(EncodingFault::Utf32),
        [0, 0, 0, b'<', ..] | [b'<', 0, 0, 0, ..] | [0, 0, b'<', 0, ..] | [0, b'<', 0, 0, ..] => {
            Err(EncodingFault::Utf32)
        }
        [0xFE, 0xFF, ..] => Ok(Encoding::Utf16 { little: false }),
        [0xFF, 0xFE, ..] => Ok(Encoding::Utf16 { little: true }),
        [0, b'<', ..] | [b'<', 0, ..] => Err(EncodingFault::Utf16WithoutMark),
        [0x4C, 0x6F, 0xA7, 0x94, ..] => Err(EncodingFault::Ebcdic),
        _ => Ok(Encoding::Utf8),
    }
}

fn hex(bytes: &[u8]) -> String {
    let words: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use alloc::{
        string::{String, ToString},
        vec::Vec,
    };

    use super::{Decoder, Undecodable};
    use crate::xml::fault::EncodingFault;

    fn decode(bytes: &[u8], step: usize) -> (String, Result<(), Undecodable>) {
        let (mut decoder, mut text) = (Decoder::new(), String::new());
        for piece in bytes.chunks(step) {
            if let Err(why) = decoder.decode(piece, &mut text) {
                return (text, Err(why));
            }
        }
        let end = decoder.finish(&mut text);
        (text, end)
    }

    #[test]
    fn good_text_comes_through_in_pieces_of_any_size() {
        let text = "\u{FEFF}<é漢🦀>";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for step in 1..20 {
            assert_eq!(decode(text.as_bytes(), step), (text.to_string(), Ok(())));
            assert_eq!(decode(&little, step), (text.to_string(), Ok(())));
            assert_eq!(decode(&big, step), (text.to_string(), Ok(())));
        }
    }

    #[test]
    fn bad_bytes_are_named_the_same_in_pieces_of_any_size() {
        let cases: [(&[u8], &str, &str, usize); 5] = [
            (b"abc\xC0\xAFd", "abc", "C0", 1),
            (b"abcd\xED\xA0\x80", "abcd", "ED", 1),
            (b"abcd\xF0\x9F\xA6", "abcd", "F0 9F A6", 3),
            (b"abcd\xE6\xBC<", "abcd", "E6 BC", 2),
            (b"\xE9", "", "E9", 1),
        ];
        for (bytes, good, bad, length) in cases {
            for step in 1..9 {
                assert_eq!(
                    decode(bytes, step),
                    (good.into(), Err(Undecodable::Utf8(bad.into(), length))),
                    "{bad} by {step}"
                );
            }
        }
        assert_eq!(decode(b"\xFF\xFEa\0\0\xDC", 3), ("\u{FEFF}a".into(), Err(Undecodable::Utf16("00 DC".into()))));
        assert_eq!(
            decode(b"\xFF\xFEa\0\x3D\xD8b\0", 3),
            ("\u{FEFF}a".into(), Err(Undecodable::Utf16("3D D8 62 00".into())))
        );
        assert_eq!(decode(b"\xFE\xFF\0a\0", 2), ("\u{FEFF}a".into(), Err(Undecodable::Utf16("00".into()))));
    }

    #[test]
    fn other_encodings_are_told_by_their_first_bytes() {
        let cases: [(&[u8], EncodingFault); 4] = [
            (b"\0\0\xFE\xFF\0\0\0<", EncodingFault::Utf32),
            (b"<\0\0\0", EncodingFault::Utf32),
            (b"<\0?\0x\0", EncodingFault::Utf16WithoutMark),
            (b"\x4C\x6F\xA7\x94", EncodingFault::Ebcdic),
        ];
        for (bytes, fault) in cases {
            for step in 1..5 {
                assert_eq!(decode(bytes, step), (String::new(), Err(Undecodable::Other(fault))));
            }
        }
    }
}
