//! The stored resources.

use resourcesync::{
    api::plain::Link,
    value::{Algorithm, to_hex},
};
use resourcesync_sync::{
    ListedResource,
    ledger::{Resources, StoredResource},
};
use rusqlite::{OptionalExtension, params};

use super::{
    Ledger,
    placing::{NOT_STAGED, Placing, placed},
    stored,
};
use crate::destination::SyncError;

/// Stored resources with the same digest of which one is copied.
const ALIKE: usize = 4;

impl Ledger {
    /// The URIs of the first and the last resources, a few of each, and their paths where these are not those of the layout; without those that
    /// a killed run was moving.
    pub(in crate::destination) fn some_files(&self) -> Result<Vec<(String, Option<String>)>, SyncError> {
        let of = |order: &str| {
            format!(
                "SELECT * FROM (SELECT uri, path FROM resource WHERE uri NOT IN (SELECT uri FROM moving) ORDER BY id {order} LIMIT 8)"
            )
        };
        let mut statement = self.db.prepare(&format!("{} UNION {}", of("ASC"), of("DESC")))?;
        let files = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
        Ok(files)
    }
}

impl Resources for Ledger {
    fn find(&self, uri: &str) -> Result<Option<StoredResource>, SyncError> {
        let mut statement = self.db.prepare_cached(
            "SELECT id, uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime FROM resource WHERE uri=?1",
        )?;
        Ok(statement.query_row([uri], stored).optional()?)
    }

    fn each(&self, take: &mut dyn FnMut(StoredResource, u64) -> Result<(), SyncError>) -> Result<(), SyncError> {
        self.each_by("id", take)
    }

    fn totals(&self) -> Result<(u64, u64), SyncError> {
        let own = "SELECT resources, bytes FROM total";
        // A ledger of version 1 that is only read.
        let counted = "SELECT count(*), coalesce(sum(size), 0) FROM resource";
        let version: i64 = self.db.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        let sql = if version == 1 { counted } else { own };
        Ok(self.db.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?)
    }

    fn verified(&mut self, resource: &ListedResource) -> Result<(), SyncError> {
        self.gather()?;
        let sql = "UPDATE resource SET hash=coalesce(?2, hash), length=?3, lastmod=?4 WHERE uri=?1";
        let values = params![resource.uri, resource.hash, resource.length, resource.lastmod];
        self.db.prepare_cached(sql)?.execute(values)?;
        self.db.prepare_cached("DELETE FROM debt WHERE uri=?1")?.execute([&resource.uri])?;
        Ok(())
    }

    fn listed_as(&mut self, resource: &ListedResource) -> Result<(), SyncError> {
        self.gather()?;
        let sql = "UPDATE resource SET length=coalesce(?2, length), lastmod=coalesce(?3, lastmod) WHERE uri=?1";
        self.db.prepare_cached(sql)?.execute(params![resource.uri, resource.length, resource.lastmod])?;
        Ok(())
    }

    fn adopted(&mut self, stored: StoredResource, run: u64) -> Result<(), SyncError> {
        self.gather()?;
        placed(&self.db, &[Placing { number: NOT_STAGED, stored }], run)
    }

    fn pass_on(&mut self, resource: &ListedResource) -> Result<(), SyncError> {
        if resource.links.is_empty() && !self.has_links {
            return Ok(());
        }
        let links = Some(serde_json::to_string(&resource.links)?).filter(|_| !resource.links.is_empty());
        let mut known = self.db.prepare_cached("SELECT links FROM links WHERE uri=?1")?;
        if known.query_row([&resource.uri], |row| row.get::<_, String>(0)).optional()? == links {
            return Ok(());
        }
        drop(known);
        self.gather()?;
        match links {
            Some(links) => {
                let sql = "INSERT OR REPLACE INTO links VALUES(?1, ?2)";
                self.db.prepare_cached(sql)?.execute([&resource.uri, &links])?;
                self.has_links = true;
            }
            None => drop(self.db.prepare_cached("DELETE FROM links WHERE uri=?1")?.execute([&resource.uri])?),
        }
        Ok(())
    }

    fn mark_deleted(&mut self, stored: &StoredResource) -> Result<(), SyncError> {
        let sql = "INSERT OR REPLACE INTO marked SELECT ?1, (SELECT datetime FROM last WHERE uri=?2)";
        self.db.prepare_cached(sql)?.execute(params![stored.id, stored.uri])?;
        Ok(())
    }

    fn unmark_deleted(&mut self, id: i64) -> Result<(), SyncError> {
        self.db.prepare_cached("DELETE FROM marked WHERE id=?1")?.execute([id])?;
        Ok(())
    }

    fn marked_deleted(&self) -> Result<Vec<StoredResource>, SyncError> {
        let mut statement = self.db.prepare(
            "SELECT id, uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime FROM resource
             WHERE id IN (SELECT id FROM marked) ORDER BY id",
        )?;
        let rows = statement.query_map([], stored)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn is_acknowledged(&self, uri: &str) -> Result<bool, SyncError> {
        if !self.records_changes()? {
            return Ok(false);
        }
        let mut statement = self.db.prepare_cached("SELECT 1 FROM pending WHERE uri=?1")?;
        Ok(!statement.exists([uri])?)
    }
}

impl Ledger {
    /// The resource whose file is at a place, of which the layout makes this URI.
    pub(in crate::destination) fn at(
        &self,
        place: &str,
        uri: Option<&str>,
    ) -> Result<Option<StoredResource>, SyncError> {
        let mut statement = self.db.prepare_cached(
            "SELECT id, uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime FROM resource
             WHERE path=?1 OR (uri=?2 AND path IS NULL)",
        )?;
        Ok(statement.query_row([Some(place), uri], stored).optional()?)
    }

    /// Stored resources that may have the bytes of a listed one: they share the beginning of a digest.
    pub(in crate::destination) fn alike(&self, resource: &ListedResource) -> Result<Vec<StoredResource>, SyncError> {
        let listed = resource.hashes();
        let sha256 = listed.get(&Algorithm::Sha256).map(to_hex);
        let Some(first) = listed.iter().next() else { return Ok(Vec::new()) };
        let (digest, is_alike) = match sha256 {
            Some(sha256) => (sha256, "substr(sha256, 1, 12)=substr(?1, 1, 12)"),
            None => (
                format!("{}:{}", first.algorithm.as_str(), to_hex(&first.digest)),
                "substr(hash, 1, 24)=substr(?1, 1, 24) AND instr(hash, 'sha-256:')=0",
            ),
        };
        let mut statement = self.db.prepare_cached(&format!(
            "SELECT id, uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime FROM resource
             WHERE {is_alike} ORDER BY id LIMIT {ALIKE}"
        ))?;
        let rows = statement.query_map([digest], stored)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The links of a resource that the copy passes on.
    pub(in crate::destination) fn links(&self, uri: &str) -> Result<Vec<Link>, SyncError> {
        if !self.has_links {
            return Ok(Vec::new());
        }
        let mut statement = self.db.prepare_cached("SELECT links FROM links WHERE uri=?1")?;
        let links = statement.query_row([uri], |row| row.get::<_, String>(0)).optional()?;
        Ok(links.map(|links| serde_json::from_str(&links)).transpose()?.unwrap_or_default())
    }

    /// Lets stored resources be found by their digests, those with a listed SHA-256 by that. Short keys are enough: what is found is compared.
    pub(in crate::destination) fn index_digests(&self) -> Result<(), SyncError> {
        Ok(self.db.execute_batch(
            "DROP INDEX IF EXISTS resource_sha256; -- of an earlier version
             DROP INDEX IF EXISTS resource_hash; -- of an earlier version
             CREATE INDEX IF NOT EXISTS alike ON resource(substr(sha256, 1, 12));
             CREATE INDEX IF NOT EXISTS alike_otherwise ON resource(substr(hash, 1, 24)) WHERE instr(hash, 'sha-256:')=0",
        )?)
    }

    /// The same in the order of their URIs.
    pub(in crate::destination) fn each_sorted(
        &self,
        take: &mut dyn FnMut(StoredResource, u64) -> Result<(), SyncError>,
    ) -> Result<(), SyncError> {
        self.each_by("uri", take)
    }

    fn each_by(
        &self,
        column: &str,
        take: &mut dyn FnMut(StoredResource, u64) -> Result<(), SyncError>,
    ) -> Result<(), SyncError> {
        let mut statement = self.db.prepare(&format!(
            "SELECT id, uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime, run FROM resource ORDER BY {column}"
        ))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            take(stored(row)?, row.get(11)?)?;
        }
        Ok(())
    }

    /// Resources with paths of their own, after this one.
    pub(in crate::destination) fn with_paths(&self, after: i64, most: usize) -> Result<Vec<StoredResource>, SyncError> {
        let mut statement = self.db.prepare_cached(
            "SELECT id, uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime FROM resource
             WHERE id>?1 AND path IS NOT NULL ORDER BY id LIMIT ?2",
        )?;
        let rows = statement.query_map(params![after, most as u64], stored)?;
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
