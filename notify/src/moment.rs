//! Time and randomness as arguments, since state machines have neither a clock nor a random generator.

use alloc::{borrow::Cow, string::ToString};
use core::{fmt, str::FromStr, time::Duration};

use resourcesync::value::{Datetime, DatetimeError};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// The environment of a state machine while it processes one input.
pub struct Moment<'a> {
    /// The time.
    pub now: Timestamp,
    /// Fills a buffer with cryptographically secure random bytes.
    pub random: &'a mut dyn FnMut(&mut [u8]),
}

impl Moment<'_> {
    /// Calls a function with a moment whose random bytes come from a function that may fail.
    ///
    /// # Errors
    ///
    /// The first error of `random`. The result has to be discarded then.
    pub fn with_random<T, E>(
        now: Timestamp,
        mut random: impl FnMut(&mut [u8]) -> Result<(), E>,
        work: impl FnOnce(&mut Moment<'_>) -> T,
    ) -> Result<T, E> {
        let mut failed = None;
        let mut fill = |bytes: &mut [u8]| {
            if failed.is_none() {
                failed = random(bytes).err();
            }
        };
        let made = work(&mut Moment { now, random: &mut fill });
        failed.map_or(Ok(made), Err)
    }

    /// Random bytes.
    pub(crate) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        (self.random)(&mut bytes);
        bytes
    }
}

impl fmt::Debug for Moment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Moment").field("now", &self.now).finish_non_exhaustive()
    }
}

/// Milliseconds since 1970 in UTC. As text a datetime, such as `2026-11-21T09:00:02Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// The first and the last moment that a datetime can name: those of the years 0000 and 9999.
const RANGE: (i64, i64) = (-62_167_219_200_000, 253_402_300_799_999);

impl Timestamp {
    /// Creates a moment from milliseconds since 1970-01-01T00:00:00Z, clamped to the years 0000 to 9999.
    pub fn from_millis(millis: i64) -> Timestamp {
        Timestamp(millis.clamp(RANGE.0, RANGE.1))
    }

    /// Creates a moment from seconds since 1970-01-01T00:00:00Z.
    pub fn from_seconds(seconds: i64) -> Timestamp {
        Timestamp::from_millis(seconds.saturating_mul(1_000))
    }

    /// Milliseconds since 1970.
    pub fn millis(self) -> i64 {
        self.0
    }

    /// Whole seconds since 1970.
    pub fn seconds(self) -> i64 {
        self.0.div_euclid(1_000)
    }

    /// This much later.
    #[must_use]
    pub fn after(self, wait: Duration) -> Timestamp {
        Timestamp::from_millis(self.0.saturating_add(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX)))
    }

    /// The time since an earlier moment; zero for a later one.
    #[must_use]
    pub fn since(self, earlier: Timestamp) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

impl From<&Datetime> for Timestamp {
    fn from(datetime: &Datetime) -> Timestamp {
        let (seconds, nanoseconds) = datetime.to_unix();
        let millis = seconds.saturating_mul(1_000).saturating_add(i64::from(nanoseconds / 1_000_000));
        Timestamp::from_millis(millis)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Every timestamp is in the range of datetimes.
        let text = Datetime::from_unix(self.seconds(), 0).map(|second| second.to_string()).unwrap_or_default();
        match self.0.rem_euclid(1_000) {
            0 => f.write_str(&text),
            millis => write!(f, "{}.{millis:03}Z", text.trim_end_matches('Z')),
        }
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Timestamp {
    type Err = DatetimeError;

    fn from_str(text: &str) -> Result<Timestamp, DatetimeError> {
        Ok(Timestamp::from(&text.parse::<Datetime>()?))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_reads_as_it_is_written() {
        for text in
            ["2026-11-21T09:00:02Z", "2026-11-21T09:00:02.250Z", "1969-12-31T23:59:59.999Z", "0000-01-01T00:00:00Z"]
        {
            let timestamp: Timestamp = text.parse().unwrap();
            assert_eq!(timestamp.to_string(), text);
            assert_eq!(
                serde_json::from_str::<Timestamp>(&serde_json::to_string(&timestamp).unwrap()).unwrap(),
                timestamp
            );
        }
        assert_eq!("1970-01-01T09:00:00+09:00".parse::<Timestamp>().unwrap().millis(), 0);
        assert!("soon".parse::<Timestamp>().is_err());
    }

    #[test]
    fn time_stays_within_the_years_that_have_a_name() {
        assert_eq!(Timestamp::from_seconds(i64::MAX).to_string(), "9999-12-31T23:59:59.999Z");
        assert_eq!(Timestamp::from_millis(i64::MIN).to_string(), "0000-01-01T00:00:00Z");
        let now = Timestamp::from_seconds(1_000);
        assert_eq!(now.after(Duration::MAX).to_string(), "9999-12-31T23:59:59.999Z");
        assert_eq!(now.after(Duration::from_millis(1_500)).since(now), Duration::from_millis(1_500));
        assert_eq!(now.since(now.after(Duration::from_secs(1))), Duration::ZERO);
    }
}
