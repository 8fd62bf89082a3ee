//! When the Resource Lists are written again.

use alloc::{borrow::ToOwned, format, string::String};
use core::{fmt, str::FromStr};

use crate::build::Rotate;

/// The length of the log from which on a snapshot is due, whatever was configured: a run reads all of it.
pub const LOG_BYTES: u64 = 8 << 20;

/// Seconds after which a snapshot is due unless configured.
const DAY: i64 = 86_400;

/// When a publication of changes writes the Resource Lists as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Snapshot {
    /// In this run.
    Now,
    /// Only when the log is too long.
    Never,
    /// After this many seconds, or this many changes.
    After(Rotate),
}

/// What was published since the last snapshot, with what is to be published now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SinceSnapshot {
    /// Its age in seconds.
    pub seconds: i64,
    /// Changes since then.
    pub changes: u64,
    /// The largest number of changes in the open Change List of a set.
    pub open: u64,
    /// The length of the log.
    pub log: u64,
}

impl Snapshot {
    /// True if a snapshot is due. Unless configured that is once a day, and when the open Change List would be closed.
    #[must_use]
    pub fn is_due(configured: Option<Snapshot>, rotate: Rotate, since: SinceSnapshot) -> bool {
        let SinceSnapshot { seconds, changes, open, log } = since;
        log >= LOG_BYTES
            || match configured {
                Some(Snapshot::Now) => true,
                Some(Snapshot::Never) => false,
                Some(Snapshot::After(after)) => after.is_due(changes, seconds),
                None => Rotate::Age(DAY).is_due(changes, seconds) || rotate.is_due(open, seconds),
            }
    }
}

impl FromStr for Snapshot {
    type Err = String;

    fn from_str(text: &str) -> Result<Snapshot, String> {
        match text {
            "now" => Ok(Snapshot::Now),
            "never" => Ok(Snapshot::Never),
            _ => {
                let after = text.strip_suffix("changes").map_or(text, str::trim_end).parse();
                after.map(Snapshot::After).map_err(|_| {
                    "expected `now`, `never`, an age such as 24h or 7d, or a number of changes such as 10000".to_owned()
                })
            }
        }
    }
}

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Snapshot::Now => f.write_str("now"),
            Snapshot::Never => f.write_str("never"),
            Snapshot::After(after) => f.write_str(&format!("{after}")),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn a_snapshot_is_due_as_configured_or_once_a_day_or_before_a_list_is_closed() {
        let since = SinceSnapshot { seconds: 10, changes: 5, open: 5, log: 100 };
        let due = |text: &str, since| {
            let configured = (!text.is_empty()).then(|| text.parse().unwrap());
            Snapshot::is_due(configured, Rotate::Changes(10), since)
        };
        assert!(due("now", since) && !due("never", since) && !due("", since));
        assert!(due("5 changes", since) && due("5", since) && !due("6", since));
        assert!(due("1h", SinceSnapshot { seconds: 3_600, ..since }) && !due("24h", since));
        assert!(due("", SinceSnapshot { seconds: DAY, ..since }) && due("", SinceSnapshot { open: 10, ..since }));
        assert!(due("never", SinceSnapshot { log: LOG_BYTES, ..since }));
        for text in ["now", "never", "24h", "7d", "10000"] {
            assert_eq!(text.parse::<Snapshot>().unwrap().to_string().parse(), text.parse::<Snapshot>());
        }
        assert!("0".parse::<Snapshot>().is_err() && "sometimes".parse::<Snapshot>().is_err());
    }
}
