//! Inputs and outputs of a hub.

use alloc::{
    string::{String, ToString},
    sync::Arc,
};
use core::fmt;

use resourcesync::named_enum;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    bytes::Bytes,
    exchange::{Answer, Headers, Method, Outgoing, Reply, Request},
    moment::Timestamp,
    numbered::{self, Answered, Incoming},
};

/// An input of the hub.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Input {
    /// A client requests something.
    #[serde(deserialize_with = "request")]
    Request {
        /// The number of the request, for its reply.
        id: u64,
        /// The address of the client, for rate limits.
        client: String,
        /// The request.
        request: Request,
    },
    /// A callback responded.
    Answered {
        /// To what.
        exchange: Exchange,
        /// The response.
        #[serde(flatten, deserialize_with = "answer")]
        answer: Answer,
    },
    /// A callback did not respond.
    Failed {
        /// To what.
        exchange: Exchange,
        /// The reason, in one line.
        reason: String,
        /// Whether the callback received the request.
        #[serde(default)]
        sent: Sent,
    },
    /// A subscription may send its next payload. It has no delivery in flight.
    Turn {
        /// The number of the subscription.
        subscription: u64,
    },
    /// An order of the operator.
    Order {
        /// The number of the order, for its result.
        id: u64,
        /// The order.
        order: Order,
    },
    /// Time passed.
    #[serde(deserialize_with = "numbered::empty")]
    Tick,
}

fn request<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(u64, String, Request), D::Error> {
    #[derive(Deserialize)]
    struct OfClient {
        client: String,
        request: Incoming,
    }
    let OfClient { client, request } = OfClient::deserialize(deserializer)?;
    Ok((request.id, client, request.into()))
}

fn answer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Answer, D::Error> {
    Answered::deserialize(deserializer).map(Answer::from)
}

/// Whether a callback that did not respond received the request; in JSON whether it may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(from = "bool")]
pub enum Sent {
    /// No: its host has no address that the operator allows.
    NotAllowed,
    /// No: there was no connection.
    #[default]
    No,
    /// It may have.
    Maybe,
}

impl From<bool> for Sent {
    fn from(sent: bool) -> Sent {
        if sent { Sent::Maybe } else { Sent::No }
    }
}

/// An exchange with a callback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Exchange {
    /// The verification of a request.
    Verification {
        /// The number of the request.
        nonce: u64,
        /// The number of the attempt.
        attempt: u32,
    },
    /// The delivery of a payload.
    Delivery {
        /// The number of the subscription.
        subscription: u64,
        /// The number of the payload.
        seq: u64,
    },
    /// The news that a subscription was denied, sent once.
    Denial,
    /// The fetch of a topic, from an address that is allowed for topics.
    Topic {
        /// The number of the fetch.
        fetch: u64,
    },
}

impl Exchange {
    /// What it is for, in one word.
    pub fn purpose(self) -> &'static str {
        match self {
            Exchange::Verification { .. } => "verification",
            Exchange::Delivery { .. } => "delivery",
            Exchange::Denial => "denial",
            Exchange::Topic { .. } => "topic",
        }
    }
}

/// An order of the operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub enum Order {
    /// Delivers payloads again.
    Replay {
        /// To whom.
        target: Target,
        /// The number of the first payload.
        from: u64,
    },
    /// Ends subscriptions, and rejects later ones of a host.
    Deny {
        /// Which.
        target: Target,
        /// The reason, for the subscriber.
        #[serde(default)]
        reason: String,
    },
    /// Accepts a denied host again.
    Allow {
        /// The host and port.
        host: String,
    },
    /// Lifts the limit of subscription requests for a host, until the hub starts again. Those of each client and of all verifications stay.
    Lift {
        /// The host and port.
        host: String,
        /// Restores the limit.
        #[serde(default)]
        undo: bool,
    },
    /// Accepts payloads of a topic, or of all topics, but delivers none.
    Pause {
        /// The URI of the topic.
        #[serde(default)]
        topic: Option<String>,
    },
    /// Delivers again.
    Resume {
        /// The URI of the topic.
        #[serde(default)]
        topic: Option<String>,
    },
    /// Removes payloads and dead letters older than a moment.
    Prune {
        /// The moment.
        before: Timestamp,
    },
}

/// The subject of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Target {
    /// A subscription, by its number.
    Subscription(u64),
    /// All subscriptions of a topic, by its URI.
    Topic(String),
    /// All subscriptions with callbacks at a host and port.
    Host(String),
}

/// The result of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OrderResult {
    /// How many subscriptions, topics or payloads it concerned.
    Done(u64),
    /// There is no such subscription or topic.
    NotFound,
}

/// An action for the driver, after the commit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Output {
    /// Reply to a request.
    #[serde(serialize_with = "numbered::reply")]
    Reply {
        /// The number of the request.
        id: u64,
        /// The reply.
        reply: Reply,
    },
    /// The reply to a request follows later.
    Later {
        /// The number of the request.
        id: u64,
    },
    /// The result of an order.
    Done {
        /// The number of the order.
        id: u64,
        /// The result.
        result: OrderResult,
    },
    /// Send a request to a callback.
    Send {
        /// What for.
        exchange: Exchange,
        /// The request.
        #[serde(flatten, serialize_with = "outbound")]
        request: Outbound,
    },
    /// A subscription lacks a payload and has no delivery in flight.
    Ready {
        /// Its number.
        subscription: u64,
        /// Host and port of its callback.
        host: Arc<str>,
        /// When it may send.
        at: Timestamp,
    },
    /// Subscriptions of a topic may be due.
    Wake {
        /// The number of the topic.
        topic: u64,
    },
    /// Something for logs and metrics.
    Event(Event),
    /// No work is due before this moment.
    Wait {
        /// The moment.
        until: Timestamp,
    },
}

/// A request to a callback: exactly one exchange, without redirects.
///
/// `Debug` omits the query, which has a challenge, and the body.
#[derive(Clone, PartialEq, Eq)]
pub struct Outbound {
    /// The method.
    pub method: Method,
    /// The URI.
    pub uri: Arc<str>,
    /// The header fields set by the hub.
    pub headers: Headers,
    /// The body, shared by all deliveries of a payload.
    pub body: Arc<[u8]>,
    /// Maximum bytes needed of the response's body.
    pub most: usize,
}

/// The fields of a request; the exchange has its number.
fn outbound<S: Serializer>(request: &Outbound, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Fields<'a> {
        method: &'a str,
        uri: &'a str,
        #[serde(skip_serializing_if = "Headers::is_empty")]
        headers: &'a Headers,
        #[serde(skip_serializing_if = "Bytes::is_empty")]
        body: Bytes,
        most: usize,
    }
    let Outbound { method, uri, headers, body, most } = request;
    let body = Bytes(body.to_vec());
    Fields { method: method.as_str(), uri, headers, body, most: *most }.serialize(serializer)
}

impl From<Outbound> for Outgoing {
    fn from(outbound: Outbound) -> Outgoing {
        let Outbound { method, uri, headers, body, most } = outbound;
        Outgoing { method, uri: uri.to_string(), headers, body: body.to_vec(), most }
    }
}

impl fmt::Debug for Outbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Outbound");
        shown.field("method", &self.method).field("callback", &super::masked(&self.uri)).finish_non_exhaustive()
    }
}

/// Something for logs and metrics. It contains no secret and no complete callback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// The URI of the topic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<String>,
    /// The callback, masked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callback: Option<String>,
    /// Details in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

named_enum! {
    /// What happened.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[non_exhaustive]
    pub enum EventKind {
        /// A payload was accepted.
        Accepted = "accepted",
        /// A payload was received again.
        Repeated = "repeated",
        /// A payload was refused.
        Refused = "refused",
        /// There is a gap before an accepted payload (HUB-05).
        Gap = "gap",
        /// An accepted payload overlaps with the one before (HUB-06).
        Overlap = "overlap",
        /// A subscription started or was renewed.
        Subscribed = "subscribed",
        /// A subscription ended.
        Ended = "ended",
        /// A request was not confirmed.
        Unverified = "unverified",
        /// A payload was delivered.
        Delivered = "delivered",
        /// A delivery failed, and is repeated.
        Failed = "failed",
        /// Payloads were not delivered (HUB-11).
        DeadLetter = "dead-letter",
        /// Payloads were removed.
        Expired = "expired",
        /// A subscription was requested for a callback that is not allowed (HUB-12).
        NotAllowed = "not-allowed",
        /// A subscription request was refused, because there are too many for its host.
        HostLimited = "host-limited",
        /// A payload or a subscription request names a topic that this hub does not have (HUB-13).
        UnknownTopic = "unknown-topic",
    }
}

impl EventKind {
    /// The code of the catalogue, for what an operator may want to look up.
    pub fn code(self) -> Option<&'static str> {
        match self {
            EventKind::Gap => Some("HUB-05"),
            EventKind::Overlap => Some("HUB-06"),
            EventKind::DeadLetter => Some("HUB-11"),
            EventKind::NotAllowed => Some("HUB-12"),
            EventKind::UnknownTopic => Some("HUB-13"),
            _ => None,
        }
    }
}

impl Event {
    pub(super) fn new(kind: EventKind) -> Event {
        Event { kind, topic: None, callback: None, detail: None }
    }

    pub(super) fn topic(self, topic: &str) -> Event {
        Event { topic: Some(topic.into()), ..self }
    }

    pub(super) fn callback(self, callback: &str) -> Event {
        Event { callback: Some(super::masked(callback)), ..self }
    }

    pub(super) fn callback_at(self, host: &str, callback: &str) -> Event {
        Event { callback: Some(super::masked::masked_at(host, callback)), ..self }
    }

    pub(super) fn detail(self, detail: impl Into<String>) -> Event {
        Event { detail: Some(detail.into()), ..self }
    }
}
