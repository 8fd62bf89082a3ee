//! W3C Datetime: a date, or a date and a time with its zone, as exact as written.

use alloc::{boxed::Box, string::String};
use core::{cmp::Ordering, fmt, str::FromStr};

use chrono::{DateTime, Datelike, NaiveDate, Timelike};

use super::{Reading, Value};

/// How much of a datetime was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precision {
    /// `YYYY`
    Year,
    /// `YYYY-MM`
    Month,
    /// `YYYY-MM-DD`
    Day,
    /// `YYYY-MM-DDThh:mm` and a zone
    Minute,
    /// `YYYY-MM-DDThh:mm:ss` and a zone
    Second,
    /// `YYYY-MM-DDThh:mm:ss.s` and a zone
    Fraction,
}

/// A W3C Datetime (Z39.99-2017 §7).
///
/// Two datetimes are equal if they are written alike; [`Datetime::start`] gives what can be compared in time.
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

/// Digits after the point. Eighteen fit in a number; more are kept as text.
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

    /// Seconds and nanoseconds since 1970; of a partial datetime, of its beginning in UTC.
    pub fn to_unix(&self) -> (i64, u32) {
        let epoch = days(1970, 1, 1).unwrap_or(0).saturating_mul(DAY);
        (self.start().seconds.saturating_sub(epoch), self.nanosecond())
    }

    /// The same second with nine digits of fraction; `None` for a billion or more, or where no second is given.
    #[must_use]
    pub fn with_nanoseconds(mut self, nanoseconds: u32) -> Option<Datetime> {
        if nanoseconds >= 1_000_000_000 || self.precision < Precision::Second {
            return None;
        }
        self.precision = Precision::Fraction;
        self.fraction = Fraction::Short { value: nanoseconds.into(), digits: 9 };
        Some(self)
    }

    /// How much was given.
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

    /// The moment meant; of a partial datetime, its beginning in UTC.
    pub fn start(&self) -> Instant {
        let offset = i64::from(self.offset).saturating_mul(60);
        Instant { seconds: self.local.saturating_sub(offset), fraction: self.fraction.clone() }
    }

    /// Minutes east of UTC; `None` where no time was given.
    pub fn offset_minutes(&self) -> Option<i16> {
        (self.zone != Zone::None).then_some(self.offset)
    }

    /// Year, month and day as written; parts that were not given are 1.
    pub fn ymd(&self) -> (u16, u8, u8) {
        let day = i32::try_from(self.local.div_euclid(DAY)).ok();
        let date =
            day.and_then(|day| day.checked_add(YEAR_ZERO_FROM_CE)).and_then(NaiveDate::from_num_days_from_ce_opt);
        date.map_or((0, 1, 1), |date| (date.year().unsigned_abs() as u16, date.month() as u8, date.day() as u8))
    }

    /// Hour, minute and second as written; parts that were not given are 0.
    pub fn hms(&self) -> (u8, u8, u8) {
        let time = self.local.rem_euclid(DAY);
        ((time / 3600) as u8, (time / 60 % 60) as u8, (time % 60) as u8)
    }

    /// Nanoseconds of the fraction, cut after nine digits.
    pub fn nanosecond(&self) -> u32 {
        let digits = self.fraction.text();
        let mut nanoseconds = 0_u32;
        for digit in digits.bytes().chain(core::iter::repeat(b'0')).take(9) {
            nanoseconds = nanoseconds.saturating_mul(10).saturating_add(u32::from(digit.wrapping_sub(b'0')));
        }
        nanoseconds
    }

    /// What keeps a text from being a datetime; `None` if it is one.
    pub fn problem(text: &str) -> Option<DatetimeProblem> {
        if text.trim() != text && !text.trim().is_empty() {
            return Some(DatetimeProblem::SurroundingBlanks);
        }
        parse(text.as_bytes()).err()
    }
}

/// What keeps a text from being a W3C Datetime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatetimeProblem {
    /// A time without `Z` or offset.
    NoZone,
    /// A blank where `T` belongs.
    BlankForT,
    /// White space before or after.
    SurroundingBlanks,
    /// A month, day, hour, minute, second or offset that does not exist.
    OutOfRange,
    /// Second 60.
    LeapSecond,
    /// None of the six forms.
    Form,
}

impl DatetimeProblem {
    /// A short word for data.
    pub fn as_str(self) -> &'static str {
        match self {
            DatetimeProblem::NoZone => "no-zone",
            DatetimeProblem::BlankForT => "blank-for-t",
            DatetimeProblem::SurroundingBlanks => "surrounding-blanks",
            DatetimeProblem::OutOfRange => "out-of-range",
            DatetimeProblem::LeapSecond => "leap-second",
            DatetimeProblem::Form => "form",
        }
    }
}

/// The text is not a W3C Datetime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatetimeError(DatetimeProblem);

impl DatetimeError {
    /// What is wrong.
    pub fn problem(self) -> DatetimeProblem {
        self.0
    }
}

impl fmt::Display for DatetimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            DatetimeProblem::NoZone => "a time needs `Z` or an offset",
            DatetimeProblem::BlankForT => "date and time are joined by `T`, not by a blank",
            DatetimeProblem::SurroundingBlanks => "white space around the datetime",
            DatetimeProblem::OutOfRange => "no such date, time or offset",
            DatetimeProblem::LeapSecond => "seconds go from 00 to 59",
            DatetimeProblem::Form => "none of the six forms of a W3C Datetime",
        })
    }
}

impl core::error::Error for DatetimeError {}

impl FromStr for Datetime {
    type Err = DatetimeError;

    fn from_str(text: &str) -> Result<Datetime, DatetimeError> {
        parse(text.as_bytes()).map_err(DatetimeError)
    }
}

impl Value for Datetime {
    fn read(text: &str) -> Reading<Datetime> {
        if let Ok(datetime) = parse(text.as_bytes()) {
            return Reading::Exact(datetime);
        }
        let trimmed = text.trim();
        if !trimmed.is_ascii() {
            return Reading::Malformed;
        }
        let mut mended = String::from(trimmed);
        if mended.as_bytes().get(10) == Some(&b' ') {
            mended.replace_range(10..11, "T");
        }
        // A time without a zone is read as UTC, as deployed Sources mean it.
        match parse(mended.as_bytes()) {
            Err(DatetimeProblem::NoZone) => mended.push('Z'),
            Err(_) => return Reading::Malformed,
            Ok(datetime) => return Reading::Lenient(datetime),
        }
        parse(mended.as_bytes()).map_or(Reading::Malformed, Reading::Lenient)
    }
}

/// Days from 0000-01-01 to 0001-01-01 in chrono's count, which begins at 1 on 0001-01-01.
const YEAR_ZERO_FROM_CE: i32 = -365;

fn days(year: u32, month: u32, day: u32) -> Option<i64> {
    let year = i32::try_from(year).ok().filter(|year| *year <= 9999)?;
    let date = NaiveDate::from_ymd_opt(year, month, day)?;
    Some(i64::from(date.num_days_from_ce().checked_sub(YEAR_ZERO_FROM_CE)?))
}

fn time_of_day(hour: u32, minute: u32, second: u32) -> Option<i64> {
    (hour < 24 && minute < 60 && second < 60).then(|| {
        let minutes = i64::from(hour).saturating_mul(60).saturating_add(minute.into());
        minutes.saturating_mul(60).saturating_add(second.into())
    })
}

/// Takes `count` digits and what follows them.
fn digits(text: &[u8], count: usize) -> Option<(u32, &[u8])> {
    let (number, rest) = text.split_at_checked(count)?;
    let mut value = 0_u32;
    for digit in number {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value.checked_mul(10)?.checked_add(u32::from(digit.wrapping_sub(b'0')))?;
    }
    Some((value, rest))
}

/// Takes a mark and `count` digits.
fn marked(text: &[u8], mark: u8, count: usize) -> Option<(u32, &[u8])> {
    digits(text.strip_prefix(&[mark])?, count)
}

fn parse(text: &[u8]) -> Result<Datetime, DatetimeProblem> {
    use DatetimeProblem::{BlankForT, Form, LeapSecond, NoZone, OutOfRange};
    let (year, rest) = digits(text, 4).ok_or(Form)?;
    let whole = |month, day, precision| {
        let local = days(year, month, day).ok_or(OutOfRange)?.saturating_mul(DAY);
        Ok(Datetime { local, offset: 0, zone: Zone::None, precision, fraction: NO_FRACTION })
    };
    if rest.is_empty() {
        return whole(1, 1, Precision::Year);
    }
    let (month, rest) = marked(rest, b'-', 2).ok_or(Form)?;
    if rest.is_empty() {
        return whole(month, 1, Precision::Month);
    }
    let (day, rest) = marked(rest, b'-', 2).ok_or(Form)?;
    if rest.is_empty() {
        return whole(month, day, Precision::Day);
    }
    let blank = rest.first() == Some(&b' ');
    let (hour, rest) = marked(rest, if blank { b' ' } else { b'T' }, 2).ok_or(Form)?;
    let (minute, mut rest) = marked(rest, b':', 2).ok_or(Form)?;
    if blank {
        return Err(BlankForT);
    }
    let (mut second, mut precision, mut fraction) = (0, Precision::Minute, NO_FRACTION);
    if let Some((value, after)) = marked(rest, b':', 2) {
        (second, rest, precision) = (value, after, Precision::Second);
        if let Some(after) = rest.strip_prefix(b".") {
            let count = after.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let (digits, after) = after.split_at_checked(count).filter(|_| count > 0).ok_or(Form)?;
            (fraction, rest, precision) = (Fraction::read(digits), after, Precision::Fraction);
        }
    }
    let (zone, offset) = match rest {
        [] => return Err(if time_of_day(hour, minute, second).is_some() { NoZone } else { OutOfRange }),
        b"Z" => (Zone::Zulu, 0),
        [sign @ (b'+' | b'-'), rest @ ..] => {
            let (hours, rest) = digits(rest, 2).ok_or(Form)?;
            let (minutes, rest) = marked(rest, b':', 2).ok_or(Form)?;
            if !rest.is_empty() {
                return Err(Form);
            }
            let offset =
                i16::try_from(time_of_day(hours, minutes, 0).ok_or(OutOfRange)? / 60).map_err(|_| OutOfRange)?;
            if *sign == b'+' { (Zone::Plus, offset) } else { (Zone::Minus, offset.saturating_neg()) }
        }
        _ => return Err(Form),
    };
    if second == 60 && hour < 24 && minute < 60 {
        return Err(LeapSecond);
    }
    let days = days(year, month, day).ok_or(OutOfRange)?;
    let time = time_of_day(hour, minute, second).ok_or(OutOfRange)?;
    let local = days.saturating_mul(DAY).saturating_add(time);
    Ok(Datetime { local, offset, zone, precision, fraction })
}

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

impl fmt::Display for Datetime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.ymd();
        write!(f, "{year:04}")?;
        if self.precision >= Precision::Month {
            write!(f, "-{month:02}")?;
        }
        if self.precision >= Precision::Day {
            write!(f, "-{day:02}")?;
        }
        if self.precision <= Precision::Day {
            return Ok(());
        }
        let (hour, minute, second) = self.hms();
        write!(f, "T{hour:02}:{minute:02}")?;
        if self.precision >= Precision::Second {
            write!(f, ":{second:02}")?;
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

/// A moment, exact to the last digit given.
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

#[cfg(test)]
mod tests {
    use alloc::{format, string::ToString};

    use super::*;

    #[test]
    fn every_form_is_written_as_it_was_read() {
        for text in [
            "0000",
            "9999",
            "2013-01",
            "2013-01-03",
            "2012-02-29",
            "2013-01-03T09:00Z",
            "2013-01-03T09:00:00+09:00",
            "2013-01-03T09:00:00-00:00",
            "2013-01-03T09:00:00+00:00",
            "2013-01-03T09:00:00.5Z",
            "2013-01-03T09:00:00.000000Z",
            "0000-01-01T00:00:00Z",
            "9999-12-31T23:59:59.123456789012345678901234Z",
            "2013-01-03T09:00:00-23:59",
        ] {
            let datetime: Datetime = text.parse().unwrap();
            assert_eq!(datetime.to_string(), text);
        }
    }

    #[test]
    fn a_datetime_is_made_of_its_parts_where_there_is_such_a_moment() {
        let text = |datetime: Option<Datetime>| datetime.map(|datetime| datetime.to_string());
        assert_eq!(text(Datetime::date(2024, 2, 29)).as_deref(), Some("2024-02-29"));
        assert_eq!(text(Datetime::date(2023, 2, 29)), None);
        let noon = Datetime::utc(2024, 2, 29, 12, 0, 0);
        let with = |nanoseconds| text(noon.clone().and_then(|noon| noon.with_nanoseconds(nanoseconds)));
        assert_eq!(with(0).as_deref(), Some("2024-02-29T12:00:00.000000000Z"));
        assert_eq!(with(999_999_999).as_deref(), Some("2024-02-29T12:00:00.999999999Z"));
        assert_eq!(with(1_000_000_000), None);
        let of = |text: &str| text.parse::<Datetime>().unwrap();
        assert!(of("2024-02-29T12:00Z").with_nanoseconds(1).is_none());
        assert!(
            [(24, 0, 0), (0, 60, 0), (0, 0, 60)].iter().all(|&(h, m, s)| Datetime::utc(2024, 2, 29, h, m, s).is_none())
        );
        assert_eq!(
            text(of("2024-02-29T12:00:00.5Z").with_nanoseconds(1)).as_deref(),
            Some("2024-02-29T12:00:00.000000001Z")
        );
    }

    #[test]
    fn a_fraction_is_known_to_the_nanosecond() {
        let nanosecond =
            |fraction: &str| format!("2013-01-03T09:00:00{fraction}Z").parse::<Datetime>().unwrap().nanosecond();
        assert_eq!(["", ".5", ".000000001", ".1234567899"].map(nanosecond), [0, 500_000_000, 1, 123_456_789]);
    }

    #[test]
    fn fractions_are_compared_however_long() {
        let fraction = |digits: &str| Fraction::read(digits.as_bytes());
        let [short, shorter, long] = ["5", "000000000000000001", "0000000000000000001"].map(fraction);
        assert!(matches!(
            (&short, &shorter, &long),
            (Fraction::Short { .. }, Fraction::Short { .. }, Fraction::Long(_))
        ));
        assert_eq!(long.cmp(&shorter), Ordering::Less);
        assert_eq!(short.cmp(&fraction("50000000000000000000")), Ordering::Equal);
    }

    #[test]
    fn the_offset_is_known_where_a_time_is() {
        let offset = |text: &str| text.parse::<Datetime>().unwrap().offset_minutes();
        assert_eq!(offset("2013-01-03T09:00:00+09:00"), Some(540));
        assert_eq!(offset("2013-01-03T09:00-01:30"), Some(-90));
        assert_eq!(offset("2013-01-03T09:00:00Z"), Some(0));
        assert_eq!(offset("2013-01-03"), None);
    }

    #[test]
    fn what_is_not_a_datetime_says_why() {
        use DatetimeProblem::*;
        for (text, problem) in [
            ("", Form),
            ("2013-1-3", Form),
            ("20130103", Form),
            ("2013-13-01", OutOfRange),
            ("2013-02-29", OutOfRange),
            ("2013-01-03T09:00:00", NoZone),
            ("2013-01-03 09:00:00Z", BlankForT),
            ("2013-01-03T24:00:00Z", OutOfRange),
            ("2013-01-03T23:59:60Z", LeapSecond),
            ("2013-01-03T24:00:60Z", OutOfRange),
            ("2013-01-03T23:60:60Z", OutOfRange),
            ("2013-01-03t09:00:00Z", Form),
            ("2013-01-03T09:00:00z", Form),
            ("2013-01-03T09:00:00.Z", Form),
            ("2013-01-03T09:00:00+24:00", OutOfRange),
            ("2013-01-03T09:00:00+0900", Form),
            (" 2013-01-03", SurroundingBlanks),
            ("２０１３", Form),
            ("+2013", Form),
            ("2013-01-03T", Form),
        ] {
            assert_eq!(Datetime::problem(text), Some(problem), "{text}");
        }
        assert_eq!("2013-01-03T09:00:00".parse::<Datetime>().unwrap_err().to_string(), "a time needs `Z` or an offset");
    }

    #[test]
    fn an_offset_east_of_greenwich_is_earlier_in_utc() {
        let start = |text: &str| text.parse::<Datetime>().unwrap().start();
        assert_eq!(start("2013-01-03T09:00:00+09:00"), start("2013-01-03T00:00:00Z"));
        assert!(start("2013-01-03T00:00:00-01:00") > start("2013-01-03T00:00:00Z"));
        assert!(start("2013-01-03T00:00:00.10Z") == start("2013-01-03T00:00:00.1Z"));
        assert!(start("2013-01-03T00:00:00.09Z") < start("2013-01-03T00:00:00.1Z"));
        assert!(start("2013-01-03T00:00:00.1234567890123456789Z") > start("2013-01-03T00:00:00.123456789012345678Z"));
    }

    #[test]
    fn what_deployed_sources_write_is_understood() {
        for (text, meant) in [
            ("2020-03-18 01:20:10", "2020-03-18T01:20:10Z"),
            ("2020-03-18T01:20:10", "2020-03-18T01:20:10Z"),
            (" 2020-03-18 ", "2020-03-18"),
        ] {
            assert_eq!(Datetime::read(text), Reading::Lenient(meant.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn unix_seconds_go_both_ways() {
        let datetime: Datetime = "2013-01-03T09:00:00Z".parse().unwrap();
        assert_eq!(datetime.to_unix(), (1_357_203_600, 0));
        assert_eq!(Datetime::from_unix(1_357_203_600, 0), Some(datetime));
        assert_eq!(Datetime::from_unix(i64::MAX, 0), None);
    }
}
