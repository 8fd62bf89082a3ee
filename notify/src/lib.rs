//! Change Notification and Framework Notification over WebSub, as state machines without I/O, clock and randomness.
//!
//! A [`Publisher`](publisher::Publisher) takes payloads to the hubs of a topic; a [`Subscriber`](subscriber::Subscriber) finds the channels of a
//! Source, subscribes, and passes on what they announce. Both are told what happened and say what to do; whatever drives them brings HTTP, a
//! clock, random bytes, and a place for their state. Their transcripts are in `tests/corpus/notify`.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`api`] | machines and verbs with plain values, as every other language uses them |
//! | [`publisher`], [`subscriber`] | the machines |
//! | [`announce`] | changes and published documents become payloads |
//! | [`topic`] | the answer of a topic, and its `Link` header |
//! | [`payload`], [`interval`] | a valid notification, and its place in the chain of its channel |
//! | [`signature`], [`form`] | `X-Hub-Signature`, and the forms of subscription requests |
//! | [`lease`], [`retry`], [`moment`] | times: leases, waits, and time as an argument |
//! | [`exchange`], [`state`] | HTTP and kept values, in plain |
//! | [`rules`], [`catalogue`] | the fixed rules of the specifications, in one table; the codes that are reported, with their texts |
#![no_std]
// Input is hostile: every index and every sum on it is checked.
#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

extern crate alloc;

pub mod announce;
pub mod api;
pub mod catalogue;
pub mod exchange;
pub mod form;
pub mod interval;
pub mod lease;
pub mod moment;
pub mod payload;
pub mod publisher;
pub mod retry;
pub mod rules;
pub mod signature;
pub mod state;
pub mod subscriber;
pub mod topic;
