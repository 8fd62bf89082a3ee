//! Moves resources that are deleted to the trash of the run.

use resourcesync_sync::{Destination, Local, ledger::StoredResource};

use super::{look::Look, store::StoredBytes, writing::Folder};
use crate::destination::{SyncError, ledger::Ledger};

/// Deletions recorded per transaction.
pub(in crate::destination) const GROUP: usize = 256;

impl Folder {
    /// Moves a group of resources to the trash.
    pub(in crate::destination) fn remove(
        &mut self,
        group: &[StoredResource],
        ledger: &mut Ledger,
        machine: &mut Destination,
    ) -> Result<(), SyncError> {
        let run = self.options.run;
        let mut moves = Vec::new();
        for stored in group {
            let place = self.place_of(stored);
            if self.copies()?.has_store() {
                moves.push(self.to_trash(
                    &stored.uri,
                    &place,
                    Look::stored(StoredBytes { length: stored.state.size, version: None }),
                    false,
                ));
            } else if let Some(look) = self.copies()?.look(&place)?.filter(|look| look.is_file) {
                let is_changed = Look::compare(Some(look), stored.state.size, stored.mtime) == Local::Changed;
                moves.push(self.to_trash(&stored.uri, &place, look, is_changed));
            }
        }
        ledger.begin_removing(group, &moves, run)?;
        // From now on they are not held any more, whatever becomes of their bytes.
        group.iter().for_each(|stored| machine.removed(stored));
        machine.found_changed(moves.iter().filter(|moving| moving.is_changed).count());
        for moving in &moves {
            if !self.copies()?.remove_stored(&moving.uri, &moving.place, run)? {
                self.copies()?.trash(&moving.place, run)?;
            }
        }
        self.sync_folders()?;
        ledger.moved(&[])?;
        for moving in &moves {
            self.copies()?.prune(&moving.place);
        }
        Ok(())
    }
}
