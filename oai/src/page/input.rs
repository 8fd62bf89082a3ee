//! Converts the bytes of a response to UTF-8: unlabelled gzip, text before the XML declaration, encodings.

use alloc::{boxed::Box, string::String, vec, vec::Vec};

use encoding_rs::{DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use memchr::memmem;
use resourcesync::codec::{Gunzip, GunzipError};
use sha2::{Digest, Sha256};

use super::sniff::{HEAD, packed};

/// Decodes bytes as sent and appends them as UTF-8.
pub(super) struct Input {
    /// `None` if the caller computes it.
    pub(super) digest: Option<Sha256>,
    bytes: u64,
    /// The first bytes, until gzip has been detected or excluded.
    first: Option<Vec<u8>>,
    gunzip: Option<Box<Gunzip>>,
    text: Text,
}

/// A deviation that does not prevent reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Oddity {
    /// The body is gzip without a header that declares it.
    UnlabelledGzip,
    /// This number of bytes before the XML declaration.
    BeforeDeclaration(usize),
    /// The page is in this encoding.
    Transcoded(&'static str),
    /// The declared encoding is unknown; the page is read as UTF-8.
    UnknownEncoding(String),
}

/// The reason why reading stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    /// The body has this unsupported compression.
    Packed(&'static str),
    /// The gzip stream is damaged.
    Gzip(GunzipError),
}

/// The decoder of a text.
struct Text {
    /// Bytes buffered to detect the encoding; empty afterwards.
    head: Option<Vec<u8>>,
    /// The encoding declared by HTTP.
    charset: Option<&'static Encoding>,
    decoder: Option<encoding_rs::Decoder>,
    /// The first bytes of the text, for messages.
    quote: Vec<u8>,
    oddities: Vec<Oddity>,
}

/// The maximum number of bytes skipped before the XML declaration, such as warnings of a script.
const LONGEST_PREFIX: usize = 16 << 10;
/// A byte that is invalid in UTF-8. It replaces bytes that are invalid in the encoding, so that the record
/// counts as damaged.
const UNDECODABLE: u8 = 0xFF;

impl Input {
    /// `charset` is the parameter of the `Content-Type`.
    pub(super) fn new(charset: Option<&str>) -> Input {
        let charset = charset.and_then(|label| Encoding::for_label(label.as_bytes()));
        let text = Text { head: Some(Vec::new()), charset, decoder: None, quote: Vec::new(), oddities: Vec::new() };
        Input { digest: Some(Sha256::new()), bytes: 0, first: Some(Vec::new()), gunzip: None, text }
    }

    /// Creates a decoder for data known to be UTF-8.
    pub(super) fn utf8() -> Input {
        let mut input = Input::new(None);
        input.first = None;
        input.text.head = None;
        input
    }

    pub(super) fn push(&mut self, bytes: &[u8], ratio: u32, out: &mut Vec<u8>) -> Result<(), Broken> {
        if let Some(digest) = &mut self.digest {
            digest.update(bytes);
        }
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        let Some(first) = &mut self.first else { return self.unpack(bytes, out) };
        first.extend_from_slice(bytes);
        if first.len() < 6 {
            return Ok(());
        }
        self.begin(ratio, out)
    }

    pub(super) fn finish(&mut self, ratio: u32, out: &mut Vec<u8>) -> Result<(), Broken> {
        self.begin(ratio, out)?;
        if let Some(gunzip) = &mut self.gunzip {
            let text = &mut self.text;
            gunzip.finish(&mut |bytes| text.push(bytes, out)).map_err(Broken::Gzip)?;
        }
        self.text.finish(out);
        Ok(())
    }

    /// Processes the first bytes once enough of them, or all, are available.
    fn begin(&mut self, ratio: u32, out: &mut Vec<u8>) -> Result<(), Broken> {
        let Some(first) = self.first.take() else { return Ok(()) };
        if let Some(name) = packed(&first) {
            return Err(Broken::Packed(name));
        }
        if first.starts_with(b"\x1f\x8b") {
            self.gunzip = Some(Box::new(Gunzip::new(ratio)));
            self.text.oddities.push(Oddity::UnlabelledGzip);
        }
        self.unpack(&first, out)
    }

    fn unpack(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Broken> {
        let text = &mut self.text;
        match &mut self.gunzip {
            None => text.push(bytes, out),
            Some(gunzip) => gunzip.push(bytes, &mut |bytes| text.push(bytes, out)).map_err(Broken::Gzip)?,
        }
        Ok(())
    }

    /// The deviations, each once.
    pub(super) fn oddities(&mut self) -> Vec<Oddity> {
        core::mem::take(&mut self.text.oddities)
    }

    /// The first bytes of the text.
    pub(super) fn quote(&self) -> &[u8] {
        &self.text.quote
    }

    /// The original encoding of the text, if not UTF-8.
    pub(super) fn transcoded(&self) -> Option<&'static str> {
        self.text.decoder.as_ref().map(|decoder| decoder.encoding().name())
    }

    /// SHA-256 and length of the pushed bytes; zeros if the caller computes the digest.
    pub(super) fn digest(&self) -> ([u8; 32], u64) {
        (self.digest.as_ref().map_or([0; 32], |digest| digest.clone().finalize().into()), self.bytes)
    }
}

impl Text {
    fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let room = HEAD.saturating_sub(self.quote.len()).min(bytes.len());
        self.quote.extend_from_slice(bytes.get(..room).unwrap_or_default());
        let Some(head) = &mut self.head else { return self.decode(bytes, false, out) };
        head.extend_from_slice(bytes);
        if let Some(start) = begin(head, false) {
            self.start(&start, out);
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        if let Some(start) = self.head.as_ref().and_then(|head| begin(head, true)) {
            self.start(&start, out);
        }
        self.decode(&[], true, out);
    }

    fn start(&mut self, start: &Start, out: &mut Vec<u8>) {
        let head = self.head.take().unwrap_or_default();
        if start.skipped > 0 {
            self.oddities.push(Oddity::BeforeDeclaration(start.skipped));
        }
        let mut rest = head.get(start.skipped.saturating_add(start.mark)..).unwrap_or_default().to_vec();
        let mut encoding = start.encoding;
        if let Some(wide) = encoding {
            self.oddities.push(Oddity::Transcoded(wide.name()));
            self.decoder = Some(wide.new_decoder_without_bom_handling());
            let from = out.len();
            self.decode(&rest, false, out);
            let text = out.get_mut(from..).unwrap_or_default();
            if let Some(label) = label(text) {
                erase(text, label.start);
            }
            return;
        }
        if let Some(label) = label(&rest) {
            let name = rest.get(label.clone()).unwrap_or_default().to_vec();
            let known = Encoding::for_label(&name);
            let is_ascii = name.eq_ignore_ascii_case(b"us-ascii") || name.eq_ignore_ascii_case(b"ascii");
            // A declaration readable with one byte per character is not in UTF-16.
            let is_wide = known.is_some_and(|known| known == UTF_16LE || known == UTF_16BE);
            match known {
                Some(known) if known == UTF_8 => {}
                _ if is_ascii || is_wide => erase(&mut rest, label.start),
                Some(known) => {
                    encoding = Some(known);
                    erase(&mut rest, label.start);
                }
                None => {
                    let name = String::from_utf8_lossy(&name);
                    // Not a registered name, but unambiguous.
                    if !name.eq_ignore_ascii_case("utf_8") {
                        self.oddities.push(Oddity::UnknownEncoding(name.into()));
                    }
                    erase(&mut rest, label.start);
                }
            }
        } else if start.mark == 0 {
            encoding = self.charset;
        }
        if let Some(encoding) = encoding.filter(|encoding| *encoding != UTF_8) {
            self.oddities.push(Oddity::Transcoded(encoding.name()));
            self.decoder = Some(encoding.new_decoder_without_bom_handling());
        }
        self.decode(&rest, false, out);
    }

    fn decode(&mut self, bytes: &[u8], is_last: bool, out: &mut Vec<u8>) {
        let Some(decoder) = &mut self.decoder else {
            out.extend_from_slice(bytes);
            return;
        };
        let mut rest = bytes;
        let mut buffer = vec![0; 4 << 10];
        loop {
            let (result, read, written) = decoder.decode_to_utf8_without_replacement(rest, &mut buffer, is_last);
            out.extend_from_slice(buffer.get(..written).unwrap_or_default());
            rest = rest.get(read..).unwrap_or_default();
            match result {
                DecoderResult::InputEmpty => return,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(..) => out.push(UNDECODABLE),
            }
        }
    }
}

/// The start of a text.
struct Start {
    /// Bytes before the XML declaration.
    skipped: usize,
    /// Bytes of the byte order mark that follows.
    mark: usize,
    encoding: Option<&'static Encoding>,
}

/// Detects the start of a text; `None` while more bytes could change the result.
fn begin(head: &[u8], is_all: bool) -> Option<Start> {
    // The XML declaration is unreadable in this encoding and is searched for after decoding.
    let is_long = is_all || head.len() >= HEAD;
    let wide = |encoding, mark| is_long.then_some(Start { skipped: 0, mark, encoding: Some(encoding) });
    match head {
        [0xFF, 0xFE, ..] => return wide(UTF_16LE, 2),
        [0xFE, 0xFF, ..] => return wide(UTF_16BE, 2),
        [b'<', 0, ..] => return wide(UTF_16LE, 0),
        [0, b'<', ..] => return wide(UTF_16BE, 0),
        [] | [_] | [_, _] if !is_all => return None,
        _ => {}
    }
    let has_mark = head.starts_with(b"\xEF\xBB\xBF");
    let mark = if has_mark { 3 } else { 0 };
    let text = head.get(mark..).unwrap_or_default();
    let plain = Start { skipped: 0, mark, encoding: None };
    // At the start, or after unexpected text.
    let near = text.get(..LONGEST_PREFIX.min(text.len())).unwrap_or_default();
    let declaration = memmem::find_iter(near, b"<?xml")
        .find(|at| near.get(at.saturating_add(5)).is_some_and(u8::is_ascii_whitespace));
    if let Some(at) = declaration {
        let root = memmem::find(text.get(..at)?, b"OAI-PMH");
        let end = at.saturating_add(HEAD);
        let is_complete = text.len() >= end || memmem::find(text.get(at..)?, b"?>").is_some();
        return match root {
            Some(_) => Some(plain),
            None if !is_complete && !is_all => None,
            None if at == 0 => Some(plain),
            None => Some(Start { skipped: at.saturating_add(mark), mark: 0, encoding: None }),
        };
    }
    let names_root = memmem::find(near, b"OAI-PMH").is_some();
    (is_all || names_root || text.len() >= LONGEST_PREFIX).then_some(plain)
}

/// The range of the encoding name in an XML declaration.
fn label(text: &[u8]) -> Option<core::ops::Range<usize>> {
    let near = text.get(..HEAD.min(text.len()))?;
    let declaration = near.get(..memmem::find(near, b"?>")?)?;
    if !declaration.strip_prefix(b"<?xml")?.first()?.is_ascii_whitespace() {
        return None;
    }
    let name = memmem::find(declaration, b"encoding")?;
    let rest = declaration.get(name..)?;
    let quote = rest.iter().position(|byte| matches!(byte, b'"' | b'\''))?;
    let start = name.saturating_add(quote).saturating_add(1);
    let length = declaration.get(start..)?.iter().position(|byte| Some(byte) == rest.get(quote))?;
    Some(start..start.saturating_add(length))
}

/// Removes the encoding, which no longer applies, from the declaration; all other bytes keep their positions.
fn erase(text: &mut [u8], label: usize) {
    let declared = text.get(..label).unwrap_or_default();
    let Some(from) = memmem::rfind(declared, b"encoding") else { return };
    let quote = declared.last().copied().unwrap_or_default();
    let end = text.iter().skip(label).position(|byte| *byte == quote).map_or(label, |end| label.saturating_add(end));
    text.iter_mut().take(end.saturating_add(1)).skip(from).for_each(|byte| *byte = b' ');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], charset: Option<&str>) -> (String, Vec<Oddity>) {
        let mut first = None;
        for step in [1, 3, 1000] {
            let (mut input, mut out) = (Input::new(charset), Vec::new());
            bytes.chunks(step).for_each(|piece| input.push(piece, 100, &mut out).unwrap());
            input.finish(100, &mut out).unwrap();
            let told = (String::from_utf8_lossy(&out).into_owned(), input.oddities());
            assert_eq!(first.get_or_insert(told.clone()), &told);
        }
        first.unwrap()
    }

    #[test]
    fn pages_come_in_many_encodings() {
        let utf16: Vec<u8> = "\u{feff}<?xml version='1.0' encoding='UTF-16'?><OAI-PMH>é</OAI-PMH>"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let body = "<OAI-PMH>é</OAI-PMH>";
        for (bytes, charset, declaration, oddities) in [
            (utf16, None, "<?xml version='1.0'                  ?>", vec![Oddity::Transcoded("UTF-16LE")]),
            (
                b"<?xml version='1.0' encoding='ISO-8859-1'?><OAI-PMH>\xE9</OAI-PMH>".to_vec(),
                Some("utf-8"),
                "<?xml version='1.0'                      ?>",
                vec![Oddity::Transcoded("windows-1252")],
            ),
            (
                b"<?xml version='1.0'?><OAI-PMH>\xE9</OAI-PMH>".to_vec(),
                Some("latin1"),
                "<?xml version='1.0'?>",
                vec![Oddity::Transcoded("windows-1252")],
            ),
            (
                "<?xml version='1.0' encoding=\"utf8\"?><OAI-PMH>é</OAI-PMH>".into(),
                Some("latin1"),
                "<?xml version='1.0' encoding=\"utf8\"?>",
                vec![],
            ),
            (
                "\u{feff}<?xml version='1.0' encoding='strange' ?><OAI-PMH>é</OAI-PMH>".into(),
                None,
                "<?xml version='1.0'                    ?>",
                vec![Oddity::UnknownEncoding("strange".into())],
            ),
            ("<OAI-PMH>é</OAI-PMH>".into(), None, "", vec![]),
        ] {
            let expected = (alloc::format!("{declaration}{body}"), oddities);
            let (text, found) = read(&bytes, charset);
            assert_eq!(text, expected.0);
            assert_eq!(found, expected.1);
        }
    }

    #[test]
    fn what_precedes_the_declaration_is_passed_over() {
        let (text, found) = read(b"\n\n<?xml version='1.0'?><OAI-PMH/>", None);
        assert_eq!(text, "<?xml version='1.0'?><OAI-PMH/>");
        assert_eq!(found, [Oddity::BeforeDeclaration(2)]);
        let (text, found) = read(b"<br />\n<b>Warning</b>: x\n<?xml version='1.0'?><OAI-PMH/>", None);
        assert_eq!(text, "<?xml version='1.0'?><OAI-PMH/>");
        assert_eq!(found, [Oddity::BeforeDeclaration(25)]);
        // A declaration inside a record is data or damage, not the start of the document.
        let late = "<OAI-PMH><record><?xml version='1.0'?></record></OAI-PMH>";
        assert_eq!(read(late.as_bytes(), None), (late.into(), vec![]));
    }

    #[test]
    fn gzip_is_unpacked_without_a_label_and_what_else_is_packed_is_named() {
        let packed: &[u8] = &[
            31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 179, 241, 119, 244, 212, 13, 240, 245, 208, 183, 3, 0, 178, 148, 97, 227,
            10, 0, 0, 0,
        ];
        let (mut input, mut out) = (Input::new(None), Vec::new());
        packed.chunks(1).for_each(|piece| input.push(piece, 100, &mut out).unwrap());
        input.finish(100, &mut out).unwrap();
        assert_eq!(input.oddities(), [Oddity::UnlabelledGzip]);
        assert_eq!(out, b"<OAI-PMH/>");
        let mut input = Input::new(None);
        assert_eq!(input.push(b"\x28\xb5\x2f\xfd\0\0\0", 100, &mut out), Err(Broken::Packed("zstd")));
    }
}
