//! Inputs and outputs of a subscriber.

use alloc::{
    boxed::Box,
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};

use resourcesync::{
    diagnostic::{Arg, Reason},
    named_enum,
    report::{Lang, Report},
    value::Datetime,
};
use serde::{Deserialize, Serialize, Serializer};

use super::Phase;
use crate::{
    catalogue,
    changes::Changes,
    exchange::{Answer, Outgoing, Reply, Request},
    moment::Timestamp,
    numbered,
    payload::{Channel, Payload},
    state::Keep,
};

/// An input of the subscriber.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Input {
    /// Subscribes to the channels of a Source, given by its Source Description, a Capability List, a topic, a page that links to one
    /// of them, or its host.
    Follow {
        /// The URI.
        uri: String,
    },
    /// Ends these subscriptions.
    Unfollow {
        /// The URI.
        uri: String,
    },
    /// Changes the callback of a channel: subscribes with the new one, then ends the old one.
    Rotate {
        /// The channel.
        channel: String,
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
    /// The changes of a set were pulled.
    Pulled {
        /// Its Capability List.
        set: String,
        /// Whether there were changes that had not been announced.
        is_news: bool,
    },
    /// Time passed.
    #[serde(deserialize_with = "numbered::empty")]
    Tick,
}

/// An action for the driver; actions are performed in order.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Output {
    /// Store this value.
    Keep(Keep),
    /// Send this request.
    #[serde(serialize_with = "numbered::send")]
    Send {
        /// Its number.
        id: u64,
        /// The request.
        request: Outgoing,
    },
    /// Respond to a request.
    #[serde(serialize_with = "numbered::reply")]
    Reply {
        /// The number of the request.
        id: u64,
        /// The response.
        reply: Reply,
    },
    /// A notification of a channel. Its entries are untrusted: only URIs within the scope of the Source are fetched.
    Notified(Notice),
    /// Pull the changes of a set, because some may have been missed.
    Pull(Pull),
    /// Documents changed and must be read again.
    Reread(Reread),
    /// A subscription changed.
    Changed(StateChange),
    /// A finding for the operator.
    #[serde(serialize_with = "with_message")]
    Found(Found),
    /// No work is due before this moment; the last value applies.
    Wait {
        /// The moment.
        until: Timestamp,
    },
}

/// A notification.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Notice {
    /// The channel, by the last segment of its callback.
    pub channel: String,
    /// The URI that is followed.
    pub source: String,
    /// The topic.
    pub topic: String,
    /// The Capability List of the set, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capability_list: Option<String>,
    /// The document.
    #[serde(flatten)]
    pub payload: Payload,
    /// What it lists.
    #[serde(skip)]
    pub changes: Changes,
}

/// A reason to pull.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pull {
    /// The Capability List of the set, or the URI that is followed.
    pub set: String,
    /// The start of the gap: changes before this moment are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Datetime>,
    /// The end of the gap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Datetime>,
    /// The reason.
    pub why: Why,
}

/// The reason for a pull.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Why {
    /// A subscription starts; earlier changes are not announced.
    Subscribed,
    /// A notification is missing.
    Gap,
    /// A notification was invalid or has no place in the order, but shows that there are changes.
    Invalid,
    /// The hub is unreliable.
    Safety,
}

/// Documents that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reread {
    /// The Capability List of the set, or the URI that is followed.
    pub set: String,
    /// The documents.
    pub documents: Vec<RereadDocument>,
}

/// A document that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RereadDocument {
    /// Its URI.
    pub uri: String,
    /// Its capability, such as `resourcelist`.
    pub capability: String,
    /// The kind of change.
    pub change: String,
    /// The index that lists it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
}

/// A subscription that entered a new phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StateChange {
    /// The channel, by the last segment of its callback.
    pub channel: String,
    /// The URI that is followed.
    pub source: String,
    /// The topic.
    pub topic: String,
    /// The hub.
    pub hub: String,
    /// What it announces.
    pub kind: Channel,
    /// The phase.
    pub phase: Phase,
    /// The end of the lease.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
    /// The reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
}

named_enum! {
    /// The codes of the findings of a subscriber.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum FoundCode {
        /// A hub denied a subscription.
        Denied = "HUB-03",
        /// A Source has no channel.
        NoChannel = "HUB-04",
        /// A notification is missing.
        Gap = "HUB-05",
        /// The intervals of notifications overlap.
        Overlap = "HUB-06",
        /// A notification ends in the future.
        Future = "HUB-07",
        /// A delivery has no valid signature.
        Unsigned = "HUB-08",
        /// A topic names several topics.
        SeveralTopics = "HUB-09",
        /// Notifications of a hub are missing or late.
        Suspect = "HUB-10",
        /// A notification is not valid.
        Invalid = "HUB-14",
        /// A topic and a document name different hubs or topics.
        Contradiction = "AD-05",
        /// A topic does not respond.
        Unanswered = "WS-01",
        /// A topic does not name itself.
        NoSelf = "WS-03",
        /// A topic names no hub.
        NoHub = "WS-04",
        /// A delivery names another topic.
        OtherTopic = "WS-42",
    }
}

fn code<S: Serializer>(code: &FoundCode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(code.as_str())
}

/// A finding about a Source, a hub or a delivery.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// The code.
    #[serde(serialize_with = "code")]
    pub code: FoundCode,
    /// The URI that it concerns.
    pub uri: String,
    /// The channel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// The values in its message.
    pub args: BTreeMap<String, Arg>,
    /// The defect of a notification.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<Box<Report>>,
}

impl Found {
    pub(super) fn new(code: FoundCode, uri: &str) -> Found {
        let args = BTreeMap::from([("uri".to_string(), Arg::from(uri))]);
        Found { code, uri: uri.to_string(), channel: None, args, report: None }
    }

    pub(super) fn arg(mut self, name: &'static str, value: impl Into<Arg>) -> Found {
        self.args.insert(name.to_string(), value.into());
        self
    }

    /// The message in a language.
    pub fn message(&self, lang: Lang) -> String {
        catalogue::message(self.code.as_str(), &self.args, lang)
    }

    pub(super) fn of(self, channel: &str) -> Found {
        Found { channel: Some(channel.to_string()), ..self }
    }
}

/// A finding with its message in English.
fn with_message<S: Serializer>(found: &Found, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct WithMessage<'a> {
        #[serde(flatten)]
        found: &'a Found,
        message: String,
    }
    WithMessage { found, message: found.message(Lang::En) }.serialize(serializer)
}
