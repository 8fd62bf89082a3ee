//! Decompresses gzip (RFC 1952) from pushed bytes, strictly and within a maximum ratio.

use alloc::{vec, vec::Vec};

use super::{Inflate, Progress};

use crate::named_enum;

named_enum! {
    /// The reason why gzip cannot be decompressed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum GunzipError {
        /// The header of a member is not that of gzip.
        Header = "header",
        /// The compressed data is damaged.
        Data = "data",
        /// The checksum does not match the data.
        Checksum = "checksum",
        /// The length does not match the data.
        Length = "length",
        /// The data is truncated.
        Truncated = "truncated",
        /// The data is followed by something other than gzip.
        Trailing = "trailing",
        /// The compression ratio exceeds the limit.
        Ratio = "ratio",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Header,
    Body,
    Trailer,
    /// After a member: another may follow, or padding, or nothing.
    Between,
}

/// Bytes of decompressed data passed on at a time.
const WINDOW: usize = 32 << 10;
/// Decompressed bytes before the ratio is checked.
const GRACE: u64 = 1 << 20;
/// Maximum bytes of a header: an extra field, and a name and a comment of reasonable length.
const MAX_HEADER: usize = 80 << 10;

/// A gzip stream being decompressed: one layer, any number of members.
///
/// ```
/// let mut gunzip = resourcesync::codec::Gunzip::new(200);
/// let empty = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
/// let mut unpacked = Vec::new();
/// gunzip.push(&empty, &mut |bytes| unpacked.extend_from_slice(bytes))?;
/// gunzip.finish(&mut |bytes| unpacked.extend_from_slice(bytes))?;
/// assert!(unpacked.is_empty());
/// # Ok::<(), resourcesync::codec::GunzipError>(())
/// ```
pub struct Gunzip {
    at: At,
    inflate: Inflate,
    /// Header or trailer bytes that are not complete yet.
    held: Vec<u8>,
    window: Vec<u8>,
    /// Bytes of the window that are filled.
    filled: usize,
    crc: crc32fast::Hasher,
    length: u32,
    packed: u64,
    unpacked: u64,
    ratio: u64,
}

impl core::fmt::Debug for Gunzip {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Gunzip").field("at", &self.at).field("unpacked", &self.unpacked).finish_non_exhaustive()
    }
}

impl Gunzip {
    /// Creates a decoder with this maximum compression ratio after the first MiB.
    pub fn new(ratio: u32) -> Gunzip {
        Gunzip {
            at: At::Header,
            inflate: Inflate::new(),
            held: Vec::new(),
            window: vec![0; WINDOW],
            filled: 0,
            crc: crc32fast::Hasher::new(),
            length: 0,
            packed: 0,
            unpacked: 0,
            ratio: ratio.into(),
        }
    }

    /// Decompresses more input and passes the output to `give`.
    pub fn push(&mut self, mut bytes: &[u8], give: &mut dyn FnMut(&[u8])) -> Result<(), GunzipError> {
        while !bytes.is_empty() {
            bytes = match self.at {
                At::Header => self.header(bytes)?,
                At::Body => self.body(bytes, give)?,
                At::Trailer => self.trailer(bytes)?,
                At::Between => match bytes {
                    // Tape archives and some tools pad with zeros.
                    [0, rest @ ..] => rest,
                    [0x1f, ..] => {
                        self.at = At::Header;
                        bytes
                    }
                    _ => return Err(GunzipError::Trailing),
                },
            };
        }
        Ok(())
    }

    /// Ends the input.
    pub fn finish(&mut self, give: &mut dyn FnMut(&[u8])) -> Result<(), GunzipError> {
        self.give(give)?;
        if self.at == At::Between { Ok(()) } else { Err(GunzipError::Truncated) }
    }

    fn header<'a>(&mut self, bytes: &'a [u8]) -> Result<&'a [u8], GunzipError> {
        let before = self.held.len();
        let room = MAX_HEADER.saturating_sub(before).min(bytes.len());
        self.held.extend_from_slice(bytes.get(..room).unwrap_or(&[]));
        match header_length(&self.held)? {
            Some(length) => {
                self.held.clear();
                self.at = At::Body;
                self.inflate.reset();
                self.crc = crc32fast::Hasher::new();
                self.length = 0;
                Ok(bytes.get(length.saturating_sub(before)..).unwrap_or(&[]))
            }
            None if self.held.len() >= MAX_HEADER => Err(GunzipError::Header),
            None => Ok(bytes.get(room..).unwrap_or(&[])),
        }
    }

    fn body<'a>(&mut self, mut bytes: &'a [u8], give: &mut dyn FnMut(&[u8])) -> Result<&'a [u8], GunzipError> {
        loop {
            let room = self.window.get_mut(self.filled..).unwrap_or_default();
            let (taken, made, progress) = self.inflate.run(bytes, room);
            self.filled = self.filled.saturating_add(made);
            self.packed = self.packed.saturating_add(taken as u64);
            bytes = bytes.get(taken..).unwrap_or(&[]);
            let is_full = self.filled >= WINDOW;
            // Only whole windows, so that the points where the ratio is checked do not depend on how the input
            // was split.
            if is_full || progress != Progress::More {
                self.give(give)?;
            }
            match progress {
                Progress::End => {
                    self.at = At::Trailer;
                    return Ok(bytes);
                }
                Progress::Damaged => return Err(GunzipError::Data),
                // More output may be waiting.
                Progress::More if is_full || taken > 0 && !bytes.is_empty() => {}
                Progress::More if bytes.is_empty() => return Ok(bytes),
                Progress::More => return Err(GunzipError::Data),
            }
        }
    }

    fn give(&mut self, give: &mut dyn FnMut(&[u8])) -> Result<(), GunzipError> {
        let out = self.window.get(..self.filled).unwrap_or(&[]);
        self.filled = 0;
        self.crc.update(out);
        self.length = self.length.wrapping_add(out.len() as u32);
        self.unpacked = self.unpacked.saturating_add(out.len() as u64);
        give(out);
        if self.unpacked > GRACE && self.unpacked > self.packed.saturating_mul(self.ratio) {
            Err(GunzipError::Ratio)
        } else {
            Ok(())
        }
    }

    fn trailer<'a>(&mut self, bytes: &'a [u8]) -> Result<&'a [u8], GunzipError> {
        let needed = 8_usize.saturating_sub(self.held.len()).min(bytes.len());
        let (own, rest) = bytes.split_at_checked(needed).unwrap_or((bytes, &[]));
        self.held.extend_from_slice(own);
        if let [a, b, c, d, e, f, g, h] = *self.held.as_slice() {
            self.held.clear();
            if u32::from_le_bytes([a, b, c, d]) != self.crc.clone().finalize() {
                return Err(GunzipError::Checksum);
            }
            if u32::from_le_bytes([e, f, g, h]) != self.length {
                return Err(GunzipError::Length);
            }
            self.at = At::Between;
        }
        Ok(rest)
    }
}

/// The length of the header, once it is complete.
fn header_length(held: &[u8]) -> Result<Option<usize>, GunzipError> {
    const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];
    let given = held.get(..MAGIC.len().min(held.len())).unwrap_or(&[]);
    if !MAGIC.starts_with(given) {
        return Err(GunzipError::Header);
    }
    let Some(&flags) = held.get(3) else { return Ok(None) };
    if flags & 0b1110_0000 != 0 {
        return Err(GunzipError::Header);
    }
    let mut length = 10_usize;
    if flags & 4 != 0 {
        let Some([low, high]) = held.get(length..length.saturating_add(2)) else { return Ok(None) };
        length = length.saturating_add(2).saturating_add(u16::from_le_bytes([*low, *high]).into());
    }
    for text in [8, 16] {
        if flags & text != 0 {
            let Some(end) = held.get(length..).and_then(|rest| memchr::memchr(0, rest)) else { return Ok(None) };
            length = length.saturating_add(end).saturating_add(1);
        }
    }
    if flags & 2 != 0 {
        length = length.saturating_add(2);
    }
    Ok((held.len() >= length).then_some(length))
}
