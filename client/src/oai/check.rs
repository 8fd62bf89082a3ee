//! Drives a check of a repository: sends its requests, and reads the responses.

use std::io::{self, Read};

use super::{
    Clock,
    driver::{Failed, WINDOW, failed, head, lost, send},
};
use crate::{
    cancel::Cancel,
    http::{AcceptEncoding, Client, Error},
};
use resourcesync::{diagnostic::Reason, report::Via};
use resourcesync_oai::{
    harvest::Moment,
    provider::{Call, Event, FileCheck, Output, ProviderCheck},
};

/// The progress of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckStep {
    /// This request is sent.
    Call(Call),
    /// The check waits until this moment.
    Wait(Moment),
}

/// Runs a check. [`ProviderCheck::report`] then returns its report.
pub fn check(
    client: &Client,
    check: &mut ProviderCheck,
    clock: &dyn Clock,
    cancel: &Cancel,
    on_step: &mut dyn FnMut(&CheckStep),
) {
    loop {
        if cancel.is_cancelled() {
            check.stop(if cancel.is_expired() { "max-time" } else { "interrupt" });
        }
        match check.poll(clock.now()) {
            Output::Call(call) => {
                on_step(&CheckStep::Call(call.clone()));
                if let Some(event) = fetch(client, check, &call, clock) {
                    check.handle(clock.now(), event);
                }
            }
            Output::Wait { until, .. } => {
                on_step(&CheckStep::Wait(until));
                // The loop handles cancellation.
                let _ = clock.wait(until, cancel);
            }
            Output::Done => return,
            _ => {}
        }
    }
}

/// Sends one request and reads its response; `None` if the run was cancelled.
fn fetch(client: &Client, check: &ProviderCheck, call: &Call, clock: &dyn Clock) -> Option<Event> {
    let accept = if call.identity { AcceptEncoding::Identity } else { AcceptEncoding::GzipPreferred };
    let mut response = match send(client, &call.url, call.form.as_deref(), accept) {
        Ok(response) => response,
        Err(error) => return failed(&error).map(event),
    };
    let mut answer = check.answer(clock.now(), head(&response));
    let body = &mut response.body;
    let mut window = vec![0; WINDOW];
    while !answer.is_over() {
        match body.read(&mut window) {
            Ok(0) => break,
            Ok(length) => answer.push(window.get(..length).unwrap_or_default()),
            // An error after the end of the page is harmless.
            Err(_) if answer.is_whole() => break,
            Err(error) => return Error::of(&error).map_or(Some(lost()), failed).map(event),
        }
    }
    Some(Event::Answered(answer.finish()))
}

fn event((why, reason, _): Failed) -> Event {
    Event::Failed { why, reason }
}

/// Reads a response from a file or a pipe, and adds it to a check of single responses.
pub fn check_file(check: &mut FileCheck, name: &str, via: Via, input: io::Result<impl Read>) {
    let mut input = match input {
        Ok(input) => input,
        Err(error) => return check.unreadable(name, via, Reason::from(&error)),
    };
    let mut answer = check.answer();
    let mut window = vec![0; WINDOW];
    while !answer.is_over() {
        match input.read(&mut window) {
            Ok(0) => break,
            Ok(length) => answer.push(window.get(..length).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return check.unreadable(name, via, Reason::from(&error)),
        }
    }
    check.add(name, via, *answer.finish());
}
