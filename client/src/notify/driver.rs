//! Sends the requests of the state machines: within the policy, one exchange each, to several hubs
//! concurrently.

use std::{
    io::Read,
    sync::mpsc,
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use resourcesync::diagnostic::Reason;
use resourcesync_notify::{
    exchange::{Answer, Headers, Method, Outgoing},
    moment::{Moment, Timestamp},
    publisher::{Input, Output, Publisher},
};

use crate::{
    cancel::Cancel,
    http::{Client, Error, Redirects, Request},
};

/// Sends one request of a state machine, without redirects and retries.
///
/// # Errors
///
/// If the policy of the client does not allow it, or there is no response.
pub fn perform(client: &Client, request: &Outgoing) -> Result<Answer, Reason> {
    let Outgoing { method, uri, headers, body, most } = request;
    let method = match method {
        Method::Get => crate::http::Method::Get,
        Method::Head => crate::http::Method::Head,
        Method::Post => crate::http::Method::Post,
    };
    let own = Request { method, redirects: Redirects::Return, body: body.clone(), ..Request::get(uri.clone()) };
    let own = headers.iter().try_fold(own, |own, (name, value)| own.header(name, value));
    let own = own.map_err(|error| Reason::other(error.to_string()))?;
    let response = client.fetch(&own).map_err(|error| error.reason)?;
    let (status, fields) = (response.status, response.headers.iter().collect::<Headers>());
    let mut body = Vec::new();
    // A truncated reason does not undo an acceptance.
    match response.body.take(*most as u64).read_to_end(&mut body) {
        Err(error) if method == crate::http::Method::Get => {
            Err(Error::of(&error).map_or_else(|| Reason::other(error.to_string()), |error| error.reason.clone()))
        }
        _ => Ok(Answer { status, headers: fields, body }),
    }
}

/// The current time.
#[must_use]
pub fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// Random bytes from the system.
///
/// # Errors
///
/// If the system provides none.
pub fn random(bytes: &mut [u8]) -> Result<(), rustls::crypto::GetRandomFailed> {
    rustls::crypto::ring::default_provider().secure_random.fill(bytes)
}

/// Sends the payloads of a publisher until all were accepted or refused, or the next retry is later than `patience`.
///
/// Hubs are called concurrently. Each output except the requests is passed to `take`, in order; values to keep must be durable when it
/// returns.
///
/// # Errors
///
/// The first error of `take`; requests in progress are still completed.
pub fn publish<E>(
    (client, cancel): (&Client, &Cancel),
    publisher: &mut Publisher,
    inputs: impl IntoIterator<Item = Input>,
    patience: Duration,
    mut take: impl FnMut(Output) -> Result<(), E>,
) -> Result<(), E> {
    let end = Instant::now().checked_add(patience);
    let (done, answers) = mpsc::channel();
    thread::scope(|scope| {
        let mut inputs: Vec<Input> = inputs.into_iter().chain([Input::Tick]).collect();
        let mut under_way = 0_u32;
        loop {
            let mut wake = None;
            for input in inputs.drain(..) {
                // It only spreads the retries of several Sources.
                let mut random = |bytes: &mut [u8]| drop(random(bytes));
                let moment = &mut Moment { now: now(), random: &mut random };
                wake = None;
                for output in publisher.handle(moment, input) {
                    match output {
                        Output::Send { id, request } => {
                            under_way = under_way.saturating_add(1);
                            let done = done.clone();
                            scope.spawn(move || {
                                let answer = perform(client, &request);
                                // The receiver exists until all have answered, unless the run failed.
                                let _ = done.send(match answer {
                                    Ok(answer) => Input::Answered { id, answer },
                                    Err(reason) => Input::Failed { id, reason },
                                });
                            });
                        }
                        Output::Wait { until } => wake = Some(until),
                        other => take(other)?,
                    }
                }
            }
            let wait = wake.map(|until| until.since(now()));
            let in_time = wait.filter(|wait| {
                let then = Instant::now().checked_add(*wait);
                !cancel.is_cancelled() && (end.is_none() || then.is_some_and(|then| end.is_some_and(|end| then <= end)))
            });
            match (under_way, in_time) {
                (0, None) => return Ok(()),
                (0, Some(wait)) => {
                    if !cancel.sleep(wait) {
                        return Ok(());
                    }
                    inputs.push(Input::Tick);
                }
                (_, wait) => {
                    match answers.recv_timeout(wait.unwrap_or(Duration::MAX).min(Duration::from_secs(3_600))) {
                        Ok(input) => {
                            under_way = under_way.saturating_sub(1);
                            inputs.push(input);
                        }
                        Err(_) => inputs.push(Input::Tick),
                    }
                }
            }
        }
    })
}
