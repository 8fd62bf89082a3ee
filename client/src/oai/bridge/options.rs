//! How a store is published.

use std::path::{Path, PathBuf};

use resourcesync_oai::bridge::{Element, Form};

use super::BridgeError;
use crate::{
    folder::{Generations, HARVEST},
    oai::{Storage, StoreOptions},
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

impl BridgeOptions {
    /// How a repository is harvested that is to be published so.
    #[must_use]
    pub fn storage(&self) -> Storage {
        let needs_files = match self.form {
            Form::Files => true,
            Form::Dump => false,
            Form::Pointers => self.publication.dump || self.describes.is_some(),
        };
        if needs_files { Storage::Files } else { Storage::Jsonl }
    }

    /// How harvests change the store: its files are those of the Source, unless that has only packages or pointers.
    #[must_use]
    pub fn store_options(&self, tombstones: bool) -> StoreOptions {
        StoreOptions { tombstones, holds_incomplete: self.form == Form::Files && !self.publish_incomplete }
    }

    /// Rejects options of lists where none are published.
    ///
    /// # Errors
    ///
    /// [`BridgeError::NoLists`], with the option.
    pub fn check(&self) -> Result<(), BridgeError> {
        if self.form != Form::Dump {
            return Ok(());
        }
        let Options { rotate, keep, channels, no_dump, .. } = &self.publication;
        let hubs = channels.as_ref().is_some_and(|channels| !channels.hubs.is_empty());
        let given = [
            (rotate.is_some(), "--rotate"),
            (keep.is_some(), "--keep"),
            (self.snapshot.is_some(), "--snapshot"),
            (*no_dump, "--no-dump"),
            (hubs, "--hub"),
        ];
        match given.iter().find(|(is_given, _)| *is_given) {
            Some((_, option)) => Err(BridgeError::NoLists(option)),
            None => Ok(()),
        }
    }
}

/// The folder next to a published one with the harvest of the repository that is published there.
///
/// # Errors
///
/// If the published folder is something else.
pub fn harvest_folder(out: &Path) -> Result<PathBuf, publish::Error> {
    Ok(Generations::state_folder(out)?.join(HARVEST))
}
