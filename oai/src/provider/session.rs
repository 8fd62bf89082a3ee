//! A check for any HTTP client: the steps of a driver in the form of every language binding.

use alloc::string::String;

use resourcesync::{diagnostic::Reason, report::Report};
use serde::Serialize;

use super::{Answer, CheckPlan, Event, Output, ProviderCheck};
use crate::harvest::{Failure, Moment, ResponseHead};

/// A check whose requests the caller sends.
#[derive(Debug)]
pub struct CheckSession {
    check: ProviderCheck,
    answer: Option<Answer>,
}

/// What the caller does next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "step", rename_all = "lowercase")]
pub enum CheckStep {
    /// Send this request: GET, or POST with a form as its body.
    Request {
        /// Its name in the report.
        name: String,
        /// The URL.
        url: String,
        /// The body, `application/x-www-form-urlencoded`.
        #[serde(skip_serializing_if = "Option::is_none")]
        form: Option<String>,
        /// `Accept-Encoding`, unless the client chooses it.
        #[serde(rename = "acceptEncoding", skip_serializing_if = "Option::is_none")]
        accept_encoding: Option<&'static str>,
    },
    /// Wait.
    Wait {
        /// Milliseconds.
        ms: u64,
        /// The reason.
        why: &'static str,
    },
    /// The check is over, and has a report.
    Done,
}

impl CheckSession {
    /// Begins a check.
    pub fn new(plan: CheckPlan) -> CheckSession {
        CheckSession { check: ProviderCheck::new(plan), answer: None }
    }

    /// The next step. It is repeated until it was done.
    pub fn step(&mut self, now: Moment) -> CheckStep {
        match self.check.poll(now) {
            Output::Call(call) => {
                let chosen = if call.identity { "identity" } else { "gzip;q=1.0, identity;q=0.5" };
                let accept_encoding = Some(chosen).filter(|_| self.check.plan.all_headers);
                CheckStep::Request { name: call.name, url: call.url, form: call.form, accept_encoding }
            }
            Output::Wait { until, why } => CheckStep::Wait { ms: until.since(now), why: why.as_str() },
            Output::Done => CheckStep::Done,
        }
    }

    /// The head of the response to the request.
    pub fn begin(&mut self, now: Moment, head: ResponseHead) {
        self.answer = Some(self.check.answer(now, head));
    }

    /// Bytes of its body, without content coding; false once further bytes make no difference.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        let Some(answer) = self.answer.as_mut().filter(|answer| !answer.is_over()) else { return false };
        answer.push(bytes);
        !answer.is_over()
    }

    /// The end of its body.
    pub fn end(&mut self, now: Moment) {
        if let Some(answer) = self.answer.take() {
            self.check.handle(now, Event::Answered(answer.finish()));
        }
    }

    /// There is no response, or not all of one. A page that had ended counts.
    pub fn failed(&mut self, now: Moment, why: Failure, reason: Reason) {
        if self.answer.as_ref().is_some_and(Answer::is_whole) {
            return self.end(now);
        }
        self.answer = None;
        self.check.handle(now, Event::Failed { why, reason });
    }

    /// Ends the check: what was not requested is not checked.
    pub fn interrupt(&mut self) {
        self.answer = None;
        self.check.stop("interrupt");
    }

    /// The report on the responses so far.
    pub fn report(self) -> Report {
        self.check.report()
    }
}
