//! Checks of repositories, and of single responses.

use std::{fs::File, path::PathBuf};

use pyo3::{prelude::*, types::PyBytes};
use resourcesync::{diagnostic::Reason, report::Via};
use resourcesync_client::{
    http::{ClientOptions, Limits, Recordings},
    oai::{SystemClock, check, check_file},
};
use resourcesync_oai::{
    harvest::{Failure, Moment, ResponseHead},
    provider::{CheckOptions, CheckPlan, CheckSession, CheckStep, FileCheck, ProviderCheck},
};
use serde::Deserialize;

use crate::{
    attended::attended,
    cancel::{Cancel, given},
    destination::{Servers, client, within},
    error::misuse,
    validate::json,
};

/// How a repository is contacted.
#[derive(Deserialize)]
struct Contact {
    servers: Servers,
    replay: Option<PathBuf>,
    record: Option<PathBuf>,
}

/// Checks a repository; returns the report as JSON bytes.
#[pyfunction]
#[pyo3(signature = (url, options, contact, cancel=None))]
pub(crate) fn oai_validate<'py>(
    py: Python<'py>,
    url: &str,
    options: &str,
    contact: &str,
    cancel: Option<&Cancel>,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut plan = plan(url, options)?;
    let Contact { servers, replay, record } =
        serde_json::from_str(contact).map_err(|error| misuse(error.to_string()))?;
    let mut recordings = Recordings::default();
    if let Some(path) = &replay {
        recordings.replay(path).map_err(|error| misuse(format!("replay: {error}")))?;
        // A recording needs no pauses.
        plan.delay = 0;
    }
    if let Some(path) = &record {
        recordings.record(path).map_err(|error| misuse(format!("record: {error}")))?;
    }
    let mut limits = Limits::default();
    limits.http_body_bytes = limits.http_body_bytes.max(plan.limits.oai_page_bytes);
    // The pause between requests is that of the plan.
    limits.http_requests_per_second = 0;
    let cancel = given(cancel);
    let options = ClientOptions { recordings, ..within(plan.limits.inflate_ratio, &cancel) };
    let client = client(url, servers, limits, true, options)?;
    let mut state = ProviderCheck::new(plan);
    let stop = cancel.clone();
    attended(py, &stop, [None, None], |_| check(&client, &mut state, &SystemClock, &cancel, &mut |_| {}))?;
    Ok(json(py, &state.report()))
}

/// Looks at single responses in files; returns the report as JSON bytes.
#[pyfunction]
pub(crate) fn oai_validate_files<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    options: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut state = FileCheck::new(plan("", options)?);
    for path in paths {
        py.check_signals()?;
        py.detach(|| check_file(&mut state, &path.to_string_lossy(), Via::Argument, File::open(&path)));
    }
    Ok(json(py, &state.report()))
}

/// Looks at one response; returns the report as JSON bytes.
#[pyfunction]
pub(crate) fn oai_validate_bytes<'py>(
    py: Python<'py>,
    response: &[u8],
    name: &str,
    options: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let plan = plan("", options)?;
    let report = py.detach(|| resourcesync_oai::provider::validate(response, name, plan));
    Ok(json(py, &report))
}

/// A check: returns requests, and receives the responses.
#[pyclass(module = "resourcesync._core")]
pub(crate) struct OaiCheck(Option<CheckSession>);

/// A step: its kind, name or reason, URL, form, `Accept-Encoding`, milliseconds.
type StepParts = (&'static str, String, String, Option<String>, Option<&'static str>, u64);

#[pymethods]
impl OaiCheck {
    #[new]
    fn new(url: &str, options: &str) -> PyResult<OaiCheck> {
        Ok(OaiCheck(Some(CheckSession::new(plan(url, options)?))))
    }

    /// The next step: `request`, `wait`, or `done`.
    fn step(&mut self, now: u64) -> StepParts {
        match self.0.as_mut().map_or(CheckStep::Done, |check| check.step(Moment(now))) {
            CheckStep::Request { name, url, form, accept_encoding } => ("request", name, url, form, accept_encoding, 0),
            CheckStep::Wait { ms, why } => ("wait", why.to_owned(), String::new(), None, None, ms),
            CheckStep::Done => ("done", String::new(), String::new(), None, None, 0),
        }
    }

    /// The head of the response: its status and the fields that matter.
    #[pyo3(signature = (now, status, content_type=None, content_encoding=None, retry_after=None, date=None))]
    #[allow(clippy::too_many_arguments)] // they are keywords
    fn begin(
        &mut self,
        now: u64,
        status: u16,
        content_type: Option<String>,
        content_encoding: Option<String>,
        retry_after: Option<String>,
        date: Option<String>,
    ) {
        if let Some(check) = &mut self.0 {
            check.begin(
                Moment(now),
                ResponseHead { status, content_type, content_encoding, retry_after, date, redirects: Vec::new() },
            );
        }
    }

    /// Bytes of the body; false once further bytes make no difference.
    fn push(&mut self, py: Python<'_>, bytes: &[u8]) -> bool {
        py.detach(|| self.0.as_mut().is_some_and(|check| check.push(bytes)))
    }

    /// The end of the body.
    fn end(&mut self, now: u64) {
        if let Some(check) = &mut self.0 {
            check.end(Moment(now));
        }
    }

    /// There is no response, or it broke off.
    fn failed(&mut self, now: u64, reason: &str, is_timeout: bool) {
        let why = if is_timeout { Failure::Timeout } else { Failure::Connection };
        if let Some(check) = &mut self.0 {
            check.failed(Moment(now), why, Reason::other(reason));
        }
    }

    fn interrupt(&mut self) {
        if let Some(check) = &mut self.0 {
            check.interrupt();
        }
    }

    /// The report as JSON bytes, which ends the check.
    fn report<'py>(&mut self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.0.take().map(|check| json(py, &check.report()))
    }
}

/// The plan of a check with these options.
fn plan(url: &str, options: &str) -> PyResult<CheckPlan> {
    let options: CheckOptions = serde_json::from_str(options).map_err(|error| misuse(error.to_string()))?;
    options.plan(url).map_err(misuse)
}
