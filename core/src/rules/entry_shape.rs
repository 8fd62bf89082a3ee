//! What an entry has in common with others of its document.

/// The shape of an entry: its elements, their order and their attributes, and every value that is not one of those that change from one entry to
/// the next (URIs, datetimes, digests, lengths, media types, paths).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryShape {
    /// Entries of a document with the same number have the same shape.
    pub(crate) number: u16,
    /// True if each of the values that change has its usual form: an `http` or `https` URI whose scheme and authority belong to the shape
    /// and which is shorter than 2,048 characters, a datetime in UTC to the second, digests of known algorithms, a number of bytes, a
    /// registered media type, a path in the spelling of the standard.
    pub(crate) is_usual: bool,
}
