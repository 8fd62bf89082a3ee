//! Checks an OAI-PMH repository as a state machine: which requests to send, and what the responses show.
//!
//! 1. [`ProviderCheck::poll`] with the time.
//! 2. [`Output::Call`]: send the request, and read the response with [`ProviderCheck::answer`].
//! 3. Pass the result to [`ProviderCheck::handle`].
//! 4. [`Output::Wait`]: wait until that moment.
//! 5. [`Output::Done`]: [`ProviderCheck::report`] returns the report.
//!
//! There is no I/O, no clock and no randomness: the driver provides them. [`CheckSession`] is the same in the form that other languages need. [`FileCheck`] looks at single responses without any
//! request.

mod answer;
mod archive;
mod ask;
mod call;
mod context;
mod dates;
mod family;
mod file;
mod formats;
mod header;
mod invalid;
mod kind;
mod known;
mod listed;
mod lists;
mod options;
mod page;
mod plan;
mod post;
mod retry;
mod session;
mod sets;
mod step;
mod steps;
mod token;

use alloc::{
    boxed::Box,
    collections::{BTreeMap, VecDeque},
};

use resourcesync::{
    diagnostic::Reason,
    model::Kind,
    report::{FamilyFindings, FamilyInput, FamilyRun, Report, Via},
};

pub use self::{
    answer::{Answer, Reply},
    call::Call,
    family::family,
    file::{FileCheck, validate},
    kind::{is_recording, is_response},
    options::CheckOptions,
    plan::CheckPlan,
    session::{CheckSession, CheckStep},
};
use self::{ask::Ask, known::Known, listed::Listed, step::Step};
use crate::{
    harvest::{Failure, Moment, ResponseHead, WaitReason},
    note::Note,
};

/// A check of one repository.
#[derive(Debug)]
pub struct ProviderCheck {
    plan: CheckPlan,
    run: FamilyRun,
    known: Known,
    /// The lists that were read, by their purpose.
    lists: BTreeMap<Step, Listed>,
    /// The number of the next step.
    step: usize,
    /// Requests that follow from earlier responses.
    queue: VecDeque<Ask>,
    /// Lists that lack a record which is being requested, with their numbers in the report.
    suspects: VecDeque<(Ask, u64)>,
    open: Option<Ask>,
    is_sent: bool,
    /// How often the open request was sent, and the requests that were repeated in all.
    tries: u32,
    retries: u32,
    /// Requests in a row that were not answered.
    failures: u32,
    calls: u64,
    not_before: Moment,
    why: WaitReason,
    is_over: bool,
}

/// The next step.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Output {
    /// Send this request, and pass its result on.
    Call(Call),
    /// Wait until this moment.
    Wait {
        /// The moment.
        until: Moment,
        /// The reason.
        why: WaitReason,
    },
    /// The check is over.
    Done,
}

/// An input of the state machine.
#[derive(Debug)]
pub enum Event {
    /// A response was read.
    Answered(Box<Reply>),
    /// No response, or not all of one.
    Failed {
        /// The type of failure.
        why: Failure,
        /// The reason.
        reason: Reason,
    },
}

impl ProviderCheck {
    /// A new check.
    pub fn new(plan: CheckPlan) -> ProviderCheck {
        ProviderCheck {
            run: FamilyRun::new(family(), &plan.selection, plan.max_per_rule).about(&plan.base_url),
            plan,
            known: Known::default(),
            lists: BTreeMap::new(),
            step: 0,
            queue: VecDeque::new(),
            suspects: VecDeque::new(),
            open: None,
            is_sent: false,
            tries: 0,
            retries: 0,
            failures: 0,
            calls: 0,
            not_before: Moment::default(),
            why: WaitReason::Pace,
            is_over: false,
        }
    }

    /// The next step. It is repeated until it was done.
    pub fn poll(&mut self, now: Moment) -> Output {
        if self.open.is_none() && !self.is_over {
            self.open = self.queue.pop_front().or_else(|| self.next_step());
            self.tries = 0;
            if self.open.is_none() {
                self.close();
            }
        }
        let Some(ask) = self.open.as_ref().filter(|_| !self.is_over) else { return Output::Done };
        if !self.is_sent {
            if now < self.not_before {
                return Output::Wait { until: self.not_before, why: self.why };
            }
            self.calls = self.calls.saturating_add(1);
            self.is_sent = true;
        }
        Output::Call(ask.call(self.calls, &self.plan.base_url))
    }

    /// A reader for the response to the open call.
    pub fn answer(&self, now: Moment, mut head: ResponseHead) -> Answer {
        head.content_encoding = head.content_encoding.filter(|_| self.plan.all_headers);
        Answer::new(self.context(now), head, &self.plan)
    }

    /// Processes an event.
    pub fn handle(&mut self, now: Moment, event: Event) {
        if !core::mem::take(&mut self.is_sent) {
            return;
        }
        let Some(ask) = self.open.take() else { return };
        self.not_before = now.plus_millis(self.plan.delay);
        self.why = WaitReason::Pace;
        self.tries = self.tries.saturating_add(1);
        match event {
            Event::Answered(reply) if reply.call == self.calls => self.replied(now, ask, *reply),
            Event::Answered(_) => self.open = Some(ask),
            Event::Failed { why, reason } => self.failed(now, ask, why, reason),
        }
    }

    /// Ends the check, with the reason.
    pub fn stop(&mut self, by: &str) {
        if !core::mem::replace(&mut self.is_over, true) {
            self.run.stopped(by);
        }
    }

    /// The number of requests so far.
    pub fn requests(&self) -> u64 {
        self.calls
    }

    /// The report on the responses so far.
    pub fn report(self) -> Report {
        self.run.finish()
    }

    /// Adds a response to the report, and returns its number there.
    fn add(&mut self, ask: &Ask, reply: &mut Reply, unread: Option<Reason>) -> u64 {
        let input = FamilyInput {
            name: ask.name(),
            uri: Some(ask.call(0, &self.plan.base_url).url),
            via: Via::Argument,
            kind: if reply.is_page() { Kind::OaiResponse } else { Kind::Unknown },
            entries: reply.items,
            bytes: reply.bytes,
            unread,
        };
        let none = FamilyFindings::new(family(), &self.plan.selection, self.plan.max_per_rule);
        self.run.add(input, core::mem::replace(&mut reply.findings, none))
    }

    /// Adds what a later response shows about an earlier one.
    fn found(&mut self, input: u64, note: Note) {
        if let Some(findings) = self.run.findings(input) {
            findings.add(&family::finding(note, None));
        }
    }
}
