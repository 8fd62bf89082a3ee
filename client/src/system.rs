//! The errors of the system as reasons, the same on every platform where possible; and random numbers.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hasher},
    io,
};

use resourcesync::{
    diagnostic::{Reason, ReasonCode},
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

/// The reason of a system error.
///
/// ```
/// let error = std::fs::File::open("no such file").unwrap_err();
/// assert_eq!(resourcesync_client::reason(&error).to_string(), "no such file or folder");
/// ```
#[must_use]
pub fn reason(error: &io::Error) -> Reason {
    let code = match error.kind() {
        io::ErrorKind::NotFound => ReasonCode::NoSuchPath,
        io::ErrorKind::PermissionDenied => ReasonCode::PermissionDenied,
        io::ErrorKind::IsADirectory => ReasonCode::IsFolder,
        io::ErrorKind::NotADirectory => ReasonCode::NotFolder,
        io::ErrorKind::StorageFull => ReasonCode::NoSpace,
        io::ErrorKind::QuotaExceeded => ReasonCode::Quota,
        io::ErrorKind::ReadOnlyFilesystem => ReasonCode::ReadOnly,
        io::ErrorKind::InvalidFilename => ReasonCode::InvalidFileName,
        _ => {
            let text = error.to_string();
            let end = text.rfind(" (os error ").unwrap_or(text.len());
            return Reason::other(text.get(..end).unwrap_or(&text));
        }
    };
    Reason::new(code)
}
