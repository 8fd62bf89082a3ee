//! Decides whether resources that are no longer listed may be deleted.

use resourcesync::named_enum;
use serde::{Deserialize, Serialize};

/// The maximum number of deletions per run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MaxDelete {
    /// 20, or a tenth of the stored resources if that is more; half of them where Change Lists state the deletion. None if the list is
    /// empty.
    #[default]
    Auto,
    /// This many.
    Number(u64),
    /// This percentage of the stored resources.
    Percent(u64),
}

/// The input of the decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Evidence {
    /// Every list was read to its end.
    pub lists_complete: bool,
    /// The lists are of one snapshot.
    pub one_snapshot: bool,
    /// Entries that were not looked at, since their `loc` cannot be read or may not be requested: each may be one of the missing resources.
    pub unreadable_entries: u64,
    /// Entries listed.
    pub listed: u64,
    /// Transfers that failed temporarily.
    pub transient_failures: u64,
    /// The run was stopped early.
    pub stopped: bool,
}

named_enum! {
    /// Why deletions are withheld.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Withheld {
        /// A list was not read to its end.
        UnreadList = "unread-list",
        /// The lists are not of one snapshot.
        Snapshot = "snapshot",
        /// An entry could not be looked at.
        UnreadableEntry = "unreadable-entry",
        /// Transfers failed temporarily.
        Failures = "failures",
        /// The run was stopped early.
        Stopped = "stopped",
        /// More than allowed.
        TooMany = "too-many",
        /// The list is empty.
        EmptyList = "empty-list",
        /// The user allows none.
        NotWanted = "not-wanted",
    }
}

impl Withheld {
    /// True if only the user can allow these deletions.
    pub fn is_refusal(self) -> bool {
        matches!(self, Withheld::TooMany | Withheld::EmptyList)
    }
}

impl MaxDelete {
    /// Reads a number such as `500`, or a percentage such as `25%`.
    pub fn read(text: &str) -> Option<MaxDelete> {
        match text.strip_suffix('%') {
            Some(percent) => percent.parse().ok().map(MaxDelete::Percent),
            None => text.parse().ok().map(MaxDelete::Number),
        }
    }

    /// The maximum number of deletions of what is no longer listed, given the number of stored resources.
    pub fn of(self, held: u64) -> u64 {
        self.with_share(held, 10)
    }

    /// The maximum number of deletions that Change Lists state, given the number of stored resources.
    pub fn of_stated(self, held: u64) -> u64 {
        self.with_share(held, 2)
    }

    fn with_share(self, held: u64, part: u64) -> u64 {
        match self {
            MaxDelete::Auto => held.checked_div(part).unwrap_or(0).max(20),
            MaxDelete::Number(number) => number,
            MaxDelete::Percent(percent) => {
                let share = u128::from(held).saturating_mul(percent.min(100).into()) / 100;
                u64::try_from(share).unwrap_or(u64::MAX)
            }
        }
    }
}

/// Decides whether all of these deletions are allowed; never only some of them.
///
/// # Errors
///
/// The reason why not.
pub fn deletions(due: u64, held: u64, evidence: Evidence, most: Option<MaxDelete>) -> Result<(), Withheld> {
    if due == 0 {
        return Ok(());
    }
    let Some(most) = most else { return Err(Withheld::NotWanted) };
    let checks = [
        (!evidence.lists_complete, Withheld::UnreadList),
        (!evidence.one_snapshot, Withheld::Snapshot),
        (evidence.unreadable_entries > 0, Withheld::UnreadableEntry),
        (evidence.stopped, Withheld::Stopped),
        (evidence.listed == 0 && most == MaxDelete::Auto, Withheld::EmptyList),
        (due > most.of(held), Withheld::TooMany),
        (evidence.transient_failures > 0, Withheld::Failures),
    ];
    checks.into_iter().find(|(applies, _)| *applies).map_or(Ok(()), |(_, why)| Err(why))
}

/// Decides whether all deletions that Change Lists state are allowed. They do not wait for other resources: each is evidence of its own.
///
/// # Errors
///
/// The reason why not.
pub fn stated_deletions(due: u64, held: u64, stopped: bool, most: Option<MaxDelete>) -> Result<(), Withheld> {
    match most {
        _ if due == 0 => Ok(()),
        None => Err(Withheld::NotWanted),
        Some(_) if stopped => Err(Withheld::Stopped),
        Some(most) if due > most.of_stated(held) => Err(Withheld::TooMany),
        Some(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stated_deletions_have_a_limit_of_their_own_and_do_not_wait() {
        let auto = Some(MaxDelete::Auto);
        assert_eq!(stated_deletions(20, 20, false, auto), Ok(()));
        assert_eq!(stated_deletions(21, 30, false, auto), Err(Withheld::TooMany));
        assert_eq!(stated_deletions(50, 100, false, auto), Ok(()));
        assert_eq!(stated_deletions(51, 100, false, auto), Err(Withheld::TooMany));
        assert_eq!(stated_deletions(51, 100, false, Some(MaxDelete::Percent(100))), Ok(()));
        assert_eq!(stated_deletions(6, 100, false, Some(MaxDelete::Number(5))), Err(Withheld::TooMany));
        assert_eq!(stated_deletions(1, 100, false, None), Err(Withheld::NotWanted));
        assert_eq!(stated_deletions(1, 100, true, auto), Err(Withheld::Stopped));
        assert_eq!(stated_deletions(0, 0, true, None), Ok(()));
    }

    #[test]
    fn a_percentage_is_of_what_is_stored_and_at_most_all_of_it() {
        let share = |percent, held| MaxDelete::Percent(percent).of(held);
        assert_eq!((share(5, 100), share(5, 119), share(0, 100)), (5, 5, 0));
        assert_eq!((share(100, 7), share(150, 7), share(50, u64::MAX)), (7, 7, u64::MAX / 2));
        assert_eq!((MaxDelete::Auto.of(1_000), MaxDelete::Auto.of_stated(1_000)), (100, 500));
    }

    #[test]
    fn names_are_those_of_json() {
        use Withheld::{EmptyList, Failures, NotWanted, Snapshot, Stopped, TooMany, UnreadList, UnreadableEntry};
        for why in [UnreadList, Snapshot, UnreadableEntry, Failures, Stopped, TooMany, EmptyList, NotWanted] {
            assert_eq!(serde_json::to_value(why).unwrap(), why.as_str());
        }
    }

    const SOUND: Evidence = Evidence {
        lists_complete: true,
        one_snapshot: true,
        unreadable_entries: 0,
        listed: 100,
        transient_failures: 0,
        stopped: false,
    };

    #[test]
    fn a_tenth_or_twenty_is_deleted_and_no_more() {
        let auto = Some(MaxDelete::Auto);
        assert_eq!(deletions(20, 30, SOUND, auto), Ok(()));
        assert_eq!(deletions(21, 30, SOUND, auto), Err(Withheld::TooMany));
        assert_eq!(deletions(100, 1000, SOUND, auto), Ok(()));
        assert_eq!(deletions(101, 1000, SOUND, auto), Err(Withheld::TooMany));
        assert_eq!(deletions(1000, 1000, SOUND, Some(MaxDelete::Percent(100))), Ok(()));
        assert_eq!(deletions(6, 1000, SOUND, Some(MaxDelete::Number(5))), Err(Withheld::TooMany));
        assert_eq!(deletions(1, 1000, SOUND, None), Err(Withheld::NotWanted));
    }

    #[test]
    fn an_empty_list_deletes_nothing_unless_the_user_allows_it() {
        let empty = Evidence { listed: 0, ..SOUND };
        assert_eq!(deletions(1, 1, empty, Some(MaxDelete::Auto)), Err(Withheld::EmptyList));
        assert_eq!(deletions(1, 1, empty, Some(MaxDelete::Percent(100))), Ok(()));
    }

    #[test]
    fn nothing_is_deleted_on_incomplete_evidence_whatever_the_user_allows() {
        let cases = [
            (Evidence { lists_complete: false, ..SOUND }, Withheld::UnreadList),
            (Evidence { one_snapshot: false, ..SOUND }, Withheld::Snapshot),
            (Evidence { unreadable_entries: 1, ..SOUND }, Withheld::UnreadableEntry),
            (Evidence { transient_failures: 1, ..SOUND }, Withheld::Failures),
            (Evidence { stopped: true, ..SOUND }, Withheld::Stopped),
        ];
        for (evidence, why) in cases {
            assert_eq!(deletions(1, 1000, evidence, Some(MaxDelete::Percent(100))), Err(why));
            assert_eq!(deletions(0, 1000, evidence, Some(MaxDelete::Auto)), Ok(()));
        }
        assert_eq!(deletions(0, 1000, SOUND, None), Ok(()));
    }
}
