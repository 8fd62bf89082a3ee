//! One transaction: inputs, subscriptions that are due, and what happens if the store fails.

use std::{
    mem,
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use resourcesync_notify::{
    hub::{Input, Ledger, Output},
    moment::{Moment, Timestamp},
};
use rustls::crypto::{CryptoProvider, ring};

use super::{
    batch::{BATCH, Engine},
    job::{delivery, is_result},
};
use crate::{
    ledger::{LedgerError, Store, Transaction},
    reply::unavailable,
    schedule::PAGE,
};

/// Maximum pages of due subscriptions read in one transaction.
const PAGES: usize = 4;
/// The time between two ticks without other work.
const TICK: Duration = Duration::from_secs(60);
/// The time after which a later reply is not waited for.
const LATER: Duration = Duration::from_secs(90);
/// The wait after the store failed.
const FAILING: Duration = Duration::from_secs(1);

/// What one transaction does.
struct Part {
    transaction: Transaction,
    inputs: Vec<Input>,
    /// What time brings about.
    ticks: bool,
    /// Subscriptions that are due.
    delivers: bool,
}

/// What a transaction has done, once it is committed.
#[derive(Default)]
struct Done {
    /// Subscriptions that had their turn.
    turned: Vec<(u64, Arc<str>)>,
    /// The outcomes of deliveries are recorded.
    records: bool,
}

/// Random bytes come from here; creating one allocates its lists of algorithms.
static PROVIDER: LazyLock<CryptoProvider> = LazyLock::new(ring::default_provider);

impl Engine {
    /// Processes inputs, and what is due.
    pub(super) fn transact(&mut self, inputs: Vec<Input>, has_failed: bool) {
        if self.ledger.poll().is_some() {
            // Other processes wait for changes, so deliveries have a transaction of their own.
            let ticks = !has_failed && self.is_tick_due(self.now());
            if ticks || !inputs.is_empty() {
                self.perform(Part { transaction: Transaction::Changes, inputs, ticks, delivers: false });
            }
            let delivers = !has_failed && self.failing_until.is_none();
            if delivers {
                let inputs = Vec::new();
                self.perform(Part { transaction: Transaction::Deliveries, inputs, ticks: false, delivers });
            }
            let schedule = &self.schedule;
            if let Err(error) = self.ledger.keep_claims(&|subscription| schedule.is_busy(subscription)) {
                self.links.log.note(self.now(), "store-failed", &error.to_string());
            }
        } else {
            let (ticks, delivers) = (!has_failed, !has_failed);
            self.perform(Part { transaction: Transaction::Changes, inputs, ticks, delivers });
        }
        // A proof whose outcome was lost: the Source sends its payload again.
        self.later.retain(|_, (_, since)| since.elapsed() < LATER);
        // What has no reply by now failed.
        self.replies.drain().for_each(|(_, reply)| drop(reply.send(unavailable("store-failed"))));
        self.orders.drain().for_each(|(_, done)| drop(done.send(None)));
    }

    fn perform(&mut self, part: Part) {
        let results: Vec<Input> = part.inputs.iter().filter(|input| is_result(input)).cloned().collect();
        let mut done = Done::default();
        match self.begin_and_commit(part, &mut done) {
            Ok(outputs) => {
                self.failing_until = None;
                if done.records {
                    let recorded = mem::take(&mut self.outcomes).inputs;
                    recorded.iter().filter_map(delivery).for_each(|own| self.schedule.recorded(own));
                }
                self.release(outputs, done.turned);
            }
            Err(error) => {
                self.links.log.note(self.now(), "store-failed", &error.to_string());
                self.failing_until = Some(Instant::now() + FAILING);
                self.is_doubtful = true;
                self.unrecorded.extend(results);
                for (subscription, host) in done.turned {
                    self.schedule.finished(subscription, &host, None);
                }
                self.schedule.wake_all();
            }
        }
    }

    fn begin_and_commit(&mut self, part: Part, done: &mut Done) -> Result<Vec<Output>, LedgerError> {
        self.ledger.begin(part.transaction)?;
        match self.process(part, done) {
            Ok(outputs) => self.ledger.commit().map(|()| outputs),
            Err(error) => {
                self.ledger.roll_back();
                Err(error)
            }
        }
    }

    /// A tick that is further away was planned before the clock was set back.
    fn is_tick_due(&self, now: Timestamp) -> bool {
        now >= self.next_tick || self.next_tick.since(now) > TICK
    }

    fn process(&mut self, part: Part, done: &mut Done) -> Result<Vec<Output>, LedgerError> {
        let mut outputs = Vec::new();
        let now = self.now();
        let ticks = part.ticks && self.is_tick_due(now);
        let is_due = part.delivers && self.outcomes.due().is_some_and(|at| Instant::now() >= at);
        // What may end a subscription finds the outcomes so far.
        let may_end = ticks || part.inputs.iter().any(|input| !matches!(input, Input::Request { .. }));
        if is_due || may_end {
            self.record(now, done, &mut outputs)?;
        }
        for input in part.inputs {
            // A result that fails is repeated with all others in another transaction.
            if is_result(&input) {
                outputs.extend(self.handle(now, input)?);
                continue;
            }
            // One request that fails must not affect others.
            self.ledger.save_point()?;
            match self.handle(now, input) {
                Ok(own) => {
                    self.ledger.release(true)?;
                    outputs.extend(own);
                }
                Err(error) => {
                    self.ledger.release(false)?;
                    self.links.log.note(self.now(), "request-failed", &error.to_string());
                    self.is_doubtful = true;
                }
            }
        }
        if ticks {
            if self.ledger.sweeps()? {
                self.next_tick = now.after(TICK);
                outputs.extend(self.handle(now, Input::Tick)?);
            } else {
                self.next_tick = now.after(Duration::from_secs(1));
            }
        }
        if !part.delivers {
            return Ok(outputs);
        }
        if let Some(poll) = self.ledger.poll()
            && Instant::now() >= self.next_poll
        {
            self.next_poll = Instant::now() + poll;
            for topic in self.ledger.topics()? {
                self.schedule.wake(topic.id);
            }
            self.next_retry = self.ledger.next_retry(now)?;
        }
        if self.next_retry.is_some_and(|retry| now >= retry) {
            self.schedule.wake_all();
            let earliest = now.after(Duration::from_secs(1));
            self.next_retry = self.ledger.next_retry(now)?.map(|retry| retry.max(earliest));
        }
        if self.stops.is_none() {
            outputs.extend(self.turns(now, &mut done.turned)?);
        }
        self.outcomes.gives_way = !done.turned.is_empty();
        // Others may wait for a slot that becomes free soon.
        if done.turned.is_empty() && (self.schedule.queued() == 0 || self.stops.is_some()) {
            self.record(now, done, &mut outputs)?;
        }
        Ok(outputs)
    }

    /// Records the outcomes of deliveries.
    fn record(&mut self, now: Timestamp, done: &mut Done, outputs: &mut Vec<Output>) -> Result<(), LedgerError> {
        if !mem::replace(&mut done.records, true) {
            for outcome in self.accepted(self.outcomes.inputs.clone())? {
                outputs.extend(self.handle(now, outcome)?);
            }
        }
        Ok(())
    }

    /// Drops results of deliveries whose subscription another process has taken over.
    fn accepted(&mut self, mut inputs: Vec<Input>) -> Result<Vec<Input>, LedgerError> {
        let subscriptions: Vec<u64> = inputs.iter().filter_map(delivery).collect();
        let mut held = self.ledger.held(&subscriptions)?.into_iter();
        inputs.retain(|input| {
            let is_accepted = delivery(input).is_none() || held.next().unwrap_or(false);
            if !is_accepted {
                self.links.log.note(self.now(), "claim-lost", "a result of a delivery was dropped");
            }
            is_accepted
        });
        Ok(inputs)
    }

    /// Sends to subscriptions that are due.
    fn turns(&mut self, now: Timestamp, turned: &mut Vec<(u64, Arc<str>)>) -> Result<Vec<Output>, LedgerError> {
        for _ in 0..PAGES {
            let Some((topic, after)) = self.schedule.wanted() else { break };
            let page = self.ledger.claim(topic, now, after, PAGE)?;
            self.schedule.page(topic, page, now);
        }
        while turned.len() < BATCH {
            let Some(next) = self.schedule.next(now) else { break };
            turned.push(next);
        }
        let subscriptions: Vec<u64> = turned.iter().map(|(subscription, _)| *subscription).collect();
        let held = self.ledger.held(&subscriptions)?;
        let mut outputs = Vec::new();
        for (subscription, _) in subscriptions.into_iter().zip(held).filter(|(_, is_held)| *is_held) {
            outputs.extend(self.handle(now, Input::Turn { subscription })?);
        }
        Ok(outputs)
    }

    fn handle(&mut self, now: Timestamp, input: Input) -> Result<Vec<Output>, LedgerError> {
        let random = PROVIDER.secure_random;
        let mut failed = false;
        let mut fill = |bytes: &mut [u8]| failed |= random.fill(bytes).is_err();
        let mut moment = Moment { now, random: &mut fill };
        let outputs = self.hub.handle(&mut moment, input, &mut self.ledger)?;
        // Without random numbers a challenge could be guessed.
        if failed { Err(LedgerError::Random) } else { Ok(outputs) }
    }
}
