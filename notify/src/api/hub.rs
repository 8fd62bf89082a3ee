//! The hub with plain values.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Bytes, Fields, Incoming, Served, turn::Carrier, values::fields};
use crate::{
    exchange::Answer,
    hub::{
        Credential, Event, Exchange, Hub, Input, Ledger, Options, Order, OrderResult, Outbound, Output, Publisher,
        Secret,
    },
    moment::{Moment, Timestamp},
    payload::Channel,
    signature::Algorithm,
};

/// The options of a hub.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct HubOptions {
    /// The URI of the hub.
    pub public_uri: String,
    /// The new URI of the hub.
    pub moved_to: Option<String>,
    /// Its topics.
    pub topics: Vec<HubTopic>,
    /// Sources.
    pub publishers: Vec<HubPublisher>,
    /// `sha256`, `sha384`, `sha512` or `sha1`.
    pub signature: Option<String>,
    /// Allowed ports of callbacks; 80, 443, 8080 and 8443 by default.
    pub ports: Option<Vec<u16>>,
    /// Networks, and hosts with ports, that callbacks may lead to although they are not public.
    pub allow: Vec<String>,
    /// Waits between attempts in seconds.
    pub retry: Option<Vec<u64>>,
    /// The time in seconds after which a payload is given up.
    pub give_up: Option<u64>,
    /// The time in seconds that payloads are stored.
    pub retention: Option<u64>,
    /// Maximum bytes of the stored payloads of a topic.
    pub retention_bytes: Option<u64>,
    /// Maximum deliveries of an [`EmbeddedHub`](super::EmbeddedHub) at the same time.
    pub deliveries: Option<usize>,
}

/// A topic of a hub.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HubTopic {
    /// Its URI.
    pub uri: String,
    /// What it announces.
    pub kind: Channel,
    /// Names of Sources.
    pub publishers: Vec<String>,
    /// Whether the hub answers its URI.
    #[serde(default)]
    pub serve: bool,
}

/// A Source of a hub.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HubPublisher {
    /// Its name.
    pub name: String,
    /// The SHA-256 of its bearer token.
    #[serde(default)]
    pub token_sha256: Option<String>,
    /// The secret of its signatures.
    #[serde(default)]
    pub hmac: Option<String>,
}

impl TryFrom<HubOptions> for Options {
    type Error = String;

    fn try_from(plain: HubOptions) -> Result<Options, String> {
        let mut own = Options::new(&plain.public_uri).map_err(|error| error.to_string())?;
        own.moved_to = plain.moved_to;
        for HubTopic { uri, kind, publishers, serve } in plain.topics {
            own.add_topic(&uri, kind, publishers, serve, false).map_err(|error| error.to_string())?;
        }
        for HubPublisher { name, token_sha256, hmac } in plain.publishers {
            let credential = match (token_sha256, hmac) {
                (Some(digest), None) => Credential::TokenSha256(digest),
                (None, Some(secret)) => Credential::Hmac(Secret(secret.into())),
                _ => return Err(alloc::format!("publisher {name}: either tokenSha256 or hmac is required")),
            };
            own.publishers.push(Publisher { name, credential });
        }
        if let Some(name) = plain.signature {
            own.signature = Algorithm::find(&name).ok_or_else(|| alloc::format!("unknown algorithm {name}"))?;
        }
        own.callbacks.ports = plain.ports.unwrap_or(own.callbacks.ports);
        for text in plain.allow {
            own.callbacks.allow.push(text.parse().map_err(|error: crate::hub::AllowedError| error.to_string())?);
        }
        if let Some(steps) = plain.retry {
            own.retries.schedule = steps.into_iter().map(Duration::from_secs).collect();
        }
        own.retries.give_up = plain.give_up.map_or(own.retries.give_up, Duration::from_secs);
        own.retention.age = plain.retention.map_or(own.retention.age, Duration::from_secs);
        own.retention.bytes = plain.retention_bytes.unwrap_or(own.retention.bytes);
        Ok(own)
    }
}

/// An input of a hub.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HubInput {
    /// A client requests something.
    Request {
        /// The address of the client.
        client: String,
        /// The request.
        request: Incoming,
    },
    /// A callback responded.
    Answered {
        /// To what.
        exchange: Exchange,
        /// The status.
        status: u16,
        /// The header fields.
        #[serde(default)]
        headers: Fields,
        /// The body.
        #[serde(default)]
        body: Bytes,
    },
    /// A callback did not respond.
    Failed {
        /// To what.
        exchange: Exchange,
        /// The reason.
        reason: String,
        /// True if the callback received the request, or may have.
        #[serde(default)]
        sent: bool,
    },
    /// A subscription may send its next payload.
    Turn {
        /// Its number.
        subscription: u64,
    },
    /// An order of the operator.
    Order {
        /// Its number.
        id: u64,
        /// The order.
        order: Order,
    },
    /// Time passed.
    Tick {},
}

impl From<HubInput> for Input {
    fn from(input: HubInput) -> Input {
        match input {
            HubInput::Request { client, request } => Input::Request { id: request.id, client, request: request.into() },
            HubInput::Answered { exchange, status, headers, body } => {
                let answer = Answer { status, headers: headers.into_iter().collect(), body: body.0 };
                Input::Answered { exchange, answer }
            }
            HubInput::Failed { exchange, reason, sent } => Input::Failed { exchange, reason, sent: sent.into() },
            HubInput::Turn { subscription } => Input::Turn { subscription },
            HubInput::Order { id, order } => Input::Order { id, order },
            HubInput::Tick {} => Input::Tick,
        }
    }
}

/// An output of a hub.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum HubOutput {
    /// Reply to a request.
    Reply(Served),
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
        /// The method.
        method: &'static str,
        /// The URI.
        uri: String,
        /// The header fields.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        headers: Fields,
        /// The body.
        #[serde(skip_serializing_if = "Bytes::is_empty")]
        body: Bytes,
        /// Maximum bytes needed of the response's body.
        most: usize,
    },
    /// A subscription lacks a payload.
    Ready {
        /// Its number.
        subscription: u64,
        /// Host and port of its callback.
        host: String,
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

impl From<Output> for HubOutput {
    fn from(output: Output) -> HubOutput {
        match output {
            Output::Reply { id, reply } => HubOutput::Reply(Served::new(id, reply)),
            Output::Later { id } => HubOutput::Later { id },
            Output::Done { id, result } => HubOutput::Done { id, result },
            Output::Send { exchange, request } => {
                let Outbound { method, uri, headers, body, most } = request;
                let (method, uri, body) = (method.as_str(), uri.to_string(), Bytes(body.to_vec()));
                HubOutput::Send { exchange, method, uri, headers: fields(&headers), body, most }
            }
            Output::Ready { subscription, host, at } => HubOutput::Ready { subscription, host: host.to_string(), at },
            Output::Wake { topic } => HubOutput::Wake { topic },
            Output::Event(event) => HubOutput::Event(event),
            Output::Wait { until } => HubOutput::Wait { until },
        }
    }
}

impl Carrier for HubOutput {
    fn body(&mut self) -> Option<&mut Bytes> {
        match self {
            HubOutput::Reply(served) => Some(&mut served.body),
            HubOutput::Send { body, .. } => Some(body),
            _ => None,
        }
    }
}

impl Hub {
    /// Processes one input as a plain value.
    ///
    /// # Errors
    ///
    /// If the ledger fails.
    pub fn take<L: Ledger>(
        &mut self,
        moment: &mut Moment<'_>,
        input: HubInput,
        ledger: &mut L,
    ) -> Result<Vec<HubOutput>, L::Error> {
        Ok(self.handle(moment, input.into(), ledger)?.into_iter().map(HubOutput::from).collect())
    }
}
