//! The folder in a run.

use std::{collections::HashMap, fs, io};

use resourcesync_sync::{
    ListedResource, Local, Places,
    decide::has_bytes_of,
    destination::{self, Occupant},
    ledger::{Resources, StoredResource},
};

use super::{
    copies::Copies,
    files::Files,
    group::{Archiving, Group},
    look::Look,
    staging::Part,
};
use crate::destination::{
    SyncError,
    ledger::{Ledger, Move},
};

/// How files are placed.
#[derive(Debug, Clone, Copy)]
pub(in crate::destination) struct PlacingOptions {
    /// The number of the run.
    pub(in crate::destination) run: u64,
    /// Replace foreign files, which are moved to the trash.
    pub(in crate::destination) overwrites: bool,
    /// Make files durable before they replace others.
    pub(in crate::destination) is_durable: bool,
}

/// The folder of a copy in one run.
pub(in crate::destination) struct Folder {
    pub(super) files: Files,
    pub(super) places: Places,
    pub(super) options: PlacingOptions,
    pub(super) group: Group,
    pub(super) archiving: Archiving,
    /// What earlier runs received of resources, by URI.
    pub(super) parts: HashMap<String, Part>,
}

impl Folder {
    pub(in crate::destination) fn new(files: Files, places: Places, options: PlacingOptions) -> Folder {
        Folder {
            files,
            places,
            options,
            group: Group::default(),
            archiving: Archiving::default(),
            parts: HashMap::new(),
        }
    }

    /// The files, for another use.
    pub(in crate::destination) fn into_files(self) -> Files {
        self.files
    }

    /// The folder, if it is open for writing.
    pub(in crate::destination) fn copies(&mut self) -> Result<&mut Copies, SyncError> {
        self.files.own()
    }

    /// Fails if there is no room for so many bytes, and some for the file system.
    pub(in crate::destination) fn check_room(&self, bytes: u64) -> Result<(), SyncError> {
        let Files::Own(copies) = &self.files else { return Ok(()) };
        let needed = bytes.saturating_add(bytes / 20);
        match copies.room() {
            Some(room) if room < needed => Err(SyncError::Io(io::ErrorKind::StorageFull.into())),
            _ => Ok(()),
        }
    }

    /// The file at a place, if it can be read, and what is recorded of its time.
    pub(in crate::destination) fn found(&mut self, place: &str) -> Option<(fs::File, i64)> {
        // Looked at before it is read: what replaces it meanwhile has another time.
        let look = self.copies().ok()?.look(place).ok()??;
        Some((self.read(place)?, look.mtime))
    }

    /// The file at a place, if it can be read.
    pub(in crate::destination) fn read(&mut self, place: &str) -> Option<fs::File> {
        self.copies().ok()?.read(place).ok()
    }

    /// What an earlier run received of a resource.
    pub(in crate::destination) fn take_part(&mut self, loc: &str) -> Option<Part> {
        self.parts.remove(loc)
    }

    /// Removes what earlier runs received of resources that nothing lists any more.
    pub(in crate::destination) fn discard_parts(&mut self) -> Result<(), SyncError> {
        let staging = self.copies()?.staging();
        self.parts.drain().for_each(|(_, part)| staging.discard(part.number));
        Ok(())
    }

    /// The file of another resource that has the listed digests, as after a resource was renamed.
    pub(in crate::destination) fn same_bytes(
        &mut self,
        resource: &ListedResource,
        ledger: &Ledger,
    ) -> Result<Option<fs::File>, SyncError> {
        if self.places.of(&resource.uri).is_none() || self.copies()?.has_store() {
            return Ok(None);
        }
        for stored in ledger.alike(resource)? {
            let place = self.place_of(&stored);
            let look = self.copies()?.look(&place)?;
            let is_intact = Look::compare(look, stored.state.size, stored.mtime) == Local::Intact;
            if is_intact
                && has_bytes_of(resource, &stored.state)
                && let Ok(file) = self.copies()?.read(&place)
            {
                return Ok(Some(file));
            }
        }
        Ok(None)
    }

    pub(super) fn place_of(&self, stored: &StoredResource) -> String {
        stored.path.clone().or_else(|| self.places.of(&stored.uri)).unwrap_or_default()
    }

    /// Makes all renames durable.
    pub(super) fn sync_folders(&mut self) -> Result<(), SyncError> {
        let is_durable = self.options.is_durable;
        Ok(self.copies()?.sync_folders(is_durable)?)
    }

    /// The path of a file of ours that the file system takes for this one, although it is of another resource.
    pub(super) fn other_at(&mut self, place: &str, ledger: &Ledger) -> Result<Option<String>, SyncError> {
        if !self.copies()?.folds() {
            return Ok(None);
        }
        let Some(actual) = self.copies()?.actual(place)?.filter(|actual| actual != place) else { return Ok(None) };
        let Some(uri) = self.places.uri(&actual) else { return Ok(None) };
        let is_ours = ledger.find(&uri)?.is_some_and(|owner| owner.path.is_none()) || self.group.has_just_placed(&uri);
        Ok(is_ours.then_some(actual))
    }

    /// The move of a file to the trash of this run.
    pub(super) fn to_trash(&self, uri: &str, place: &str, look: Look, is_changed: bool) -> Move {
        let (uri, place, run) = (uri.to_owned(), place.to_owned(), self.options.run);
        Move { uri, place, target: None, size: look.size, mtime: look.mtime, is_changed, is_done: false, run }
    }
}

impl destination::Files<Ledger> for Folder {
    fn compare(&mut self, place: &str, stored: &StoredResource) -> Result<Local, SyncError> {
        Ok(Look::compare(self.files.look(place)?, stored.state.size, stored.mtime))
    }

    fn look(&mut self, place: &str, ledger: &Ledger) -> Result<Occupant, SyncError> {
        // A file of another resource here is evaded when this one is placed.
        match self.copies()?.look(place)? {
            None => Ok(Occupant::Nothing),
            Some(look) if look.is_file && self.other_at(place, ledger)?.is_none() => Ok(Occupant::Foreign),
            Some(_) => Ok(Occupant::Evaded),
        }
    }
}
