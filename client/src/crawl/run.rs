//! Drives a crawl: fetches side by side what the crawler of the core wants next, and hands over what came.

use std::{
    convert::Infallible,
    io::Read,
    panic::{AssertUnwindSafe, catch_unwind},
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
    parallel::{self, Plan},
    progress::OnProgress,
    system::reason,
};

/// Bytes read at a time.
const WINDOW: usize = 64 << 10;

/// Crawls the Source and reports.
pub fn run(
    fetcher: &dyn Fetcher,
    following: Following,
    options: &Options,
    cancel: &Cancel,
    on_progress: &mut OnProgress<'_>,
) -> Report {
    let mut verifying = options.clone();
    verifying.no_fixity |= following.packages == PackageDepth::Structure;
    let meter = Meter::new(cancel);
    let reading = Reading { fetcher, options, verifying, meter: &meter };
    let mut crawl = Crawl { walk: Walk::new(options.clone(), following), meter: &meter, on_progress };
    match parallel::run(&mut crawl, fetcher.concurrency(), || |fetch| reading.guarded(&fetch)) {
        Ok(()) if meter.is_stopped() => crawl.walk.interrupted(),
        Ok(()) => crawl.walk.finish(),
    }
}

/// The crawler, and who hears how far it is.
struct Crawl<'a, 'p> {
    walk: Walk,
    meter: &'a Meter,
    on_progress: &'a mut OnProgress<'p>,
}

impl Plan for Crawl<'_, '_> {
    type Job = Fetch;
    /// Nothing if the run was stopped before it was begun.
    type Done = Option<Visited>;
    type Error = Infallible;

    fn next(&mut self) -> Result<parallel::Next<Fetch>, Infallible> {
        if self.meter.is_stopped() {
            return Ok(parallel::Next::Done);
        }
        Ok(match self.walk.poll() {
            Next::Fetch(fetch) => parallel::Next::Job(fetch),
            Next::Wait => parallel::Next::Wait,
            Next::Done => parallel::Next::Done,
        })
    }

    fn take(&mut self, visited: Option<Visited>) -> Result<(), Infallible> {
        visited.into_iter().for_each(|visited| self.walk.handle(visited));
        Ok(())
    }

    fn tick(&mut self) {
        let (inputs, entries) = self.walk.progress();
        let inputs = usize::try_from(inputs).unwrap_or(usize::MAX);
        (self.on_progress)(&Progress { bytes: self.meter.read(), total: 0, inputs, entries });
    }
}

/// What workers read with.
struct Reading<'a> {
    fetcher: &'a dyn Fetcher,
    options: &'a Options,
    /// The options packages are verified with.
    verifying: Options,
    meter: &'a Meter,
}

impl Reading<'_> {
    /// Fetches and reads one; one that makes the validator fail must not take the report on all others with it.
    fn guarded(&self, fetch: &Fetch) -> Option<Visited> {
        if self.meter.is_stopped() {
            return None;
        }
        let one = catch_unwind(AssertUnwindSafe(|| self.one(fetch)));
        Some(one.unwrap_or_else(|_| {
            let reason = "the validator failed on it; please report this as a bug".to_owned();
            Visited::missed(fetch, Missed::Failed { reason })
        }))
    }

    fn one(&self, fetch: &Fetch) -> Visited {
        let mut attempts = self.fetcher.attempts();
        loop {
            match self.fetcher.fetch(fetch, &mut attempts, self.meter) {
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
        let verified = verify_bytes(bytes, size, &begin, self.fetcher.concurrency(), self.meter);
        Visited::package(fetch, response, verified.done.outcome, verified.package)
    }
}
