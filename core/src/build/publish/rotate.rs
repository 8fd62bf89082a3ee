//! The policy for closing the open Change List.

use alloc::{borrow::ToOwned, string::String};
use core::{fmt, str::FromStr};

/// The condition for closing the open Change List.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rotate {
    /// The number of changes.
    Changes(u64),
    /// Seconds since it was opened.
    Age(i64),
}

impl Default for Rotate {
    fn default() -> Rotate {
        Rotate::Changes(10_000)
    }
}

impl Rotate {
    /// True if a list with this number of changes and age is to be closed.
    pub fn is_due(self, changes: u64, seconds: i64) -> bool {
        match self {
            Rotate::Changes(most) => changes >= most,
            Rotate::Age(most) => changes > 0 && seconds >= most,
        }
    }
}

impl fmt::Display for Rotate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rotate::Changes(most) => most.fmt(f),
            Rotate::Age(seconds) if seconds % 604_800 == 0 => write!(f, "{}w", seconds / 604_800),
            Rotate::Age(seconds) if seconds % 86_400 == 0 => write!(f, "{}d", seconds / 86_400),
            Rotate::Age(seconds) => write!(f, "{}h", seconds / 3_600),
        }
    }
}

impl FromStr for Rotate {
    type Err = String;

    fn from_str(text: &str) -> Result<Rotate, String> {
        let wrong = || "expected a number of changes such as 10000, or an age such as 12h, 7d or 4w".to_owned();
        let unit = match text.chars().last() {
            Some('h') => 3600,
            Some('d') => 86_400,
            Some('w') => 604_800,
            _ => return text.parse().ok().filter(|most| *most > 0).map(Rotate::Changes).ok_or_else(wrong),
        };
        let number = text.get(..text.len().saturating_sub(1)).and_then(|number| number.parse::<u32>().ok());
        let seconds = number.filter(|number| *number > 0).and_then(|number| i64::from(number).checked_mul(unit));
        seconds.map(Rotate::Age).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_closed_by_number_or_by_age() {
        assert_eq!("10000".parse(), Ok(Rotate::Changes(10_000)));
        assert_eq!("7d".parse(), Ok(Rotate::Age(604_800)));
        for wrong in ["0", "0d", "d", "-1", "7y", "", "日"] {
            assert!(wrong.parse::<Rotate>().is_err(), "{wrong}");
        }
        assert!(Rotate::Changes(3).is_due(3, 0) && !Rotate::Changes(3).is_due(2, i64::MAX));
        assert!(Rotate::Age(60).is_due(1, 60) && !Rotate::Age(60).is_due(0, 600), "an empty list goes on");
    }
}
