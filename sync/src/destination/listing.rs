//! The documents up to the Resource Lists, as they are read.

use alloc::vec::Vec;

use crate::{listed_resource::ListedResource, survey::Survey};

/// The documents up to the Resource Lists, as they are read.
#[derive(Debug)]
pub(super) struct Listing {
    pub(super) survey: Survey,
    /// Entries about which nothing was decided yet, with the numbers of their documents.
    pub(super) waiting: Vec<(u32, ListedResource)>,
    /// The number of entries that were read.
    pub(super) entries: u64,
    /// The Source has several sets.
    pub(super) has_sets: bool,
}

impl Listing {
    pub(super) fn new(survey: Survey) -> Listing {
        Listing { survey, waiting: Vec::new(), entries: 0, has_sets: false }
    }
}
