//! Converts datetimes to UTC, and adds missing time zones.

use alloc::{
    format,
    string::{String, ToString},
};

use crate::value::{Datetime, DatetimeProblem, Precision};

/// The same time with `Z`; `None` if it is already in UTC or has no seconds.
pub(super) fn in_utc(datetime: &Datetime) -> Option<Datetime> {
    if datetime.is_complete_utc() || datetime.precision() < Precision::Second {
        return None;
    }
    let (seconds, _) = datetime.to_unix();
    let whole = Datetime::from_unix(seconds, 0)?.to_string();
    // The fraction is preserved exactly.
    let written = datetime.to_string();
    let fraction = written.split_once('.').map_or("", |(_, rest)| {
        let end = rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
        rest.get(..end).unwrap_or("")
    });
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{}{point}{fraction}Z", whole.trim_end_matches('Z')).parse().ok()
}

/// The offset of a time zone as in a datetime, `Z` or `+09:00`, in minutes east of UTC.
pub fn zone(text: &str) -> Option<i16> {
    let datetime: Datetime = format!("2000-01-01T00:00{text}").parse().ok()?;
    datetime.offset_minutes()
}

/// True for a date and time that lacks only its time zone.
pub(super) fn is_without_zone(text: &str) -> bool {
    Datetime::problem(&joined(text)) == Some(DatetimeProblem::NoZone)
}

/// The datetime with a time zone in minutes east of UTC.
pub(super) fn with_zone(text: &str, minutes: i16) -> Option<Datetime> {
    let (sign, size) = if minutes < 0 { ('-', minutes.unsigned_abs()) } else { ('+', minutes.unsigned_abs()) };
    let zone = if size == 0 { String::from("Z") } else { format!("{sign}{:02}:{:02}", size / 60, size % 60) };
    format!("{}{zone}", joined(text)).parse().ok()
}

/// Trimmed, and with `T` in place of a space.
fn joined(text: &str) -> String {
    let mut joined = String::from(text.trim());
    if joined.as_bytes().get(10) == Some(&b' ') && joined.is_char_boundary(11) {
        joined.replace_range(10..11, "T");
    }
    joined
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_same_moment_is_written_in_utc() {
        let utc = |text: &str| in_utc(&text.parse().unwrap()).map(|datetime| datetime.to_string());
        assert_eq!(utc("2013-01-03T09:00:00+09:00").as_deref(), Some("2013-01-03T00:00:00Z"));
        assert_eq!(utc("2013-01-03T03:00:00.250-05:30").as_deref(), Some("2013-01-03T08:30:00.250Z"));
        assert_eq!(utc("2013-01-03T00:00:00Z"), None);
        assert_eq!(utc("2013-01-03T09:00+09:00"), None, "which second is not known");
        assert_eq!(utc("2013-01-03"), None);
    }

    #[test]
    fn a_zone_is_an_offset_in_minutes() {
        assert_eq!(["Z", "+09:00", "-03:30", "+9", ""].map(zone), [Some(0), Some(540), Some(-210), None, None]);
    }

    #[test]
    fn a_zone_is_added_only_where_nothing_else_is_missing() {
        assert!(is_without_zone("2013-01-03 09:00:00") && is_without_zone(" 2013-01-03T09:00:00.5"));
        assert!(!is_without_zone("2013-01-03") && !is_without_zone("2013-01-03T09:00:00Z") && !is_without_zone("x"));
        let zoned = |zone| with_zone("2013-01-03 09:00:00", zone).map(|datetime| datetime.to_string());
        assert_eq!(zoned(540).as_deref(), Some("2013-01-03T09:00:00+09:00"));
        assert_eq!(zoned(-210).as_deref(), Some("2013-01-03T09:00:00-03:30"));
        assert_eq!(zoned(0).as_deref(), Some("2013-01-03T09:00:00Z"));
    }
}
