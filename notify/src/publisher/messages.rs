//! Inputs and outputs of a publisher.

use alloc::{format, string::String};

use resourcesync::diagnostic::Reason;
use serde::{Deserialize, Serialize};

use crate::{
    exchange::{Answer, Outgoing},
    moment::Timestamp,
    numbered,
    payload::{Channel, Payload},
    state::Keep,
    topic::Topic,
};

/// An input of the publisher.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Input {
    /// A payload for the hubs of a topic. Repeating the same payload has no effect.
    Publish {
        /// The topic, with its hubs.
        topic: Topic,
        /// The payload.
        payload: Payload,
    },
    /// A hub responded.
    Answered {
        /// The number of the request.
        id: u64,
        /// The response.
        answer: Answer,
    },
    /// A hub did not respond.
    Failed {
        /// The number of the request.
        id: u64,
        /// The reason.
        reason: Reason,
    },
    /// Resends a payload that a hub refused.
    Retry {
        /// The number of the payload.
        payload: u64,
    },
    /// Discards a payload. Subscribers detect a gap and pull the changes.
    Discard {
        /// The number of the payload.
        payload: u64,
    },
    /// Time passed.
    Tick,
}

/// An action for the driver; actions are performed in order.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
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
    /// A hub accepted a payload.
    Sent {
        /// The payload and the hub.
        #[serde(flatten)]
        delivery: Delivery,
        /// The status, if it differs from the one in the specifications (WS-13).
        #[serde(skip_serializing_if = "Option::is_none")]
        odd_status: Option<u16>,
    },
    /// A hub refused a payload. The payload is kept and blocks later payloads of the topic (HUB-01).
    Refused {
        /// The payload and the hub.
        #[serde(flatten)]
        delivery: Delivery,
        /// The status.
        status: u16,
        /// The status and the reason given by the hub.
        reason: Reason,
    },
    /// A hub was unreachable or temporarily unable to accept; the payload is resent later (HUB-02).
    Postponed {
        /// The payload and the hub.
        #[serde(flatten)]
        delivery: Delivery,
        /// The status, if the hub answered.
        #[serde(skip_serializing_if = "Option::is_none")]
        status: Option<u16>,
        /// The reason.
        reason: Reason,
        /// When it is resent.
        until: Timestamp,
    },
    /// The intervals of a topic have a gap (HUB-05) or overlap (HUB-06).
    Broken {
        /// The URI of the topic.
        topic: String,
        /// The end of the previous interval.
        expected: String,
        /// The start of this interval.
        from: String,
    },
    /// No work is due before this moment; the last value applies.
    Wait {
        /// The moment.
        until: Timestamp,
    },
}

impl Output {
    /// What a publisher's operator should know, in one line: a payload was refused or postponed.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        match self {
            Output::Refused { delivery: Delivery { hub, topic, .. }, reason, .. } => {
                Some(format!("{hub} refused a notification of {topic}: {reason}"))
            }
            Output::Postponed { delivery: Delivery { hub, topic, .. }, reason, .. } => {
                Some(format!("{hub} was not notified of {topic}: {reason}"))
            }
            _ => None,
        }
    }
}

/// A payload sent to a hub.
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
    /// The payload and the hub.
    pub delivery: Delivery,
    /// The kind of its document.
    pub channel: Channel,
    /// The status by which the hub refused it.
    pub refused: Option<u16>,
}
