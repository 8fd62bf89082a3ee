//! Moments, from the clock of the driver.

use resourcesync::value::Datetime;
use serde::{Deserialize, Serialize};

/// Milliseconds since 1970 in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Moment(pub u64);

impl Moment {
    /// Adds seconds.
    #[must_use]
    pub fn plus_seconds(self, seconds: u64) -> Moment {
        self.plus_millis(seconds.saturating_mul(1000))
    }

    /// Adds milliseconds.
    #[must_use]
    pub fn plus_millis(self, millis: u64) -> Moment {
        Moment(self.0.saturating_add(millis))
    }

    /// Milliseconds since an earlier moment; 0 if it is later.
    pub fn since(self, earlier: Moment) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Whole seconds since 1970.
    pub fn unix(self) -> i64 {
        i64::try_from(self.0 / 1000).unwrap_or(i64::MAX)
    }

    /// As a datetime, to the second.
    pub fn datetime(self) -> Option<Datetime> {
        Datetime::from_unix(self.unix(), 0)
    }
}
