//! Resources that were changed by notifications, and that no Change List has yet.

use resourcesync_sync::{Change, ledger::Unconfirmed};
use rusqlite::params;

use super::{Ledger, schema};
use crate::destination::SyncError;

impl Unconfirmed for Ledger {
    fn unconfirmed(&self) -> Result<(u64, u64), SyncError> {
        if !self.has_unconfirmed()? {
            return Ok((0, 0));
        }
        let sql = "SELECT count(*), coalesce(sum(deleted), 0) FROM unconfirmed";
        Ok(self.db.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?)
    }

    fn note_unconfirmed(&mut self, changes: &[&Change], run: u64, now: i64) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        transaction.execute_batch(schema::UNCONFIRMED)?;
        {
            let mut insert = transaction.prepare_cached(
                "INSERT INTO unconfirmed VALUES(?1, ?2, ?3, ?4, ?5)
                    ON CONFLICT(uri) DO UPDATE SET moment=excluded.moment, deleted=excluded.deleted",
            )?;
            for change in changes {
                let Some((resource, moment)) = change.resource.as_ref().zip(change.nanoseconds()) else { continue };
                insert.execute(params![resource.uri, moment, change.is_deleted, now, run])?;
            }
        }
        transaction.commit()?;
        Ok(())
    }

    fn forget_failed(&mut self, run: u64) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        transaction.execute("DELETE FROM unconfirmed WHERE run=?1 AND uri IN (SELECT uri FROM debt)", [run])?;
        transaction.execute("DELETE FROM debt", [])?;
        transaction.commit()?;
        Ok(())
    }

    fn lacks_unconfirmed(&self, moment: Option<i64>, applied: i64) -> Result<bool, SyncError> {
        let sql = "SELECT EXISTS(SELECT 1 FROM unconfirmed
            WHERE uri NOT IN (SELECT uri FROM last) AND (moment<=?1 OR since<=?2))";
        Ok(self.db.query_row(sql, params![moment, applied], |row| row.get(0))?)
    }

    fn confirm(&mut self) -> Result<(), SyncError> {
        self.db.execute("DELETE FROM unconfirmed WHERE uri IN (SELECT uri FROM last)", [])?;
        Ok(())
    }
}

impl Ledger {
    fn has_unconfirmed(&self) -> Result<bool, SyncError> {
        let mut statement = self.db.prepare_cached("SELECT 1 FROM sqlite_schema WHERE name='unconfirmed'")?;
        Ok(statement.exists([])?)
    }
}
