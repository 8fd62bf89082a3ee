//! Decides whether the copy is in step; the only code that does.

use resourcesync::named_enum;
use serde::{Deserialize, Serialize};

use crate::guard::Withheld;

named_enum! {
    /// The outcome of a run, worst last.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Outcome {
        /// Every list was read, and every listed resource is stored and verified as far as the list allows.
        InStep = "in-step",
        /// A dry run: every list was read, and what a run would do is planned completely.
        Planned = "planned",
        /// Something failed, or was deferred, or could not be read.
        Incomplete = "incomplete",
        /// A guard prevented something that only the user can allow.
        Refused = "refused",
        /// Another run holds the lock.
        Locked = "locked",
        /// The run was stopped.
        Interrupted = "interrupted",
        /// The run could not continue.
        Failed = "failed",
    }
}

/// The input of the decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Facts {
    /// Every list was read to its end.
    pub lists_complete: bool,
    /// The lists are of one snapshot.
    pub one_snapshot: bool,
    /// Entries whose `loc` could not be read.
    pub unreadable_entries: u64,
    /// Resources that are listed but not stored as listed.
    pub debts: u64,
    /// Resources that were not attempted.
    pub left: u64,
    /// Resources that a dry run would fetch or delete.
    pub planned: u64,
    /// Foreign files in the way of resources.
    pub conflicts: u64,
    /// The newest list is older than the user allows.
    pub stale: bool,
    /// A list is older than one seen before.
    pub older: bool,
    /// Changes are missing that no list contains.
    pub gap: bool,
    /// Why deletions are withheld.
    pub withheld: Option<Withheld>,
    /// The user stopped the run.
    pub interrupted: bool,
    /// A system error made it impossible to continue.
    pub failed: bool,
}

/// The outcome of a run.
pub fn conclude(facts: &Facts) -> Outcome {
    let is_refused = facts.conflicts > 0 || facts.older || facts.withheld.is_some_and(Withheld::is_refusal);
    // The user requested to keep resources that are no longer listed.
    let is_withheld = facts.withheld.is_some_and(|why| why != Withheld::NotWanted);
    let is_whole = facts.lists_complete && facts.one_snapshot && facts.unreadable_entries == 0 && !facts.gap;
    if facts.failed {
        Outcome::Failed
    } else if facts.interrupted {
        Outcome::Interrupted
    } else if is_refused {
        Outcome::Refused
    } else if !is_whole || facts.debts > 0 || facts.left > 0 || facts.stale || is_withheld {
        Outcome::Incomplete
    } else if facts.planned > 0 {
        Outcome::Planned
    } else {
        Outcome::InStep
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: Facts = Facts {
        lists_complete: true,
        one_snapshot: true,
        unreadable_entries: 0,
        debts: 0,
        left: 0,
        planned: 0,
        conflicts: 0,
        stale: false,
        older: false,
        gap: false,
        withheld: None,
        interrupted: false,
        failed: false,
    };

    #[test]
    fn only_a_whole_run_is_in_step() {
        assert_eq!(conclude(&WHOLE), Outcome::InStep);
        assert_eq!(conclude(&Facts { withheld: Some(Withheld::NotWanted), ..WHOLE }), Outcome::InStep);
        let cases = [
            (Facts { lists_complete: false, ..WHOLE }, Outcome::Incomplete),
            (Facts { one_snapshot: false, ..WHOLE }, Outcome::Incomplete),
            (Facts { unreadable_entries: 1, ..WHOLE }, Outcome::Incomplete),
            (Facts { gap: true, ..WHOLE }, Outcome::Incomplete),
            (Facts { debts: 1, ..WHOLE }, Outcome::Incomplete),
            (Facts { left: 1, ..WHOLE }, Outcome::Incomplete),
            (Facts { stale: true, ..WHOLE }, Outcome::Incomplete),
            (Facts { planned: 1, ..WHOLE }, Outcome::Planned),
            (Facts { planned: 1, gap: true, ..WHOLE }, Outcome::Incomplete),
            (Facts { withheld: Some(Withheld::Failures), ..WHOLE }, Outcome::Incomplete),
            (Facts { withheld: Some(Withheld::TooMany), debts: 1, ..WHOLE }, Outcome::Refused),
            (Facts { conflicts: 1, ..WHOLE }, Outcome::Refused),
            (Facts { older: true, ..WHOLE }, Outcome::Refused),
            (Facts { interrupted: true, conflicts: 1, ..WHOLE }, Outcome::Interrupted),
            (Facts { failed: true, interrupted: true, ..WHOLE }, Outcome::Failed),
        ];
        for (facts, outcome) in cases {
            assert_eq!(conclude(&facts), outcome, "{facts:?}");
        }
    }

    #[test]
    fn names_are_those_of_json() {
        use Outcome::{Failed, InStep, Incomplete, Interrupted, Locked, Planned, Refused};
        for outcome in [InStep, Planned, Incomplete, Refused, Locked, Interrupted, Failed] {
            assert_eq!(serde_json::to_value(outcome).unwrap(), outcome.as_str());
        }
    }
}
