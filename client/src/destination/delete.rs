//! Moves resources that are no longer listed to the trash of the run, if the guard allows it.

use resourcesync_sync::{
    Local, Wanted,
    guard::{self, Evidence, MaxDelete},
    report::Done,
};

use super::{SyncError, copies::Look, ledger::Entry, options::Phase, run::Run};

/// Deletions recorded per transaction.
const GROUP: usize = 256;

impl Run<'_, '_> {
    /// Deletes the resources that are no longer listed, or reports why not.
    pub(super) fn delete(&mut self, evidence: Evidence) -> Result<(), SyncError> {
        let mut due = Vec::new();
        let mut number: u64 = 0;
        // A number that the user gave is for all deletions of the run.
        let done = self.record.counts.deleted;
        let max_delete = self.options.max_delete.map(|most| match most {
            MaxDelete::Auto => MaxDelete::Auto,
            own => MaxDelete::Number(own.of(self.record.stored_before).saturating_sub(done)),
        });
        let most = max_delete.map(|most| most.of(self.record.stored_before));
        let listed = std::mem::take(&mut self.listed);
        let deleted = std::mem::take(&mut self.marked_deleted);
        let run = self.number;
        let gone = |id: i64, recorded_in: u64| !listed.contains(id) && !deleted.contains(id) && recorded_in != run;
        self.ledger.each(|entry, recorded_in| {
            if gone(entry.id, recorded_in) {
                number = number.saturating_add(1);
                // Above the limit nothing is deleted, so the rest need not be counted.
                if most.is_some_and(|most| number <= most) {
                    due.push(entry);
                }
            }
            Ok(())
        })?;
        let allowed = guard::deletions(number, self.record.stored_before, evidence, max_delete);
        if let Err(why) = allowed {
            self.record.withhold(why, number, most.unwrap_or_default());
            return Ok(());
        }
        self.remove(&due)
    }

    /// Moves resources to the trash.
    pub(super) fn remove(&mut self, due: &[Entry]) -> Result<(), SyncError> {
        let run = self.number;
        if self.options.dry_run {
            self.record.counts.deleted = self.record.counts.deleted.saturating_add(due.len() as u64);
            for entry in due {
                let item = self.delete_item(&entry.uri, Done::Planned);
                self.report(item);
            }
            return Ok(());
        }
        let total = due.len() as u64;
        for group in due.chunks(GROUP) {
            let mut moves = Vec::new();
            for entry in group {
                let place = entry.path.clone().or_else(|| self.places.of(&entry.uri)).unwrap_or_default();
                if self.copies()?.has_store() {
                    moves.push(self.to_trash(&entry.uri, &place, Look::stored(entry.held.size), false));
                } else if let Some(look) = self.copies()?.look(&place)?.filter(|look| look.is_file) {
                    let is_changed = Look::compare(Some(look), entry.held.size, entry.mtime) == Local::Changed;
                    moves.push(self.to_trash(&entry.uri, &place, look, is_changed));
                }
            }
            self.ledger.begin_removing(group, &moves, run)?;
            let changed = moves.iter().filter(|moving| moving.is_changed).count();
            self.record.changed = self.record.changed.saturating_add(changed as u64);
            for moving in &moves {
                if !self.copies()?.remove_stored(&moving.uri, &moving.place)? {
                    self.copies()?.trash(&moving.place, run)?;
                }
            }
            for entry in group {
                self.record.counts.deleted = self.record.counts.deleted.saturating_add(1);
                let item = self.delete_item(&entry.uri, Done::Done);
                self.report(item);
            }
            let is_durable = self.options.durable;
            self.copies()?.sync_folders(is_durable)?;
            self.ledger.moved(&[])?;
            for moving in &moves {
                self.copies()?.prune(&moving.place);
            }
            self.progress(Phase::Deleting, self.record.counts.deleted, Some(total), 0);
        }
        Ok(())
    }

    fn delete_item(&self, uri: &str, result: Done) -> resourcesync_sync::report::Item {
        let wanted = Wanted { uri: uri.to_owned(), loc: uri.to_owned(), ..Wanted::default() };
        let mut item = self.item(&wanted, true, result);
        item.action = resourcesync_sync::report::Doing::Delete;
        item
    }
}
