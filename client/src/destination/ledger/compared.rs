//! What an audit finds: entries that differ from what is stored, and files that are not as they were.

use resourcesync::diagnostic::Reason;
use resourcesync_sync::{
    ListedResource,
    audit::{Relation, Sign},
    ledger::StoredResource,
};
use rusqlite::{OptionalExtension, params};

use super::{Ledger, schema, stored};
use crate::destination::SyncError;

impl Ledger {
    /// Begins to compare the lists of a Source.
    pub(in crate::destination) fn begin_listing(&self) -> Result<(), SyncError> {
        Ok(self.db.execute_batch(schema::LISTED)?)
    }

    /// Records an entry that differs from what is stored, or has to be looked at; `stored` is the number of its resource.
    pub(in crate::destination) fn list(
        &self,
        document: u32,
        resource: &ListedResource,
        stored: Option<i64>,
        relation: Relation,
    ) -> Result<(), SyncError> {
        let sql = "INSERT OR REPLACE INTO listed(uri, document, id, relation, wanted) VALUES(?1, ?2, ?3, ?4, ?5)";
        let (relation, text) = (serde_json::to_string(&relation)?, serde_json::to_string(resource)?);
        self.db.prepare_cached(sql)?.execute(params![resource.uri, document, stored, relation, text])?;
        Ok(())
    }

    /// Removes the entry of a resource.
    pub(in crate::destination) fn unlist(&self, uri: &str) -> Result<(), SyncError> {
        self.db.prepare_cached("DELETE FROM listed WHERE uri=?1")?.execute([uri])?;
        Ok(())
    }

    /// Removes the entries of a document, or all.
    pub(in crate::destination) fn unlist_document(&self, document: Option<u32>) -> Result<(), SyncError> {
        self.forget("listed", document)
    }

    /// The entry of a resource that differs, or has to be looked at.
    pub(in crate::destination) fn listed(&self, uri: &str) -> Result<Option<(Relation, ListedResource)>, SyncError> {
        let mut statement = self.db.prepare_cached("SELECT relation, wanted FROM listed WHERE uri=?1")?;
        let found = statement.query_row([uri], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        let Some((relation, resource)): Option<(String, String)> = found else { return Ok(None) };
        Ok(Some((serde_json::from_str(&relation)?, serde_json::from_str(&resource)?)))
    }

    /// The listed resources that are not stored, in the order of their URIs.
    pub(in crate::destination) fn each_unstored(
        &self,
        take: &mut dyn FnMut(Relation, ListedResource),
    ) -> Result<(), SyncError> {
        let mut statement = self.db.prepare("SELECT relation, wanted FROM listed WHERE id IS NULL ORDER BY uri")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let relation = serde_json::from_str(&row.get::<_, String>(0)?)?;
            take(relation, serde_json::from_str(&row.get::<_, String>(1)?)?);
        }
        Ok(())
    }

    /// Entries of stored resources with this relation, after this URI.
    pub(in crate::destination) fn listed_with(
        &self,
        relation: Relation,
        after: &str,
        most: usize,
    ) -> Result<Vec<ListedResource>, SyncError> {
        let sql = "SELECT wanted FROM listed WHERE uri>?1 AND relation=?2 AND id IS NOT NULL ORDER BY uri LIMIT ?3";
        let mut statement = self.db.prepare_cached(sql)?;
        let mut rows = statement.query(params![after, serde_json::to_string(&relation)?, most as u64])?;
        let mut list = Vec::new();
        while let Some(row) = rows.next()? {
            list.push(serde_json::from_str(&row.get::<_, String>(0)?)?);
        }
        Ok(list)
    }

    /// Records how a resource compares.
    pub(in crate::destination) fn set_relation(&self, uri: &str, relation: Relation) -> Result<(), SyncError> {
        let mut statement = self.db.prepare_cached("UPDATE listed SET relation=?2 WHERE uri=?1")?;
        statement.execute(params![uri, serde_json::to_string(&relation)?])?;
        Ok(())
    }

    /// Records an original that an entry names; what was compared with the same one counts.
    pub(in crate::destination) fn note_original(&self, document: u32, uri: &str, via: &str) -> Result<(), SyncError> {
        let sql = "INSERT INTO original(uri, document, via) VALUES(?1, ?2, ?3)
            ON CONFLICT(uri, via) DO UPDATE SET document=?2";
        self.db.prepare_cached(sql)?.execute(params![uri, document, via])?;
        Ok(())
    }

    /// Forgets the originals that a document names, or all.
    pub(in crate::destination) fn forget_originals(&self, document: Option<u32>) -> Result<(), SyncError> {
        self.forget("original", document)
    }

    /// Resources and their originals that were not compared yet, after this one.
    pub(in crate::destination) fn originals_after(
        &self,
        (uri, via): (&str, &str),
        most: usize,
    ) -> Result<Vec<(String, String)>, SyncError> {
        let sql = "SELECT uri, via FROM original WHERE (uri, via)>(?1, ?2) AND sign IS NULL ORDER BY uri, via LIMIT ?3";
        let mut statement = self.db.prepare_cached(sql)?;
        let rows = statement.query_map(params![uri, via, most as u64], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Records how a resource compares with an original.
    pub(in crate::destination) fn set_original(
        &self,
        (uri, via): (&str, &str),
        sign: Sign,
        cause: Option<&Reason>,
    ) -> Result<(), SyncError> {
        let cause = cause.map(serde_json::to_string).transpose()?;
        let sql = "UPDATE original SET sign=?3, cause=?4 WHERE uri=?1 AND via=?2";
        self.db.prepare_cached(sql)?.execute(params![uri, via, serde_json::to_string(&sign)?, cause])?;
        Ok(())
    }

    /// How a resource compares with its originals; `None` if its entry names none. It is equal if it is equal to each: one that was not
    /// compared is not.
    pub(in crate::destination) fn original(&self, uri: &str) -> Result<Option<(Sign, Option<Reason>)>, SyncError> {
        let mut statement = self.db.prepare_cached("SELECT sign, cause FROM original WHERE uri=?1 ORDER BY via")?;
        let mut rows = statement.query([uri])?;
        let mut found = None;
        while let Some(row) = rows.next()? {
            let (sign, cause): (Option<String>, Option<String>) = (row.get(0)?, row.get(1)?);
            let cause = cause.map(|cause| serde_json::from_str(&cause)).transpose()?;
            let sign = sign.map(|sign| serde_json::from_str(&sign)).transpose()?.unwrap_or(Sign::Unverifiable);
            let is_worse = match &found {
                None | Some((Sign::Equal, _)) => true,
                Some((Sign::Unverifiable, _)) => sign == Sign::Diverged,
                Some(_) => false,
            };
            if is_worse {
                found = Some((sign, cause));
            }
        }
        Ok(found)
    }

    /// Begins to compare files, the largest first.
    pub(in crate::destination) fn begin_comparing(&self) -> Result<(), SyncError> {
        Ok(self.db.execute_batch(schema::COMPARED)?)
    }

    /// The next resources whose files are to be compared, after this one, with their places in the order.
    pub(in crate::destination) fn to_compare(
        &self,
        after: i64,
        most: usize,
    ) -> Result<Vec<(i64, StoredResource)>, SyncError> {
        let mut statement = self.db.prepare_cached(
            "SELECT resource.id, uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime, seq
             FROM work JOIN resource ON resource.id=work.id WHERE seq>?1 ORDER BY seq LIMIT ?2",
        )?;
        let rows = statement.query_map(params![after, most as u64], |row| Ok((row.get(11)?, stored(row)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Records a file that is not as it was.
    pub(in crate::destination) fn note_problem(
        &self,
        id: i64,
        sign: Sign,
        cause: Option<&Reason>,
    ) -> Result<(), SyncError> {
        let cause = cause.map(serde_json::to_string).transpose()?;
        let sql = "INSERT OR REPLACE INTO problem(id, sign, cause) VALUES(?1, ?2, ?3)";
        self.db.prepare_cached(sql)?.execute(params![id, serde_json::to_string(&sign)?, cause])?;
        Ok(())
    }

    /// What is wrong with the file of a resource; `None` if nothing is.
    pub(in crate::destination) fn problem(&self, id: i64) -> Result<Option<(Sign, Option<Reason>)>, SyncError> {
        let mut statement = self.db.prepare_cached("SELECT sign, cause FROM problem WHERE id=?1")?;
        let found = statement.query_row([id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        let Some((sign, cause)): Option<(String, Option<String>)> = found else { return Ok(None) };
        let cause = cause.map(|cause| serde_json::from_str(&cause)).transpose()?;
        Ok(Some((serde_json::from_str(&sign)?, cause)))
    }
}
