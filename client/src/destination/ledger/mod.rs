//! The ledger of a copy: what is stored, what is being placed, what is to be tried again. All SQL is in this room.
//!
//! | file | what it does |
//! | --- | --- |
//! | `schema` | the tables, and their versions |
//! | `resources` | the stored resources |
//! | `placing` | files on their way to their places, and out of them |
//! | `plan` | what this run has to do |
//! | `changes` | the last change of each resource, and how far changes have been processed |
//! | `related` | which entries link to which related resources |
//! | `retries` | what could not be stored |
//! | `versions` | the versions of the history |
//! | `runs` | the runs |
//! | `pending` | changes that a program has not acknowledged yet |
//! | `unconfirmed` | changes of notifications that no list has yet |
//! | `compared` | what an audit finds |

mod changes;
mod compared;
mod pending;
mod placing;
mod plan;
mod related;
mod resources;
mod retries;
mod runs;
mod schema;
mod unconfirmed;
mod versions;

use std::{cell::Cell, io, path::Path};

use resourcesync_sync::{
    StoredState,
    ledger::{Store, StoredResource},
};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, Transaction};

pub(super) use self::{
    pending::Pending,
    placing::{Move, Placing},
};
use super::{SyncError, folder::Keep};

/// Rows that are written in one transaction although each could have its own.
const GATHERED: usize = 256;

/// The ledger of one copy.
#[derive(Debug)]
pub(super) struct Ledger {
    db: Connection,
    /// Rows that were written in the open transaction of [`Ledger::gather`].
    gathered: Cell<usize>,
    /// True if links of any resource are passed on.
    has_links: bool,
}

impl Store for Ledger {
    type Error = SyncError;

    /// Outside of a transaction, SQLite locks the file for each lookup, and looks for a journal that a killed run left: that takes longer
    /// than the lookup.
    fn begin_batch(&mut self) -> Result<(), SyncError> {
        self.begin()
    }

    /// Rows that were gathered wait for others still.
    fn end_batch(&mut self) -> Result<(), SyncError> {
        if self.gathered.get() == 0 { self.end_gathering() } else { Ok(()) }
    }
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
            let db = Connection::open_with_flags(path, flags)?;
            if schema::is_new(&db)? { Ok(None) } else { Ledger::check(db, false).map(Some) }
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
        schema::prepare(&db, makes)?;
        db.set_prepared_statement_cache_capacity(32);
        let is_made =
            db.query_row("SELECT 1 FROM sqlite_master WHERE name='links'", [], |_| Ok(())).optional()?.is_some();
        let has_links = is_made && db.query_row("SELECT 1 FROM links LIMIT 1", [], |_| Ok(())).optional()?.is_some();
        Ok(Ledger { db, gathered: Cell::new(0), has_links })
    }

    /// Begins a transaction, after what was gathered before.
    fn transaction(&mut self) -> Result<Transaction<'_>, SyncError> {
        self.end_gathering()?;
        Ok(self.db.transaction()?)
    }

    /// Lets the next row be written together with others. What a killed run has gathered and not recorded, the next run finds out again.
    fn gather(&self) -> Result<(), SyncError> {
        if self.gathered.get() >= GATHERED {
            self.end_gathering()?;
        }
        self.begin()?;
        self.gathered.set(self.gathered.get().saturating_add(1));
        Ok(())
    }

    /// Begins a transaction, unless one is open.
    fn begin(&self) -> Result<(), SyncError> {
        if self.db.is_autocommit() {
            self.db.execute_batch("BEGIN")?;
        }
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

    /// Writes a copy to a new file, from which a run on another machine can go on. Fails if this needs files of this machine.
    pub(super) fn copy_to(&self, path: &Path) -> Result<(), SyncError> {
        self.end_gathering()?;
        for (table, why) in [
            ("placing", "what a run that did not end was storing is on this machine"),
            ("moving", "what a run that did not end was moving is on this machine"),
            ("version", "the versions of the history are on this machine"),
        ] {
            if self.has_any(table)? {
                return Err(SyncError::State(why.to_owned()));
            }
        }
        self.db.execute("VACUUM INTO ?1", [path.to_str()])?;
        Ok(())
    }

    /// True if a table has rows.
    pub(super) fn has_any(&self, table: &str) -> Result<bool, SyncError> {
        Ok(self.db.prepare(&format!("SELECT 1 FROM {table}"))?.exists([])?)
    }

    /// Removes the rows of a document from a table of this run. All rows go at once, however many there are.
    fn forget(&self, table: &str, document: Option<u32>) -> Result<(), SyncError> {
        let all = format!("DELETE FROM {table}");
        match document {
            Some(document) => self.db.prepare_cached(&format!("{all} WHERE document=?1"))?.execute([document])?,
            None => self.db.execute(&all, [])?,
        };
        Ok(())
    }

    /// Sets several values at once.
    pub(super) fn put_all(&mut self, values: &[(&str, &str)]) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        for (key, value) in values {
            set(&transaction, key, value)?;
        }
        transaction.commit()?;
        Ok(())
    }
}

/// Within a transaction: sets a value.
fn set(db: &Connection, key: &str, value: &str) -> Result<(), SyncError> {
    db.prepare_cached("INSERT OR REPLACE INTO meta(key, value) VALUES(?1, ?2)")?.execute([key, value])?;
    Ok(())
}

/// A resource in its first eleven columns.
fn stored(row: &Row<'_>) -> rusqlite::Result<StoredResource> {
    Ok(StoredResource {
        id: row.get(0)?,
        uri: row.get(1)?,
        path: row.get(2)?,
        state: StoredState {
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

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests;
