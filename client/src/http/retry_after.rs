//! When a server wants to be asked again (RFC 9110, 10.2.3): in so many seconds, or at a date in one of three forms.

use std::time::Duration;

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// How long to wait, given the value of `Retry-After`, and the time of the answer in seconds since 1970. Nothing if the
/// value is neither a number nor a date.
pub(super) fn wait(value: &str, now: u64) -> Option<Duration> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than a number has: longer than anyone waits.
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    Some(Duration::from_secs(date(value)?.saturating_sub(now)))
}

/// Seconds since 1970 of an HTTP date.
pub(super) fn date(text: &str) -> Option<u64> {
    let words: Vec<&str> = text.split([' ', ',', '-']).filter(|word| !word.is_empty()).collect();
    let (day, month, year, time) = match words.as_slice() {
        // Sun, 06 Nov 1994 08:49:37 GMT, and the older Sunday, 06-Nov-94 08:49:37 GMT.
        [_, day, month, year, time, "GMT"] => (day, month, year, time),
        // Sun Nov  6 08:49:37 1994
        [_, month, day, time, year] => (day, month, year, time),
        _ => return None,
    };
    let month = MONTHS.iter().position(|name| name == month)? as i64 + 1;
    let (day, mut year): (i64, i64) = (day.parse().ok()?, year.parse().ok()?);
    if year < 100 {
        year += if year < 70 { 2000 } else { 1900 };
    }
    let mut parts = time.split(':').map(|part| part.parse::<i64>().ok().filter(|part| (0..=60).contains(part)));
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
    if !(1970..10_000).contains(&year) || !(1..=31).contains(&day) || hour > 23 {
        return None;
    }
    u64::try_from(days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second).ok()
}

/// Days from 1970-01-01, in the Gregorian calendar; the year begins in March so that leap days come last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 719_469
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_all_three_forms_are_read() {
        for text in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            assert_eq!(date(text), Some(784_111_777), "{text}");
        }
        assert_eq!(date("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(date("Thu, 29 Feb 2024 00:00:00 GMT"), Some(1_709_164_800));
        for text in [
            "",
            "tomorrow",
            "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 25:00:00 GMT",
            "Sun, 06 Nov 1994 08:49 GMT",
        ] {
            assert_eq!(date(text), None, "{text}");
        }
    }

    #[test]
    fn seconds_and_dates_give_the_same_wait() {
        let now = 784_111_777 - 120;
        assert_eq!(wait(" 120 ", now), Some(Duration::from_secs(120)));
        assert_eq!(wait("Sun, 06 Nov 1994 08:49:37 GMT", now), Some(Duration::from_secs(120)));
        assert_eq!(wait("Sun, 06 Nov 1994 08:49:37 GMT", now + 1_000), Some(Duration::ZERO));
        assert_eq!(wait("99999999999999999999999999", now), Some(Duration::from_secs(u64::MAX)));
        assert_eq!(wait("-5", now), None);
        assert_eq!(wait("soon", now), None);
    }
}
