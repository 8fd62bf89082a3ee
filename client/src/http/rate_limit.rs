//! How many requests at a time, and how soon after each other.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    sync::{Arc, Condvar, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use super::error::Problem;
use crate::Cancel;

/// How long to wait before looking whether the run was interrupted.
const TICK: Duration = Duration::from_millis(50);

/// Waits, unless the run is interrupted.
pub(super) fn pause(length: Duration, cancel: &Cancel) -> Result<(), Problem> {
    let begun = Instant::now();
    loop {
        if cancel.is_cancelled() {
            return Err(Problem::interrupted());
        }
        let left = length.saturating_sub(begun.elapsed());
        if left.is_zero() {
            return Ok(());
        }
        thread::sleep(left.min(TICK));
    }
}

/// How long to wait before the next try where the server does not say: twice as long each time, and never quite the same,
/// so that several readers of one server do not come back at once.
pub(super) fn backoff(tries: u64) -> Duration {
    let seconds = 1_u64 << tries.min(6);
    let jitter = RandomState::new().hash_one(tries) % (seconds * 500);
    Duration::from_secs(seconds) + Duration::from_millis(jitter)
}

/// Spaces the requests to each host.
#[derive(Debug)]
pub(super) struct Pace {
    gap: Duration,
    next: Mutex<HashMap<String, Instant>>,
}

impl Pace {
    /// At most so many a second; 0 for as many as it takes.
    pub(super) fn new(requests: u64) -> Pace {
        let gap = if requests == 0 {
            Duration::ZERO
        } else {
            Duration::from_secs(1) / u32::try_from(requests).unwrap_or(u32::MAX)
        };
        Pace { gap, next: Mutex::default() }
    }

    /// Waits for the turn of a request to this host.
    pub(super) fn wait(&self, host: &str, cancel: &Cancel) -> Result<(), Problem> {
        pause(self.turn(host, Instant::now()), cancel)
    }

    fn turn(&self, host: &str, now: Instant) -> Duration {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let own = next.entry(host.to_owned()).or_insert(now);
        let turn = (*own).max(now);
        *own = turn + self.gap;
        turn.saturating_duration_since(now)
    }
}

/// Lets a few through at a time.
#[derive(Debug)]
pub(super) struct Gate {
    free: Mutex<u64>,
    freed: Condvar,
}

/// A place inside the gate; leaving it frees the place.
#[derive(Debug)]
pub(super) struct Pass(Arc<Gate>);

impl Gate {
    pub(super) fn new(places: u64) -> Arc<Gate> {
        Arc::new(Gate { free: Mutex::new(places.max(1)), freed: Condvar::new() })
    }

    /// Waits for a place.
    pub(super) fn enter(self: &Arc<Gate>, cancel: &Cancel) -> Result<Pass, Problem> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free == 0 {
            if cancel.is_cancelled() {
                return Err(Problem::interrupted());
            }
            free = self.freed.wait_timeout(free, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= 1;
        Ok(Pass(self.clone()))
    }
}

impl Drop for Pass {
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
        let (pace, now) = (Pace::new(10), Instant::now());
        let turns: Vec<u128> = (0..3).map(|_| pace.turn("a", now).as_millis()).collect();
        assert_eq!(turns, [0, 100, 200]);
        assert_eq!(pace.turn("b", now), Duration::ZERO);
        assert_eq!(pace.turn("a", now + Duration::from_secs(5)), Duration::ZERO);
        assert_eq!(Pace::new(0).turn("a", now), Duration::ZERO);
    }

    #[test]
    fn a_gate_lets_no_more_through_than_it_has_places() {
        let gate = Gate::new(2);
        let (one, _two) = (gate.enter(&Cancel::default()).unwrap(), gate.enter(&Cancel::default()).unwrap());
        assert_eq!(*gate.free.lock().unwrap(), 0);
        drop(one);
        assert_eq!(*gate.free.lock().unwrap(), 1);
    }

    #[test]
    fn each_further_try_waits_longer() {
        for tries in 0..6 {
            let (least, most) = (1 << tries, (1 << tries) * 3 / 2 + 1);
            assert!((least..=most).contains(&backoff(tries).as_secs()));
        }
    }
}
