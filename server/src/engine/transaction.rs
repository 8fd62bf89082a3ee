//! One transaction: inputs, subscriptions that are due, and what happens if the store fails.

use std::time::{Duration, Instant};

use resourcesync_notify::{
    hub::{Input, Ledger, Output},
    moment::Moment,
};
use rustls::crypto::ring;

use super::{
    batch::{BATCH, Engine},
    job::{is_result, now, unavailable},
};
use crate::{
    ledger::{LedgerError, Store, Transaction},
    schedule::PAGE,
};

/// Maximum pages of due subscriptions read in one transaction.
const PAGES: usize = 4;
/// The wait after the store failed.
const FAILING: Duration = Duration::from_secs(1);

impl Engine {
    /// Processes inputs, and what is due, in one transaction.
    pub(super) fn transact(&mut self, inputs: Vec<Input>, has_failed: bool) {
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
    ) -> Result<Vec<Output>, LedgerError> {
        self.ledger.begin(Transaction::Changes)?;
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
    ) -> Result<Vec<Output>, LedgerError> {
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
            let page = self.ledger.due(topic, now, after, PAGE)?;
            self.schedule.page(topic, page, now);
        }
        while turned.len() < BATCH {
            let Some((subscription, host)) = self.schedule.next(now) else { break };
            turned.push((subscription, host));
            outputs.extend(self.handle(Input::Turn { subscription })?);
        }
        Ok(outputs)
    }

    fn handle(&mut self, input: Input) -> Result<Vec<Output>, LedgerError> {
        let random = ring::default_provider().secure_random;
        let mut failed = false;
        let mut fill = |bytes: &mut [u8]| failed |= random.fill(bytes).is_err();
        let mut moment = Moment { now: now(), random: &mut fill };
        let outputs = self.hub.handle(&mut moment, input, &mut self.ledger)?;
        // Without random numbers a challenge could be guessed.
        if failed { Err(LedgerError::Random) } else { Ok(outputs) }
    }
}
