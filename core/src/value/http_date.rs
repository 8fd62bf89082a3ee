//! Dates of HTTP headers (RFC 9110 §5.6.7), in the current and the two obsolete formats, and `Retry-After`.

use alloc::vec::Vec;

use super::Datetime;

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Parses `Sun, 06 Nov 1994 08:49:37 GMT`, or an obsolete form, as seconds since 1970; `None` for anything else.
pub fn http_date(text: &str) -> Option<i64> {
    let words: Vec<&str> = text.split([' ', ',', '-']).filter(|word| !word.is_empty()).collect();
    let (day, name, year, clock) = match words.as_slice() {
        // The current form, and Sunday, 06-Nov-94 08:49:37 GMT.
        [_, day, name, year, clock, "GMT"] => (day, name, *year, clock),
        // Sun Nov  6 08:49:37 1994
        [_, name, day, clock, year] => (day, name, *year, clock),
        _ => return None,
    };
    let day = day.parse().ok()?;
    let month = (1_u8..).zip(MONTHS).find(|(_, own)| own == name)?.0;
    // Years of two digits are from 1970 to 2069.
    let year: u16 = match (year.len(), year.parse().ok()?) {
        (2, short) => u16::checked_add(short, if short < 70 { 2000 } else { 1900 })?,
        (4, year) => year,
        _ => return None,
    };
    let mut clock = clock.split(':').map(|part| part.parse().ok());
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    Some(Datetime::utc(year, month, day, hour, minute, second)?.to_unix().0)
}

/// The seconds to wait for a value of `Retry-After` (RFC 9110 §10.2.3), at a moment in seconds since 1970; `None` if it is neither a number
/// nor a date.
///
/// ```
/// use resourcesync::value::retry_after;
/// assert_eq!(retry_after("120", 0), Some(120));
/// assert_eq!(retry_after("Thu, 01 Jan 1970 00:02:00 GMT", 90), Some(30));
/// ```
pub fn retry_after(value: &str, now: i64) -> Option<u64> {
    let value = value.trim_ascii();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number too large for 64 bits.
        return Some(value.parse().unwrap_or(u64::MAX));
    }
    Some(u64::try_from(http_date(value)?.saturating_sub(now)).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_forms_are_read() {
        for text in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            assert_eq!(http_date(text), Some(784_111_777), "{text}");
        }
        assert_eq!(http_date("Wednesday, 01-Apr-20 00:00:00 GMT"), Some(1_585_699_200));
        for other in ["", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT"]
        {
            assert_eq!(http_date(other), None, "{other}");
        }
    }

    #[test]
    fn seconds_and_dates_request_the_same_wait() {
        let now = 784_111_777 - 120;
        assert_eq!(retry_after(" 120 ", now), Some(120));
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:49:37 GMT", now), Some(120));
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:49:37 GMT", now + 1_000), Some(0));
        assert_eq!(retry_after("99999999999999999999999999", now), Some(u64::MAX));
        assert_eq!((retry_after("-5", now), retry_after("soon", now), retry_after("", now)), (None, None, None));
    }
}
