//! Requests the documents that a machine asks for.

use std::{
    io::{self, Read},
    time::{Duration, Instant},
};

use resourcesync::diagnostic::Reason;
use resourcesync_sync::{
    Chain, Survey,
    survey::{Head, Step},
};

use super::SyncError;
use crate::{
    cancel::Cancel,
    http::{self, Attempts, Client, Condition, Error, ErrorKind, Request},
};

/// Bytes read at a time.
const WINDOW: usize = 64 << 10;

/// A machine that reads documents.
pub(super) trait Documents {
    fn next(&mut self) -> Step;
    fn answer(&mut self, head: Head);
    fn push(&mut self, bytes: &[u8]);
    fn end(&mut self);
    fn failed(&mut self, reason: Reason);
    fn again(&mut self);
    fn stop(&mut self, reason: &Reason);
}

macro_rules! documents {
    ($($machine:ty),*) => {
        $(impl Documents for $machine {
            fn next(&mut self) -> Step {
                self.next()
            }
            fn answer(&mut self, head: Head) {
                self.answer(head);
            }
            fn push(&mut self, bytes: &[u8]) {
                self.push(bytes);
            }
            fn end(&mut self) {
                self.end();
            }
            fn failed(&mut self, reason: Reason) {
                self.failed(reason);
            }
            fn again(&mut self) {
                self.again();
            }
            fn stop(&mut self, reason: &Reason) {
                self.stop(reason);
            }
        })*
    };
}

documents!(Survey, Chain);

/// Requests the documents of a machine, until a deadline; `take` takes its events, with the number of documents read. False if the deadline
/// ended it.
pub(super) fn read<M: Documents>(
    client: &Client,
    cancel: &Cancel,
    deadline: Option<Instant>,
    machine: &mut M,
    take: &mut dyn FnMut(&mut M, u64) -> Result<(), SyncError>,
) -> Result<bool, SyncError> {
    let is_late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let mut documents: u64 = 0;
    let mut window = vec![0; WINDOW];
    let mut attempts = Attempts::new(client);
    while let Step::Read(asked) = machine.next() {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let pause = Duration::from_secs(asked.pause);
        if !attempts.pause(left.map_or(pause, |left| pause.min(left))) {
            break;
        }
        if is_late() {
            machine.stop(&Reason::other("the time of this run is over"));
            take(machine, documents)?;
            return Ok(false);
        }
        let condition = asked.etag.map(Condition::NoneMatch).or(asked.modified.map(Condition::ModifiedSince));
        let mut request = Request { is_start: asked.is_start, condition, ..Request::get(asked.uri) };
        if asked.no_cache
            && let Ok(with_header) = request.clone().header("Cache-Control", "no-cache")
        {
            request = with_header;
        }
        match http::fetch(client, &request, &mut attempts) {
            Err(error) if error.kind == ErrorKind::Interrupted => break,
            Err(error) => machine.failed(error.reason),
            Ok(mut response) => {
                let headers = response.headers.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
                let headers = headers.collect();
                machine.answer(Head { uri: response.uri.clone(), status: response.status, headers });
                loop {
                    match response.body.read(&mut window) {
                        Ok(0) => machine.end(),
                        Ok(length) => {
                            machine.push(window.get(..length).unwrap_or_default());
                            take(machine, documents)?;
                            if is_late() {
                                machine.stop(&Reason::other("the time of this run is over"));
                                take(machine, documents)?;
                                return Ok(false);
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
        take(machine, documents)?;
        if cancel.is_cancelled() {
            break;
        }
    }
    Ok(true)
}
