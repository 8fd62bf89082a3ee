//! The changes that a program has not acknowledged yet.
//!
//! Once they are recorded, triggers write a row for each resource in the transaction that records the resource as stored or deleted, when its
//! file is durable. A row is the newest state of its resource: a later change replaces it, under a new number.

use resourcesync::value::Change;
use resourcesync_sync::ledger::StoredResource;
use rusqlite::params;

use super::{Ledger, schema, stored};
use crate::destination::SyncError;

/// A row: what changed, and the resource as it is stored, or was.
#[derive(Debug)]
pub(in crate::destination) struct Pending {
    pub(in crate::destination) sequence: i64,
    pub(in crate::destination) change: Change,
    /// When it was deleted, as listed.
    pub(in crate::destination) moment: Option<String>,
    pub(in crate::destination) stored: StoredResource,
}

impl Ledger {
    /// True if changes are recorded for a program.
    pub(in crate::destination) fn records_changes(&self) -> Result<bool, SyncError> {
        let mut statement = self.db.prepare_cached("SELECT 1 FROM sqlite_schema WHERE name='pending'")?;
        Ok(statement.exists([])?)
    }

    /// Records changes from now on. All resources that are stored already are pending.
    pub(in crate::destination) fn record_changes(&mut self) -> Result<(), SyncError> {
        if self.records_changes()? {
            return Ok(());
        }
        let transaction = self.transaction()?;
        transaction.execute_batch(schema::PENDING)?;
        transaction.commit()?;
        Ok(())
    }

    /// The pending changes after this one.
    pub(in crate::destination) fn pending(&self, after: i64, most: usize) -> Result<Vec<Pending>, SyncError> {
        let mut statement = self.db.prepare_cached(
            "SELECT coalesce(resource.id, 0), pending.uri, iif(resource.id IS NULL, pending.path, resource.path),
                coalesce(resource.hash, pending.hash), coalesce(resource.length, pending.length),
                coalesce(resource.lastmod, pending.lastmod), resource.etag, resource.modified,
                coalesce(resource.sha256, pending.sha256, ''), coalesce(resource.size, pending.size, 0),
                coalesce(resource.mtime, 0), seq, known, moment
             FROM pending LEFT JOIN resource ON resource.uri=pending.uri WHERE seq>?1 ORDER BY seq LIMIT ?2",
        )?;
        let rows = statement.query_map(params![after, most as u64], |row| {
            let (stored, is_known): (StoredResource, bool) = (stored(row)?, row.get(12)?);
            let change = match (stored.id, is_known) {
                (0, _) => Change::Deleted,
                (_, false) => Change::Created,
                (_, true) => Change::Updated,
            };
            Ok(Pending { sequence: row.get(11)?, change, moment: row.get(13)?, stored })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The number of pending changes.
    pub(in crate::destination) fn pending_count(&self) -> Result<u64, SyncError> {
        Ok(self.db.query_row("SELECT count(*) FROM pending", [], |row| row.get(0))?)
    }

    /// Removes acknowledged changes, in one transaction. A file that comes with one is not needed any more.
    pub(in crate::destination) fn acknowledge(&mut self, changes: &[(i64, Option<&str>)]) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        for (sequence, file) in changes {
            let removed = transaction.prepare_cached("DELETE FROM pending WHERE seq=?1")?.execute([sequence])?;
            if let Some(path) = file.filter(|_| removed > 0) {
                transaction.prepare_cached("INSERT OR IGNORE INTO finished VALUES(?1)")?.execute([path])?;
            }
        }
        transaction.commit()?;
        Ok(())
    }

    /// The files that are not needed any more.
    pub(in crate::destination) fn finished(&self) -> Result<Vec<String>, SyncError> {
        if !self.records_changes()? {
            return Ok(Vec::new());
        }
        let mut statement = self.db.prepare_cached("SELECT path FROM finished")?;
        let paths = statement.query_map([], |row| row.get(0))?;
        Ok(paths.collect::<Result<_, _>>()?)
    }

    /// Records that these files are removed.
    pub(in crate::destination) fn forget_finished(&self) -> Result<(), SyncError> {
        Ok(self.db.execute_batch("DELETE FROM finished")?)
    }
}
