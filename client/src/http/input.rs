//! One document or package from a server, without following what it leads to.

use std::{io, num::NonZeroUsize, sync::Arc};

use super::{
    body::Body,
    client::{Client, Request, Response},
    error::{Kind, Problem},
    ranged::{self, Found},
};
use crate::package::Bytes;

/// What a server has, where nothing is followed.
pub enum Had {
    /// A document, or whatever else came.
    Document(Body),
    /// A package, and how many bytes it has.
    Package(Box<dyn Bytes>, u64),
}

/// Fetches one input that the user named; a package is not fetched further than its beginning, if the server has ranges.
///
/// # Errors
///
/// If there is no answer, or its status is no success.
pub fn ask(client: &Arc<Client>, uri: &str) -> Result<Had, Problem> {
    let path = uri.split(['?', '#']).next().unwrap_or(uri);
    if !path.to_ascii_lowercase().ends_with(".zip") {
        let response = client.fetch(&Request { is_start: true, ..Request::document(uri) })?;
        if !is_zip(&response) {
            return succeeded(client, &response).map(|()| Had::Document(response.body));
        }
        // The connection is given back before the next one is wanted.
        drop(response);
    }
    match ranged::open(client, uri, true)? {
        Found::File(response, bytes, size) => succeeded(client, &response).map(|()| Had::Package(bytes, size)),
        Found::Answer(response) => Err(no_success(&response)),
    }
}

fn is_zip(response: &Response) -> bool {
    let kind = response.headers.first("content-type").and_then(|value| value.split(';').next()).unwrap_or("");
    matches!(response.status, 200 | 203) && kind.trim().eq_ignore_ascii_case("application/zip")
}

fn succeeded(client: &Client, response: &Response) -> Result<(), Problem> {
    client.notice_moved(response);
    if matches!(response.status, 200 | 203) { Ok(()) } else { Err(no_success(response)) }
}

fn no_success(response: &Response) -> Problem {
    Problem::new(Kind::Status, format!("the server answers {}", named(response.status)))
}

impl Client {
    /// How many requests may be under way at a time.
    #[must_use]
    pub fn connections(&self) -> NonZeroUsize {
        let connections = usize::try_from(self.policy.limits.http_connections).unwrap_or(usize::MAX);
        NonZeroUsize::new(connections).unwrap_or(NonZeroUsize::MIN)
    }

    /// How often something that may pass is tried again.
    #[must_use]
    pub fn retries(&self) -> u64 {
        self.policy.limits.http_retries
    }
}

/// A status with its name.
fn named(status: u16) -> String {
    let name = ureq::http::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    name.map_or_else(|| status.to_string(), |name| format!("{status} {name}"))
}

impl Problem {
    /// The problem that reading a body failed with, if it is one of ours.
    #[must_use]
    pub fn of(error: &io::Error) -> Option<&Problem> {
        error.get_ref().and_then(|inner| inner.downcast_ref())
    }
}
