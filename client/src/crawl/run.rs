//! Drives a crawler of the core: performs its fetches on several threads, and passes the responses back.

use std::convert::Infallible;

use resourcesync::{
    api::{CrawlOptions, CrawlStep, Crawler, Fetch, FetchOutcome, Options},
    report::Report,
};

use super::{Fetcher, reading::Reading};
use crate::{
    cancel::Cancel,
    meter::Meter,
    parallel::{self, Plan},
    progress::{OnProgress, Progress},
    system::name_limit,
};

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
    let reading = Reading::new(fetcher, crawler.readers(), &meter);
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
