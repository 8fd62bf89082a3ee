//! What a copy holds, as its ledger records it.

use std::path::Path;

use resourcesync::api::plain::Link;

use super::{CopiedResource, SyncError, binding::Binding, folder::holding, ledger::Ledger, open::state_of};

/// Passes on everything that a copy holds, in the order of the URIs, with its links that are passed on as listed. `state` is where its ledger is, if not in the folder.
///
/// # Errors
///
/// If the folder is no copy, its state cannot be read, or `take` fails.
pub fn inventory(
    folder: &Path,
    state: Option<&Path>,
    take: &mut dyn FnMut(CopiedResource, Vec<Link>) -> Result<(), SyncError>,
) -> Result<(), SyncError> {
    let ledger = Ledger::read(&state_of(folder, state))?.ok_or(SyncError::NotACopy)?;
    let places = Binding::of(&ledger)?.ok_or(SyncError::NotACopy)?.places();
    ledger.each_sorted(&mut |stored, _| {
        let path = stored.path.clone().or_else(|| places.of(&stored.uri)).unwrap_or_default();
        let links = ledger.links(&stored.uri)?;
        take(holding(stored, path), links)
    })
}
