//! Inputs and steps of a listener, and the options of its copy.

use alloc::{boxed::Box, collections::BTreeSet, string::String, vec::Vec};
use core::time::Duration;

use resourcesync::{diagnostic::Reason, named_enum, value::Datetime};
use serde::{Deserialize, Serialize};

use crate::{
    exchange::{Answer, Request},
    moment::Timestamp,
    subscriber::{Notice, Why},
};

/// How the copy is kept in sync.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopyOptions {
    /// The longest time between two runs.
    pub poll: Duration,
    /// Applies notifications without reading lists, where that is possible.
    pub direct: bool,
}

impl CopyOptions {
    /// The longest time between two runs by default.
    pub const POLL: Duration = Duration::from_secs(3_600);
}

/// An input of the listener.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Input {
    /// Follows exactly these Sources: ends the subscriptions to others. The first input of a process that listens.
    Follow {
        /// Their URIs.
        uris: Vec<String>,
        /// True if every channel gets a new callback.
        rotate: bool,
    },
    /// Ends the subscriptions to these Sources, or to all if there is none. The first input of a process that does not listen.
    Stop {
        /// Their URIs.
        uris: Vec<String>,
    },
    /// A request to a URI below the callback URI.
    Request {
        /// The number of the request.
        id: u64,
        /// The request.
        request: Request,
    },
    /// A server responded.
    Answered {
        /// The number of the request.
        id: u64,
        /// The response.
        answer: Answer,
    },
    /// A server did not respond.
    Failed {
        /// The number of the request.
        id: u64,
        /// The reason.
        reason: Reason,
    },
    /// The run on the copy ended.
    Ran {
        /// Its result; `None` if there was no run, or the notification cannot be applied.
        result: Option<RunResult>,
    },
    /// Time passed.
    Tick,
}

/// The result of a run on the copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunResult {
    /// Its outcome.
    pub outcome: RunOutcome,
    /// The state of the Source that the copy has.
    pub as_of: Option<Datetime>,
    /// Resources that were created, updated or deleted.
    pub changed: u64,
    /// Resources that failed, were deferred, not attempted, or have a conflict.
    pub unfinished: u64,
}

impl RunResult {
    /// True if every change of a notification was applied. No list was read, so that no such run is in step.
    pub fn is_applied(&self) -> bool {
        self.outcome == RunOutcome::Incomplete && self.unfinished == 0
    }
}

/// The outcome of a run on the copy, as in the report of a Destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunOutcome {
    /// The copy is in step with the Source.
    InStep,
    /// It is not, or no list shows that it is.
    Incomplete,
    /// Only the user can allow what the run would do.
    Refused,
    /// Everything else, such as a run that was interrupted.
    #[serde(other)]
    Failed,
}

named_enum! {
    /// A reason for a run on the copy, in the order of their names.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    #[non_exhaustive]
    pub enum Trigger {
        /// A notification is missing.
        Gap = "gap",
        /// A notification was invalid or has no place in the order.
        Invalid = "invalid",
        /// A notification announced changes.
        Notified = "notified",
        /// Documents of the Source changed.
        Reread = "reread",
        /// No notification for some time, or an unreliable hub.
        Safety = "safety",
        /// The process started.
        Start = "start",
        /// A subscription started.
        Subscribed = "subscribed",
    }
}

impl From<Why> for Trigger {
    fn from(why: Why) -> Trigger {
        match why {
            Why::Subscribed => Trigger::Subscribed,
            Why::Gap => Trigger::Gap,
            Why::Invalid => Trigger::Invalid,
            Why::Safety => Trigger::Safety,
        }
    }
}

/// The next step of a driver.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Step {
    /// Synchronize the copy with the Source.
    Sync {
        /// The reasons.
        why: BTreeSet<Trigger>,
        /// True if the last run did not reach what was announced: caches are not used.
        is_retry: bool,
    },
    /// Apply this notification to the copy, without reading lists. Its changes continue what the copy has.
    Apply(Box<Notice>),
    /// Nothing is due before this moment, or before the next input if there is none.
    Wait {
        /// The moment.
        until: Option<Timestamp>,
    },
    /// The process is over.
    End(Ending),
}

/// Why a listener ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Ending {
    /// The Sources have no channel.
    NoChannel,
    /// The hubs denied all subscriptions.
    Denied,
    /// All subscriptions ended, as requested.
    Unsubscribed,
    /// The hubs did not confirm the end of all subscriptions in time.
    Unconfirmed,
}
