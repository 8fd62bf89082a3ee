//! Errors of a run that publishes.

use std::{fmt, io, path::PathBuf};

use resourcesync::{
    build::{self, Refused},
    publish::{Mismatch, Rejected},
    report::Lang,
};

use resourcesync_notify::{announce::AnnounceError, publication::AnnouncementError};

use super::Guard;
use crate::{folder::FolderError, notify::OutboxError, system::reason};

/// Why nothing was published.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A document would have been invalid.
    Refused(Box<Refused>),
    /// The input makes a change that is not allowed, such as deleting most resources.
    Guarded(Guard),
    /// The published folder or the one with its state cannot be used.
    Folder(FolderError),
    /// A file that the run depends on was changed or damaged.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The problem.
        why: String,
    },
    /// A file cannot be read, or changes whenever it is read.
    Unreadable(String),
    /// An inventory is not UTF-8.
    NotUtf8 {
        /// Its name.
        inventory: String,
        /// The first line that is not UTF-8.
        line: u64,
    },
    /// What was published is missing from the options of this run.
    Dropped(Dropped),
    /// An event does not fit what is published, which was to be refused.
    Unexpected {
        /// The URI of the resource.
        uri: String,
        /// The resource is published, but was to be created; otherwise it is not published, but was to be updated or deleted.
        is_known: bool,
        /// The line of the event; 0 if it is unknown.
        line: u64,
    },
    /// The run was cancelled.
    Cancelled,
    /// Anything else, such as input that cannot be read.
    Other(String),
}

/// A part of a Source that later runs continue, or withdraw on request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dropped {
    /// Packages.
    Packages,
    /// Notification channels.
    Channels,
    /// Topics with another base URI, or with none.
    Topics {
        /// The base URI of the published ones.
        published: String,
        /// That of this run.
        given: String,
    },
}

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dropped::Packages => f.write_str(
                "--dump is missing, but --out was published with packages\nhelp: add --dump, or withdraw the packages with \
                 --no-dump",
            ),
            Dropped::Channels => f.write_str(
                "--hub is missing, but --out was published with notification channels\nhelp: add --hub, or withdraw the \
                 channels with --no-hub",
            ),
            Dropped::Topics { published, given } => write!(
                f,
                "the topics are below {given}, but were published below {published}, where subscribers wait for \
                 them\nhelp: correct --topics-uri, or withdraw the channels with --no-hub before you publish the new ones"
            ),
        }
    }
}

impl Error {
    /// An error with this message.
    pub(crate) fn new(message: impl Into<String>) -> Error {
        Error::Other(message.into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Refused(refused) => write!(f, "{refused}\nhelp: {}", refused.help(Lang::En)),
            Error::Guarded(guard) => guard.fmt(f),
            Error::Folder(FolderError::NotOurs(out)) => {
                let words = "is not empty, and is no folder that this command updates; --out is a new or empty one";
                write!(f, "{} {words}", out.display())
            }
            Error::Folder(error @ FolderError::StateMissing { .. }) => write!(
                f,
                "{error}\nhelp: restore it from a backup, or rebuild it from what is published with --rebuild-state"
            ),
            Error::Folder(error @ FolderError::PublishedMissing { state, .. }) => write!(
                f,
                "{error}\nhelp: restore the folder from a backup, or delete {} too and begin a new Source",
                state.display()
            ),
            Error::Damaged { path, why } => write!(
                f,
                "{} is damaged: {why}\nhelp: restore it from a backup, or rebuild the state from what is published with \
                 --rebuild-state",
                path.display()
            ),
            Error::Folder(error) => error.fmt(f),
            Error::Unreadable(why) => write!(f, "{why}; nothing was published"),
            Error::NotUtf8 { inventory, line } => {
                write!(f, "{inventory}:{line}: the line is not UTF-8\nhelp: save the file as UTF-8")
            }
            Error::Dropped(dropped) => dropped.fmt(f),
            Error::Unexpected { uri, is_known, line } => {
                if *line > 0 {
                    write!(f, "line {line}: ")?;
                }
                let why = if *is_known { "is published already and cannot be created" } else { "is not published" };
                write!(f, "{uri} {why} (--strict-events)")
            }
            Error::Cancelled => f.write_str("interrupted; nothing was published"),
            Error::Other(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}

impl From<String> for Error {
    fn from(message: String) -> Error {
        Error::Other(message)
    }
}

impl From<&str> for Error {
    fn from(message: &str) -> Error {
        Error::Other(message.to_owned())
    }
}

impl From<Guard> for Error {
    fn from(guard: Guard) -> Error {
        Error::Guarded(guard)
    }
}

impl From<Rejected> for Error {
    fn from(rejected: Rejected) -> Error {
        Error::Refused(rejected.refused)
    }
}

impl From<Mismatch> for Error {
    fn from(mismatch: Mismatch) -> Error {
        let other = |option: &str, published: &str, given: &str| {
            format!("{option} is {given}, but --out was published with {published}; publish to another --out").into()
        };
        match mismatch {
            Mismatch::BaseUri { published, given } => other("--base-uri", &published, &given),
            Mismatch::DocumentsUri { published, given } => other("--documents-uri", &published, &given),
            Mismatch::Suffix { published, .. } if published.ends_with(".gz") => {
                "--out was published with --gzip; repeat the option, or publish to another --out".into()
            }
            Mismatch::Suffix { .. } => {
                "--out was published without --gzip; omit the option, or publish to another --out".into()
            }
            Mismatch::InSets => {
                "every resource is in a set, but --out was published without sets; publish to another --out".into()
            }
            Mismatch::WithoutSets => {
                "no resource is in a set, but --out was published with sets; publish to another --out".into()
            }
            Mismatch::SetMissing(name) => {
                format!("--set {name} is missing, but --out was published with it; publish to another --out").into()
            }
            Mismatch::SetAdded(name) => {
                format!("--set {name} is given, but --out was published without sets; publish to another --out").into()
            }
            Mismatch::OnlyDumps => {
                "--out was published with lists; omit --form dump, or publish to another --out".into()
            }
            Mismatch::Lists => {
                "--out was published without lists, by `oai bridge --form dump`; publish to another --out".into()
            }
            Mismatch::Packages => Error::Dropped(Dropped::Packages),
            Mismatch::Channels => Error::Dropped(Dropped::Channels),
            Mismatch::Topics { published, given } => Error::Dropped(Dropped::Topics { published, given }),
            _ => "the run does not continue what --out was published with; publish to another --out".into(),
        }
    }
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Error {
        Error::Refused(Box::new(refused))
    }
}

impl From<FolderError> for Error {
    fn from(error: FolderError) -> Error {
        Error::Folder(error)
    }
}

impl From<OutboxError> for Error {
    fn from(error: OutboxError) -> Error {
        Error::new(error.to_string())
    }
}

impl From<AnnouncementError> for Error {
    fn from(error: AnnouncementError) -> Error {
        match error {
            AnnouncementError::Announce(error) => error.into(),
            other => Error::new(other.to_string()),
        }
    }
}

impl From<AnnounceError> for Error {
    fn from(error: AnnounceError) -> Error {
        match error {
            AnnounceError::Refused(refused) => Error::Refused(Box::new(refused)),
            error => Error::new(error.to_string()),
        }
    }
}

impl From<build::PublishError<io::Error>> for Error {
    fn from(error: build::PublishError<io::Error>) -> Error {
        match error {
            build::PublishError::Refused(refused) => Error::Refused(Box::new(refused)),
            build::PublishError::Store(error) => {
                Error::new(format!("a document could not be written: {}", reason(&error)))
            }
            build::PublishError::Misuse(message) => message.into(),
        }
    }
}
