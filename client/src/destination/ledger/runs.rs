//! The runs.

use resourcesync_sync::{conclude::Outcome, ledger::Runs, report::Counts};
use rusqlite::params;

use super::Ledger;
use crate::destination::SyncError;

impl Ledger {
    /// Begins a run, with a number greater than this one.
    pub(in crate::destination) fn begin_run(&self, started: &str, after: u64) -> Result<u64, SyncError> {
        let sql = "INSERT INTO run(number, started) SELECT max(coalesce(max(number), 0), ?2) + 1, ?1 FROM run";
        self.db.execute(sql, params![started, after])?;
        Ok(u64::try_from(self.db.last_insert_rowid()).unwrap_or(0))
    }

    /// The number of the last run.
    pub(in crate::destination) fn last_run(&self) -> Result<u64, SyncError> {
        Ok(self.db.query_row("SELECT coalesce(max(number), 0) FROM run", [], |row| row.get(0))?)
    }

    /// The first run whose trash this one reports: itself, or the first of the runs before it that did not end.
    pub(in crate::destination) fn first_unreported(&self, run: u64) -> Result<u64, SyncError> {
        let sql = "SELECT coalesce(min(number), ?1) FROM run
            WHERE number>(SELECT coalesce(max(number), 0) FROM run WHERE ended IS NOT NULL AND number<?1)";
        Ok(self.db.query_row(sql, [run], |row| row.get(0))?)
    }
}

impl Runs for Ledger {
    fn end_run(&mut self, run: u64, ended: &str, outcome: Outcome, counts: &Counts) -> Result<(), SyncError> {
        let counts = serde_json::to_string(counts)?;
        let transaction = self.transaction()?;
        let sql = "UPDATE run SET ended=?2, outcome=?3, counts=?4 WHERE number=?1";
        transaction.execute(sql, params![run, ended, outcome.as_str(), counts])?;
        // Moves that were done for this run are reported now.
        transaction.execute("DELETE FROM moving WHERE done", [])?;
        transaction.commit()?;
        Ok(())
    }
}
