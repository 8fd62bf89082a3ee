//! The harvest as a state machine: which requests to send, and when.
//!
//! 1. [`Harvest::poll`] with the time.
//! 2. [`Output::Call`]: send the request, read the response with [`Harvest::answer`], and append its items to a journal.
//! 3. Pass the result to [`Harvest::handle`]. If [`Handled::accepted`] is false, remove the appended items; then append the
//!    marks.
//! 4. [`Output::Save`]: make the journal durable, then the checkpoint.
//! 5. [`Output::Wait`]: wait until that moment, or end and run again later.
//! 6. [`Output::Compare`]: compare the records of the previous harvest with the list of identifiers. Reply with
//!    [`Event::Compared`].
//! 7. [`Output::Owed`]: determine which records are owed, because they were damaged and not delivered intact since. Reply
//!    with [`Event::Owed`].
//! 8. [`Output::Done`]: the proof refers to the records of the journal.
//!
//! There is no I/O, no clock and no randomness: the driver provides them.

mod accept;
mod answer;
mod clock;
mod fail;
mod finish;
mod ids;
mod moment;
mod notes;
mod options;
mod outcome;
mod owed;
mod plan;
mod proof;
mod reconcile;
mod resume;
mod session;
mod start;
mod state;
mod task;
#[cfg(test)]
mod tests;
mod why;
mod window;

use alloc::{boxed::Box, collections::BTreeSet, string::String, sync::Arc, vec::Vec};

use resourcesync::{diagnostic::Reason, named_enum};

#[cfg(test)]
pub(crate) use self::why::WHYS;
use self::{
    answer::Context,
    ids::{IdSet, Key},
};
pub use self::{
    answer::{Answer, Answered, ResponseHead},
    moment::Moment,
    notes::{Noted, Notes},
    options::HarvestOptions,
    plan::{Amount, Goal, MaxDelete, OnLoop, Owed, Plan, Reconcile, Start, Window},
    proof::{Action, Ended, Facts, Mark, PageProof, Proof, Reconciliation, SequenceProof, Status},
    resume::Replayed,
    session::{Session, Step},
    state::{Checkpoint, Scope},
    task::{Purpose, Task},
};
use crate::{
    catalogue::Code,
    page::DeletedRecord,
    request::{LONGEST_URL, Request, Verb},
};

/// A harvest of one repository.
#[derive(Debug)]
pub struct Harvest {
    plan: Plan,
    state: Checkpoint,
    key: Key,
    /// The identifiers delivered by the current list.
    seen: IdSet,
    /// Its tokens.
    tokens: IdSet,
    /// The digests of its pages.
    contents: Vec<[u8; 16]>,
    pages: Vec<PageProof>,
    done: Vec<SequenceProof>,
    /// The sets of `ListSets` so far.
    listed_sets: Vec<String>,
    /// All sets, to compare with those of headers.
    known_sets: Option<Arc<BTreeSet<String>>>,
    open: Option<Open>,
    calls: u64,
    not_before: Moment,
    /// Until when the server requested to wait, for this or another harvest.
    asked: Moment,
    why: WaitReason,
    /// True if the last accepted page was not saved yet.
    unsaved: bool,
    /// Identifiers of the page that is being replayed.
    replayed: Vec<u64>,
    proof: Option<Box<Proof>>,
    /// True if the run ended where a later one can continue.
    resumable: bool,
    /// The requests of this run that had to be repeated.
    tries: u32,
    /// When an earlier run was resumed; its description of the repository is older.
    resumed: Option<Moment>,
}

#[derive(Debug, Clone)]
struct Open {
    id: u64,
    started: Moment,
}

/// The next step.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Output {
    /// Send this request, and pass its result on.
    Call(Call),
    /// Make this durable.
    Save(Box<Checkpoint>),
    /// Wait until this moment.
    Wait {
        /// The moment.
        until: Moment,
        /// The reason.
        why: WaitReason,
    },
    /// Compare what was harvested before with the identifiers of the last list.
    Compare(Scope),
    /// Determine which records are owed.
    Owed,
    /// The run is over.
    Done(Box<Proof>),
}

/// A request to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Its number.
    pub id: u64,
    /// What it requests.
    pub request: Request,
    /// Its purpose.
    pub purpose: Purpose,
    /// The format that is listed; a token does not repeat it.
    pub prefix: Option<String>,
    /// The set that is listed.
    pub set: Option<String>,
    /// The URL.
    pub url: String,
    /// The body, `application/x-www-form-urlencoded`, of POST; none for GET.
    pub form: Option<String>,
}

named_enum! {
    /// The reason for a pause.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum WaitReason {
        /// The pause between two requests.
        Pace = "pace",
        /// The server requested it.
        RetryAfter = "retry-after",
        /// The server is overloaded, without `Retry-After`.
        Unavailable = "unavailable",
        /// The server failed.
        ServerError = "server-error",
        /// The connection failed.
        Connection = "connection",
        /// The list is restarted.
        Restart = "restart",
    }
}

/// The result of comparing what was harvested before with a list of identifiers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comparison {
    /// Records of the scope.
    pub total: u64,
    /// Those that are not in the list.
    pub missing: u64,
    /// Some of them.
    pub sample: Vec<String>,
    /// Records of the scope that are in the list, and not held in a version as late.
    pub lacking: u64,
    /// The first of them.
    pub wanted: Vec<String>,
}

/// An input of the state machine.
#[derive(Debug)]
pub enum Event {
    /// A response was read.
    Answered(Box<Answered>),
    /// No response, or not all of one.
    Failed {
        /// The type of failure.
        why: Failure,
        /// The reason.
        reason: Reason,
        /// The part of the response that was received.
        received: Received,
    },
    /// The records of earlier harvests were compared with the list.
    Compared(Comparison),
    /// These records are owed; `None` if there is no store.
    Owed(Option<Vec<Owed>>),
}

/// The type of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The connection could not be established, or was lost.
    Connection,
    /// It took too long.
    Timeout,
    /// A redirect that is not followed: a loop, a downgrade, or without a target.
    Redirect,
    /// A permanent failure: an unknown host name, an invalid certificate, a forbidden address.
    Permanent,
}

/// The part of a response that was received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Received {
    /// Nothing.
    Nothing,
    /// Its head.
    Head,
    /// A part of its body.
    Part,
}

/// The result of handling an event.
#[derive(Debug, Clone, PartialEq, Default)]
#[must_use]
pub struct Handled {
    /// True if the items of the page count; otherwise discard them.
    pub accepted: bool,
    /// Marks to append to the journal.
    pub marks: Vec<Mark>,
}

impl Harvest {
    /// A new harvest.
    pub fn new(plan: Plan, now: Moment) -> Harvest {
        let state = Checkpoint { until: plan.until, ..Checkpoint::new(&plan.base_url, now) };
        let mut harvest = Harvest::with(plan, state);
        harvest.open_repository();
        harvest
    }

    fn with(plan: Plan, state: Checkpoint) -> Harvest {
        Harvest {
            key: Key::new(plan.seed),
            not_before: plan.not_before.unwrap_or_default(),
            asked: plan.not_before.unwrap_or_default(),
            plan,
            state,
            seen: IdSet::default(),
            tokens: IdSet::default(),
            contents: Vec::new(),
            pages: Vec::new(),
            done: Vec::new(),
            listed_sets: Vec::new(),
            known_sets: None,
            open: None,
            calls: 0,
            why: WaitReason::Pace,
            unsaved: false,
            replayed: Vec::new(),
            proof: None,
            resumable: false,
            tries: 0,
            resumed: None,
        }
    }

    /// The next step. It is repeated until it was done.
    pub fn poll(&mut self, now: Moment) -> Output {
        loop {
            if self.unsaved {
                self.unsaved = false;
                return Output::Save(Box::new(self.state.clone()));
            }
            if let Some(proof) = &self.proof {
                return Output::Done(proof.clone());
            }
            if let Some(scope) = &self.state.comparing {
                return Output::Compare(scope.clone());
            }
            if self.state.asks_owed {
                return Output::Owed;
            }
            if self.state.current.is_none() && !self.next_task(now) {
                if !self.state.asks_owed {
                    self.finish(now);
                }
                continue;
            }
            if self.calls == 0 && self.is_long(self.not_before.since(now)) {
                let (why, until) = (why::Why::HostWaits.note(Code::OAI_63), self.not_before);
                self.state.retry_at = Some(until);
                self.later(now, &why, Some(until));
                continue;
            }
            if self.open.is_none() && now < self.not_before {
                return Output::Wait { until: self.not_before, why: self.why };
            }
            if let Some(call) = self.call(now) {
                return Output::Call(call);
            }
        }
    }

    /// Returns the open call, opening it if necessary.
    fn call(&mut self, now: Moment) -> Option<Call> {
        if self.open.is_none() {
            self.calls = self.calls.saturating_add(1);
            self.state.requests = self.state.requests.saturating_add(1);
            self.open = Some(Open { id: self.calls, started: now });
        }
        let current = self.state.current.as_ref()?;
        let request = current.request();
        let url = request.url(&self.plan.base_url);
        let is_form = self.plan.post || url.len() > LONGEST_URL;
        let (url, form) = match is_form {
            true => (self.plan.base_url.split('#').next().unwrap_or_default().into(), Some(request.query())),
            false => (url, None),
        };
        let task = &current.task;
        let (purpose, prefix, set) = (task.purpose, task.prefix.clone(), task.set.clone());
        Some(Call { id: self.calls, request, purpose, prefix, set, url, form })
    }

    /// A reader for the response to the open call.
    pub fn answer(&self, now: Moment, head: ResponseHead) -> Answer {
        let current = self.state.current.as_ref();
        let facts = self.state.facts.as_ref();
        Answer::new(
            Context {
                call: self.open.as_ref().map_or(0, |open| open.id),
                task: current.map_or(Task::new(Purpose::Identify, Verb::Identify), |current| current.task.clone()),
                is_first: current.is_none_or(|current| current.token.is_none()),
                key: self.key,
                earliest: facts.and_then(|facts| facts.earliest_datestamp),
                announces_deletions: facts.and_then(|facts| facts.deleted_record) != Some(DeletedRecord::No),
                sets: self.known_sets.clone(),
                repair: self.plan.repair,
                page_bytes: self.plan.limits.oai_page_bytes,
                token_bytes: self.plan.limits.oai_token_bytes,
                now: now.unix(),
            },
            head,
            &self.plan.limits,
        )
    }

    /// Processes an event.
    pub fn handle(&mut self, now: Moment, event: Event) -> Handled {
        let mut handled = Handled::default();
        match event {
            Event::Compared(comparison) => self.compared(&comparison, &mut handled),
            Event::Owed(owed) => self.owes(owed),
            _ if self.open.is_none() || self.state.current.is_none() => {}
            Event::Answered(answered) => {
                let open = self.open.take();
                if open.as_ref().map(|open| open.id) == Some(answered.call) {
                    self.pace(now, &answered.head, answered.retry_after);
                    let ms = open.map_or(0, |open| now.since(open.started));
                    self.answered(now, *answered, ms, &mut handled);
                }
            }
            Event::Failed { why, reason, received } => {
                self.open = None;
                self.not_before = now.plus_millis(self.plan.delay);
                self.why = WaitReason::Pace;
                self.failed(now, why, reason, received, &mut handled);
            }
        }
        handled
    }

    /// Ends the run; a later one continues from here.
    pub fn interrupt(&mut self, now: Moment) {
        if self.proof.is_none() {
            self.open = None;
            self.leave(now, Ended::Later, None, None);
        }
    }

    /// The checkpoint at the end of a run; `None` if nothing is left to do.
    pub fn checkpoint(&self) -> Option<Checkpoint> {
        (self.proof.is_some() && self.resumable).then(|| self.state.clone())
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The current list and its progress: items so far, and the declared total.
    pub fn progress(&self) -> Option<(&Task, u64, Option<u64>)> {
        let current = self.state.current.as_ref()?;
        Some((&current.task, current.delivered, current.declared))
    }

    /// When the next request to the host is due, of this or of another harvest: after the pause between requests, and after a wait that the
    /// server requested. How patient this one is with a repository that fails does not matter to the others of its host.
    pub fn not_before(&self, now: Moment) -> Moment {
        let is_pause = matches!(self.why, WaitReason::Pace | WaitReason::RetryAfter);
        let pause = if is_pause { self.not_before } else { self.not_before.min(now.plus_millis(self.plan.delay)) };
        pause.max(self.asked)
    }

    /// The description of the repository, once received.
    pub fn facts(&self) -> Option<&Facts> {
        self.state.facts.as_ref()
    }
}
