//! The durable state of a subscriber, in SQLite: its values, and the events that a consumer has not processed yet.
//!
//! What one [`Subscriptions::commit`] records is on disk as a whole or not at all. A subscriber replies to a hub afterwards, so that a
//! process killed at any time has lost no notification that it accepted.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
};

use resourcesync_notify::state::{Keep, State};
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};

use crate::{
    folder::{FolderError, Lock},
    system::reason,
};

/// Identifies the file (`PRAGMA application_id`).
const APPLICATION: i64 = 0x5253_6c73;
/// The version of the tables (`PRAGMA user_version`).
const VERSION: i64 = 1;
/// The file, and the folder that it shares with its lock.
const FILE: &str = "subscriptions.sqlite";

const TABLES: &str = "
    CREATE TABLE value(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE event(id INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL);";

/// The state of a subscriber in a folder that one process may use at a time.
#[derive(Debug)]
pub struct Subscriptions {
    db: Connection,
    path: PathBuf,
    /// Bytes of the events that wait.
    waiting: u64,
    _lock: Lock,
}

impl Subscriptions {
    /// Opens the state in a folder, or creates it.
    ///
    /// # Errors
    ///
    /// If another process uses it, or it cannot be read or written.
    pub fn open(folder: &Path) -> Result<Subscriptions, StoreError> {
        let path = folder.join(FILE);
        let wrong = |why: String| StoreError::Unusable { path: path.clone(), why };
        create_private(folder).map_err(|error| wrong(reason(&error).to_string()))?;
        let lock = Lock::take(folder).map_err(|error| match error {
            FolderError::Locked(_) => StoreError::Locked(folder.to_path_buf()),
            other => wrong(other.to_string()),
        })?;
        create_file(&path).map_err(|error| wrong(reason(&error).to_string()))?;
        let open = || {
            let flags =
                OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NOFOLLOW | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let db = Connection::open_with_flags(&path, flags)?;
            db.query_row("PRAGMA journal_mode=WAL", [], |_| Ok(()))?;
            db.execute_batch("PRAGMA synchronous=FULL; PRAGMA trusted_schema=OFF; PRAGMA cache_size=-512")?;
            Ok(db)
        };
        let db = open().map_err(|error: rusqlite::Error| wrong(error.to_string()))?;
        let number = |pragma: &str| db.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, i64>(0));
        let numbers = || Ok((number("application_id")?, number("user_version")?, number("schema_version")?));
        match numbers().map_err(|error: rusqlite::Error| wrong(error.to_string()))? {
            (0, 0, 0) => db
                .execute_batch(&format!(
                    "BEGIN; {TABLES} PRAGMA application_id={APPLICATION}; PRAGMA user_version={VERSION}; COMMIT"
                ))
                .map_err(|error| wrong(error.to_string()))?,
            (APPLICATION, VERSION, _) => {}
            (APPLICATION, version, _) => {
                return Err(wrong(format!("it has version {version}; this program supports {VERSION}")));
            }
            _ => return Err(wrong("it is not the state of a subscriber".to_owned())),
        }
        let sum = db.query_row("SELECT coalesce(sum(length(CAST(event AS BLOB))), 0) FROM event", [], |row| {
            row.get::<_, u64>(0)
        });
        let waiting = sum.map_err(|error| wrong(error.to_string()))?;
        Ok(Subscriptions { db, path, waiting, _lock: lock })
    }

    /// The values of the subscriber.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub fn state(&self) -> Result<State, StoreError> {
        let read = || {
            let mut rows = self.db.prepare("SELECT key, value FROM value")?;
            let rows = rows.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
            rows.collect::<Result<Vec<_>, rusqlite::Error>>()
        };
        let rows = read().map_err(|error| self.wrong(error.to_string()))?;
        let parsed = rows.into_iter().map(|(key, value)| Ok((key, serde_json::from_str(&value)?)));
        parsed.collect::<Result<State, serde_json::Error>>().map_err(|error| self.wrong(error.to_string()))
    }

    /// A setting of an earlier run.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        let found = self.db.query_row("SELECT value FROM setting WHERE name=?1", [name], |row| row.get(0));
        found.optional().map_err(|error| self.wrong(error.to_string()))
    }

    /// Keeps a setting for later runs.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), StoreError> {
        let put = self.db.execute("INSERT OR REPLACE INTO setting VALUES(?1, ?2)", [name, value]);
        put.map(drop).map_err(|error| self.wrong(error.to_string()))
    }

    /// Records changed values and new events.
    ///
    /// # Errors
    ///
    /// If they cannot be written; then nothing of them is recorded.
    pub fn commit(&mut self, keeps: &[Keep], events: &[String]) -> Result<(), StoreError> {
        if keeps.is_empty() && events.is_empty() {
            return Ok(());
        }
        let mut record = || {
            let transaction = self.db.transaction()?;
            for Keep { key, value } in keeps {
                match value {
                    Some(value) => transaction
                        .prepare_cached("INSERT OR REPLACE INTO value VALUES(?1, ?2)")?
                        .execute(params![key, value.to_string()])?,
                    None => transaction.prepare_cached("DELETE FROM value WHERE key=?1")?.execute([key])?,
                };
            }
            for event in events {
                transaction.prepare_cached("INSERT INTO event(event) VALUES(?1)")?.execute([event])?;
            }
            transaction.commit()
        };
        record().map_err(|error: rusqlite::Error| self.wrong(error.to_string()))?;
        self.waiting = events.iter().fold(self.waiting, |sum, event| sum.saturating_add(event.len() as u64));
        Ok(())
    }

    /// The oldest events with their numbers, which grow: at most this many.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub fn events(&self, most: usize) -> Result<Vec<(i64, String)>, StoreError> {
        let read = || {
            let mut rows = self.db.prepare_cached("SELECT id, event FROM event ORDER BY id LIMIT ?1")?;
            let rows =
                rows.query_map([i64::try_from(most).unwrap_or(i64::MAX)], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect::<Result<Vec<_>, rusqlite::Error>>()
        };
        read().map_err(|error| self.wrong(error.to_string()))
    }

    /// Removes the events up to this number, which were processed.
    ///
    /// # Errors
    ///
    /// If that cannot be recorded; they are passed on again then.
    pub fn done(&mut self, last: i64) -> Result<(), StoreError> {
        let remove = || {
            let sum = "SELECT coalesce(sum(length(CAST(event AS BLOB))), 0) FROM event WHERE id<=?1";
            let bytes: u64 = self.db.query_row(sum, [last], |row| row.get(0))?;
            self.db.execute("DELETE FROM event WHERE id<=?1", [last])?;
            Ok(bytes)
        };
        let bytes = remove().map_err(|error: rusqlite::Error| self.wrong(error.to_string()))?;
        self.waiting = self.waiting.saturating_sub(bytes);
        Ok(())
    }

    /// Bytes of the events that wait.
    pub fn waiting(&self) -> u64 {
        self.waiting
    }

    fn wrong(&self, why: String) -> StoreError {
        StoreError::Unusable { path: self.path.clone(), why }
    }
}

/// The folder, which only this user can read: secrets are in the file.
fn create_private(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent)?;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        fs::DirBuilder::new().mode(0o700).create(folder)
    }
    #[cfg(not(unix))]
    fs::create_dir(folder)
}

fn create_file(path: &Path) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path).map(drop)
}

/// Why the state of a subscriber cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process uses it.
    Locked(PathBuf),
    /// It cannot be read or written.
    Unusable {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Locked(folder) => write!(f, "another process uses the subscriptions in {}", folder.display()),
            StoreError::Unusable { path, why } => write!(f, "{} cannot be used: {why}", path.display()),
        }
    }
}

impl std::error::Error for StoreError {}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_was_recorded_is_there_after_a_restart_and_events_leave_in_order() {
        let folder = std::env::temp_dir().join(format!("resourcesync-subscriptions-{}", std::process::id()));
        let mut store = Subscriptions::open(&folder).unwrap();
        assert!(matches!(Subscriptions::open(&folder), Err(StoreError::Locked(_))));
        let keep = Keep { key: "source:a".to_owned(), value: Some(serde_json::json!({ "version": 1 })) };
        store.commit(std::slice::from_ref(&keep), &["one".to_owned(), "two".to_owned()]).unwrap();
        store.set("callback", "https://me.example/").unwrap();
        drop(store);
        let mut store = Subscriptions::open(&folder).unwrap();
        assert_eq!(store.setting("callback").unwrap().as_deref(), Some("https://me.example/"));
        assert_eq!(store.state().unwrap().len(), 1);
        assert_eq!(store.waiting(), 6);
        let events = store.events(1).unwrap();
        assert_eq!(events.len(), 1);
        store.done(events[0].0).unwrap();
        assert_eq!(store.waiting(), 3);
        assert_eq!(store.events(9).unwrap(), [(events[0].0 + 1, "two".to_owned())]);
        store.commit(&[Keep { value: None, ..keep }], &[]).unwrap();
        assert!(store.state().unwrap().is_empty());
        drop(store);
        fs::remove_dir_all(&folder).unwrap();
    }
}
