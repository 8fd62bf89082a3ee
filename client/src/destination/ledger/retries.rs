//! The resources that could not be stored as listed; the next run tries them again.

use resourcesync_sync::{ListedResource, ledger::Retries, report::ItemCode};
use rusqlite::params;

use super::Ledger;
use crate::destination::SyncError;

impl Retries for Ledger {
    fn retry_later(&mut self, resource: &ListedResource, code: ItemCode, run: u64) -> Result<(), SyncError> {
        self.gather()?;
        let sql = "INSERT OR REPLACE INTO debt(uri, wanted, code, run) VALUES(?1, ?2, ?3, ?4)";
        let values = params![resource.uri, serde_json::to_string(resource)?, code.as_str(), run];
        self.db.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }

    fn retries(&self) -> Result<Vec<ListedResource>, SyncError> {
        let mut statement = self.db.prepare("SELECT wanted FROM debt ORDER BY uri")?;
        let mut rows = statement.query([])?;
        let mut list = Vec::new();
        while let Some(row) = rows.next()? {
            list.push(serde_json::from_str(&row.get::<_, String>(0)?)?);
        }
        Ok(list)
    }

    fn renew_retry(&mut self, resource: &ListedResource) -> Result<(), SyncError> {
        self.gather()?;
        let sql = "UPDATE debt SET wanted=?2 WHERE uri=?1";
        self.db.prepare_cached(sql)?.execute(params![resource.uri, serde_json::to_string(resource)?])?;
        Ok(())
    }

    fn forget_retry(&mut self, uri: &str) -> Result<(), SyncError> {
        self.gather()?;
        self.db.prepare_cached("DELETE FROM debt WHERE uri=?1")?.execute([uri])?;
        Ok(())
    }
}
