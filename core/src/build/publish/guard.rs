//! Guards against incomplete input: mass deletions, and unexpected numbers of entries.

use alloc::{borrow::ToOwned, string::String};
use core::{fmt, str::FromStr};

/// Maximum deletions by default.
const FEW: u64 = 20;
/// More deletions are allowed up to this fraction of the published resources.
const FEW_PERCENT: u8 = 10;

/// A number of resources, or a percentage of those published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// A number.
    Number(u64),
    /// A percentage, at most 100.
    Percent(u8),
}

impl FromStr for Amount {
    type Err = String;

    fn from_str(text: &str) -> Result<Amount, String> {
        let wrong = || "a number such as 500, or a part such as 25%".to_owned();
        match text.strip_suffix('%') {
            Some(part) => part.parse().ok().filter(|part| *part <= 100).map(Amount::Percent).ok_or_else(wrong),
            None => text.parse().map(Amount::Number).map_err(|_| wrong()),
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Amount::Number(number) => number.fmt(f),
            Amount::Percent(part) => write!(f, "{part}%"),
        }
    }
}

/// True if `part` is more than this percentage of `whole`.
fn is_more(part: u64, whole: u64, percent: u8) -> bool {
    u128::from(part).saturating_mul(100) > u128::from(whole).saturating_mul(u128::from(percent))
}

/// The effect of a run on the published resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effect {
    /// Resources of the previous generation; `None` if there is none.
    pub published: Option<u64>,
    /// Resources of the next one.
    pub resources: u64,
    /// Resources only in the previous generation.
    pub deleted: u64,
}

/// Why input is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Guard {
    /// Too many resources would be deleted.
    Deletions {
        /// The number of deletions.
        deleted: u64,
        /// The number of published resources.
        published: u64,
    },
    /// The number of entries is not as expected.
    Entries {
        /// The expectation: an exact number, or a minimum percentage of the published resources.
        expected: Amount,
        /// The actual number.
        found: u64,
    },
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Guard::Deletions { deleted, published } => write!(
                f,
                "{deleted} of {published} published resources would be deleted; if the input is complete, allow that with \
                 --max-delete {deleted}"
            ),
            Guard::Entries { expected: Amount::Number(number), found } => {
                write!(f, "the input has {found} entries, not {number} (--expect-entries)")
            }
            Guard::Entries { expected, found } => {
                write!(f, "the input has {found} entries, less than {expected} of what is published (--expect-entries)")
            }
        }
    }
}

impl Effect {
    /// Rejects changes that are not allowed. `max_delete` is the maximum of deletions, `expected` the required number of entries.
    ///
    /// # Errors
    ///
    /// If there are too many deletions, or another number of entries.
    pub fn check(self, max_delete: Option<Amount>, expected: Option<Amount>) -> Result<(), Guard> {
        let Effect { resources, deleted, .. } = self;
        let published = self.published.unwrap_or(0);
        let is_complete = match expected {
            None => true,
            Some(Amount::Number(number)) => resources == number,
            Some(Amount::Percent(part)) => {
                u128::from(resources).saturating_mul(100) >= u128::from(published).saturating_mul(u128::from(part))
            }
        };
        if let (false, Some(expected)) = (is_complete, expected) {
            return Err(Guard::Entries { expected, found: resources });
        }
        let is_allowed = match max_delete {
            Some(Amount::Number(number)) => deleted <= number,
            Some(Amount::Percent(part)) => !is_more(deleted, published, part),
            None => {
                // One resource with another URI was renamed.
                let is_emptied = deleted > 0 && (resources == 0 || deleted == published && published > 1);
                !is_emptied && (deleted <= FEW || !is_more(deleted, published, FEW_PERCENT))
            }
        };
        if is_allowed { Ok(()) } else { Err(Guard::Deletions { deleted, published }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effect(published: u64, resources: u64, deleted: u64) -> Effect {
        Effect { published: Some(published), resources, deleted }
    }

    #[test]
    fn few_deletions_are_allowed_and_many_need_permission() {
        for (published, resources, deleted, is_allowed) in [
            (100, 80, 20, true),
            (100, 79, 21, false),
            (1000, 900, 100, true),
            (1000, 899, 101, false),
            (3, 0, 3, false),
            // What is there instead is not what was published.
            (3, 1, 3, false),
            (3, 1, 2, true),
            (1, 1, 1, true),
            (0, 0, 0, true),
        ] {
            assert_eq!(
                effect(published, resources, deleted).check(None, None).is_ok(),
                is_allowed,
                "{deleted} of {published}"
            );
        }
        let emptied = effect(100, 0, 100);
        assert_eq!(
            emptied.check(Some(Amount::Number(99)), None),
            Err(Guard::Deletions { deleted: 100, published: 100 })
        );
        assert_eq!(emptied.check(Some(Amount::Number(100)), None), Ok(()));
        assert_eq!(emptied.check(Some(Amount::Percent(100)), None), Ok(()));
        assert_eq!(
            effect(100, 99, 1).check(Some(Amount::Number(0)), None),
            Err(Guard::Deletions { deleted: 1, published: 100 })
        );
    }

    #[test]
    fn entries_are_as_many_as_expected() {
        let check = |expected: &str, resources| effect(200, resources, 0).check(None, expected.parse().ok()).is_ok();
        assert!(check("150", 150) && !check("150", 149) && !check("150", 151));
        assert!(check("90%", 180) && check("90%", 500) && !check("90%", 179));
        assert!(check("100%", 200) && !check("100%", 199) && check("0%", 0));
        for wrong in ["", "-1", "101%", "ten", "%"] {
            assert!(wrong.parse::<Amount>().is_err(), "{wrong}");
        }
    }
}
