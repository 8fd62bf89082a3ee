//! HTTP messages with the numbers that connect requests and responses, as JSON.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    bytes::Bytes,
    exchange::{Answer, Body, Headers, Outgoing, Reply, Request},
};

/// Names and values of header fields.
pub type Fields = Vec<(String, String)>;

/// An incoming request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Incoming {
    /// Its number.
    pub id: u64,
    /// The method.
    pub method: String,
    /// The path, as sent.
    pub path: String,
    /// The query string after the `?`, as sent.
    #[serde(skip_serializing_if = "Bytes::is_empty")]
    pub query: Bytes,
    /// The header fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub headers: Fields,
    /// The body.
    #[serde(skip_serializing_if = "Bytes::is_empty")]
    pub body: Bytes,
    /// True if the body was longer than the part that was read.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub too_large: bool,
    /// True if the body ended prematurely.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub stalled: bool,
}

impl From<Incoming> for Request {
    fn from(incoming: Incoming) -> Request {
        let Incoming { method, path, query, headers, body, too_large, stalled, .. } = incoming;
        let body = match (too_large, stalled) {
            (true, _) => Body::TooLarge,
            (_, true) => Body::Stalled,
            _ => Body::Whole(body.0),
        };
        Request { method, path, query: query.0, headers: headers.into_iter().collect(), body }
    }
}

/// The reply to an incoming request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Served {
    /// The number of the request.
    #[serde(default)]
    pub id: u64,
    /// The status.
    pub status: u16,
    /// The header fields.
    pub headers: Fields,
    /// The body.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub body: Bytes,
}

impl Served {
    pub(crate) fn new(id: u64, reply: Reply) -> Served {
        Served { id, status: reply.status, headers: fields(&reply.headers), body: Bytes(reply.body) }
    }
}

/// A request to send.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sent {
    /// Its number.
    pub id: u64,
    /// The method.
    pub method: String,
    /// The target URI.
    pub uri: String,
    /// The header fields.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Fields,
    /// The body.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub body: Bytes,
    /// Maximum bytes needed of the response's body.
    pub most: usize,
}

impl Sent {
    pub(crate) fn new(id: u64, request: impl Into<Outgoing>) -> Sent {
        let Outgoing { method, uri, headers, body, most } = request.into();
        Sent { id, method: method.as_str().to_string(), uri, headers: fields(&headers), body: Bytes(body), most }
    }
}

/// The response to such a request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Answered {
    /// The number of the request.
    pub id: u64,
    /// The status.
    pub status: u16,
    /// The header fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub headers: Fields,
    /// The body.
    #[serde(skip_serializing_if = "Bytes::is_empty")]
    pub body: Bytes,
}

impl From<Answered> for Answer {
    fn from(answered: Answered) -> Answer {
        let Answered { status, headers, body, .. } = answered;
        Answer { status, headers: headers.into_iter().collect(), body: body.0 }
    }
}

fn fields(headers: &Headers) -> Fields {
    headers.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
}

/// Reads the request of an input.
pub(crate) fn request<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(u64, Request), D::Error> {
    Incoming::deserialize(deserializer).map(|incoming| (incoming.id, incoming.into()))
}

/// Reads the response of an input.
pub(crate) fn answer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(u64, Answer), D::Error> {
    Answered::deserialize(deserializer).map(|answered| (answered.id, answered.into()))
}

/// Reads an input without fields, which is `{}`.
pub(crate) fn empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    #[derive(Deserialize)]
    struct Empty {}
    Empty::deserialize(deserializer).map(|Empty {}| ())
}

/// Writes a request of an output.
pub(crate) fn send<S: Serializer>(id: &u64, request: &Outgoing, serializer: S) -> Result<S::Ok, S::Error> {
    Sent::new(*id, request.clone()).serialize(serializer)
}

/// Writes a reply of an output.
pub(crate) fn reply<S: Serializer>(id: &u64, reply: &Reply, serializer: S) -> Result<S::Ok, S::Error> {
    Served::new(*id, reply.clone()).serialize(serializer)
}
