//! What every store offers beyond the ledger of the hub: transactions, numbers for the operator, and sharing.

use std::time::{Duration, Instant};

use resourcesync_notify::{
    hub::{DeadLetter, Due, Ledger, Pending, Position, Subscription, TopicState},
    moment::Timestamp,
};
use serde::Serialize;

/// A durable store, used by one thread. Several processes may have one each on the same data.
pub trait Store: Ledger {
    /// Begins a transaction.
    ///
    /// # Errors
    ///
    /// If the store fails.
    fn begin(&mut self, transaction: Transaction) -> Result<(), Self::Error>;

    /// Makes all changes of the transaction durable.
    ///
    /// # Errors
    ///
    /// If the store fails; nothing is changed then.
    fn commit(&mut self) -> Result<(), Self::Error>;

    /// Undoes all changes of the transaction.
    fn roll_back(&mut self);

    /// Marks a point to return to within a transaction.
    ///
    /// # Errors
    ///
    /// If the store fails.
    fn save_point(&mut self) -> Result<(), Self::Error>;

    /// Keeps the changes since the point, or undoes them.
    ///
    /// # Errors
    ///
    /// If the store fails.
    fn release(&mut self, keeps: bool) -> Result<(), Self::Error>;

    /// Prepares the end of the process.
    ///
    /// # Errors
    ///
    /// If the store fails.
    fn close(&mut self) -> Result<(), Self::Error>;

    /// Writes as many bytes as these to the disk, and removes them again. Not within a transaction.
    ///
    /// # Errors
    ///
    /// If the store does not accept them.
    fn probe(&mut self, body: &[u8]) -> Result<(), Self::Error>;

    /// The size of the store in bytes.
    ///
    /// # Errors
    ///
    /// If the store fails.
    fn bytes(&mut self) -> Result<u64, Self::Error>;

    /// The numbers of subscriptions, pending requests and dead letters.
    ///
    /// # Errors
    ///
    /// If the store fails.
    fn counts(&mut self) -> Result<Counts, Self::Error>;

    /// A topic's subscriptions, stored payloads, and the time its oldest undelivered payload was received.
    ///
    /// # Errors
    ///
    /// If the store fails.
    fn topic_counts(&mut self, topic: &TopicState) -> Result<TopicCounts, Self::Error>;

    /// The last dead letters, the newest first.
    ///
    /// # Errors
    ///
    /// If the store fails.
    fn dead_letters(&mut self, most: usize) -> Result<Vec<DeadLetter>, Self::Error>;

    /// Subscriptions whose last delivery failed.
    ///
    /// # Errors
    ///
    /// If the store fails.
    fn failing(&mut self, most: usize) -> Result<Vec<Subscription>, Self::Error>;

    /// How often due subscriptions are read without a wake-up, if other processes may use the same data.
    fn poll(&self) -> Option<Duration> {
        None
    }

    /// [`Ledger::due`], reserved for this process.
    ///
    /// # Errors
    ///
    /// If the store fails.
    fn claim(&mut self, topic: u64, now: Timestamp, after: Position, most: usize) -> Result<Vec<Due>, Self::Error> {
        self.due(topic, now, after, most)
    }

    /// Locks those of the subscriptions that are still reserved for this process, and returns for each whether it is.
    ///
    /// # Errors
    ///
    /// If the store fails.
    fn held(&mut self, subscriptions: &[u64]) -> Result<Vec<bool>, Self::Error> {
        Ok(vec![true; subscriptions.len()])
    }

    /// The last moment at which an exchange for a subscription may begin; `None` if there is none.
    fn deadline(&self, subscription: u64) -> Option<Instant> {
        let _ = subscription;
        None
    }

    /// Renews the reservations that are in use, and ends the others.
    ///
    /// # Errors
    ///
    /// If the store fails.
    fn keep_claims(&mut self, is_used: &dyn Fn(u64) -> bool) -> Result<(), Self::Error> {
        let _ = is_used;
        Ok(())
    }

    /// True if no other process does at this time what time brings about. Holds until the end of the transaction.
    ///
    /// # Errors
    ///
    /// If the store fails.
    fn sweeps(&mut self) -> Result<bool, Self::Error> {
        Ok(true)
    }
}

/// What a transaction does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transaction {
    /// Anything; processes do it one after the other.
    Changes,
    /// Deliveries of subscriptions that are reserved for this process.
    Deliveries,
}

/// Numbers of rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Active subscriptions.
    pub subscriptions: u64,
    /// Requests that are being verified.
    pub pending: u64,
    /// Dead letters.
    pub dead_letters: u64,
}

/// Numbers of a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TopicCounts {
    /// Active subscriptions.
    pub subscriptions: u64,
    /// Stored payloads.
    pub payloads: u64,
    /// When the oldest payload was received that some subscription lacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undelivered_since: Option<Timestamp>,
}

/// What a copy needs beyond a store: rows keep their numbers, which are never used again.
pub(super) trait Rows: Store {
    /// The hosts that the operator denied.
    fn denied(&mut self) -> Result<Vec<String>, Self::Error>;
    /// Stores a topic with its number.
    fn insert_topic(&mut self, topic: &TopicState) -> Result<(), Self::Error>;
    /// Stores a subscription with its number.
    fn insert_subscription(&mut self, subscription: &Subscription) -> Result<(), Self::Error>;
    /// Stores a pending request with its number.
    fn insert_pending(&mut self, pending: &Pending) -> Result<(), Self::Error>;
    /// The last numbers of topics, subscriptions and requests that were ever used.
    fn last_numbers(&mut self) -> Result<[u64; 3], Self::Error>;
    /// Continues with the numbers after these.
    fn continue_after(&mut self, last: [u64; 3]) -> Result<(), Self::Error>;
}
