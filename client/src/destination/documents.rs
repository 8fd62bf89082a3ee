//! Requests the documents that a machine asks for.

use std::{
    io::{self, Read},
    sync::Arc,
    time::{Duration, Instant},
};

use resourcesync::{
    diagnostic::{Reason, ReasonCode},
    limits::Limits,
};
use resourcesync_sync::{
    documents::Documents,
    package::read_manifest,
    survey::{self, Head, Step},
};

use super::SyncError;
use crate::{
    cancel::Cancel,
    http::{self, Attempts, Client, Condition, Error, ErrorKind, Found, Request, Response},
    package::BytesError,
};

/// Bytes read at a time.
const WINDOW: usize = 64 << 10;

/// Who reads documents: a machine, and what is done with what it finds.
pub(super) trait Reader {
    /// The machine; `None` once everything has been read.
    fn machine(&mut self) -> Option<&mut dyn Documents>;
    /// Processes what the machine found; `documents` is the number of those that have been read.
    fn take(&mut self, documents: u64) -> Result<(), SyncError>;
    /// Learns how long a response took to begin, and how long its body took.
    fn measure(&mut self, _waited: Duration, _bytes: u64, _received: Duration) {}
    /// The limits of packages whose manifests are read.
    fn limits(&self) -> Limits {
        Limits::default()
    }
}

/// Requests the documents of a machine, until a deadline. False if that ended it.
pub(super) fn read(
    client: &Arc<Client>,
    cancel: &Cancel,
    deadline: Option<Instant>,
    reader: &mut dyn Reader,
) -> Result<bool, SyncError> {
    let is_late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let mut documents: u64 = 0;
    let mut window = vec![0; WINDOW];
    let mut attempts = Attempts::new(client);
    while let Some(machine) = reader.machine()
        && let Step::Read(asked) = machine.next()
    {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let pause = Duration::from_secs(asked.pause);
        if !attempts.pause(left.map_or(pause, |left| pause.min(left))) {
            break;
        }
        if is_late() {
            return stop(reader, documents);
        }
        if asked.is_manifest {
            read_from_package(client, &asked, &mut attempts, reader)?;
            attempts = Attempts::new(client);
            documents = documents.saturating_add(1);
            reader.take(documents)?;
            if cancel.is_cancelled() {
                break;
            }
            continue;
        }
        let condition = asked.etag.map(Condition::NoneMatch).or(asked.modified.map(Condition::ModifiedSince));
        let mut request = Request { is_start: asked.is_start, condition, ..Request::get(asked.uri) };
        if asked.no_cache
            && let Ok(with_header) = request.clone().header("Cache-Control", "no-cache")
        {
            request = with_header;
        }
        let begun = Instant::now();
        match http::fetch(client, &request, &mut attempts) {
            Err(error) if error.kind == ErrorKind::Interrupted => break,
            Err(error) => machine.failed(error.reason),
            Ok(mut response) => {
                let (waited, mut received, mut bytes) = (begun.elapsed(), Duration::ZERO, 0_u64);
                machine.answer(head(&response));
                while let Some(machine) = reader.machine() {
                    let begun = Instant::now();
                    let read = response.body.read(&mut window);
                    received = received.saturating_add(begun.elapsed());
                    match read {
                        Ok(0) => {
                            machine.end();
                            reader.measure(waited, bytes, received);
                        }
                        Ok(length) => {
                            bytes = bytes.saturating_add(length as u64);
                            machine.push(window.get(..length).unwrap_or_default());
                            reader.take(documents)?;
                            if is_late() {
                                return stop(reader, documents);
                            }
                            continue;
                        }
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                        Err(error) => {
                            let error = Error::of(&error).cloned().unwrap_or_else(Error::interrupted);
                            if error.is_temporary() && attempts.again() {
                                machine.again();
                                break;
                            }
                            machine.failed(error.reason);
                        }
                    }
                    attempts = Attempts::new(client);
                    break;
                }
            }
        }
        documents = documents.saturating_add(1);
        reader.take(documents)?;
        if cancel.is_cancelled() {
            break;
        }
    }
    Ok(true)
}

/// Reads the manifest of a package, of which only that and the directory are requested if the server sends ranges.
fn read_from_package(
    client: &Arc<Client>,
    asked: &survey::Request,
    attempts: &mut Attempts,
    reader: &mut dyn Reader,
) -> Result<(), SyncError> {
    let limits = reader.limits();
    let opened = http::open(client, &asked.uri, false, attempts);
    let Some(machine) = reader.machine() else { return Ok(()) };
    match opened {
        Err(error) => machine.failed(error.reason),
        Ok(Found::Answer(response)) => {
            machine.answer(head(&response));
            machine.end();
        }
        Ok(Found::File(response, bytes, size)) => {
            machine.answer(head(&response));
            let mut read = |offset: u64, room: &mut [u8]| {
                bytes.fill(offset, room).map_err(|error| match error {
                    BytesError::Interrupted => Reason::new(ReasonCode::Interrupted),
                    BytesError::Failed(reason) => reason,
                })
            };
            let size = (size, bytes.is_here());
            match read_manifest(&asked.uri, &asked.stated, size, &limits, &mut read, &mut |bytes| machine.push(bytes)) {
                Ok(()) => machine.end(),
                Err(reason) => machine.failed(reason),
            }
        }
    }
    Ok(())
}

/// The head of a response.
fn head(response: &Response) -> Head {
    let headers = response.headers.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
    Head { uri: response.uri.clone(), status: response.status, headers: headers.collect() }
}

/// Ends reading, since its time is over.
fn stop(reader: &mut dyn Reader, documents: u64) -> Result<bool, SyncError> {
    if let Some(machine) = reader.machine() {
        machine.stop(&Reason::other("the time of this run is over"));
    }
    reader.take(documents)?;
    Ok(false)
}
