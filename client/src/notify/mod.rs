//! Drives the state machines of notifications over HTTP, and stores the payloads that a publisher still has to
//! send, and the subscriptions of a subscriber.

mod driver;
mod outbox;
mod payloads;
mod subscriptions;

pub use resourcesync_notify::{
    publication::{Break, OUTBOX},
    publisher::Options,
};

pub(crate) use self::payloads::PayloadFile;
pub use self::{
    driver::{now, perform, publish, random},
    outbox::{Outbox, OutboxError},
    payloads::{has_payloads, take},
    subscriptions::{StoreError, Subscriptions},
};
