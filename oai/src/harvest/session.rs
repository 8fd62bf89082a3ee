//! A harvest without a store, for any HTTP client: the steps of a driver in the form of every language binding.

use alloc::{boxed::Box, string::String, vec::Vec};

use resourcesync::diagnostic::Reason;
use serde::Serialize;

use super::{
    Answer, Call, Comparison, Event, Failure, Harvest, Moment, Output, Plan, Proof, Purpose, Received, ResponseHead,
};
use crate::page::{Piece, Record};

/// A harvest whose records go to the caller. Records count once their page was read to its end.
pub struct Session {
    harvest: Harvest,
    answer: Option<Answer>,
    call: Option<Call>,
    page: Vec<Record>,
    /// True once bytes of the body arrived.
    has_body: bool,
    proof: Option<Box<Proof>>,
}

/// What the caller does next.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "step", rename_all = "lowercase")]
pub enum Step {
    /// Send this request: GET, or POST with a form as its body.
    Request {
        /// The URL.
        url: String,
        /// The body, `application/x-www-form-urlencoded`.
        #[serde(skip_serializing_if = "Option::is_none")]
        form: Option<String>,
    },
    /// Wait.
    Wait {
        /// Milliseconds.
        ms: u64,
        /// The reason.
        why: &'static str,
    },
    /// The harvest is over, and has a proof.
    Done,
}

impl Session {
    /// Begins a harvest.
    pub fn new(plan: Plan, now: Moment) -> Session {
        let harvest = Harvest::new(plan, now);
        Session { harvest, answer: None, call: None, page: Vec::new(), has_body: false, proof: None }
    }

    /// The next step. It is repeated until it was done.
    pub fn step(&mut self, now: Moment) -> Step {
        loop {
            match self.harvest.poll(now) {
                Output::Call(call) => {
                    let step = Step::Request { url: call.url.clone(), form: call.form.clone() };
                    self.call = Some(call);
                    return step;
                }
                Output::Wait { until, why } => return Step::Wait { ms: until.since(now), why: why.as_str() },
                // Without a store nothing is kept or compared.
                Output::Save(_) => {}
                Output::Compare(_) => {
                    let _ = self.harvest.handle(now, Event::Compared(Comparison::default()));
                }
                Output::Owed => {
                    let _ = self.harvest.handle(now, Event::Owed(None));
                }
                Output::Done(proof) => {
                    self.proof = Some(proof);
                    return Step::Done;
                }
            }
        }
    }

    /// The head of the response to the request.
    pub fn begin(&mut self, now: Moment, head: ResponseHead) {
        self.page.clear();
        self.has_body = false;
        self.answer = self.call.is_some().then(|| self.harvest.answer(now, head));
    }

    /// Leaves the SHA-256 of this response to the caller, who may have a faster one, and passes it to [`hashed`](Session::hashed) before the end.
    pub fn hash_elsewhere(&mut self) {
        self.answer.iter_mut().for_each(Answer::hash_elsewhere);
    }

    /// The SHA-256 of the bytes that were pushed.
    pub fn hashed(&mut self, sha256: [u8; 32]) {
        self.answer.iter_mut().for_each(|answer| answer.hashed(sha256));
    }

    /// Bytes of its body; false once further bytes make no difference.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        let Some(answer) = &mut self.answer else { return false };
        self.has_body |= !bytes.is_empty();
        answer.push(bytes);
        let is_over = answer.is_over();
        self.take();
        !is_over
    }

    /// The end of its body: the records of the page, if it counts.
    pub fn end(&mut self, now: Moment) -> Vec<Record> {
        if let Some(answer) = &mut self.answer {
            answer.finish();
        }
        self.take();
        let Some(answer) = self.answer.take() else { return Vec::new() };
        let handled = self.harvest.handle(now, Event::Answered(answer.into_answered()));
        let page = core::mem::take(&mut self.page);
        if handled.accepted { page } else { Vec::new() }
    }

    /// There is no response, or not all of one. What had arrived of a page that ended counts.
    pub fn failed(&mut self, now: Moment, why: Failure, reason: &str) -> Vec<Record> {
        if self.answer.as_ref().is_some_and(Answer::is_whole) {
            return self.end(now);
        }
        let received = match self.answer.take() {
            None => Received::Nothing,
            Some(_) if self.has_body => Received::Part,
            Some(_) => Received::Head,
        };
        self.page.clear();
        let _ = self.harvest.handle(now, Event::Failed { why, reason: Reason::other(reason), received });
        Vec::new()
    }

    /// Ends the harvest: it is not complete then.
    pub fn interrupt(&mut self, now: Moment) {
        self.answer = None;
        self.harvest.interrupt(now);
    }

    /// The format of the records that are read.
    pub fn prefix(&self) -> Option<&str> {
        self.call.as_ref().and_then(|call| call.prefix.as_deref())
    }

    /// The proof, at the end.
    pub fn proof(&self) -> Option<&Proof> {
        self.proof.as_deref()
    }

    fn take(&mut self) {
        let Some(answer) = &mut self.answer else { return };
        let is_harvested =
            self.call.as_ref().is_some_and(|call| matches!(call.purpose, Purpose::Harvest | Purpose::Owed));
        while let Some(piece) = answer.next() {
            match piece {
                Piece::Record(record) if is_harvested => self.page.push(record),
                Piece::Damaged(damaged) if is_harvested => {
                    self.page.extend(damaged.repaired.map(|repaired| repaired.record));
                }
                _ => {}
            }
        }
    }
}
