//! Which entries link to which related resources, and which of these are listed themselves.

use resourcesync_sync::{ListedResource, ledger::RelatedResources, related::Related};
use rusqlite::{Connection, params};

use super::Ledger;
use crate::destination::SyncError;

/// Inserts or replaces a link of this run.
const NOTE: &str = "INSERT OR REPLACE INTO relating(uri, entry, document, links, wanted) VALUES(?1, ?2, ?3, 1, ?4)";

impl RelatedResources for Ledger {
    fn note_listed(&mut self, document: u32, uri: &str) -> Result<(), SyncError> {
        self.db.prepare_cached(NOTE)?.execute(params![uri, "", document, None::<String>])?;
        Ok(())
    }

    fn note_related(&mut self, document: u32, entry: &str, related: &ListedResource) -> Result<(), SyncError> {
        let text = serde_json::to_string(related)?;
        self.db.prepare_cached(NOTE)?.execute(params![related.uri, entry, document, text])?;
        Ok(())
    }

    fn note_unlisted(&mut self, uri: &str) -> Result<(), SyncError> {
        for sql in [
            "UPDATE relating SET links=0 WHERE entry=?1 AND entry<>''",
            "UPDATE relating SET links=0 WHERE uri=?1 AND entry=''",
            "INSERT OR REPLACE INTO relating(uri, entry, document, links)
                SELECT uri, entry, 0, 0 FROM related WHERE entry=?1 AND entry<>''",
            "INSERT OR REPLACE INTO relating(uri, entry, document, links)
                SELECT uri, entry, 0, 0 FROM related WHERE uri=?1 AND entry=''",
        ] {
            self.db.prepare_cached(sql)?.execute([uri])?;
        }
        Ok(())
    }

    fn is_known(&self, uri: &str) -> Result<bool, SyncError> {
        let sql = "SELECT 1 FROM relating WHERE uri=?1 UNION ALL SELECT 1 FROM related WHERE uri=?1";
        Ok(self.db.prepare_cached(sql)?.exists([uri])?)
    }

    fn keep_links(&mut self, uri: &str) -> Result<(), SyncError> {
        let sql = "INSERT OR IGNORE INTO related SELECT uri, entry FROM relating WHERE uri=?1 AND links AND entry<>''";
        self.db.prepare_cached(sql)?.execute([uri])?;
        Ok(())
    }

    fn is_related(&self, uri: &str) -> Result<bool, SyncError> {
        let sql = "SELECT 1 FROM relating WHERE uri=?1 AND links AND entry<>''
            UNION ALL SELECT 1 FROM related WHERE uri=?1 AND entry<>'' AND NOT EXISTS(
                SELECT 1 FROM relating WHERE relating.uri=related.uri AND relating.entry=related.entry AND NOT links)";
        Ok(self.db.prepare_cached(sql)?.exists([uri])?)
    }

    fn forget_related(&mut self, document: Option<u32>) -> Result<(), SyncError> {
        self.forget("relating", document)
    }

    fn related_after(
        &self,
        after: i64,
        most: usize,
        compares_lists: bool,
    ) -> Result<Vec<(i64, ListedResource)>, SyncError> {
        let mut statement = self.db.prepare_cached(
            "SELECT seq, wanted FROM relating WHERE seq>?1 AND links AND entry<>''
                AND NOT EXISTS(SELECT 1 FROM relating AS other WHERE other.uri=relating.uri AND other.entry='' AND other.links)
                AND (?3 OR NOT EXISTS(SELECT 1 FROM related WHERE related.uri=relating.uri AND related.entry='')
                    OR EXISTS(SELECT 1 FROM relating AS other WHERE other.uri=relating.uri AND other.entry='' AND NOT other.links))
             ORDER BY seq LIMIT ?2",
        )?;
        let mut rows = statement.query(params![after, most as u64, compares_lists])?;
        let mut list = Vec::new();
        while let Some(row) = rows.next()? {
            list.push((row.get(0)?, serde_json::from_str(&row.get::<_, String>(1)?)?));
        }
        Ok(list)
    }

    fn unrelated_after(&self, after: &str, most: usize, compares_lists: bool) -> Result<Vec<String>, SyncError> {
        let mut statement = self.db.prepare_cached(
            "SELECT DISTINCT uri FROM relating WHERE uri>?1 AND NOT links AND entry<>''
                AND NOT EXISTS(SELECT 1 FROM relating AS other WHERE other.uri=relating.uri AND other.links)
                AND (?3 OR EXISTS(SELECT 1 FROM related WHERE related.uri=relating.uri AND related.entry<>''))
                AND (?3 OR NOT EXISTS(SELECT 1 FROM related WHERE related.uri=relating.uri AND NOT EXISTS(
                    SELECT 1 FROM relating AS other WHERE other.uri=related.uri AND other.entry=related.entry AND NOT other.links)))
             ORDER BY uri LIMIT ?2",
        )?;
        let rows = statement.query_map(params![after, most as u64, compares_lists], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

impl Ledger {
    /// Which related resources the copy has.
    pub(in crate::destination) fn related(&self) -> Result<Related, SyncError> {
        Ok(self.get("related")?.map(|text| serde_json::from_str(&text)).transpose()?.unwrap_or_default())
    }

    /// Records which related resources the copy has from now on.
    pub(in crate::destination) fn put_related(&self, related: &Related) -> Result<(), SyncError> {
        if self.related()? == *related { Ok(()) } else { self.put("related", &serde_json::to_string(related)?) }
    }
}

/// Within a transaction: records what this run noted, in place of what was there before if lists were compared. That a resource is listed need
/// only be known if entries link to it, or if it is not stored.
pub(super) fn settle(db: &Connection, compared_lists: bool) -> Result<(), SyncError> {
    if compared_lists {
        db.execute("DELETE FROM related", [])?;
    }
    db.execute_batch(
        "DELETE FROM related WHERE EXISTS(
            SELECT 1 FROM relating WHERE relating.uri=related.uri AND relating.entry=related.entry AND NOT links);
         INSERT OR IGNORE INTO related SELECT uri, entry FROM relating WHERE links AND entry<>'';
         INSERT OR IGNORE INTO related SELECT uri, '' FROM relating WHERE links AND entry='' AND (
            NOT EXISTS(SELECT 1 FROM resource WHERE resource.uri=relating.uri)
            OR EXISTS(SELECT 1 FROM related WHERE related.uri=relating.uri AND related.entry<>''));
         DELETE FROM related WHERE entry=''
            AND EXISTS(SELECT 1 FROM resource WHERE resource.uri=related.uri)
            AND NOT EXISTS(SELECT 1 FROM related AS other WHERE other.uri=related.uri AND other.entry<>'')",
    )?;
    Ok(())
}
