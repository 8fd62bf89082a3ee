//! Change Notification and Framework Notification over WebSub, as state machines.
#![no_std]
#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

extern crate alloc;

pub mod announce;
pub mod api;
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
