//! Drives a harvest: sends its requests, reads the responses, and waits.

use std::io::Read;

use resourcesync::{
    diagnostic::{Reason, ReasonCode},
    source::discovery::resolve,
};
use resourcesync_oai::{
    harvest::{
        Call, Checkpoint, Comparison, Event, Failure, Handled, Harvest, Moment, Output, Owed, Proof, Purpose, Received,
        ResponseHead, Scope, WaitReason,
    },
    page::Piece,
};

use super::{Clock, HarvestError};
use crate::{
    cancel::Cancel,
    http::{self, AcceptEncoding, Client, Error, ErrorKind, Method, Request, Response},
};

/// Receives the results of a harvest.
pub trait Sink {
    /// Receives a piece of a response, which is confirmed or discarded by [`settle`](Sink::settle).
    ///
    /// # Errors
    ///
    /// If it could not be stored; the run then ends.
    fn piece(&mut self, call: &Call, piece: Piece, transcoded: Option<&'static str>) -> Result<(), HarvestError>;

    /// Ends the response: keeps or discards its pieces.
    ///
    /// # Errors
    ///
    /// If they could not be stored.
    fn settle(&mut self, handled: &Handled) -> Result<(), HarvestError>;

    /// Makes everything so far durable.
    ///
    /// # Errors
    ///
    /// If that is not possible.
    fn save(&mut self, _: &Checkpoint) -> Result<(), HarvestError> {
        Ok(())
    }

    /// Compares the records of earlier harvests with the last list of identifiers.
    ///
    /// # Errors
    ///
    /// If the records of earlier harvests could not be read.
    fn compare(&mut self, _: &Scope) -> Result<Comparison, HarvestError> {
        Ok(Comparison::default())
    }

    /// The records that are owed: damaged, and not delivered intact since. `None` without a store.
    ///
    /// # Errors
    ///
    /// If they could not be read.
    fn owed(&mut self) -> Result<Option<Vec<Owed>>, HarvestError> {
        Ok(None)
    }

    /// False to end the run instead of sending this request.
    fn wants(&mut self, _: &Call) -> bool {
        true
    }

    /// True once the sink accepts no more output, because its reader closed the pipe.
    fn is_done(&self) -> bool {
        false
    }
}

/// The progress of a harvest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A response was read.
    Page {
        /// Its purpose.
        purpose: Purpose,
        /// Items of its list so far.
        delivered: u64,
        /// Total items of the list, if declared.
        declared: Option<u64>,
    },
    /// The harvest waits.
    Wait {
        /// Until when.
        until: Moment,
        /// Why.
        why: WaitReason,
    },
}

/// Runs a harvest. The result is its proof, even if the repository fails.
///
/// # Errors
///
/// If the sink could not store something. Data saved before stays unchanged.
pub fn drive(
    client: &Client,
    harvest: &mut Harvest,
    sink: &mut dyn Sink,
    clock: &dyn Clock,
    cancel: &Cancel,
    on_step: &mut dyn FnMut(&Step),
) -> Result<Box<Proof>, HarvestError> {
    loop {
        if cancel.is_cancelled() || sink.is_done() {
            harvest.interrupt(clock.now());
        }
        match harvest.poll(clock.now()) {
            Output::Call(call) if !sink.wants(&call) => harvest.interrupt(clock.now()),
            Output::Call(call) => {
                let event = fetch(client, harvest, &call, sink, clock)?;
                let Some(event) = event else {
                    sink.settle(&Handled::default())?;
                    harvest.interrupt(clock.now());
                    continue;
                };
                let progress = harvest.progress().map(|(task, ..)| task.purpose);
                let handled = harvest.handle(clock.now(), event);
                sink.settle(&handled)?;
                if let (true, Some(purpose)) = (handled.accepted, progress) {
                    let (delivered, declared) = harvest.progress().map_or((0, None), |(_, own, all)| (own, all));
                    on_step(&Step::Page { purpose, delivered, declared });
                }
            }
            Output::Save(checkpoint) => sink.save(&checkpoint)?,
            Output::Wait { until, why } => {
                on_step(&Step::Wait { until, why });
                // The loop handles cancellation.
                let _ = clock.wait(until, cancel);
            }
            Output::Compare(scope) => {
                let comparison = sink.compare(&scope)?;
                let handled = harvest.handle(clock.now(), Event::Compared(comparison));
                sink.settle(&handled)?;
            }
            Output::Owed => {
                let owed = sink.owed()?;
                let handled = harvest.handle(clock.now(), Event::Owed(owed));
                sink.settle(&Handled { accepted: true, ..handled })?;
            }
            Output::Done(proof) => return Ok(proof),
            _ => {}
        }
    }
}

/// Sends one request and reads its response; `None` if the run was cancelled.
fn fetch(
    client: &Client,
    harvest: &Harvest,
    call: &Call,
    sink: &mut dyn Sink,
    clock: &dyn Clock,
) -> Result<Option<Event>, HarvestError> {
    let mut response = match send(client, &call.url, call.form.as_deref(), AcceptEncoding::GzipPreferred) {
        Ok(response) => response,
        Err(error) => return Ok(failed(&error).map(event)),
    };
    let head = head(&response);
    let body = &mut response.body;
    let mut answer = harvest.answer(clock.now(), head);
    let mut window = vec![0; WINDOW];
    let broken = loop {
        match body.read(&mut window) {
            Ok(0) => break None,
            Ok(length) => answer.push(window.get(..length).unwrap_or_default()),
            Err(error) => break Some(error),
        }
        while let Some(piece) = answer.next() {
            sink.piece(call, piece, answer.transcoded())?;
        }
        if answer.is_over() {
            break None;
        }
    };
    answer.finish();
    while let Some(piece) = answer.next() {
        sink.piece(call, piece, answer.transcoded())?;
    }
    match broken {
        // A connection may end after the page as it likes; that it could not be kept is an error.
        Some(error) if !answer.is_whole() || Error::of(&error).is_some_and(|own| own.kind == ErrorKind::Recording) => {
            let failed_in_body = Error::of(&error).map_or(Some(lost()), failed);
            Ok(failed_in_body.map(event))
        }
        _ => Ok(Some(Event::Answered(answer.into_answered()))),
    }
}

/// Bytes read at a time.
pub(super) const WINDOW: usize = 64 << 10;
const FORM: &str = "application/x-www-form-urlencoded";

/// What a state machine is told of the head of a response.
pub(super) fn head(response: &Response) -> ResponseHead {
    let own = |name: &str| response.headers.first(name).map(str::to_owned);
    let targets = response.hops.iter().skip(1).map(|(uri, _)| uri).chain([&response.uri]).cloned();
    ResponseHead {
        status: response.status,
        content_type: own("content-type"),
        content_encoding: own("content-encoding"),
        retry_after: own("retry-after"),
        date: own("date"),
        redirects: response.hops.iter().map(|(_, status)| *status).zip(targets).collect(),
    }
}

/// Sends a request: GET, or POST with a form.
pub(super) fn send(client: &Client, url: &str, form: Option<&str>, accept: AcceptEncoding) -> Result<Response, Error> {
    let request = match form {
        None => Request::get(url),
        // This media type is valid in a header.
        Some(form) => match Request::post(url, FORM, form.as_bytes().to_vec()) {
            Ok(request) => request,
            Err(_) => Request::get(url),
        },
    };
    // The user specified the repository; the repository specifies its redirects.
    let request = Request { is_start: true, accept, ..request };
    let response = client.fetch(&request)?;
    match (request.method, response.status, response.headers.first("location"), form) {
        // Any other redirect of a form is followed with GET, which has no body, so the arguments go into the
        // query.
        (Method::Post, 301..=303, Some(location), Some(form)) => {
            let location = resolve(&response.uri, location).unwrap_or_else(|| location.to_owned());
            let separator = if location.contains('?') { "&" } else { "?" };
            let url = if location.contains("verb=") { location } else { format!("{location}{separator}{form}") };
            client.fetch(&Request { uri: url, method: Method::Get, body: Vec::new(), ..request })
        }
        _ => Ok(response),
    }
}

/// Why there is no response, or not all of one.
pub(super) type Failed = (Failure, Reason, Received);

fn event((why, reason, received): Failed) -> Event {
    Event::Failed { why, reason, received }
}

/// Converts a failure for a state machine; `None` if the run was cancelled.
pub(super) fn failed(error: &Error) -> Option<Failed> {
    let why = match error.kind {
        ErrorKind::Interrupted => return None,
        ErrorKind::Redirect | ErrorKind::Downgrade => Failure::Redirect,
        ErrorKind::Time => Failure::Timeout,
        ErrorKind::Connection | ErrorKind::Cut | ErrorKind::Name | ErrorKind::Protocol => Failure::Connection,
        _ => Failure::Permanent,
    };
    let received = match error.received {
        http::Received::Nothing => Received::Nothing,
        http::Received::Head => Received::Head,
        http::Received::Part => Received::Part,
    };
    Some((why, error.reason.clone(), received))
}

/// The connection was lost in the body.
pub(super) fn lost() -> Failed {
    (Failure::Connection, Reason::new(ReasonCode::ConnectionClosed), Received::Part)
}
