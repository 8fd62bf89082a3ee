//! Performs single fetches of a crawl or a plan, and reads the responses.

use std::{
    io::Read,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use resourcesync::{
    api::{Fetch, FetchError, FetchOutcome, ParcelError, Piece, Readers, Response},
    diagnostic::{Reason, ReasonCode},
};

use super::{Fetched, Fetcher, http::answered};
use crate::{
    cancel::Cancel,
    http::{self, Attempts, Client, Found},
    meter::Meter,
    package::{Bytes, verify_bytes},
    system::reason,
};

/// Bytes read at a time.
const WINDOW: usize = 64 << 10;

/// Performs one fetch of a crawl that another process drives, whose readers these are; `None` if it was cancelled. What was found of
/// [pieces](perform_piece) of a package is not read again.
///
/// # Errors
///
/// If what was found of a piece is damaged, or was found in another run.
pub fn perform(
    fetcher: &dyn Fetcher,
    readers: Readers,
    fetch: &Fetch,
    pieces: &[Vec<u8>],
    cancel: &Cancel,
) -> Result<Option<FetchOutcome>, ParcelError> {
    let meter = Meter::new(cancel);
    readers.verification(fetch, 0).with_pieces(pieces.iter().map(Vec::as_slice))?;
    Ok(Reading { pieces, ..Reading::new(fetcher, readers, &meter) }.guarded(fetch))
}

/// Verifies one piece of a package that a crawl fetches, and returns what was found of its members: nothing if it could not be read, or the
/// server has no range requests, so that each piece would be a transfer of the whole package.
pub fn perform_piece(
    client: &Arc<Client>,
    readers: &Readers,
    fetch: &Fetch,
    piece: Piece,
    cancel: &Cancel,
) -> Option<Vec<u8>> {
    let meter = Meter::new(cancel);
    let Ok(Found::File(response, bytes, size)) = http::open_ranges(client, &fetch.uri, &mut Attempts::new(client))
    else {
        return None;
    };
    let version = version(&answered(&response, false));
    let begin = |size| readers.verification(fetch, size).with_version(version.clone()).with_piece(piece);
    verify_bytes(&*bytes, size, &begin, client.connections(), &meter).parcel
}

/// What distinguishes the versions of a resource.
fn version(response: &Response) -> String {
    let value = |name: &str| {
        let headers = response.headers.iter().flatten();
        headers.filter(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str()).collect::<String>()
    };
    format!("{}\n{}", value("etag"), value("last-modified"))
}

/// The context of workers.
pub(super) struct Reading<'a> {
    fetcher: &'a dyn Fetcher,
    readers: Readers,
    meter: &'a Meter,
    /// What was found of the pieces of the package.
    pieces: &'a [Vec<u8>],
}

impl<'a> Reading<'a> {
    pub(super) fn new(fetcher: &'a dyn Fetcher, readers: Readers, meter: &'a Meter) -> Reading<'a> {
        Reading { fetcher, readers, meter, pieces: &[] }
    }

    /// Performs and reads one fetch. A panic in it must not lose the report on all others.
    pub(super) fn guarded(&self, fetch: &Fetch) -> Option<FetchOutcome> {
        if self.meter.is_stopped() {
            return None;
        }
        let one = catch_unwind(AssertUnwindSafe(|| self.one(fetch)));
        let outcome = one.unwrap_or_else(|_| {
            let reason = Reason::new(ReasonCode::Bug);
            FetchOutcome::failed(fetch, FetchError::Failed { reason })
        });
        Some(outcome.with_led(self.fetcher.led()))
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
        let version = version(&response);
        let begin = |size| {
            let verification = || self.readers.verification(fetch, size).with_version(version.clone());
            let pieces = self.pieces.iter().map(Vec::as_slice);
            verification().with_pieces(pieces).unwrap_or_else(|_| verification())
        };
        let verified = verify_bytes(bytes, size, &begin, self.fetcher.concurrency(), self.meter);
        FetchOutcome::package(fetch, response, verified.done.outcome, verified.package)
    }
}
