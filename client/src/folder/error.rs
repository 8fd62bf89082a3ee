//! Why a folder could not be used as it should.

use std::{fmt, io, path::PathBuf};

use crate::system::reason;

/// Why a folder could not be used as it should.
#[derive(Debug)]
#[non_exhaustive]
pub enum FolderError {
    /// Another run holds this lock.
    Locked(PathBuf),
    /// A path that does not end with a name, such as `/`.
    NoName(PathBuf),
    /// A folder that is not empty and was not published here.
    NotOurs(PathBuf),
    /// A file that should name a generation and does not.
    Mark(PathBuf),
    /// A published folder whose state is missing.
    StateMissing {
        /// The published folder.
        out: PathBuf,
        /// The generation it says it is.
        generation: u64,
        /// Where the state should be.
        state: PathBuf,
    },
    /// The system refused.
    Io {
        /// What it refused, as the beginning of a sentence that the path continues.
        what: &'static str,
        /// Where.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl FolderError {
    pub(super) fn io(what: &'static str, path: impl Into<PathBuf>, error: io::Error) -> FolderError {
        FolderError::Io { what, path: path.into(), error }
    }
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FolderError::Locked(path) => write!(f, "another run is at work ({} is locked)", path.display()),
            FolderError::NoName(path) => write!(f, "{} has no name of its own", path.display()),
            FolderError::NotOurs(path) => write!(f, "{} is not empty and was not published here", path.display()),
            FolderError::Mark(path) => write!(f, "{} does not name a generation", path.display()),
            FolderError::StateMissing { out, generation, state } => {
                write!(f, "{} is generation {generation}, of which {} knows nothing", out.display(), state.display())
            }
            FolderError::Io { what, path, error } => write!(f, "{what} {}: {}", path.display(), reason(error)),
        }
    }
}

impl std::error::Error for FolderError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            FolderError::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}
