//! Work for the thread that owns the store.

use std::{
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use resourcesync_notify::{
    exchange::{Reply, Request},
    hub::{Exchange, Hub, Input, Options, Order, OrderResult},
    moment::Timestamp,
    rules::PAYLOAD_TYPE,
};
use tokio::sync::oneshot;

use crate::ledger::AnyStore;

/// Asks the store and the hub something.
pub(crate) type Question = Box<dyn FnOnce(&mut AnyStore, &Hub) + Send>;

/// Work for the thread.
pub(crate) enum Job {
    /// A request of a client.
    Request { client: String, request: Request, reply: oneshot::Sender<Reply> },
    /// An order of the operator; the result is `None` if the store failed.
    Order { order: Order, done: oneshot::Sender<Option<OrderResult>> },
    /// Exchanges ended; their results wait in [`Results`].
    Finished,
    /// A question to the store and the hub.
    Read(Question),
    /// Whether the store accepts what a Source may send; otherwise, why not.
    Probe(oneshot::Sender<Result<(), &'static str>>),
    /// Another process accepted a payload of a topic; `None` if it is unknown which.
    #[cfg_attr(not(feature = "postgres"), allow(dead_code))]
    Wake(Option<u64>),
    /// Nothing was sent for a delivery, because its time was over.
    Unsent { subscription: u64, host: Arc<str> },
    /// New settings.
    Reload { options: Box<Options>, store_bytes: u64 },
    /// Sends nothing more, and ends once all exchanges have.
    Stop,
}

/// Where the hub gets the time from: the system, except in tests.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The time of the system.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// True for results of exchanges, which must not get lost.
pub(super) fn is_result(input: &Input) -> bool {
    matches!(input, Input::Answered { .. } | Input::Failed { .. })
}

/// The subscription of a result of a delivery.
pub(super) fn delivery(input: &Input) -> Option<u64> {
    match input {
        Input::Answered { exchange: Exchange::Delivery { subscription, .. }, .. }
        | Input::Failed { exchange: Exchange::Delivery { subscription, .. }, .. } => Some(*subscription),
        _ => None,
    }
}

pub(super) fn is_payload(request: &Request) -> bool {
    request.headers.first("content-type").is_some_and(|value| value.to_ascii_lowercase().starts_with(PAYLOAD_TYPE))
}
