//! Drives a check of a repository: sends its requests, and reads the responses.

use std::io::{self, BufReader, Read};

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
    provider::{Call, Event, FileCheck, Output, ProviderCheck, is_recording},
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

/// Reads a response, or those of a recording, from a file or a pipe, and adds it to a check of single responses.
pub fn check_file(check: &mut FileCheck, name: &str, via: Via, input: io::Result<impl Read>) {
    let mut input = match input {
        Ok(input) => input,
        Err(error) => return check.unreadable(name, via, Reason::from(&error)),
    };
    let mut window = vec![0; WINDOW];
    let length = match filled(&mut input, &mut window) {
        Ok(length) => length,
        Err(error) => return check.unreadable(name, via, Reason::from(&error)),
    };
    let head = window.get(..length).unwrap_or_default();
    if is_recording(head) {
        let whole = BufReader::new(head.chain(input));
        return check.recording(name, via, &mut serde_json::Deserializer::from_reader(whole));
    }
    let mut answer = check.answer();
    answer.push(head);
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

/// Fills a window as far as the input goes.
fn filled(input: &mut impl Read, window: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while let Some(rest) = window.get_mut(length..).filter(|rest| !rest.is_empty()) {
        match input.read(rest) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}
