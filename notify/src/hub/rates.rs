//! Rate limits of requests, which bound what strangers can cause.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::{String, ToString},
    vec::Vec,
};
use core::time::Duration;

use crate::moment::Timestamp;

/// Maximum keys of one limit.
const KEYS: usize = 10_000;

/// A number of events in a time.
#[derive(Debug, Clone, Copy)]
struct Rate {
    /// Milliseconds between two events.
    every: u64,
    /// The number of events that may happen at once.
    burst: u64,
}

const fn per_minute(number: u64, burst: u64) -> Rate {
    Rate { every: 60_000_u64.div_euclid(number), burst }
}

/// Requests of one client.
const CLIENT: Rate = per_minute(30, 30);
/// Requests for callbacks at one host without a subscription.
const HOST: Rate = per_minute(10, 10);
/// Payloads of one topic.
const TOPIC: Rate = per_minute(60, 600);
/// Verifications of all requests.
const VERIFICATIONS: Rate = per_minute(3_000, 50);

/// The limits of a hub.
#[derive(Debug, Default)]
pub(super) struct Rates {
    clients: Buckets,
    hosts: Buckets,
    /// Hosts without a limit, by order of the operator.
    lifted: BTreeSet<String>,
    topics: Buckets,
    verifications: Buckets,
}

impl Rates {
    /// Counts a request of a client. The error is the wait.
    pub(super) fn client(&mut self, now: Timestamp, client: &str) -> Result<(), Duration> {
        self.clients.take(now, client, CLIENT)
    }

    /// Counts a request for a host without a subscription.
    pub(super) fn host(&mut self, now: Timestamp, host: &str) -> Result<(), Duration> {
        if self.lifted.contains(host) { Ok(()) } else { self.hosts.take(now, host, HOST) }
    }

    /// Lifts the limit of a host, or restores it. False if there are too many such hosts.
    pub(super) fn lift(&mut self, host: &str, is_lifted: bool) -> bool {
        self.hosts.0.remove(host);
        if !is_lifted {
            self.lifted.remove(host);
            return true;
        }
        let has_room = self.lifted.len() < KEYS;
        has_room && {
            self.lifted.insert(host.to_string());
            true
        }
    }

    /// The hosts without a limit.
    pub(super) fn lifted(&self) -> impl Iterator<Item = &str> {
        self.lifted.iter().map(String::as_str)
    }

    /// The hosts whose next request would be refused, those with the longest wait first.
    pub(super) fn limited(&self, now: Timestamp, most: usize) -> Vec<&str> {
        let mut full: Vec<(Timestamp, &str)> = self.hosts.full(now, HOST).collect();
        full.sort_by(|one, other| other.cmp(one));
        full.into_iter().take(most).map(|(_, host)| host).collect()
    }

    /// Counts a payload of a topic.
    pub(super) fn topic(&mut self, now: Timestamp, topic: &str) -> Result<(), Duration> {
        self.topics.take(now, topic, TOPIC)
    }

    /// Counts a verification.
    pub(super) fn verification(&mut self, now: Timestamp) -> Result<(), Duration> {
        self.verifications.take(now, "", VERIFICATIONS)
    }
}

/// By key, the moment at which the events so far would have happened at the steady rate (generic cell rate algorithm).
#[derive(Debug, Default)]
struct Buckets(BTreeMap<String, Timestamp>);

impl Buckets {
    fn take(&mut self, now: Timestamp, key: &str, rate: Rate) -> Result<(), Duration> {
        if self.0.len() >= KEYS && !self.0.contains_key(key) {
            self.0.retain(|_, until| *until > now);
            if self.0.len() >= KEYS {
                return Err(Duration::from_secs(60));
            }
        }
        let every = Duration::from_millis(rate.every);
        let room = Duration::from_millis(rate.every.saturating_mul(rate.burst));
        let known = self.0.get(key).copied().unwrap_or(now);
        let until = known.max(now).min(now.after(room));
        if known > until {
            // The clock was set back, which must not block a client for that long.
            self.0.insert(key.to_string(), until);
        }
        let until = until.after(every);
        let ahead = until.since(now);
        if ahead > room {
            return Err(ahead.saturating_sub(room));
        }
        self.0.insert(key.to_string(), until);
        Ok(())
    }

    /// The keys whose next event would be refused, with the moments at which all their events would have happened.
    fn full(&self, now: Timestamp, rate: Rate) -> impl Iterator<Item = (Timestamp, &str)> {
        let room = Duration::from_millis(rate.every.saturating_mul(rate.burst.saturating_sub(1)));
        self.0.iter().filter(move |(_, until)| until.since(now) > room).map(|(key, until)| (*until, key.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_followed_by_the_steady_rate() {
        let (mut rates, start) = (Rates::default(), Timestamp::from_seconds(1_000));
        let taken = |rates: &mut Rates, now| (0..100).filter(|_| rates.host(now, "a").is_ok()).count();
        assert_eq!(taken(&mut rates, start), 10);
        assert_eq!(rates.host(start, "a"), Err(Duration::from_secs(6)));
        assert_eq!(rates.host(start, "b"), Ok(()));
        assert_eq!(taken(&mut rates, start.after(Duration::from_secs(12))), 2);
        assert_eq!(taken(&mut rates, start.after(Duration::from_secs(3_600))), 10);
        // An hour earlier than that, the full wait applies, not an hour.
        assert!(rates.host(start, "a").is_err_and(|wait| wait <= Duration::from_secs(6)));
        assert_eq!(rates.host(start.after(Duration::from_secs(6)), "a"), Ok(()));
    }

    #[test]
    fn hosts_that_are_limited_are_named_and_one_whose_limit_is_lifted_is_not_limited() {
        let (mut rates, now) = (Rates::default(), Timestamp::from_seconds(1_000));
        for _ in 0..10 {
            assert_eq!(rates.limited(now, 10), Vec::<&str>::new());
            assert_eq!(rates.host(now, "a"), Ok(()));
        }
        assert_eq!((rates.limited(now, 10), rates.limited(now, 0)), (Vec::from(["a"]), Vec::new()));
        assert!(rates.limited(now.after(Duration::from_secs(6)), 10).is_empty());
        assert!(rates.lift("a", true));
        assert!((0..100).all(|_| rates.host(now, "a").is_ok()));
        assert_eq!((rates.limited(now, 10), rates.lifted().collect()), (Vec::new(), Vec::from(["a"])));
        assert!(rates.lift("a", false));
        assert_eq!((0..100).filter(|_| rates.host(now, "a").is_ok()).count(), 10);
    }

    #[test]
    fn the_number_of_keys_is_bounded() {
        let (mut rates, now) = (Rates::default(), Timestamp::from_seconds(1_000));
        let taken = (0..KEYS.saturating_add(10)).filter(|key| rates.client(now, &key.to_string()).is_ok()).count();
        assert_eq!(taken, KEYS);
        assert!(rates.client(now.after(Duration::from_secs(60)), "new").is_ok());
    }
}
