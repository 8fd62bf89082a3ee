//! The thread that owns the store: it commits inputs in groups, and releases their outputs afterwards.
//!
//! INVARIANT: no reply, request or event leaves before the transaction of its input is on disk.

mod batch;
mod job;
mod links;
mod numbers;
mod release;
mod results;
mod transaction;

pub use self::job::Clock;
pub(crate) use self::{
    batch::Engine,
    job::{Job, now},
    links::Links,
};
