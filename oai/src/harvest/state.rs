//! The checkpoint of a harvest, from which a later run continues, as a plain value.

use alloc::{
    collections::VecDeque,
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};

use super::{
    moment::Moment,
    notes::Notes,
    plan::{Owed, Window},
    proof::{Ended, Facts, Reconciliation, SequenceProof},
    task::Task,
};
use crate::{
    request::Request,
    stamp::{Granularity, Stamp},
};

/// The checkpoint of a harvest. It stays small, since identifiers and pages are in the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checkpoint {
    /// `resourcesync-oai-state`
    pub format: String,
    /// 1
    pub format_version: u32,
    /// The base URL; a checkpoint belongs to one repository.
    pub base_url: String,
    /// The last datestamp that was requested: that of the run that began the harvest counts.
    #[serde(default)]
    pub(super) until: Option<Stamp>,
    pub(super) stage: Stage,
    pub(super) facts: Option<Facts>,
    pub(super) formats: Vec<String>,
    pub(super) queue: VecDeque<Queued>,
    pub(super) current: Option<Sequence>,
    /// Lists begun so far.
    pub(super) begun: u32,
    pub(super) lists: Vec<List>,
    /// Lists to be compared.
    pub(super) comparing: Option<Scope>,
    pub(super) confirming: Option<Confirming>,
    pub(super) reconciled: Vec<Reconciliation>,
    pub(super) reasons: Notes,
    pub(super) notes: Notes,
    pub(super) status: super::proof::Status,
    pub(super) started: Moment,
    pub(super) requests: u64,
    /// Milliseconds spent waiting.
    pub(super) waited: u64,
    pub(super) quarantined: u64,
    pub(super) quarantined_bytes: u64,
    /// Damaged headers in lists of identifiers.
    #[serde(default)]
    pub(super) damaged_headers: u64,
    /// The driver is asked what is owed.
    #[serde(default)]
    pub(super) asks_owed: bool,
    /// `GetRecord` requests for records that are owed.
    #[serde(default)]
    pub(super) owed_requests: u32,
    /// Records that are listed and not held, still to be fetched.
    #[serde(default)]
    pub(super) lacking: Vec<Owed>,
    /// What is owed, as the driver knows it; `None` if it was not asked, or has no store.
    #[serde(default)]
    pub(super) owed: Option<Vec<Owed>>,
    /// The server requested that no request is sent before this moment.
    #[serde(default)]
    pub(super) retry_at: Option<Moment>,
}

/// The purpose of the lists in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Stage {
    /// To determine how to harvest.
    Opening,
    /// The requested lists.
    Listing,
    /// To find records that are no longer listed, and those that are listed and not held.
    Reconciling,
    /// To request the records that earlier harvests owe.
    Settling,
    /// To determine what is still owed.
    Tallying,
    /// Nothing is left to do.
    Over,
}

/// A queued task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Queued {
    #[serde(flatten)]
    pub(super) task: Task,
    /// Set if it is split into such intervals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) by: Option<Unit>,
}

/// The length of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Unit {
    Year,
    Month,
    Week,
    Day,
    Hour,
}

impl Unit {
    pub(super) fn of(window: Window) -> Option<Unit> {
        match window {
            Window::Auto | Window::None => None,
            Window::Year => Some(Unit::Year),
            Window::Month => Some(Unit::Month),
            Window::Week => Some(Unit::Week),
            Window::Day => Some(Unit::Day),
            Window::Hour => Some(Unit::Hour),
        }
    }
}

/// The records of one format and set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct List {
    pub(super) prefix: String,
    pub(super) set: Option<String>,
    /// A part of it did not end, or is contradicted.
    pub(super) failed: bool,
    /// A part of the list of its identifiers did not end, or is contradicted.
    #[serde(default)]
    pub(super) unusable: bool,
    /// What is held was compared with that list, and is settled.
    #[serde(default)]
    pub(super) reconciled: bool,
    /// Records that are listed and not held, besides those in [`Checkpoint::lacking`].
    #[serde(default)]
    pub(super) lacking: u64,
    /// A record without a readable identifier was damaged.
    #[serde(default)]
    pub(super) has_unnamed: bool,
    /// The server time of the first page, in seconds since 1970.
    pub(super) first_response: Option<i64>,
    /// Milliseconds of the first request.
    pub(super) first_ms: u64,
    /// The latest datestamp.
    pub(super) latest: Option<i64>,
    /// The clock of the server is before the start of this harvest, so that what lies before it is requested as well.
    #[serde(default)]
    pub(super) is_set_back: bool,
}

/// The list that is being requested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sequence {
    /// Its number in the run.
    pub(super) number: u32,
    pub(super) task: Task,
    /// The token of the next page; none for the first.
    pub(super) token: Option<String>,
    /// When that token expires by the server's clock, in seconds since 1970.
    pub(super) token_expires: Option<i64>,
    /// Complete pages so far.
    pub(super) pages: u64,
    pub(super) attempt: u32,
    pub(super) first_response_date: Option<String>,
    pub(super) declared: Option<u64>,
    pub(super) delivered: u64,
    pub(super) distinct: u64,
    pub(super) repeated: u64,
    /// Distinct items that do not belong to it.
    #[serde(default)]
    pub(super) outside: u64,
    pub(super) deleted: u64,
    pub(super) quarantined: u64,
    /// Headers with and without sets, of a list by set.
    #[serde(default)]
    pub(super) with_set: u64,
    #[serde(default)]
    pub(super) without_set: u64,
    #[serde(default)]
    pub(super) repaired: u64,
    /// Consecutive pages without new items.
    pub(super) barren: u32,
    /// Consecutive pages with a repeated token.
    pub(super) constant: u32,
    /// A request with a token was sent again: a server that keeps the position itself may have moved on.
    #[serde(default)]
    pub(super) is_doubtful: bool,
    /// No request is under way: the run ended between two pages.
    #[serde(default)]
    pub(super) is_at_rest: bool,
    pub(super) timeouts: u32,
    /// Server errors after the first page.
    pub(super) late_errors: u32,
    /// Dates were rejected, and are sent as days, or not at all.
    pub(super) degraded: u8,
    /// The retries of the current page.
    #[serde(skip)]
    pub(super) page: PageTries,
}

/// The failed attempts for a page, by cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PageTries {
    pub(super) all: u32,
    pub(super) nothing: u32,
    pub(super) part: u32,
    pub(super) empty: u32,
    pub(super) cut: u32,
    /// Without items and without a token.
    pub(super) bare: u32,
    pub(super) server: u32,
    pub(super) unavailable: u32,
}

/// Whether records that are no longer listed exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Confirming {
    pub(super) prefix: String,
    pub(super) set: Option<String>,
    pub(super) before: i64,
    pub(super) missing: u64,
    pub(super) total: u64,
    #[serde(default)]
    pub(super) lacking: u64,
    /// Still to be requested.
    pub(super) left: u32,
    /// Requested, in all.
    #[serde(default)]
    pub(super) asked: u32,
    pub(super) gone: u64,
    pub(super) left_set: u64,
    /// One that exists.
    pub(super) contradicted: Option<String>,
}

impl Checkpoint {
    pub(super) fn new(base_url: &str, now: Moment) -> Checkpoint {
        Checkpoint {
            format: "resourcesync-oai-state".to_string(),
            format_version: 1,
            base_url: base_url.into(),
            until: None,
            stage: Stage::Opening,
            facts: None,
            formats: Vec::new(),
            queue: VecDeque::new(),
            current: None,
            begun: 0,
            lists: Vec::new(),
            comparing: None,
            confirming: None,
            reconciled: Vec::new(),
            reasons: Notes::default(),
            notes: Notes::default(),
            status: super::proof::Status::Complete,
            started: now,
            requests: 0,
            waited: 0,
            quarantined: 0,
            quarantined_bytes: 0,
            damaged_headers: 0,
            asks_owed: false,
            owed_requests: 0,
            lacking: Vec::new(),
            owed: None,
            retry_at: None,
        }
    }

    pub(super) fn list(&mut self, task: &Task) -> Option<&mut List> {
        let own = |list: &&mut List| Some(&list.prefix) == task.prefix.as_ref() && list.set == task.set;
        self.lists.iter_mut().find(own)
    }

    /// The granularity in which dates are sent.
    pub(super) fn sendable(&self) -> Granularity {
        self.facts.as_ref().map_or(Granularity::Day, Facts::sendable)
    }
}

impl Sequence {
    pub(super) fn new(number: u32, task: Task) -> Sequence {
        Sequence {
            number,
            task,
            token: None,
            token_expires: None,
            pages: 0,
            attempt: 1,
            first_response_date: None,
            declared: None,
            delivered: 0,
            distinct: 0,
            repeated: 0,
            outside: 0,
            deleted: 0,
            quarantined: 0,
            with_set: 0,
            without_set: 0,
            repaired: 0,
            barren: 0,
            constant: 0,
            is_doubtful: false,
            is_at_rest: false,
            timeouts: 0,
            late_errors: 0,
            degraded: 0,
            page: PageTries::default(),
        }
    }

    /// The next request.
    pub(super) fn request(&self) -> Request {
        match &self.token {
            Some(token) => Request::resume(self.task.verb, token),
            None => self.task.request(),
        }
    }

    /// Restarts the list, keeping the counts of its failures.
    pub(super) fn restart(&mut self) {
        *self = Sequence {
            attempt: self.attempt.saturating_add(1),
            timeouts: self.timeouts,
            late_errors: self.late_errors,
            degraded: self.degraded,
            ..Sequence::new(self.number, self.task.clone())
        };
    }

    pub(super) fn proof(&self, ended: Ended) -> SequenceProof {
        SequenceProof {
            task: self.task.clone(),
            first_response_date: self.first_response_date.clone(),
            ended,
            attempts: self.attempt,
            declared: self.declared,
            delivered: self.delivered,
            distinct: self.distinct,
            repeated: self.repeated,
            outside: self.outside,
            deleted: self.deleted,
            quarantined: self.quarantined,
            repaired: self.repaired,
            pages: Vec::new(),
        }
    }

    /// Sends dates as days, then no dates. False if neither is left.
    pub(super) fn degrade(&mut self, may_drop: bool) -> bool {
        let stamps = [self.task.from, self.task.until];
        let has_seconds = stamps.iter().flatten().any(|stamp| stamp.granularity() == Granularity::Second);
        if has_seconds {
            let days = |stamp: Option<Stamp>| stamp.map(|stamp| stamp.to(Granularity::Day));
            (self.task.from, self.task.until) = (days(self.task.from), days(self.task.until));
        } else if may_drop && stamps.iter().flatten().next().is_some() {
            (self.task.from, self.task.until) = (None, None);
        } else {
            return false;
        }
        self.degraded = self.degraded.saturating_add(1);
        true
    }
}

/// The records to compare with a list of identifiers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// The format.
    pub prefix: String,
    /// The set.
    pub set: Option<String>,
    /// Changed in or after this second since 1970, if only later records are harvested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<i64>,
    /// Changed before this second since 1970, when the list began.
    pub before: i64,
    /// The number of missing records to name, spread evenly.
    pub sample: u32,
    /// The number of listed records to name that are not held.
    #[serde(default)]
    pub wanted: u32,
}
