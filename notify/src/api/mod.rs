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
    hub::{HubInput, HubOptions, HubOutput, HubPublisher, HubTopic},
    listener::{ListenerCopy, ListenerInput, ListenerOptions, ListenerOutput, ListenerRun, ListenerStep},
    publisher::{PublisherInput, PublisherOptions, PublisherOutput},
    subscriber::{SubscriberInput, SubscriberOptions, SubscriberOutput},
    turn::{TurnError, Turned},
    values::{Answered, Fields, Incoming, Notification, Sent, Served},
    verbs::{AnnounceOptions, Announced, announce, announce_documents, notification, topic_reply},
};
pub use crate::bytes::Bytes;
