//! Errors of folders and locks.

use std::{fmt, io, path::PathBuf};

use resourcesync::diagnostic::Reason;

use crate::system::reason;

/// An error of a folder or its lock.
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
    /// A published folder that is not there, although its state is.
    PublishedMissing {
        /// The published folder.
        out: PathBuf,
        /// The generation that was published last.
        generation: u64,
        /// Where its state is.
        state: PathBuf,
    },
    /// A file of others has the name that a new file needs.
    Clash {
        /// The published folder.
        out: PathBuf,
        /// The name below it.
        name: PathBuf,
    },
    /// What should be a folder is none, or cannot be entered; a symbolic link among them.
    NotFolder {
        /// A part of the path.
        name: String,
        /// What the system says.
        error: io::Error,
    },
    /// An operation failed.
    System(io::Error),
    /// An operation on a path failed.
    Io {
        /// What failed, as the beginning of a sentence that the path continues.
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

impl From<io::Error> for FolderError {
    fn from(error: io::Error) -> FolderError {
        FolderError::System(error)
    }
}

impl From<&FolderError> for Reason {
    /// As a code, if the system refused something that has one; otherwise as text.
    fn from(error: &FolderError) -> Reason {
        match error {
            FolderError::System(error) | FolderError::Io { error, .. } => reason(error),
            _ => Reason::other(error.to_string()),
        }
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
                write!(f, "{} is generation {generation}, which has no state in {}", out.display(), state.display())
            }
            FolderError::PublishedMissing { out, generation, state } => write!(
                f,
                "{} is not there or empty, but {} has the state of its generation {generation}",
                out.display(),
                state.display()
            ),
            FolderError::Clash { out, name } => write!(
                f,
                "{} was not published here, and a file of the next generation needs its name; move it away",
                out.join(name).display()
            ),
            FolderError::NotFolder { name, error } => {
                write!(f, "`{name}` is no folder that can be entered ({})", reason(error))
            }
            FolderError::System(error) => reason(error).fmt(f),
            FolderError::Io { what, path, error } => write!(f, "{what} {}: {}", path.display(), reason(error)),
        }
    }
}

impl std::error::Error for FolderError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            FolderError::NotFolder { error, .. } | FolderError::System(error) | FolderError::Io { error, .. } => {
                Some(error)
            }
            _ => None,
        }
    }
}
