//! The range of the package that is in memory.

use alloc::vec::Vec;

/// Bytes that are needed to continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Need {
    /// The first byte.
    pub(crate) offset: u64,
    /// The number of bytes.
    pub(crate) length: usize,
}

/// A range of the package.
#[derive(Debug, Default)]
pub(super) struct Window {
    start: u64,
    bytes: Vec<u8>,
}

impl Window {
    /// These bytes, or a request for them and `ahead` more.
    pub(super) fn get(&self, offset: u64, length: usize, ahead: usize) -> Result<&[u8], Need> {
        let need = Need { offset, length: length.saturating_add(ahead) };
        let from = offset.checked_sub(self.start).and_then(|from| usize::try_from(from).ok()).ok_or(need)?;
        let end = from.checked_add(length).ok_or(need)?;
        self.bytes.get(from..end).ok_or(need)
    }

    /// Replaces the bytes.
    pub(super) fn fill(&mut self, offset: u64, bytes: &[u8]) {
        self.start = offset;
        self.bytes.clear();
        self.bytes.extend_from_slice(bytes);
    }

    /// Frees the memory.
    pub(super) fn drop_bytes(&mut self) {
        self.bytes = Vec::new();
    }
}
