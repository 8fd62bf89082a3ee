//! The store of a hub in SQLite: one file, one writer, durable at every commit.

mod copies;
mod known;
mod operations;
mod rows;
mod store;

use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, config::DbConfig, vtab::array};

use self::known::Known;
use super::StoreError;

/// Identifies the file (`PRAGMA application_id`).
const APPLICATION: i64 = 0x5253_6875;
/// The version of the tables (`PRAGMA user_version`).
const VERSION: i64 = 1;

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

/// The lock file of a store, locked until this is dropped.
#[derive(Debug)]
struct Lock(File);

/// To close the file does not suffice: a process that this one is starting has it open until it runs its program.
impl Drop for Lock {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

/// The store of a hub. Only one process can have it open.
#[derive(Debug)]
pub struct SqliteLedger {
    db: Connection,
    known: Box<Known>,
    _lock: Lock,
}

impl SqliteLedger {
    /// Opens a store, and creates it if necessary. Its files are readable by their owner only.
    ///
    /// # Errors
    ///
    /// If another process has it open, or it is not a store of this version.
    pub fn open(path: &Path) -> Result<SqliteLedger, StoreError> {
        // SQLite gives its other files the permissions of this one. It exists before it is locked, so that a link to it has its name, too.
        private(path).map_err(|error| StoreError::Io(path.to_owned(), error))?;
        let path = &real(path).map_err(|error| StoreError::Io(path.to_owned(), error))?;
        let lock_path = sibling(path, ".lock");
        let lock = private(&lock_path).map_err(|error| StoreError::Io(lock_path.clone(), error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::Locked(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(StoreError::Io(lock_path, error)),
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(path, flags)?;
        db.query_row("PRAGMA journal_mode=WAL", [], |_| Ok(()))?;
        // FULL: a commit returns after the fsync of the write-ahead log.
        db.execute_batch("PRAGMA synchronous=FULL; PRAGMA trusted_schema=OFF; PRAGMA cache_size=-32768")?;
        let number = |pragma: &str| db.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, i64>(0));
        if [number("application_id")?, number("user_version")?, number("schema_version")?] == [0; 3] {
            db.execute_batch(&format!(
                "BEGIN; {TABLES} PRAGMA application_id={APPLICATION}; PRAGMA user_version={VERSION}; COMMIT"
            ))?;
        }
        check_format(&db, path)?;
        // Plans do not depend on values, so that statements are not prepared again for them.
        db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        db.set_prepared_statement_cache_capacity(64);
        array::load_module(&db)?;
        Ok(SqliteLedger { db, known: Box::default(), _lock: Lock(lock) })
    }
}

/// Copies the store of a running or stopped hub into a new file.
///
/// # Errors
///
/// If the store cannot be read, or the file exists.
pub fn back_up(store: &Path, file: &Path) -> Result<(), StoreError> {
    // SQLite does not report why a file cannot be opened.
    File::open(store).map_err(|error| StoreError::Io(store.to_owned(), error))?;
    let db = Connection::open_with_flags(store, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    db.busy_timeout(Duration::from_secs(30))?;
    check_format(&db, store)?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    owner_only(&mut options).open(file).map_err(|error| StoreError::Io(file.to_owned(), error))?;
    let name = file.to_str().ok_or_else(|| {
        StoreError::Format(file.display().to_string(), "the name of a backup must be valid Unicode".to_owned())
    })?;
    let copied = db.execute("VACUUM INTO ?1", [name]);
    if copied.is_err() {
        let _ = std::fs::remove_file(file);
    }
    copied.map(drop).map_err(StoreError::from)
}

/// The one name of a store, by which it is locked: another one could be a link to it.
fn real(path: &Path) -> io::Result<PathBuf> {
    let real = std::fs::canonicalize(path)?;
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::nlink(&std::fs::metadata(&real)?) > 1 {
        return Err(io::Error::other("it has several names (hard links), by which several processes could use it"));
    }
    Ok(real)
}

/// Rejects a database that is not a store of this version.
fn check_format(db: &Connection, path: &Path) -> Result<(), StoreError> {
    let number = |pragma: &str| db.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, i64>(0));
    let why = match (number("application_id")?, number("user_version")?) {
        (APPLICATION, VERSION) => return Ok(()),
        (APPLICATION, version) => {
            format!("it has version {version}, and this program supports {VERSION}; use a newer program")
        }
        _ => "it is not the store of a hub".to_owned(),
    };
    Err(StoreError::Format(path.display().to_string(), why))
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

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_store_is_locked_by_its_own_name_and_only_a_store_is_backed_up() {
        let folder = std::env::temp_dir().join(format!("resourcesync-hub-names-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let [store, link, hard, other, copy] =
            ["hub.sqlite", "link.sqlite", "hard.sqlite", "other", "copy"].map(|name| folder.join(name));
        // Also where the link was there first.
        std::os::unix::fs::symlink("hub.sqlite", &link).unwrap();
        let open = SqliteLedger::open(&link).unwrap();
        for name in [&store, &link] {
            assert!(matches!(SqliteLedger::open(name), Err(StoreError::Locked(_))));
        }
        back_up(&link, &copy).unwrap();
        drop(open);
        drop(SqliteLedger::open(&link).unwrap());
        fs::hard_link(&store, &hard).unwrap();
        assert!(SqliteLedger::open(&hard).unwrap_err().to_string().contains("several names"));
        fs::write(&other, "").unwrap();
        fs::remove_file(&copy).unwrap();
        assert!(back_up(&other, &copy).unwrap_err().to_string().contains("not the store of a hub"));
        assert!(!copy.exists());
        fs::remove_dir_all(folder).unwrap();
    }
}
