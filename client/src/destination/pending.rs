//! The changes that a program has not acknowledged yet, in the ledger.
//!
//! Once they are recorded, triggers write a row for each resource in the transaction that records the resource as stored or deleted, when its
//! file is durable. A row is the newest state of its resource: a later change replaces it, under a new number.

use resourcesync::value::Change;
use rusqlite::params;

use super::{
    SyncError,
    copies::Copies,
    ledger::{Entry, Ledger, entry},
    store::Keep,
};

/// `finished` has files that are only kept until their changes are acknowledged.
///
/// `known` is true if an earlier state of the resource was acknowledged. The rest describes a deleted resource; what others are is in
/// `resource`. Numbers are never used twice, so a late acknowledgement cannot remove a later change.
const TABLES: &str = "
    CREATE TABLE pending(
        seq INTEGER PRIMARY KEY AUTOINCREMENT, uri TEXT NOT NULL, known INTEGER NOT NULL, path TEXT, moment TEXT, hash TEXT,
        length INTEGER, lastmod TEXT, sha256 TEXT, size INTEGER);
    CREATE TABLE finished(path TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE INDEX pending_uri ON pending(uri);
    INSERT INTO pending(uri, known) SELECT uri, 0 FROM resource ORDER BY id;
    CREATE TRIGGER pending_created AFTER INSERT ON resource BEGIN
        INSERT INTO pending(uri, known) VALUES(new.uri, coalesce((SELECT known FROM pending WHERE uri=new.uri), 0));
        DELETE FROM pending WHERE uri=new.uri AND seq<(SELECT max(seq) FROM pending);
    END;
    CREATE TRIGGER pending_updated AFTER UPDATE OF sha256, path ON resource
        WHEN new.sha256<>old.sha256 OR new.path IS NOT old.path BEGIN
        INSERT INTO pending(uri, known) VALUES(new.uri, coalesce((SELECT known FROM pending WHERE uri=new.uri), 1));
        DELETE FROM pending WHERE uri=new.uri AND seq<(SELECT max(seq) FROM pending);
    END;
    CREATE TRIGGER pending_deleted AFTER DELETE ON resource BEGIN
        INSERT INTO pending(uri, known, path, moment, hash, length, lastmod, sha256, size) VALUES(old.uri,
            coalesce((SELECT known FROM pending WHERE uri=old.uri), 1), old.path, (SELECT moment FROM gone WHERE uri=old.uri),
            old.hash, old.length, old.lastmod, old.sha256, old.size);
        DELETE FROM pending WHERE uri=old.uri AND seq<(SELECT max(seq) FROM pending);
    END;
";

/// A row: what changed, and the resource as it is stored, or was.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) sequence: i64,
    pub(super) change: Change,
    /// When it was deleted, as listed.
    pub(super) moment: Option<String>,
    pub(super) entry: Entry,
}

impl Ledger {
    /// True if changes are recorded for a program.
    pub(super) fn records_changes(&self) -> Result<bool, SyncError> {
        let mut statement = self.db().prepare_cached("SELECT 1 FROM sqlite_schema WHERE name='pending'")?;
        Ok(statement.exists([])?)
    }

    /// Records changes from now on. All resources that are stored already are pending.
    pub(super) fn record_changes(&mut self) -> Result<(), SyncError> {
        if self.records_changes()? {
            return Ok(());
        }
        let transaction = self.transaction()?;
        transaction.execute_batch(TABLES)?;
        transaction.commit()?;
        Ok(())
    }

    /// The pending changes after this one.
    pub(super) fn pending(&self, after: i64, most: usize) -> Result<Vec<Pending>, SyncError> {
        let mut statement = self.db().prepare_cached(
            "SELECT coalesce(resource.id, 0), pending.uri, iif(resource.id IS NULL, pending.path, resource.path),
                coalesce(resource.hash, pending.hash), coalesce(resource.length, pending.length),
                coalesce(resource.lastmod, pending.lastmod), resource.etag, resource.modified,
                coalesce(resource.sha256, pending.sha256, ''), coalesce(resource.size, pending.size, 0),
                coalesce(resource.mtime, 0), seq, known, moment
             FROM pending LEFT JOIN resource ON resource.uri=pending.uri WHERE seq>?1 ORDER BY seq LIMIT ?2",
        )?;
        let rows = statement.query_map(params![after, most as u64], |row| {
            let (entry, is_known): (Entry, bool) = (entry(row)?, row.get(12)?);
            let change = match (entry.id, is_known) {
                (0, _) => Change::Deleted,
                (_, false) => Change::Created,
                (_, true) => Change::Updated,
            };
            Ok(Pending { sequence: row.get(11)?, change, moment: row.get(13)?, entry })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The number of pending changes.
    pub(super) fn pending_count(&self) -> Result<u64, SyncError> {
        Ok(self.db().query_row("SELECT count(*) FROM pending", [], |row| row.get(0))?)
    }

    /// True if there is no pending change of a resource.
    pub(super) fn is_acknowledged(&self, uri: &str) -> Result<bool, SyncError> {
        if !self.records_changes()? {
            return Ok(false);
        }
        let mut statement = self.db().prepare_cached("SELECT 1 FROM pending WHERE uri=?1")?;
        Ok(!statement.exists([uri])?)
    }

    /// Removes acknowledged changes, in one transaction. A file that comes with one is not needed any more.
    pub(super) fn acknowledge(&mut self, changes: &[(i64, Option<&str>)]) -> Result<(), SyncError> {
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

    /// Removes the files that are not needed any more.
    pub(super) fn remove_finished(&self, copies: &mut Copies) -> Result<(), SyncError> {
        if !matches!(copies.keep(), Keep::UntilDone) || !self.records_changes()? {
            return Ok(());
        }
        let mut statement = self.db().prepare_cached("SELECT path FROM finished")?;
        let paths: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        if paths.is_empty() {
            return Ok(());
        }
        for path in &paths {
            copies.discard(path)?;
        }
        self.db().execute_batch("DELETE FROM finished")?;
        Ok(())
    }
}
