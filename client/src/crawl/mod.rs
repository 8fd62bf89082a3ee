//! Crawls a whole Source: fetches what the core's crawler requests, over HTTP or from a folder that mirrors it.

mod http;
mod mirror;
mod run;

use std::{io, num::NonZeroUsize};

use resourcesync::api::{Fetch, FetchError, Response};

pub use self::{http::HttpFetcher, mirror::FolderFetcher, run::run};
use crate::{http::Attempts, meter::Meter, package::Bytes};

/// Fetches what a crawler requests: over HTTP, from a folder, from a recording.
pub trait Fetcher: Sync {
    /// The most fetches at a time.
    fn concurrency(&self) -> NonZeroUsize;

    /// The attempts that one fetch may take.
    fn attempts(&self) -> Attempts {
        Attempts::once()
    }

    /// Fetches one; called from several threads.
    fn fetch(&self, fetch: &Fetch, attempts: &mut Attempts, meter: &Meter) -> Fetched;
}

/// What a fetch returned.
pub enum Fetched {
    /// A response whose body is still to be read.
    Body(Response, Box<dyn io::Read + Send>),
    /// A response whose body can be read at any offset, and its size in bytes: a package.
    Package(Response, Box<dyn Bytes>, u64),
    /// No response.
    Error(FetchError),
}
