//! The members of an archive, in a compact form.

use alloc::{borrow::Cow, boxed::Box, collections::BTreeMap, string::String, vec::Vec};
use core::ops::Range;

/// The type of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    File,
    Directory,
    /// A symbolic link, a device …
    Special,
}

/// One member, from its central directory header.
#[derive(Debug, Clone)]
pub(crate) struct ArchiveMember {
    /// Offset of its local header.
    pub(crate) header: u64,
    /// Compressed size.
    pub(crate) packed: u64,
    /// Declared uncompressed size.
    pub(crate) declared: u64,
    /// Offset of its name in `names`.
    name: u32,
    pub(crate) crc: u32,
    /// Bytes from its local header to its data; known once the header was read.
    pub(super) lead: u32,
    name_length: u16,
    pub(crate) method: u16,
    pub(super) flags: u16,
    pub(crate) what: What,
    /// Whether its ambiguous name has been reported.
    pub(super) misnamed: bool,
    /// True if its data must not be read: it overlaps, is encrypted, uses an unknown method …
    pub(crate) blocked: bool,
}

/// Bits 0, 6 and 13: encryption in its several forms.
pub(super) const ENCRYPTED: u16 = 1 | 1 << 6 | 1 << 13;
/// Bit 3: sizes and checksum follow the data.
pub(super) const FLAG_DESCRIPTOR: u16 = 1 << 3;
/// Bit 11: name and comment are UTF-8.
pub(super) const FLAG_UTF8: u16 = 1 << 11;

impl ArchiveMember {
    /// True if its data cannot be read without a key.
    pub(crate) fn is_encrypted(&self) -> bool {
        self.flags & ENCRYPTED != 0 || self.method == 99
    }

    /// The range of its data.
    pub(crate) fn data(&self) -> Range<u64> {
        let start = self.header.saturating_add(self.lead.into());
        start..start.saturating_add(self.packed)
    }
}

/// The members of an archive.
#[derive(Debug, Default)]
pub(crate) struct Archive {
    pub(super) members: Vec<ArchiveMember>,
    names: Vec<u8>,
    /// Unicode names from extra fields that differ from the name in the header.
    pub(super) unicode: BTreeMap<u32, Box<str>>,
    /// Sorted by name.
    pub(super) by_name: Vec<u32>,
    /// Sorted by offset in the file.
    pub(super) by_place: Vec<u32>,
    /// Sorted by the name without case, normalization form and escapes.
    pub(super) by_key: Vec<(u64, u32)>,
}

impl Archive {
    /// Reserves memory, limited by what the available bytes can contain and never by a declared number.
    pub(super) fn reserve(&mut self, directory_bytes: u64) {
        const HEADER: u64 = 46;
        let members = usize::try_from(directory_bytes / HEADER).unwrap_or(0).min(1 << 16);
        self.members.reserve(members);
    }

    /// Adds a member. False if the space for names is exhausted.
    pub(super) fn push(&mut self, mut member: ArchiveMember, name: &[u8]) -> bool {
        let (Ok(start), Ok(length)) = (u32::try_from(self.names.len()), u16::try_from(name.len())) else {
            return false;
        };
        member.name = start;
        member.name_length = length;
        self.names.extend_from_slice(name);
        self.members.push(member);
        true
    }

    /// The number of members.
    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    pub(crate) fn get(&self, index: u32) -> Option<&ArchiveMember> {
        self.members.get(index as usize)
    }

    /// The name as in the headers.
    pub(super) fn raw_name(&self, index: u32) -> &[u8] {
        let Some(member) = self.get(index) else { return &[] };
        let start = member.name as usize;
        self.names.get(start..start.saturating_add(member.name_length.into())).unwrap_or(&[])
    }

    /// The name after decoding.
    pub(crate) fn name(&self, index: u32) -> &[u8] {
        self.unicode.get(&index).map_or_else(|| self.raw_name(index), |name| name.as_bytes())
    }

    /// The name for display.
    pub(crate) fn shown(&self, index: u32) -> String {
        shown(self.name(index))
    }

    /// The member of exactly this name; of several, the first.
    pub(crate) fn find(&self, name: &[u8]) -> Option<u32> {
        let at = self.by_name.partition_point(|index| self.name(*index) < name);
        self.by_name.get(at).copied().filter(|index| self.name(*index) == name)
    }

    /// True if another member has the same name.
    pub(crate) fn is_repeated(&self, index: u32) -> bool {
        let name = self.name(index);
        let at = self.by_name.partition_point(|other| self.name(*other) < name);
        self.by_name.get(at.saturating_add(1)).is_some_and(|second| self.name(*second) == name)
    }

    /// The order by offset in the file.
    pub(crate) fn by_place(&self) -> &[u32] {
        &self.by_place
    }

    /// All members in the order of the central directory.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &ArchiveMember)> {
        (0..).zip(&self.members)
    }
}

/// Maximum characters of a name in a finding.
const MAX_SHOWN: usize = 300;

/// A name for display: invalid UTF-8 is replaced, and long names are truncated.
pub(super) fn shown(name: &[u8]) -> String {
    let text = String::from_utf8_lossy(name);
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => text.get(..end).unwrap_or("").into(),
        None => Cow::into_owned(text),
    }
}

/// A member of which only the header was read.
pub(super) fn member(header: u64, packed: u64, declared: u64) -> ArchiveMember {
    ArchiveMember {
        header,
        packed,
        declared,
        name: 0,
        crc: 0,
        lead: 0,
        name_length: 0,
        method: 0,
        flags: 0,
        what: What::File,
        misnamed: false,
        blocked: false,
    }
}
