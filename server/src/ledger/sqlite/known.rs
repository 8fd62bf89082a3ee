//! What deliveries read again and again, and what they change. Only this process writes, so it stays true until a transaction fails.

use std::{collections::BTreeMap, sync::Arc};

use hashlink::LruCache;
use resourcesync_notify::{
    hub::{Accepted, Subscription, TopicHead},
    moment::Timestamp,
};

/// Payloads kept in memory, because all subscribers of a topic read the same ones.
const PAYLOADS: usize = 16;
/// Topics kept in memory.
const TOPICS: usize = 1_024;
/// Subscriptions kept in memory: more than are queued, in flight, and have an outcome that is not recorded.
const SUBSCRIPTIONS: usize = 16_384;

#[derive(Debug)]
pub(super) struct Known {
    /// By topic and number.
    pub(super) payloads: LruCache<(u64, u64), Arc<Accepted>>,
    pub(super) topics: LruCache<u64, TopicHead>,
    pub(super) subscriptions: LruCache<u64, Subscription>,
    /// Progress that is not in the table yet. INVARIANT: there is none outside of a transaction, or when a save point begins.
    pub(super) moved: BTreeMap<u64, Progress>,
}

impl Default for Known {
    fn default() -> Known {
        Known {
            payloads: LruCache::new(PAYLOADS),
            topics: LruCache::new(TOPICS),
            subscriptions: LruCache::new(SUBSCRIPTIONS),
            moved: BTreeMap::new(),
        }
    }
}

/// What a delivery changes in a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Progress {
    pub(super) cursor: u64,
    pub(super) failures: u32,
    pub(super) refusals: u32,
    pub(super) failing_since: Option<Timestamp>,
    pub(super) last_status: Option<u16>,
}

impl Progress {
    pub(super) fn of(own: &Subscription) -> Progress {
        let Subscription { cursor, failures, refusals, failing_since, last_status, .. } = *own;
        Progress { cursor, failures, refusals, failing_since, last_status }
    }
}
