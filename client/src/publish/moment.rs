//! The time of a run.

use std::{
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use resourcesync::{
    publish::{self, EventTimes, MomentError, RunMoment},
    value::Datetime,
};

use super::{Error, Event, OnEvent, Warning};
use crate::cancel::Cancel;

/// The interval between checks of the clock.
const PAUSE: Duration = Duration::from_millis(20);

/// The times of the previous and of this run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Times<'a> {
    pub(crate) before: Option<&'a Datetime>,
    pub(crate) now: &'a Datetime,
}

/// The time of a run: now, unless configured; always after the previous run. A run in the same second waits for the next second, so that
/// nothing is published with a future time.
pub(crate) fn run_moment(
    at: Option<&Datetime>,
    past: Option<&Datetime>,
    cancel: &Cancel,
    event: OnEvent<'_>,
) -> Result<Datetime, Error> {
    loop {
        match publish::run_moment(at, past, now()) {
            Ok(RunMoment::Now(moment)) => return Ok(moment),
            Ok(RunMoment::ClockBehind(moment)) => {
                if let Some(past) = past.cloned() {
                    event(Event::Warning(&Warning::ClockBehind { past }));
                }
                return Ok(moment);
            }
            Ok(RunMoment::Wait) if cancel.is_cancelled() => return Err(Error::Cancelled),
            Ok(RunMoment::Wait) => thread::sleep(PAUSE),
            Err(MomentError::NotLater) => return Err("--at must be later than the previous run".into()),
            Err(error) => return Err(Error::new(error.to_string())),
        }
    }
}

/// The times of stated changes, after the previous publication, and that of the publication.
pub(crate) fn event_times(
    at: Option<&Datetime>,
    past: Option<&Datetime>,
    event: OnEvent<'_>,
) -> Result<(EventTimes, Datetime), Error> {
    match EventTimes::new(at, past, milliseconds()) {
        Ok((times, RunMoment::ClockBehind(moment))) => {
            if let Some(past) = past.cloned() {
                event(Event::Warning(&Warning::ClockBehind { past }));
            }
            Ok((times, moment))
        }
        Ok((times, RunMoment::Now(moment))) => Ok((times, moment)),
        Ok((_, RunMoment::Wait)) | Err(MomentError::NotLater) => Err("--at must be later than the previous run".into()),
        Err(error) => Err(Error::new(error.to_string())),
    }
}

/// The time of an event that happens now.
pub(crate) fn event_moment() -> Result<Datetime, Error> {
    match EventTimes::new(None, None, milliseconds()) {
        Ok((mut times, _)) => times.of(None).map_err(|error| Error::new(error.to_string())),
        Err(error) => Err(Error::new(error.to_string())),
    }
}

/// Seconds since 1970.
fn now() -> i64 {
    milliseconds().div_euclid(1_000)
}

/// Milliseconds since 1970.
fn milliseconds() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
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
