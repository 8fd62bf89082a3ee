//! How a store is published.

use std::path::{Path, PathBuf};

use resourcesync_oai::bridge::{Element, Form};

use crate::{
    folder::{Generations, HARVEST},
    publish::{self, Options, Snapshot},
};

/// How a store is published.
#[derive(Debug, Clone)]
pub struct BridgeOptions {
    /// What the Source offers.
    pub form: Form,
    /// True to link the sets of records.
    pub collections: bool,
    /// The element with the URIs of what a record describes.
    pub describes: Option<Element>,
    /// Publishes what there is although the last harvest is not complete.
    pub publish_incomplete: bool,
    /// When the Resource Lists are written after changes; by default always for a Source of one list, and as in any publication of changes
    /// for a larger one.
    pub snapshot: Option<Snapshot>,
    /// The publication; the origin of resources does not count.
    pub publication: Options,
}

/// The folder next to a published one with the harvest of the repository that is published there.
///
/// # Errors
///
/// If the published folder is something else.
pub fn harvest_folder(out: &Path) -> Result<PathBuf, publish::Error> {
    Ok(Generations::state_folder(out)?.join(HARVEST))
}
