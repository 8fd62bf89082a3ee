//! Reads pages and stores.

use std::path::PathBuf;

use pyo3::prelude::*;
use resourcesync_client::oai::{Entry, HarvestError, State};
use resourcesync_oai::{limits::Limits, page::Header, whole_page::Page};

use super::OaiRecord;
use crate::{error::publish_failed, json::written};

/// A header: identifier, datestamp, whether it is deleted, and its sets.
type HeaderParts = (String, Option<String>, bool, Vec<String>);

/// Reads a page: its records, its headers, and everything else as JSON.
#[pyfunction]
#[pyo3(signature = (page, charset=None))]
pub(crate) fn oai_read(
    py: Python<'_>,
    page: &[u8],
    charset: Option<&str>,
) -> PyResult<(Vec<OaiRecord>, Vec<HeaderParts>, String)> {
    let Page { records, headers, facts } = py.detach(|| Page::read(page, &Limits::default(), charset));
    let records = records.into_iter().map(|record| OaiRecord::new(record, None)).collect();
    Ok((records, headers.into_iter().map(parts).collect(), written(&facts)?))
}

fn parts(header: Header) -> HeaderParts {
    let Header { identifier, datestamp, sets, is_deleted, .. } = header;
    (identifier, datestamp.map(|stamp| stamp.text), is_deleted, sets)
}

/// The entries of the catalogue of a store, as lines of JSON.
#[pyfunction]
pub(crate) fn oai_entries(py: Python<'_>, folder: PathBuf) -> PyResult<Vec<String>> {
    let read = || -> Result<Vec<String>, String> {
        let entries = State::catalogue(&folder).map_err(|error| error.to_string())?;
        let line = |entry: Result<Entry, HarvestError>| {
            let entry = entry.map_err(|error| error.to_string())?;
            serde_json::to_string(&entry).map_err(|error| error.to_string())
        };
        entries.into_iter().flatten().map(line).collect()
    };
    py.detach(read).map_err(|words| publish_failed("harvest_error", &words))
}
