//! Retries: the only code that repeats a request or waits for a busy server.

use std::{
    hash::{BuildHasher, RandomState},
    time::{Duration, Instant},
};

use resourcesync::diagnostic::{Reason, ReasonCode};

use super::{
    client::{Client, Route},
    error::{Error, ErrorKind},
    request::{Request, Response},
};
use crate::cancel::Cancel;

/// The attempts allowed for fetching one thing, over all its requests and its body.
///
/// The caller creates one for each thing it fetches and passes it to every function involved, so that the limit `http_retries`
/// bounds the total.
#[derive(Debug)]
pub struct Attempts {
    left: u64,
    made: u64,
    /// The longest wait that a server may request (limit `http_retry_after_seconds`).
    longest: Duration,
    /// False if responses are from a recording.
    waits: bool,
    cancel: Cancel,
}

impl Attempts {
    /// The attempts that the limits of the client allow.
    #[must_use]
    pub fn new(client: &Client) -> Attempts {
        let limits = &client.policy.limits;
        Attempts {
            left: limits.http_retries,
            made: 0,
            longest: limits.seconds("http_retry_after_seconds"),
            waits: client.is_online(),
            cancel: client.cancel.clone(),
        }
    }

    /// A single attempt.
    #[must_use]
    pub fn once() -> Attempts {
        Attempts { left: 0, made: 0, longest: Duration::ZERO, waits: false, cancel: Cancel::default() }
    }

    /// Uses another attempt without a wait, after a truncated body; false if there is none left.
    pub fn again(&mut self) -> bool {
        let Some(left) = self.left.checked_sub(1) else { return false };
        self.left = left;
        self.made = self.made.saturating_add(1);
        true
    }

    /// Waits before something is read again that was not consistent; false if the run was cancelled meanwhile. Without retries nothing waits.
    pub(crate) fn pause(&self, time: Duration) -> bool {
        !self.waits || self.left == 0 || self.cancel.sleep(time)
    }

    /// Waits for another attempt; false if there is none left, or the run was cancelled meanwhile.
    fn wait(&mut self) -> bool {
        let wait = backoff(self.made);
        self.again() && (!self.waits || self.cancel.sleep(wait))
    }
}

/// Sends a request and retries it while that may succeed: after the time that the server requests, or otherwise after one, two,
/// four … seconds. A wait that a host requests applies to all requests of the client to it, and a host that is still busy after
/// `http_retries` waits is not waited for again until it answers.
///
/// # Errors
///
/// Those of [`Client::fetch`], and [`ErrorKind::Later`] if the server requests a longer wait than the limit
/// `http_retry_after_seconds`.
pub fn fetch(client: &Client, request: &Request, attempts: &mut Attempts) -> Result<Response, Error> {
    let mut route = Route::start(request)?;
    loop {
        if attempts.waits && !client.cancel.sleep(client.backoff.left(route.host(), Instant::now())) {
            return Err(Error::interrupted());
        }
        let sent = Instant::now();
        let outcome = client.follow(request, &mut route, client.policy.robots);
        let retry_after = match &outcome {
            Ok(response) if response.is_temporary() => response.retry_after(),
            Err(error) if error.is_temporary() => error.retry_after(),
            _ => {
                client.backoff.clear(route.host());
                return outcome;
            }
        };
        if let (Some(wait), Ok(response)) = (retry_after.filter(|wait| *wait > attempts.longest), &outcome) {
            let reason = Reason::new(ReasonCode::RetryAfter)
                .arg("status", response.status)
                .arg("wait", wait.as_secs())
                .arg("n", attempts.longest.as_secs())
                .arg("limit", "http_retry_after_seconds");
            return Err(Error::new(ErrorKind::Later, reason));
        }
        if attempts.left == 0 || retry_after.is_some_and(|wait| wait > attempts.longest) {
            return outcome;
        }
        let most = client.policy.limits.http_retries;
        let now = Instant::now();
        if retry_after.is_some_and(|wait| !client.backoff.defer(route.host(), sent, now, wait, most)) {
            return outcome;
        }
        // Frees the connection during the wait.
        drop(outcome);
        let goes_on = if retry_after.is_some() { attempts.again() } else { attempts.wait() };
        if !goes_on {
            return Err(Error::interrupted());
        }
    }
}

/// The wait before the next attempt if the server does not specify it: exponential backoff with jitter, so that the clients of one
/// server do not return at the same time.
fn backoff(tries: u64) -> Duration {
    let seconds = 1_u64 << tries.min(6);
    let jitter = RandomState::new().hash_one(tries) % (seconds * 500);
    Duration::from_secs(seconds) + Duration::from_millis(jitter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_further_try_waits_longer() {
        for tries in 0..6 {
            let (least, most) = (1 << tries, (1 << tries) * 3 / 2 + 1);
            assert!((least..=most).contains(&backoff(tries).as_secs()));
        }
    }

    #[test]
    fn no_more_tries_are_taken_than_there_are() {
        let mut attempts = Attempts { left: 2, waits: false, ..Attempts::once() };
        assert!(attempts.again() && attempts.wait() && !attempts.again() && !attempts.wait());
    }
}
