//! One document or package from a server, without following what it leads to.

use std::{io, num::NonZeroUsize, sync::Arc};

use super::{
    body::Body,
    client::{Client, Request, Response},
    problem::{Kind, Problem},
    ranged::{self, Found},
};
use crate::{packages::Bytes, trouble::warn};

/// What a server has, where nothing is followed.
pub(crate) enum Had {
    /// A document, or whatever else came.
    Document(Body),
    /// A package, and how many bytes it has.
    Package(Box<dyn Bytes>, u64),
}

/// Asks for one input; whatever is no success is a problem.
pub(crate) fn ask(client: &Arc<Client>, uri: &str) -> Result<Had, Problem> {
    let path = uri.split(['?', '#']).next().unwrap_or(uri);
    if !path.to_ascii_lowercase().ends_with(".zip") {
        let response = client.fetch(&Request { is_start: true, ..Request::document(uri) })?;
        if !is_zip(&response) {
            return succeeded(&response).map(|()| Had::Document(response.body));
        }
        // The connection is given back before the next one is wanted.
        drop(response);
    }
    match ranged::open(client, uri, true)? {
        Found::File(response, bytes, size) => succeeded(&response).map(|()| Had::Package(bytes, size)),
        Found::Answer(response) => Err(no_success(&response)),
    }
}

fn is_zip(response: &Response) -> bool {
    let kind = response.headers.first("content-type").and_then(|value| value.split(';').next()).unwrap_or("");
    matches!(response.status, 200 | 203) && kind.trim().eq_ignore_ascii_case("application/zip")
}

fn succeeded(response: &Response) -> Result<(), Problem> {
    tell_moved(response);
    if matches!(response.status, 200 | 203) { Ok(()) } else { Err(no_success(response)) }
}

/// Says that a URL has a better one now.
pub(super) fn tell_moved(response: &Response) {
    if let Some((moved, _)) = response.hops.iter().find(|(_, status)| matches!(status, 301 | 308)) {
        warn(&format!("`{moved}` has moved for good; it is now at `{}`", response.uri));
    }
}

fn no_success(response: &Response) -> Problem {
    Problem::new(Kind::Status, format!("the server answers {}", named(response.status)))
}

impl Client {
    /// How many may be asked for at a time.
    pub(crate) fn connections(&self) -> NonZeroUsize {
        let connections = usize::try_from(self.policy.limits.http_connections).unwrap_or(usize::MAX);
        NonZeroUsize::new(connections).unwrap_or(NonZeroUsize::MIN)
    }

    /// How often something that may pass is tried again.
    pub(crate) fn retries(&self) -> u64 {
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
    pub(crate) fn of(error: &io::Error) -> Option<&Problem> {
        error.get_ref().and_then(|inner| inner.downcast_ref())
    }
}
