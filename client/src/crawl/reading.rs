//! Performs single fetches of a crawl or a plan, and reads the responses.

use std::{
    io::Read,
    panic::{AssertUnwindSafe, catch_unwind},
};

use resourcesync::{
    api::{Fetch, FetchError, FetchOutcome, Readers, Response},
    diagnostic::{Reason, ReasonCode},
};

use super::{Fetched, Fetcher};
use crate::{
    cancel::Cancel,
    http::{self, Attempts},
    meter::Meter,
    package::{Bytes, verify_bytes},
    system::reason,
};

/// Bytes read at a time.
const WINDOW: usize = 64 << 10;

/// Performs one fetch of a crawl that another process drives, whose readers these are; `None` if it was cancelled.
pub fn perform(fetcher: &dyn Fetcher, readers: Readers, fetch: &Fetch, cancel: &Cancel) -> Option<FetchOutcome> {
    let meter = Meter::new(cancel);
    Reading::new(fetcher, readers, &meter).guarded(fetch)
}

/// The context of workers.
pub(super) struct Reading<'a> {
    fetcher: &'a dyn Fetcher,
    readers: Readers,
    meter: &'a Meter,
}

impl<'a> Reading<'a> {
    pub(super) fn new(fetcher: &'a dyn Fetcher, readers: Readers, meter: &'a Meter) -> Reading<'a> {
        Reading { fetcher, readers, meter }
    }

    /// Performs and reads one fetch. A panic in it must not lose the report on all others.
    pub(super) fn guarded(&self, fetch: &Fetch) -> Option<FetchOutcome> {
        if self.meter.is_stopped() {
            return None;
        }
        let one = catch_unwind(AssertUnwindSafe(|| self.one(fetch)));
        Some(one.unwrap_or_else(|_| {
            let reason = Reason::new(ReasonCode::Bug);
            FetchOutcome::failed(fetch, FetchError::Failed { reason })
        }))
    }

    fn one(&self, fetch: &Fetch) -> FetchOutcome {
        let mut attempts = self.fetcher.attempts();
        loop {
            match self.fetcher.fetch(fetch, &mut attempts, self.meter) {
                Fetched::Error(error) => return FetchOutcome::failed(fetch, error),
                Fetched::Package(response, bytes, size) => return self.verify(fetch, response, &*bytes, size),
                Fetched::Body(response, body) => {
                    if let Some(outcome) = self.read(fetch, response, body, &mut attempts) {
                        return outcome;
                    }
                }
            }
        }
    }

    /// Reads a body; `None` if the connection was lost and it may be requested again.
    fn read(
        &self,
        fetch: &Fetch,
        response: Response,
        mut body: Box<dyn Read + Send>,
        attempts: &mut Attempts,
    ) -> Option<FetchOutcome> {
        let mut reader = self.readers.reader(fetch, response);
        let mut window = vec![0; WINDOW];
        while reader.wants_more() {
            if self.meter.is_stopped() {
                return Some(reader.interrupted());
            }
            match body.read(&mut window) {
                Ok(0) => break,
                Ok(length) => {
                    self.meter.count(length);
                    reader.push(window.get(..length).unwrap_or_default());
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                // Closing the connections stops the run.
                Err(_) if self.meter.is_stopped() => return Some(reader.interrupted()),
                Err(error) if http::Error::of(&error).is_some_and(http::Error::is_temporary) && attempts.again() => {
                    return None;
                }
                Err(error) => return Some(reader.fail(reason(&error))),
            }
        }
        Some(reader.finish())
    }

    fn verify(&self, fetch: &Fetch, response: Response, bytes: &dyn Bytes, size: u64) -> FetchOutcome {
        let begin = |size| self.readers.verification(fetch, size);
        let verified = verify_bytes(bytes, size, &begin, self.fetcher.concurrency(), self.meter);
        FetchOutcome::package(fetch, response, verified.done.outcome, verified.package)
    }
}
