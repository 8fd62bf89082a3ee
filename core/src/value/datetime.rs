//! W3C Datetime: a date, or a date and a time with a time zone, in the precision as written.

mod calendar;
mod parse;
#[cfg(test)]
mod tests;

use alloc::{boxed::Box, string::String};
use core::{cmp::Ordering, fmt};

use chrono::{DateTime, Datelike, NaiveDate, Timelike};

use self::calendar::{YEAR_ZERO_FROM_CE, days, time_of_day};

use crate::named_enum;

/// The precision of a datetime.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precision {
    /// `YYYY`
    Year,
    /// `YYYY-MM`
    Month,
    /// `YYYY-MM-DD`
    Day,
    /// `YYYY-MM-DDThh:mm` and a time zone
    Minute,
    /// `YYYY-MM-DDThh:mm:ss` and a time zone
    Second,
    /// `YYYY-MM-DDThh:mm:ss.s` and a time zone
    Fraction,
}

/// A W3C Datetime (Z39.99-2017 §7).
///
/// Two datetimes are equal if their spelling is equal; use [`Datetime::start`] to compare moments.
///
/// ```
/// use resourcesync::value::Datetime;
/// let tokyo: Datetime = "2013-01-03T09:00:00+09:00".parse()?;
/// let utc: Datetime = "2013-01-03T00:00:00Z".parse()?;
/// assert_eq!(tokyo.start(), utc.start());
/// # Ok::<(), resourcesync::value::DatetimeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Datetime {
    /// Seconds since 0000-01-01T00:00:00 of the date and time as written.
    local: i64,
    /// Minutes east of UTC.
    offset: i16,
    zone: Zone,
    precision: Precision,
    fraction: Fraction,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Zone {
    None,
    Zulu,
    Plus,
    Minus,
}

/// Digits of the fraction. Up to eighteen fit in a number; more are kept as text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Fraction {
    Short { value: u64, digits: u8 },
    Long(Box<str>),
}

const NO_FRACTION: Fraction = Fraction::Short { value: 0, digits: 0 };
const DAY: i64 = 86_400;

impl Datetime {
    /// A moment in UTC to the second; `None` if a part is out of range.
    pub fn utc(year: u16, month: u8, day: u8, hour: u8, minute: u8, second: u8) -> Option<Datetime> {
        let days = days(year.into(), month.into(), day.into())?;
        let time = time_of_day(hour.into(), minute.into(), second.into())?;
        let local = days.checked_mul(DAY)?.checked_add(time)?;
        Some(Datetime { local, offset: 0, zone: Zone::Zulu, precision: Precision::Second, fraction: NO_FRACTION })
    }

    /// A day; `None` if there is no such day.
    pub fn date(year: u16, month: u8, day: u8) -> Option<Datetime> {
        let local = days(year.into(), month.into(), day.into())?.checked_mul(DAY)?;
        Some(Datetime { local, offset: 0, zone: Zone::None, precision: Precision::Day, fraction: NO_FRACTION })
    }

    /// Seconds and nanoseconds since 1970 in UTC; `None` outside the years 0000 to 9999.
    pub fn from_unix(seconds: i64, nanoseconds: u32) -> Option<Datetime> {
        let at = DateTime::from_timestamp(seconds, nanoseconds)?.naive_utc();
        let number = |value: u32| u8::try_from(value).ok();
        let year = u16::try_from(at.year()).ok()?;
        let second = Datetime::utc(
            year,
            number(at.month())?,
            number(at.day())?,
            number(at.hour())?,
            number(at.minute())?,
            number(at.second())?,
        )?;
        if nanoseconds == 0 { Some(second) } else { second.with_nanoseconds(nanoseconds) }
    }

    /// Seconds and nanoseconds since 1970; for a partial datetime of its start in UTC.
    pub fn to_unix(&self) -> (i64, u32) {
        let epoch = days(1970, 1, 1).unwrap_or(0).saturating_mul(DAY);
        (self.start().seconds.saturating_sub(epoch), self.nanosecond())
    }

    /// The moment in the form for heads of documents: in UTC, to the second or finer, and not earlier.
    ///
    /// ```
    /// use resourcesync::value::Datetime;
    /// let utc = |text: &str| text.parse::<Datetime>().map(|datetime| datetime.to_utc().to_string());
    /// assert_eq!(utc("2013-01-03T09:00+09:00").as_deref(), Ok("2013-01-03T00:00:00Z"));
    /// assert_eq!(utc("2013-01-03").as_deref(), Ok("2013-01-03T00:00:00Z"));
    /// ```
    #[must_use]
    pub fn to_utc(&self) -> Datetime {
        let (seconds, nanoseconds) = self.to_unix();
        let is_late = |moment: &Datetime| moment.start() >= self.start();
        let next = || Datetime::from_unix(seconds.saturating_add(1), 0);
        Datetime::from_unix(seconds, nanoseconds).filter(is_late).or_else(next).unwrap_or_else(|| self.clone())
    }

    /// The same second with nine fractional digits; `None` for a billion or more, or if there are no seconds.
    #[must_use]
    pub fn with_nanoseconds(mut self, nanoseconds: u32) -> Option<Datetime> {
        if nanoseconds >= 1_000_000_000 || self.precision < Precision::Second {
            return None;
        }
        self.precision = Precision::Fraction;
        self.fraction = Fraction::Short { value: nanoseconds.into(), digits: 9 };
        Some(self)
    }

    /// The precision.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// True for the form the standard recommends: to the second or finer, with `Z`.
    pub fn is_complete_utc(&self) -> bool {
        self.precision >= Precision::Second && self.zone == Zone::Zulu
    }

    /// True for a day, month or year, which is an interval rather than a moment.
    pub fn is_partial(&self) -> bool {
        self.precision <= Precision::Day
    }

    /// The moment; for a partial datetime its start in UTC.
    pub fn start(&self) -> Instant {
        let offset = i64::from(self.offset).saturating_mul(60);
        Instant { seconds: self.local.saturating_sub(offset), fraction: self.fraction.clone() }
    }

    /// Minutes east of UTC; `None` without a time.
    pub fn offset_minutes(&self) -> Option<i16> {
        (self.zone != Zone::None).then_some(self.offset)
    }

    /// Year, month and day as written; missing parts are 1.
    pub fn ymd(&self) -> (u16, u8, u8) {
        let day = i32::try_from(self.local.div_euclid(DAY)).ok();
        let date =
            day.and_then(|day| day.checked_add(YEAR_ZERO_FROM_CE)).and_then(NaiveDate::from_num_days_from_ce_opt);
        date.map_or((0, 1, 1), |date| (date.year().unsigned_abs() as u16, date.month() as u8, date.day() as u8))
    }

    /// Hour, minute and second as written; missing parts are 0.
    pub fn hms(&self) -> (u8, u8, u8) {
        let time = self.local.rem_euclid(DAY);
        ((time / 3600) as u8, (time / 60 % 60) as u8, (time % 60) as u8)
    }

    /// Nanoseconds of the fraction, truncated to nine digits.
    pub fn nanosecond(&self) -> u32 {
        let digits = self.fraction.text();
        let mut nanoseconds = 0_u32;
        for digit in digits.bytes().chain(core::iter::repeat(b'0')).take(9) {
            nanoseconds = nanoseconds.saturating_mul(10).saturating_add(u32::from(digit.wrapping_sub(b'0')));
        }
        nanoseconds
    }
}

named_enum! {
    /// Why a text is not a W3C Datetime.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum DatetimeProblem {
        /// A time without `Z` or offset.
        NoZone = "no-zone",
        /// A space in place of `T`.
        BlankForT = "blank-for-t",
        /// White space before or after.
        SurroundingBlanks = "surrounding-blanks",
        /// A month, day, hour, minute, second or offset that does not exist.
        OutOfRange = "out-of-range",
        /// Second 60.
        LeapSecond = "leap-second",
        /// None of the six forms.
        Form = "form",
    }
}

/// The text is not a W3C Datetime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatetimeError(DatetimeProblem);

impl DatetimeError {
    /// The problem.
    pub fn problem(self) -> DatetimeProblem {
        self.0
    }
}

impl fmt::Display for DatetimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            DatetimeProblem::NoZone => "the time zone is missing: `Z` or an offset",
            DatetimeProblem::BlankForT => "a space instead of `T` between date and time",
            DatetimeProblem::SurroundingBlanks => "surrounding white space",
            DatetimeProblem::OutOfRange => "no such date, time or offset",
            DatetimeProblem::LeapSecond => "seconds above 59",
            DatetimeProblem::Form => "none of the six forms of a W3C Datetime",
        })
    }
}

impl core::error::Error for DatetimeError {}

impl Fraction {
    fn read(digits: &[u8]) -> Fraction {
        let text = core::str::from_utf8(digits).unwrap_or("0");
        match (text.parse(), u8::try_from(digits.len())) {
            (Ok(value), Ok(digits)) if digits <= 18 => Fraction::Short { value, digits },
            _ => Fraction::Long(text.into()),
        }
    }

    fn text(&self) -> String {
        match self {
            Fraction::Short { digits: 0, .. } => String::new(),
            Fraction::Short { value, digits } => alloc::format!("{value:0width$}", width = usize::from(*digits)),
            Fraction::Long(text) => text.as_ref().into(),
        }
    }

    fn cmp(&self, other: &Fraction) -> Ordering {
        match (self, other) {
            (Fraction::Short { value: a, digits: x }, Fraction::Short { value: b, digits: y }) => {
                let scaled = |value: u64, digits: u8| {
                    u128::from(value).saturating_mul(10_u128.saturating_pow(18_u32.saturating_sub(digits.into())))
                };
                scaled(*a, *x).cmp(&scaled(*b, *y))
            }
            _ => self.text().trim_end_matches('0').cmp(other.text().trim_end_matches('0')),
        }
    }
}

impl Datetime {
    /// Date and time as written, to the second.
    fn digits(&self) -> [u8; 19] {
        let (year, month, day) = self.ymd();
        let (hour, minute, second) = self.hms();
        // Formatted part by part, a datetime took a third of the time of writing an entry.
        let [m, d] = [month, day].map(pair);
        let [h, min, s] = [hour, minute, second].map(pair);
        let [century, y] = [year / 100, year % 100].map(|half| pair(half as u8));
        [
            century[0], century[1], y[0], y[1], b'-', m[0], m[1], b'-', d[0], d[1], b'T', h[0], h[1], b':', min[0],
            min[1], b':', s[0], s[1],
        ]
    }

    /// The spelling, if it has seconds, no fraction, and `Z`.
    pub(crate) fn in_seconds(&self) -> Option<[u8; 20]> {
        let mut text = [b'Z'; 20];
        *text.first_chunk_mut()? = self.digits();
        (self.precision == Precision::Second && self.zone == Zone::Zulu).then_some(text)
    }
}

impl fmt::Display for Datetime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let second = self.digits();
        let length = match self.precision {
            Precision::Year => 4,
            Precision::Month => 7,
            Precision::Day => 10,
            Precision::Minute => 16,
            Precision::Second | Precision::Fraction => second.len(),
        };
        f.write_str(core::str::from_utf8(second.get(..length).unwrap_or_default()).unwrap_or_default())?;
        if self.is_partial() {
            return Ok(());
        }
        if self.precision == Precision::Fraction {
            write!(f, ".{}", self.fraction.text())?;
        }
        let offset = self.offset.unsigned_abs();
        match self.zone {
            Zone::Plus => write!(f, "+{:02}:{:02}", offset / 60, offset % 60),
            Zone::Minus => write!(f, "-{:02}:{:02}", offset / 60, offset % 60),
            Zone::Zulu | Zone::None => f.write_str("Z"),
        }
    }
}

/// The two digits of a number below 100.
fn pair(number: u8) -> [u8; 2] {
    [number / 10 % 10, number % 10].map(|digit| b'0'.wrapping_add(digit))
}

/// A moment, with all digits of its fraction.
#[derive(Debug, Clone)]
pub struct Instant {
    seconds: i64,
    fraction: Fraction,
}

impl Ord for Instant {
    fn cmp(&self, other: &Instant) -> Ordering {
        self.seconds.cmp(&other.seconds).then_with(|| self.fraction.cmp(&other.fraction))
    }
}

impl PartialOrd for Instant {
    fn partial_cmp(&self, other: &Instant) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Instant {
    fn eq(&self, other: &Instant) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Instant {}
