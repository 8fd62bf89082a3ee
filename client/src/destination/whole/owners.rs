//! Which resources the files of a generation are of.

use std::{collections::HashMap, path::Path};

use resourcesync_sync::{
    Places,
    ledger::{Resources, StoredResource},
};

use super::links::Missing;
use crate::destination::{SyncError, binding::Binding, ledger::Ledger, open::state_of};

/// The state of a generation, if it has any.
pub(super) struct Owners(Option<(Ledger, Places)>);

impl Owners {
    /// Opens the state of a generation.
    pub(super) fn of(generation: &Path) -> Result<Owners, SyncError> {
        let Some(ledger) = Ledger::read(&state_of(generation, None))? else { return Ok(Owners(None)) };
        let places = Binding::of(&ledger)?.map(|binding| binding.places());
        Ok(Owners(places.map(|places| (ledger, places))))
    }

    /// Nothing is known of the files.
    pub(super) fn unknown() -> Owners {
        Owners(None)
    }

    /// Passes on each file with its resource. The names of some, such as shortened ones, do not lead back to their URIs: if there are any of these,
    /// or files of others, all resources are read once.
    pub(super) fn each(
        &self,
        files: Vec<Missing>,
        take: &mut dyn FnMut(Missing, Option<StoredResource>) -> Result<(), SyncError>,
    ) -> Result<(), SyncError> {
        let Some((ledger, places)) = &self.0 else {
            return files.into_iter().try_for_each(|file| take(file, None));
        };
        let mut odd = HashMap::new();
        for file in files {
            // No resource has a name that is not text.
            let Some(place) = file.path.to_str().map(str::to_owned) else {
                take(file, None)?;
                continue;
            };
            match ledger.at(&place, places.uri(&place).as_deref())? {
                Some(stored) => take(file, Some(stored))?,
                None => drop(odd.insert(place, file)),
            }
        }
        if !odd.is_empty() {
            ledger.each(&mut |stored, _| {
                let place = if stored.path.is_none() { places.of(&stored.uri) } else { None };
                match place.and_then(|place| odd.remove(&place)) {
                    Some(file) => take(file, Some(stored)),
                    None => Ok(()),
                }
            })?;
        }
        odd.into_values().try_for_each(|file| take(file, None))
    }
}
