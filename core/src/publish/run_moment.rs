//! The time of a run.

use core::fmt;

use crate::value::Datetime;

/// Maximum seconds that a run waits for the clock.
const PATIENCE: i64 = 2;

/// The time of a run, or why it has none yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunMoment {
    /// It starts now.
    Now(Datetime),
    /// The previous run was in this second, or will have been in the next: nothing is published with a future time, so wait.
    Wait,
    /// The clock is earlier than the previous run by far: this is one second after that run.
    ClockBehind(Datetime),
}

/// Why a run has no time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MomentError {
    /// The configured time is not later than the previous run.
    NotLater,
    /// The clock is beyond the year 9999.
    Beyond,
}

impl fmt::Display for MomentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MomentError::NotLater => "the time of the run must be later than the previous run",
            MomentError::Beyond => "the clock is beyond the year 9999",
        })
    }
}

impl core::error::Error for MomentError {}

/// The time of a run: now, unless configured; always after the previous run. `now` is in seconds since 1970.
///
/// # Errors
///
/// If there is none.
pub fn run_moment(at: Option<&Datetime>, past: Option<&Datetime>, now: i64) -> Result<RunMoment, MomentError> {
    let earliest = past.map_or(i64::MIN, |past| past.to_unix().0.saturating_add(1));
    let moment = |seconds| Datetime::from_unix(seconds, 0).ok_or(MomentError::Beyond);
    match at {
        Some(at) if at.to_unix().0 < earliest => Err(MomentError::NotLater),
        Some(at) => moment(at.to_unix().0).map(RunMoment::Now),
        None if now >= earliest => moment(now).map(RunMoment::Now),
        None if now.saturating_add(PATIENCE) < earliest => moment(earliest).map(RunMoment::ClockBehind),
        None => Ok(RunMoment::Wait),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use alloc::{
        format,
        string::{String, ToString},
    };

    use super::*;

    #[test]
    fn a_run_is_after_the_one_before_it() {
        let past: Datetime = "2024-05-01T00:00:10Z".parse().unwrap();
        let (second, at) = (past.to_unix().0, |second: &str| format!("2024-05-01T00:00:{second}Z").parse().unwrap());
        let of = |at: Option<Datetime>, now| match run_moment(at.as_ref(), Some(&past), now) {
            Ok(RunMoment::Now(moment)) => format!("now {moment}"),
            Ok(RunMoment::Wait) => String::from("wait"),
            Ok(RunMoment::ClockBehind(moment)) => format!("behind {moment}"),
            Err(error) => error.to_string(),
        };
        assert_eq!(of(None, second + 5), "now 2024-05-01T00:00:15Z");
        assert_eq!([of(None, second), of(None, second - 1)], ["wait", "wait"]);
        assert_eq!(of(None, second - 2), "behind 2024-05-01T00:00:11Z");
        assert_eq!(of(Some(at("11")), 0), "now 2024-05-01T00:00:11Z");
        assert!(of(Some(at("10")), 0).ends_with("later than the previous run"));
    }
}
