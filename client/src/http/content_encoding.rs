//! Decodes content codings (Content-Encoding), up to a ratio.

use flate2::{Decompress, FlushDecompress, Status};
use resourcesync::{
    api::{Gunzip, GunzipError},
    diagnostic::{Reason, ReasonCode},
};

use super::error::{Error, ErrorKind};

/// The content coding of a body.
#[derive(Debug)]
pub(super) enum Coding {
    Identity,
    Gzip(Box<Gunzip>),
    Deflate(Box<Inflater>),
}

impl Coding {
    /// Creates a decoder from the values of Content-Encoding; `ratio` is the maximum of decoded bytes per
    /// encoded byte.
    pub(super) fn of<'a>(encodings: impl Iterator<Item = &'a str>, ratio: u32) -> Result<Coding, Error> {
        let codings = encodings.flat_map(|value| value.split(',')).map(|coding| coding.trim().to_ascii_lowercase());
        let codings: Vec<String> = codings.filter(|coding| !coding.is_empty() && coding != "identity").collect();
        match codings.as_slice() {
            [] => Ok(Coding::Identity),
            [one] if one == "gzip" || one == "x-gzip" => Ok(Coding::Gzip(Box::new(Gunzip::new(ratio)))),
            more => Err(Error::new(
                ErrorKind::ContentEncoding,
                Reason::new(ReasonCode::ContentEncoding).arg("coding", more.join(", ")),
            )),
        }
    }

    /// The same for servers that send `deflate` although they were asked for something else.
    pub(super) fn with_deflate<'a>(encodings: impl Iterator<Item = &'a str>, ratio: u32) -> Result<Coding, Error> {
        let values: Vec<&str> = encodings.collect();
        match values.as_slice() {
            [one] if one.trim().eq_ignore_ascii_case("deflate") => Ok(Coding::Deflate(Box::new(Inflater::new(ratio)))),
            _ => Coding::of(values.into_iter(), ratio),
        }
    }

    /// Decodes bytes and passes them to `give`.
    pub(super) fn push(&mut self, bytes: &[u8], give: &mut dyn FnMut(&[u8])) -> Result<(), Error> {
        match self {
            Coding::Identity => {
                give(bytes);
                Ok(())
            }
            Coding::Gzip(gunzip) => gunzip.push(bytes, give).map_err(damaged),
            Coding::Deflate(inflater) => inflater.push(bytes, give),
        }
    }

    /// Ends the input.
    pub(super) fn finish(&mut self, give: &mut dyn FnMut(&[u8])) -> Result<(), Error> {
        match self {
            Coding::Identity => Ok(()),
            Coding::Gzip(gunzip) => gunzip.finish(give).map_err(damaged),
            Coding::Deflate(inflater) => inflater.finish(),
        }
    }
}

/// Decodes `deflate`: the zlib format, or raw deflate, which some servers send under this name.
#[derive(Debug)]
pub(super) struct Inflater {
    /// `None` until the first two bytes decide.
    stream: Option<Decompress>,
    /// The bytes before that.
    start: Vec<u8>,
    ratio: u64,
    is_over: bool,
}

/// Decoded bytes that are allowed for whatever ratio.
const FREE: u64 = 1 << 20;
/// Decoded bytes at a time.
const WINDOW: usize = 32 << 10;

impl Inflater {
    fn new(ratio: u32) -> Inflater {
        Inflater { stream: None, start: Vec::new(), ratio: ratio.into(), is_over: false }
    }

    fn push(&mut self, bytes: &[u8], give: &mut dyn FnMut(&[u8])) -> Result<(), Error> {
        if self.stream.is_some() {
            return self.inflate(bytes, give);
        }
        self.start.extend_from_slice(bytes);
        let &[first, second, ..] = self.start.as_slice() else { return Ok(()) };
        // RFC 1950: the method is 8, and both bytes together are a multiple of 31.
        let is_zlib = first & 0x0f == 8 && u16::from_be_bytes([first, second]).is_multiple_of(31);
        self.stream = Some(Decompress::new(is_zlib));
        let start = std::mem::take(&mut self.start);
        self.inflate(&start, give)
    }

    fn inflate(&mut self, bytes: &[u8], give: &mut dyn FnMut(&[u8])) -> Result<(), Error> {
        let Some(stream) = &mut self.stream else { return Ok(()) };
        let mut rest = bytes;
        let mut window = vec![0; WINDOW];
        while !self.is_over {
            let (read, written) = (stream.total_in(), stream.total_out());
            let status = stream.decompress(rest, &mut window, FlushDecompress::None).map_err(|_| invalid())?;
            let length = usize::try_from(stream.total_out().saturating_sub(written)).unwrap_or(WINDOW);
            let taken = usize::try_from(stream.total_in().saturating_sub(read)).unwrap_or(rest.len());
            give(window.get(..length).unwrap_or_default());
            rest = rest.get(taken..).unwrap_or_default();
            if stream.total_out() > stream.total_in().saturating_mul(self.ratio).saturating_add(FREE) {
                return Err(damaged(GunzipError::Ratio));
            }
            self.is_over = status == Status::StreamEnd;
            if length == 0 && taken == 0 {
                break;
            }
        }
        Ok(())
    }

    fn finish(&self) -> Result<(), Error> {
        let is_empty = self.stream.is_none() && self.start.is_empty();
        if self.is_over || is_empty { Ok(()) } else { Err(invalid()) }
    }
}

fn invalid() -> Error {
    let reason = Reason::new(ReasonCode::ContentEncoding).arg("coding", "deflate");
    Error::new(ErrorKind::ContentEncoding, reason)
}

fn damaged(problem: GunzipError) -> Error {
    match problem {
        GunzipError::Ratio => {
            Error::new(ErrorKind::Limit, Reason::new(ReasonCode::BodyRatio).arg("limit", "inflate_ratio"))
        }
        other => {
            Error::new(ErrorKind::ContentEncoding, Reason::new(ReasonCode::InvalidGzip).arg("problem", other.as_str()))
        }
    }
}
