//! What the system gives: errors as reasons, and random numbers.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hasher},
    io,
};

use resourcesync::{
    diagnostic::Reason,
    report::{Report, Status},
};

use crate::cancel::Cancel;

/// A random number, for the seed of the options of a run.
#[must_use]
pub fn seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Names the limit in the report of a run that ended at its deadline. The core knows only that it was interrupted.
pub(crate) fn name_limit(report: &mut Report, cancel: &Cancel) {
    if report.run.status != Status::Completed && cancel.is_expired() {
        report.run.stopped_by = Some("max-time".to_owned());
    }
}

/// The reason of an error of the system.
#[must_use]
pub fn reason(error: &io::Error) -> Reason {
    Reason::from(error)
}
