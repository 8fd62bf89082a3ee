//! Local headers and data descriptors, before and after the data of a member.

// Offsets in a header of fixed length plus 16-bit lengths: no sum can overflow.
#![allow(clippy::arithmetic_side_effects)]

use super::{
    archive::{ArchiveMember, FLAG_DESCRIPTOR, What},
    bytes::{DESCRIPTOR, LOCAL, SENTINEL, is_signed, u16_at, u32_at, u64_at},
    extra::{self, Extra},
};

/// Bytes of a local header without name and extra fields.
pub(super) const HEADER_BYTES: usize = 30;
/// Bytes of the longest data descriptor.
pub(super) const DESCRIPTOR_BYTES: usize = 24;

/// The length of the local header that begins with these bytes.
pub(super) fn length(fixed: &[u8]) -> usize {
    HEADER_BYTES + usize::from(u16_at(fixed, 26)) + usize::from(u16_at(fixed, 28))
}

/// The name of a member.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names<'a> {
    /// As in the central directory header.
    pub(super) raw: &'a [u8],
    /// After decoding.
    pub(super) read: &'a [u8],
    /// True if the name was truncated.
    pub(super) cut: bool,
}

/// The first field in which a local header differs from the directory.
pub(super) fn difference(bytes: &[u8], names: Names<'_>, member: &ArchiveMember) -> Option<&'static str> {
    // The compression level is irrelevant.
    const LEVEL: u16 = 0b110;
    if !is_signed(bytes, 0, LOCAL) {
        return Some("signature");
    }
    let name_end = HEADER_BYTES + usize::from(u16_at(bytes, 26));
    let same = bytes
        .get(HEADER_BYTES..name_end)
        .is_some_and(|own| own == names.raw || names.cut && own.starts_with(names.raw));
    if !same {
        return Some("name");
    }
    if u16_at(bytes, 8) != member.method {
        return Some("method");
    }
    if (u16_at(bytes, 6) ^ member.flags) & !LEVEL != 0 {
        return Some("flags");
    }
    let streamed = member.flags & FLAG_DESCRIPTOR != 0;
    let crc = u32_at(bytes, 14);
    if crc != member.crc && !(streamed && crc == 0) {
        return Some("crc");
    }
    let extra = Extra::read(bytes.get(name_end..).unwrap_or(&[]));
    if extra.broken || extra.repeated {
        return Some("extra");
    }
    let unicode = extra.unicode_path.map(|field| extra::unicode_path(field, names.raw));
    if unicode.is_some_and(|own| own.map(str::as_bytes) != Ok(names.read)) && !member.misnamed {
        return Some("unicode-path");
    }
    let of_its_kind = match member.what {
        What::File => extra::FILE,
        What::Directory => extra::FOLDER,
        What::Special => 0,
    };
    if ![0, of_its_kind].contains(&extra.file_type()) && of_its_kind != 0 {
        return Some("attributes");
    }
    sizes(bytes, &extra, member, streamed)
}

fn sizes(bytes: &[u8], extra: &Extra<'_>, member: &ArchiveMember, streamed: bool) -> Option<&'static str> {
    let plain = (u32_at(bytes, 22), u32_at(bytes, 18));
    let large = match extra.zip64.map(extra::local) {
        Some(None) => return Some("zip64"),
        Some(Some(large)) => Some(large),
        None => None,
    };
    // A placeholder refers to the size in the extra field.
    let truly = |plain: u32, large: Option<u64>| match large {
        Some(large) if plain == SENTINEL => large,
        _ => plain.into(),
    };
    let own = (truly(plain.0, large.map(|large| large.0)), truly(plain.1, large.map(|large| large.1)));
    let fits = |own: u64, actual: u64| own == actual || (streamed && own == 0);
    if !fits(own.0, member.declared) || !fits(own.1, member.packed) {
        return Some("sizes");
    }
    // An extra field without a placeholder must not contradict.
    large.filter(|large| !fits(large.0, member.declared) || !fits(large.1, member.packed)).map(|_| "zip64")
}

/// The length of the data descriptor of a member, if a correct one follows its data.
///
/// Writers differ: with or without signature, sizes of four or eight bytes. If several variants match, the one that
/// fills `gap` is chosen.
pub(super) fn descriptor(after: &[u8], gap: u64, member: &ArchiveMember) -> Option<usize> {
    let fits = |signed: bool, wide: bool| {
        let at = if signed { 4 } else { 0 };
        let (packed, declared, length) = if wide {
            (u64_at(after, at + 4), u64_at(after, at + 12), at + 20)
        } else {
            (u32_at(after, at + 4).into(), u32_at(after, at + 8).into(), at + 12)
        };
        let narrow = |size: u64| if wide { size } else { size & 0xffff_ffff };
        let true_sizes = packed == narrow(member.packed) && declared == narrow(member.declared);
        let is_one = after.len() >= length && (!signed || is_signed(after, 0, DESCRIPTOR));
        (is_one && u32_at(after, at) == member.crc && true_sizes).then_some(length)
    };
    let forms = [(true, false), (true, true), (false, false), (false, true)];
    let mut found = forms.into_iter().filter_map(|(signed, wide)| fits(signed, wide));
    let first = found.clone().next();
    found.find(|length| *length as u64 == gap).or(first)
}
