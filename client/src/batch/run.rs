//! Validates inputs side by side and puts the outcomes together in the order of the inputs.

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::Instant,
};

use resourcesync::{
    api::{FindingBudget, InputOrigin, Options, Outcome, Run, Validation},
    diagnostic::{Reason, ReasonCode},
    report::{Report, Via},
    rules::KnownPackages,
};

use super::{
    input::{Input, Step},
    packages, read,
};
use crate::{
    Cancel, Meter, Progress,
    package::Done,
    progress::{OnProgress, TICK},
};

/// As many inputs at a time as there are processors.
#[must_use]
pub fn jobs() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Validates everything, with at most so many inputs at a time.
#[must_use]
pub fn run(
    steps: &[Step],
    options: &Options,
    jobs: NonZeroUsize,
    cancel: &Cancel,
    tell: &mut OnProgress<'_>,
) -> Report {
    let meter = Meter::new(cancel);
    let was_stopped = meter.is_stopped();
    let inputs: Vec<&Input> = steps.iter().filter_map(Step::input).collect();
    let total = inputs.iter().map(|input| input.size).fold(0, u64::saturating_add);
    let next = AtomicUsize::new(0);
    let (give, outcomes) = channel();
    thread::scope(|scope| {
        scope.spawn(|| all(&inputs, options, jobs, &next, &meter, give));
        Gathering {
            outcomes,
            early: BTreeMap::new(),
            bound: FindingBudget::new(options.max_per_rule),
            meter: &meter,
            far: Progress { bytes: 0, total, inputs: 0, entries: 0 },
            told: Instant::now(),
            tell,
            // The list of inputs may itself have been cut short.
            stopped: was_stopped,
        }
        .gather(steps, options)
    })
}

/// Verifies the packages, each on all processors, then validates the documents side by side.
fn all(
    inputs: &[&Input],
    options: &Options,
    jobs: NonZeroUsize,
    next: &AtomicUsize,
    meter: &Meter,
    give: Sender<(usize, Done)>,
) {
    let mut verified = vec![false; inputs.len()];
    let packages = packages::verify_all(inputs, options, jobs, meter, &mut |at, done| {
        verified.iter_mut().skip(at).take(1).for_each(|own| *own = true);
        // Nobody left to take it: then nobody waits for it.
        let _ = give.send((at, done));
    });
    let documents: Vec<usize> = (0..).zip(&verified).filter(|(_, verified)| !**verified).map(|(at, _)| at).collect();
    let todo = Todo { inputs, documents: &documents, options, packages: packages.as_ref(), meter };
    thread::scope(|scope| {
        for _ in 0..jobs.get().min(documents.len()) {
            let give = give.clone();
            scope.spawn(|| work(&todo, next, give));
        }
    });
}

/// The documents, and what is known beside them.
struct Todo<'a> {
    inputs: &'a [&'a Input],
    /// Their places among the inputs.
    documents: &'a [usize],
    options: &'a Options,
    packages: Option<&'a Arc<KnownPackages>>,
    meter: &'a Meter,
}

/// Takes the next document until there is none.
fn work(todo: &Todo<'_>, next: &AtomicUsize, give: Sender<(usize, Done)>) {
    while let Some(&at) = todo.documents.get(next.fetch_add(1, Ordering::Relaxed)) {
        let Some(input) = todo.inputs.get(at) else { return };
        if give.send((at, read::validate(input, todo.options, todo.packages, todo.meter))).is_err() {
            return;
        }
    }
}

/// Outcomes on their way into the report.
struct Gathering<'a, 't> {
    outcomes: Receiver<(usize, Done)>,
    /// Finished before their turn.
    early: BTreeMap<usize, Outcome>,
    /// How much of those is kept.
    bound: FindingBudget,
    meter: &'a Meter,
    far: Progress,
    /// When that was told.
    told: Instant,
    tell: &'a mut OnProgress<'t>,
    /// Something was not read to its end.
    stopped: bool,
}

impl Gathering<'_, '_> {
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
                    was_any |= outcome.origin.via == Via::Folder && outcome.foreign.is_none();
                    run.add(outcome);
                }
                Step::Skip { name, reason } => run.skip(name.as_str(), reason.clone()),
                Step::Leave { folder } => {
                    if !std::mem::take(&mut was_any) && !self.stopped {
                        let nothing = Reason::new(ReasonCode::NothingInFolder);
                        run.add(Validation::new(options, folder.clone()).unreadable(nothing));
                    }
                }
            }
        }
        if self.stopped {
            run.stopped("interrupt");
        }
        run.finish()
    }

    /// The outcome of the input at this place, once it is there.
    fn outcome(&mut self, at: usize) -> Option<Outcome> {
        loop {
            if let Some(outcome) = self.early.remove(&at) {
                self.bound.take(&outcome);
                return Some(outcome);
            }
            match self.outcomes.recv_timeout(TICK) {
                Ok((at, done)) => {
                    self.far.entries = self.far.entries.saturating_add(done.outcome.entries);
                    self.far.inputs = self.far.inputs.saturating_add(1);
                    self.stopped |= done.interrupted;
                    // A copy, made by this thread: what stays of an input would otherwise lie scattered among the buffers that
                    // were used for it, and keep their memory from being used again. 2,000 packages with two findings
                    // each took 93 MB that way, and take 29 MB so.
                    let outcome = done.outcome.clone();
                    self.bound.add(&outcome);
                    self.early.insert(at, outcome);
                    if self.bound.is_exceeded() {
                        self.bound.keep(self.early.values_mut());
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
            self.tell();
        }
    }

    fn tell(&mut self) {
        if self.told.elapsed() < TICK {
            return;
        }
        self.told = Instant::now();
        self.far.bytes = self.meter.read();
        (self.tell)(&self.far);
    }
}

/// Cannot happen as long as workers send what they take; if it did, the input would not go unmentioned.
fn lost(source: InputOrigin, options: &Options) -> Outcome {
    Validation::new(options, source).unreadable(Reason::new(ReasonCode::Bug))
}
