//! Files in the folder of a copy that are not of the copy.

use std::{
    collections::HashSet,
    hash::{BuildHasher, RandomState},
    io,
};

use cap_fs_ext::DirExt;
use cap_std::fs::Dir;
use resourcesync_sync::ledger::Resources;

use super::Work;
use crate::destination::{SyncError, folder::OWN};

/// The places of the copy: those that do not lead back to their URIs, as hashes.
struct Own {
    hasher: RandomState,
    odd: HashSet<u64>,
}

impl Work<'_> {
    /// Counts the files that are not of the copy, except in folders that may not be read.
    pub(super) fn count_foreign(&mut self) -> Result<(), SyncError> {
        let mut own = Own { hasher: RandomState::new(), odd: HashSet::new() };
        let files = self.files();
        self.ledger.each(&mut |stored, _| {
            let place = files.place_of(&stored);
            if stored.path.is_some() || self.places.uri(&place).as_deref() != Some(&*stored.uri) {
                own.odd.insert(own.hasher.hash_one(&place));
            }
            Ok(())
        })?;
        let root = self.root.try_clone()?;
        self.walk(&root, "", &own)
    }

    fn walk(&mut self, folder: &Dir, above: &str, own: &Own) -> Result<(), SyncError> {
        let entries = match folder.entries() {
            // Files of the copy in it are named as not readable.
            Err(error) if is_unreadable(&error) => return Ok(()),
            entries => entries?,
        };
        for entry in entries {
            if self.cancel.is_cancelled() {
                return Ok(());
            }
            let entry = entry?;
            let name = entry.file_name();
            let place = format!("{above}{}", name.to_string_lossy());
            if place == OWN {
                continue;
            }
            if entry.file_type()?.is_dir() {
                match folder.open_dir_nofollow(&name) {
                    Ok(inner) => self.walk(&inner, &format!("{place}/"), own)?,
                    Err(error) if is_unreadable(&error) => {}
                    Err(error) => return Err(error.into()),
                }
                continue;
            }
            let is_plain = match self.places.uri(&place) {
                Some(uri) => self.ledger.find(&uri)?.is_some_and(|stored| stored.path.is_none()),
                None => false,
            };
            if is_plain || own.odd.contains(&own.hasher.hash_one(&place)) {
                continue;
            }
            let compared = &mut self.audit.compared;
            compared.counts.foreign = compared.counts.foreign.saturating_add(1);
            if self.options.names_foreign && compared.foreign.len() < self.options.max_listed {
                compared.foreign.push(place);
            }
        }
        Ok(())
    }
}

/// True if a folder is not there any more, or may not be read.
fn is_unreadable(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied)
}
