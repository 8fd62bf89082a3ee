//! The bytes of a response, compared with the list.

use resourcesync::{
    codec::{Gunzip, GunzipError},
    diagnostic::{Reason, ReasonCode},
    fixity::Digester,
    value::{Algorithm, Hashes},
};

use crate::listed_resource::ListedResource;

/// The bytes of a body, counted and hashed.
#[derive(Debug, Default)]
pub(super) struct Bytes {
    pub(super) digester: Digester,
    pub(super) length: u64,
}

impl Bytes {
    pub(super) fn new(listed: &Hashes) -> Bytes {
        let named = listed.iter().map(|hash| hash.algorithm.clone());
        Bytes { digester: Digester::new(named.chain([Algorithm::Sha256])), length: 0 }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.length = self.length.saturating_add(bytes.len() as u64);
        self.digester.push(bytes);
    }

    /// True unless there are more than listed.
    pub(super) fn is_within(&self, resource: &ListedResource) -> bool {
        resource.length.is_none_or(|listed| self.length <= listed)
    }
}

/// A body whose coding is being undone.
#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) gunzip: Gunzip,
    pub(super) bytes: Bytes,
    /// Why it cannot be decoded.
    pub(super) problem: Option<Reason>,
}

impl Decoded {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if self.problem.is_none() {
            let Decoded { gunzip, bytes: decoded, .. } = self;
            let pushed = gunzip.push(bytes, &mut |bytes| decoded.push(bytes));
            self.problem = pushed.err().map(undecodable);
        }
    }

    /// The decoded bytes; those of a body that was longer than listed, and not read to its end, are not whole.
    pub(super) fn end(mut self, resource: &ListedResource) -> Result<Bytes, Reason> {
        let Decoded { gunzip, bytes, problem } = &mut self;
        if problem.is_none() && bytes.is_within(resource) {
            *problem = gunzip.finish(&mut |more| bytes.push(more)).err().map(undecodable);
        }
        self.problem.map_or(Ok(self.bytes), Err)
    }
}

/// Bytes compared with the list.
pub(super) struct Compared {
    pub(super) length: u64,
    pub(super) hashes: Hashes,
    pub(super) other_length: bool,
    pub(super) other_digest: bool,
}

impl Compared {
    pub(super) fn of(bytes: Bytes, resource: &ListedResource, listed: &Hashes) -> Compared {
        let other_length = resource.length.is_some_and(|length| length != bytes.length);
        let hashes = bytes.digester.finish();
        let other_digest = listed.iter().any(|hash| hashes.get(&hash.algorithm) != Some(&*hash.digest));
        Compared { length: bytes.length, hashes, other_length, other_digest }
    }

    pub(super) fn is_other(&self) -> bool {
        self.other_length || self.other_digest
    }
}

/// The reason why a body cannot be decoded.
pub fn undecodable(error: GunzipError) -> Reason {
    Reason::new(ReasonCode::InvalidGzip).arg("problem", error.as_str())
}
