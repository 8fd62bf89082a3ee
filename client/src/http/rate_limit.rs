//! Limits the rate and the number of concurrent requests.

use std::{
    collections::HashMap,
    sync::{Arc, Condvar, Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::error::Error;
use crate::cancel::{Cancel, TICK};

/// An adaptive rate is changed after this time at the earliest.
const WINDOW: Duration = Duration::from_secs(2);
/// The shortest and the longest time between two requests at an adaptive rate: 200 a second, one in ten seconds.
const FASTEST: Duration = Duration::from_millis(5);
const SLOWEST: Duration = Duration::from_secs(10);
/// Waits below this are no sign of a busy server.
const PROMPT: Duration = Duration::from_millis(20);

/// The rate of requests to each host.
#[derive(Debug)]
pub(super) struct RateLimit {
    gap: Duration,
    /// True if the rate follows how well a host responds.
    adapts: bool,
    hosts: Mutex<HashMap<String, Pace>>,
}

/// The rate of one host.
#[derive(Debug)]
struct Pace {
    /// The time between two requests.
    gap: Duration,
    /// When the next one is allowed.
    next: Instant,
    /// When the rate was changed last.
    since: Instant,
    /// Times from requests since then to their responses.
    waits: Vec<Duration>,
    /// The best median of them.
    best: Option<Duration>,
}

impl RateLimit {
    /// Creates a limit of requests per second; 0 for no limit. If it adapts, this is only the rate at the beginning.
    pub(super) fn new(requests: u64, adapts: bool) -> RateLimit {
        let gap = if requests == 0 {
            Duration::ZERO
        } else {
            Duration::from_secs(1) / u32::try_from(requests).unwrap_or(u32::MAX)
        };
        RateLimit { gap, adapts: adapts && requests > 0, hosts: Mutex::default() }
    }

    /// True if the rate follows how well a host responds.
    pub(super) fn adapts(&self) -> bool {
        self.adapts
    }

    /// Waits until a request to this host is allowed.
    pub(super) fn wait(&self, host: &str, cancel: &Cancel) -> Result<(), Error> {
        if cancel.sleep(self.turn(host, Instant::now())) { Ok(()) } else { Err(Error::interrupted()) }
    }

    fn turn(&self, host: &str, now: Instant) -> Duration {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let gap = self.gap;
        let own = hosts.entry(host.to_owned()).or_insert_with(|| Pace {
            gap,
            next: now,
            since: now,
            waits: Vec::new(),
            best: None,
        });
        let turn = own.next.max(now);
        own.next = turn + own.gap;
        turn.saturating_duration_since(now)
    }

    /// Notes the response to a request of a moment; `is_busy` if the host refused it for the time being, or did not respond in time.
    pub(super) fn answered(&self, host: &str, sent: Instant, now: Instant, is_busy: bool) {
        if !self.adapts {
            return;
        }
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = hosts.get_mut(host) {
            own.answered(sent, now, is_busy);
        }
    }
}

impl Pace {
    fn answered(&mut self, sent: Instant, now: Instant, is_busy: bool) {
        // Requests that were under way when the rate was changed show nothing about it.
        if sent < self.since {
            return;
        }
        if is_busy {
            return self.change(self.gap.saturating_mul(2), now);
        }
        self.waits.push(now.saturating_duration_since(sent));
        let elapsed = now.saturating_duration_since(self.since);
        if elapsed < WINDOW {
            return;
        }
        self.waits.sort_unstable();
        let median = self.waits.get(self.waits.len() / 2).copied().unwrap_or_default();
        let best = self.best.map_or(median, |best| best.min(median));
        self.best = Some(best);
        // A rate that is not used needs no change.
        let is_used = self.gap.saturating_mul(u32::try_from(self.waits.len()).unwrap_or(u32::MAX)) >= elapsed / 2;
        let gap = if median >= PROMPT && median >= best * 3 / 2 {
            self.gap.saturating_mul(2)
        } else if is_used {
            self.gap * 2 / 3
        } else {
            self.gap
        };
        self.change(gap, now);
    }

    fn change(&mut self, gap: Duration, now: Instant) {
        self.gap = gap.clamp(FASTEST, SLOWEST);
        self.since = now;
        self.waits.clear();
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
        let (pace, now) = (RateLimit::new(10, false), Instant::now());
        let turns: Vec<u128> = (0..3).map(|_| pace.turn("a", now).as_millis()).collect();
        assert_eq!(turns, [0, 100, 200]);
        assert_eq!(pace.turn("b", now), Duration::ZERO);
        assert_eq!(pace.turn("a", now + Duration::from_secs(5)), Duration::ZERO);
        assert_eq!(RateLimit::new(0, true).turn("a", now), Duration::ZERO);
    }

    /// A host that is requested as fast as allowed, on a clock of its own.
    struct Host {
        rate: RateLimit,
        now: Instant,
    }

    impl Host {
        fn new(adapts: bool) -> Host {
            Host { rate: RateLimit::new(10, adapts), now: Instant::now() }
        }

        /// Requests for some seconds; the requests per second of the last one.
        fn requests(&mut self, seconds: u64, wait: Duration, is_busy: bool) -> u32 {
            let (end, mut last) = (self.now + Duration::from_secs(seconds), 0);
            while self.now < end {
                self.now += self.rate.turn("a", self.now);
                let sent = self.now;
                self.rate.answered("a", sent, sent + wait, is_busy);
                last += u32::from(end.saturating_duration_since(sent) <= Duration::from_secs(1));
            }
            last
        }
    }

    const QUICK: Duration = Duration::from_millis(30);

    #[test]
    fn a_rate_grows_while_a_host_responds_as_well_as_before() {
        let mut host = Host::new(true);
        let rate = host.requests(2, QUICK, false);
        assert!((10..=11).contains(&rate), "{rate}");
        let rate = host.requests(2, QUICK, false);
        assert!((14..=17).contains(&rate), "{rate}");
        let rate = host.requests(30, QUICK, false);
        assert!((190..=201).contains(&rate), "{rate}");
        let mut fixed = Host::new(false);
        assert_eq!(fixed.requests(60, QUICK, false), 11);
    }

    #[test]
    fn a_rate_is_halved_when_a_host_is_busy_or_slower_than_before() {
        for (wait, is_busy) in [(QUICK, true), (QUICK * 2, false)] {
            let mut host = Host::new(true);
            let before = host.requests(10, QUICK, false);
            // The first window still counts earlier responses.
            let after = host.requests(8, wait, is_busy);
            assert!(after <= before / 2 + 1, "{before} {after}");
            let slowest = host.requests(120, wait, is_busy);
            assert!(slowest <= 1, "{slowest}");
            // It recovers.
            let again = host.requests(120, QUICK, false);
            assert!(again >= 10, "{again}");
        }
    }

    #[test]
    fn waits_that_nobody_notices_are_no_sign_of_a_busy_host() {
        let mut host = Host::new(true);
        host.requests(10, Duration::from_millis(1), false);
        let rate = host.requests(30, Duration::from_millis(15), false);
        assert!(rate >= 190, "{rate}");
    }

    #[test]
    fn each_host_has_a_rate_of_its_own_and_several_refusals_at_a_time_count_once() {
        let (rate, now) = (RateLimit::new(10, true), Instant::now());
        let gap = |host: &str, now| {
            rate.turn(host, now);
            rate.turn(host, now).as_millis()
        };
        for _ in 0..4 {
            rate.turn("a", now);
        }
        (0..4).for_each(|_| rate.answered("a", now, now + QUICK, true));
        let later = now + Duration::from_secs(10);
        assert_eq!((gap("a", later), gap("b", later)), (200, 100));
    }

    #[test]
    fn a_rate_that_is_not_used_does_not_grow() {
        let (rate, mut now) = (RateLimit::new(10, true), Instant::now());
        for _ in 0..20 {
            now += Duration::from_secs(5);
            rate.turn("a", now);
            rate.answered("a", now, now + QUICK, false);
        }
        now += Duration::from_secs(5);
        rate.turn("a", now);
        assert_eq!(rate.turn("a", now), Duration::from_millis(100));
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
