//! Inputs and steps of a listener, and the options of its copy.

use alloc::{boxed::Box, collections::BTreeSet, string::String, vec::Vec};
use core::time::Duration;

use resourcesync::{diagnostic::Reason, named_enum, value::Datetime};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    exchange::{Answer, Request},
    moment::Timestamp,
    numbered,
    subscriber::{Notice, Why},
};

/// How the copy is kept in sync.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CopyOptions {
    /// The longest time between two runs, in JSON in seconds.
    #[serde(deserialize_with = "poll")]
    pub poll: Duration,
    /// Applies notifications without reading lists, where that is possible.
    pub direct: bool,
}

impl Default for CopyOptions {
    fn default() -> CopyOptions {
        CopyOptions { poll: CopyOptions::POLL, direct: false }
    }
}

fn poll<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    Ok(Option::deserialize(deserializer)?.map_or(CopyOptions::POLL, Duration::from_secs))
}

impl CopyOptions {
    /// The longest time between two runs by default.
    pub const POLL: Duration = Duration::from_secs(3_600);
}

/// An input of the listener.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Input {
    /// Follows exactly these Sources: ends the subscriptions to others. The first input of a process that listens.
    Follow {
        /// Their URIs.
        uris: Vec<String>,
        /// True if every channel gets a new callback.
        #[serde(default)]
        rotate: bool,
    },
    /// Ends the subscriptions to these Sources, or to all if there is none. The first input of a process that does not listen.
    Stop {
        /// Their URIs.
        #[serde(default)]
        uris: Vec<String>,
    },
    /// A request to a URI below the callback URI.
    #[serde(deserialize_with = "numbered::request")]
    Request {
        /// The number of the request.
        id: u64,
        /// The request.
        request: Request,
    },
    /// A server responded.
    #[serde(deserialize_with = "numbered::answer")]
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
        #[serde(default)]
        result: Option<RunResult>,
    },
    /// Time passed.
    #[serde(deserialize_with = "numbered::empty")]
    Tick,
}

/// The result of a run on the copy.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunResult {
    /// Its outcome.
    pub outcome: RunOutcome,
    /// The state of the Source that the copy has.
    #[serde(default, deserialize_with = "as_of")]
    pub as_of: Option<Datetime>,
    /// Resources that were created, updated or deleted.
    #[serde(default)]
    pub changed: u64,
    /// Resources that failed, were deferred, not attempted, or have a conflict.
    #[serde(default)]
    pub unfinished: u64,
}

/// A time as in the report; one that is not understood is as good as none.
fn as_of<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Datetime>, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?.and_then(|at| at.parse().ok()))
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
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
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
    #[serde(serialize_with = "document")]
    Apply(Box<Notice>),
    /// Nothing is due before this moment, or before the next input if there is none.
    Wait {
        /// The moment.
        until: Option<Timestamp>,
    },
    /// The process is over.
    End {
        /// Why.
        why: Ending,
    },
}

/// A notification by its document, which contains everything else.
fn document<S: Serializer>(notice: &Notice, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Document<'a> {
        channel: &'a str,
        topic: &'a str,
        capability_list: Option<&'a str>,
        body: &'a str,
    }
    let Notice { channel, topic, capability_list, payload, .. } = notice;
    Document { channel, topic, capability_list: capability_list.as_deref(), body: payload.text() }.serialize(serializer)
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
