//! Errors that end a run.

use std::{fmt, io, path::PathBuf};

use resourcesync::diagnostic::Reason;
use resourcesync_sync::report::{Finding, Report};

use super::{clock::now, folder::Latest};
use crate::{folder::FolderError, http, system::reason};

/// Errors that end a run.
#[derive(Debug)]
#[non_exhaustive]
pub enum SyncError {
    /// The folder is locked by another run, or cannot be used.
    Folder(FolderError),
    /// A file or folder of the copy could not be written or read.
    Io(io::Error),
    /// The ledger is damaged, locked, or of a later version.
    State(String),
    /// The folder holds a copy of another Source.
    OtherSource {
        /// The Source it is a copy of.
        held: String,
    },
    /// The copy has another layout.
    OtherLayout {
        /// The layout of the copy.
        held: &'static str,
    },
    /// Files of a copy that keeps its bytes elsewhere cannot be renamed.
    NoRelayout,
    /// The copy is of other sets.
    OtherSets {
        /// The Capability Lists it is of; empty for all.
        held: Vec<String>,
    },
    /// The folder of the state has that of another copy.
    OtherFolder {
        /// The folder of the state.
        state: String,
        /// The copy that it belongs to.
        held: String,
    },
    /// None of the files that were looked for is in the folder.
    NoFiles,
    /// The copy keeps its bytes elsewhere.
    OtherStore {
        /// Where it keeps them: `folder`, `store`, or `until-done`.
        held: String,
    },
    /// The store was changed by a run whose state is on another machine.
    StateElsewhere,
    /// The store was changed by a run that has saved its state there.
    StateSaved,
    /// Generations need the files and the state in one folder, and no program that takes the changes.
    NotWhole,
    /// The working folder is in the folder, which a generation takes the place of.
    WorkingFolder(PathBuf),
    /// The folder is a generation of this copy, and not the one that readers see.
    EarlierGeneration(PathBuf),
    /// The changes are closed.
    Closed,
    /// The folder is not a copy, and no Source was specified.
    NotACopy,
    /// The URI cannot be requested.
    Http(http::Error),
}

impl SyncError {
    /// Why the state cannot be used, or another error.
    pub(super) fn of_state(&self) -> Reason {
        match self {
            SyncError::State(why) => Reason::other(why.clone()),
            error => Reason::other(error.to_string()),
        }
    }

    /// The reason why the folder cannot be written to, if that is the error.
    pub fn reason(&self) -> Option<Reason> {
        match self {
            SyncError::Io(error) => Some(reason(error)),
            _ => None,
        }
    }
}

impl From<FolderError> for SyncError {
    fn from(error: FolderError) -> SyncError {
        SyncError::Folder(error)
    }
}

impl From<Latest> for SyncError {
    fn from(latest: Latest) -> SyncError {
        match latest {
            Latest::Saved(_) => SyncError::StateSaved,
            Latest::Known(_) | Latest::Elsewhere => SyncError::StateElsewhere,
        }
    }
}

impl From<io::Error> for SyncError {
    fn from(error: io::Error) -> SyncError {
        SyncError::Io(error)
    }
}

impl From<rusqlite::Error> for SyncError {
    fn from(error: rusqlite::Error) -> SyncError {
        use rusqlite::ErrorCode as Code;
        match error.sqlite_error_code() {
            Some(Code::DiskFull) => SyncError::Io(io::ErrorKind::StorageFull.into()),
            Some(Code::ReadOnly) => SyncError::Io(io::ErrorKind::ReadOnlyFilesystem.into()),
            Some(Code::SystemIoFailure | Code::CannotOpen) => SyncError::Io(io::Error::other(error.to_string())),
            _ => SyncError::State(error.to_string()),
        }
    }
}

impl From<serde_json::Error> for SyncError {
    fn from(error: serde_json::Error) -> SyncError {
        SyncError::State(error.to_string())
    }
}

impl fmt::Display for SyncError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SyncError::Folder(error) => error.fmt(f),
            SyncError::Io(error) => reason(error).fmt(f),
            SyncError::State(why) => {
                write!(
                    f,
                    "the state of the copy cannot be used: {why}; `resourcesync sync --rebuild URI DIR` recreates it"
                )
            }
            SyncError::OtherSource { held } => write!(f, "the folder holds a copy of {held}; use another folder"),
            SyncError::OtherLayout { held } => {
                write!(
                    f,
                    "the folder has the layout `{held}` and folders that its first run fixed; --relayout renames its files"
                )
            }
            SyncError::NoRelayout => {
                f.write_str("--relayout renames the files of a folder, and this copy keeps its bytes elsewhere")
            }
            SyncError::OtherSets { held } if held.is_empty() => {
                f.write_str("the folder holds all sets of the Source; use another folder for some of them")
            }
            SyncError::OtherSets { held } => {
                write!(f, "the folder holds the sets {}; use another folder for others", held.join(", "))
            }
            SyncError::OtherFolder { state, held } => {
                write!(f, "{state} has the state of the copy in {held}; name another folder")
            }
            SyncError::NoFiles => f.write_str(
                "none of a few files of this copy is in its place: is the folder mounted, and the store the right one? With --full what is missing is transferred again",
            ),
            SyncError::OtherStore { held } => {
                let place = match &**held {
                    "store" => "in a store of the program",
                    "until-done" => "until its changes are acknowledged",
                    "folder" => "in its folder",
                    store => &format!("in {store}"),
                };
                write!(f, "the copy keeps its bytes {place}; use another folder to keep them elsewhere")
            }
            SyncError::StateElsewhere => f.write_str(
                "the state of the copy is older than its store, and the newer one is on the machine of the last run: run there, or compare everything with --rebuild",
            ),
            SyncError::StateSaved => f.write_str(
                "the state of the copy is older than its store: the next run takes over the newer one, which is saved there",
            ),
            SyncError::NotWhole => f.write_str(
                "--whole needs the files and their state in one folder: without --state, a store or a program that takes the changes",
            ),
            SyncError::WorkingFolder(folder) => write!(
                f,
                "the working folder is in {}, which --whole replaces; work in another folder, such as the one above",
                folder.display()
            ),
            SyncError::EarlierGeneration(copy) => {
                write!(f, "the folder is an earlier generation of {}; name that one, or enter it again", copy.display())
            }
            SyncError::Closed => f.write_str("the changes are closed; open them again"),
            SyncError::NotACopy => {
                f.write_str("the folder is no copy of a Source; `resourcesync sync URI DIR` makes one")
            }
            SyncError::Http(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SyncError {}

/// The report of a run that was not possible, since the state of the copy cannot be used ([`SyncError::State`]).
pub fn damaged(uri: &str, dry_run: bool, why: &str) -> Report {
    without_run(uri, dry_run, "SYN-11", why)
}

/// The report of a run that was not possible for another reason, in a run of several Sources.
pub fn no_run(uri: &str, dry_run: bool, why: &str) -> Report {
    without_run(uri, dry_run, "SYN-22", why)
}

fn without_run(uri: &str, dry_run: bool, code: &str, why: &str) -> Report {
    let mut report = Report::begin(0, dry_run, uri, now());
    report.run.ended = now();
    report.diagnostics.extend(Finding::new(code, [("reason", Reason::other(why.to_owned()).into())]));
    report
}
