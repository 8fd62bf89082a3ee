//! What a copy holds, as its ledger records it.

use std::path::Path;

use resourcesync::value::{Algorithm, Datetime, Hashes, Parsed, Value};

use super::{
    SyncError,
    fixed::Fixed,
    ledger::{Entry, Ledger},
    open::state_of,
};

/// A stored resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holding {
    /// The resource.
    pub uri: String,
    /// Its file, below the folder of the copy.
    pub path: String,
    /// Bytes of the file.
    pub length: u64,
    /// Digests of the file, SHA-256 among them.
    pub hashes: Hashes,
    /// When the resource was last modified, as listed.
    pub lastmod: Option<Datetime>,
}

/// Passes on everything that a copy holds, in the order of the URIs. `state` is where its ledger is, if not in the folder.
///
/// # Errors
///
/// If the folder is no copy, its state cannot be read, or `take` fails.
pub fn inventory(
    folder: &Path,
    state: Option<&Path>,
    take: &mut dyn FnMut(Holding) -> Result<(), SyncError>,
) -> Result<(), SyncError> {
    let ledger = Ledger::read(&state_of(folder, state))?.ok_or(SyncError::NotACopy)?;
    let places = Fixed::of(&ledger)?.ok_or(SyncError::NotACopy)?.places();
    ledger.each_sorted(|entry, _| {
        let path = entry.path.clone().or_else(|| places.of(&entry.uri)).unwrap_or_default();
        take(holding(entry, path))
    })
}

pub(super) fn holding(Entry { uri, held, .. }: Entry, path: String) -> Holding {
    let stored = Hashes::readable(&format!("sha-256:{}", held.sha256));
    let recorded = held.hashes();
    // Of a resource that was sent in a content coding, what was listed is not that of the file.
    let is_of_the_file = recorded.get(&Algorithm::Sha256) == stored.get(&Algorithm::Sha256);
    let lastmod = held.lastmod.as_deref().map(Datetime::read);
    let lastmod = lastmod.and_then(|read| match read {
        Parsed::Exact(moment) | Parsed::Lenient(moment) => Some(moment),
        Parsed::Malformed => None,
    });
    Holding { uri, path, length: held.size, hashes: if is_of_the_file { recorded } else { stored }, lastmod }
}
