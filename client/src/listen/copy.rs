//! Runs on the copy, each on its own thread.

use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::{Arc, mpsc::Sender},
    thread::{self, JoinHandle},
};

use resourcesync_notify::{
    listener::{RunOutcome, RunResult, Trigger},
    subscriber::Notice,
};
use resourcesync_sync::{conclude::Outcome, report::Report};

use super::messages::{Clients, DriverEvent, Purpose};
use crate::{
    cancel::Cancel,
    destination::{self, Options},
};

/// A folder that is kept in sync.
#[derive(Debug)]
pub struct Copy {
    /// The Source.
    pub uri: String,
    /// The folder.
    pub folder: PathBuf,
    /// The options of each run.
    pub options: Options,
}

/// Starts the runs on a copy.
pub(super) struct Runner {
    work: Arc<Work>,
    thread: Option<JoinHandle<()>>,
}

struct Work {
    copy: Copy,
    clients: Clients,
    cancel: Cancel,
    to: Sender<DriverEvent>,
}

impl Runner {
    pub(super) fn new(copy: Copy, clients: Clients, cancel: &Cancel, to: Sender<DriverEvent>) -> Runner {
        Runner { work: Arc::new(Work { copy, clients, cancel: cancel.clone(), to }), thread: None }
    }

    pub(super) fn sync(&mut self, why: BTreeSet<Trigger>, is_retry: bool) {
        self.start(move |work| DriverEvent::Synced { result: work.sync(is_retry).map(Box::new), why });
    }

    pub(super) fn apply(&mut self, notice: Notice) {
        self.start(move |work| DriverEvent::Applied(work.apply(&notice).map(Box::new)));
    }

    fn start(&mut self, run: impl FnOnce(&Work) -> DriverEvent + Send + 'static) {
        let work = self.work.clone();
        let pass_on = move || {
            let event = run(&work);
            // What a signal interrupted has no result.
            if !work.cancel.is_cancelled() {
                let _ = work.to.send(event);
            }
        };
        match thread::Builder::new().name("copy".to_owned()).spawn(pass_on) {
            Ok(thread) => self.thread = Some(thread),
            Err(_) => drop(self.work.to.send(DriverEvent::Applied(None))),
        }
    }

    /// Waits for the run, which was cancelled.
    pub(super) fn stop(self) {
        let _ = self.thread.map(JoinHandle::join);
    }
}

impl Work {
    fn sync(&self, is_retry: bool) -> Result<Report, String> {
        let client = (self.clients)(Purpose::Copy { is_retry })?;
        let Copy { uri, folder, options } = &self.copy;
        destination::sync(uri, folder, &client, options, &self.cancel, &mut |_| ()).map_err(|error| error.to_string())
    }

    /// `None` if the notification cannot be applied.
    fn apply(&self, notice: &Notice) -> Option<Report> {
        let client = (self.clients)(Purpose::Copy { is_retry: false }).ok()?;
        let (Copy { uri, folder, options }, set) = (&self.copy, notice.capability_list.as_deref()?);
        let entries = notice.changes.entries();
        destination::apply(uri, set, entries, folder, &client, options, &self.cancel, &mut |_| ()).ok()?
    }
}

/// What a report says to a listener.
pub(super) fn result_of(report: &Report) -> RunResult {
    let sum = |counts: &[u64]| counts.iter().copied().fold(0, u64::saturating_add);
    let counts = &report.counts;
    RunResult {
        outcome: match report.run.outcome {
            Outcome::InStep => RunOutcome::InStep,
            Outcome::Incomplete => RunOutcome::Incomplete,
            Outcome::Refused => RunOutcome::Refused,
            Outcome::Planned | Outcome::Locked | Outcome::Interrupted | Outcome::Failed => RunOutcome::Failed,
        },
        as_of: report.as_of.as_deref().and_then(|at| at.parse().ok()),
        changed: sum(&[counts.created, counts.updated, counts.deleted]),
        unfinished: sum(&[counts.failed, counts.deferred, counts.conflicts, counts.left]),
    }
}
