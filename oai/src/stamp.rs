//! Datestamps: a day or a second in UTC, including nonconforming forms in use.

use alloc::{
    format,
    string::{String, ToString},
};
use core::fmt;

use resourcesync::{
    named_enum,
    value::{Datetime, Precision},
};
use serde::{Deserialize, Serialize};

named_enum! {
    /// The granularity of datestamps (OAI-PMH 2.0 §3.3.1).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Granularity {
        /// `YYYY-MM-DD`
        Day = "YYYY-MM-DD",
        /// `YYYY-MM-DDThh:mm:ssZ`
        Second = "YYYY-MM-DDThh:mm:ssZ",
    }
}

impl Granularity {
    /// Parses the declaration of a repository, and whether its form conforms to the protocol. `None` if it is not
    /// recognisable.
    pub fn read(text: &str) -> Option<(Granularity, bool)> {
        match text {
            "YYYY-MM-DD" => return Some((Granularity::Day, true)),
            "YYYY-MM-DDThh:mm:ssZ" => return Some((Granularity::Second, true)),
            _ => {}
        }
        let lower = text.trim().to_ascii_lowercase();
        let rest = lower.strip_prefix("yyyy-mm-dd")?;
        let has_seconds = rest.contains("hh") && rest.contains("ss");
        match rest {
            "" => Some((Granularity::Day, false)),
            _ if has_seconds => Some((Granularity::Second, false)),
            _ => None,
        }
    }

    /// Seconds of a granule.
    pub fn seconds(self) -> i64 {
        match self {
            Granularity::Day => DAY,
            Granularity::Second => 1,
        }
    }
}

const DAY: i64 = 86_400;

/// A day, or a second, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stamp {
    unix: i64,
    granularity: Granularity,
}

/// A datestamp as a repository wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Datestamp {
    /// The text as written, without surrounding white space.
    pub text: String,
    /// The parsed value; `None` if ambiguous or unreadable.
    pub stamp: Option<Stamp>,
    /// True if it has one of the two forms of the protocol.
    pub is_exact: bool,
}

impl Datestamp {
    /// Parses a datestamp: the two forms of the protocol, and variants with fractions, offsets, without `Z`, or
    /// with a blank instead of `T`.
    pub fn read(text: &str) -> Datestamp {
        let text = text.trim_matches(is_blank);
        let stamp = exact(text.as_bytes());
        let is_exact = stamp.is_some();
        Datestamp { text: text.into(), stamp: stamp.or_else(|| lenient(text)), is_exact }
    }
}

impl Stamp {
    /// The second with this Unix time, or its day.
    pub fn from_unix(seconds: i64, granularity: Granularity) -> Stamp {
        // Years have four digits.
        let seconds = seconds.clamp(-62_167_219_200, 253_402_300_799);
        Stamp { unix: seconds.saturating_sub(seconds.rem_euclid(granularity.seconds())), granularity }
    }

    /// Parses one of the two forms of the protocol.
    pub fn read(text: &str) -> Option<Stamp> {
        exact(text.as_bytes())
    }

    /// The Unix time of its first second.
    pub fn unix(self) -> i64 {
        self.unix
    }

    /// The Unix time of its last second.
    pub fn last_second(self) -> i64 {
        self.unix.saturating_add(self.granularity.seconds()).saturating_sub(1)
    }

    /// A day or a second.
    pub fn granularity(self) -> Granularity {
        self.granularity
    }

    /// The day or second that contains its start.
    #[must_use]
    pub fn to(self, granularity: Granularity) -> Stamp {
        Stamp::from_unix(self.unix, granularity)
    }

    /// The next day or second.
    #[must_use]
    pub fn next(self) -> Stamp {
        Stamp::from_unix(self.unix.saturating_add(self.granularity.seconds()), self.granularity)
    }

    /// The previous day or second.
    #[must_use]
    pub fn previous(self) -> Stamp {
        Stamp::from_unix(self.unix.saturating_sub(self.granularity.seconds()), self.granularity)
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(datetime) = Datetime::from_unix(self.unix, 0) else { return Ok(()) };
        let text = format!("{datetime}");
        let length = if self.granularity == Granularity::Day { 10 } else { 20 };
        f.write_str(text.get(..length).unwrap_or(&text))
    }
}

impl Serialize for Stamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_string())
    }
}

impl<'de> Deserialize<'de> for Stamp {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Stamp, D::Error> {
        let text = String::deserialize(deserializer)?;
        Stamp::read(&text).ok_or_else(|| serde::de::Error::custom("not a day or a second in UTC"))
    }
}

/// White space of XML.
pub(crate) fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r')
}

/// The two forms of the protocol.
fn exact(text: &[u8]) -> Option<Stamp> {
    let number = |from: usize, to: usize| {
        let digits = text.get(from..to)?;
        digits.iter().try_fold(0_u16, |sum, digit| {
            let value = digit.checked_sub(b'0').filter(|value| *value <= 9)?;
            sum.checked_mul(10)?.checked_add(value.into())
        })
    };
    let short = |from: usize| u8::try_from(number(from, from.saturating_add(2))?).ok();
    let is = |at: usize, byte: u8| text.get(at) == Some(&byte);
    let has_date = is(4, b'-') && is(7, b'-');
    match text.len() {
        10 if has_date => {
            let day = Datetime::date(number(0, 4)?, short(5)?, short(8)?)?;
            Some(Stamp { unix: day.to_unix().0, granularity: Granularity::Day })
        }
        20 if has_date && is(10, b'T') && is(13, b':') && is(16, b':') && is(19, b'Z') => {
            let second = Datetime::utc(number(0, 4)?, short(5)?, short(8)?, short(11)?, short(14)?, short(17)?)?;
            Some(Stamp { unix: second.to_unix().0, granularity: Granularity::Second })
        }
        _ => None,
    }
}

/// Variants of the two forms.
fn lenient(text: &str) -> Option<Stamp> {
    let spaced = text.get(10..11) == Some(" ");
    let mut joined = if spaced { text.replacen(' ', "T", 1) } else { text.into() };
    let has_zone = joined.ends_with(['Z', 'z']) || joined.get(10..).is_some_and(|time| time.contains(['+', '-']));
    if joined.len() > 10 && !has_zone {
        joined.push('Z');
    }
    let datetime: Datetime = joined.to_ascii_uppercase().parse().ok()?;
    let granularity = match datetime.precision() {
        Precision::Year | Precision::Month => return None,
        Precision::Day => Granularity::Day,
        _ => Granularity::Second,
    };
    Some(Stamp::from_unix(datetime.to_unix().0, granularity))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read_and_written_back() {
        for text in ["2026-02-28", "1970-01-01", "2026-02-28T23:59:59Z", "0001-01-01"] {
            let stamp = Datestamp::read(text);
            assert!(stamp.is_exact, "{text}");
            assert_eq!(stamp.stamp.map(|stamp| stamp.to_string()).as_deref(), Some(text));
        }
    }

    #[test]
    fn what_is_meant_is_read_where_it_is_certain() {
        for (text, meant) in [
            (" 2026-02-28\n", "2026-02-28"),
            ("2026-02-28T23:59:59", "2026-02-28T23:59:59Z"),
            ("2026-02-28 23:59:59", "2026-02-28T23:59:59Z"),
            ("2026-02-28T23:59:59.123Z", "2026-02-28T23:59:59Z"),
            ("2026-03-01T08:59:59+09:00", "2026-02-28T23:59:59Z"),
            ("2026-02-28T23:59Z", "2026-02-28T23:59:00Z"),
        ] {
            let stamp = Datestamp::read(text);
            assert_eq!(stamp.stamp.map(|stamp| stamp.to_string()).as_deref(), Some(meant), "{text}");
            assert_eq!(stamp.is_exact, text.trim() == meant, "{text}");
        }
        for text in ["", "now", "2026", "2026-02", "2026-02-30", "28/02/2026", "2026-2-3", "9999-99-99T99:99:99Z"] {
            assert_eq!(Datestamp::read(text).stamp, None, "{text}");
        }
    }

    #[test]
    fn granules_follow_each_other() {
        let day = Stamp::read("2024-02-28").unwrap();
        assert_eq!(day.next().to_string(), "2024-02-29");
        assert_eq!(day.next().next().previous().to_string(), "2024-02-29");
        let second = Stamp::read("2024-12-31T23:59:59Z").unwrap();
        assert_eq!(second.next().to_string(), "2025-01-01T00:00:00Z");
        assert_eq!(second.to(Granularity::Day).to_string(), "2024-12-31");
        assert_eq!(second.to(Granularity::Day).last_second(), second.unix());
    }

    #[test]
    fn a_misspelt_granularity_is_understood() {
        use Granularity::{Day, Second};
        for (text, read) in [
            ("YYYY-MM-DD", Some((Day, true))),
            ("yyyy-MM-dd", Some((Day, false))),
            ("YYYY-MM-DDThh:mm:ssZ", Some((Second, true))),
            ("YYYY-MM-DDThh:mm:ss", Some((Second, false))),
            ("YYYY-MM-DDTHH:MM:SSZ", Some((Second, false))),
            ("YYYY-MM-DDThh:mmZ", None),
            ("day", None),
            ("", None),
        ] {
            assert_eq!(Granularity::read(text), read, "{text}");
        }
    }
}
