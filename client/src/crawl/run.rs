//! Drives a walk: asks what to fetch, fetches side by side, hands over what came.

use std::{
    io::Read,
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use resourcesync::{
    api::{Fetch, Following, Missed, Next, Options, PackageDepth, Response, Verification, Visit, Visited, Walk},
    report::Report,
};

use super::{Fetcher, Got};
use crate::{
    Cancel, Meter, Progress,
    http::{self, Attempts},
    package::{Bytes, verify_bytes},
    progress::OnProgress,
    system::reason,
};

/// Bytes read at a time.
const WINDOW: usize = 64 << 10;
/// How long to wait before looking whether the run was interrupted.
const PATIENCE: Duration = Duration::from_millis(100);

/// Walks over the Source and reports.
pub fn run(
    fetcher: &dyn Fetcher,
    following: Following,
    options: &Options,
    cancel: &Cancel,
    tell: &mut OnProgress<'_>,
) -> Report {
    let mut verifying = options.clone();
    verifying.no_fixity |= following.packages == PackageDepth::Structure;
    let jobs = fetcher.concurrency();
    let shared = Shared {
        walk: Mutex::new(Walk::new(options.clone(), following)),
        changed: Condvar::new(),
        meter: Meter::new(cancel),
        fetcher,
        options,
        verifying,
        jobs,
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.get()).map(|_| scope.spawn(|| shared.work())).collect();
        while workers.iter().any(|worker| !worker.is_finished()) {
            let walk = shared.walk();
            let walk = shared.changed.wait_timeout(walk, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
            let (inputs, entries) = walk.progress();
            drop(walk);
            tell(&Progress {
                bytes: shared.meter.read(),
                total: 0,
                inputs: usize::try_from(inputs).unwrap_or(usize::MAX),
                entries,
            });
        }
    });
    let was_stopped = shared.meter.is_stopped();
    let walk = shared.walk.into_inner().unwrap_or_else(PoisonError::into_inner);
    if was_stopped { walk.interrupted() } else { walk.finish() }
}

struct Shared<'a> {
    walk: Mutex<Walk>,
    /// Told whenever an answer was handed over.
    changed: Condvar,
    meter: Meter,
    fetcher: &'a dyn Fetcher,
    options: &'a Options,
    /// The options packages are verified with.
    verifying: Options,
    jobs: NonZeroUsize,
}

impl Shared<'_> {
    fn walk(&self) -> MutexGuard<'_, Walk> {
        self.walk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fetches what is asked for until nothing more is.
    fn work(&self) {
        while let Some(fetch) = self.next() {
            let one = catch_unwind(AssertUnwindSafe(|| self.one(&fetch)));
            let visited = one.unwrap_or_else(|_| {
                let reason = "the validator failed on it; please report this as a bug".to_owned();
                Visited::missed(&fetch, Missed::Failed { reason })
            });
            self.walk().handle(visited);
            self.changed.notify_all();
        }
        self.changed.notify_all();
    }

    fn next(&self) -> Option<Fetch> {
        let mut walk = self.walk();
        loop {
            if self.meter.is_stopped() {
                return None;
            }
            match walk.poll() {
                Next::Fetch(fetch) => return Some(fetch),
                Next::Done => return None,
                Next::Wait => {
                    let waited = self.changed.wait_timeout(walk, PATIENCE);
                    walk = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    fn one(&self, fetch: &Fetch) -> Visited {
        let mut attempts = self.fetcher.attempts();
        loop {
            match self.fetcher.fetch(fetch, &mut attempts, &self.meter) {
                Got::Missed(missed) => return Visited::missed(fetch, missed),
                Got::Package(response, bytes, size) => return self.verify(fetch, response, &*bytes, size),
                Got::Body(response, body) => {
                    if let Some(visited) = self.read(fetch, response, body, &mut attempts) {
                        return visited;
                    }
                }
            }
        }
    }

    /// Reads a body; nothing if it was lost on the way and may be asked for again.
    fn read(
        &self,
        fetch: &Fetch,
        response: Response,
        mut body: Box<dyn Read + Send>,
        attempts: &mut Attempts,
    ) -> Option<Visited> {
        let mut visit = Visit::new(self.options, fetch, response);
        let mut window = vec![0; WINDOW];
        while visit.wants_more() {
            if self.meter.is_stopped() {
                return Some(visit.interrupted());
            }
            match body.read(&mut window) {
                Ok(0) => break,
                Ok(length) => {
                    self.meter.count(length);
                    visit.push(window.get(..length).unwrap_or_default());
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                // Closing the connections is how a run is stopped.
                Err(_) if self.meter.is_stopped() => return Some(visit.interrupted()),
                Err(error) if http::Error::of(&error).is_some_and(http::Error::is_temporary) && attempts.again() => {
                    return None;
                }
                Err(error) => return Some(visit.cut(&reason(&error))),
            }
        }
        Some(visit.finish())
    }

    fn verify(&self, fetch: &Fetch, response: Response, bytes: &dyn Bytes, size: u64) -> Visited {
        let begin = |size| {
            Verification::new(&self.verifying, fetch.source(), size).met(fetch.media_type.clone(), &fetch.hashes())
        };
        let verified = verify_bytes(bytes, size, &begin, self.jobs, &self.meter);
        Visited::package(fetch, response, verified.done.outcome, verified.package)
    }
}
