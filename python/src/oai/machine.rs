//! The harvest as a state machine, for any HTTP client.

use std::sync::Arc;

use pyo3::prelude::*;
use resourcesync_oai::harvest::{Failure, HarvestOptions, Moment, Proof, ResponseHead, Session, Step};

use super::OaiRecord;
use crate::{error::misuse, json::written};

/// A harvest: returns requests, and receives the responses.
#[pyclass(module = "resourcesync._core")]
pub(crate) struct OaiMachine {
    inner: Session,
    prefix: Option<Arc<str>>,
}

#[pymethods]
impl OaiMachine {
    #[new]
    fn new(url: &str, options: &str, now: u64, seed: u64) -> PyResult<OaiMachine> {
        let plan = plan(url, options, seed)?;
        Ok(OaiMachine { inner: Session::new(plan, Moment(now)), prefix: None })
    }

    /// The next step: `request`, URL and form; `wait` and milliseconds; or `done`.
    fn step(&mut self, now: u64) -> (&'static str, String, Option<String>, u64) {
        match self.inner.step(Moment(now)) {
            Step::Request { url, form } => {
                self.prefix = self.inner.prefix().map(Arc::from);
                ("request", url, form, 0)
            }
            Step::Wait { ms, why } => ("wait", why.to_owned(), None, ms),
            Step::Done => ("done", String::new(), None, 0),
        }
    }

    /// The head of the response: its status and the fields that matter.
    #[pyo3(signature = (now, status, content_type=None, retry_after=None, date=None))]
    fn begin(
        &mut self,
        now: u64,
        status: u16,
        content_type: Option<String>,
        retry_after: Option<String>,
        date: Option<String>,
    ) {
        self.inner.begin(
            Moment(now),
            ResponseHead { status, content_type, retry_after, date, content_encoding: None, redirects: Vec::new() },
        );
    }

    /// Bytes of the body; false once further bytes make no difference.
    fn push(&mut self, py: Python<'_>, bytes: &[u8]) -> bool {
        py.detach(|| self.inner.push(bytes))
    }

    /// The end of the body: the records, if the page counts.
    fn end(&mut self, py: Python<'_>, now: u64) -> Vec<OaiRecord> {
        let records = py.detach(|| self.inner.end(Moment(now)));
        records.into_iter().map(|record| OaiRecord::new(record, self.prefix.clone())).collect()
    }

    /// There is no response, or it broke off.
    fn failed(&mut self, now: u64, reason: &str, is_timeout: bool) -> Vec<OaiRecord> {
        let why = if is_timeout { Failure::Timeout } else { Failure::Connection };
        let records = self.inner.failed(Moment(now), why, reason);
        records.into_iter().map(|record| OaiRecord::new(record, self.prefix.clone())).collect()
    }

    fn interrupt(&mut self, now: u64) {
        self.inner.interrupt(Moment(now));
    }

    /// The proof, as JSON.
    fn proof(&self) -> PyResult<Option<String>> {
        self.inner.proof().map(proof_text).transpose()
    }
}

/// The plan of a harvest with these options.
pub(super) fn plan(url: &str, options: &str, seed: u64) -> PyResult<resourcesync_oai::harvest::Plan> {
    let options: HarvestOptions = serde_json::from_str(options).map_err(|error| misuse(error.to_string()))?;
    options.plan(url, seed).map_err(misuse)
}

pub(super) fn proof_text(proof: &Proof) -> PyResult<String> {
    written(proof)
}
