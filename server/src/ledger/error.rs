//! Why a store cannot be used, or failed.

use std::{fmt, io, path::PathBuf};

use resourcesync::diagnostic::Reason;

/// A store that cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process has it open.
    Locked(PathBuf),
    /// It is not a store of a hub, or has a newer version.
    Format(String, String),
    /// A file could not be opened.
    Io(PathBuf, io::Error),
    /// The store failed.
    Ledger(LedgerError),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Locked(path) => {
                write!(f, "the store {} is used by another process; stop it, or use another store", path.display())
            }
            StoreError::Format(store, why) => write!(f, "the store {store} cannot be used: {why}"),
            StoreError::Io(path, error) => {
                write!(f, "the store {} could not be opened: {}", path.display(), Reason::from(error))
            }
            StoreError::Ledger(error) => write!(f, "the store failed: {error}"),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        StoreError::Ledger(LedgerError::Sqlite(error))
    }
}

impl From<LedgerError> for StoreError {
    fn from(error: LedgerError) -> StoreError {
        StoreError::Ledger(error)
    }
}

/// A failure of a store in use.
#[derive(Debug)]
#[non_exhaustive]
pub enum LedgerError {
    /// SQLite failed.
    Sqlite(rusqlite::Error),
    /// PostgreSQL failed. Messages of the server may contain values, and are reduced to their first line.
    #[cfg(feature = "postgres")]
    Postgres(postgres::Error),
    /// The store cannot be used now, for this reason.
    Unavailable(String),
    /// A stored value is broken.
    Value(&'static str),
    /// The system has no random numbers, without which a challenge could be guessed.
    Random,
}

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LedgerError::Sqlite(error) => error.fmt(f),
            #[cfg(feature = "postgres")]
            LedgerError::Postgres(error) => match error.as_db_error() {
                // The detail of an error has values of the row, such as callbacks.
                Some(error) => write!(f, "PostgreSQL: {} ({})", error.message(), error.code().code()),
                None => {
                    write!(f, "PostgreSQL: {error}")?;
                    match std::error::Error::source(error) {
                        Some(cause) => write!(f, ": {cause}"),
                        None => Ok(()),
                    }
                }
            },
            LedgerError::Unavailable(why) => f.write_str(why),
            LedgerError::Value(what) => write!(f, "{what} cannot be read"),
            LedgerError::Random => f.write_str("the system has no random numbers"),
        }
    }
}

impl std::error::Error for LedgerError {}

impl From<rusqlite::Error> for LedgerError {
    fn from(error: rusqlite::Error) -> LedgerError {
        LedgerError::Sqlite(error)
    }
}

#[cfg(feature = "postgres")]
impl From<postgres::Error> for LedgerError {
    fn from(error: postgres::Error) -> LedgerError {
        LedgerError::Postgres(error)
    }
}
