//! Bytes that several values share.

use alloc::sync::Arc;
use core::{fmt, ops::Deref, ops::Range};

/// A slice of shared bytes; cloning it copies nothing.
#[derive(Clone)]
pub struct Bytes {
    shared: Arc<[u8]>,
    start: usize,
    end: usize,
}

impl Bytes {
    /// A sub-slice that shares the bytes; empty if the range is out of bounds.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> Bytes {
        let (start, end) = (self.start.saturating_add(range.start), self.start.saturating_add(range.end));
        let is_inside = start <= end && end <= self.end;
        Bytes {
            shared: self.shared.clone(),
            start: if is_inside { start } else { self.start },
            end: if is_inside { end } else { self.start },
        }
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Bytes {
        Bytes { shared: bytes.into(), start: 0, end: bytes.len() }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.shared.get(self.start..self.end).unwrap_or_default()
    }
}

impl PartialEq for Bytes {
    fn eq(&self, other: &Bytes) -> bool {
        **self == **other
    }
}

impl Eq for Bytes {}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.escape_ascii())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_of_a_slice_is_inside_it() {
        let all = Bytes::from(&b"abcdef"[..]);
        let part = all.slice(1..5);
        assert_eq!(&*part, b"bcde");
        assert_eq!(&*part.slice(1..3), b"cd");
        assert_eq!(&*part.slice(1..5), b"");
    }
}
