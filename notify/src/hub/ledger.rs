//! The durable state of a hub, and the interface to its store.

use alloc::{string::String, sync::Arc, vec::Vec};
use core::{fmt, time::Duration};

use resourcesync::named_enum;
use serde::{Deserialize, Serialize};

use crate::{interval::Chain, moment::Timestamp};

/// The durable state of a hub. All calls of one input happen in one transaction.
pub trait Ledger {
    /// Why the store failed.
    type Error;

    /// A topic.
    fn topic(&mut self, uri: &str) -> Result<Option<TopicState>, Self::Error>;
    /// A topic, by its number.
    fn topic_by_id(&mut self, id: u64) -> Result<Option<TopicState>, Self::Error>;
    /// What a delivery needs of a topic, which does not include its chain.
    fn topic_head(&mut self, id: u64) -> Result<Option<TopicHead>, Self::Error> {
        let head = |TopicState { uri, head, is_paused, .. }| TopicHead { uri: uri.into(), head, is_paused };
        Ok(self.topic_by_id(id)?.map(head))
    }
    /// All topics, by number.
    fn topics(&mut self) -> Result<Vec<TopicState>, Self::Error>;
    /// Creates a topic.
    fn add_topic(&mut self, uri: &str) -> Result<TopicState, Self::Error>;
    /// Stores the state of a topic.
    fn put_topic(&mut self, topic: &TopicState) -> Result<(), Self::Error>;

    /// Stores a payload.
    fn append(&mut self, topic: u64, payload: &Accepted) -> Result<(), Self::Error>;
    /// The number of the stored payload with this digest.
    fn find_payload(&mut self, topic: u64, digest: &str) -> Result<Option<u64>, Self::Error>;
    /// The first stored payload after a number.
    fn payload_after(&mut self, topic: u64, seq: u64) -> Result<Option<Arc<Accepted>>, Self::Error>;
    /// Removes payloads that were received before a moment, or for which newer ones use the bytes; never the last one.
    /// Returns how many.
    fn expire(&mut self, topic: u64, before: Timestamp, bytes: u64) -> Result<u64, Self::Error>;

    /// A subscription.
    fn subscription(&mut self, id: u64) -> Result<Option<Subscription>, Self::Error>;
    /// The subscription of a topic and a callback.
    fn find_subscription(&mut self, topic: u64, callback: &str) -> Result<Option<Subscription>, Self::Error>;
    /// Stores a new subscription and returns its number, which is never used again.
    fn add_subscription(&mut self, subscription: &Subscription) -> Result<u64, Self::Error>;
    /// Stores a subscription.
    fn put_subscription(&mut self, subscription: &Subscription) -> Result<(), Self::Error>;
    /// Removes a subscription.
    fn remove_subscription(&mut self, id: u64) -> Result<(), Self::Error>;
    /// Subscriptions after a number: of a topic, and with callbacks at a host, if given.
    fn subscriptions(
        &mut self,
        topic: Option<u64>,
        host: Option<&str>,
        after: u64,
        most: usize,
    ) -> Result<Vec<Subscription>, Self::Error>;
    /// Subscriptions whose lease has ended, the earliest first.
    fn lapsed(&mut self, now: Timestamp, most: usize) -> Result<Vec<Subscription>, Self::Error>;
    /// Subscriptions of a topic that lack a payload and do not wait, by cursor and number.
    fn due(&mut self, topic: u64, now: Timestamp, after: Position, most: usize) -> Result<Vec<Due>, Self::Error>;
    /// The first moment after `now` at which a subscription of a topic that is not paused stops waiting.
    fn next_retry(&mut self, now: Timestamp) -> Result<Option<Timestamp>, Self::Error>;

    /// Stores a request in place of an older one of the same topic and callback, and returns its nonce, which is never used
    /// again.
    fn add_pending(&mut self, pending: &Pending) -> Result<u64, Self::Error>;
    /// A pending request.
    fn pending(&mut self, nonce: u64) -> Result<Option<Pending>, Self::Error>;
    /// True if a request of a topic and a callback is pending.
    fn is_pending(&mut self, topic: u64, callback: &str) -> Result<bool, Self::Error>;
    /// Stores a pending request.
    fn put_pending(&mut self, pending: &Pending) -> Result<(), Self::Error>;
    /// Removes a pending request.
    fn remove_pending(&mut self, nonce: u64) -> Result<(), Self::Error>;
    /// The number of pending requests.
    fn count_pending(&mut self) -> Result<u64, Self::Error>;
    /// The first moment at which an attempt of a pending request is due.
    fn next_pending(&mut self) -> Result<Option<Timestamp>, Self::Error>;
    /// Pending requests whose next attempt is due.
    fn pending_due(&mut self, now: Timestamp, most: usize) -> Result<Vec<Pending>, Self::Error>;

    /// Stores a dead letter.
    fn dead_letter(&mut self, letter: &DeadLetter) -> Result<(), Self::Error>;
    /// Removes dead letters written before a moment.
    fn forget_dead_letters(&mut self, before: Timestamp) -> Result<(), Self::Error>;

    /// True if the operator denied a host.
    fn is_denied(&mut self, host: &str) -> Result<bool, Self::Error>;
    /// Denies a host, or allows it again.
    fn deny(&mut self, host: &str, is_denied: bool) -> Result<(), Self::Error>;
}

/// A topic: the end of its log, and its chain of intervals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopicState {
    /// Its number.
    pub id: u64,
    /// Its URI.
    pub uri: String,
    /// The number of the last payload; 0 before the first.
    pub head: u64,
    /// The interval covered by its payloads.
    pub chain: Chain,
    /// True while nothing is delivered, by order of the operator.
    pub is_paused: bool,
}

/// What a delivery needs of a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopicHead {
    /// Its URI.
    pub uri: Arc<str>,
    /// The number of the last payload.
    pub head: u64,
    /// True while nothing is delivered.
    pub is_paused: bool,
}

/// An accepted payload.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accepted {
    /// Its number in the topic, without gaps.
    pub seq: u64,
    /// The SHA-256 of its bytes, in hexadecimal.
    pub digest: String,
    /// The media type, as received.
    pub content_type: String,
    /// The Capability List that the Source linked to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability_list: Option<String>,
    /// When it was received.
    pub received: Timestamp,
    /// The bytes, as received.
    #[serde(with = "body")]
    pub body: Arc<[u8]>,
}

impl fmt::Debug for Accepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accepted").field("seq", &self.seq).field("digest", &self.digest).finish_non_exhaustive()
    }
}

/// A secret, which is never displayed. Only stores serialize it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(pub Arc<str>);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// An active subscription. Its texts are shared, because every delivery copies it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subscription {
    /// Its number.
    pub id: u64,
    /// The number of the topic.
    pub topic: u64,
    /// The callback, as requested.
    pub callback: Arc<str>,
    /// Host and port of the callback.
    pub host: Arc<str>,
    /// The secret that signs deliveries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<Secret>,
    /// The end of the lease.
    pub lease_until: Timestamp,
    /// The number of the last payload with an outcome.
    pub cursor: u64,
    /// Failed deliveries of the next payload.
    pub failures: u32,
    /// Those with a status that means that the payload is refused.
    pub refusals: u32,
    /// The time of the first of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing_since: Option<Timestamp>,
    /// When the next attempt is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_at: Option<Timestamp>,
    /// The status of the last attempt, if there was a response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_status: Option<u16>,
}

impl Subscription {
    /// Moves the cursor.
    pub(super) fn advance(&mut self, seq: u64) {
        self.cursor = seq;
        (self.failures, self.refusals, self.failing_since, self.retry_at) = (0, 0, None, None);
    }
}

/// The place of a subscription in the order of deliveries: its cursor and its number.
pub type Position = (u64, u64);

/// A subscription that lacks a payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// Its place.
    pub position: Position,
    /// Host and port of its callback.
    pub host: Arc<str>,
}

named_enum! {
    /// The mode of a request.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Mode {
        /// Start or renew a subscription.
        Subscribe = "subscribe",
        /// End it.
        Unsubscribe = "unsubscribe",
    }
}

/// A request that the callback has not confirmed yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pending {
    /// Its number; only the newest request of a topic and a callback exists.
    pub nonce: u64,
    /// The number of the topic.
    pub topic: u64,
    /// The callback.
    pub callback: String,
    /// Host and port of the callback.
    pub host: String,
    /// What was requested.
    pub mode: Mode,
    /// The secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<Secret>,
    /// The granted lease.
    pub lease: Duration,
    /// The challenge of the last attempt.
    pub challenge: Secret,
    /// The number of attempts.
    pub attempt: u32,
    /// When it was received.
    pub created: Timestamp,
    /// When the last attempt was sent.
    pub sent: Timestamp,
    /// When the next attempt is due.
    pub next: Timestamp,
}

/// Payloads that a subscription did not receive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeadLetter {
    /// The number of the subscription.
    pub subscription: u64,
    /// The number of the topic.
    pub topic: u64,
    /// The callback, masked.
    pub callback: String,
    /// The number of the first payload.
    pub first: u64,
    /// The number of the last one.
    pub last: u64,
    /// Why.
    pub reason: DeadReason,
    /// The status of the last attempt, if there was a response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// When it was given up.
    pub at: Timestamp,
}

named_enum! {
    /// Why payloads were not delivered.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[non_exhaustive]
    pub enum DeadReason {
        /// Every attempt failed.
        GivenUp = "given-up",
        /// The subscriber refused the payload repeatedly.
        Rejected = "rejected",
        /// The payload was removed before it could be delivered.
        Expired = "expired",
        /// The callback is gone.
        Gone = "gone",
        /// The subscription was denied.
        Denied = "denied",
        /// The lease ended.
        LeaseOver = "lease-over",
        /// The subscriber unsubscribed.
        Unsubscribed = "unsubscribed",
    }
}

/// The bytes of a payload: text, or hexadecimal if they are not UTF-8.
mod body {
    use alloc::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::bytes::Bytes;

    pub(super) fn serialize<S: Serializer>(body: &Arc<[u8]>, serializer: S) -> Result<S::Ok, S::Error> {
        Bytes(body.to_vec()).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[u8]>, D::Error> {
        Bytes::deserialize(deserializer).map(|bytes| bytes.0.into())
    }
}
