//! Which responses are final, which requests are repeated, and when the check ends early: OAI-50, 53 and 56.

use resourcesync::diagnostic::{Reason, ReasonCode};

use super::{ProviderCheck, answer::Reply, ask::Ask, page::is_busy, step::Step};
use crate::{
    catalogue::Code,
    harvest::{Failure, Moment, ResponseHead, WaitReason},
    note::Note,
    page::{Cut, Ending, ErrorCode},
};

/// How often one request is sent at most, and how often requests are repeated in all.
const TRIES: u32 = 3;
const RETRIES: u32 = 10;
/// Requests in a row without a response that end the check.
const FAILURES: u32 = 3;
/// Seconds before a request is repeated, and before it is sent to a server that is busy.
const PAUSE: u64 = 10;
const BUSY: u64 = 60;

impl ProviderCheck {
    /// Processes a response.
    pub(super) fn replied(&mut self, now: Moment, ask: Ask, mut reply: Reply) {
        let status = reply.head.status;
        if is_busy(status) {
            return self.busy(now, ask, reply);
        }
        let is_invalid = matches!(ask.step, Step::Invalid(_));
        let is_transient = match &reply.ending {
            Some(Ending::Whole { .. }) => false,
            // A limit, or what is not well-formed, would be the same again.
            Some(Ending::Cut(cut)) => matches!(&**cut, Cut::Gzip(_)),
            _ => (500..600).contains(&status) || status == 408 || (reply.bytes == 0 && status < 300),
        };
        if is_transient && !is_invalid && self.repeats(now, PAUSE, WaitReason::ServerError) {
            self.open = Some(ask);
            return;
        }
        let unread = match &reply.ending {
            Some(Ending::Whole { .. }) if is_invalid || is_usual(&ask, &reply) => None,
            Some(Ending::Whole { .. }) => Some(Reason::new(ReasonCode::Other).arg("text", reply.word())),
            Some(Ending::Cut(cut)) => Some(Reason::new(ReasonCode::Other).arg("text", cut.reason())),
            // Any response to an invalid request is checked.
            _ if is_invalid || status < 300 => None,
            _ => Some(Reason::new(ReasonCode::HttpStatus).arg("status", u64::from(status))),
        };
        // 403 asks harvesters to go away.
        let is_forbidden = status == 403 && !reply.is_page();
        let is_failure = unread.is_some() || !reply.is_page();
        let input = self.add(&ask, &mut reply, unread);
        if is_forbidden {
            return self.stop("forbidden");
        }
        self.failures = if is_failure && !is_invalid { self.failures.saturating_add(1) } else { 0 };
        self.took(&ask, input, &reply);
        if self.failures >= FAILURES {
            self.stop("failures");
        }
    }

    /// A server that is busy.
    fn busy(&mut self, now: Moment, ask: Ask, mut reply: Reply) {
        let status = u64::from(reply.head.status);
        let wait = reply.retry_after;
        let doubled = self.tries.saturating_sub(1).min(8);
        let seconds = wait.unwrap_or_else(|| BUSY.saturating_mul(2_u64.saturating_pow(doubled))).max(1);
        let why = if wait.is_some() { WaitReason::RetryAfter } else { WaitReason::Unavailable };
        let is_repeated = self.repeats(now, seconds, why);
        // A wait of unknown length is reported once.
        if !is_repeated || (wait.is_none() && self.tries == 1) {
            let unread = Reason::new(ReasonCode::HttpStatus).arg("status", status);
            let input = self.add(&ask, &mut reply, Some(unread).filter(|_| !is_repeated));
            if wait.is_none() && self.plan.all_headers {
                self.found(input, Note::new(Code::OAI_53).arg("status", status));
            }
        }
        match is_repeated {
            true => self.open = Some(ask),
            false if seconds > self.plan.max_wait => self.stop("long-wait"),
            false => self.stop("failures"),
        }
    }

    /// Processes a request without a response.
    pub(super) fn failed(&mut self, now: Moment, ask: Ask, why: Failure, reason: Reason) {
        let is_transient = matches!(why, Failure::Connection | Failure::Timeout);
        if is_transient && self.repeats(now, PAUSE, WaitReason::Connection) {
            self.open = Some(ask);
            return;
        }
        let mut reply = *self.empty_reply(now);
        let status = reason.status();
        let note = match (reason.code, status) {
            (ReasonCode::NoLocation, Some(status)) => Some(Note::new(Code::OAI_56).arg("status", u64::from(status))),
            (ReasonCode::ContentEncoding, _) => {
                let code = if ask.identity { Code::OAI_19 } else { Code::OAI_58 };
                let coding = reason.args.get("coding").cloned();
                coding.map(|coding| Note::new(code).arg("coding", coding))
            }
            _ => None,
        };
        let input = self.add(&ask, &mut reply, Some(reason));
        if let Some(note) = note {
            self.found(input, note);
        }
        self.failures = self.failures.saturating_add(1);
        // Without a description nothing else can be checked.
        if self.failures >= FAILURES || ask.step == Step::Identify || matches!(why, Failure::Permanent) {
            self.stop("failures");
        }
    }

    /// A reply without content, for a request that was not answered.
    fn empty_reply(&self, now: Moment) -> alloc::boxed::Box<Reply> {
        self.answer(now, ResponseHead::default()).unanswered()
    }

    /// True if a request is to be sent again, after this many seconds.
    fn repeats(&mut self, now: Moment, seconds: u64, why: WaitReason) -> bool {
        if self.tries >= TRIES || self.retries >= RETRIES || seconds > self.plan.max_wait {
            return false;
        }
        self.retries = self.retries.saturating_add(1);
        self.not_before = self.not_before.max(now.plus_seconds(seconds));
        self.why = why;
        true
    }
}

/// True for a page that answers a valid request, or an error that the protocol allows there or that a rule reports.
fn is_usual(ask: &Ask, reply: &Reply) -> bool {
    if reply.page.verb.is_some() {
        return reply.page.verb == ask.verb();
    }
    let has = |codes: &[ErrorCode]| codes.iter().any(|code| reply.has(code));
    match ask.step {
        Step::Sets => has(&[ErrorCode::NoSetHierarchy]),
        Step::FirstRecord | Step::LastRecord | Step::DeletedRecord | Step::Verify | Step::FormatsOfRecord => {
            has(&[ErrorCode::IdDoesNotExist, ErrorCode::CannotDisseminateFormat, ErrorCode::NoMetadataFormats])
        }
        Step::Day | Step::BeforeEarliest => {
            has(&[ErrorCode::NoRecordsMatch, ErrorCode::BadArgument, ErrorCode::BadGranularity])
        }
        Step::Set => has(&[ErrorCode::NoRecordsMatch, ErrorCode::NoSetHierarchy]),
        Step::Records | Step::Identifiers | Step::Second | Step::OtherFormat => {
            has(&[ErrorCode::NoRecordsMatch]) || (ask.page > 1 && has(&[ErrorCode::BadResumptionToken]))
        }
        // The rules about these compare every response.
        Step::RecordsAgain | Step::IdentifyByPost | Step::RecordsByPost | Step::Invalid(_) => true,
        Step::Identify | Step::IdentifyAsIs | Step::Formats => false,
    }
}
