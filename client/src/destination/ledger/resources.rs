//! The stored resources.

use resourcesync::value::{Algorithm, to_hex};
use resourcesync_sync::Wanted;
use rusqlite::{OptionalExtension, params};

use super::{Entry, Ledger, entry};
use crate::destination::SyncError;

/// Stored resources with the same digest of which one is copied.
const ALIKE: usize = 4;

impl Ledger {
    /// The resource of a URI.
    pub(in crate::destination) fn find(&self, uri: &str) -> Result<Option<Entry>, SyncError> {
        let mut statement = self.db.prepare_cached(
            "SELECT id, uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime FROM resource WHERE uri=?1",
        )?;
        Ok(statement.query_row([uri], entry).optional()?)
    }

    /// Stored resources that may have the bytes of a listed one: they share the beginning of a digest.
    pub(in crate::destination) fn alike(&self, wanted: &Wanted) -> Result<Vec<Entry>, SyncError> {
        let listed = wanted.hashes();
        let sha256 = listed.get(&Algorithm::Sha256).map(to_hex);
        let Some(first) = listed.iter().next() else { return Ok(Vec::new()) };
        let (digest, key) = match sha256 {
            Some(sha256) => (sha256, "substr(sha256, 1, 16)"),
            None => (format!("{}:{}", first.algorithm.as_str(), to_hex(&first.digest)), "substr(hash, 1, 24)"),
        };
        let mut statement = self.db.prepare_cached(&format!(
            "SELECT id, uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime FROM resource
             WHERE {key}={} ORDER BY id LIMIT {ALIKE}",
            key.replace("sha256", "?1").replace("hash", "?1")
        ))?;
        let rows = statement.query_map([digest], entry)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Lets stored resources be found by their digests. Short keys are enough: what is found is compared.
    pub(in crate::destination) fn index_digests(&self) -> Result<(), SyncError> {
        Ok(self.db.execute_batch(
            "CREATE INDEX IF NOT EXISTS resource_sha256 ON resource(substr(sha256, 1, 16));
             CREATE INDEX IF NOT EXISTS resource_hash ON resource(substr(hash, 1, 24))",
        )?)
    }

    /// All resources, ordered by number, with the run that recorded each last.
    pub(in crate::destination) fn each(
        &self,
        take: impl FnMut(Entry, u64) -> Result<(), SyncError>,
    ) -> Result<(), SyncError> {
        self.each_by("id", take)
    }

    /// The same in the order of their URIs.
    pub(in crate::destination) fn each_sorted(
        &self,
        take: impl FnMut(Entry, u64) -> Result<(), SyncError>,
    ) -> Result<(), SyncError> {
        self.each_by("uri", take)
    }

    fn each_by(
        &self,
        column: &str,
        mut take: impl FnMut(Entry, u64) -> Result<(), SyncError>,
    ) -> Result<(), SyncError> {
        let mut statement = self.db.prepare(&format!(
            "SELECT id, uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime, run FROM resource ORDER BY {column}"
        ))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            take(entry(row)?, row.get(11)?)?;
        }
        Ok(())
    }

    /// The number of stored resources, and their bytes.
    pub(in crate::destination) fn totals(&self) -> Result<(u64, u64), SyncError> {
        let own = "SELECT resources, bytes FROM total";
        // A ledger of version 1 that is only read.
        let counted = "SELECT count(*), coalesce(sum(size), 0) FROM resource";
        let version: i64 = self.db.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        let sql = if version == 1 { counted } else { own };
        Ok(self.db.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?)
    }

    /// Resources with paths of their own, after this one.
    pub(in crate::destination) fn with_paths(&self, after: i64, most: usize) -> Result<Vec<Entry>, SyncError> {
        let mut statement = self.db.prepare_cached(
            "SELECT id, uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime FROM resource
             WHERE id>?1 AND path IS NOT NULL ORDER BY id LIMIT ?2",
        )?;
        let rows = statement.query_map(params![after, most as u64], entry)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Records the paths of all resources that have none of their own.
    pub(in crate::destination) fn record_paths(
        &mut self,
        of: &dyn Fn(&str) -> Option<String>,
    ) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        loop {
            let list: Vec<(i64, String)> = transaction
                .prepare_cached("SELECT id, uri FROM resource WHERE path IS NULL ORDER BY id LIMIT 1000")?
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<Result<_, _>>()?;
            if list.is_empty() {
                break;
            }
            for (id, uri) in list {
                set_path(&transaction, id, Some(&of(&uri).unwrap_or_default()))?;
            }
        }
        transaction.commit()?;
        Ok(())
    }

    /// Records the paths of resources, where they are not what the layout makes of their URIs.
    pub(in crate::destination) fn set_paths(&mut self, paths: &[(i64, Option<&str>)]) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        for (id, path) in paths {
            set_path(&transaction, *id, *path)?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Records computed digests of a file.
    pub(in crate::destination) fn verified(&self, uri: &str, wanted: &Wanted) -> Result<(), SyncError> {
        self.gather()?;
        let sql = "UPDATE resource SET hash=coalesce(?2, hash), length=?3, lastmod=?4 WHERE uri=?1";
        let values = params![uri, wanted.hash, wanted.length, wanted.lastmod];
        self.db.prepare_cached(sql)?.execute(values)?;
        self.db.prepare_cached("DELETE FROM debt WHERE uri=?1")?.execute([uri])?;
        Ok(())
    }

    /// Records what is listed of a resource that is stored as listed.
    pub(in crate::destination) fn listed_as(&self, wanted: &Wanted) -> Result<(), SyncError> {
        self.gather()?;
        let sql = "UPDATE resource SET length=coalesce(?2, length), lastmod=coalesce(?3, lastmod) WHERE uri=?1";
        self.db.prepare_cached(sql)?.execute(params![wanted.uri, wanted.length, wanted.lastmod])?;
        Ok(())
    }

    /// Lets files be hashed by the next run although their size and time are as recorded.
    pub(in crate::destination) fn suspect<'u>(&mut self, uris: impl Iterator<Item = &'u str>) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        for uri in uris {
            transaction.prepare_cached("UPDATE resource SET mtime=-1 WHERE uri=?1")?.execute([uri])?;
        }
        transaction.commit()?;
        Ok(())
    }
}

/// Within a transaction: records the path of a resource, where that is not what the layout makes of its URI.
fn set_path(db: &rusqlite::Connection, id: i64, path: Option<&str>) -> Result<(), SyncError> {
    db.prepare_cached("UPDATE resource SET path=?2 WHERE id=?1")?.execute(params![id, path])?;
    Ok(())
}
