//! The reasons for a run on the copy, and what it has to reach.

use alloc::collections::BTreeSet;

use resourcesync::value::Datetime;

use super::messages::{RunOutcome, RunResult, Trigger};
use crate::{payload::Channel, subscriber::Notice};

/// What a run is needed for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Need {
    pub(super) why: BTreeSet<Trigger>,
    /// The datetime of the last announced change.
    until: Option<Datetime>,
    /// Earlier attempts.
    attempts: usize,
    /// The copy may lack changes until then, so that later ones must not be applied before.
    is_ahead: bool,
}

impl Need {
    pub(super) fn of(why: Trigger) -> Need {
        // Documents are read again because they say more than before: no change of a resource is missing because of that.
        let is_ahead = why != Trigger::Reread;
        Need { why: BTreeSet::from([why]), until: None, attempts: 0, is_ahead }
    }

    pub(super) fn notified(notice: &Notice) -> Need {
        // A Framework Notification has no changes of resources.
        let is_ahead = notice.payload.channel() == Channel::ChangeNotification;
        Need { until: notice.changes.last().cloned(), is_ahead, ..Need::of(Trigger::Notified) }
    }

    /// True if changes must not be applied before it is met.
    pub(super) fn is_ahead(&self) -> bool {
        self.is_ahead
    }

    /// Earlier attempts.
    pub(super) fn attempts(&self) -> usize {
        self.attempts
    }

    /// The same after one more attempt.
    pub(super) fn again(self) -> Need {
        Need { attempts: self.attempts.saturating_add(1), ..self }
    }

    /// Adds a newer need, which is none of a retry.
    pub(super) fn merge(&mut self, newer: Need) {
        self.why.extend(newer.why);
        if later(newer.until.as_ref(), self.until.as_ref()) {
            self.until = newer.until;
        }
        self.attempts = 0;
        self.is_ahead |= newer.is_ahead;
    }

    /// True if a run has everything that is needed.
    pub(super) fn is_met(&self, result: &RunResult) -> bool {
        let is_reached = result.as_of.is_none() || !later(self.until.as_ref(), result.as_of.as_ref());
        result.outcome == RunOutcome::InStep && is_reached
    }

    /// True if nothing announced a change.
    pub(super) fn is_poll(&self) -> bool {
        self.why.iter().all(|why| *why == Trigger::Safety)
    }
}

/// True if there is a datetime that is later than another one, if there is another.
fn later(one: Option<&Datetime>, other: Option<&Datetime>) -> bool {
    one.is_some_and(|one| other.is_none_or(|other| other.start() < one.start()))
}
