//! Results of exchanges. They wait for each other: the thread is woken once for many, and one transaction records many.

use std::{
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc::Sender},
    time::{Duration, Instant},
};

use resourcesync_notify::{
    exchange::Answer,
    hub::{Exchange, Input},
};

use super::job::Job;
use crate::reach::Failure;

/// How long the result of an exchange waits for others, and for how many.
pub(super) const GATHER: Duration = Duration::from_millis(5);
pub(super) const GATHERED: usize = 128;
/// How long the outcome of a delivery waits to be recorded while others are sent, and for how many others. With its transaction it is on
/// disk within the 50 ms that docs/hub.md promises.
const WAIT: Duration = Duration::from_millis(30);
const MOST: usize = 8_192;

/// An exchange that ended.
pub(crate) struct Finished {
    pub(crate) exchange: Exchange,
    pub(crate) host: Arc<str>,
    pub(crate) elapsed: Duration,
    pub(crate) result: Result<Answer, Failure>,
}

/// Results that the thread has not taken yet.
#[derive(Default)]
pub(crate) struct Results(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    results: Vec<Finished>,
    /// The number of results for which the thread waits.
    wanted: usize,
}

impl Results {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a result. The thread is woken for the first one since the last were taken, and when it has as many as it wants.
    pub(super) fn push(&self, finished: Finished, jobs: &Sender<Job>) {
        let wakes = {
            let mut waiting = self.waiting();
            waiting.results.push(finished);
            [1, waiting.wanted].contains(&waiting.results.len())
        };
        if wakes {
            // The thread may have ended already.
            let _ = jobs.send(Job::Finished);
        }
    }

    /// Asks to be woken for this many results. False if they are here already.
    pub(super) fn want(&self, count: usize) -> bool {
        let mut waiting = self.waiting();
        waiting.wanted = count;
        waiting.results.len() < count
    }

    pub(super) fn take(&self) -> Vec<Finished> {
        mem::take(&mut *self.waiting()).results
    }
}

/// Outcomes of deliveries that are not in the store yet. Sending to others comes first.
#[derive(Default)]
pub(super) struct Outcomes {
    pub(super) inputs: Vec<Input>,
    since: Option<Instant>,
    /// The last transaction sent to others.
    pub(super) gives_way: bool,
}

impl Outcomes {
    pub(super) fn push(&mut self, outcome: Input) {
        self.since.get_or_insert_with(Instant::now);
        self.inputs.push(outcome);
    }

    /// The moment at which they have waited long enough.
    pub(super) fn due(&self) -> Option<Instant> {
        let since = self.since?;
        Some(match (self.inputs.len() < MOST, self.gives_way) {
            (false, _) => since,
            (true, true) => since + WAIT,
            (true, false) => since + GATHER,
        })
    }
}
