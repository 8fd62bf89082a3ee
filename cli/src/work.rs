//! Validates inputs side by side and puts the outcomes together in the order of the inputs.

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    sync::{
        atomic::{AtomicU64, AtomicUsize, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::Duration,
};

use resourcesync::{
    api::{Options, Outcome, Run, Source, Validation},
    report::{Report, Via},
};

use crate::{
    inputs::{Input, Step},
    interrupt,
    progress::Progress,
    reading::{self, Done},
};

/// How often the progress bar moves.
const TICK: Duration = Duration::from_millis(100);

/// Validates everything, with at most so many inputs at a time.
pub(crate) fn run(steps: &[Step], options: &Options, jobs: NonZeroUsize, quiet: bool) -> Report {
    let was_stopped = interrupt::requested();
    let inputs: Vec<&Input> = steps.iter().filter_map(|step| if let Step::Read(input) = step { Some(input) } else { None }).collect();
    let total = inputs.iter().map(|input| input.size).fold(0, u64::saturating_add);
    let counted = AtomicU64::new(0);
    let next = AtomicUsize::new(0);
    let (give, outcomes) = channel();
    thread::scope(|scope| {
        for _ in 0..jobs.get().min(inputs.len()) {
            let give = give.clone();
            scope.spawn(|| work(&inputs, options, &next, &counted, give));
        }
        drop(give);
        Gathering {
            outcomes,
            early: BTreeMap::new(),
            counted: &counted,
            entries: 0,
            files: 0,
            // The list of inputs may itself have been cut short.
            stopped: was_stopped,
            progress: Progress::new(total, inputs.len(), quiet),
        }
        .gather(steps, options)
    })
}

/// Takes the next input until there is none.
fn work(inputs: &[&Input], options: &Options, next: &AtomicUsize, counted: &AtomicU64, give: Sender<(usize, Done)>) {
    loop {
        let at = next.fetch_add(1, Ordering::Relaxed);
        let Some(input) = inputs.get(at) else { return };
        if give.send((at, reading::validate(input, options, counted))).is_err() {
            return;
        }
    }
}

/// Outcomes on their way into the report.
struct Gathering<'a> {
    outcomes: Receiver<(usize, Done)>,
    /// Finished before their turn.
    early: BTreeMap<usize, Outcome>,
    counted: &'a AtomicU64,
    entries: u64,
    files: usize,
    /// Something was not read to its end.
    stopped: bool,
    progress: Progress,
}

impl Gathering<'_> {
    fn gather(mut self, steps: &[Step], options: &Options) -> Report {
        let mut run = Run::new(options);
        let mut at: usize = 0;
        // True once something in the folder at hand was for us.
        let mut was_any = false;
        for step in steps {
            match step {
                Step::Read(input) => {
                    let outcome = self.outcome(at).unwrap_or_else(|| lost(input.source.clone(), options));
                    at = at.saturating_add(1);
                    was_any |= outcome.source.via == Via::Folder && outcome.foreign.is_none();
                    run.add(outcome);
                }
                Step::Skip { name, reason } => run.skip(name.as_str(), reason),
                Step::Leave { folder } => {
                    if !std::mem::take(&mut was_any) && !self.stopped {
                        let nothing = "no ResourceSync document and no sitemap is in this folder";
                        run.add(Validation::new(options, folder.clone()).unreadable(nothing));
                    }
                }
            }
        }
        self.progress.end();
        if self.stopped {
            run.stopped("interrupt");
        }
        run.finish()
    }

    /// The outcome of the input at this place, once it is there.
    fn outcome(&mut self, at: usize) -> Option<Outcome> {
        loop {
            if let Some(outcome) = self.early.remove(&at) {
                return Some(outcome);
            }
            match self.outcomes.recv_timeout(TICK) {
                Ok((at, done)) => {
                    self.entries = self.entries.saturating_add(done.outcome.entries);
                    self.files = self.files.saturating_add(1);
                    self.stopped |= done.interrupted;
                    self.early.insert(at, done.outcome);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
            self.progress.show(self.counted.load(Ordering::Relaxed), self.files, self.entries);
        }
    }
}

/// Cannot happen as long as workers send what they take; if it did, the input would not go unmentioned.
fn lost(source: Source, options: &Options) -> Outcome {
    Validation::new(options, source).unreadable("its outcome was lost; please report this as a bug")
}
