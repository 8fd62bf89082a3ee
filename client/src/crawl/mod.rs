//! Crawls a whole Source: fetches side by side what the core's crawler wants next, from servers or from a folder.

mod http;
mod mirror;
mod run;

use std::{io, num::NonZeroUsize};

use resourcesync::api::{Fetch, FetchError, Response};

pub use self::{http::Web, mirror::Folder, run::run};
use crate::{http::Attempts, meter::Meter, package::Bytes};

/// Something that can get what a walk asks for: a folder, a network, a recording.
pub trait Fetcher: Sync {
    /// How many may be got at a time.
    fn concurrency(&self) -> NonZeroUsize;

    /// How many tries each may take.
    fn attempts(&self) -> Attempts {
        Attempts::once()
    }

    /// Gets one; called from several threads.
    fn fetch(&self, fetch: &Fetch, attempts: &mut Attempts, meter: &Meter) -> Got;
}

/// What came of a fetch.
pub enum Got {
    /// It answers; the bytes are still to be read.
    Body(Response, Box<dyn io::Read + Send>),
    /// It answers, and any of its bytes can be read: a package, and how many bytes it has.
    Package(Response, Box<dyn Bytes>, u64),
    /// It cannot be had.
    Missed(FetchError),
}
