//! The state machines and functions with plain values, for all language bindings.
//!
//! Inputs and outputs are JSON objects with one field, their name: `{"follow": {"uri": "https://example.com/"}}`. Bodies may be passed
//! separately as bytes.

mod embedded;
mod hub;
mod listener;
mod publisher;
mod subscriber;
mod turn;
mod values;
mod verbs;

pub use self::{
    embedded::{EmbeddedHub, EmbeddedInput, EmbeddedOutput},
    hub::{HubOptions, HubPublisher, HubTopic},
    listener::{ListenerOptions, ListenerOutput},
    publisher::{PublisherInput, PublisherOptions},
    subscriber::SubscriberOptions,
    turn::{TurnError, Turned},
    values::Notification,
    verbs::{AnnounceOptions, Announced, announce, announce_documents, notification, topic_reply},
};
pub use crate::{
    bytes::Bytes,
    numbered::{Answered, Fields, Incoming, Sent, Served},
};
