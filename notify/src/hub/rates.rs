//! Rate limits of requests, which bound what strangers can cause.

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
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
        self.hosts.take(now, host, HOST)
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
    fn the_number_of_keys_is_bounded() {
        let (mut rates, now) = (Rates::default(), Timestamp::from_seconds(1_000));
        let taken = (0..KEYS.saturating_add(10)).filter(|key| rates.client(now, &key.to_string()).is_ok()).count();
        assert_eq!(taken, KEYS);
        assert!(rates.client(now.after(Duration::from_secs(60)), "new").is_ok());
    }
}
