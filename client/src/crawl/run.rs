//! Drives a crawler of the core: performs its fetches on several threads, and passes the responses back.

use std::{
    convert::Infallible,
    io::Read,
    panic::{AssertUnwindSafe, catch_unwind},
};

use resourcesync::{
    api::{CrawlOptions, CrawlStep, Crawler, Fetch, FetchError, FetchOutcome, Options, Readers, Response},
    diagnostic::{Reason, ReasonCode},
    report::Report,
};

use super::{Fetched, Fetcher};
use crate::{
    cancel::Cancel,
    http::{self, Attempts},
    meter::Meter,
    package::{Bytes, verify_bytes},
    parallel::{self, Plan},
    progress::{OnProgress, Progress},
    system::{name_limit, reason},
};

/// Bytes read at a time.
const WINDOW: usize = 64 << 10;

/// Crawls a Source.
pub fn run(
    fetcher: &dyn Fetcher,
    crawl: CrawlOptions,
    options: &Options,
    cancel: &Cancel,
    on_progress: &mut OnProgress<'_>,
) -> Report {
    let meter = Meter::new(cancel);
    let crawler = Crawler::new(options.clone(), crawl);
    let reading = Reading { fetcher, readers: crawler.readers(), meter: &meter };
    let mut crawl = Crawl { crawler, meter: &meter, on_progress };
    let mut report = match parallel::run(&mut crawl, fetcher.concurrency(), || |fetch| reading.guarded(&fetch)) {
        Ok(()) if meter.is_stopped() => crawl.crawler.interrupted(),
        Ok(()) => crawl.crawler.finish(),
    };
    name_limit(&mut report, cancel);
    report
}

/// The crawler, and the receiver of progress.
struct Crawl<'a, 'p> {
    crawler: Crawler,
    meter: &'a Meter,
    on_progress: &'a mut OnProgress<'p>,
}

impl Plan for Crawl<'_, '_> {
    type Job = Fetch;
    /// `None` if the run was stopped before it started.
    type Done = Option<FetchOutcome>;
    type Error = Infallible;

    fn next(&mut self) -> Result<parallel::Next<Fetch>, Infallible> {
        if self.meter.is_stopped() {
            return Ok(parallel::Next::Done);
        }
        Ok(match self.crawler.poll() {
            CrawlStep::Fetch(fetch) => parallel::Next::Job(fetch),
            CrawlStep::Wait => parallel::Next::Wait,
            CrawlStep::Done => parallel::Next::Done,
        })
    }

    fn take(&mut self, outcome: Option<FetchOutcome>) -> Result<(), Infallible> {
        outcome.into_iter().for_each(|outcome| self.crawler.handle(outcome));
        Ok(())
    }

    fn tick(&mut self) {
        let (inputs, entries) = self.crawler.progress();
        let inputs = usize::try_from(inputs).unwrap_or(usize::MAX);
        (self.on_progress)(&Progress { bytes: self.meter.read(), total: 0, inputs, entries });
    }
}

/// The context of workers.
struct Reading<'a> {
    fetcher: &'a dyn Fetcher,
    readers: Readers,
    meter: &'a Meter,
}

impl Reading<'_> {
    /// Performs and reads one fetch. A panic in it must not lose the report on all others.
    fn guarded(&self, fetch: &Fetch) -> Option<FetchOutcome> {
        if self.meter.is_stopped() {
            return None;
        }
        let one = catch_unwind(AssertUnwindSafe(|| self.one(fetch)));
        Some(one.unwrap_or_else(|_| {
            let reason = Reason::new(ReasonCode::Bug);
            FetchOutcome::failed(fetch, FetchError::Failed { reason })
        }))
    }

    fn one(&self, fetch: &Fetch) -> FetchOutcome {
        let mut attempts = self.fetcher.attempts();
        loop {
            match self.fetcher.fetch(fetch, &mut attempts, self.meter) {
                Fetched::Error(error) => return FetchOutcome::failed(fetch, error),
                Fetched::Package(response, bytes, size) => return self.verify(fetch, response, &*bytes, size),
                Fetched::Body(response, body) => {
                    if let Some(outcome) = self.read(fetch, response, body, &mut attempts) {
                        return outcome;
                    }
                }
            }
        }
    }

    /// Reads a body; `None` if the connection was lost and it may be requested again.
    fn read(
        &self,
        fetch: &Fetch,
        response: Response,
        mut body: Box<dyn Read + Send>,
        attempts: &mut Attempts,
    ) -> Option<FetchOutcome> {
        let mut reader = self.readers.reader(fetch, response);
        let mut window = vec![0; WINDOW];
        while reader.wants_more() {
            if self.meter.is_stopped() {
                return Some(reader.interrupted());
            }
            match body.read(&mut window) {
                Ok(0) => break,
                Ok(length) => {
                    self.meter.count(length);
                    reader.push(window.get(..length).unwrap_or_default());
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                // Closing the connections stops the run.
                Err(_) if self.meter.is_stopped() => return Some(reader.interrupted()),
                Err(error) if http::Error::of(&error).is_some_and(http::Error::is_temporary) && attempts.again() => {
                    return None;
                }
                Err(error) => return Some(reader.fail(reason(&error))),
            }
        }
        Some(reader.finish())
    }

    fn verify(&self, fetch: &Fetch, response: Response, bytes: &dyn Bytes, size: u64) -> FetchOutcome {
        let begin = |size| self.readers.verification(fetch, size);
        let verified = verify_bytes(bytes, size, &begin, self.fetcher.concurrency(), self.meter);
        FetchOutcome::package(fetch, response, verified.done.outcome, verified.package)
    }
}
