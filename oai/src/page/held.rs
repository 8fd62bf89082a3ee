//! The buffered bytes of a page.

use alloc::vec::Vec;

use crate::bytes::Bytes;

/// The bytes of the page from the start of the current item.
#[derive(Default)]
pub(super) struct Held {
    pub(super) bytes: Vec<u8>,
    /// The offset of the first byte.
    pub(super) base: u64,
    /// The number of bytes passed to the XML reader.
    fed: usize,
}

/// The number of bytes passed to the XML reader at a time, constant up to the end, so that the result does not depend on how the
/// page was pushed.
const WINDOW: usize = 64 << 10;
/// Old bytes are dropped in batches, because the rest has to be moved.
const PORTION: usize = 256 << 10;

impl Held {
    pub(super) fn end(&self) -> u64 {
        self.base.saturating_add(self.bytes.len() as u64)
    }

    /// The offset after the last byte passed to the XML reader.
    pub(super) fn fed_offset(&self) -> u64 {
        self.base.saturating_add(self.fed as u64)
    }

    pub(super) fn index(&self, offset: u64) -> usize {
        usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX).min(self.bytes.len())
    }

    pub(super) fn part(&self, from: u64, to: u64) -> &[u8] {
        self.bytes.get(self.index(from)..self.index(to)).unwrap_or_default()
    }

    pub(super) fn cut(&self, from: u64, to: u64) -> Bytes {
        self.part(from, to).into()
    }

    /// The next bytes for the XML reader.
    pub(super) fn window(&mut self, is_all: bool) -> Option<&[u8]> {
        let end = self.bytes.len().min(self.fed.saturating_add(WINDOW));
        let window = self.bytes.get(self.fed..end)?;
        if window.is_empty() || (window.len() < WINDOW && !is_all) {
            return None;
        }
        self.fed = end;
        Some(window)
    }

    pub(super) fn drop_before(&mut self, offset: u64) {
        if self.index(offset) >= PORTION {
            self.drop_all_before(offset);
        }
    }

    pub(super) fn drop_all_before(&mut self, offset: u64) {
        let index = self.index(offset);
        self.bytes.drain(..index);
        self.base = self.base.saturating_add(index as u64);
        self.fed = self.fed.saturating_sub(index);
    }

    pub(super) fn drop_all(&mut self) {
        let end = self.end();
        self.drop_all_before(end);
    }

    /// Passes the bytes from this offset to the XML reader again.
    pub(super) fn rewind(&mut self, offset: u64) {
        self.fed = self.index(offset);
    }
}
