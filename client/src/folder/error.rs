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
    /// A file that should contain the number of a generation but does not.
    Mark(PathBuf),
    /// A published folder whose state is missing.
    StateMissing {
        /// The published folder.
        out: PathBuf,
        /// Its generation.
        generation: u64,
        /// The path of the missing state.
        state: PathBuf,
    },
    /// A published folder that is missing, although its state exists.
    PublishedMissing {
        /// The published folder.
        out: PathBuf,
        /// The generation that was published last.
        generation: u64,
        /// The path of its state.
        state: PathBuf,
    },
    /// A foreign file has the name of a new file.
    Clash {
        /// The published folder.
        out: PathBuf,
        /// The name below it.
        name: PathBuf,
    },
    /// Something is mounted below a folder that is replaced as a whole. With the generation before, its content would be removed.
    Mounted {
        /// The folder.
        out: PathBuf,
        /// What is mounted.
        error: io::Error,
    },
    /// A copy of its own is in a folder that is replaced as a whole: its run would write into the generation before.
    CopyInside(PathBuf),
    /// Something other than a folder is in the place of a folder, for example a symbolic link, or it cannot
    /// be opened.
    NotFolder {
        /// A part of the path.
        name: String,
        /// The system error.
        error: io::Error,
    },
    /// Another process created a file of this name during the run.
    Appeared(String),
    /// An operation failed.
    System(io::Error),
    /// An operation on a path failed.
    Io {
        /// The operation, as the start of a sentence that ends with the path.
        what: &'static str,
        /// The path.
        path: PathBuf,
        /// The system error.
        error: io::Error,
    },
}

impl FolderError {
    pub(crate) fn io(what: &'static str, path: impl Into<PathBuf>, error: io::Error) -> FolderError {
        FolderError::Io { what, path: path.into(), error }
    }
}

impl From<io::Error> for FolderError {
    fn from(error: io::Error) -> FolderError {
        FolderError::System(error)
    }
}

impl From<&FolderError> for Reason {
    /// A code if there is one for the system error; otherwise text.
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
            FolderError::Mounted { out, error } => write!(
                f,
                "{}: {error}, and the folder is replaced as a whole; unmount it, or use another folder",
                out.display()
            ),
            FolderError::CopyInside(path) => write!(
                f,
                "{} is a copy of its own, in a folder that is replaced as a whole; use a folder outside of it",
                path.display()
            ),
            FolderError::NotFolder { name, error } => {
                write!(f, "`{name}` is no folder that can be entered ({})", reason(error))
            }
            FolderError::Appeared(name) => {
                write!(f, "another process created `{name}` in the meantime, perhaps another run with this folder")
            }
            FolderError::System(error) => reason(error).fmt(f),
            FolderError::Io { what, path, error } => write!(f, "{what} {}: {}", path.display(), reason(error)),
        }
    }
}

impl std::error::Error for FolderError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            FolderError::NotFolder { error, .. }
            | FolderError::Mounted { error, .. }
            | FolderError::System(error)
            | FolderError::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}
