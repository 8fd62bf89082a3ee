//! The input of a merge.

use std::path::Path;

use resourcesync_oai::harvest::Reconciliation;

use super::super::{catalogue::CatalogueState, config::Storage};

/// The input of a merge.
pub(in crate::oai::store) struct Task<'a> {
    pub(in crate::oai::store) folder: &'a Path,
    pub(in crate::oai::store) storage: Storage,
    pub(in crate::oai::store) tombstones: bool,
    /// The length of the confirmed part of the journal.
    pub(in crate::oai::store) journal: u64,
    /// The number of the run.
    pub(in crate::oai::store) run: u64,
    pub(in crate::oai::store) catalogue: Option<CatalogueState>,
    /// How to treat records that are no longer listed.
    pub(in crate::oai::store) reconciled: &'a [Reconciliation],
    /// The number of lists of each format: one, or one for each set.
    pub(in crate::oai::store) lists_of_a_prefix: usize,
}
