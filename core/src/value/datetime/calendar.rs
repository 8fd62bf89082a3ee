//! Days and times of day as numbers.

use chrono::{Datelike, NaiveDate};

/// Days from 0000-01-01 to 0001-01-01 in chrono's count, in which 0001-01-01 is day 1.
pub(super) const YEAR_ZERO_FROM_CE: i32 = -365;

pub(super) fn days(year: u32, month: u32, day: u32) -> Option<i64> {
    let year = i32::try_from(year).ok().filter(|year| *year <= 9999)?;
    let date = NaiveDate::from_ymd_opt(year, month, day)?;
    Some(i64::from(date.num_days_from_ce().checked_sub(YEAR_ZERO_FROM_CE)?))
}

pub(super) fn time_of_day(hour: u32, minute: u32, second: u32) -> Option<i64> {
    (hour < 24 && minute < 60 && second < 60).then(|| {
        let minutes = i64::from(hour).saturating_mul(60).saturating_add(minute.into());
        minutes.saturating_mul(60).saturating_add(second.into())
    })
}
