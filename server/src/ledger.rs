//! The store of a hub in SQLite: one file, one writer, durable at every commit.

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
    hub::{Accepted, DeadLetter, DeadReason, Due, Ledger, Mode, Pending, Position, Secret, Subscription, TopicState},
    interval::Chain,
    moment::Timestamp,
};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};
use serde::Serialize;

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

/// SQLite has signed integers; ids and counters never reach their limit.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

fn count(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

fn number(row: &Row<'_>, at: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(at).map(unsigned)
}

fn moment(row: &Row<'_>, at: usize) -> rusqlite::Result<Timestamp> {
    row.get(at).map(Timestamp::from_millis)
}

fn maybe_moment(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<Timestamp>> {
    Ok(row.get::<_, Option<i64>>(at)?.map(Timestamp::from_millis))
}

fn secret(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<Secret>> {
    Ok(row.get::<_, Option<String>>(at)?.map(Secret))
}

fn reason(name: &str) -> DeadReason {
    serde_json::from_value(name.into()).unwrap_or(DeadReason::GivenUp)
}

fn topic(row: &Row<'_>) -> rusqlite::Result<TopicState> {
    let chain: String = row.get(3)?;
    let wrong = |error| rusqlite::Error::FromSqlConversionFailure(3, rusqlite::types::Type::Text, Box::new(error));
    let chain: Chain = serde_json::from_str(&chain).map_err(wrong)?;
    Ok(TopicState { id: number(row, 0)?, uri: row.get(1)?, head: number(row, 2)?, chain, is_paused: row.get(4)? })
}

fn accepted(row: &Row<'_>) -> rusqlite::Result<Arc<Accepted>> {
    Ok(Arc::new(Accepted {
        seq: number(row, 0)?,
        digest: row.get(1)?,
        content_type: row.get(2)?,
        capability_list: row.get(3)?,
        received: moment(row, 4)?,
        body: row.get::<_, Vec<u8>>(5)?.into(),
    }))
}

fn subscription(row: &Row<'_>) -> rusqlite::Result<Subscription> {
    Ok(Subscription {
        id: number(row, 0)?,
        topic: number(row, 1)?,
        callback: row.get(2)?,
        host: row.get(3)?,
        secret: secret(row, 4)?,
        lease_until: moment(row, 5)?,
        cursor: number(row, 6)?,
        failures: row.get(7)?,
        refusals: row.get(8)?,
        failing_since: maybe_moment(row, 9)?,
        retry_at: maybe_moment(row, 10)?,
        last_status: row.get(11)?,
    })
}

fn pending(row: &Row<'_>) -> rusqlite::Result<Pending> {
    let mode = if row.get::<_, String>(4)? == Mode::Subscribe.as_str() { Mode::Subscribe } else { Mode::Unsubscribe };
    Ok(Pending {
        nonce: number(row, 0)?,
        topic: number(row, 1)?,
        callback: row.get(2)?,
        host: row.get(3)?,
        mode,
        secret: secret(row, 5)?,
        lease: Duration::from_secs(number(row, 6)?),
        challenge: Secret(row.get(7)?),
        attempt: row.get(8)?,
        created: moment(row, 9)?,
        sent: moment(row, 10)?,
        next: moment(row, 11)?,
    })
}

impl Ledger for SqliteLedger {
    type Error = rusqlite::Error;

    fn topic(&mut self, uri: &str) -> rusqlite::Result<Option<TopicState>> {
        let mut found = self.db.prepare_cached("SELECT id, uri, head, chain, paused FROM topic WHERE uri=?1")?;
        found.query_row([uri], topic).optional()
    }

    fn topic_by_id(&mut self, id: u64) -> rusqlite::Result<Option<TopicState>> {
        let mut found = self.db.prepare_cached("SELECT id, uri, head, chain, paused FROM topic WHERE id=?1")?;
        found.query_row([signed(id)], topic).optional()
    }

    fn topics(&mut self) -> rusqlite::Result<Vec<TopicState>> {
        let mut found = self.db.prepare_cached("SELECT id, uri, head, chain, paused FROM topic ORDER BY id")?;
        found.query_map([], topic)?.collect()
    }

    fn add_topic(&mut self, uri: &str) -> rusqlite::Result<TopicState> {
        self.db.prepare_cached("INSERT INTO topic(uri, head, chain, paused) VALUES(?1, 0, '{}', 0)")?.execute([uri])?;
        let id = unsigned(self.db.last_insert_rowid());
        Ok(TopicState { id, uri: uri.to_owned(), head: 0, chain: Chain::default(), is_paused: false })
    }

    fn put_topic(&mut self, topic: &TopicState) -> rusqlite::Result<()> {
        let chain = serde_json::to_string(&topic.chain)
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        let mut stored = self.db.prepare_cached("UPDATE topic SET head=?2, chain=?3, paused=?4 WHERE id=?1")?;
        stored.execute(params![signed(topic.id), signed(topic.head), chain, topic.is_paused]).map(drop)
    }

    fn append(&mut self, topic: u64, payload: &Accepted) -> rusqlite::Result<()> {
        let mut stored = self.db.prepare_cached(
            "INSERT INTO payload(topic, seq, sha256, type, resourcesync, received, length, body) VALUES(?1,?2,?3,?4,?5,?6,?7,?8)",
        )?;
        stored.execute(params![
            signed(topic),
            signed(payload.seq),
            payload.digest,
            payload.content_type,
            payload.capability_list,
            payload.received.millis(),
            count(payload.body.len()),
            &*payload.body
        ])?;
        Ok(())
    }

    fn find_payload(&mut self, topic: u64, digest: &str) -> rusqlite::Result<Option<u64>> {
        let mut found = self.db.prepare_cached("SELECT seq FROM payload WHERE topic=?1 AND sha256=?2")?;
        found.query_row(params![signed(topic), digest], |row| number(row, 0)).optional()
    }

    fn payload_after(&mut self, topic: u64, seq: u64) -> rusqlite::Result<Option<Arc<Accepted>>> {
        let next = seq.saturating_add(1);
        // Only the next number is certain to be the first one after it.
        if let Some((_, recent)) = self.recent.iter().find(|(own, recent)| *own == topic && recent.seq == next) {
            return Ok(Some(recent.clone()));
        }
        let mut found = self.db.prepare_cached(
            "SELECT seq, sha256, type, resourcesync, received, body FROM payload WHERE topic=?1 AND seq>?2 ORDER BY seq LIMIT 1",
        )?;
        let payload = found.query_row([signed(topic), signed(seq)], accepted).optional()?;
        if let Some(payload) = &payload {
            self.recent.push_front((topic, payload.clone()));
            self.recent.truncate(CACHED);
        }
        Ok(payload)
    }

    fn expire(&mut self, topic: u64, before: Timestamp, bytes: u64) -> rusqlite::Result<u64> {
        // Bytes are summed from the last payload backwards.
        let removed = self
            .db
            .prepare_cached(
                "DELETE FROM payload WHERE topic=?1 AND seq<(SELECT head FROM topic WHERE id=?1) AND (received<?2 OR seq<=
                    (SELECT coalesce(max(seq), 0) FROM (SELECT seq, sum(length) OVER (ORDER BY seq DESC) AS used
                        FROM payload WHERE topic=?1) WHERE used>?3))",
            )?
            .execute([signed(topic), before.millis(), signed(bytes)])?;
        if removed > 0 {
            self.recent.clear();
        }
        Ok(removed as u64)
    }

    fn subscription(&mut self, id: u64) -> rusqlite::Result<Option<Subscription>> {
        let mut found = self.db.prepare_cached(&format!("{SUBSCRIPTION} WHERE id=?1"))?;
        found.query_row([signed(id)], subscription).optional()
    }

    fn find_subscription(&mut self, topic: u64, callback: &str) -> rusqlite::Result<Option<Subscription>> {
        let mut found = self.db.prepare_cached(&format!("{SUBSCRIPTION} WHERE topic=?1 AND callback=?2"))?;
        found.query_row(params![signed(topic), callback], subscription).optional()
    }

    fn add_subscription(&mut self, own: &Subscription) -> rusqlite::Result<u64> {
        let mut stored = self.db.prepare_cached(
            "INSERT INTO subscription(topic, callback, host, secret, lease_until, cursor, failures, refusals, failing_since,
                retry_at, last_status) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)",
        )?;
        stored.execute(params![
            signed(own.topic),
            own.callback,
            own.host,
            own.secret.as_ref().map(|secret| &secret.0),
            own.lease_until.millis(),
            signed(own.cursor),
            own.failures,
            own.refusals,
            own.failing_since.map(Timestamp::millis),
            own.retry_at.map(Timestamp::millis),
            own.last_status
        ])?;
        Ok(unsigned(self.db.last_insert_rowid()))
    }

    fn put_subscription(&mut self, own: &Subscription) -> rusqlite::Result<()> {
        let mut stored = self.db.prepare_cached(
            "UPDATE subscription SET secret=?2, lease_until=?3, cursor=?4, failures=?5, refusals=?6, failing_since=?7,
                retry_at=?8, last_status=?9 WHERE id=?1",
        )?;
        stored.execute(params![
            signed(own.id),
            own.secret.as_ref().map(|secret| &secret.0),
            own.lease_until.millis(),
            signed(own.cursor),
            own.failures,
            own.refusals,
            own.failing_since.map(Timestamp::millis),
            own.retry_at.map(Timestamp::millis),
            own.last_status
        ])?;
        Ok(())
    }

    fn remove_subscription(&mut self, id: u64) -> rusqlite::Result<()> {
        self.db.prepare_cached("DELETE FROM subscription WHERE id=?1")?.execute([signed(id)]).map(drop)
    }

    fn subscriptions(
        &mut self,
        topic: Option<u64>,
        host: Option<&str>,
        after: u64,
        most: usize,
    ) -> rusqlite::Result<Vec<Subscription>> {
        let sql = format!(
            "{SUBSCRIPTION} WHERE id>?3 AND (?1 IS NULL OR topic=?1) AND (?2 IS NULL OR host=?2) ORDER BY id LIMIT ?4"
        );
        let mut found = self.db.prepare_cached(&sql)?;
        found.query_map(params![topic.map(signed), host, signed(after), count(most)], subscription)?.collect()
    }

    fn lapsed(&mut self, now: Timestamp, most: usize) -> rusqlite::Result<Vec<Subscription>> {
        let mut found = self
            .db
            .prepare_cached(&format!("{SUBSCRIPTION} WHERE lease_until<=?1 ORDER BY lease_until, id LIMIT ?2"))?;
        found.query_map([now.millis(), count(most)], subscription)?.collect()
    }

    fn due(&mut self, topic: u64, now: Timestamp, after: Position, most: usize) -> rusqlite::Result<Vec<Due>> {
        let mut found = self.db.prepare_cached(
            "SELECT cursor, id, host FROM subscription WHERE topic=?1 AND (cursor, id)>(?3, ?4)
                AND cursor<(SELECT head FROM topic WHERE id=?1 AND paused=0) AND (retry_at IS NULL OR retry_at<=?2)
                ORDER BY cursor, id LIMIT ?5",
        )?;
        let rows = found
            .query_map([signed(topic), now.millis(), signed(after.0), signed(after.1), count(most)], |row| {
                Ok(Due { position: (number(row, 0)?, number(row, 1)?), host: row.get(2)? })
            })?;
        rows.collect()
    }

    fn next_retry(&mut self, now: Timestamp) -> rusqlite::Result<Option<Timestamp>> {
        let mut found = self.db.prepare_cached(
            "SELECT min(retry_at) FROM subscription WHERE retry_at>?1 AND topic IN (SELECT id FROM topic WHERE paused=0)",
        )?;
        found.query_row([now.millis()], |row| maybe_moment(row, 0))
    }

    fn add_pending(&mut self, own: &Pending) -> rusqlite::Result<u64> {
        let mut stored = self.db.prepare_cached("DELETE FROM pending WHERE topic=?1 AND callback=?2")?;
        stored.execute(params![signed(own.topic), own.callback])?;
        let mut stored = self.db.prepare_cached(
            "INSERT INTO pending(topic, callback, host, mode, secret, lease, challenge, attempt, created, sent, next)
                VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)",
        )?;
        stored.execute(params![
            signed(own.topic),
            own.callback,
            own.host,
            own.mode.as_str(),
            own.secret.as_ref().map(|secret| &secret.0),
            signed(own.lease.as_secs()),
            own.challenge.0,
            own.attempt,
            own.created.millis(),
            own.sent.millis(),
            own.next.millis()
        ])?;
        Ok(unsigned(self.db.last_insert_rowid()))
    }

    fn pending(&mut self, nonce: u64) -> rusqlite::Result<Option<Pending>> {
        let mut found = self.db.prepare_cached(&format!("{PENDING} WHERE nonce=?1"))?;
        found.query_row([signed(nonce)], pending).optional()
    }

    fn is_pending(&mut self, topic: u64, callback: &str) -> rusqlite::Result<bool> {
        let mut found = self.db.prepare_cached("SELECT 1 FROM pending WHERE topic=?1 AND callback=?2")?;
        found.exists(params![signed(topic), callback])
    }

    fn put_pending(&mut self, own: &Pending) -> rusqlite::Result<()> {
        let mut stored =
            self.db.prepare_cached("UPDATE pending SET challenge=?2, attempt=?3, sent=?4, next=?5 WHERE nonce=?1")?;
        stored.execute(params![
            signed(own.nonce),
            own.challenge.0,
            own.attempt,
            own.sent.millis(),
            own.next.millis()
        ])?;
        Ok(())
    }

    fn remove_pending(&mut self, nonce: u64) -> rusqlite::Result<()> {
        self.db.prepare_cached("DELETE FROM pending WHERE nonce=?1")?.execute([signed(nonce)]).map(drop)
    }

    fn count_pending(&mut self) -> rusqlite::Result<u64> {
        self.db.prepare_cached("SELECT count(*) FROM pending")?.query_row([], |row| number(row, 0))
    }

    fn pending_due(&mut self, now: Timestamp, most: usize) -> rusqlite::Result<Vec<Pending>> {
        let mut found = self.db.prepare_cached(&format!("{PENDING} WHERE next<=?1 ORDER BY nonce LIMIT ?2"))?;
        found.query_map([now.millis(), count(most)], pending)?.collect()
    }

    fn dead_letter(&mut self, letter: &DeadLetter) -> rusqlite::Result<()> {
        let mut stored = self.db.prepare_cached(
            "INSERT INTO dead(subscription, topic, callback, first, last, reason, status, at) VALUES(?1,?2,?3,?4,?5,?6,?7,?8)",
        )?;
        stored.execute(params![
            signed(letter.subscription),
            signed(letter.topic),
            letter.callback,
            signed(letter.first),
            signed(letter.last),
            letter.reason.as_str(),
            letter.status,
            letter.at.millis()
        ])?;
        Ok(())
    }

    fn forget_dead_letters(&mut self, before: Timestamp) -> rusqlite::Result<()> {
        self.db.prepare_cached("DELETE FROM dead WHERE at<?1")?.execute([before.millis()]).map(drop)
    }

    fn is_denied(&mut self, host: &str) -> rusqlite::Result<bool> {
        self.db.prepare_cached("SELECT 1 FROM denied WHERE host=?1")?.exists([host])
    }

    fn deny(&mut self, host: &str, is_denied: bool) -> rusqlite::Result<()> {
        let sql =
            if is_denied { "INSERT OR IGNORE INTO denied VALUES(?1)" } else { "DELETE FROM denied WHERE host=?1" };
        self.db.prepare_cached(sql)?.execute([host]).map(drop)
    }
}
