//! The loop of the thread: jobs that arrived during the last commit share the next one.

use std::{
    collections::HashMap,
    mem,
    sync::{Arc, mpsc::RecvTimeoutError},
    time::{Duration, Instant},
};

use resourcesync_notify::{
    exchange::Reply,
    hub::{Hub, Input, Ledger, Options, OrderResult},
    moment::Timestamp,
};
use tokio::sync::{Semaphore, oneshot};

use super::{
    job::{Job, is_payload, is_result},
    links::Links,
    results::{GATHER, GATHERED, Outcomes},
};
use crate::{
    budget::PAYLOAD,
    ledger::{AnyStore, LedgerError, Store},
    reply::unavailable,
    schedule::Schedule,
};

/// Maximum inputs of one transaction.
pub(super) const BATCH: usize = 512;
/// Maximum verifications and denials at the same time.
const VERIFICATIONS: usize = 256;
/// The bytes of a probe of the store, and how long its success counts.
const PROBE: (usize, Duration) = (64 << 10, Duration::from_secs(1));
/// The time that exchanges have to end when the hub stops.
const DRAIN: Duration = Duration::from_secs(25);

pub(crate) struct Engine {
    pub(super) hub: Hub,
    pub(super) ledger: AnyStore,
    pub(super) schedule: Schedule,
    pub(super) links: Links,
    pub(super) verifications: Arc<Semaphore>,
    pub(super) replies: HashMap<u64, oneshot::Sender<Reply>>,
    /// Replies that follow later, and since when.
    pub(super) later: HashMap<u64, (oneshot::Sender<Reply>, Instant)>,
    pub(super) orders: HashMap<u64, oneshot::Sender<Option<OrderResult>>>,
    pub(super) last: u64,
    pub(super) next_tick: Timestamp,
    pub(super) next_retry: Option<Timestamp>,
    pub(super) next_numbers: Instant,
    /// Outcomes of deliveries that are not recorded yet.
    pub(super) outcomes: Outcomes,
    /// Results of other exchanges that the store could not record.
    pub(super) unrecorded: Vec<Input>,
    pub(super) failing_until: Option<Instant>,
    /// The store failed since it was last seen to accept a payload of any length.
    pub(super) is_doubtful: bool,
    /// When the store last accepted a probe.
    pub(super) probed: Option<Instant>,
    /// When due subscriptions are read without a wake-up, if other processes use the store.
    pub(super) next_poll: Instant,
    pub(super) stops: Option<Instant>,
}

impl Engine {
    pub(crate) fn new(hub: Hub, mut ledger: AnyStore, links: Links) -> Result<Engine, LedgerError> {
        let mut schedule = Schedule::default();
        for topic in ledger.topics()? {
            schedule.wake(topic.id);
        }
        let start = (links.clock)();
        let next_retry = ledger.next_retry(start)?;
        let mut engine = Engine {
            hub,
            ledger,
            schedule,
            links,
            verifications: Arc::new(Semaphore::new(VERIFICATIONS)),
            replies: HashMap::new(),
            later: HashMap::new(),
            orders: HashMap::new(),
            last: 0,
            next_tick: start,
            next_retry,
            next_numbers: Instant::now(),
            outcomes: Outcomes::default(),
            unrecorded: Vec::new(),
            failing_until: None,
            is_doubtful: false,
            probed: None,
            next_poll: Instant::now(),
            stops: None,
        };
        engine.numbers();
        Ok(engine)
    }

    /// Runs until it is stopped. Returns whether its store could be used to the end.
    pub(crate) fn run(mut self) -> bool {
        let is_complete = loop {
            let mut jobs = Vec::new();
            match self.links.jobs.recv_timeout(self.patience()) {
                // Other exchanges are likely to end soon. Everything but a result is processed at once.
                Ok(Job::Finished) if self.links.results.want(self.schedule.in_flight().0.min(GATHERED)) => {
                    jobs.extend(self.links.jobs.recv_timeout(GATHER).ok());
                }
                Ok(job) => jobs.push(job),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break self.is_drained(),
            }
            // What arrived during the last commit shares the next one.
            jobs.extend(self.links.jobs.try_iter().take(BATCH));
            if jobs.iter().any(|job| matches!(job, Job::Stop)) {
                self.stops.get_or_insert(Instant::now());
            }
            self.batch(jobs);
            if self.stops.is_some_and(|since| self.is_drained() || since.elapsed() > DRAIN) {
                break self.is_drained();
            }
        };
        let is_usable = self.ledger.close().is_ok() && self.failing_until.is_none();
        let what = match (is_usable, is_complete) {
            (true, true) => "the store is complete",
            (true, false) => "what was delivered last is not recorded, and is delivered again",
            (false, _) => "the store cannot be used",
        };
        self.links.log.note(self.now(), "stopped", what);
        is_usable
    }

    /// True if nothing is being delivered, and everything that was delivered is recorded.
    fn is_drained(&self) -> bool {
        self.schedule.in_flight().0 == 0 && self.outcomes.inputs.is_empty() && self.unrecorded.is_empty()
    }

    /// The time until there is something to do without a job.
    fn patience(&self) -> Duration {
        let has_work = self.schedule.is_fresh() || self.schedule.wanted().is_some();
        if has_work && self.failing_until.is_none() && self.stops.is_none() {
            return Duration::ZERO;
        }
        let now = self.now();
        let until = |at: Timestamp| at.since(now);
        let due = self.next_retry.map_or(until(self.next_tick), |retry| until(retry).min(until(self.next_tick)));
        let left = |until: Instant| until.saturating_duration_since(Instant::now());
        let due = self.outcomes.due().map_or(due, |at| due.min(left(at)));
        let due = self.failing_until.map_or(due, left);
        let due = due.max(Duration::from_millis(1));
        let due = if self.ledger.poll().is_some() && self.failing_until.is_none() {
            due.min(left(self.next_poll))
        } else {
            due
        };
        // A clock that was set back must not stop the hub for long.
        due.min(if self.stops.is_some() { Duration::from_millis(50) } else { INTERVAL })
    }

    fn batch(&mut self, jobs: Vec<Job>) {
        let started = Instant::now();
        let has_failed = self.failing_until.is_some_and(|until| Instant::now() < until);
        let mut inputs = if has_failed { Vec::new() } else { mem::take(&mut self.unrecorded) };
        let (mut reads, mut probes) = (Vec::new(), Vec::new());
        let is_full = jobs.iter().any(|job| matches!(job, Job::Request { .. })) && self.is_full();
        for job in jobs {
            match job {
                Job::Request { request, reply, .. } if is_full && is_payload(&request) => {
                    let _ = reply.send(unavailable("store-full"));
                }
                Job::Request { reply, .. } if self.stops.is_some() => drop(reply.send(unavailable("stopping"))),
                Job::Request { client, request, reply } => {
                    let id = self.number();
                    self.replies.insert(id, reply);
                    inputs.push(Input::Request { id, client, request });
                }
                Job::Order { order, done } => {
                    let id = self.number();
                    self.orders.insert(id, done);
                    inputs.push(Input::Order { id, order });
                }
                Job::Read(read) => reads.push(read),
                Job::Probe(done) => probes.push(done),
                Job::Wake(Some(topic)) => self.schedule.wake(topic),
                Job::Wake(None) => self.next_poll = Instant::now(),
                Job::Unsent { subscription, host } => self.schedule.finished(subscription, &host, None),
                Job::Reload { options, store_bytes } => self.reload(*options, store_bytes),
                // They are taken below.
                Job::Finished | Job::Stop => {}
            }
        }
        for finished in self.links.results.take() {
            inputs.extend(self.finished(finished));
        }
        if has_failed {
            // Requests get their answer at once; results of exchanges wait.
            let (results, others): (Vec<_>, Vec<_>) = inputs.into_iter().partition(is_result);
            self.unrecorded.extend(results);
            inputs = others;
        }
        self.transact(inputs, has_failed);
        self.links.metrics.time("hub_commit_seconds", started.elapsed());
        reads.into_iter().for_each(|read| read(&mut self.ledger, &self.hub));
        if !probes.is_empty() {
            let result = self.probe();
            for done in probes {
                // Whoever asked may not wait any longer.
                let _ = done.send(result);
            }
        }
        self.numbers();
    }

    /// Topics that were removed end in the same transaction.
    fn reload(&mut self, options: Options, store_bytes: u64) {
        self.hub.replace_options(options);
        self.links.store_bytes = store_bytes;
        self.next_tick = self.now();
        self.schedule.wake_all();
    }

    /// Whether the store accepts what a Source may send: it writes, because a disk that is full can be read. After a failure it writes as
    /// much as the longest payload has.
    fn probe(&mut self) -> Result<(), &'static str> {
        if self.is_full() {
            return Err("the store has as many bytes as it may have");
        }
        if !self.is_doubtful && self.probed.is_some_and(|probed| probed.elapsed() < PROBE.1) {
            return Ok(());
        }
        let length = if self.is_doubtful { PAYLOAD } else { PROBE.0 };
        // Bytes that a database does not compress.
        let mut state = 1_u32;
        let body = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        });
        let body: Vec<u8> = body.take(length).collect();
        let written = self.ledger.probe(&body);
        self.is_doubtful &= written.is_err();
        self.probed = written.is_ok().then(Instant::now);
        written.map_err(|error| {
            self.links.log.note(self.now(), "not-ready", &error.to_string());
            "the store is not writable"
        })
    }

    /// The current time.
    pub(super) fn now(&self) -> Timestamp {
        (self.links.clock)()
    }

    fn is_full(&mut self) -> bool {
        self.ledger.bytes().is_ok_and(|bytes| bytes > self.links.store_bytes)
    }

    fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }
}

/// The time between two updates of numbers that need queries.
pub(super) const INTERVAL: Duration = Duration::from_secs(10);
