//! The states of a verification.

use alloc::{sync::Arc, vec::Vec};
use core::ops::Range;

use crate::{
    fixity::Algorithms,
    package::{Archive, ArchiveMember, Contents, Fault, Listing, Structure, Unpacking, Verified, Worked},
    rules::KnownPackage,
    validate::Validation,
};

/// Bytes requested at a time while the manifest is read.
const WINDOW: u64 = 1 << 20;

/// Information for other checks, available at the end.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) package: KnownPackage,
    pub(super) manifest: Option<u32>,
    pub(super) unpacked: u64,
    pub(super) digests: Vec<u8>,
    /// A problem of the data of the manifest.
    pub(super) manifest_fault: Option<Fault>,
    pub(super) contents: Contents,
    /// What was found of the members of a piece.
    pub(super) found: Option<Found>,
}

/// What was found of the members of a piece, for another process.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) archive: Arc<Archive>,
    pub(super) wanted: Arc<Vec<Algorithms>>,
    pub(super) worked: Worked,
}

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one of it")]
pub(super) enum Phase<'a> {
    /// The file type is being detected.
    Head,
    Structure(Structure),
    /// The manifest is read to collect the listed members.
    Listing {
        archive: Arc<Archive>,
        listing: Listing,
        stream: Stream,
    },
    /// The members are read.
    Members(Members),
    /// The manifest is read again and validated, now that the members are known.
    Manifest {
        validation: Validation<'a>,
        stream: Stream,
    },
    /// Only digests of the file itself are left.
    File {
        given: bool,
        back: bool,
    },
    Done,
}

/// A member being read by windows.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) unpacking: Unpacking,
    pub(super) at: u64,
    pub(super) end: u64,
    pub(super) packed: u64,
}

impl Stream {
    pub(super) fn new(member: &ArchiveMember) -> Stream {
        let data = member.data();
        let mut unpacking = Unpacking::new();
        unpacking.begin(member);
        Stream { unpacking, at: data.start, end: data.end, packed: 0 }
    }

    pub(super) fn wants(&self) -> Option<Range<u64>> {
        (self.at < self.end).then(|| self.at..self.end.min(self.at.saturating_add(WINDOW)))
    }

    pub(super) fn give(&mut self, bytes: &[u8], take: &mut dyn FnMut(&[u8])) {
        self.at = self.at.saturating_add(bytes.len() as u64);
        self.packed = self.packed.saturating_add(bytes.len() as u64);
        self.unpacking.feed(bytes, take);
    }
}

/// Members being read.
#[derive(Debug)]
pub(super) struct Members {
    pub(super) archive: Arc<Archive>,
    pub(super) listing: Option<Listing>,
    pub(super) wanted: Arc<Vec<Algorithms>>,
    pub(super) verified: Verified,
    /// The position up to which work has been assigned.
    pub(super) place: usize,
    /// Units assigned and not yet returned.
    pub(super) open: usize,
    pub(super) file_given: bool,
    /// Declared size of the assigned members.
    pub(super) declared: u64,
    /// True once the budget was reported.
    pub(super) over_budget: bool,
    /// Members skipped because of the budget, in the order of the file.
    pub(super) unread: Vec<u32>,
    pub(super) faults: Vec<(u32, Fault)>,
    /// All results, if they are for another process.
    pub(super) worked: Worked,
}

impl Members {
    /// Records the result of a unit of work; `keeping` it for another process, too.
    pub(super) fn note(&mut self, mut worked: Worked, keeping: bool) {
        self.verified.note(&worked);
        if keeping {
            self.worked.faults.extend_from_slice(&worked.faults);
            self.worked.digests.append(&mut worked.digests);
            self.worked.digested.append(&mut worked.digested);
        }
        self.faults.append(&mut worked.faults);
    }
}
