//! The time of a run and of changes.

use std::{
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use resourcesync::{
    build,
    value::{Change as Verb, Datetime},
};

use super::{Error, Event, OnEvent, Record, Warning};
use crate::cancel::Cancel;

/// The interval between checks of the clock.
const PAUSE: Duration = Duration::from_millis(20);

/// The times of the previous and of this run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Times<'a> {
    pub(crate) before: Option<&'a Datetime>,
    pub(crate) now: &'a Datetime,
}

/// Maximum seconds that a run waits for the clock.
const PATIENCE: i64 = 2;

/// The time of a run: now, unless configured; always after the previous run. A run in the same second waits for the next second, so that
/// nothing is published with a future time.
pub(crate) fn run_moment(
    at: Option<Datetime>,
    past: Option<&Datetime>,
    cancel: &Cancel,
    event: OnEvent<'_>,
) -> Result<Datetime, Error> {
    let earliest = past.map_or(i64::MIN, |past| past.to_unix().0.saturating_add(1));
    let seconds = match at {
        Some(at) if at.to_unix().0 < earliest => return Err("--at must be later than the previous run".into()),
        Some(at) => at.to_unix().0,
        None => loop {
            let now = now();
            if now >= earliest || now.saturating_add(PATIENCE) < earliest {
                break now;
            }
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            thread::sleep(PAUSE);
        },
    };
    if let Some(past) = past.filter(|_| seconds < earliest) {
        event(Event::Warning(&Warning::ClockBehind { past: past.clone() }));
    }
    Datetime::from_unix(seconds.max(earliest), 0).ok_or_else(|| "the clock is beyond the year 9999".into())
}

/// Seconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// The time of a change, as exactly as known, see [`build::change_moment`].
#[must_use]
pub fn change_moment(record: &Record, verb: &Verb, before: Option<&Datetime>, now: &Datetime) -> String {
    build::change_moment(record.lastmod.as_deref(), verb, before, now).to_string()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_run_after_one_of_the_future_says_how_to_get_back() {
        let past: Datetime = "2999-01-01T00:00:00Z".parse().unwrap();
        let mut warnings = Vec::new();
        let moment = run_moment(None, Some(&past), &Cancel::default(), &mut |event| {
            if let Event::Warning(warning) = event {
                warnings.push(warning.to_string());
            }
        });
        assert_eq!(moment.unwrap().to_string(), "2999-01-01T00:00:01Z");
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].contains("2999-01-01T00:00:00Z") && warnings[0].contains("delete"), "{warnings:?}");
    }
}
