//! What this run has to do, and what the sets list.

use resourcesync_sync::{
    Action, ListedResource,
    ledger::{Plan, Planned},
};
use rusqlite::{OptionalExtension as _, Row, params};

use super::Ledger;
use crate::destination::SyncError;

impl Plan for Ledger {
    fn plan(&mut self, document: u32, action: Action, resource: &ListedResource) -> Result<(), SyncError> {
        let sql = "INSERT OR REPLACE INTO todo(uri, document, action, length, wanted) VALUES(?1, ?2, ?3, ?4, ?5)";
        let values =
            params![resource.uri, document, action.as_str(), resource.length, serde_json::to_string(resource)?];
        self.db.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }

    fn unplan(&mut self, uri: &str) -> Result<Option<ListedResource>, SyncError> {
        let mut statement = self.db.prepare_cached("DELETE FROM todo WHERE uri=?1 RETURNING wanted")?;
        let planned: Option<String> = statement.query_row([uri], |row| row.get(0)).optional()?;
        Ok(planned.map(|planned| serde_json::from_str(&planned)).transpose()?)
    }

    fn planned_of(&self, uri: &str) -> Result<Option<Planned>, SyncError> {
        let mut statement = self.db.prepare_cached("SELECT seq, action, wanted FROM todo WHERE uri=?1")?;
        let mut rows = statement.query([uri])?;
        rows.next()?.map(planned).transpose()
    }

    fn forget_plan(&mut self, document: Option<u32>) -> Result<(), SyncError> {
        self.forget("todo", document)
    }

    fn planned(&self) -> Result<(u64, u64), SyncError> {
        let sql = "SELECT count(*), coalesce(sum(length), 0) FROM todo";
        Ok(self.db.query_row(sql, [], |row| Ok((row.get(0)?, row.get::<_, f64>(1)? as u64)))?)
    }

    fn planned_after(&self, after: i64, most: usize) -> Result<Vec<Planned>, SyncError> {
        let mut statement =
            self.db.prepare_cached("SELECT seq, action, wanted FROM todo WHERE seq>?1 ORDER BY seq LIMIT ?2")?;
        let mut rows = statement.query(params![after, most as u64])?;
        let mut list = Vec::new();
        while let Some(row) = rows.next()? {
            list.push(planned(row)?);
        }
        Ok(list)
    }

    fn note_listing(&mut self, document: u32, set: &str, uri: &str) -> Result<(), SyncError> {
        let sql = "INSERT OR IGNORE INTO owning VALUES(?1, ?2, ?3, 1)";
        self.db.prepare_cached(sql)?.execute(params![uri, set, document])?;
        Ok(())
    }

    fn is_shared(&self, uri: &str) -> Result<bool, SyncError> {
        let mut statement = self.db.prepare_cached("SELECT count(*)>1 FROM owning WHERE uri=?1 AND owns")?;
        Ok(statement.query_row([uri], |row| row.get(0))?)
    }

    fn forget_listings(&mut self, document: Option<u32>) -> Result<(), SyncError> {
        self.forget("owning", document)
    }
}

/// A row of the plan.
fn planned(row: &Row<'_>) -> Result<Planned, SyncError> {
    let resource = serde_json::from_str(&row.get::<_, String>(2)?)?;
    let action = row.get_ref(1)?.as_str().ok().and_then(Action::find);
    let action = action.ok_or_else(|| SyncError::State("the plan names an unknown action".to_owned()))?;
    Ok(Planned { sequence: row.get(0)?, action, resource })
}
