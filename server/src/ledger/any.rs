//! The store chosen by the configuration.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use resourcesync_notify::{
    hub::{Accepted, DeadLetter, Due, Ledger, Pending, Position, Subscription, TopicHead, TopicState},
    moment::Timestamp,
};

#[cfg(feature = "postgres")]
use super::PostgresLedger;
use super::{
    LedgerError, SqliteLedger, StoreAddress, StoreError,
    store::{Counts, Rows, Store, TopicCounts, Transaction},
};

/// The store chosen by the configuration.
#[derive(Debug)]
#[non_exhaustive]
pub enum AnyStore {
    /// One file.
    Sqlite(SqliteLedger),
    /// A database that several processes may use.
    #[cfg(feature = "postgres")]
    Postgres(Box<PostgresLedger>),
}

impl AnyStore {
    /// Opens a store. In a database, a process that ends without closing it keeps its subscriptions for `claims`.
    ///
    /// # Errors
    ///
    /// If it cannot be used.
    pub fn open(address: &StoreAddress, claims: Duration) -> Result<AnyStore, StoreError> {
        match address {
            StoreAddress::Sqlite(path) => SqliteLedger::open(path).map(AnyStore::Sqlite),
            #[cfg(feature = "postgres")]
            StoreAddress::Postgres(url) => Ok(AnyStore::Postgres(Box::new(PostgresLedger::open(url, claims)?))),
            #[cfg(not(feature = "postgres"))]
            StoreAddress::Postgres(_) => {
                let _ = claims;
                Err(StoreError::Format(address.to_string(), "this program was built without it".to_owned()))
            }
        }
    }
}

macro_rules! own {
    ($self:ident, $own:ident => $call:expr) => {
        match $self {
            AnyStore::Sqlite($own) => $call,
            #[cfg(feature = "postgres")]
            AnyStore::Postgres($own) => $call,
        }
    };
}

macro_rules! delegate {
    ($($name:ident($($argument:ident: $type:ty),*) -> $output:ty;)+) => {
        $(fn $name(&mut self, $($argument: $type),*) -> Result<$output, LedgerError> {
            own!(self, own => own.$name($($argument),*).map_err(LedgerError::from))
        })+
    };
}

impl Ledger for AnyStore {
    type Error = LedgerError;

    delegate! {
        topic(uri: &str) -> Option<TopicState>;
        topic_by_id(id: u64) -> Option<TopicState>;
        topic_head(id: u64) -> Option<TopicHead>;
        topics() -> Vec<TopicState>;
        add_topic(uri: &str) -> TopicState;
        put_topic(topic: &TopicState) -> ();
        append(topic: u64, payload: &Accepted) -> ();
        find_payload(topic: u64, digest: &str) -> Option<u64>;
        payload_after(topic: u64, seq: u64) -> Option<Arc<Accepted>>;
        expire(topic: u64, before: Timestamp, bytes: u64) -> u64;
        subscription(id: u64) -> Option<Subscription>;
        find_subscription(topic: u64, callback: &str) -> Option<Subscription>;
        add_subscription(subscription: &Subscription) -> u64;
        put_subscription(subscription: &Subscription) -> ();
        remove_subscription(id: u64) -> ();
        subscriptions(topic: Option<u64>, host: Option<&str>, after: u64, most: usize) -> Vec<Subscription>;
        lapsed(now: Timestamp, most: usize) -> Vec<Subscription>;
        due(topic: u64, now: Timestamp, after: Position, most: usize) -> Vec<Due>;
        next_retry(now: Timestamp) -> Option<Timestamp>;
        add_pending(pending: &Pending) -> u64;
        pending(nonce: u64) -> Option<Pending>;
        is_pending(topic: u64, callback: &str) -> bool;
        put_pending(pending: &Pending) -> ();
        remove_pending(nonce: u64) -> ();
        count_pending() -> u64;
        next_pending() -> Option<Timestamp>;
        pending_due(now: Timestamp, most: usize) -> Vec<Pending>;
        dead_letter(letter: &DeadLetter) -> ();
        forget_dead_letters(before: Timestamp) -> ();
        is_denied(host: &str) -> bool;
        deny(host: &str, is_denied: bool) -> ();
    }
}

impl Rows for AnyStore {
    delegate! {
        denied() -> Vec<String>;
        insert_topic(topic: &TopicState) -> ();
        insert_subscription(subscription: &Subscription) -> ();
        insert_pending(pending: &Pending) -> ();
        last_numbers() -> [u64; 3];
        continue_after(last: [u64; 3]) -> ();
    }
}

impl Store for AnyStore {
    delegate! {
        begin(transaction: Transaction) -> ();
        commit() -> ();
        save_point() -> ();
        release(keeps: bool) -> ();
        close() -> ();
        probe(body: &[u8]) -> ();
        bytes() -> u64;
        counts() -> Counts;
        topic_counts(topic: &TopicState) -> TopicCounts;
        dead_letters(most: usize) -> Vec<DeadLetter>;
        failing(most: usize) -> Vec<Subscription>;
        claim(topic: u64, now: Timestamp, after: Position, most: usize) -> Vec<Due>;
        held(subscriptions: &[u64]) -> Vec<bool>;
        keep_claims(is_used: &dyn Fn(u64) -> bool) -> ();
        sweeps() -> bool;
    }

    fn roll_back(&mut self) {
        own!(self, own => own.roll_back());
    }

    fn poll(&self) -> Option<Duration> {
        own!(self, own => own.poll())
    }

    fn deadline(&self, subscription: u64) -> Option<Instant> {
        own!(self, own => own.deadline(subscription))
    }
}
