//! Why a configuration cannot be used.

use std::{fmt, io, path::PathBuf};

use resourcesync::diagnostic::Reason;

/// A configuration that cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum SettingsError {
    /// The file could not be read.
    Io(PathBuf, io::Error),
    /// Something in it is wrong.
    Wrong {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingsError::Io(path, error) => {
                write!(f, "the configuration {} could not be read: {}", path.display(), Reason::from(error))
            }
            SettingsError::Wrong { path, line, problem } => write!(f, "{}:{line}: {problem}", path.display()),
        }
    }
}

impl std::error::Error for SettingsError {}
