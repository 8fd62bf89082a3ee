//! The history: the versions that are kept, and those that are to be.

use resourcesync_sync::{ListedResource, destination::Version, ledger::Versions};
use rusqlite::params;

use super::Ledger;
use crate::destination::SyncError;

impl Versions for Ledger {
    fn note_version(&mut self, version: &ListedResource) -> Result<(), SyncError> {
        let is_kept = self
            .db
            .prepare_cached("SELECT 1 FROM version WHERE memento=?1 AND hash=?2")?
            .exists(params![version.loc, version.hash])?;
        let is_due = "SELECT 1 FROM version_due WHERE memento=?1 AND hash=?2";
        if is_kept || self.db.prepare_cached(is_due)?.exists(params![version.loc, version.hash])? {
            return Ok(());
        }
        self.gather()?;
        let sql = "INSERT INTO version_due(memento, hash, wanted) VALUES(?1, ?2, ?3)";
        let text = serde_json::to_string(version)?;
        self.db.prepare_cached(sql)?.execute(params![version.loc, version.hash, text])?;
        Ok(())
    }

    fn versions_after(&self, after: i64, most: usize) -> Result<Vec<(i64, ListedResource)>, SyncError> {
        let sql = "SELECT seq, wanted FROM version_due WHERE seq>?1 ORDER BY seq LIMIT ?2";
        let mut statement = self.db.prepare_cached(sql)?;
        let mut rows = statement.query(params![after, most as u64])?;
        let mut list = Vec::new();
        while let Some(row) = rows.next()? {
            list.push((row.get(0)?, serde_json::from_str(&row.get::<_, String>(1)?)?));
        }
        Ok(list)
    }

    fn versions_due(&self) -> Result<u64, SyncError> {
        Ok(self.db.query_row("SELECT count(*) FROM version_due", [], |row| row.get(0))?)
    }

    fn forget_version(&mut self, version: &ListedResource) -> Result<(), SyncError> {
        self.gather()?;
        let sql = "DELETE FROM version_due WHERE memento=?1 AND hash=?2";
        self.db.prepare_cached(sql)?.execute(params![version.loc, version.hash])?;
        Ok(())
    }
}

impl Ledger {
    /// Records versions that are durable under these paths.
    pub(in crate::destination) fn keep_versions(
        &mut self,
        kept: &[(Version, String)],
        run: u64,
    ) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        for (Version { resource, state, .. }, path) in kept {
            let ListedResource { uri, loc, hash, lastmod, .. } = resource;
            let sql = "INSERT OR IGNORE INTO version VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
            let values = params![loc, hash, uri, lastmod, path, state.sha256, state.size, run];
            transaction.prepare_cached(sql)?.execute(values)?;
            let due = "DELETE FROM version_due WHERE memento=?1 AND hash=?2";
            transaction.prepare_cached(due)?.execute(params![loc, hash])?;
        }
        transaction.commit()?;
        Ok(())
    }
}
