//! Harvests OAI-PMH repositories, proves that a harvest is complete, and says what its records are in a ResourceSync Source.
#![no_std]
// Pages are untrusted: every index and every sum on them is checked.
#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

extern crate alloc;

pub mod bridge;
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
pub mod whole_page;

pub use bytes::Bytes;
