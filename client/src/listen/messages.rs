//! The events of the driver, and what a face provides and shows.

use std::{collections::BTreeSet, fmt, path::PathBuf, sync::Arc};

use resourcesync::diagnostic::Reason;
use resourcesync_notify::{
    exchange::{Reply, Request},
    listener::{Ending, Input, Trigger},
    moment::Timestamp,
    state::StateError,
    subscriber::Output,
};
use resourcesync_sync::report::Report;

use crate::{http::Client, notify::StoreError};

/// Replies to a request of a hub; without a reply the hub sends it again.
pub type Respond = Box<dyn FnOnce(Option<Reply>) + Send>;

/// Creates the clients of a listener. A client resolves each name once, so that they are created again and again.
pub type Clients = Arc<dyn Fn(Purpose) -> Result<Arc<Client>, String> + Send + Sync>;

/// What a client is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Requests to Sources and hubs. A Source chooses its hubs: they may be on any public host.
    Exchanges,
    /// A run on the copy.
    Copy {
        /// True if caches are not used.
        is_retry: bool,
    },
}

/// An event that the driver waits for.
pub enum DriverEvent {
    /// A hub sent a request.
    Arrived(Request, Respond),
    /// The process was asked to stop.
    Stop,
    /// A request to a Source or a hub ended.
    Exchanged(Input),
    /// The consumer took the events up to this number.
    Consumed(i64),
    /// The consumer failed, and tries again.
    NotConsumed(ConsumeError),
    /// The copy was synchronized.
    Synced {
        /// Why.
        why: BTreeSet<Trigger>,
        /// The report, or why there is none.
        result: Result<Box<Report>, String>,
    },
    /// A notification was applied; `None` if it could not be.
    Applied(Option<Box<Report>>),
}

impl fmt::Debug for DriverEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DriverEvent::Arrived(..) => "Arrived",
            DriverEvent::Stop => "Stop",
            DriverEvent::Exchanged(_) => "Exchanged",
            DriverEvent::Consumed(_) => "Consumed",
            DriverEvent::NotConsumed(_) => "NotConsumed",
            DriverEvent::Synced { .. } => "Synced",
            DriverEvent::Applied(_) => "Applied",
        })
    }
}

/// The user's side of a listener.
pub trait Face {
    /// The event that an output is for programs and files, as a JSON object in one line; `None` if it is none.
    fn event(&self, output: &Output, at: Timestamp) -> Option<String>;

    /// Shows something to the user.
    fn show(&mut self, shown: Shown<'_>, at: Timestamp);

    /// Accepts no more requests: the process ends.
    fn close(&mut self);
}

/// Something to show.
#[derive(Debug, Clone, Copy)]
pub enum Shown<'a> {
    /// An output of the listener, which is durable.
    Output(&'a Output),
    /// The copy was synchronized.
    Synced(&'a BTreeSet<Trigger>, &'a Report),
    /// A notification was applied.
    Applied(&'a Report),
    /// The consumer failed, and tries again.
    NotConsumed(&'a ConsumeError),
    /// The copy could not be synchronized, or values could not be stored.
    Failed(&'a str),
}

/// How a listener ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The process was asked to stop.
    Stopped,
    /// The listener ended.
    Over(Ending),
}

/// Why a consumer has not taken an event.
#[derive(Debug)]
pub enum ConsumeError {
    /// The program could not be run.
    NotRun {
        /// The program.
        program: PathBuf,
        /// The reason.
        reason: Reason,
    },
    /// The program was ended after this time.
    Ended {
        /// The program.
        program: PathBuf,
        /// The time in seconds.
        seconds: u64,
    },
    /// The program failed.
    Failed {
        /// The program.
        program: PathBuf,
        /// The number of the event.
        event: i64,
        /// The exit status.
        status: String,
    },
    /// The file could not be written.
    Unwritable {
        /// The file.
        file: PathBuf,
        /// The reason.
        reason: Reason,
    },
}

/// Why a listener cannot be driven.
#[derive(Debug)]
#[non_exhaustive]
pub enum ListenError {
    /// Its state cannot be read or written.
    Store(StoreError),
    /// Its state has another version.
    State(StateError),
    /// There are no random numbers.
    Random,
}

impl fmt::Display for ListenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ListenError::Store(error) => error.fmt(f),
            ListenError::State(error) => error.fmt(f),
            ListenError::Random => f.write_str("there are no random numbers"),
        }
    }
}

impl std::error::Error for ListenError {}

impl From<StoreError> for ListenError {
    fn from(error: StoreError) -> ListenError {
        ListenError::Store(error)
    }
}

impl From<StateError> for ListenError {
    fn from(error: StateError) -> ListenError {
        ListenError::State(error)
    }
}
