//! Compares bytes that a program fetched with what is listed.

use core::mem;

use resourcesync::value::Hashes;

use super::{
    bytes::{Bytes, Compared},
    messages::Verified,
};
use crate::listed_resource::ListedResource;

/// The bytes of a resource, as they were sent, while they arrive.
#[derive(Debug)]
pub struct Verifier {
    resource: ListedResource,
    listed: Hashes,
    bytes: Bytes,
}

/// What of the bytes is not as listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unlisted {
    /// Their number.
    Length,
    /// A digest.
    Digest,
}

impl Verifier {
    /// For a listed resource.
    pub fn new(resource: &ListedResource) -> Verifier {
        let listed = resource.hashes();
        Verifier { resource: resource.clone(), bytes: Bytes::new(&listed), listed }
    }

    /// The next bytes; false if they are more than listed.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        self.bytes.push(bytes);
        self.bytes.is_within(&self.resource)
    }

    /// What differs, at the end; `None` if all that is listed is right.
    pub fn differs(&mut self) -> Option<Unlisted> {
        let compared = Compared::of(mem::take(&mut self.bytes), &self.resource, &self.listed);
        match (compared.other_length, compared.other_digest) {
            (true, _) => Some(Unlisted::Length),
            (false, true) => Some(Unlisted::Digest),
            (false, false) => None,
        }
    }

    /// What the bytes are compared with.
    pub fn by(&self) -> Verified {
        Verified::by(&self.resource)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn bytes_are_compared_with_all_that_is_listed() {
        // RFC 1321, A.5: the digest of `abc`.
        let md5 = "md5:900150983cd24fb0d6963f7d28e17f72".to_string();
        let listed = ListedResource { hash: Some(md5), length: Some(3), ..ListedResource::default() };
        let of = |listed: &ListedResource, bytes: &[u8]| {
            let mut verifier = Verifier::new(listed);
            let is_within = bytes.chunks(2).all(|bytes| verifier.push(bytes));
            (is_within, verifier.differs(), verifier.by())
        };
        assert_eq!(of(&listed, b"abc"), (true, None, Verified::Digest));
        assert_eq!(of(&listed, b"abd"), (true, Some(Unlisted::Digest), Verified::Digest));
        assert_eq!(of(&listed, b"ab"), (true, Some(Unlisted::Length), Verified::Digest));
        assert_eq!(of(&listed, b"abcd"), (false, Some(Unlisted::Length), Verified::Digest));
        let length = ListedResource { hash: None, ..listed };
        assert_eq!(of(&length, b"xyz"), (true, None, Verified::Length));
        let illegible = ListedResource { is_illegible: true, ..length };
        assert_eq!(of(&illegible, b"xyz"), (true, None, Verified::Length));
        assert_eq!(of(&ListedResource { length: None, ..illegible }, b"xyz"), (true, None, Verified::Unreadable));
        assert_eq!(of(&ListedResource::default(), b""), (true, None, Verified::Nothing));
    }
}
