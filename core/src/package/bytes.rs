//! Little-endian numbers of ZIP records.

/// Two bytes; 0 beyond the end, so that callers check lengths once, in advance.
pub(super) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |two| u16::from_le_bytes(*two))
}

/// Four bytes.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |four| u32::from_le_bytes(*four))
}

/// Eight bytes.
pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |eight| u64::from_le_bytes(*eight))
}

/// True if a record with this signature begins at this place.
pub(super) fn is_signed(bytes: &[u8], at: usize, signature: [u8; 4]) -> bool {
    bytes.get(at..).is_some_and(|rest| rest.starts_with(&signature))
}

/// Signature of a local header.
pub(crate) const LOCAL: [u8; 4] = *b"PK\x03\x04";
/// Signature of a central directory header.
pub(crate) const CENTRAL: [u8; 4] = *b"PK\x01\x02";
/// Signature of the end record.
pub(crate) const END: [u8; 4] = *b"PK\x05\x06";
/// Signature of the ZIP64 end record.
pub(crate) const END_64: [u8; 4] = *b"PK\x06\x06";
/// Signature of the ZIP64 end record locator.
pub(crate) const LOCATOR: [u8; 4] = *b"PK\x06\x07";
/// Signature of a data descriptor, which is optional.
pub(crate) const DESCRIPTOR: [u8; 4] = *b"PK\x07\x08";

/// The 4-byte placeholder for a value in the ZIP64 record.
pub(crate) const SENTINEL: u32 = u32::MAX;
/// The 2-byte placeholder.
pub(crate) const SENTINEL_16: u16 = u16::MAX;
