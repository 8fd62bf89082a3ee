//! A ledger in memory: for tests, as the model of other ledgers, and for small hubs, which store its values.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};
use core::convert::Infallible;

use super::{Accepted, DeadLetter, Due, Ledger, Pending, Position, Subscription, TopicState, row::Row};
use crate::{interval::Chain, moment::Timestamp};

/// A ledger in memory. A copy of it is a snapshot; [`MemoryLedger::restore`] and [`MemoryLedger::changes`] store its rows as values.
#[derive(Debug, Clone, Default)]
pub struct MemoryLedger {
    pub(super) topics: BTreeMap<u64, TopicState>,
    pub(super) payloads: BTreeMap<(u64, u64), Arc<Accepted>>,
    pub(super) subscriptions: BTreeMap<u64, Subscription>,
    pub(super) pending: BTreeMap<u64, Pending>,
    pub(super) dead_letters: BTreeMap<u64, DeadLetter>,
    pub(super) denied: BTreeSet<String>,
    pub(super) last: u64,
    /// The rows changed since they were last stored, if they are stored at all.
    pub(super) changed: Option<BTreeSet<Row>>,
}

impl MemoryLedger {
    /// The dead letters, in the order written.
    pub fn dead_letters(&self) -> Vec<DeadLetter> {
        self.dead_letters.values().cloned().collect()
    }

    /// The next number that was never used.
    fn number(&mut self) -> u64 {
        self.last = self.last.saturating_add(1);
        self.touch(Row::Last);
        self.last
    }

    fn touch(&mut self, row: Row) {
        if let Some(changed) = &mut self.changed {
            changed.insert(row);
        }
    }
}

impl Ledger for MemoryLedger {
    type Error = Infallible;

    fn topic(&mut self, uri: &str) -> Result<Option<TopicState>, Infallible> {
        Ok(self.topics.values().find(|topic| topic.uri == uri).cloned())
    }

    fn topic_by_id(&mut self, id: u64) -> Result<Option<TopicState>, Infallible> {
        Ok(self.topics.get(&id).cloned())
    }

    fn topics(&mut self) -> Result<Vec<TopicState>, Infallible> {
        Ok(self.topics.values().cloned().collect())
    }

    fn add_topic(&mut self, uri: &str) -> Result<TopicState, Infallible> {
        let id = self.topics.keys().next_back().map_or(1, |last| last.saturating_add(1));
        let topic = TopicState { id, uri: uri.to_string(), head: 0, chain: Chain::default(), is_paused: false };
        self.put_topic(&topic)?;
        Ok(topic)
    }

    fn put_topic(&mut self, topic: &TopicState) -> Result<(), Infallible> {
        self.topics.insert(topic.id, topic.clone());
        self.touch(Row::Topic(topic.id));
        Ok(())
    }

    fn append(&mut self, topic: u64, payload: &Accepted) -> Result<(), Infallible> {
        self.payloads.insert((topic, payload.seq), Arc::new(payload.clone()));
        self.touch(Row::Payload(topic, payload.seq));
        Ok(())
    }

    fn find_payload(&mut self, topic: u64, digest: &str) -> Result<Option<u64>, Infallible> {
        let mut own = self.payloads.range((topic, 0)..=(topic, u64::MAX));
        Ok(own.find(|(_, payload)| payload.digest == digest).map(|((_, seq), _)| *seq))
    }

    fn payload_after(&mut self, topic: u64, seq: u64) -> Result<Option<Arc<Accepted>>, Infallible> {
        let mut later = self.payloads.range((topic, seq.saturating_add(1))..=(topic, u64::MAX));
        Ok(later.next().map(|(_, payload)| payload.clone()))
    }

    fn expire(&mut self, topic: u64, before: Timestamp, bytes: u64) -> Result<u64, Infallible> {
        let head = self.topics.get(&topic).map_or(0, |topic| topic.head);
        let mut used = 0_u64;
        let mut removed = Vec::new();
        for (key, payload) in self.payloads.range((topic, 0)..=(topic, u64::MAX)).rev() {
            used = used.saturating_add(payload.body.len() as u64);
            let is_last = key.1 == head;
            if !is_last && (payload.received < before || used > bytes) {
                removed.push(*key);
            }
        }
        for key in &removed {
            self.payloads.remove(key);
            self.touch(Row::Payload(key.0, key.1));
        }
        Ok(removed.len() as u64)
    }

    fn subscription(&mut self, id: u64) -> Result<Option<Subscription>, Infallible> {
        Ok(self.subscriptions.get(&id).cloned())
    }

    fn find_subscription(&mut self, topic: u64, callback: &str) -> Result<Option<Subscription>, Infallible> {
        let is_it = |own: &&Subscription| own.topic == topic && *own.callback == *callback;
        Ok(self.subscriptions.values().find(is_it).cloned())
    }

    fn add_subscription(&mut self, subscription: &Subscription) -> Result<u64, Infallible> {
        let id = self.number();
        self.put_subscription(&Subscription { id, ..subscription.clone() })?;
        Ok(id)
    }

    fn put_subscription(&mut self, subscription: &Subscription) -> Result<(), Infallible> {
        self.subscriptions.insert(subscription.id, subscription.clone());
        self.touch(Row::Subscription(subscription.id));
        Ok(())
    }

    fn remove_subscription(&mut self, id: u64) -> Result<(), Infallible> {
        self.subscriptions.remove(&id);
        self.touch(Row::Subscription(id));
        Ok(())
    }

    fn subscriptions(
        &mut self,
        topic: Option<u64>,
        host: Option<&str>,
        after: u64,
        most: usize,
    ) -> Result<Vec<Subscription>, Infallible> {
        let fits = |own: &&Subscription| {
            own.id > after && topic.is_none_or(|topic| own.topic == topic) && host.is_none_or(|host| *own.host == *host)
        };
        Ok(self.subscriptions.values().filter(fits).take(most).cloned().collect())
    }

    fn lapsed(&mut self, now: Timestamp, most: usize) -> Result<Vec<Subscription>, Infallible> {
        let mut found: Vec<_> = self.subscriptions.values().filter(|own| own.lease_until <= now).cloned().collect();
        found.sort_by_key(|own| (own.lease_until, own.id));
        found.truncate(most);
        Ok(found)
    }

    fn due(&mut self, topic: u64, now: Timestamp, after: Position, most: usize) -> Result<Vec<Due>, Infallible> {
        let Some(state) = self.topics.get(&topic).filter(|state| !state.is_paused) else { return Ok(Vec::new()) };
        let fits = |own: &&Subscription| {
            own.topic == topic && own.cursor < state.head && own.retry_at.is_none_or(|at| at <= now)
        };
        let due = |own: &Subscription| Due { position: (own.cursor, own.id), host: own.host.clone() };
        let mut found: Vec<Due> = self.subscriptions.values().filter(fits).map(due).collect();
        found.retain(|due| due.position > after);
        found.sort_by_key(|due| due.position);
        found.truncate(most);
        Ok(found)
    }

    fn next_retry(&mut self, now: Timestamp) -> Result<Option<Timestamp>, Infallible> {
        let is_paused = |own: &Subscription| self.topics.get(&own.topic).is_none_or(|topic| topic.is_paused);
        let waiting = self.subscriptions.values().filter(|own| !is_paused(own)).filter_map(|own| own.retry_at);
        Ok(waiting.filter(|at| *at > now).min())
    }

    fn add_pending(&mut self, pending: &Pending) -> Result<u64, Infallible> {
        let is_older = |own: &&Pending| (own.topic, &own.callback) == (pending.topic, &pending.callback);
        if let Some(nonce) = self.pending.values().find(is_older).map(|own| own.nonce) {
            self.remove_pending(nonce)?;
        }
        let nonce = self.number();
        self.put_pending(&Pending { nonce, ..pending.clone() })?;
        Ok(nonce)
    }

    fn pending(&mut self, nonce: u64) -> Result<Option<Pending>, Infallible> {
        Ok(self.pending.get(&nonce).cloned())
    }

    fn is_pending(&mut self, topic: u64, callback: &str) -> Result<bool, Infallible> {
        Ok(self.pending.values().any(|own| (own.topic, &*own.callback) == (topic, callback)))
    }

    fn put_pending(&mut self, pending: &Pending) -> Result<(), Infallible> {
        self.pending.insert(pending.nonce, pending.clone());
        self.touch(Row::Pending(pending.nonce));
        Ok(())
    }

    fn remove_pending(&mut self, nonce: u64) -> Result<(), Infallible> {
        self.pending.remove(&nonce);
        self.touch(Row::Pending(nonce));
        Ok(())
    }

    fn count_pending(&mut self) -> Result<u64, Infallible> {
        Ok(self.pending.len() as u64)
    }

    fn next_pending(&mut self) -> Result<Option<Timestamp>, Infallible> {
        Ok(self.pending.values().map(|pending| pending.next).min())
    }

    fn pending_due(&mut self, now: Timestamp, most: usize) -> Result<Vec<Pending>, Infallible> {
        Ok(self.pending.values().filter(|own| own.next <= now).take(most).cloned().collect())
    }

    fn dead_letter(&mut self, letter: &DeadLetter) -> Result<(), Infallible> {
        let id = self.dead_letters.keys().next_back().map_or(1, |last| last.saturating_add(1));
        self.dead_letters.insert(id, letter.clone());
        self.touch(Row::DeadLetter(id));
        Ok(())
    }

    fn forget_dead_letters(&mut self, before: Timestamp) -> Result<(), Infallible> {
        let old: Vec<u64> =
            self.dead_letters.iter().filter(|(_, letter)| letter.at < before).map(|(id, _)| *id).collect();
        for id in old {
            self.dead_letters.remove(&id);
            self.touch(Row::DeadLetter(id));
        }
        Ok(())
    }

    fn is_denied(&mut self, host: &str) -> Result<bool, Infallible> {
        Ok(self.denied.contains(host))
    }

    fn deny(&mut self, host: &str, is_denied: bool) -> Result<(), Infallible> {
        if is_denied {
            self.denied.insert(host.to_string());
        } else {
            self.denied.remove(host);
        }
        self.touch(Row::Denied(host.to_string()));
        Ok(())
    }
}
