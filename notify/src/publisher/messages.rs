//! What a publisher is told, and what it says to do.

use alloc::string::String;

use resourcesync::diagnostic::Reason;
use serde::{Deserialize, Serialize};

use crate::{
    exchange::{Answer, Outgoing},
    moment::Timestamp,
    payload::{Channel, Payload},
    state::Keep,
    topic::Topic,
};

/// What happened.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Input {
    /// There is a payload for the hubs of a topic. The same payload again changes nothing.
    Publish {
        /// The topic, with its hubs.
        topic: Topic,
        /// The payload.
        payload: Payload,
    },
    /// A hub answered.
    Answered {
        /// The number of the request.
        id: u64,
        /// The response.
        answer: Answer,
    },
    /// A hub did not answer.
    Failed {
        /// The number of the request.
        id: u64,
        /// Why.
        reason: Reason,
    },
    /// Sends a payload again that a hub refused.
    Retry {
        /// The number of the payload.
        payload: u64,
    },
    /// Gives up a payload. Subscribers see a gap, and pull.
    Discard {
        /// The number of the payload.
        payload: u64,
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
    /// A hub accepted a payload.
    Sent {
        /// Which.
        delivery: Delivery,
        /// The status, where it is not the one that the specifications name (WS-13).
        odd_status: Option<u16>,
    },
    /// A hub refused a payload. It stays, and later payloads of the topic wait for it (HUB-01).
    Refused {
        /// Which.
        delivery: Delivery,
        /// The status.
        status: u16,
        /// The status, and what the hub says.
        reason: Reason,
    },
    /// A hub could not be reached or was not able to accept; the payload is sent again later (HUB-02).
    Postponed {
        /// Which.
        delivery: Delivery,
        /// The status, if the hub answered.
        status: Option<u16>,
        /// Why.
        reason: Reason,
        /// When it is sent again.
        until: Timestamp,
    },
    /// The intervals of a topic have a gap (HUB-05) or overlap (HUB-06).
    Broken {
        /// The URI of the topic.
        topic: String,
        /// The end of the interval before.
        expected: String,
        /// The beginning of this one.
        from: String,
    },
    /// Nothing to do before this moment; the last one counts.
    Wait {
        /// The moment.
        until: Timestamp,
    },
}

/// A payload on its way to a hub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// The URI of the topic.
    pub topic: String,
    /// The URI of the hub.
    pub hub: String,
    /// The number of the payload.
    pub payload: u64,
    /// The SHA-256 of the payload, in hexadecimal.
    pub digest: String,
}

/// A payload that a hub has not accepted yet.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Undelivered {
    /// Which.
    pub delivery: Delivery,
    /// What it announces.
    pub channel: Channel,
    /// The status by which the hub refused it.
    pub refused: Option<u16>,
}
