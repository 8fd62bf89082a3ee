//! One document from a server, without following what it leads to.

use std::io;

use super::{
    body::Body,
    client::{Client, Request},
    problem::{Kind, Problem},
};
use crate::trouble::warn;

impl Client {
    /// The bytes of a document; whatever is not a document is a problem.
    pub(crate) fn document(&self, uri: &str) -> Result<Body, Problem> {
        let response = self.fetch(&Request::document(uri))?;
        if let Some((moved, _)) = response.hops.iter().find(|(_, status)| matches!(status, 301 | 308)) {
            warn(&format!("`{moved}` has moved for good; it is now at `{}`", response.uri));
        }
        match response.status {
            200 | 203 => Ok(response.body),
            status => Err(Problem::new(Kind::Status, format!("the server answers {}", named(status)))),
        }
    }

    /// How often something that may pass is tried again.
    pub(crate) fn retries(&self) -> u64 {
        self.policy.limits.http_retries
    }
}

/// A status with its name.
pub(crate) fn named(status: u16) -> String {
    let name = ureq::http::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    name.map_or_else(|| status.to_string(), |name| format!("{status} {name}"))
}

impl Problem {
    /// The problem that reading a body failed with, if it is one of ours.
    pub(crate) fn of(error: &io::Error) -> Option<&Problem> {
        error.get_ref().and_then(|inner| inner.downcast_ref())
    }
}
