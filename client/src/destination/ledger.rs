//! The ledger of a copy in SQLite: tables of stored resources, files being placed, and debts.

use std::{cell::Cell, io, path::Path};

use resourcesync::value::{Algorithm, to_hex};
use resourcesync_sync::{Change, Checkpoint, Held, Wanted, chain::Part, report::ItemCode, survey::Remembered};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, Transaction, params};

use super::{SyncError, follow::direction, store::Keep};

/// Identifies the file (`PRAGMA application_id`).
const APPLICATION: i64 = 0x5253_796e;
/// Stored resources with the same digest of which one is copied.
const ALIKE: usize = 4;
/// Rows that are written in one transaction although each could have its own.
const GATHERED: usize = 256;
/// The version of the tables (`PRAGMA user_version`).
const VERSION: i64 = 3;

const TABLES: &str = "
    CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE resource(
        id INTEGER PRIMARY KEY, uri TEXT NOT NULL UNIQUE, path TEXT, hash TEXT, length INTEGER, lastmod TEXT, etag TEXT,
        modified TEXT, sha256 TEXT NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL, run INTEGER NOT NULL);
    CREATE TABLE placing(
        number INTEGER PRIMARY KEY, uri TEXT NOT NULL, path TEXT, hash TEXT, length INTEGER, lastmod TEXT, etag TEXT,
        modified TEXT, sha256 TEXT NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL, run INTEGER NOT NULL);
    CREATE TABLE debt(uri TEXT PRIMARY KEY, wanted TEXT NOT NULL, code TEXT NOT NULL, run INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE run(number INTEGER PRIMARY KEY, started TEXT NOT NULL, ended TEXT, outcome TEXT, counts TEXT);
";
/// What version 1 lacks: when resources were deleted, and their number and bytes, which a run without changes does not count.
const SINCE_1: &str = "
    CREATE TABLE gone(uri TEXT PRIMARY KEY, moment TEXT, run INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE total(id INTEGER PRIMARY KEY CHECK(id=1), resources INTEGER NOT NULL, bytes INTEGER NOT NULL);
    INSERT INTO total SELECT 1, count(*), coalesce(sum(size), 0) FROM resource;
    CREATE TRIGGER resource_added AFTER INSERT ON resource
        BEGIN UPDATE total SET resources=resources+1, bytes=bytes+new.size; END;
    CREATE TRIGGER resource_removed AFTER DELETE ON resource
        BEGIN UPDATE total SET resources=resources-1, bytes=bytes-old.size; END;
    CREATE TRIGGER resource_resized AFTER UPDATE OF size ON resource
        BEGIN UPDATE total SET bytes=bytes-old.size+new.size; END;
";
/// What version 2 lacks: the sets that list a resource, where there are several.
const SINCE_2: &str = "
    CREATE TABLE owner(uri TEXT NOT NULL, owner TEXT NOT NULL, PRIMARY KEY(uri, owner)) WITHOUT ROWID;
";
/// Moves of files that are done once they are recorded here: to another path, or to the trash. The file is known by its size and time. Those of files that
/// other programs have changed stay until a run has reported them.
const MOVES: &str = "
    CREATE TABLE IF NOT EXISTS moving(seq INTEGER PRIMARY KEY, uri TEXT NOT NULL, place TEXT NOT NULL, target TEXT, size INTEGER NOT NULL,
        mtime INTEGER NOT NULL, changed INTEGER NOT NULL, done INTEGER NOT NULL, run INTEGER NOT NULL);
";
/// The plan of this run, which the next one rebuilds. `owning` has what changes in `owner`: whether a set lists a resource.
const PLAN: &str = "
    CREATE TEMP TABLE todo(seq INTEGER PRIMARY KEY, uri TEXT NOT NULL UNIQUE, document INTEGER NOT NULL, action TEXT NOT NULL,
        length INTEGER, wanted TEXT NOT NULL);
    CREATE TEMP TABLE change(document INTEGER NOT NULL, position INTEGER NOT NULL, uri TEXT NOT NULL, deleted INTEGER NOT NULL,
        moment INTEGER, datetime TEXT, wanted TEXT NOT NULL, PRIMARY KEY(document, position)) WITHOUT ROWID;
    CREATE TEMP TABLE chain(document INTEGER PRIMARY KEY, rank INTEGER NOT NULL, direction INTEGER NOT NULL, first INTEGER NOT NULL,
        owner TEXT NOT NULL);
    CREATE TEMP TABLE last(seq INTEGER PRIMARY KEY, uri TEXT NOT NULL, deleted INTEGER NOT NULL, asks INTEGER NOT NULL,
        document INTEGER NOT NULL, datetime TEXT, moment INTEGER, owner TEXT NOT NULL, wanted TEXT NOT NULL, UNIQUE(uri, owner));
    CREATE TEMP TABLE doomed(id INTEGER PRIMARY KEY, moment TEXT);
    CREATE TEMP TABLE owning(uri TEXT NOT NULL, owner TEXT NOT NULL, document INTEGER NOT NULL, owns INTEGER NOT NULL,
        PRIMARY KEY(uri, owner)) WITHOUT ROWID;
";

/// The ledger of one copy.
#[derive(Debug)]
pub(super) struct Ledger {
    db: Connection,
    /// Rows that were written in the open transaction of [`Ledger::gather`].
    gathered: Cell<usize>,
}

/// A stored resource.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) id: i64,
    pub(super) uri: String,
    /// Its path, if it differs from that of the layout.
    pub(super) path: Option<String>,
    pub(super) held: Held,
    pub(super) mtime: i64,
}

/// A resource that is being placed.
#[derive(Debug, Clone)]
pub(super) struct Placing {
    /// Its number in staging.
    pub(super) number: u64,
    pub(super) entry: Entry,
}

/// A move of a file, recorded before it is done.
#[derive(Debug, Clone)]
pub(super) struct Move {
    /// The resource; empty for a file of others.
    pub(super) uri: String,
    pub(super) place: String,
    /// Its new path; `None` for the trash.
    pub(super) target: Option<String>,
    pub(super) size: u64,
    pub(super) mtime: i64,
    /// True if other programs have changed the file.
    pub(super) is_changed: bool,
    /// True if it was moved, but not reported yet.
    pub(super) is_done: bool,
    /// The run that moves it.
    pub(super) run: u64,
}

/// A row of the plan.
#[derive(Debug, Clone)]
pub(super) struct Todo {
    pub(super) seq: i64,
    pub(super) action: String,
    pub(super) wanted: Wanted,
}

/// The last change of a resource.
#[derive(Debug, Clone)]
pub(super) struct Last {
    pub(super) seq: i64,
    pub(super) wanted: Wanted,
    pub(super) is_deleted: bool,
    /// True if the order of its changes is unknown, and only the server knows whether it was deleted.
    pub(super) asks: bool,
}

impl Ledger {
    /// Opens the ledger at a path, and creates it if necessary.
    pub(super) fn open(path: &Path) -> Result<Ledger, SyncError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NOFOLLOW
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(path, flags)?;
        // A single file without shared memory works on network file systems, and readers change nothing.
        db.query_row("PRAGMA journal_mode=TRUNCATE", [], |_| Ok(()))?;
        db.execute_batch("PRAGMA synchronous=FULL; PRAGMA trusted_schema=OFF")?;
        Ledger::check(db, true)
    }

    /// Opens the ledger at a path for reading; `None` if there is none.
    pub(super) fn read(path: &Path) -> Result<Option<Ledger>, SyncError> {
        if !path.exists() {
            return Ok(None);
        }
        let open = |access| {
            let flags = access | OpenFlags::SQLITE_OPEN_NOFOLLOW | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            Ledger::check(Connection::open_with_flags(path, flags)?, false).map(Some)
        };
        match open(OpenFlags::SQLITE_OPEN_READ_ONLY) {
            // A run was killed in a transaction, which must be rolled back before reading.
            Err(SyncError::Io(error)) if error.kind() == io::ErrorKind::ReadOnlyFilesystem => {
                open(OpenFlags::SQLITE_OPEN_READ_WRITE)
            }
            other => other,
        }
    }

    /// An empty ledger in memory.
    pub(super) fn empty() -> Result<Ledger, SyncError> {
        Ledger::check(Connection::open_in_memory()?, true)
    }

    fn check(db: Connection, makes: bool) -> Result<Ledger, SyncError> {
        let number = |pragma: &str| db.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, i64>(0));
        let (application, version) = (number("application_id")?, number("user_version")?);
        let is_new = application == 0 && version == 0 && number("schema_version")? == 0;
        if is_new && makes {
            db.execute_batch(&format!(
                "BEGIN; {TABLES} {SINCE_1} {SINCE_2} PRAGMA application_id={APPLICATION}; PRAGMA user_version={VERSION}; COMMIT"
            ))?;
        } else if application != APPLICATION {
            return Err(SyncError::State("it is not a ledger".to_owned()));
        } else if version == 1 && makes {
            db.execute_batch(&format!("BEGIN; {SINCE_1} {SINCE_2} PRAGMA user_version={VERSION}; COMMIT"))?;
        } else if version == 2 && makes {
            db.execute_batch(&format!("BEGIN; {SINCE_2} PRAGMA user_version={VERSION}; COMMIT"))?;
        } else if !(1..=VERSION).contains(&version) {
            return Err(SyncError::State(format!("it has version {version}; this program supports {VERSION}")));
        }
        db.execute_batch(PLAN)?;
        if makes {
            db.execute_batch(MOVES)?;
        }
        if !makes && version < VERSION {
            // An earlier version that is only read.
            db.execute_batch(&SINCE_2.replace("CREATE TABLE", "CREATE TEMP TABLE"))?;
        }
        db.set_prepared_statement_cache_capacity(32);
        Ok(Ledger { db, gathered: Cell::new(0) })
    }

    /// The connection, for tables of an audit.
    pub(super) fn db(&self) -> &Connection {
        &self.db
    }

    /// Begins a transaction, after what was gathered before.
    pub(super) fn transaction(&mut self) -> Result<Transaction<'_>, SyncError> {
        self.end_gathering()?;
        Ok(self.db.transaction()?)
    }

    /// Lets the next row be written together with others. What a killed run has gathered and not recorded, the next run finds out again.
    pub(super) fn gather(&self) -> Result<(), SyncError> {
        if self.gathered.get() >= GATHERED {
            self.end_gathering()?;
        }
        if self.db.is_autocommit() {
            self.db.execute_batch("BEGIN")?;
        }
        self.gathered.set(self.gathered.get().saturating_add(1));
        Ok(())
    }

    fn end_gathering(&self) -> Result<(), SyncError> {
        self.gathered.set(0);
        if !self.db.is_autocommit() {
            self.db.execute_batch("COMMIT")?;
        }
        Ok(())
    }

    pub(super) fn get(&self, key: &str) -> Result<Option<String>, SyncError> {
        let mut statement = self.db.prepare_cached("SELECT value FROM meta WHERE key=?1")?;
        Ok(statement.query_row([key], |row| row.get(0)).optional()?)
    }

    pub(super) fn put(&self, key: &str, value: &str) -> Result<(), SyncError> {
        set(&self.db, key, value)
    }

    pub(super) fn unset(&self, key: &str) -> Result<(), SyncError> {
        self.db.prepare_cached("DELETE FROM meta WHERE key=?1")?.execute([key])?;
        Ok(())
    }

    /// Refuses another place for the bytes than that of the first run.
    pub(super) fn check_keep(&self, keep: &Keep) -> Result<(), SyncError> {
        let held = self.get("keep")?.unwrap_or_else(|| Keep::Folder.as_str().to_owned());
        if self.get("source")?.is_some() && held != keep.as_str() {
            return Err(SyncError::OtherStore { held });
        }
        Ok(())
    }

    /// Records where the bytes are.
    pub(super) fn keep_in(&self, keep: &Keep) -> Result<(), SyncError> {
        if matches!(keep, Keep::Folder) { Ok(()) } else { self.put("keep", keep.as_str()) }
    }

    /// The recorded state of the documents.
    pub(super) fn remembered(&self) -> Result<Remembered, SyncError> {
        Ok(self.get("documents")?.map(|text| serde_json::from_str(&text)).transpose()?.unwrap_or_default())
    }

    /// The resource of a URI.
    pub(super) fn find(&self, uri: &str) -> Result<Option<Entry>, SyncError> {
        let mut statement = self.db.prepare_cached(
            "SELECT id, uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime FROM resource WHERE uri=?1",
        )?;
        Ok(statement.query_row([uri], entry).optional()?)
    }

    /// Stored resources that may have the bytes of a listed one: they share the beginning of a digest.
    pub(super) fn alike(&self, wanted: &Wanted) -> Result<Vec<Entry>, SyncError> {
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
    pub(super) fn index_digests(&self) -> Result<(), SyncError> {
        Ok(self.db.execute_batch(
            "CREATE INDEX IF NOT EXISTS resource_sha256 ON resource(substr(sha256, 1, 16));
             CREATE INDEX IF NOT EXISTS resource_hash ON resource(substr(hash, 1, 24))",
        )?)
    }

    /// All resources, ordered by number, with the run that recorded each last.
    pub(super) fn each(&self, take: impl FnMut(Entry, u64) -> Result<(), SyncError>) -> Result<(), SyncError> {
        self.each_by("id", take)
    }

    /// The same in the order of their URIs.
    pub(super) fn each_sorted(&self, take: impl FnMut(Entry, u64) -> Result<(), SyncError>) -> Result<(), SyncError> {
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
    pub(super) fn totals(&self) -> Result<(u64, u64), SyncError> {
        let own = "SELECT resources, bytes FROM total";
        // A ledger of version 1 that is only read.
        let counted = "SELECT count(*), coalesce(sum(size), 0) FROM resource";
        let version: i64 = self.db.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        let sql = if version == 1 { counted } else { own };
        Ok(self.db.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?)
    }

    /// Records the paths of all resources that have none of their own.
    pub(super) fn record_paths(&mut self, of: &dyn Fn(&str) -> Option<String>) -> Result<(), SyncError> {
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

    /// Resources with paths of their own, after this one.
    pub(super) fn with_paths(&self, after: i64, most: usize) -> Result<Vec<Entry>, SyncError> {
        let mut statement = self.db.prepare_cached(
            "SELECT id, uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime FROM resource
             WHERE id>?1 AND path IS NOT NULL ORDER BY id LIMIT ?2",
        )?;
        let rows = statement.query_map(params![after, most as u64], entry)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Records computed digests of a file.
    pub(super) fn verified(&self, uri: &str, wanted: &Wanted) -> Result<(), SyncError> {
        self.gather()?;
        let sql = "UPDATE resource SET hash=coalesce(?2, hash), length=?3, lastmod=?4 WHERE uri=?1";
        let values = params![uri, wanted.hash, wanted.length, wanted.lastmod];
        self.db.prepare_cached(sql)?.execute(values)?;
        self.db.prepare_cached("DELETE FROM debt WHERE uri=?1")?.execute([uri])?;
        Ok(())
    }

    /// The resources that were being placed when a run ended.
    pub(super) fn placing(&self) -> Result<Vec<Placing>, SyncError> {
        let mut statement = self.db.prepare(
            "SELECT number, uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime FROM placing ORDER BY number",
        )?;
        let rows = statement.query_map([], |row| {
            let entry = entry(row)?;
            Ok(Placing { number: u64::try_from(entry.id).unwrap_or(0), entry })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The moves that were recorded and perhaps not done.
    pub(super) fn moves(&self) -> Result<Vec<Move>, SyncError> {
        let sql = "SELECT uri, place, target, size, mtime, changed, done, run FROM moving ORDER BY seq";
        let mut statement = self.db.prepare(sql)?;
        let rows = statement.query_map([], |row| {
            Ok(Move {
                uri: row.get(0)?,
                place: row.get(1)?,
                target: row.get(2)?,
                size: row.get(3)?,
                mtime: row.get(4)?,
                is_changed: row.get(5)?,
                is_done: row.get(6)?,
                run: row.get(7)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Records moves in a transaction of their own.
    pub(super) fn announce(&mut self, moves: &[Move]) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        announce(&transaction, moves)?;
        transaction.commit()?;
        Ok(())
    }

    // The plan of this run.

    pub(super) fn plan(&self, document: u32, action: &str, wanted: &Wanted) -> Result<(), SyncError> {
        let sql = "INSERT OR REPLACE INTO todo(uri, document, action, length, wanted) VALUES(?1, ?2, ?3, ?4, ?5)";
        let values = params![wanted.uri, document, action, wanted.length, serde_json::to_string(wanted)?];
        self.db.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }

    /// Removes a resource from the plan; true if it was there.
    pub(super) fn unplan(&self, uri: &str) -> Result<bool, SyncError> {
        Ok(self.db.prepare_cached("DELETE FROM todo WHERE uri=?1")?.execute([uri])? > 0)
    }

    /// Removes the plan of a document, or the whole plan.
    pub(super) fn forget(&self, document: Option<u32>) -> Result<(), SyncError> {
        self.db.prepare_cached("DELETE FROM todo WHERE ?1 IS NULL OR document=?1")?.execute([document])?;
        Ok(())
    }

    /// The number of planned transfers, and the bytes of those with a listed length.
    pub(super) fn planned(&self) -> Result<(u64, u64), SyncError> {
        let sql = "SELECT count(*), coalesce(sum(length), 0) FROM todo";
        Ok(self.db.query_row(sql, [], |row| Ok((row.get(0)?, row.get::<_, f64>(1)? as u64)))?)
    }

    /// The next rows of the plan after this one.
    pub(super) fn todo(&self, after: i64, most: usize) -> Result<Vec<Todo>, SyncError> {
        let mut statement =
            self.db.prepare_cached("SELECT seq, action, wanted FROM todo WHERE seq>?1 ORDER BY seq LIMIT ?2")?;
        let mut rows = statement.query(params![after, most as u64])?;
        let mut list = Vec::new();
        while let Some(row) = rows.next()? {
            let wanted = serde_json::from_str(&row.get::<_, String>(2)?)?;
            list.push(Todo { seq: row.get(0)?, action: row.get(1)?, wanted });
        }
        Ok(list)
    }

    // The changes of this run.

    /// The state of the Change Lists of each set; none before a run was completed.
    pub(super) fn checkpoints(&self) -> Result<Vec<Checkpoint>, SyncError> {
        let Some(text) = self.get("checkpoint")? else { return Ok(Vec::new()) };
        if text.starts_with('{') {
            // Until version 2 there was one, which was empty for several sets.
            let one: Checkpoint = serde_json::from_str(&text)?;
            return Ok(if one.set.is_empty() { Vec::new() } else { vec![one] });
        }
        Ok(serde_json::from_str(&text)?)
    }

    pub(super) fn forget_changes(&self) -> Result<(), SyncError> {
        Ok(self.db.execute_batch("DELETE FROM change; DELETE FROM chain; DELETE FROM last")?)
    }

    /// Adds changes of documents.
    pub(super) fn add_changes(&mut self, list: &mut Vec<(u32, Change)>) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        {
            let mut insert =
                transaction.prepare_cached("INSERT OR REPLACE INTO change VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
            for (document, change) in list.drain(..) {
                let (moment, is_deleted) = (change.nanoseconds(), change.is_deleted);
                let Change { position, wanted: Some(wanted), datetime, .. } = change else { continue };
                let text = serde_json::to_string(&wanted)?;
                insert.execute(params![document, position, wanted.uri, is_deleted, moment, datetime, text])?;
            }
        }
        transaction.commit()?;
        Ok(())
    }

    /// Removes the changes of a document.
    pub(super) fn drop_changes(&self, document: u32) -> Result<(), SyncError> {
        self.db.prepare_cached("DELETE FROM change WHERE document=?1")?.execute([document])?;
        Ok(())
    }

    /// Reduces the changes of these documents of a set to the last one of each resource.
    pub(super) fn reduce(&mut self, order: &[Part], owner: &str) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        for (rank, Part { document, order, from }) in order.iter().enumerate() {
            let values = params![document, rank as u64, direction(*order), from, owner];
            transaction.prepare_cached("INSERT INTO chain VALUES(?1, ?2, ?3, ?4, ?5)")?.execute(values)?;
        }
        transaction.execute(
            "INSERT INTO last(uri, deleted, asks, document, datetime, moment, owner, wanted)
                SELECT uri, deleted, 0, document, datetime, moment, owner, wanted FROM (
                    SELECT uri, deleted, document, datetime, moment, owner, wanted, row_number() OVER (
                        PARTITION BY owner, uri ORDER BY rank DESC, CASE direction WHEN 0 THEN coalesce(moment, -1) ELSE 0 END DESC,
                        CASE direction WHEN -1 THEN -position ELSE position END DESC) AS place
                    FROM change JOIN chain USING(document) WHERE position>=first AND owner=?1) WHERE place=1",
            [owner],
        )?;
        transaction.execute_batch(
            "UPDATE last SET asks=1 WHERE document IN (SELECT document FROM chain WHERE direction=0) AND EXISTS (
                SELECT 1 FROM change WHERE change.uri=last.uri AND change.document=last.document
                AND change.deleted<>last.deleted);
             UPDATE last SET wanted=(
                SELECT wanted FROM change WHERE change.uri=last.uri AND change.document=last.document AND change.deleted=0
                ORDER BY coalesce(moment, -1) DESC, position DESC LIMIT 1) WHERE asks=1",
        )?;
        transaction.commit()?;
        Ok(())
    }

    /// Combines the last changes of several sets: a resource is what the set states that changed it last, and it is deleted when no set lists
    /// it any more. True if some order is unknown, so that only Resource Lists show which sets list the resource. If `compares_lists` is true,
    /// these have just been read: what sets listed before does not count, and what another set lists exists.
    pub(super) fn combine(&mut self, compares_lists: bool) -> Result<bool, SyncError> {
        let transaction = self.transaction()?;
        // Several states of a resource of which not all have a time, and a deletion of what is a debt of another set, are unclear as well.
        let is_unclear = transaction.query_row(
            "SELECT EXISTS(SELECT 1 FROM last WHERE asks)
                OR EXISTS(SELECT 1 FROM last WHERE NOT deleted GROUP BY uri HAVING count(*)>count(moment) AND count(*)>1)
                OR EXISTS(SELECT 1 FROM last JOIN debt USING(uri) WHERE deleted)",
            [],
            |row| row.get(0),
        )?;
        transaction.execute_batch(
            "INSERT OR REPLACE INTO owning SELECT uri, owner, 0, asks OR NOT deleted FROM last;
             DELETE FROM last WHERE deleted AND NOT asks AND EXISTS(
                SELECT 1 FROM last AS other WHERE other.uri=last.uri AND (other.asks OR NOT other.deleted));
             DELETE FROM last WHERE seq NOT IN (SELECT seq FROM (
                SELECT seq, row_number() OVER (PARTITION BY uri ORDER BY coalesce(moment, -1) DESC, seq DESC) AS place FROM last)
                WHERE place=1)",
        )?;
        let kept = "DELETE FROM last WHERE deleted AND NOT asks AND (
            EXISTS(SELECT 1 FROM owning WHERE owning.uri=last.uri AND owns)
            OR (NOT ?1 AND EXISTS(SELECT 1 FROM owner WHERE owner.uri=last.uri AND NOT EXISTS(
                SELECT 1 FROM owning WHERE owning.uri=owner.uri AND owning.owner=owner.owner))))";
        transaction.execute(kept, [compares_lists])?;
        if compares_lists {
            transaction.execute_batch(
                "UPDATE last SET asks=0, deleted=0 WHERE asks AND EXISTS(
                    SELECT 1 FROM owning WHERE owning.uri=last.uri AND owning.owner<>last.owner AND owns)",
            )?;
        }
        transaction.commit()?;
        Ok(is_unclear)
    }

    /// Notes that a set lists a resource in a document.
    pub(super) fn own(&self, document: u32, owner: &str, uri: &str) -> Result<(), SyncError> {
        let sql = "INSERT OR IGNORE INTO owning VALUES(?1, ?2, ?3, 1)";
        self.db.prepare_cached(sql)?.execute(params![uri, owner, document])?;
        Ok(())
    }

    /// Forgets what a document lists, or all documents.
    pub(super) fn disown(&self, document: Option<u32>) -> Result<(), SyncError> {
        self.db.prepare_cached("DELETE FROM owning WHERE ?1 IS NULL OR document=?1")?.execute([document])?;
        Ok(())
    }

    /// The last changes after this one.
    pub(super) fn last_changes(&self, after: i64, most: usize) -> Result<Vec<Last>, SyncError> {
        let sql = "SELECT seq, wanted, deleted, asks FROM last WHERE seq>?1 ORDER BY seq LIMIT ?2";
        let mut statement = self.db.prepare_cached(sql)?;
        let mut rows = statement.query(params![after, most as u64])?;
        let mut list = Vec::new();
        while let Some(row) = rows.next()? {
            let wanted = serde_json::from_str(&row.get::<_, String>(1)?)?;
            list.push(Last { seq: row.get(0)?, wanted, is_deleted: row.get(2)?, asks: row.get(3)? });
        }
        Ok(list)
    }

    /// True if the changes have a later state of a resource.
    pub(super) fn is_replaced(&self, uri: &str) -> Result<bool, SyncError> {
        let mut statement = self.db.prepare_cached("SELECT 1 FROM last WHERE uri=?1")?;
        Ok(statement.exists([uri])?)
    }

    /// Marks a resource for deletion.
    pub(super) fn doom(&self, entry: &Entry) -> Result<(), SyncError> {
        let sql = "INSERT OR REPLACE INTO doomed SELECT ?1, (SELECT datetime FROM last WHERE uri=?2)";
        self.db.prepare_cached(sql)?.execute(params![entry.id, entry.uri])?;
        Ok(())
    }

    /// Marks it no longer.
    pub(super) fn spare(&self, id: i64) -> Result<(), SyncError> {
        self.db.prepare_cached("DELETE FROM doomed WHERE id=?1")?.execute([id])?;
        Ok(())
    }

    /// The resources marked for deletion.
    pub(super) fn doomed(&self) -> Result<Vec<Entry>, SyncError> {
        let mut statement = self.db.prepare(
            "SELECT id, uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime FROM resource
             WHERE id IN (SELECT id FROM doomed) ORDER BY id",
        )?;
        let rows = statement.query_map([], entry)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Records what is listed of a resource that is stored as listed.
    pub(super) fn listed_as(&self, wanted: &Wanted) -> Result<(), SyncError> {
        self.gather()?;
        let sql = "UPDATE resource SET length=coalesce(?2, length), lastmod=coalesce(?3, lastmod) WHERE uri=?1";
        self.db.prepare_cached(sql)?.execute(params![wanted.uri, wanted.length, wanted.lastmod])?;
        Ok(())
    }

    /// Changes what is owed of a resource, if anything is.
    pub(super) fn renew_debt(&self, wanted: &Wanted) -> Result<(), SyncError> {
        self.gather()?;
        let sql = "UPDATE debt SET wanted=?2 WHERE uri=?1";
        self.db.prepare_cached(sql)?.execute(params![wanted.uri, serde_json::to_string(wanted)?])?;
        Ok(())
    }

    /// Removes a debt.
    pub(super) fn settle_debt(&self, uri: &str) -> Result<(), SyncError> {
        self.gather()?;
        self.db.prepare_cached("DELETE FROM debt WHERE uri=?1")?.execute([uri])?;
        Ok(())
    }

    // Debts.

    pub(super) fn owe(&self, wanted: &Wanted, code: ItemCode, run: u64) -> Result<(), SyncError> {
        self.gather()?;
        let sql = "INSERT OR REPLACE INTO debt(uri, wanted, code, run) VALUES(?1, ?2, ?3, ?4)";
        let values = params![wanted.uri, serde_json::to_string(wanted)?, code.id(), run];
        self.db.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }

    pub(super) fn debts(&self) -> Result<Vec<Wanted>, SyncError> {
        let mut statement = self.db.prepare("SELECT wanted FROM debt ORDER BY uri")?;
        let mut rows = statement.query([])?;
        let mut list = Vec::new();
        while let Some(row) = rows.next()? {
            list.push(serde_json::from_str(&row.get::<_, String>(0)?)?);
        }
        Ok(list)
    }

    // Runs.

    /// Begins a run, with a number greater than this one.
    pub(super) fn begin_run(&self, started: &str, after: u64) -> Result<u64, SyncError> {
        let sql = "INSERT INTO run(number, started) SELECT max(coalesce(max(number), 0), ?2) + 1, ?1 FROM run";
        self.db.execute(sql, params![started, after])?;
        Ok(u64::try_from(self.db.last_insert_rowid()).unwrap_or(0))
    }

    pub(super) fn last_run(&self) -> Result<u64, SyncError> {
        Ok(self.db.query_row("SELECT coalesce(max(number), 0) FROM run", [], |row| row.get(0))?)
    }

    /// The first run whose trash this one reports: itself, or the first of the runs before it that did not end.
    pub(super) fn first_unreported(&self, run: u64) -> Result<u64, SyncError> {
        let sql = "SELECT coalesce(min(number), ?1) FROM run
            WHERE number>(SELECT coalesce(max(number), 0) FROM run WHERE ended IS NOT NULL AND number<?1)";
        Ok(self.db.query_row(sql, [run], |row| row.get(0))?)
    }

    pub(super) fn end_run(&mut self, run: u64, ended: &str, outcome: &str, counts: &str) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        let sql = "UPDATE run SET ended=?2, outcome=?3, counts=?4 WHERE number=?1";
        transaction.execute(sql, params![run, ended, outcome, counts])?;
        transaction.execute("DELETE FROM moving WHERE done", [])?;
        transaction.commit()?;
        Ok(())
    }
}

/// Within a transaction: sets a value.
pub(super) fn set(db: &Connection, key: &str, value: &str) -> Result<(), SyncError> {
    db.prepare_cached("INSERT OR REPLACE INTO meta(key, value) VALUES(?1, ?2)")?.execute([key, value])?;
    Ok(())
}

/// Within a transaction: records which sets list what, and how far the changes of each set have been processed. If `compared_lists` is true,
/// what sets listed before does not count.
pub(super) fn settle(db: &Connection, checkpoints: &[Checkpoint], compared_lists: bool) -> Result<(), SyncError> {
    if compared_lists {
        db.execute("DELETE FROM owner", [])?;
    }
    db.execute_batch(
        "DELETE FROM owner WHERE EXISTS(SELECT 1 FROM owning WHERE owning.uri=owner.uri AND owning.owner=owner.owner AND NOT owns);
         INSERT OR IGNORE INTO owner SELECT uri, owner FROM owning WHERE owns",
    )?;
    set(db, "checkpoint", &serde_json::to_string(checkpoints)?)
}

/// Within a transaction: records resources as being placed.
pub(super) fn begin_placing(db: &Connection, group: &[Placing], run: u64) -> Result<(), SyncError> {
    let mut statement =
        db.prepare_cached("INSERT INTO placing VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)")?;
    for Placing { number, entry: Entry { uri, path, held, mtime, .. } } in group {
        let Held { hash, length, lastmod, etag, modified, sha256, size } = held;
        statement
            .execute(params![number, uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime, run])?;
    }
    Ok(())
}

/// Within a transaction: records moves.
pub(super) fn announce(db: &Connection, moves: &[Move]) -> Result<(), SyncError> {
    let mut statement = db.prepare_cached("INSERT INTO moving VALUES(NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
    for Move { uri, place, target, size, mtime, is_changed, is_done, run } in moves {
        statement.execute(params![uri, place, target, size, mtime, is_changed, is_done, run])?;
    }
    Ok(())
}

/// Within a transaction: records that all moves are done, and durable.
pub(super) fn moved(db: &Connection) -> Result<(), SyncError> {
    db.prepare_cached("DELETE FROM moving WHERE NOT changed")?.execute([])?;
    db.prepare_cached("UPDATE moving SET done=1 WHERE NOT done")?.execute([])?;
    Ok(())
}

/// Within a transaction: changes the path of a resource.
pub(super) fn move_to(db: &Connection, uri: &str, path: &str) -> Result<(), SyncError> {
    db.prepare_cached("UPDATE resource SET path=?2 WHERE uri=?1")?.execute([uri, path])?;
    Ok(())
}

/// Within a transaction: records resources as stored.
pub(super) fn placed(db: &Connection, group: &[Placing], run: u64) -> Result<(), SyncError> {
    let mut insert = db.prepare_cached(
        "INSERT INTO resource(uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime, run)
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
         ON CONFLICT(uri) DO UPDATE SET path=?2, hash=?3, length=?4, lastmod=?5, etag=?6, modified=?7, sha256=?8, size=?9,
         mtime=?10, run=?11",
    )?;
    let mut pay = db.prepare_cached("DELETE FROM debt WHERE uri=?1")?;
    let mut back = db.prepare_cached("DELETE FROM gone WHERE uri=?1")?;
    let mut remove = db.prepare_cached("DELETE FROM placing WHERE number=?1")?;
    for Placing { number, entry: Entry { uri, path, held, mtime, .. } } in group {
        let Held { hash, length, lastmod, etag, modified, sha256, size } = held;
        insert.execute(params![uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime, run])?;
        pay.execute([uri])?;
        back.execute([uri])?;
        remove.execute([number])?;
    }
    Ok(())
}

/// Within a transaction: the path of a resource, where that is not what the layout makes of its URI.
pub(super) fn set_path(db: &Connection, id: i64, path: Option<&str>) -> Result<(), SyncError> {
    db.prepare_cached("UPDATE resource SET path=?2 WHERE id=?1")?.execute(params![id, path])?;
    Ok(())
}

/// Within a transaction: removes a stored resource, and records when it was deleted.
pub(super) fn remove(db: &Connection, entry: &Entry, run: u64) -> Result<(), SyncError> {
    let sql = "INSERT OR REPLACE INTO gone SELECT ?1, (SELECT moment FROM doomed WHERE id=?2), ?3";
    db.prepare_cached(sql)?.execute(params![entry.uri, entry.id, run])?;
    db.prepare_cached("DELETE FROM resource WHERE id=?1")?.execute([entry.id])?;
    db.prepare_cached("DELETE FROM debt WHERE uri=?1")?.execute([&entry.uri])?;
    db.prepare_cached("DELETE FROM doomed WHERE id=?1")?.execute([entry.id])?;
    Ok(())
}

/// Within a transaction: removes the debts of resources that are kept although the Source deleted them.
pub(super) fn settle_doomed(db: &Connection) -> Result<(), SyncError> {
    let sql = "DELETE FROM debt WHERE uri IN (SELECT uri FROM resource WHERE id IN (SELECT id FROM doomed))";
    db.prepare_cached(sql)?.execute([])?;
    Ok(())
}

/// Within a transaction: removes a resource from those being placed.
pub(super) fn not_placed(db: &Connection, number: u64) -> Result<(), SyncError> {
    db.prepare_cached("DELETE FROM placing WHERE number=?1")?.execute([number])?;
    Ok(())
}

/// A resource in its first eleven columns.
pub(super) fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    Ok(Entry {
        id: row.get(0)?,
        uri: row.get(1)?,
        path: row.get(2)?,
        held: Held {
            hash: row.get(3)?,
            length: row.get(4)?,
            lastmod: row.get(5)?,
            etag: row.get(6)?,
            modified: row.get(7)?,
            sha256: row.get(8)?,
            size: row.get(9)?,
        },
        mtime: row.get(10)?,
    })
}
