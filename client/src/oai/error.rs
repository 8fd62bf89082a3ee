//! Why a harvest could not be carried out or stored.

use std::{fmt, io, path::PathBuf};

use crate::{folder::FolderError, system::reason};

/// Why a harvest could not be carried out or stored.
#[derive(Debug)]
#[non_exhaustive]
pub enum HarvestError {
    /// The folder is locked, or could not be opened.
    Folder(FolderError),
    /// Something of a store could not be read or written.
    Io {
        /// What: `read` or `written`.
        what: &'static str,
        /// Where.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The records could not be passed on.
    Output(io::Error),
    /// A folder that is no store.
    NotAStore(PathBuf),
    /// A folder that is neither empty nor a store.
    NotOurs(PathBuf),
    /// A file of a store that is not as the state says it is.
    Changed(PathBuf),
    /// A file of a store that does not have the form it should have.
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The store has other records than those that are wanted now.
    OtherHarvest {
        /// The setting.
        setting: &'static str,
        /// What the store has.
        stored: String,
        /// What is wanted.
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
