//! Errors of publishing a store.

use std::{fmt, path::PathBuf};

use crate::{oai::HarvestError, publish};

/// Why the records of a store were not published.
#[derive(Debug)]
#[non_exhaustive]
pub enum BridgeError {
    /// The store could not be read.
    Harvest(HarvestError),
    /// They could not be published.
    Publish(publish::Error),
    /// Files are to be published, and the store has none.
    NoFiles(PathBuf),
    /// An option of lists or notifications, where only packages are published.
    NoLists(&'static str),
}

impl From<HarvestError> for BridgeError {
    fn from(error: HarvestError) -> BridgeError {
        BridgeError::Harvest(error)
    }
}

impl From<publish::Error> for BridgeError {
    fn from(error: publish::Error) -> BridgeError {
        BridgeError::Publish(error)
    }
}

impl fmt::Display for BridgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BridgeError::Harvest(error) => error.fmt(f),
            BridgeError::Publish(error) => error.fmt(f),
            BridgeError::NoLists(option) => {
                write!(f, "{option} applies to lists and resources, and --form dump publishes packages only; omit it")
            }
            BridgeError::NoFiles(store) => write!(
                f,
                "{} has lines of JSON and no file for each record (--store jsonl)\nhelp: publish packages with --form dump, or harvest \
                 into a store of files",
                store.display()
            ),
        }
    }
}

impl std::error::Error for BridgeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            BridgeError::Harvest(error) => Some(error),
            BridgeError::Publish(error) => Some(error),
            BridgeError::NoFiles(_) | BridgeError::NoLists(_) => None,
        }
    }
}
