//! The store of a hub in SQLite: one file, one writer, durable at every commit.

mod operations;
mod rows;

use std::{
    collections::VecDeque,
    fmt,
    fs::{File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use resourcesync_notify::{
    hub::{Accepted, DeadLetter, Subscription, TopicState},
    moment::Timestamp,
};
use rusqlite::{Connection, OpenFlags, OptionalExtension};
use serde::Serialize;

use self::rows::{count, moment, number, reason, signed, subscription, unsigned};

/// Identifies the file (`PRAGMA application_id`).
const APPLICATION: i64 = 0x5253_6875;
/// The version of the tables (`PRAGMA user_version`).
const VERSION: i64 = 1;
/// Payloads kept in memory, because all subscribers of a topic read the same ones.
const CACHED: usize = 16;

const TABLES: &str = "
    CREATE TABLE topic(id INTEGER PRIMARY KEY, uri TEXT NOT NULL UNIQUE, head INTEGER NOT NULL, chain TEXT NOT NULL,
        paused INTEGER NOT NULL);
    CREATE TABLE payload(topic INTEGER NOT NULL, seq INTEGER NOT NULL, sha256 TEXT NOT NULL, type TEXT NOT NULL,
        resourcesync TEXT, received INTEGER NOT NULL, length INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY(topic, seq));
    CREATE INDEX payload_digest ON payload(topic, sha256);
    CREATE TABLE subscription(id INTEGER PRIMARY KEY AUTOINCREMENT, topic INTEGER NOT NULL, callback TEXT NOT NULL,
        host TEXT NOT NULL, secret TEXT, lease_until INTEGER NOT NULL, cursor INTEGER NOT NULL, failures INTEGER NOT NULL,
        refusals INTEGER NOT NULL, failing_since INTEGER, retry_at INTEGER, last_status INTEGER, UNIQUE(topic, callback));
    CREATE INDEX subscription_cursor ON subscription(topic, cursor);
    CREATE INDEX subscription_retry ON subscription(retry_at) WHERE retry_at IS NOT NULL;
    CREATE INDEX subscription_lease ON subscription(lease_until);
    CREATE TABLE pending(nonce INTEGER PRIMARY KEY AUTOINCREMENT, topic INTEGER NOT NULL, callback TEXT NOT NULL,
        host TEXT NOT NULL, mode TEXT NOT NULL, secret TEXT, lease INTEGER NOT NULL, challenge TEXT NOT NULL,
        attempt INTEGER NOT NULL, created INTEGER NOT NULL, sent INTEGER NOT NULL, next INTEGER NOT NULL,
        UNIQUE(topic, callback));
    CREATE INDEX pending_next ON pending(next);
    CREATE TABLE dead(id INTEGER PRIMARY KEY AUTOINCREMENT, subscription INTEGER NOT NULL, topic INTEGER NOT NULL,
        callback TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, reason TEXT NOT NULL, status INTEGER,
        at INTEGER NOT NULL);
    CREATE INDEX dead_at ON dead(at);
    CREATE TABLE denied(host TEXT PRIMARY KEY) WITHOUT ROWID;
";

const SUBSCRIPTION: &str = "SELECT id, topic, callback, host, secret, lease_until, cursor, failures, refusals, failing_since, retry_at, \
     last_status FROM subscription";
const PENDING: &str =
    "SELECT nonce, topic, callback, host, mode, secret, lease, challenge, attempt, created, sent, next FROM pending";

/// The store of a hub. Only one process can have it open.
#[derive(Debug)]
pub struct SqliteLedger {
    db: Connection,
    recent: VecDeque<(u64, Arc<Accepted>)>,
    _lock: File,
}

/// A store that cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process has it open.
    Locked(PathBuf),
    /// It is not a store of a hub, or has a newer version.
    Format(PathBuf, String),
    /// A file could not be opened.
    Io(PathBuf, io::Error),
    /// SQLite failed.
    Sqlite(rusqlite::Error),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Locked(path) => {
                write!(f, "the store {} is used by another process; stop it, or use another store", path.display())
            }
            StoreError::Format(path, why) => write!(f, "the store {} cannot be used: {why}", path.display()),
            StoreError::Io(path, error) => write!(f, "the store {} could not be opened: {error}", path.display()),
            StoreError::Sqlite(error) => write!(f, "the store failed: {error}"),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        StoreError::Sqlite(error)
    }
}

impl SqliteLedger {
    /// Opens a store, and creates it if necessary. Its files are readable by their owner only.
    ///
    /// # Errors
    ///
    /// If another process has it open, or it is not a store of this version.
    pub fn open(path: &Path) -> Result<SqliteLedger, StoreError> {
        let lock_path = sibling(path, ".lock");
        let lock = private(&lock_path).map_err(|error| StoreError::Io(lock_path.clone(), error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::Locked(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(StoreError::Io(lock_path, error)),
        }
        // SQLite gives its other files the permissions of this one.
        private(path).map_err(|error| StoreError::Io(path.to_owned(), error))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(path, flags)?;
        db.query_row("PRAGMA journal_mode=WAL", [], |_| Ok(()))?;
        // FULL: a commit returns after the fsync of the write-ahead log.
        db.execute_batch("PRAGMA synchronous=FULL; PRAGMA trusted_schema=OFF; PRAGMA cache_size=-32768")?;
        let number = |pragma: &str| db.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, i64>(0));
        let (application, version) = (number("application_id")?, number("user_version")?);
        if application == 0 && version == 0 && number("schema_version")? == 0 {
            db.execute_batch(&format!(
                "BEGIN; {TABLES} PRAGMA application_id={APPLICATION}; PRAGMA user_version={VERSION}; COMMIT"
            ))?;
        } else if application != APPLICATION {
            return Err(StoreError::Format(path.to_owned(), "it is not the store of a hub".to_owned()));
        } else if version != VERSION {
            let why = format!("it has version {version}, and this program supports {VERSION}; use a newer program");
            return Err(StoreError::Format(path.to_owned(), why));
        }
        db.set_prepared_statement_cache_capacity(64);
        Ok(SqliteLedger { db, recent: VecDeque::new(), _lock: lock })
    }

    /// Begins a transaction.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub fn begin(&mut self) -> rusqlite::Result<()> {
        self.db.execute_batch("BEGIN IMMEDIATE")
    }

    /// Makes all changes since [`begin`](SqliteLedger::begin) durable.
    ///
    /// # Errors
    ///
    /// If the store fails; nothing is changed then.
    pub fn commit(&mut self) -> rusqlite::Result<()> {
        let committed = self.db.execute_batch("COMMIT");
        if committed.is_err() {
            self.roll_back();
        }
        committed
    }

    /// Undoes all changes since [`begin`](SqliteLedger::begin).
    pub fn roll_back(&mut self) {
        self.recent.clear();
        // After some errors SQLite has already done it.
        let _ = self.db.execute_batch("ROLLBACK");
    }

    /// Marks a point to return to within a transaction.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub fn save_point(&mut self) -> rusqlite::Result<()> {
        self.db.execute_batch("SAVEPOINT input")
    }

    /// Keeps the changes since the point, or undoes them.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub fn release(&mut self, keeps: bool) -> rusqlite::Result<()> {
        if keeps {
            return self.db.execute_batch("RELEASE input");
        }
        self.recent.clear();
        self.db.execute_batch("ROLLBACK TO input; RELEASE input")
    }

    /// Moves the write-ahead log into the file.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub fn checkpoint(&mut self) -> rusqlite::Result<()> {
        self.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    }

    /// The size of the store in bytes, without the write-ahead log.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub fn bytes(&self) -> rusqlite::Result<u64> {
        let number = |pragma: &str| self.db.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, i64>(0));
        let used = number("page_count")?.saturating_sub(number("freelist_count")?);
        Ok(unsigned(used.saturating_mul(number("page_size")?)))
    }

    /// The numbers of subscriptions, pending requests and dead letters.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub fn counts(&self) -> rusqlite::Result<Counts> {
        let count = |table: &str| {
            self.db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0)).map(unsigned)
        };
        Ok(Counts { subscriptions: count("subscription")?, pending: count("pending")?, dead_letters: count("dead")? })
    }

    /// A topic's subscriptions, stored payloads, and the time its oldest undelivered payload was received.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub fn topic_counts(&self, topic: &TopicState) -> rusqlite::Result<TopicCounts> {
        let one = |sql: &str| self.db.query_row(sql, [signed(topic.id)], |row| row.get::<_, Option<i64>>(0));
        let subscriptions = one("SELECT count(*) FROM subscription WHERE topic=?1")?.map_or(0, unsigned);
        let payloads = one("SELECT count(*) FROM payload WHERE topic=?1")?.map_or(0, unsigned);
        let behind = one("SELECT min(cursor) FROM subscription WHERE topic=?1")?.map(unsigned);
        let oldest = match behind.filter(|cursor| *cursor < topic.head) {
            Some(cursor) => self
                .db
                .query_row(
                    "SELECT received FROM payload WHERE topic=?1 AND seq>?2 ORDER BY seq LIMIT 1",
                    [signed(topic.id), signed(cursor)],
                    |row| row.get::<_, i64>(0),
                )
                .optional()?,
            None => None,
        };
        Ok(TopicCounts { subscriptions, payloads, undelivered_since: oldest.map(Timestamp::from_millis) })
    }

    /// The last dead letters.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub fn dead_letters(&self, most: usize) -> rusqlite::Result<Vec<DeadLetter>> {
        let mut found = self.db.prepare_cached(
            "SELECT subscription, topic, callback, first, last, reason, status, at FROM dead ORDER BY id DESC LIMIT ?1",
        )?;
        let rows = found.query_map([count(most)], |row| {
            Ok(DeadLetter {
                subscription: number(row, 0)?,
                topic: number(row, 1)?,
                callback: row.get(2)?,
                first: number(row, 3)?,
                last: number(row, 4)?,
                reason: reason(&row.get::<_, String>(5)?),
                status: row.get(6)?,
                at: moment(row, 7)?,
            })
        })?;
        rows.collect()
    }

    /// Subscriptions whose last delivery failed.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub fn failing(&self, most: usize) -> rusqlite::Result<Vec<Subscription>> {
        let sql = format!("{SUBSCRIPTION} WHERE retry_at IS NOT NULL ORDER BY failing_since LIMIT ?1");
        let mut found = self.db.prepare_cached(&sql)?;
        found.query_map([count(most)], subscription)?.collect()
    }
}

/// Copies the store of a running or stopped hub into a new file.
///
/// # Errors
///
/// If the store cannot be read, or the file exists.
pub fn back_up(store: &Path, file: &Path) -> Result<(), StoreError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    owner_only(&mut options).open(file).map_err(|error| StoreError::Io(file.to_owned(), error))?;
    let db = Connection::open_with_flags(store, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    db.busy_timeout(Duration::from_secs(30))?;
    let name = file
        .to_str()
        .ok_or_else(|| StoreError::Format(file.to_owned(), "the name of a backup must be valid Unicode".to_owned()))?;
    let copied = db.execute("VACUUM INTO ?1", [name]);
    if copied.is_err() {
        let _ = std::fs::remove_file(file);
    }
    copied.map(drop).map_err(StoreError::from)
}

/// Numbers of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Active subscriptions.
    pub subscriptions: u64,
    /// Requests that are being verified.
    pub pending: u64,
    /// Dead letters.
    pub dead_letters: u64,
}

/// Numbers of a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TopicCounts {
    /// Active subscriptions.
    pub subscriptions: u64,
    /// Stored payloads.
    pub payloads: u64,
    /// When the oldest payload was received that some subscription lacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undelivered_since: Option<Timestamp>,
}

fn sibling(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Opens a file, which is created for its owner only.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    owner_only(&mut options).open(path)
}

fn owner_only(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}
