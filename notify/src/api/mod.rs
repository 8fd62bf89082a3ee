//! The machines and verbs with plain values, as every other language uses them.
//!
//! Inputs and outputs are JSON objects with one field, the name of what happened: `{"follow": {"uri": "https://example.com/"}}`. Bodies may
//! are passed separately as bytes.

mod publisher;
mod subscriber;
mod turn;
mod values;
mod verbs;

pub use self::{
    publisher::{PublisherInput, PublisherOptions, PublisherOutput},
    subscriber::{SubscriberInput, SubscriberOptions, SubscriberOutput},
    turn::{TurnError, Turned},
    values::{Answered, Bytes, Fields, Incoming, Notification, Sent, Served},
    verbs::{AnnounceOptions, Announced, announce, announce_documents, notification, topic_reply},
};
