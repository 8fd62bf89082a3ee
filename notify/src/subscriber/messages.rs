//! What a subscriber is told, and what it says to do.

use alloc::{
    boxed::Box,
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};

use resourcesync::{
    diagnostic::{Arg, Reason},
    report::{Lang, Report},
    value::Datetime,
};
use serde::{Deserialize, Serialize};

use super::Phase;
use crate::{
    catalogue,
    exchange::{Answer, Outgoing, Reply, Request},
    moment::Timestamp,
    payload::{Channel, Payload},
    state::Keep,
};

/// What happened.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Input {
    /// The channels of a Source are wanted: its Source Description, a Capability List, a topic, a page that links to one of them, or its
    /// host.
    Follow {
        /// The URI.
        uri: String,
    },
    /// They are no longer wanted.
    Unfollow {
        /// The URI.
        uri: String,
    },
    /// A channel gets another callback: it is subscribed to under the new one, then the old one ends.
    Rotate {
        /// The channel.
        channel: String,
    },
    /// A request came in below the callback URI.
    Request {
        /// The number of the request.
        id: u64,
        /// The request.
        request: Request,
    },
    /// A server answered.
    Answered {
        /// The number of the request.
        id: u64,
        /// The response.
        answer: Answer,
    },
    /// A server did not answer.
    Failed {
        /// The number of the request.
        id: u64,
        /// Why.
        reason: Reason,
    },
    /// The changes of a set were pulled.
    Pulled {
        /// Its Capability List.
        set: String,
        /// Whether there were changes that nobody had announced.
        is_news: bool,
    },
    /// Time passed.
    Tick,
}

/// What to do, in order.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Output {
    /// Keep this.
    Keep(Keep),
    /// Make this request.
    Send {
        /// Its number.
        id: u64,
        /// The request.
        request: Outgoing,
    },
    /// Answer a request.
    Reply {
        /// The number of the request.
        id: u64,
        /// The answer.
        reply: Reply,
    },
    /// A channel announces something. Its entries are claims: what they name is fetched within the scope of the Source only.
    Notified(Notice),
    /// Changes may have been missed: pull those of a set.
    Pull(Pull),
    /// Documents changed: read them again.
    Reread(Reread),
    /// A subscription changed.
    Changed(StateChange),
    /// Something that whoever runs this may want to know.
    Found(Found),
    /// Nothing to do before this moment; the last one counts.
    Wait {
        /// The moment.
        until: Timestamp,
    },
}

/// A notification.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// The channel, by the last segment of its callback.
    pub channel: String,
    /// The URI that is followed.
    pub source: String,
    /// The topic.
    pub topic: String,
    /// The Capability List of the set, where one is known.
    pub capability_list: Option<String>,
    /// The document.
    pub payload: Payload,
}

/// A reason to pull.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pull {
    /// The Capability List of the set, or the URI that is followed.
    pub set: String,
    /// What is known already reaches until here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Datetime>,
    /// What is missing ends here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Datetime>,
    /// Why.
    pub why: Why,
}

/// Why to pull.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Why {
    /// A subscription begins; what happened before is not announced.
    Subscribed,
    /// A notification is missing.
    Gap,
    /// A notification was not valid, or cannot be placed; something did change.
    Invalid,
    /// The hub cannot be relied on.
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
    /// Where it is.
    pub uri: String,
    /// What it is for, such as `resourcelist`.
    pub capability: String,
    /// What happened to it.
    pub change: String,
    /// The index that lists it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
}

/// A subscription in a new phase.
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
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
}

/// A finding about a Source, a hub or a delivery.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The code, such as `HUB-05`.
    pub code: &'static str,
    /// The URI that it is about.
    pub uri: String,
    /// The channel.
    pub channel: Option<String>,
    /// The values in its message.
    pub args: BTreeMap<String, Arg>,
    /// What is wrong with a notification.
    pub report: Option<Box<Report>>,
}

impl Found {
    pub(super) fn new(code: &'static str, uri: &str) -> Found {
        let args = BTreeMap::from([("uri".to_string(), Arg::from(uri))]);
        Found { code, uri: uri.to_string(), channel: None, args, report: None }
    }

    pub(super) fn arg(mut self, name: &'static str, value: impl Into<Arg>) -> Found {
        self.args.insert(name.to_string(), value.into());
        self
    }

    /// The message in a language.
    pub fn message(&self, lang: Lang) -> String {
        catalogue::message(self.code, &self.args, lang)
    }

    pub(super) fn of(self, channel: &str) -> Found {
        Found { channel: Some(channel.to_string()), ..self }
    }
}
