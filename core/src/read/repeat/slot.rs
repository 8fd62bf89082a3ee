//! The values that change from one entry to the next, and their usual forms.

use memchr::memchr;

use crate::{
    bytes,
    value::{BitstreamPath, Datetime, MediaType, Parsed, Uri, Value, is_hex},
};

/// Maximum bytes of a value; few are longer than a tenth of it.
const VALUE: usize = 1 << 10;

/// A place for a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// What follows the fixed part of a URI, which has this length; 0 if there is none, so that no value is usual.
    Uri(u16),
    /// `YYYY-MM-DDThh:mm:ssZ`
    Time,
    /// Hexadecimal digits: how many, and the number of the digest in its list.
    Digest(u16, u8),
    /// Bytes of a bitstream.
    Length,
    /// A common media type.
    Type,
    /// A path in a package.
    Path,
    /// None: the piece ends.
    End,
}

/// A value in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// Whether there is an `&amp;`.
    Uri(bool),
    /// The seconds as written.
    Time(i64),
    Digest,
    Length(u64),
    /// The number of a common type.
    Type(u8),
    Path,
    /// Harmless text of any form, which is to be read.
    Unusual,
}

/// The bytes of a value and what was found, or why there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Filling {
    Value(usize, Found),
    /// Harmless text of any form, with its length.
    Unusual(usize),
    /// The bytes end inside the value.
    Short,
    /// Only the reader can decide.
    Other,
}

impl Slot {
    /// Finds the value at the start of `rest`, which ends before `close`; it has at most `limit` bytes, unless it has a common form.
    #[inline(always)] // so that the result is not written to memory
    pub(super) fn find(self, rest: &[u8], close: u8, limit: usize) -> Filling {
        let usual = match self {
            Slot::Uri(1..) => uri(rest, close),
            Slot::Digest(digits, _) => return digest(rest, digits.into()),
            Slot::Time => time(rest, close),
            Slot::Length => length(rest, close),
            Slot::Type => media_type(rest, close),
            _ => None,
        };
        match usual {
            Some((length, found)) => Filling::Value(length, found),
            None => self.search(rest, close, VALUE.min(limit)),
        }
    }

    /// Finds a value that has not the common form, or is incomplete.
    #[inline(never)] // so that the rest of `find` is small
    fn search(self, rest: &[u8], close: u8, room: usize) -> Filling {
        let near = rest.get(..room.saturating_add(1)).unwrap_or(rest);
        let Some(length) = memchr(close, near) else {
            return if near.len() <= room && self.may_begin_with(near, close) {
                Filling::Short
            } else {
                Filling::Other
            };
        };
        let written = near.get(..length).unwrap_or_default();
        match self.usual(written) {
            Some(found) => Filling::Value(length, found),
            None if is_harmless(written) && stands_in_text(written, close) => Filling::Unusual(length),
            None => Filling::Other,
        }
    }

    /// The value, if it has a form that is usual but not common.
    fn usual(self, written: &[u8]) -> Option<Found> {
        match self {
            Slot::Path => {
                let is_exact = matches!(BitstreamPath::read(core::str::from_utf8(written).ok()?), Parsed::Exact(_));
                (is_exact && is_harmless(written)).then_some(Found::Path)
            }
            Slot::Uri(_) | Slot::Digest(..) | Slot::Length | Slot::Time | Slot::Type | Slot::End => None,
        }
    }

    /// True if a value of which only the first bytes are there may continue.
    fn may_begin_with(self, near: &[u8], close: u8) -> bool {
        let reference = near.iter().rposition(|byte| *byte == b'&').filter(|_| matches!(self, Slot::Uri(1..)));
        let (before, reference) = near.split_at_checked(reference.unwrap_or(near.len())).unwrap_or_default();
        let is_amp = if let Some(after) = reference.strip_prefix(b"&amp;") {
            is_harmless(after)
        } else {
            b"&amp;".starts_with(reference)
        };
        let begins = close != b'<' || before.first() != Some(&b' ');
        is_amp
            && begins
            && (is_harmless(before) || matches!(self, Slot::Uri(1..)) && Uri::variable_part(before).0 == before.len())
    }
}

#[inline(always)] // it has one caller
fn uri(rest: &[u8], close: u8) -> Option<(usize, Found)> {
    let (length, escaped) = Uri::variable_part(rest.get(..VALUE).unwrap_or(rest));
    (rest.get(length) == Some(&close)).then_some((length, Found::Uri(escaped)))
}

#[inline(always)] // as above
fn digest(rest: &[u8], digits: usize) -> Filling {
    match rest.get(..digits) {
        Some(written) if is_hex(written) => Filling::Value(digits, Found::Digest),
        None if is_hex(rest) => Filling::Short,
        _ => Filling::Other,
    }
}

#[inline(always)] // as above
fn time(rest: &[u8], close: u8) -> Option<(usize, Found)> {
    let (text, [next, ..]) = rest.split_at_checked("YYYY-MM-DDThh:mm:ssZ".len())? else { return None };
    let seconds = Datetime::seconds_written(text).filter(|_| *next == close)?;
    Some((text.len(), Found::Time(seconds)))
}

/// A number of so few digits that it fits.
#[inline(always)] // as above
fn length(rest: &[u8], close: u8) -> Option<(usize, Found)> {
    let digits = rest.get(..bytes::find_near(rest.get(..20).unwrap_or(rest), close)?)?;
    let mut sum = 0_u64;
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        sum = sum.wrapping_mul(10).wrapping_add(digit.into());
    }
    (!digits.is_empty()).then_some((digits.len(), Found::Length(sum)))
}

#[inline(always)] // as above
fn media_type(rest: &[u8], close: u8) -> Option<(usize, Found)> {
    // Longer than every common type.
    let length = bytes::find_near(rest.get(..32).unwrap_or(rest), close)?;
    let number = u8::try_from(MediaType::common(rest.get(..length)?)?).ok()?;
    Some((length, Found::Type(number)))
}

/// True if the text means itself in an attribute and between tags: printable ASCII without markup and quotes.
pub(super) fn is_harmless(written: &[u8]) -> bool {
    let is_markup = |byte: u8| (byte == b'<') | (byte == b'>') | (byte == b'&') | (byte == b'"') | (byte == b'\'');
    bytes::all(written, |byte| (b' '..0x7f).contains(&byte) & !is_markup(byte))
}

/// Between tags white space around a value does not belong to it, and a value that is empty has no position.
fn stands_in_text(written: &[u8], close: u8) -> bool {
    close != b'<' || !matches!(written, [] | [b' ', ..] | [.., b' '])
}
