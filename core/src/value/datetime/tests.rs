//! Tests of parsing, formatting and comparing datetimes.

use alloc::{format, string::ToString};

use super::*;
use crate::value::{Parsed, Value};

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
    assert!(matches!((&short, &shorter, &long), (Fraction::Short { .. }, Fraction::Short { .. }, Fraction::Long(_))));
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
    assert_eq!(
        "2013-01-03T09:00:00".parse::<Datetime>().unwrap_err().to_string(),
        "the time zone is missing: `Z` or an offset"
    );
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
        assert_eq!(Datetime::read(text), Parsed::Lenient(meant.parse().unwrap()), "{text}");
    }
}

#[test]
fn unix_seconds_go_both_ways() {
    let datetime: Datetime = "2013-01-03T09:00:00Z".parse().unwrap();
    assert_eq!(datetime.to_unix(), (1_357_203_600, 0));
    assert_eq!(Datetime::from_unix(1_357_203_600, 0), Some(datetime));
    assert_eq!(Datetime::from_unix(i64::MAX, 0), None);
}

#[test]
fn the_usual_form_is_read_in_words_as_it_is_byte_by_byte() {
    let same = |text: &str| {
        let usual = text.parse::<Datetime>().ok().filter(|_| text.len() == 20 && text.ends_with('Z'));
        assert_eq!(Datetime::seconds_written(text.as_bytes()).map(Datetime::second), usual, "{text}");
    };
    for year in (0..=9999).filter(|year| year % 97 == 0 || (1896..=2104).contains(year) || *year > 9995) {
        for month in 0..=13 {
            for day in 0..=32 {
                same(&format!("{year:04}-{month:02}-{day:02}T23:59:59Z"));
            }
        }
    }
    for (hour, minute, second) in [(0, 0, 0), (24, 0, 0), (23, 60, 0), (23, 59, 60), (9, 5, 61), (12, 34, 56)] {
        same(&format!("2024-02-29T{hour:02}:{minute:02}:{second:02}Z"));
    }
    let usual = b"2024-02-29T12:34:56Z";
    for at in 0..usual.len() {
        for byte in 0..0x80 {
            let mut text = *usual;
            text[at] = byte;
            same(core::str::from_utf8(&text).unwrap());
        }
    }
    same("2024-02-29T12:34:56.5Z");
    same("2024-02-29T12:34Z");
}
