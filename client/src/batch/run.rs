//! Drives a batch of the core: performs its tasks on several threads, and passes the outcomes back.

use std::{
    collections::{BTreeMap, VecDeque},
    convert::Infallible,
    fs::File,
    io::Read,
    num::NonZeroUsize,
    path::Path,
    sync::Arc,
    thread,
};

use resourcesync::{
    api::{Batch, DumpListing, DumpScan, Options, Outcome, Task, Verification, is_package},
    report::Report,
    rules::{KnownPackage, KnownPackages},
    value::Hashes,
};

use super::{
    kept::Keep,
    read,
    step::{Input, Step},
};
use crate::{
    cancel::Cancel,
    meter::Meter,
    package::{InputOutcome, verify_path},
    parallel::{self, Next, Plan},
    progress::{OnProgress, Progress},
    system::name_limit,
};

/// Bytes of a document read at a time while it is scanned.
const WINDOW: usize = 64 << 10;
/// Packages of up to this size are verified concurrently: they have too few members to keep several processors busy.
const SMALL: u64 = 2 << 20;

/// One input at a time per processor.
#[must_use]
pub fn jobs() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Validates everything, at most `jobs` inputs at a time.
#[must_use]
pub fn run(
    steps: &[Step],
    options: &Options,
    jobs: NonZeroUsize,
    cancel: &Cancel,
    on_progress: &mut OnProgress<'_>,
) -> Report {
    drive(steps, options, jobs, cancel, on_progress, None).0
}

/// Also returns the number of each input in the report. With `keep`, the report has no findings on documents.
pub(super) fn drive(
    steps: &[Step],
    options: &Options,
    jobs: NonZeroUsize,
    cancel: &Cancel,
    on_progress: &mut OnProgress<'_>,
    keep: Option<&Keep<'_>>,
) -> (Report, BTreeMap<usize, u64>) {
    let mut batch = Batch::new(options);
    for step in steps {
        match step {
            Step::Read(input) => drop(batch.input(input.origin.clone(), input.from.file_name().as_deref())),
            Step::Skip { name, reason } => batch.skip(name.as_str(), reason.clone()),
            Step::EndFolder { folder } => batch.end_folder(folder.clone()),
        }
    }
    // The list of inputs may itself be incomplete.
    if cancel.is_cancelled() {
        batch.stopped(INTERRUPT);
    }
    let inputs: Vec<&Input> = steps.iter().filter_map(Step::input).collect();
    let total = inputs.iter().map(|input| input.size).fold(0, u64::saturating_add);
    let meter = Meter::new(cancel);
    let reading = Reading { options, meter: &meter, keep };
    let large = VecDeque::new();
    let mut running = Running { batch, inputs: &inputs, jobs, large, under_way: 0, meter: &meter, total, on_progress };
    let (mut report, numbers) = match parallel::run(&mut running, jobs, || |job| reading.work(job)) {
        Ok(()) => running.batch.finish_with_numbers(),
    };
    name_limit(&mut report, cancel);
    (report, numbers)
}

/// The reason for a stopped run, for the report.
const INTERRUPT: &str = "interrupt";

/// The batch, and the receiver of progress.
struct Running<'a, 'p> {
    batch: Batch,
    inputs: &'a [&'a Input],
    jobs: NonZeroUsize,
    /// Large packages, which wait until nothing else is in progress: each is then verified on all processors.
    large: VecDeque<usize>,
    under_way: usize,
    meter: &'a Meter,
    total: u64,
    on_progress: &'a mut OnProgress<'p>,
}

/// A task of a worker.
struct Job<'a> {
    number: usize,
    input: &'a Input,
    work: Work,
}

enum Work {
    Sniff { scan: bool },
    Scan,
    Verify { listed: Option<Hashes>, jobs: NonZeroUsize },
    Validate { packages: Option<Arc<KnownPackages>> },
}

/// Its result.
enum Ended {
    Sniffed(Vec<u8>, Option<DumpListing>),
    Scanned(Option<DumpListing>),
    Verified(Box<InputOutcome>, KnownPackage),
    Validated(Box<InputOutcome>),
}

impl Running<'_, '_> {
    fn verify(&self, number: usize, jobs: NonZeroUsize) -> (usize, Work) {
        (number, Work::Verify { listed: self.batch.listed_digests(number), jobs })
    }

    fn is_large(&self, number: usize) -> bool {
        self.inputs.get(number).is_some_and(|input| input.size > SMALL)
    }

    /// Copies an outcome on this thread: the original is scattered among the buffers used for the input, and would prevent
    /// reuse of their memory. 2,000 packages with two findings each took 93 MB with the originals, and take 29 MB with copies.
    fn copied(&mut self, done: &InputOutcome) -> Outcome {
        if done.interrupted {
            self.batch.stopped(INTERRUPT);
        }
        done.outcome.clone()
    }
}

impl<'a> Plan for Running<'a, '_> {
    type Job = Job<'a>;
    type Done = (usize, Ended);
    type Error = Infallible;

    fn next(&mut self) -> Result<Next<Job<'a>>, Infallible> {
        let (number, work) = loop {
            break match self.batch.poll() {
                Task::Sniff { input, scan } => (input, Work::Sniff { scan }),
                Task::Scan(input) => (input, Work::Scan),
                Task::Verify(input) if self.is_large(input) => {
                    self.large.push_back(input);
                    continue;
                }
                Task::Verify(input) => self.verify(input, NonZeroUsize::MIN),
                Task::Validate(input) => (input, Work::Validate { packages: self.batch.packages().cloned() }),
                Task::Wait => match if self.under_way == 0 { self.large.pop_front() } else { None } {
                    Some(input) => self.verify(input, self.jobs),
                    None => return Ok(Next::Wait),
                },
                Task::Done => return Ok(Next::Done),
            };
        };
        let Some(input) = self.inputs.get(number).copied() else { return Ok(Next::Done) };
        self.under_way = self.under_way.saturating_add(1);
        Ok(Next::Job(Job { number, input, work }))
    }

    fn take(&mut self, (number, ended): (usize, Ended)) -> Result<(), Infallible> {
        self.under_way = self.under_way.saturating_sub(1);
        match ended {
            Ended::Sniffed(head, dump) => self.batch.sniffed(number, &head, dump),
            Ended::Scanned(dump) => self.batch.scanned(number, dump),
            Ended::Verified(done, package) => {
                let outcome = self.copied(&done);
                self.batch.verified(number, outcome, package);
            }
            Ended::Validated(done) => {
                let outcome = self.copied(&done);
                self.batch.validated(number, outcome);
            }
        }
        Ok(())
    }

    fn tick(&mut self) {
        let (inputs, entries) = self.batch.progress();
        (self.on_progress)(&Progress { bytes: self.meter.read(), total: self.total, inputs, entries });
    }
}

/// The context of workers.
struct Reading<'a> {
    options: &'a Options,
    meter: &'a Meter,
    keep: Option<&'a Keep<'a>>,
}

impl Reading<'_> {
    fn work(&self, Job { number, input, work }: Job<'_>) -> (usize, Ended) {
        let ended = match work {
            Work::Sniff { scan } => {
                let (head, dump) = self.sniff(input, scan).unwrap_or_default();
                Ended::Sniffed(head, dump)
            }
            Work::Scan => Ended::Scanned(self.open(input).map(|file| self.scan(file))),
            Work::Verify { listed, jobs } => {
                let (done, package) = self.verify(input, listed.as_ref(), jobs);
                Ended::Verified(Box::new(done), package)
            }
            Work::Validate { packages } => {
                let keep = self.keep.map(|keep| (keep, number));
                let done = read::validate(input, self.options, packages.as_ref(), self.meter, keep);
                Ended::Validated(Box::new(done))
            }
        };
        (number, ended)
    }

    /// Opens the file, unless the run is stopped. A file that cannot be opened is reported when it is
    /// validated.
    fn open(&self, input: &Input) -> Option<File> {
        input.from.path().filter(|_| !self.meter.is_stopped()).and_then(|path| File::open(path).ok())
    }

    /// Reads the first bytes of a file, and scans a document for listed packages if requested.
    fn sniff(&self, input: &Input, scan: bool) -> Option<(Vec<u8>, Option<DumpListing>)> {
        let mut file = self.open(input)?;
        let mut head = Vec::new();
        (&mut file).take(Batch::SNIFFED as u64).read_to_end(&mut head).ok()?;
        let dump = (scan && !is_package(&head)).then(|| self.scan((&head[..]).chain(file)));
        Some((head, dump))
    }

    /// Scans a document for listed packages. A document that cannot be read is reported when it is validated.
    fn scan(&self, mut file: impl Read) -> DumpListing {
        let mut scan = DumpScan::new(&self.options.limits);
        let mut window = vec![0; WINDOW];
        while !self.meter.is_stopped() {
            match file.read(&mut window) {
                Ok(length) if length > 0 && scan.push(window.get(..length).unwrap_or(&[])) => {}
                _ => break,
            }
        }
        scan.finish()
    }

    fn verify(&self, input: &Input, listed: Option<&Hashes>, jobs: NonZeroUsize) -> (InputOutcome, KnownPackage) {
        let begin = |size| {
            let verification = Verification::new(self.options, input.origin.clone(), size);
            match listed {
                Some(hashes) => verification.with_digests(hashes),
                None => verification,
            }
        };
        let verified = verify_path(input.from.path().unwrap_or(Path::new("")), &begin, jobs, self.meter);
        (verified.done, verified.package)
    }
}
