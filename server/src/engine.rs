//! The thread that owns the store: it commits inputs in groups, and releases their outputs afterwards.
//!
//! INVARIANT: no reply, request or event leaves before the transaction of its input is on disk.

use std::{
    collections::HashMap,
    mem,
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, Sender},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use resourcesync_notify::{
    exchange::{Answer, Headers, Reply, Request},
    hub::{Event, Exchange, HostPort, Hub, Input, Ledger, Order, OrderResult, Outbound, Output},
    moment::{Moment, Timestamp},
    rules::PAYLOAD_TYPE,
};
use rustls::crypto::ring;
use tokio::{
    runtime::Handle,
    sync::{Semaphore, oneshot},
};

use crate::{
    ledger::SqliteLedger,
    observe::{Log, Metrics},
    reach::{Failure, Kind, Reach},
    schedule::{Outcome, Schedule},
};

/// Maximum inputs of one transaction.
const BATCH: usize = 512;
/// Maximum pages of due subscriptions read in one transaction.
const PAGES: usize = 4;
/// Maximum verifications and denials at the same time.
const VERIFICATIONS: usize = 256;
/// The wait after the store failed.
const FAILING: Duration = Duration::from_secs(1);
/// The time that exchanges have to end when the hub stops.
const DRAIN: Duration = Duration::from_secs(25);
/// The time between two updates of numbers that need queries.
const NUMBERS: Duration = Duration::from_secs(10);

/// Work for the thread.
pub(crate) enum Job {
    /// A request of a client.
    Request { client: String, request: Request, reply: oneshot::Sender<Reply> },
    /// An order of the operator; the result is `None` if the store failed.
    Order { order: Order, done: oneshot::Sender<Option<OrderResult>> },
    /// An exchange ended.
    Finished { exchange: Exchange, host: String, elapsed: Duration, result: Result<Answer, Failure> },
    /// A question to the store.
    Read(Box<dyn FnOnce(&mut SqliteLedger) + Send>),
    /// Sends nothing more, and ends once all exchanges have.
    Stop,
}

/// The connections of the thread to the rest of the process.
pub(crate) struct Links {
    pub(crate) jobs: Receiver<Job>,
    pub(crate) sender: Sender<Job>,
    pub(crate) runtime: Handle,
    pub(crate) reach: Arc<Reach>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) log: Log,
    /// Payloads are refused while the store has more bytes.
    pub(crate) store_bytes: u64,
}

pub(crate) struct Engine {
    hub: Hub,
    ledger: SqliteLedger,
    schedule: Schedule,
    links: Links,
    verifications: Arc<Semaphore>,
    replies: HashMap<u64, oneshot::Sender<Reply>>,
    orders: HashMap<u64, oneshot::Sender<Option<OrderResult>>>,
    last: u64,
    next_tick: Timestamp,
    next_retry: Option<Timestamp>,
    next_numbers: Instant,
    /// Results of exchanges that the store could not record.
    unrecorded: Vec<Input>,
    failing_until: Option<Instant>,
    stops: Option<Instant>,
}

/// The current time.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// The reply while the store does not accept anything.
pub(crate) fn unavailable(word: &str) -> Reply {
    let headers = Headers::default().with("Content-Type", "text/plain; charset=utf-8").with("Retry-After", "30");
    Reply { status: 503, headers, body: format!("{word}: try again later\n").into_bytes() }
}

impl Engine {
    pub(crate) fn new(hub: Hub, mut ledger: SqliteLedger, links: Links) -> rusqlite::Result<Engine> {
        let mut schedule = Schedule::default();
        for topic in ledger.topics()? {
            schedule.wake(topic.id);
        }
        let start = now();
        let next_retry = ledger.next_retry(start)?;
        Ok(Engine {
            hub,
            ledger,
            schedule,
            links,
            verifications: Arc::new(Semaphore::new(VERIFICATIONS)),
            replies: HashMap::new(),
            orders: HashMap::new(),
            last: 0,
            next_tick: start,
            next_retry,
            next_numbers: Instant::now(),
            unrecorded: Vec::new(),
            failing_until: None,
            stops: None,
        })
    }

    /// Runs until it is stopped.
    pub(crate) fn run(mut self) {
        loop {
            let mut jobs = Vec::new();
            match self.links.jobs.recv_timeout(self.patience()) {
                Ok(job) => jobs.push(job),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            // What arrived during the last commit shares the next one.
            jobs.extend(self.links.jobs.try_iter().take(BATCH));
            if jobs.iter().any(|job| matches!(job, Job::Stop)) {
                self.stops.get_or_insert(Instant::now());
            }
            self.batch(jobs);
            let is_drained = self.schedule.in_flight().0 == 0 && self.unrecorded.is_empty();
            if self.stops.is_some_and(|since| is_drained || since.elapsed() > DRAIN) {
                break;
            }
        }
        let _ = self.ledger.checkpoint();
        self.links.log.note(now(), "stopped", "the store is complete");
    }

    /// The time until there is something to do without a job.
    fn patience(&self) -> Duration {
        let has_work = self.schedule.is_fresh() || self.schedule.wanted().is_some();
        if has_work && self.failing_until.is_none() && self.stops.is_none() {
            return Duration::ZERO;
        }
        let now = now();
        let until = |at: Timestamp| at.since(now);
        let due = self.next_retry.map_or(until(self.next_tick), |retry| until(retry).min(until(self.next_tick)));
        let due = self.failing_until.map_or(due, |until| until.saturating_duration_since(Instant::now()));
        // A clock that was set back must not stop the hub for long.
        due.max(Duration::from_millis(1)).min(if self.stops.is_some() { Duration::from_millis(50) } else { NUMBERS })
    }

    fn batch(&mut self, jobs: Vec<Job>) {
        let started = Instant::now();
        let has_failed = self.failing_until.is_some_and(|until| Instant::now() < until);
        let mut inputs = if has_failed { Vec::new() } else { mem::take(&mut self.unrecorded) };
        let mut reads = Vec::new();
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
                Job::Finished { exchange, host, elapsed, result } => {
                    self.finished(exchange, &host, elapsed, &result);
                    let input = match result {
                        Ok(answer) => Input::Answered { exchange, answer },
                        Err(failure) => Input::Failed { exchange, reason: failure.reason },
                    };
                    inputs.push(input);
                }
                Job::Read(read) => reads.push(read),
                Job::Stop => {}
            }
        }
        if has_failed {
            // Requests get their answer at once; results of exchanges wait.
            let (results, others): (Vec<_>, Vec<_>) = inputs.into_iter().partition(is_result);
            self.unrecorded.extend(results);
            inputs = others;
        }
        self.transact(inputs, has_failed);
        self.links.metrics.time("hub_commit_seconds", started.elapsed());
        reads.into_iter().for_each(|read| read(&mut self.ledger));
        self.numbers();
    }

    /// Processes inputs, and what is due, in one transaction.
    fn transact(&mut self, inputs: Vec<Input>, has_failed: bool) {
        let results: Vec<Input> = inputs.iter().filter(|input| is_result(input)).cloned().collect();
        let mut turned = Vec::new();
        let done = self.begin_and_commit(inputs, has_failed, &mut turned);
        match done {
            Ok(outputs) => {
                self.failing_until = None;
                self.release(outputs, turned);
            }
            Err(error) => {
                self.links.log.note(now(), "store-failed", &error.to_string());
                self.failing_until = Some(Instant::now() + FAILING);
                self.unrecorded.extend(results);
                for (subscription, host) in turned {
                    self.schedule.finished(subscription, &host, None);
                }
                self.schedule.wake_all();
            }
        }
        // What has no reply by now failed.
        self.replies.drain().for_each(|(_, reply)| drop(reply.send(unavailable("store-failed"))));
        self.orders.drain().for_each(|(_, done)| drop(done.send(None)));
    }

    fn begin_and_commit(
        &mut self,
        inputs: Vec<Input>,
        has_failed: bool,
        turned: &mut Vec<(u64, String)>,
    ) -> rusqlite::Result<Vec<Output>> {
        self.ledger.begin()?;
        let done = self.process(inputs, has_failed, turned);
        match done {
            Ok(outputs) => self.ledger.commit().map(|()| outputs),
            Err(error) => {
                self.ledger.roll_back();
                Err(error)
            }
        }
    }

    fn process(
        &mut self,
        inputs: Vec<Input>,
        has_failed: bool,
        turned: &mut Vec<(u64, String)>,
    ) -> rusqlite::Result<Vec<Output>> {
        let mut outputs = Vec::new();
        for input in inputs {
            // One request that fails must not affect others.
            self.ledger.save_point()?;
            match self.handle(input.clone()) {
                Ok(own) => {
                    self.ledger.release(true)?;
                    outputs.extend(own);
                }
                Err(error) if is_result(&input) => return Err(error),
                Err(error) => {
                    self.ledger.release(false)?;
                    self.links.log.note(now(), "request-failed", &error.to_string());
                }
            }
        }
        let now = now();
        if now >= self.next_tick && !has_failed {
            self.next_tick = now.after(Duration::from_secs(60));
            outputs.extend(self.handle(Input::Tick)?);
        }
        if self.next_retry.is_some_and(|retry| now >= retry) {
            self.schedule.wake_all();
            let earliest = now.after(Duration::from_secs(1));
            self.next_retry = self.ledger.next_retry(now)?.map(|retry| retry.max(earliest));
        }
        if self.stops.is_some() || has_failed {
            return Ok(outputs);
        }
        for _ in 0..PAGES {
            let Some((topic, after)) = self.schedule.wanted() else { break };
            let page = self.ledger.due(topic, now, after, crate::schedule::PAGE)?;
            self.schedule.page(topic, page, now);
        }
        while turned.len() < BATCH {
            let Some((subscription, host)) = self.schedule.next(now) else { break };
            turned.push((subscription, host));
            outputs.extend(self.handle(Input::Turn { subscription })?);
        }
        Ok(outputs)
    }

    fn handle(&mut self, input: Input) -> rusqlite::Result<Vec<Output>> {
        let random = ring::default_provider().secure_random;
        let mut failed = false;
        let mut fill = |bytes: &mut [u8]| failed |= random.fill(bytes).is_err();
        let mut moment = Moment { now: now(), random: &mut fill };
        let outputs = self.hub.handle(&mut moment, input, &mut self.ledger)?;
        // Without random numbers a challenge could be guessed.
        if failed { Err(rusqlite::Error::InvalidQuery) } else { Ok(outputs) }
    }

    /// Performs what the transaction allows.
    fn release(&mut self, outputs: Vec<Output>, turned: Vec<(u64, String)>) {
        let now = now();
        let mut idle: HashMap<u64, String> = turned.into_iter().collect();
        let mut ready = Vec::new();
        for output in outputs {
            match output {
                Output::Reply { id, reply } => {
                    if let Some(sender) = self.replies.remove(&id) {
                        let _ = sender.send(reply);
                    }
                }
                Output::Done { id, result } => {
                    if let Some(sender) = self.orders.remove(&id) {
                        let _ = sender.send(Some(result));
                    }
                }
                Output::Send { exchange, request } => {
                    if let Exchange::Delivery { subscription, .. } = exchange {
                        idle.remove(&subscription);
                    }
                    self.send(exchange, request);
                }
                Output::Ready { subscription, host, at } => ready.push((subscription, host, at)),
                Output::Wake { topic } => self.schedule.wake(topic),
                Output::Event(event) => self.event(now, &event),
                Output::Wait { until } => self.next_tick = self.next_tick.min(until),
                _ => {}
            }
        }
        // Turns that sent nothing: the subscription ended, or has nothing to send.
        for (subscription, host) in idle {
            self.schedule.finished(subscription, &host, None);
        }
        for (subscription, host, at) in ready {
            self.schedule.ready(subscription, &host, at, now);
            if at > now {
                self.next_retry = Some(self.next_retry.map_or(at, |retry| retry.min(at)));
            }
        }
    }

    fn event(&self, now: Timestamp, event: &Event) {
        self.links.metrics.event(event);
        self.links.log.event(now, event);
    }

    fn send(&self, exchange: Exchange, request: Outbound) {
        let (reach, sender) = (self.links.reach.clone(), self.links.sender.clone());
        let verifications = self.verifications.clone();
        self.links.runtime.spawn(async move {
            let host = HostPort::of(&request.uri).map(|host| host.to_string()).unwrap_or_default();
            let _permit = match exchange {
                Exchange::Delivery { .. } => None,
                _ => verifications.acquire_owned().await.ok(),
            };
            let started = Instant::now();
            let result = reach.exchange(&request).await;
            // The thread may have ended already.
            let _ = sender.send(Job::Finished { exchange, host, elapsed: started.elapsed(), result });
        });
    }

    fn finished(&mut self, exchange: Exchange, host: &str, elapsed: Duration, result: &Result<Answer, Failure>) {
        let Exchange::Delivery { subscription, .. } = exchange else { return };
        let outcome = match result {
            Ok(_) => Outcome::Responded,
            Err(Failure { kind: Kind::Connection | Kind::Address, .. }) => Outcome::Down,
            Err(Failure { kind: Kind::Time | Kind::Response, .. }) => Outcome::Slow,
        };
        self.links.metrics.time("hub_delivery_seconds", elapsed);
        self.schedule.finished(subscription, host, Some((outcome, elapsed)));
    }

    fn is_full(&self) -> bool {
        self.ledger.bytes().is_ok_and(|bytes| bytes > self.links.store_bytes)
    }

    fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Updates numbers that need queries.
    fn numbers(&mut self) {
        let metrics = &self.links.metrics;
        let (all, slow) = self.schedule.in_flight();
        metrics.gauge("hub_in_flight", "lane", "slow", slow as u64);
        metrics.gauge("hub_in_flight", "lane", "fast", all.saturating_sub(slow) as u64);
        metrics.gauge("hub_due", "", "", self.schedule.queued() as u64);
        if Instant::now() < self.next_numbers {
            return;
        }
        self.next_numbers = Instant::now() + NUMBERS;
        if let Ok(counts) = self.ledger.counts() {
            metrics.gauge("hub_subscriptions", "state", "active", counts.subscriptions);
            metrics.gauge("hub_subscriptions", "state", "pending", counts.pending);
        }
        if let Ok(bytes) = self.ledger.bytes() {
            metrics.gauge("hub_store_bytes", "", "", bytes);
        }
        let now = now();
        let mut ages = Vec::new();
        for topic in self.ledger.topics().unwrap_or_default() {
            let since = self.ledger.topic_counts(&topic).ok().and_then(|counts| counts.undelivered_since);
            ages.push((topic.uri, since.map_or(0, |since| now.since(since).as_secs())));
        }
        self.links.metrics.ages(&ages);
    }
}

/// True for results of exchanges, which must not get lost.
fn is_result(input: &Input) -> bool {
    matches!(input, Input::Answered { .. } | Input::Failed { .. })
}

fn is_payload(request: &Request) -> bool {
    request.headers.first("content-type").is_some_and(|value| value.to_ascii_lowercase().starts_with(PAYLOAD_TYPE))
}
