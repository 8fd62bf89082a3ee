//! Errors of running or storing a harvest.

use std::{fmt, io, path::PathBuf};

use crate::{folder::FolderError, system::reason};

/// Errors of running or storing a harvest.
#[derive(Debug)]
#[non_exhaustive]
pub enum HarvestError {
    /// The folder is locked, or could not be opened.
    Folder(FolderError),
    /// A file of a store could not be read or written.
    Io {
        /// The operation: `read` or `written`.
        what: &'static str,
        /// The path.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The records could not be written to the output.
    Output(io::Error),
    /// A folder that is not a store.
    NotAStore(PathBuf),
    /// A folder that is neither empty nor a store.
    NotOurs(PathBuf),
    /// A file of a store that does not match the state.
    Changed(PathBuf),
    /// A store whose last harvest was interrupted while it stored records.
    Interrupted(PathBuf),
    /// A malformed file of a store.
    Malformed {
        /// The file.
        path: PathBuf,
        /// The problem.
        why: String,
    },
    /// The store contains other records than those requested.
    OtherHarvest {
        /// The setting.
        setting: &'static str,
        /// The value in the store.
        stored: String,
        /// The requested value.
        wanted: String,
    },
}

impl HarvestError {
    pub(super) fn read(path: impl Into<PathBuf>, error: io::Error) -> HarvestError {
        HarvestError::Io { what: "read", path: path.into(), error }
    }

    pub(super) fn write(path: impl Into<PathBuf>, error: io::Error) -> HarvestError {
        HarvestError::Io { what: "written", path: path.into(), error }
    }
}

impl From<FolderError> for HarvestError {
    fn from(error: FolderError) -> HarvestError {
        HarvestError::Folder(error)
    }
}

impl fmt::Display for HarvestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HarvestError::Folder(error) => error.fmt(f),
            HarvestError::Io { what, path, error } => {
                write!(f, "{} could not be {what}: {}", path.display(), reason(error))
            }
            HarvestError::Output(error) => write!(f, "the records could not be written: {}", reason(error)),
            HarvestError::NotAStore(path) => write!(f, "{} is not a harvested repository", path.display()),
            HarvestError::NotOurs(path) => {
                write!(f, "{} is neither empty nor a harvested repository", path.display())
            }
            HarvestError::Changed(path) => write!(
                f,
                "{} is not the file that state.json describes; restore it, or remove state.json and the catalogue to harvest everything again",
                path.display()
            ),
            HarvestError::Interrupted(path) => write!(
                f,
                "the last harvest was interrupted while it stored records in {folder}; run `resourcesync oai harvest {folder}`, which completes it",
                folder = path.display()
            ),
            HarvestError::Malformed { path, why } => write!(f, "{}: {why}", path.display()),
            HarvestError::OtherHarvest { setting, stored, wanted } => {
                write!(f, "the store has {setting} {stored}, not {wanted}; harvest into another folder")
            }
        }
    }
}

impl std::error::Error for HarvestError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            HarvestError::Folder(error) => Some(error),
            HarvestError::Io { error, .. } | HarvestError::Output(error) => Some(error),
            _ => None,
        }
    }
}
