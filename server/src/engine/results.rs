//! Results of exchanges. They wait for each other, so that the thread is woken once for many.

use std::{
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc::Sender},
    time::Duration,
};

use resourcesync_notify::{exchange::Answer, hub::Exchange};

use super::job::Job;
use crate::reach::Failure;

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
