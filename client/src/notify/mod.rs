//! Drives the machines of notification with the HTTP of this crate, and keeps what a publisher has still to send.

mod driver;
mod outbox;
mod payloads;

pub use resourcesync_notify::publisher::Options;

pub(crate) use self::payloads::{Announced, PayloadFile};
pub use self::{
    driver::{now, perform, publish, random},
    outbox::{Outbox, OutboxError},
    payloads::{Break, OUTBOX, has_payloads, take},
};
