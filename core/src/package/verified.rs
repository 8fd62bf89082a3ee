//! The verified members, queried by the rules about manifests.

use alloc::{sync::Arc, vec, vec::Vec};

use super::{Archive, Worked, archive::What, name_similarity::near};
use crate::{
    fixity::{Algorithms, digest},
    rules::{FoundMember, PackageMembers},
    value::Algorithm,
};

/// An archive and the results of verifying its members.
#[derive(Debug)]
pub(crate) struct Verified {
    archive: Arc<Archive>,
    wanted: Arc<Vec<Algorithms>>,
    /// Index of the first digest of each member; `u32::MAX` if there are none.
    places: Vec<u32>,
    digests: Vec<u8>,
    /// Members whose data does not match the archive, sorted.
    faulty: Vec<u32>,
}

impl Verified {
    /// Creates the state before any member was read.
    pub(crate) fn new(archive: Arc<Archive>, wanted: Arc<Vec<Algorithms>>) -> Verified {
        let places = vec![u32::MAX; if wanted.iter().all(|set| set.is_empty()) { 0 } else { archive.len() }];
        Verified { archive, wanted, places, digests: Vec::new(), faulty: Vec::new() }
    }

    /// Records the result of a unit of work.
    pub(crate) fn note(&mut self, worked: &Worked) {
        let mut rest = worked.digests.as_slice();
        for (index, length) in &worked.digested {
            let (own, after) = rest.split_at_checked(*length as usize).unwrap_or((rest, &[]));
            rest = after;
            if let (Some(place), Ok(at)) = (self.places.get_mut(*index as usize), u32::try_from(self.digests.len())) {
                *place = at;
                self.digests.extend_from_slice(own);
            }
        }
        self.faulty.extend(worked.faults.iter().map(|(index, _)| *index));
    }

    /// Ends recording.
    pub(crate) fn settle(&mut self) {
        self.faulty.sort_unstable();
        self.digests.shrink_to_fit();
    }
}

impl PackageMembers for Verified {
    fn find(&self, name: &str) -> FoundMember {
        let Some(index) = self.archive.find(name.as_bytes()) else {
            let folder = alloc::format!("{name}/");
            if self.archive.find(folder.as_bytes()).is_some() || is_folder(&self.archive, &folder) {
                return FoundMember::Directory;
            }
            return FoundMember::Absent(near(&self.archive, name).map(|(index, how)| (self.archive.shown(index), how)));
        };
        match self.archive.get(index) {
            Some(member) if member.what == What::Directory => FoundMember::Directory,
            Some(member) => {
                let whole = self.faulty.binary_search(&index).is_err() && !member.blocked;
                FoundMember::File { index, length: whole.then_some(member.declared) }
            }
            None => FoundMember::Absent(None),
        }
    }

    fn digest(&self, index: u32, algorithm: &Algorithm) -> Option<&[u8]> {
        let set = *self.wanted.get(index as usize)?;
        let place = *self.places.get(index as usize)?;
        digest(set, self.digests.get(place as usize..)?, algorithm)
    }
}

/// Whether there are members in this folder, even if it has no entry of its own.
fn is_folder(archive: &Archive, folder: &str) -> bool {
    let at = archive.by_name.partition_point(|index| archive.name(*index) < folder.as_bytes());
    archive.by_name.get(at).is_some_and(|index| archive.name(*index).starts_with(folder.as_bytes()))
}
