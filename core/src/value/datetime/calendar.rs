//! Days and times of day as numbers.

use chrono::{Datelike, NaiveDate};

/// Days from 0000-01-01 to 0001-01-01 in chrono's count, in which 0001-01-01 is day 1.
pub(super) const YEAR_ZERO_FROM_CE: i32 = -365;

pub(super) fn days(year: u32, month: u32, day: u32) -> Option<i64> {
    let year = i32::try_from(year).ok().filter(|year| *year <= 9999)?;
    let date = NaiveDate::from_ymd_opt(year, month, day)?;
    Some(i64::from(date.num_days_from_ce().checked_sub(YEAR_ZERO_FROM_CE)?))
}

/// Days from 0000-01-01 without a date of chrono in between, which takes several times as long; `None` if there is no such day.
pub(super) fn days_of(year: u32, month: u32, day: u32) -> Option<i64> {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let in_month = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28_u32.saturating_add(is_leap.into()),
        _ => return None,
    };
    if day == 0 || day > in_month || year > 9999 {
        return None;
    }
    // Years that begin in March, so that a leap day is the last of its year; of the one before year 0, it is taken as the year 400.
    let (years, months) =
        if month > 2 { (year, month.wrapping_sub(3)) } else { (year.wrapping_add(399), month.wrapping_add(9)) };
    let leap_days = (years / 4).wrapping_sub(years / 100).wrapping_add(years / 400);
    let before =
        years.wrapping_mul(365).wrapping_add(leap_days).wrapping_add(months.wrapping_mul(153).wrapping_add(2) / 5);
    let days = i64::from(before).wrapping_add(i64::from(day)).wrapping_add(59);
    Some(if month > 2 { days } else { days.wrapping_sub(DAYS_IN_400_YEARS) })
}

/// Days of a cycle of the Gregorian calendar.
const DAYS_IN_400_YEARS: i64 = 146_097;

pub(super) fn time_of_day(hour: u32, minute: u32, second: u32) -> Option<i64> {
    (hour < 24 && minute < 60 && second < 60).then(|| {
        let minutes = i64::from(hour).saturating_mul(60).saturating_add(minute.into());
        minutes.saturating_mul(60).saturating_add(second.into())
    })
}
