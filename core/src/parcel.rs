//! Parcels: values as bytes, with which the processes that share a run exchange what they read.
//!
//! A parcel is a head (the version, and the run it belongs to), the values, and a digest of everything before it. Numbers have a
//! variable length, everything else is prefixed with its own. Reading needs at most some 40 times the bytes of the parcel:
//! that of an empty `rs:md` is the largest ratio, 8 bytes to 160 and a vector that grows by doubling.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::fmt;

use serde::{Serialize, de::DeserializeOwned};
use sha2::{Digest as _, Sha256};

use crate::span::{Place, Span};

/// The first bytes of a parcel; the last one is the version of the format.
const MAGIC: &[u8] = b"rsync-parcel\x02";
const VERSION: &str = env!("CARGO_PKG_VERSION");
const DIGEST: usize = 32;

/// Why a parcel is rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParcelError {
    /// It was written by another version.
    OtherVersion {
        /// That version.
        version: String,
    },
    /// It belongs to a run with other options, or another seed.
    OtherRun,
    /// It is incomplete or damaged, or is none.
    Damaged,
}

impl fmt::Display for ParcelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParcelError::OtherVersion { version } => {
                write!(
                    f,
                    "the parcel was written by resourcesync {version}, but this is {VERSION}; install one version everywhere"
                )
            }
            ParcelError::OtherRun => f.write_str("the parcel belongs to a run with other options or another seed"),
            ParcelError::Damaged => f.write_str("the parcel is incomplete or damaged"),
        }
    }
}

impl core::error::Error for ParcelError {}

/// Bytes that cannot have been written.
#[derive(Debug)]
pub(crate) struct Damaged;

impl From<Damaged> for ParcelError {
    fn from(_: Damaged) -> ParcelError {
        ParcelError::Damaged
    }
}

/// A value in a parcel. What is read equals what was written.
pub(crate) trait Parcelled: Sized {
    fn put(&self, parcel: &mut ParcelWriter);
    fn take(parcel: &mut ParcelReader<'_>) -> Result<Self, Damaged>;
}

/// Writes a parcel.
#[derive(Debug)]
pub(crate) struct ParcelWriter(Vec<u8>);

impl ParcelWriter {
    /// Begins a parcel of a run.
    pub(crate) fn new(run: u64) -> ParcelWriter {
        let mut parcel = ParcelWriter(MAGIC.to_vec());
        parcel.text(VERSION);
        parcel.0.extend(run.to_le_bytes());
        parcel
    }

    pub(crate) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Numbers of which most are large.
    pub(crate) fn words(&mut self, words: impl ExactSizeIterator<Item = u64>) {
        self.number(words.len() as u64);
        words.for_each(|word| self.0.extend(word.to_le_bytes()));
    }

    /// Such numbers, each with that of an entry, most of which follow each other.
    pub(crate) fn words_of_entries(&mut self, words: &[(u32, u64)]) {
        let mut last = 0;
        self.words(words.iter().map(|(_, word)| *word));
        for (entry, _) in words {
            self.number(entry.wrapping_sub(last).into());
            last = *entry;
        }
    }

    /// A value that is small in comparison with the others.
    pub(crate) fn json(&mut self, value: &impl Serialize) {
        // All keys are strings and every value exists in JSON, so serializing cannot fail.
        self.bytes(&serde_json::to_vec(value).unwrap_or_default());
    }

    /// Ends the parcel.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let digest = Sha256::digest(&self.0);
        self.0.extend_from_slice(&digest);
        self.0
    }
}

/// Reads a parcel.
#[derive(Debug)]
pub(crate) struct ParcelReader<'a>(&'a [u8]);

impl<'a> ParcelReader<'a> {
    /// Opens a parcel that was written for the same run.
    pub(crate) fn open(parcel: &'a [u8], run: u64) -> Result<ParcelReader<'a>, ParcelError> {
        let whole = parcel.len().checked_sub(DIGEST).and_then(|length| parcel.split_at_checked(length));
        let (written, digest) = whole.ok_or(ParcelError::Damaged)?;
        let mut reader = ParcelReader(written.strip_prefix(MAGIC).ok_or(ParcelError::Damaged)?);
        if Sha256::digest(written).as_slice() != digest {
            return Err(ParcelError::Damaged);
        }
        let version = reader.text()?;
        if version != VERSION {
            return Err(ParcelError::OtherVersion {
                version: version.chars().take(40).filter(|own| own.is_ascii_graphic()).collect(),
            });
        }
        if reader.array()? != run.to_le_bytes() {
            return Err(ParcelError::OtherRun);
        }
        Ok(reader)
    }

    /// Ends reading; nothing may be left.
    pub(crate) fn finish(self) -> Result<(), Damaged> {
        if self.0.is_empty() { Ok(()) } else { Err(Damaged) }
    }

    fn slice(&mut self, length: usize) -> Result<&'a [u8], Damaged> {
        let (slice, rest) = self.0.split_at_checked(length).ok_or(Damaged)?;
        self.0 = rest;
        Ok(slice)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Damaged> {
        self.slice(N)?.try_into().map_err(|_| Damaged)
    }

    pub(crate) fn number(&mut self) -> Result<u64, Damaged> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let [byte] = self.array()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return Err(Damaged);
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Damaged)
    }

    /// The number of things that follow, each of at least `size` bytes.
    fn count(&mut self, size: usize) -> Result<usize, Damaged> {
        let count = usize::try_from(self.number()?).map_err(|_| Damaged)?;
        if count.checked_mul(size).is_some_and(|bytes| bytes <= self.0.len()) { Ok(count) } else { Err(Damaged) }
    }

    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], Damaged> {
        let length = self.count(1)?;
        self.slice(length)
    }

    pub(crate) fn text(&mut self) -> Result<&'a str, Damaged> {
        str::from_utf8(self.bytes()?).map_err(|_| Damaged)
    }

    pub(crate) fn words(&mut self) -> Result<impl Iterator<Item = u64> + use<'a>, Damaged> {
        let count = self.count(size_of::<u64>())?;
        let (words, _) = self.slice(count.saturating_mul(size_of::<u64>()))?.as_chunks();
        Ok(words.iter().map(|word| u64::from_le_bytes(*word)))
    }

    pub(crate) fn words_of_entries(&mut self) -> Result<Vec<(u32, u64)>, Damaged> {
        let mut last = 0_u32;
        let mut entry = |step: u32| {
            last = last.wrapping_add(step);
            last
        };
        self.words()?.map(|word| Ok((entry(Parcelled::take(self)?), word))).collect()
    }

    pub(crate) fn json<T: DeserializeOwned>(&mut self) -> Result<T, Damaged> {
        serde_json::from_slice(self.bytes()?).map_err(|_| Damaged)
    }
}

impl Parcelled for u64 {
    fn put(&self, parcel: &mut ParcelWriter) {
        parcel.number(*self);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<u64, Damaged> {
        parcel.number()
    }
}

impl Parcelled for u32 {
    fn put(&self, parcel: &mut ParcelWriter) {
        parcel.number((*self).into());
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<u32, Damaged> {
        parcel.number()?.try_into().map_err(|_| Damaged)
    }
}

impl Parcelled for bool {
    fn put(&self, parcel: &mut ParcelWriter) {
        parcel.number((*self).into());
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<bool, Damaged> {
        match parcel.number()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Damaged),
        }
    }
}

impl Parcelled for String {
    fn put(&self, parcel: &mut ParcelWriter) {
        parcel.text(self);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<String, Damaged> {
        Ok(parcel.text()?.into())
    }
}

impl Parcelled for Box<str> {
    fn put(&self, parcel: &mut ParcelWriter) {
        parcel.text(self);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Box<str>, Damaged> {
        Ok(parcel.text()?.into())
    }
}

impl<const N: usize> Parcelled for [u8; N] {
    fn put(&self, parcel: &mut ParcelWriter) {
        parcel.0.extend_from_slice(self);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<[u8; N], Damaged> {
        parcel.array()
    }
}

impl<T: Parcelled> Parcelled for Option<T> {
    fn put(&self, parcel: &mut ParcelWriter) {
        self.is_some().put(parcel);
        self.iter().for_each(|value| value.put(parcel));
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Option<T>, Damaged> {
        bool::take(parcel)?.then(|| T::take(parcel)).transpose()
    }
}

impl<T: Parcelled> Parcelled for Vec<T> {
    fn put(&self, parcel: &mut ParcelWriter) {
        parcel.number(self.len() as u64);
        self.iter().for_each(|value| value.put(parcel));
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Vec<T>, Damaged> {
        // Not reserved: a value takes more memory than bytes.
        (0..parcel.count(1)?).map(|_| T::take(parcel)).collect()
    }
}

impl<A: Parcelled, B: Parcelled> Parcelled for (A, B) {
    fn put(&self, parcel: &mut ParcelWriter) {
        self.0.put(parcel);
        self.1.put(parcel);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<(A, B), Damaged> {
        Ok((A::take(parcel)?, B::take(parcel)?))
    }
}

impl Parcelled for Place {
    fn put(&self, parcel: &mut ParcelWriter) {
        let Place { offset, line, column } = *self;
        offset.put(parcel);
        line.put(parcel);
        column.put(parcel);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Place, Damaged> {
        Ok(Place { offset: u64::take(parcel)?, line: u32::take(parcel)?, column: u32::take(parcel)? })
    }
}

impl Parcelled for Span {
    fn put(&self, parcel: &mut ParcelWriter) {
        let Span { start, end } = *self;
        start.put(parcel);
        // Most are short and in one line.
        end.offset.wrapping_sub(start.offset).put(parcel);
        end.line.wrapping_sub(start.line).put(parcel);
        end.column.put(parcel);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Span, Damaged> {
        let start = Place::take(parcel)?;
        let length = Place::take(parcel)?;
        let offset = start.offset.wrapping_add(length.offset);
        let line = start.line.wrapping_add(length.line);
        Ok(Span { start, end: Place { offset, line, column: length.column } })
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    const WORDS: [(u32, u64); 4] = [(3, 1), (3, u64::MAX), (u32::MAX, 2), (1, 3)];

    fn parcel(run: u64) -> Vec<u8> {
        let mut parcel = ParcelWriter::new(run);
        vec![0, 127, 128, u64::MAX].put(&mut parcel);
        parcel.words([1, u64::MAX].into_iter());
        parcel.words_of_entries(&WORDS);
        Some(String::from("ü")).put(&mut parcel);
        (None::<bool>, [7_u8; 3]).put(&mut parcel);
        Span { start: Place { offset: 9, line: 3, column: 8 }, end: Place { offset: 4, line: 2, column: 1 } }
            .put(&mut parcel);
        parcel.json(&[true]);
        parcel.finish()
    }

    #[test]
    fn what_is_read_was_written() {
        let bytes = parcel(7);
        let mut parcel = ParcelReader::open(&bytes, 7).unwrap();
        assert_eq!(Vec::<u64>::take(&mut parcel).unwrap(), [0, 127, 128, u64::MAX]);
        assert_eq!(parcel.words().unwrap().collect::<Vec<_>>(), [1, u64::MAX]);
        assert_eq!(parcel.words_of_entries().unwrap(), WORDS);
        assert_eq!(<Option<String> as Parcelled>::take(&mut parcel).unwrap().unwrap(), "ü");
        assert_eq!(<(Option<bool>, [u8; 3])>::take(&mut parcel).unwrap(), (None, [7; 3]));
        let span = Span::take(&mut parcel).unwrap();
        assert_eq!((span.start.offset, span.end.offset, span.end.line, span.end.column), (9, 4, 2, 1));
        assert_eq!(parcel.json::<[bool; 1]>().unwrap(), [true]);
        parcel.finish().unwrap();
    }

    #[test]
    fn other_versions_other_runs_and_any_damage_are_rejected() {
        let bytes = parcel(7);
        assert_eq!(ParcelReader::open(&bytes, 8).unwrap_err(), ParcelError::OtherRun);
        for length in 0..bytes.len() {
            assert_eq!(ParcelReader::open(&bytes[..length], 7).unwrap_err(), ParcelError::Damaged);
        }
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x10;
            assert_eq!(ParcelReader::open(&bytes, 7).unwrap_err(), ParcelError::Damaged);
        }
        let mut other = MAGIC.to_vec();
        other.extend_from_slice(b"\x099.9.9\x1b\nab");
        let digest = Sha256::digest(&other);
        other.extend_from_slice(&digest);
        let error = ParcelReader::open(&other, 7).unwrap_err();
        assert_eq!(error, ParcelError::OtherVersion { version: "9.9.9ab".into() });
    }

    #[test]
    fn counts_beyond_the_bytes_are_rejected_before_anything_is_allocated() {
        let mut claims = ParcelWriter::new(0);
        claims.number(u64::MAX >> 3);
        let bytes = claims.finish();
        assert!(ParcelReader::open(&bytes, 0).unwrap().words().is_err());
        assert!(ParcelReader::open(&bytes, 0).unwrap().words_of_entries().is_err());
        assert!(Vec::<String>::take(&mut ParcelReader::open(&bytes, 0).unwrap()).is_err());
        assert!(ParcelReader::open(&bytes, 0).unwrap().text().is_err());
        let mut long = ParcelReader(&[0xff; 11]);
        assert!(long.number().is_err());
        assert!(ParcelReader(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2]).number().is_err());
        assert!(bool::take(&mut ParcelReader(&[2])).is_err());
    }
}
