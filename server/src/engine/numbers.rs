//! Numbers about a running hub.

use std::{collections::HashSet, time::Instant};

use resourcesync_notify::hub::Ledger;

use super::batch::{Engine, INTERVAL};
use crate::ledger::Store;

impl Engine {
    /// Updates numbers that need queries.
    pub(super) fn numbers(&mut self) {
        let metrics = &self.links.metrics;
        let (all, slow) = self.schedule.in_flight();
        metrics.gauge("hub_in_flight", &[("lane", "slow")], slow as u64);
        metrics.gauge("hub_in_flight", &[("lane", "fast")], all.saturating_sub(slow) as u64);
        metrics.gauge("hub_due", &[], self.schedule.queued() as u64);
        if Instant::now() < self.next_numbers {
            return;
        }
        self.next_numbers = Instant::now() + INTERVAL;
        if let Ok(counts) = self.ledger.counts() {
            metrics.gauge("hub_subscriptions", &[("state", "active")], counts.subscriptions);
            metrics.gauge("hub_subscriptions", &[("state", "pending")], counts.pending);
        }
        if let Ok(bytes) = self.ledger.bytes() {
            metrics.gauge("hub_store_bytes", &[], bytes);
        }
        let now = self.now();
        let mut ages = Vec::new();
        for topic in self.ledger.topics().unwrap_or_default() {
            let since = self.ledger.topic_counts(&topic).ok().and_then(|counts| counts.undelivered_since);
            ages.push((topic.uri, since.map_or(0, |since| now.since(since).as_secs())));
        }
        // Nobody has used the others yet.
        let stored: HashSet<String> = ages.iter().map(|(topic, _)| topic.clone()).collect();
        let unused = self.hub.options().topics().iter().map(|topic| topic.uri()).filter(|uri| !stored.contains(*uri));
        ages.extend(unused.map(|uri| (uri.to_owned(), 0)));
        self.links.metrics.ages(&ages);
    }
}
