//! The clock of this machine.

use std::time::{SystemTime, UNIX_EPOCH};

use resourcesync::value::Datetime;

/// Seconds since 1970.
pub(super) fn seconds() -> i64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(elapsed.as_secs()).unwrap_or(i64::MAX)
}

/// The current time, as in the report.
pub(super) fn now() -> String {
    Datetime::from_unix(seconds(), 0).map(|now| now.to_string()).unwrap_or_default()
}
