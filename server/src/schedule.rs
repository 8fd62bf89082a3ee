//! Which subscription sends next: hosts take turns, so that a slow or dead one delays no other.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque},
    sync::Arc,
    time::Duration,
};

use resourcesync_notify::{
    hub::{Due, Position},
    moment::Timestamp,
};

/// Maximum deliveries at the same time: in all, to slow hosts, and to one host.
const SLOTS: (usize, usize, u32) = (1_024, 256, 8);
/// The response time above which a host is slow.
const SLOW: Duration = Duration::from_secs(2);
/// Maximum subscriptions queued in all, and for one host.
const QUEUED: (usize, usize) = (4_096, 256);
/// Hosts whose state is kept although nothing is queued for them.
const HOSTS: usize = 10_000;
/// Subscriptions read from the store at a time.
pub(crate) const PAGE: usize = 500;

/// What a delivery showed about its host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It responded.
    Responded,
    /// It did not respond in time.
    Slow,
    /// There was no connection.
    Down,
}

#[derive(Debug, Default)]
struct Host {
    queue: VecDeque<u64>,
    in_flight: u32,
    /// The smoothed response time in milliseconds.
    smoothed: u64,
    is_slow: bool,
    is_down: bool,
    /// Nothing is sent to a host that is down before this moment, and then one delivery.
    next_probe: Option<Timestamp>,
    /// Subscriptions were due that did not fit into the queue.
    is_cut: bool,
    is_in_round: bool,
}

/// The queues of deliveries.
#[derive(Debug, Default)]
pub(crate) struct Schedule {
    hosts: HashMap<Arc<str>, Host>,
    /// Hosts with something queued, in the order of their turns.
    round: VecDeque<Arc<str>>,
    /// Subscriptions that are queued, in flight, or have an outcome that is not in the store yet.
    busy: HashSet<u64>,
    in_flight: usize,
    slow_in_flight: usize,
    queued: usize,
    /// Something was queued since no subscription could send.
    is_fresh: bool,
    /// Topics with subscriptions that may be due, and how far they were read.
    awake: BTreeMap<u64, Position>,
    topics: BTreeSet<u64>,
}

impl Schedule {
    /// Reads the due subscriptions of a topic, from the first.
    pub(crate) fn wake(&mut self, topic: u64) {
        self.topics.insert(topic);
        self.awake.insert(topic, (0, 0));
    }

    /// Reads the due subscriptions of all topics.
    pub(crate) fn wake_all(&mut self) {
        self.awake.extend(self.topics.iter().map(|topic| (*topic, (0, 0))));
    }

    /// The page to read next, if there is room.
    pub(crate) fn wanted(&self) -> Option<(u64, Position)> {
        let first = self.awake.first_key_value().map(|(topic, after)| (*topic, *after));
        first.filter(|_| self.queued < QUEUED.0)
    }

    /// Queues a page of due subscriptions.
    pub(crate) fn page(&mut self, topic: u64, page: Vec<Due>, now: Timestamp) {
        match page.last().filter(|_| page.len() >= PAGE) {
            Some(last) => drop(self.awake.insert(topic, last.position)),
            None => drop(self.awake.remove(&topic)),
        }
        for due in page {
            let (_, subscription) = due.position;
            if self.busy.contains(&subscription) {
                continue;
            }
            let host = self.hosts.entry(due.host.clone()).or_default();
            let waits = host.is_down && host.next_probe.is_some_and(|at| at > now);
            if waits || host.queue.len() >= QUEUED.1 {
                host.is_cut = true;
                continue;
            }
            self.push(subscription, due.host);
        }
    }

    /// Queues a subscription that lacks another payload. One that waits is found in the store when its time comes.
    pub(crate) fn ready(&mut self, subscription: u64, host: Arc<str>, at: Timestamp, now: Timestamp) {
        if at <= now {
            if !self.busy.contains(&subscription) {
                self.push(subscription, host);
            }
        } else if let Some(own) = self.hosts.get_mut(&host).filter(|own| own.is_down) {
            own.next_probe = Some(at);
        }
    }

    fn push(&mut self, subscription: u64, host: Arc<str>) {
        let own = self.hosts.entry(host.clone()).or_default();
        own.queue.push_back(subscription);
        if !own.is_in_round {
            own.is_in_round = true;
            self.round.push_back(host);
        }
        self.busy.insert(subscription);
        self.queued += 1;
        self.is_fresh = true;
    }

    /// The next subscription to send, which is then in flight.
    pub(crate) fn next(&mut self, now: Timestamp) -> Option<(u64, Arc<str>)> {
        let next = self.take(now);
        self.is_fresh &= next.is_some();
        next
    }

    /// True if a subscription may be able to send.
    pub(crate) fn is_fresh(&self) -> bool {
        self.is_fresh
    }

    fn take(&mut self, now: Timestamp) -> Option<(u64, Arc<str>)> {
        for _ in 0..self.round.len() {
            if self.in_flight >= SLOTS.0 {
                return None;
            }
            let name = self.round.pop_front()?;
            let Some(own) = self.hosts.get_mut(&name) else { continue };
            if own.queue.is_empty() {
                own.is_in_round = false;
                continue;
            }
            let most = if own.is_down { 1 } else { SLOTS.2 };
            let waits = own.is_down && own.next_probe.is_some_and(|at| at > now);
            let is_full = own.in_flight >= most || (own.is_slow && self.slow_in_flight >= SLOTS.1);
            if waits {
                // They are due again when the probe is.
                own.is_cut = true;
                self.queued -= own.queue.len();
                for subscription in own.queue.drain(..) {
                    self.busy.remove(&subscription);
                }
                own.is_in_round = false;
                continue;
            }
            self.round.push_back(name.clone());
            if is_full {
                continue;
            }
            let subscription = own.queue.pop_front()?;
            own.in_flight += 1;
            self.queued -= 1;
            self.in_flight += 1;
            self.slow_in_flight += usize::from(own.is_slow);
            return Some((subscription, name));
        }
        None
    }

    /// The outcome of a delivery is in the store.
    pub(crate) fn recorded(&mut self, subscription: u64) {
        self.busy.remove(&subscription);
    }

    /// A subscription that was in flight has an outcome, which is not recorded yet, or nothing was sent.
    pub(crate) fn finished(&mut self, subscription: u64, host: &str, result: Option<(Outcome, Duration)>) {
        if result.is_none() {
            self.recorded(subscription);
        }
        let Some(own) = self.hosts.get_mut(host) else { return };
        own.in_flight = own.in_flight.saturating_sub(1);
        self.in_flight = self.in_flight.saturating_sub(1);
        self.slow_in_flight = self.slow_in_flight.saturating_sub(usize::from(own.is_slow));
        if let Some((outcome, elapsed)) = result {
            let elapsed = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
            own.smoothed = (own.smoothed.saturating_mul(7).saturating_add(elapsed)) / 8;
            let was_slow = own.is_slow;
            own.is_slow = outcome != Outcome::Responded || u128::from(own.smoothed) > SLOW.as_millis();
            // Deliveries in flight count in the lane of their host.
            match (was_slow, own.is_slow) {
                (false, true) => self.slow_in_flight += own.in_flight as usize,
                (true, false) => self.slow_in_flight = self.slow_in_flight.saturating_sub(own.in_flight as usize),
                _ => {}
            }
            let was_down = own.is_down;
            own.is_down = outcome == Outcome::Down;
            if !own.is_down {
                own.next_probe = None;
            }
            let recovers = was_down && !own.is_down;
            if own.is_cut && (recovers || own.queue.len() < SLOTS.2 as usize) && !own.is_down {
                own.is_cut = false;
                self.wake_all();
            }
        }
        if self.hosts.len() > HOSTS {
            self.hosts.retain(|_, own| own.in_flight > 0 || own.is_in_round || own.is_down);
        }
    }

    /// True if a subscription is queued, in flight, or has an outcome that is not recorded.
    pub(crate) fn is_busy(&self, subscription: u64) -> bool {
        self.busy.contains(&subscription)
    }

    /// Deliveries in flight: all, and those to slow hosts.
    pub(crate) fn in_flight(&self) -> (usize, usize) {
        (self.in_flight, self.slow_in_flight)
    }

    /// Subscriptions that wait for a slot.
    pub(crate) fn queued(&self) -> usize {
        self.queued
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due(subscriptions: std::ops::Range<u64>, host: &str) -> Vec<Due> {
        subscriptions.map(|id| Due { position: (0, id), host: host.into() }).collect()
    }

    fn now(seconds: i64) -> Timestamp {
        Timestamp::from_seconds(seconds)
    }

    fn taken(schedule: &mut Schedule, at: Timestamp) -> Vec<(u64, Arc<str>)> {
        std::iter::from_fn(|| schedule.next(at)).collect()
    }

    #[test]
    fn hosts_take_turns_and_none_gets_more_than_its_share() {
        let mut schedule = Schedule::default();
        schedule.page(1, due(1..100, "many"), now(0));
        schedule.page(1, due(100..102, "few"), now(0));
        let sent = taken(&mut schedule, now(0));
        assert_eq!((sent.len(), &*sent[1].1), (10, "few"));
        schedule.finished(sent[0].0, "many", Some((Outcome::Responded, Duration::from_millis(5))));
        assert_eq!(taken(&mut schedule, now(0)).len(), 1);
    }

    #[test]
    fn a_subscription_sends_again_once_its_outcome_is_recorded() {
        let mut schedule = Schedule::default();
        schedule.page(1, due(1..2, "a"), now(0));
        assert_eq!(taken(&mut schedule, now(0)).len(), 1);
        schedule.finished(1, "a", Some((Outcome::Responded, Duration::from_millis(5))));
        // The store still has it as due.
        schedule.page(1, due(1..2, "a"), now(0));
        assert_eq!((taken(&mut schedule, now(0)).len(), schedule.in_flight()), (0, (0, 0)));
        schedule.recorded(1);
        schedule.ready(1, "a".into(), now(0), now(0));
        assert_eq!(taken(&mut schedule, now(0)).len(), 1);
    }

    #[test]
    fn a_dead_host_is_probed_by_one_delivery_and_others_go_on() {
        let mut schedule = Schedule::default();
        schedule.page(1, due(1..300, "dead"), now(0));
        for (id, host) in taken(&mut schedule, now(0)) {
            schedule.finished(id, &host, Some((Outcome::Down, Duration::from_millis(1))));
            schedule.ready(id, host, now(10), now(0));
        }
        // Nothing is sent before the probe, and what was queued makes room.
        assert_eq!((taken(&mut schedule, now(9)).len(), schedule.queued()), (0, 0));
        schedule.page(1, due(1..300, "dead"), now(9));
        schedule.page(1, due(300..310, "alive"), now(9));
        assert_eq!(taken(&mut schedule, now(9)).iter().filter(|(_, host)| &**host == "alive").count(), 8);
        schedule.page(1, due(1..300, "dead"), now(10));
        let probes = taken(&mut schedule, now(10));
        assert_eq!(probes.len(), 1);
        schedule.finished(probes[0].0, "dead", Some((Outcome::Responded, Duration::from_millis(1))));
        assert_eq!(taken(&mut schedule, now(10)).len(), 8);
    }

    #[test]
    fn slow_hosts_have_a_quarter_of_the_slots() {
        let mut schedule = Schedule::default();
        for host in 0..100 {
            schedule.page(1, due(host * 100 + 1..host * 100 + 2, &format!("slow{host}")), now(0));
        }
        for (id, host) in taken(&mut schedule, now(0)) {
            schedule.finished(id, &host, Some((Outcome::Slow, Duration::from_secs(30))));
        }
        for host in 0..100 {
            schedule.page(1, due(host * 100 + 1..host * 100 + 9, &format!("slow{host}")), now(0));
        }
        assert_eq!((taken(&mut schedule, now(0)).len(), schedule.in_flight()), (256, (256, 256)));
        schedule.page(1, due(20_000..20_008, "fast"), now(0));
        assert_eq!(taken(&mut schedule, now(0)).len(), 8);
    }

    #[test]
    fn pages_are_read_while_there_is_room() {
        let mut schedule = Schedule::default();
        schedule.wake(7);
        assert_eq!(schedule.wanted(), Some((7, (0, 0))));
        schedule.page(7, due(1..501, "a"), now(0));
        assert_eq!(schedule.wanted(), Some((7, (0, 500))));
        assert_eq!(schedule.queued(), 256);
        schedule.page(7, due(501..510, "a"), now(0));
        assert_eq!(schedule.wanted(), None);
        // What did not fit is read again once the queue is short.
        loop {
            let sent = taken(&mut schedule, now(0));
            if sent.is_empty() {
                break;
            }
            for (id, host) in sent {
                schedule.finished(id, &host, Some((Outcome::Responded, Duration::from_millis(1))));
            }
        }
        assert_eq!(schedule.wanted(), Some((7, (0, 0))));
    }
}
