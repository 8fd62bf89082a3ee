//! Change Notification and Framework Notification over WebSub, as state machines without I/O, clock and randomness.
//!
//! A [`Publisher`](publisher::Publisher) sends payloads to the hubs of a topic; a [`Subscriber`](subscriber::Subscriber) finds the channels of a
//! Source, subscribes, and passes on notifications; a [`Listener`](listener::Listener) also decides when the copy of the Source is
//! synchronized; a [`Hub`](hub::Hub) accepts payloads and delivers them. All process inputs and return outputs; the driver provides HTTP, a
//! clock, random bytes, and storage for their state. Their transcripts are in `tests/corpus/notify`.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`api`] | state machines and functions with plain values, for all language bindings |
//! | [`publisher`], [`subscriber`], [`listener`], [`hub`] | the state machines |
//! | [`announce`] | builds payloads from changes and published documents |
//! | [`publication`] | what a publication of a Source announces, and its outbox |
//! | [`topic`] | the response of a topic, and its `Link` header |
//! | [`payload`], [`changes`], [`interval`] | a valid notification, what it lists, and its position in its channel |
//! | [`signature`], [`form`] | `X-Hub-Signature`, and the forms of subscription requests |
//! | [`lease`], [`retry`], [`moment`] | times: leases, waits, and time as an argument |
//! | [`exchange`], [`state`] | HTTP and stored values as plain values |
//! | [`rules`], [`catalogue`] | the constants of the specifications; the reported codes, with their texts |
#![no_std]
// Input is hostile: every index and every sum on it is checked.
#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

extern crate alloc;

pub mod announce;
pub mod api;
mod bytes;
pub mod catalogue;
pub mod changes;
pub mod exchange;
pub mod form;
pub mod hub;
pub mod interval;
pub mod lease;
pub mod listener;
pub mod moment;
mod numbered;
pub mod payload;
pub mod publication;
pub mod publisher;
pub mod retry;
pub mod rules;
pub mod signature;
pub mod state;
pub mod subscriber;
pub mod topic;
