//! The crawl of a whole Source whose fetches other processes perform: rounds of fetches, and their parcels.

use pyo3::{prelude::*, types::PyBytes};
use resourcesync::api::{self, CrawlOptions, CrawlStep, PlannedInput};

use crate::{error::misuse, json::written, options::Options, validate::json};

/// The driver of a crawl.
#[pyclass(module = "resourcesync._core")]
pub(crate) struct Rounds {
    source: u64,
    crawler: Option<api::Crawler>,
}

#[pymethods]
impl Rounds {
    /// A crawl of the Source with this number, from a URI. Those who perform its fetches have the same options and the same seed.
    #[new]
    fn new(source: u64, start: String, options: &Options, seed: u64) -> Rounds {
        let mut crawl = CrawlOptions::from([start]);
        crawl.open = usize::MAX;
        Rounds { source, crawler: Some(api::Crawler::new(options.with_seed(seed), crawl)) }
    }

    /// All fetches that are known, each as JSON, and as an input to divide; none if the crawl is complete.
    fn next(&mut self) -> PyResult<Vec<(String, String)>> {
        let source = self.source;
        let crawler = self.crawler()?;
        let mut round = Vec::new();
        loop {
            match crawler.poll() {
                CrawlStep::Fetch(fetch) => {
                    round.push((written(&fetch)?, written(&PlannedInput::of_fetch(source, &fetch))?))
                }
                CrawlStep::Wait if round.is_empty() => {
                    return Err(misuse("the parcels of a round are missing".to_owned()));
                }
                CrawlStep::Wait | CrawlStep::Done => return Ok(round),
            }
        }
    }

    /// Takes the outcome of a fetch from its parcel, in any order, and any number of times.
    fn deliver(&mut self, py: Python<'_>, parcel: &[u8]) -> PyResult<()> {
        let crawler = self.crawler()?;
        py.detach(|| crawler.readers().from_parcel(parcel).map(|outcome| crawler.handle(outcome)))
            .map_err(|error| misuse(error.to_string()))
    }

    /// The report; the crawl is over.
    fn report<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let crawler = self.crawler.take().ok_or_else(over)?;
        Ok(json(py, &py.detach(|| crawler.finish())))
    }
}

impl Rounds {
    fn crawler(&mut self) -> PyResult<&mut api::Crawler> {
        self.crawler.as_mut().ok_or_else(over)
    }
}

fn over() -> PyErr {
    misuse("this crawl is finished".to_owned())
}
