//! Verified versions to the history, `.resourcesync/history`. Nothing in it is overwritten.
//!
//! A version is recorded once its file is durable under its name. Where a run is killed before that, the next one finds the file there, compares
//! it, and records it.

use std::io;

use resourcesync::value::{Algorithm, key};
use resourcesync_sync::{Destination, Layout, Places, destination::Version, place::aside};

use super::{
    copies::{InTheWay, OWN},
    group::Archiving,
    writing::Folder,
};
use crate::destination::{
    SyncError,
    fetch::{digests, sha256},
    ledger::Ledger,
};

impl Folder {
    /// Adds a verified version to those that are kept together.
    pub(in crate::destination) fn push_version(
        &mut self,
        version: Version,
        ledger: &mut Ledger,
        machine: &mut Destination,
    ) -> Result<(), SyncError> {
        self.archiving.bytes = self.archiving.bytes.saturating_add(version.state.size);
        self.archiving.list.push(version);
        if self.archiving.is_due() { self.keep_versions(ledger, machine) } else { Ok(()) }
    }

    /// Moves the verified versions to the history, and records them.
    pub(super) fn keep_versions(&mut self, ledger: &mut Ledger, machine: &mut Destination) -> Result<(), SyncError> {
        let Archiving { list, .. } = std::mem::take(&mut self.archiving);
        if list.is_empty() {
            return Ok(());
        }
        let staging = self.copies()?.staging();
        if self.options.is_durable {
            staging.sync(list.iter().map(|version| version.number))?;
        }
        let mut kept = Vec::new();
        for version in list {
            let path = self.keep_version(&version)?;
            // It is still in staging if it has no name, or a file with its bytes had it already.
            staging.discard(version.number);
            match path {
                Some(path) => kept.push((version, path)),
                None => machine.version_in_the_way(&version.resource),
            }
        }
        self.sync_folders()?;
        ledger.keep_versions(&kept, self.options.run)?;
        for (version, path) in kept {
            machine.version_kept(&version.resource, path, version.from);
        }
        Ok(())
    }

    /// Gives a version its name; `None` if files with other bytes have all names that it may have.
    fn keep_version(&mut self, version: &Version) -> Result<Option<String>, SyncError> {
        for path in self.names_of(version) {
            match self.copies()?.place_new(version.number, &path) {
                Ok(true) => return Ok(Some(path)),
                Ok(false) => {
                    let there =
                        self.copies()?.read_own(&path).and_then(|mut file| digests(&mut file, [Algorithm::Sha256]));
                    if there.is_ok_and(|there| sha256(&there) == version.state.sha256) {
                        return Ok(Some(path));
                    }
                }
                Err(InTheWay::NoFolder(_)) => {}
                Err(InTheWay::Io(error)) if error.kind() == io::ErrorKind::IsADirectory => {}
                Err(problem) => return Err(problem.into()),
            }
        }
        Ok(None)
    }

    /// The names that a version may have: that of its memento, and one that is of these digests alone.
    fn names_of(&self, version: &Version) -> Vec<String> {
        let memento = key(&version.resource.loc);
        let digests = version.resource.hash.clone().unwrap_or_default();
        let own = self.places.of(&memento);
        let other =
            Places::new(Layout::Hash, &memento).of(&memento).map(|place| aside(&format!("^other/{place}"), &digests));
        own.into_iter().chain(other).map(|place| format!("{OWN}/history/{place}")).collect()
    }
}
