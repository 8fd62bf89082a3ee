//! Harvests OAI-PMH repositories, and proves that a harvest is complete.
#![no_std]
// Pages are untrusted: every index and every sum on them is checked.
#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

extern crate alloc;

mod bytes;
pub mod catalogue;
pub mod harvest;
pub mod limits;
pub mod message;
pub mod note;
pub mod page;
pub mod provider;
pub mod request;
mod rules;
pub mod stamp;

pub use bytes::Bytes;
