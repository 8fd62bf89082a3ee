//! Plans Sources: finds their lists and packages without reading them.

use std::convert::Infallible;

use resourcesync::api::{CrawlOptions, Fetch, FetchOutcome, Options, PlannedInput, PlannerStep, SourcePlanner};

use super::{Fetcher, reading::Reading};
use crate::{
    cancel::Cancel,
    meter::Meter,
    parallel::{self, Plan},
};

/// Plans the Source with this number; `None` if it was cancelled.
pub fn plan(
    fetcher: &dyn Fetcher,
    source: u64,
    crawl: CrawlOptions,
    options: &Options,
    cancel: &Cancel,
) -> Option<Vec<PlannedInput>> {
    let meter = Meter::new(cancel);
    let planner = SourcePlanner::new(source, options.clone(), crawl);
    let reading = Reading::new(fetcher, planner.readers(), &meter);
    let mut planning = Planning { planner, planned: Vec::new(), meter: &meter };
    let Ok(()) = parallel::run(&mut planning, fetcher.concurrency(), || |fetch| reading.guarded(&fetch));
    (!meter.is_stopped()).then_some(planning.planned)
}

/// The planner, and what it found.
struct Planning<'a> {
    planner: SourcePlanner,
    planned: Vec<PlannedInput>,
    meter: &'a Meter,
}

impl Plan for Planning<'_> {
    type Job = Fetch;
    /// `None` if the run was stopped before it started.
    type Done = Option<FetchOutcome>;
    type Error = Infallible;

    fn next(&mut self) -> Result<parallel::Next<Fetch>, Infallible> {
        loop {
            if self.meter.is_stopped() {
                return Ok(parallel::Next::Done);
            }
            match self.planner.poll() {
                PlannerStep::Input(input) => self.planned.push(input),
                PlannerStep::Fetch(fetch) => return Ok(parallel::Next::Job(fetch)),
                PlannerStep::Wait => return Ok(parallel::Next::Wait),
                PlannerStep::Done => return Ok(parallel::Next::Done),
            }
        }
    }

    fn take(&mut self, outcome: Option<FetchOutcome>) -> Result<(), Infallible> {
        outcome.into_iter().for_each(|outcome| self.planner.handle(outcome));
        Ok(())
    }
}
