//! Crawls a whole Source; the code that fetches is in Python.

use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use resourcesync::{
    api::{self, CrawlOptions, CrawlStep, Fetch, FetchError, FetchOutcome, Response},
    diagnostic::Reason,
    limits::Limits,
};

use crate::{cancel, error::misuse, json::written, options::Options, origin::Origin, validate::json, watch::Watch};

/// A crawl: returns fetches, and receives the responses.
#[pyclass(module = "resourcesync._core")]
pub(crate) struct Crawler {
    inner: Option<api::Crawler>,
    /// Maximum bytes of a document.
    #[pyo3(get)]
    document_bytes: u64,
    /// Maximum bytes of a package.
    #[pyo3(get)]
    package_bytes: u64,
}

#[pymethods]
impl Crawler {
    #[new]
    fn new(options: &Options, crawl: &str) -> PyResult<Crawler> {
        let crawl: CrawlOptions = read(crawl)?;
        let Limits { document_bytes, package_bytes, .. } = options.inner.limits;
        Ok(Crawler { inner: Some(api::Crawler::new(options.inner.clone(), crawl)), document_bytes, package_bytes })
    }

    /// The next fetch as JSON; or `wait`, or `done`.
    fn poll(&mut self) -> PyResult<String> {
        match self.open()?.poll() {
            CrawlStep::Fetch(fetch) => written(&fetch),
            CrawlStep::Wait => Ok("wait".to_owned()),
            CrawlStep::Done => Ok("done".to_owned()),
        }
    }

    /// Starts reading the body of a response.
    fn reader(&mut self, fetch: &str, response: &str) -> PyResult<ResponseReader> {
        let reader = self.open()?.readers().reader(&read::<Fetch>(fetch)?, read::<Response>(response)?);
        Ok(ResponseReader { inner: Some(reader) })
    }

    /// Ends a response; `error` is the reason, as JSON, why the rest of the body could not be read.
    #[pyo3(signature = (reader, error=None))]
    fn handle(&mut self, py: Python<'_>, reader: &mut ResponseReader, error: Option<&str>) -> PyResult<()> {
        let reader = reader.inner.take().ok_or_else(over)?;
        let error = error.map(read::<Reason>).transpose()?;
        let crawler = self.open()?;
        py.detach(|| {
            crawler.handle(match error {
                Some(reason) => reader.fail(reason),
                None => reader.finish(),
            });
        });
        Ok(())
    }

    /// Records the reason why there is no response.
    fn fail(&mut self, fetch: &str, error: &str) -> PyResult<()> {
        let (fetch, error) = (read::<Fetch>(fetch)?, read::<FetchError>(error)?);
        self.open()?.handle(FetchOutcome::failed(&fetch, error));
        Ok(())
    }

    /// Verifies a package and records the outcome.
    fn package(&mut self, py: Python<'_>, fetch: &str, response: &str, origin: &Origin) -> PyResult<()> {
        let (fetch, response) = (read::<Fetch>(fetch)?, read::<Response>(response)?);
        let crawler = self.open()?;
        let mut watch = Watch::new(None, cancel::given(None));
        py.detach(|| {
            let verification = crawler.readers().verification(&fetch, origin.size);
            let (outcome, package) = verification.run_for_known_package(&mut watch.reading(origin));
            crawler.handle(FetchOutcome::package(&fetch, response, outcome, package));
        });
        watch.end(())
    }

    /// The number of documents and packages fetched so far, and of their entries.
    fn progress(&mut self) -> PyResult<(u64, u64)> {
        Ok(self.open()?.progress())
    }

    /// Returns the report; `interrupted` if the crawl was stopped.
    fn report<'py>(&mut self, py: Python<'py>, interrupted: bool) -> PyResult<Bound<'py, PyBytes>> {
        let crawler = self.inner.take().ok_or_else(over)?;
        Ok(json(py, &py.detach(|| if interrupted { crawler.interrupted() } else { crawler.finish() })))
    }
}

impl Crawler {
    fn open(&mut self) -> PyResult<&mut api::Crawler> {
        self.inner.as_mut().ok_or_else(over)
    }
}

/// The body of a response being read.
#[pyclass(module = "resourcesync._core")]
pub(crate) struct ResponseReader {
    inner: Option<api::ResponseReader<'static>>,
}

#[pymethods]
impl ResponseReader {
    /// Reads the next bytes; false once further bytes make no difference.
    fn push(&mut self, py: Python<'_>, piece: &[u8]) -> PyResult<bool> {
        let reader = self.inner.as_mut().ok_or_else(over)?;
        Ok(py.detach(|| {
            reader.push(piece);
            reader.wants_more()
        }))
    }
}

fn over() -> PyErr {
    misuse("this crawl or response is finished".to_owned())
}

fn read<T: for<'de> serde::Deserialize<'de>>(json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(|error| PyValueError::new_err(error.to_string()))
}
