//! Waits for busy hosts. A host that requests a wait gets it from all requests of a run together, so that the time of a run does not
//! grow with the number of URIs.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// The waits that hosts requested.
#[derive(Debug, Default)]
pub(super) struct HostBackoff(Mutex<HashMap<String, Wait>>);

#[derive(Debug)]
struct Wait {
    since: Instant,
    until: Instant,
    /// Waits without another answer in between.
    count: u64,
}

impl HostBackoff {
    /// How long the host still wants no requests.
    pub(super) fn left(&self, host: &str, now: Instant) -> Duration {
        let hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.get(host).map_or(Duration::ZERO, |wait| wait.until.saturating_duration_since(now))
    }

    /// Takes the wait that a host requested in response to a request of this moment. False if the host has had all `most` waits: it
    /// was waited for, and is still busy.
    pub(super) fn defer(&self, host: &str, sent: Instant, now: Instant, wait: Duration, most: u64) -> bool {
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = hosts.entry(host.to_owned()).or_insert(Wait { since: sent, until: now, count: 0 });
        // Requests that were under way when the host first asked to wait are no further attempts.
        if own.count > 0 && sent < own.since {
            return true;
        }
        if own.count >= most {
            return false;
        }
        *own = Wait { since: now, until: now + wait, count: own.count.saturating_add(1) };
        true
    }

    /// The host answered.
    pub(super) fn clear(&self, host: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(host);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_gets_its_waits_once_for_all_requests() {
        let (hosts, start) = (HostBackoff::default(), Instant::now());
        let second = |number| start + Duration::from_secs(number);
        let wait = Duration::from_secs(299);
        assert!(hosts.defer("a", start, second(1), wait, 2));
        assert_eq!(hosts.left("a", second(1)), wait);
        assert_eq!(hosts.left("b", second(1)), Duration::ZERO);
        // Three more requests were under way.
        assert!((0..3).all(|_| hosts.defer("a", start, second(2), wait, 2)));
        assert_eq!(hosts.left("a", second(300)), Duration::ZERO);
        assert!(hosts.defer("a", second(300), second(301), wait, 2));
        assert!(!hosts.defer("a", second(600), second(601), wait, 2));
        assert!(!hosts.defer("a", second(700), second(701), wait, 2));
        hosts.clear("a");
        assert!(hosts.defer("a", second(800), second(801), wait, 2));
    }
}
