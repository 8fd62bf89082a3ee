//! Writes a ZIP archive sequentially: local headers, deflated data, data descriptors, the central directory.
//!
//! It never seeks, so any stream will do. Timestamps are fixed, so output is reproducible.

use alloc::{boxed::Box, vec::Vec};

use miniz_oxide::deflate::core::TDEFLFlush;

use super::deflate::Deflate;
use crate::package::{CENTRAL, DESCRIPTOR, END, END_64, LOCAL, LOCATOR, SENTINEL, SENTINEL_16};

/// Deflated.
const METHOD: u16 = 8;
/// Sizes and CRC follow the data.
const STREAMED: u16 = 1 << 3;
/// The name is UTF-8.
const UTF8: u16 = 1 << 11;
/// 1 January 1980, the earliest date of the format.
const DATE: u16 = 1 << 5 | 1;
/// The format version that introduced deflate, and the one that introduced ZIP64.
const PLAIN: u16 = 20;
const ZIP64: u16 = 45;
/// From this size on a member gets 8-byte sizes; it is below 4 GiB because deflate may add a little.
const WIDE: u64 = 0xf000_0000;

/// A ZIP archive being written.
pub(super) struct Zip {
    out: Vec<u8>,
    /// Bytes before those in `out`.
    taken: u64,
    directory: Vec<u8>,
    members: u64,
    open: Option<Open>,
    deflate: Deflate,
}

/// The member being written.
struct Open {
    name: Box<str>,
    start: u64,
    data: u64,
    crc: crc32fast::Hasher,
    declared: u64,
    wide: bool,
}

/// A member is larger than declared.
#[derive(Debug)]
pub(super) struct TooLarge;

impl Zip {
    pub(super) fn new() -> Zip {
        Zip { out: Vec::new(), taken: 0, directory: Vec::new(), members: 0, open: None, deflate: Deflate::default() }
    }

    /// The number of bytes so far.
    pub(super) fn bytes(&self) -> u64 {
        self.taken.saturating_add(self.out.len() as u64)
    }

    /// Bytes of output that were not taken yet.
    pub(super) fn waiting(&self) -> usize {
        self.out.len()
    }

    /// Returns the output written since the last call.
    pub(super) fn take(&mut self) -> Vec<u8> {
        self.taken = self.bytes();
        core::mem::take(&mut self.out)
    }

    /// Starts a member of approximately this size; compressed formats are stored.
    pub(super) fn begin(&mut self, name: &str, length: u64, compressed: bool) {
        let open = self.header(name, length);
        self.deflate.start(compressed);
        self.open = Some(open);
    }

    /// Writes the local header of a member.
    fn header(&mut self, name: &str, length: u64) -> Open {
        let (start, wide) = (self.bytes(), length >= WIDE);
        let size = if wide { SENTINEL } else { 0 };
        self.out.extend_from_slice(&LOCAL);
        fixed(&mut self.out, name, wide);
        for number in [0, size, size] {
            self.out.extend_from_slice(&u32::to_le_bytes(number));
        }
        self.out.extend_from_slice(&(name.len() as u16).to_le_bytes());
        self.out.extend_from_slice(&(if wide { 20_u16 } else { 0 }).to_le_bytes());
        self.out.extend_from_slice(name.as_bytes());
        if wide {
            extra(&mut self.out, &[0, 0]);
        }
        Open { name: name.into(), start, data: self.bytes(), crc: crc32fast::Hasher::new(), declared: 0, wide }
    }

    /// Adds bytes to the member.
    pub(super) fn write(&mut self, bytes: &[u8]) {
        if let Some(open) = &mut self.open {
            open.crc.update(bytes);
            open.declared = open.declared.saturating_add(bytes.len() as u64);
            self.deflate.push(bytes, TDEFLFlush::None, &mut self.out);
        }
    }

    /// Ends the member.
    pub(super) fn end(&mut self) -> Result<(), TooLarge> {
        let Some(open) = self.open.take() else { return Ok(()) };
        self.deflate.push(&[], TDEFLFlush::Finish, &mut self.out);
        let crc = open.crc.clone().finalize();
        self.close(open, crc)
    }

    /// Adds a member that was deflated before.
    pub(super) fn append(
        &mut self,
        name: &str,
        listed: u64,
        declared: u64,
        (data, crc): (&[u8], u32),
    ) -> Result<(), TooLarge> {
        let open = Open { declared, ..self.header(name, listed) };
        self.out.extend_from_slice(data);
        self.close(open, crc)
    }

    /// Ends a member whose data were written.
    fn close(&mut self, open: Open, crc: u32) -> Result<(), TooLarge> {
        let Open { name, start, data, declared, wide, .. } = open;
        let packed = self.bytes().saturating_sub(data);
        if !wide && declared.max(packed) >= SENTINEL.into() {
            return Err(TooLarge);
        }
        self.out.extend_from_slice(&DESCRIPTOR);
        self.out.extend_from_slice(&crc.to_le_bytes());
        for size in [packed, declared] {
            let bytes = size.to_le_bytes();
            self.out.extend_from_slice(bytes.get(..if wide { 8 } else { 4 }).unwrap_or(&bytes));
        }
        self.list(&name, start, crc, packed, declared, wide);
        Ok(())
    }

    /// Adds a header to the central directory.
    fn list(&mut self, name: &str, start: u64, crc: u32, packed: u64, declared: u64, wide: bool) {
        let far = start >= SENTINEL.into();
        let (needs, out) = (wide || far, &mut self.directory);
        // The extra field has the uncompressed size first.
        let sizes: &[u64] = if wide { &[declared, packed] } else { &[] };
        let large: Vec<u64> = sizes.iter().copied().chain(far.then_some(start)).collect();
        out.extend_from_slice(&CENTRAL);
        // Made by MS-DOS: no attributes.
        out.extend_from_slice(&(if needs { ZIP64 } else { PLAIN }).to_le_bytes());
        fixed(out, name, needs);
        let size = |size: u64| if wide { SENTINEL } else { size as u32 };
        for number in [crc, size(packed), size(declared)] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        let extra_bytes = if needs { large.len().saturating_mul(8).saturating_add(4) } else { 0 };
        // Name, extra field, comment, disk, attributes.
        for number in [name.len() as u16, extra_bytes as u16, 0, 0, 0, 0, 0] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&(if far { SENTINEL } else { start as u32 }).to_le_bytes());
        out.extend_from_slice(name.as_bytes());
        if needs {
            extra(out, &large);
        }
        self.members = self.members.saturating_add(1);
    }

    /// Writes the directory and the end record.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let start = self.bytes();
        let directory = core::mem::take(&mut self.directory);
        self.out.extend_from_slice(&directory);
        let (bytes, end) = (directory.len() as u64, self.bytes());
        let large = self.members >= SENTINEL_16.into() || start.max(bytes) >= SENTINEL.into();
        if large {
            self.out.extend_from_slice(&END_64);
            self.out.extend_from_slice(&44_u64.to_le_bytes());
            self.out.extend_from_slice(&[ZIP64 as u8, 0, ZIP64 as u8, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            for number in [self.members, self.members, bytes, start] {
                self.out.extend_from_slice(&number.to_le_bytes());
            }
            self.out.extend_from_slice(&LOCATOR);
            self.out.extend_from_slice(&0_u32.to_le_bytes());
            self.out.extend_from_slice(&end.to_le_bytes());
            self.out.extend_from_slice(&1_u32.to_le_bytes());
        }
        let members = u16::try_from(self.members).unwrap_or(SENTINEL_16);
        let short = |number: u64| u32::try_from(number).unwrap_or(SENTINEL).to_le_bytes();
        self.out.extend_from_slice(&END);
        for number in [0, 0, members, members] {
            self.out.extend_from_slice(&u16::to_le_bytes(number));
        }
        self.out.extend_from_slice(&short(bytes));
        self.out.extend_from_slice(&short(start));
        self.out.extend_from_slice(&[0, 0]);
        self.out
    }
}

impl core::fmt::Debug for Zip {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Zip").field("bytes", &self.bytes()).field("members", &self.members).finish_non_exhaustive()
    }
}

/// Version needed, flags, method, time: identical in both headers.
fn fixed(out: &mut Vec<u8>, name: &str, large: bool) {
    let flags = if name.is_ascii() { STREAMED } else { STREAMED | UTF8 };
    for number in [if large { ZIP64 } else { PLAIN }, flags, METHOD, 0, DATE] {
        out.extend_from_slice(&number.to_le_bytes());
    }
}

/// A ZIP64 extra field.
fn extra(out: &mut Vec<u8>, numbers: &[u64]) {
    out.extend_from_slice(&1_u16.to_le_bytes());
    out.extend_from_slice(&(numbers.len().saturating_mul(8) as u16).to_le_bytes());
    numbers.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
}
