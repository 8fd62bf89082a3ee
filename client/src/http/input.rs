//! Fetches one document or package.

use std::sync::Arc;

use resourcesync::diagnostic::{Reason, ReasonCode};

use super::{
    body::Body,
    client::Client,
    error::{Error, ErrorKind},
    ranged::{self, Found},
    request::{Request, Response},
    retry::{self, Attempts},
};
use crate::{
    cancel::Cancel,
    package::{Bytes, Opened, spool},
};

/// A document or package on a server.
pub enum FetchedInput {
    /// A document, or anything else that is not a package.
    Document(Body),
    /// A package, and its size in bytes.
    Package(Box<dyn Bytes>, u64),
}

/// Fetches one input; `is_start` if the user specified its URI, so that it may redirect to another public host. Only the start of a package is
/// fetched, if the server supports range requests.
///
/// # Errors
///
/// If there is no response, or its status is not successful.
pub fn fetch_input(
    client: &Arc<Client>,
    uri: &str,
    is_start: bool,
    attempts: &mut Attempts,
) -> Result<FetchedInput, Error> {
    let path = uri.split(['?', '#']).next().unwrap_or(uri);
    if !path.to_ascii_lowercase().ends_with(".zip") {
        let response = retry::fetch(client, &Request { is_start, ..Request::get(uri) }, attempts)?;
        if !is_zip(&response) {
            return succeeded(client, is_start, &response).map(|()| FetchedInput::Document(response.body));
        }
        // Frees the connection before the next request.
        drop(response);
    }
    match ranged::open(client, uri, is_start, attempts)? {
        Found::File(response, bytes, size) => {
            succeeded(client, is_start, &response).map(|()| FetchedInput::Package(bytes, size))
        }
        Found::Answer(response) => Err(no_success(&response)),
    }
}

/// Opens a package on a server. One that is not named or sent as a package is copied to a temporary file of at most `limit` bytes.
///
/// # Errors
///
/// If it is no package, or cannot be read.
pub fn open_package(client: &Arc<Client>, uri: &str, limit: u64, cancel: &Cancel) -> Result<Opened, Reason> {
    match fetch_input(client, uri, true, &mut Attempts::new(client)) {
        Ok(FetchedInput::Package(bytes, size)) => Ok((bytes, size)),
        Ok(FetchedInput::Document(body)) => {
            spool(body, limit, cancel).map(|(file, size)| -> Opened { (Box::new(file), size) })
        }
        Err(Error { reason, .. }) => Err(reason),
    }
}

fn is_zip(response: &Response) -> bool {
    let kind = response.headers.first("content-type").and_then(|value| value.split(';').next()).unwrap_or("");
    matches!(response.status, 200 | 203) && kind.trim().eq_ignore_ascii_case("application/zip")
}

fn succeeded(client: &Client, is_start: bool, response: &Response) -> Result<(), Error> {
    if is_start {
        client.notice_moved(response);
    }
    if matches!(response.status, 200 | 203) { Ok(()) } else { Err(no_success(response)) }
}

fn no_success(response: &Response) -> Error {
    Error::new(ErrorKind::Status, status_reason(response.status))
}

/// The reason for a status that is not that of success.
pub fn status_reason(status: u16) -> Reason {
    Reason::new(ReasonCode::HttpStatus).arg("status", named(status))
}

/// The same reason; if it is a status without its name, with that.
pub fn with_status_name(reason: Reason) -> Reason {
    match reason.status().filter(|_| reason.code == ReasonCode::HttpStatus) {
        Some(status) => status_reason(status),
        None => reason,
    }
}

/// A status with its name.
fn named(status: u16) -> String {
    let name = ureq::http::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    name.map_or_else(|| status.to_string(), |name| format!("{status} {name}"))
}
