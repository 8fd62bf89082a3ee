//! Drives the machines of notification with the HTTP of this crate, and keeps what a publisher has still to send.

mod driver;
mod outbox;

pub use self::{
    driver::{now, perform, publish, random},
    outbox::{Outbox, OutboxError},
};
