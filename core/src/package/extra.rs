//! Extra fields: the true sizes of ZIP64, names in Unicode.

// All positions are in a field of at most 65,535 bytes.
#![allow(clippy::arithmetic_side_effects)]

use super::bytes::{SENTINEL, SENTINEL_16, u16_at, u32_at, u64_at};

/// ZIP64 sizes and offset.
const ZIP64: u16 = 0x0001;
/// The name in Unicode (Info-ZIP).
const UNICODE_PATH: u16 = 0x7075;
/// A copy of directory fields for streaming readers (libarchive).
const STREAMED: u16 = 0x6c78;

/// The supported fields of an extra field block.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Extra<'a> {
    pub(super) zip64: Option<&'a [u8]>,
    pub(super) unicode_path: Option<&'a [u8]>,
    streamed: Option<&'a [u8]>,
    /// One of them is repeated.
    pub(super) repeated: bool,
    /// The block is not a sequence of fields.
    pub(super) broken: bool,
}

impl<'a> Extra<'a> {
    pub(super) fn read(block: &'a [u8]) -> Extra<'a> {
        let mut extra = Extra::default();
        let mut rest = block;
        while rest.len() >= 4 {
            let (id, length) = (u16_at(rest, 0), usize::from(u16_at(rest, 2)));
            let Some(value) = rest.get(4..length.saturating_add(4)) else {
                extra.broken = true;
                return extra;
            };
            let own = match id {
                ZIP64 => &mut extra.zip64,
                UNICODE_PATH => &mut extra.unicode_path,
                STREAMED => &mut extra.streamed,
                _ => &mut None,
            };
            extra.repeated |= own.replace(value).is_some();
            rest = rest.get(length.saturating_add(4)..).unwrap_or(&[]);
        }
        // Some tools align data with zeros, which are not a field.
        extra.broken |= rest.iter().any(|byte| *byte != 0);
        extra
    }

    /// The Unix file type from the attributes that libarchive repeats in its own field; 0 if there is none.
    pub(super) fn file_type(&self) -> u32 {
        let field = self.streamed.unwrap_or(&[]);
        let Some(parts) = field.first() else { return 0 };
        // Only the first byte of the bitmap is used; a set high bit announces another byte.
        let map = field.iter().take_while(|byte| **byte & 0x80 != 0).count() + 1;
        let before = if parts & 1 == 0 { 0 } else { 2 } + if parts & 2 == 0 { 0 } else { 2 };
        let has_attributes = parts & 4 != 0 && field.len() >= map + before + 4;
        if has_attributes { u32_at(field, map + before) >> 16 & TYPE } else { 0 }
    }
}

/// The bits of a mode that contain the file type.
pub(super) const TYPE: u32 = 0o170_000;
/// A regular file.
pub(super) const FILE: u32 = 0o100_000;
/// A folder.
pub(super) const FOLDER: u32 = 0o040_000;

/// The sizes and offset of a member in a central directory header, plain or from ZIP64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Large {
    pub(super) declared: u64,
    pub(super) packed: u64,
    pub(super) header: u64,
    pub(super) disk: u32,
}

/// Combines the plain fields with the ZIP64 field and reports contradictions.
pub(super) fn central(plain: [u32; 3], disk: u16, field: Option<&[u8]>) -> (Large, Option<&'static str>) {
    let [declared, packed, header] = plain;
    let large = |value: u32| u64::from(value);
    let mut own = Large { declared: large(declared), packed: large(packed), header: large(header), disk: disk.into() };
    let sentinels = plain.contains(&SENTINEL) || disk == SENTINEL_16;
    let Some(field) = field else {
        return (own, sentinels.then_some("zip64-missing"));
    };
    // Only fields with a placeholder are present, in a fixed order …
    let mut at = 0;
    let mut values = [own.declared, own.packed, own.header];
    for (plain, value) in plain.iter().zip(&mut values) {
        if *plain == SENTINEL {
            if field.len() < at + 8 {
                return (own, Some("zip64-short"));
            }
            *value = u64_at(field, at);
            at += 8;
        }
    }
    [own.declared, own.packed, own.header] = values;
    if disk == SENTINEL_16 {
        if field.len() < at + 4 {
            return (own, Some("zip64-short"));
        }
        own.disk = u32_at(field, at);
        at += 4;
    }
    if at == field.len() {
        return (own, (at == 0).then_some("zip64-surplus"));
    }
    // … or all are present, repeating the plain values.
    let whole = |at: usize, value: u64| field.len() < at + 8 || u64_at(field, at) == value;
    let as_whole = Large {
        declared: if declared == SENTINEL { u64_at(field, 0) } else { own.declared },
        packed: if packed == SENTINEL { u64_at(field, 8) } else { own.packed },
        header: if header == SENTINEL { u64_at(field, 16) } else { own.header },
        disk: own.disk,
    };
    let complete = matches!(field.len(), 16 | 24 | 28) && (header != SENTINEL || field.len() >= 24);
    let repeats = whole(0, as_whole.declared) && whole(8, as_whole.packed) && whole(16, as_whole.header);
    // Both interpretations must agree.
    let agrees = as_whole == own;
    (own, (!(complete && repeats && agrees)).then_some("zip64-surplus"))
}

/// The sizes (uncompressed, compressed) in the ZIP64 field of a local header; it must contain both.
pub(super) fn local(field: &[u8]) -> Option<(u64, u64)> {
    (field.len() == 16 || field.len() == 24 || field.len() == 28).then(|| (u64_at(field, 0), u64_at(field, 8)))
}

/// The name in a Unicode Path field, if its checksum matches the raw name.
pub(super) fn unicode_path<'a>(field: &'a [u8], raw: &[u8]) -> Result<&'a str, &'static str> {
    let [1, ..] = field else { return Err("unicode-path") };
    if u32_at(field, 1) != crc32fast::hash(raw) {
        return Err("unicode-path");
    }
    field.get(5..).and_then(|name| core::str::from_utf8(name).ok()).ok_or("unicode-path")
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    fn field(values: &[u64]) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    #[test]
    fn sentinels_and_the_field_belong_together() {
        let fault = |plain, values: Option<&[u64]>| central(plain, 0, values.map(field).as_deref()).1;
        assert_eq!(fault([1, 2, 3], None), None);
        assert_eq!(fault([SENTINEL, 2, 3], None), Some("zip64-missing"));
        assert_eq!(fault([SENTINEL, 2, 3], Some(&[9])), None);
        assert_eq!(fault([SENTINEL, SENTINEL, 3], Some(&[9])), Some("zip64-short"));
        assert_eq!(fault([1, 2, 3], Some(&[])), Some("zip64-surplus"));
        assert_eq!(fault([1, 2, 3], Some(&[1, 2, 3])), None);
        assert_eq!(fault([1, 2, 3], Some(&[1, 5, 3])), Some("zip64-surplus"));
        assert_eq!(fault([SENTINEL, 2, 3], Some(&[9, 2])), None);
        // Either the offset alone, or the first of three fields: readers could disagree.
        assert_eq!(fault([1, 2, SENTINEL], Some(&[1, 2, 7])), Some("zip64-surplus"));
    }

    #[test]
    fn fields_are_told_from_garbage_and_padding() {
        assert!(Extra::read(b"\x01\x00\x08\x00\x00").broken);
        assert!(!Extra::read(b"\0\0\0").broken);
        assert!(Extra::read(b"\x01\x00\x00\x00\x01\x00\x00\x00").repeated);
        assert_eq!(Extra::read(b"\x01\x00\x01\x00x").zip64, Some(&b"x"[..]));
    }

    #[test]
    fn attributes_for_streams_are_found_behind_a_map_of_any_length() {
        let found = |field: &'static [u8]| Extra { streamed: Some(field), ..Extra::default() }.file_type();
        assert_eq!(found(b"\x05\x1e\x03\0\0\xff\xa1"), 0o120_000);
        assert_eq!(found(b"\x87\x80\x00\x1e\x03\0\0\0\0\xa4\x81"), FILE);
        assert_eq!(found(b"\x03\x1e\x03\0\0"), 0);
        assert_eq!(found(b"\x05\x1e\x03\0\0\xff"), 0);
        assert_eq!(found(b""), 0);
    }
}
