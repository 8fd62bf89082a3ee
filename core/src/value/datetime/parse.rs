//! Reads the six forms of a W3C Datetime, strictly.

use alloc::string::String;
use core::str::FromStr;

use super::{
    DAY, Datetime, DatetimeError, DatetimeProblem, Fraction, NO_FRACTION, Precision, Zone,
    calendar::{days, days_of, time_of_day},
};
use crate::value::{Parsed, Value};

/// Splits off `count` digits.
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

/// Splits off a separator and `count` digits.
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

/// Added to a digit, it sets a bit of the upper half if the digit is more than 9.
const MORE_THAN_9: u64 = 0x0606_0606_0606_0606;

/// For each digit in a word of eight bytes its number together with the next: `form` has `0` in their places, and the separators.
#[inline(always)]
fn pairs_of(word: [u8; 8], form: [u8; 8]) -> Option<[u8; 8]> {
    // The bits that must not be set once the form is subtracted: all of a separator, the upper half of a digit.
    let wrong = u64::from_le_bytes(form.map(|byte| if byte == b'0' { 0xf0 } else { 0xff }));
    let digits = u64::from_le_bytes(word) ^ u64::from_le_bytes(form);
    let more = digits.wrapping_add(!wrong & MORE_THAN_9);
    ((digits | more) & wrong == 0).then(|| digits.wrapping_mul(10).wrapping_add(digits >> 8).to_le_bytes())
}

impl Datetime {
    /// The seconds as written in the form `YYYY-MM-DDThh:mm:ssZ`, checked in words of eight bytes; [`Datetime::second`] is the way
    /// back.
    #[inline]
    pub(crate) fn seconds_written(text: &[u8]) -> Option<i64> {
        let (date, rest) = text.split_first_chunk::<8>()?;
        let (time, rest) = rest.split_first_chunk::<8>()?;
        let [b':', tens @ b'0'..=b'5', ones @ b'0'..=b'9', b'Z'] = rest else { return None };
        let [century, _, year, _, _, month, ..] = pairs_of(*date, *b"0000-00-")?;
        let [day, _, _, hour, _, _, minute, _] = pairs_of(*time, *b"00T00:00")?;
        let days = days_of(u32::from(century).wrapping_mul(100).wrapping_add(year.into()), month.into(), day.into())?;
        let second = tens.wrapping_sub(b'0').wrapping_mul(10).wrapping_add(ones.wrapping_sub(b'0'));
        let seconds = time_of_day(hour.into(), minute.into(), second.into())?;
        Some(days.wrapping_mul(DAY).wrapping_add(seconds))
    }

    /// The moment in UTC with these seconds.
    pub(crate) fn second(local: i64) -> Datetime {
        Datetime { local, offset: 0, zone: Zone::Zulu, precision: Precision::Second, fraction: NO_FRACTION }
    }

    /// Why a text is not a datetime; `None` if it is one.
    pub fn problem(text: &str) -> Option<DatetimeProblem> {
        if text.trim() != text && !text.trim().is_empty() {
            return Some(DatetimeProblem::SurroundingBlanks);
        }
        parse(text.as_bytes()).err()
    }
}

impl FromStr for Datetime {
    type Err = DatetimeError;

    fn from_str(text: &str) -> Result<Datetime, DatetimeError> {
        parse(text.as_bytes()).map_err(DatetimeError)
    }
}

impl Value for Datetime {
    fn read(text: &str) -> Parsed<Datetime> {
        if let Ok(datetime) = parse(text.as_bytes()) {
            return Parsed::Exact(datetime);
        }
        let trimmed = text.trim();
        if !trimmed.is_ascii() {
            return Parsed::Malformed;
        }
        let mut completed = String::from(trimmed);
        if completed.as_bytes().get(10) == Some(&b' ') {
            completed.replace_range(10..11, "T");
        }
        // A time without a time zone is interpreted as UTC, which deployed Sources mean.
        match parse(completed.as_bytes()) {
            Err(DatetimeProblem::NoZone) => completed.push('Z'),
            Err(_) => return Parsed::Malformed,
            Ok(datetime) => return Parsed::Lenient(datetime),
        }
        parse(completed.as_bytes()).map_or(Parsed::Malformed, Parsed::Lenient)
    }
}
