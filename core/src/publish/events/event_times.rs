//! The times of stated changes: to the millisecond, after the last publication, and not in the future.

use alloc::{format, string::ToString};

use crate::{
    publish::{MomentError, RunMoment},
    value::Datetime,
};

/// Milliseconds that the clock may be behind the last publication without a warning.
const TOLERANCE: i64 = 2_000;

/// Determines the times of the changes of a publication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventTimes {
    earliest: i64,
    latest: i64,
    clamped: u64,
    /// True if other times are replaced with that of the publication.
    is_lenient: bool,
}

fn milliseconds(datetime: &Datetime) -> i64 {
    let (seconds, nanoseconds) = datetime.to_unix();
    seconds.saturating_mul(1_000).saturating_add(i64::from(nanoseconds / 1_000_000))
}

/// With three digits, or none for a whole second.
fn datetime(milliseconds: i64) -> Result<Datetime, MomentError> {
    let (seconds, rest) = (milliseconds.div_euclid(1_000), milliseconds.rem_euclid(1_000));
    let whole = Datetime::from_unix(seconds, 0).ok_or(MomentError::Beyond)?;
    if rest == 0 {
        return Ok(whole);
    }
    let text = whole.to_string();
    format!("{}.{rest:03}Z", text.trim_end_matches('Z')).parse().map_err(|_| MomentError::Beyond)
}

impl EventTimes {
    /// The times of a publication after the one at `past`. `now` is in milliseconds since 1970; `at` replaces it. If the clock is far
    /// behind, the changes get the first time after that publication.
    ///
    /// # Errors
    ///
    /// If the configured time is not later than the last publication.
    pub fn new(
        at: Option<&Datetime>,
        past: Option<&Datetime>,
        now: i64,
    ) -> Result<(EventTimes, RunMoment), MomentError> {
        let earliest = past.map_or(i64::MIN, |past| milliseconds(past).saturating_add(1));
        let now = match at {
            Some(at) if milliseconds(at) < earliest => return Err(MomentError::NotLater),
            Some(at) => milliseconds(at),
            None => now,
        };
        let latest = now.max(earliest);
        let moment = datetime(latest)?;
        let is_behind = now.saturating_add(TOLERANCE) < earliest;
        let moment = if is_behind { RunMoment::ClockBehind(moment) } else { RunMoment::Now(moment) };
        Ok((EventTimes { earliest, latest, clamped: 0, is_lenient: false }, moment))
    }

    /// A time before the last publication or in the future is replaced with that of this one, and not counted: for changes that are learnt
    /// of late.
    #[must_use]
    pub fn leniently(self) -> EventTimes {
        EventTimes { is_lenient: true, ..self }
    }

    /// The time of a change: as stated if that is after the last publication and not in the future, otherwise the nearest time that is.
    ///
    /// # Errors
    ///
    /// If the clock is beyond the year 9999.
    pub fn of(&mut self, stated: Option<&Datetime>) -> Result<Datetime, MomentError> {
        let Some(stated) = stated.map(milliseconds) else { return datetime(self.latest) };
        let own = stated.clamp(self.earliest, self.latest);
        if own != stated && self.is_lenient {
            return datetime(self.latest);
        }
        if own != stated {
            self.clamped = self.clamped.saturating_add(1);
        }
        datetime(own)
    }

    /// The number of changes whose stated time was replaced.
    #[must_use]
    pub fn clamped(&self) -> u64 {
        self.clamped
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_after_the_last_publication_and_not_in_the_future() {
        let past = "2024-05-01T00:00:10Z".parse().unwrap();
        let now = milliseconds(&past) + 1_500;
        let (mut times, moment) = EventTimes::new(None, Some(&past), now).unwrap();
        assert_eq!(moment, RunMoment::Now("2024-05-01T00:00:11.500Z".parse().unwrap()));
        let mut of = |stated: &str| {
            let stated = (!stated.is_empty()).then(|| stated.parse().unwrap());
            times.of(stated.as_ref()).unwrap().to_string()
        };
        assert_eq!(of(""), "2024-05-01T00:00:11.500Z");
        assert_eq!(of("2024-05-01T02:00:11+02:00"), "2024-05-01T00:00:11Z");
        assert_eq!(of("2024-05-01T00:00:11.0519Z"), "2024-05-01T00:00:11.051Z");
        assert_eq!(of("2024-05-01T00:00:10Z"), "2024-05-01T00:00:10.001Z");
        assert_eq!(of("2024-05-02"), "2024-05-01T00:00:11.500Z");
        assert_eq!(times.clamped(), 2);
    }

    #[test]
    fn a_change_that_is_learnt_of_late_has_the_time_of_its_publication() {
        let past = "2024-05-01T00:00:10Z".parse().unwrap();
        let (times, _) = EventTimes::new(None, Some(&past), milliseconds(&past) + 5_000).unwrap();
        let mut times = times.leniently();
        let mut of = |stated: &str| times.of(Some(&stated.parse().unwrap())).unwrap().to_string();
        assert_eq!(of("2024-05-01T00:00:10Z"), "2024-05-01T00:00:15Z");
        assert_eq!(of("2024-05-01T00:00:11Z"), "2024-05-01T00:00:11Z");
        assert_eq!(of("2025"), "2024-05-01T00:00:15Z");
        assert_eq!(times.clamped(), 0);
    }

    #[test]
    fn a_clock_that_is_behind_does_not_stop_a_publication() {
        let past: Datetime = "2024-05-01T00:00:10.999Z".parse().unwrap();
        let next = "2024-05-01T00:00:11Z".parse().unwrap();
        let of = |now| EventTimes::new(None, Some(&past), now).unwrap().1;
        assert_eq!(of(milliseconds(&past)), RunMoment::Now(Datetime::clone(&next)));
        assert_eq!(of(0), RunMoment::ClockBehind(next));
        assert_eq!(EventTimes::new(Some(&past), Some(&past), 0), Err(MomentError::NotLater));
    }
}
