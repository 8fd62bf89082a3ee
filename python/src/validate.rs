//! Validates whole inputs: paths, bytes, chunks of bytes, a package in a file object. Reports are returned as JSON bytes.

use std::path::PathBuf;

use pyo3::{prelude::*, types::PyBytes};
use resourcesync::{
    api::{InputOrigin, Outcome, Run, Validation, Verification, is_package, is_package_name},
    diagnostic::{Reason, ReasonCode},
    report::Report,
};
use resourcesync_client::{
    Progress,
    batch::{self, Location},
};

use crate::{
    cancel::{Cancel, given},
    chunks::Chunks,
    options::Options,
    origin::Origin,
    watch::Watch,
};

/// Bytes read between two checks for signals.
const WINDOW: usize = 1 << 20;

/// Validates files and folders like the command; a name and a URI are for a single document.
#[pyfunction]
#[pyo3(signature = (paths, options, name=None, uri=None, tell=None, cancel=None))]
pub(crate) fn validate_paths<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    options: &Options,
    name: Option<&str>,
    uri: Option<&str>,
    tell: Option<Py<PyAny>>,
    cancel: Option<&Cancel>,
) -> PyResult<Bound<'py, PyBytes>> {
    let cancel = given(cancel);
    let mut watch = Watch::new(tell, cancel.clone());
    let report = py.detach(|| {
        let named = paths.into_iter().map(Location::Path).collect();
        let steps = batch::steps(named, name, uri, None, &cancel).map_err(|error| error.to_string())?;
        Ok(batch::run(&steps, &options.inner, batch::jobs(), &cancel, &mut |progress| {
            if watch.look(progress) {
                cancel.cancel();
            }
        }))
    });
    let report: Result<_, String> = watch.end(report)?;
    Ok(json(py, &report.map_err(crate::error::misuse)?))
}

/// Validates a document or package in memory.
#[pyfunction]
#[pyo3(signature = (content, options, name, uri=None, tell=None, cancel=None))]
pub(crate) fn validate_bytes<'py>(
    py: Python<'py>,
    content: &[u8],
    options: &Options,
    name: String,
    uri: Option<String>,
    tell: Option<Py<PyAny>>,
    cancel: Option<&Cancel>,
) -> PyResult<Bound<'py, PyBytes>> {
    let source = InputOrigin { uri, ..InputOrigin::named(name) };
    let mut watch = Watch::new(tell, given(cancel));
    let total = content.len() as u64;
    let truncated = || Reason::new(ReasonCode::Truncated);
    let report = py.detach(|| {
        let outcome = if takes_for_package(content, &source.name) {
            let mut read = 0_u64;
            Verification::new(&options.inner, source, total).run(&mut |offset, room| {
                let start = usize::try_from(offset).map_err(|_| truncated())?;
                let end = start.checked_add(room.len()).ok_or_else(truncated)?;
                room.copy_from_slice(content.get(start..end).ok_or_else(truncated)?);
                read = read.saturating_add(room.len() as u64);
                if watch.tick(&Progress { bytes: read.min(total), total, inputs: 0, entries: 0 }) {
                    Err(Reason::new(ReasonCode::Interrupted))
                } else {
                    Ok(())
                }
            })
        } else {
            let mut validation = Validation::new(&options.inner, source);
            let mut bytes = 0_u64;
            for window in content.chunks(WINDOW) {
                validation.push(window);
                bytes = bytes.saturating_add(window.len() as u64);
                let is_stopped = watch.tick(&Progress { bytes, total, inputs: 0, entries: validation.entries() });
                if is_stopped || !validation.wants_more() {
                    break;
                }
            }
            validation.finish()
        };
        report(options, outcome)
    });
    Ok(json(py, &watch.end(report)?))
}

/// Validates a document in chunks.
#[pyfunction]
#[pyo3(signature = (pieces, options, name, uri=None, tell=None, cancel=None))]
pub(crate) fn validate_chunks<'py>(
    py: Python<'py>,
    pieces: &Bound<'py, PyAny>,
    options: &Options,
    name: String,
    uri: Option<String>,
    tell: Option<Py<PyAny>>,
    cancel: Option<&Cancel>,
) -> PyResult<Bound<'py, PyBytes>> {
    let source = InputOrigin { uri, ..InputOrigin::named(name) };
    let mut watch = Watch::new(tell, given(cancel));
    let mut validation = Validation::new(&options.inner, source);
    let mut bytes = 0_u64;
    for piece in Chunks::new(pieces)? {
        let piece = piece?;
        let content = piece.as_bytes();
        py.detach(|| {
            for window in content.chunks(WINDOW) {
                validation.push(window);
                bytes = bytes.saturating_add(window.len() as u64);
                let is_stopped = watch.tick(&Progress { bytes, total: 0, inputs: 0, entries: validation.entries() });
                if is_stopped || !validation.wants_more() {
                    break;
                }
            }
        });
        if let Some(trouble) = watch.trouble {
            return Err(trouble);
        }
        if !validation.wants_more() {
            break;
        }
    }
    let report = py.detach(|| report(options, validation.finish()));
    Ok(json(py, &report))
}

/// Verifies a package of any origin.
#[pyfunction]
#[pyo3(signature = (origin, options, name, uri=None, tell=None, cancel=None))]
pub(crate) fn validate_package<'py>(
    py: Python<'py>,
    origin: &Origin,
    options: &Options,
    name: String,
    uri: Option<String>,
    tell: Option<Py<PyAny>>,
    cancel: Option<&Cancel>,
) -> PyResult<Bound<'py, PyBytes>> {
    let source = InputOrigin { uri, ..InputOrigin::named(name) };
    let mut watch = Watch::new(tell, given(cancel));
    let report = py.detach(|| {
        let outcome = Verification::new(&options.inner, source, origin.size).run(&mut watch.reading(origin));
        report(options, outcome)
    });
    Ok(json(py, &watch.end(report)?))
}

fn report(options: &Options, outcome: Outcome) -> Report {
    let mut run = Run::new(&options.inner);
    run.add(outcome);
    run.finish()
}

pub(crate) fn json<'py>(py: Python<'py>, report: &Report) -> Bound<'py, PyBytes> {
    PyBytes::new(py, report.to_json().as_bytes())
}

/// True if an input with this name and these first bytes is a package for the command.
#[pyfunction]
pub(crate) fn takes_for_package(head: &[u8], name: &str) -> bool {
    is_package(head) || is_package_name(name)
}
