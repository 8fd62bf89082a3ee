//! Performs the fetches of a crawl.

use std::{io, num::NonZeroUsize};

use resourcesync::api::{Fetch, FetchError, Response};

use crate::{http::Attempts, meter::Meter, package::Bytes};

/// Fetches what a crawler requests: over HTTP, from a folder, from a recording.
pub trait Fetcher: Sync {
    /// The maximum number of concurrent fetches.
    fn concurrency(&self) -> NonZeroUsize;

    /// The attempts allowed for one fetch.
    fn attempts(&self) -> Attempts {
        Attempts::once()
    }

    /// The hosts to which starts redirected so far, each with its port.
    fn led(&self) -> Vec<String> {
        Vec::new()
    }

    /// Performs one fetch; called from several threads.
    fn fetch(&self, fetch: &Fetch, attempts: &mut Attempts, meter: &Meter) -> Fetched;
}

/// The result of a fetch.
pub enum Fetched {
    /// A response with an unread body.
    Body(Response, Box<dyn io::Read + Send>),
    /// A response with random access to its body, and its size in bytes: a package.
    Package(Response, Box<dyn Bytes>, u64),
    /// No response.
    Error(FetchError),
}
