//! Limits the rate and the number of concurrent requests.

use std::{
    collections::HashMap,
    sync::{Arc, Condvar, Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::error::Error;
use crate::cancel::{Cancel, TICK};

/// The rate of requests to each host.
#[derive(Debug)]
pub(super) struct RateLimit {
    gap: Duration,
    next: Mutex<HashMap<String, Instant>>,
}

impl RateLimit {
    /// Creates a limit of requests per second; 0 for no limit.
    pub(super) fn new(requests: u64) -> RateLimit {
        let gap = if requests == 0 {
            Duration::ZERO
        } else {
            Duration::from_secs(1) / u32::try_from(requests).unwrap_or(u32::MAX)
        };
        RateLimit { gap, next: Mutex::default() }
    }

    /// Waits until a request to this host is allowed.
    pub(super) fn wait(&self, host: &str, cancel: &Cancel) -> Result<(), Error> {
        if cancel.sleep(self.turn(host, Instant::now())) { Ok(()) } else { Err(Error::interrupted()) }
    }

    fn turn(&self, host: &str, now: Instant) -> Duration {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let own = next.entry(host.to_owned()).or_insert(now);
        let turn = (*own).max(now);
        *own = turn + self.gap;
        turn.saturating_duration_since(now)
    }
}

/// Limits the number of concurrent requests.
#[derive(Debug)]
pub(super) struct Connections {
    free: Mutex<u64>,
    freed: Condvar,
}

/// A permit for one request; dropping it releases the permit.
#[derive(Debug)]
pub(super) struct Place(Arc<Connections>);

impl Connections {
    pub(super) fn new(places: u64) -> Arc<Connections> {
        Arc::new(Connections { free: Mutex::new(places.max(1)), freed: Condvar::new() })
    }

    /// Waits for a permit.
    pub(super) fn enter(self: &Arc<Connections>, cancel: &Cancel) -> Result<Place, Error> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free == 0 {
            if cancel.is_cancelled() {
                return Err(Error::interrupted());
            }
            free = self.freed.wait_timeout(free, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= 1;
        Ok(Place(self.clone()))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut free = self.0.free.lock().unwrap_or_else(PoisonError::into_inner);
        *free = free.saturating_add(1);
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn requests_to_one_host_are_spaced_and_those_to_another_are_not() {
        let (pace, now) = (RateLimit::new(10), Instant::now());
        let turns: Vec<u128> = (0..3).map(|_| pace.turn("a", now).as_millis()).collect();
        assert_eq!(turns, [0, 100, 200]);
        assert_eq!(pace.turn("b", now), Duration::ZERO);
        assert_eq!(pace.turn("a", now + Duration::from_secs(5)), Duration::ZERO);
        assert_eq!(RateLimit::new(0).turn("a", now), Duration::ZERO);
    }

    #[test]
    fn a_gate_lets_no_more_through_than_it_has_places() {
        let gate = Connections::new(2);
        let (one, _two) = (gate.enter(&Cancel::default()).unwrap(), gate.enter(&Cancel::default()).unwrap());
        assert_eq!(*gate.free.lock().unwrap(), 0);
        drop(one);
        assert_eq!(*gate.free.lock().unwrap(), 1);
    }
}
