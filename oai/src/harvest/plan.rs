//! What is to be harvested, and how far a repository is trusted and spared.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use super::moment::Moment;
use crate::{limits::Limits, request::Verb, stamp::Stamp};

/// What a run is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// Where the repository answers.
    pub base_url: String,
    /// What is wanted of it.
    pub goal: Goal,
    /// The formats; `oai_dc` if there is none.
    pub prefixes: Vec<String>,
    /// All formats that are offered instead.
    pub all_formats: bool,
    /// The sets; the whole repository if there is none.
    pub sets: Vec<String>,
    /// Where earlier harvests left off.
    pub starts: Vec<Start>,
    /// The first day or second that is wanted.
    pub since: Option<Stamp>,
    /// The last day or second that is wanted.
    pub until: Option<Stamp>,
    /// Whether long lists are requested piece by piece.
    pub window: Window,
    /// Seconds that the next harvest overlaps this one; by default what the granularity requires.
    pub overlap: Option<u64>,
    /// When deletions that nobody reports are looked for.
    pub reconcile: Reconcile,
    /// When that was done last; without it there is nothing to compare with.
    pub reconciled: Option<Moment>,
    /// How many records may disappear at once.
    pub max_delete: MaxDelete,
    /// How many records fewer than declared may be delivered.
    pub tolerance: Amount,
    /// How many records may be damaged.
    pub allow_quarantine: u64,
    /// Milliseconds from one response to the next request.
    pub delay: u64,
    /// Seconds of the longest single wait; by default five minutes if the server asks for it, and as long as our own
    /// patience needs.
    pub max_wait: Option<u64>,
    /// Stop after so many records.
    pub max_records: Option<u64>,
    /// Send all requests as forms.
    pub post: bool,
    /// What to do about a list without end.
    pub on_loop: OnLoop,
    /// Decides by how much waits differ, and keys hashes.
    pub seed: u64,
    /// Bounds on everything.
    pub limits: Limits,
}

impl Plan {
    /// A harvest of `oai_dc` from this base URL.
    pub fn new(base_url: impl Into<String>) -> Plan {
        Plan {
            base_url: base_url.into(),
            goal: Goal::Harvest,
            prefixes: Vec::new(),
            all_formats: false,
            sets: Vec::new(),
            starts: Vec::new(),
            since: None,
            until: None,
            window: Window::Auto,
            overlap: None,
            reconcile: Reconcile::Auto,
            reconciled: None,
            max_delete: MaxDelete::Default,
            tolerance: Amount::Count(0),
            allow_quarantine: 0,
            delay: 0,
            max_wait: None,
            max_records: None,
            post: false,
            on_loop: OnLoop::Stop,
            seed: 0,
            limits: Limits::default(),
        }
    }

    /// The formats that are named, or the one that every repository has.
    pub(super) fn named_prefixes(&self) -> Vec<String> {
        if self.prefixes.is_empty() { alloc::vec!["oai_dc".into()] } else { self.prefixes.clone() }
    }

    /// The sets that are named, or the whole repository.
    pub(super) fn selections(&self) -> Vec<Option<String>> {
        if self.sets.is_empty() { alloc::vec![None] } else { self.sets.iter().cloned().map(Some).collect() }
    }

    /// Where an earlier harvest of this format and set left off.
    pub(super) fn start(&self, prefix: &str, set: Option<&str>) -> Option<Stamp> {
        let own = |start: &&Start| start.prefix == prefix && start.set.as_deref() == set;
        self.starts.iter().find(own).map(|start| start.from)
    }
}

/// What is wanted of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    /// Records, and a proof that they are all.
    Harvest,
    /// Its description, formats and sets.
    Identify,
    /// One list: `ListMetadataFormats`, `ListSets` or `ListIdentifiers`.
    List(Verb),
    /// These records.
    Get(Vec<String>),
}

/// Where an earlier harvest left off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// The format.
    pub prefix: String,
    /// The set; none for the whole repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// The `from` of the next harvest.
    pub from: Stamp,
}

/// Whether long lists are requested piece by piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window {
    /// Where a list cannot be had in one piece.
    Auto,
    /// Never.
    None,
    /// Always, by the year.
    Year,
    /// By the month.
    Month,
    /// By the week.
    Week,
    /// By the day.
    Day,
    /// By the hour.
    Hour,
}

impl Window {
    /// Names and values.
    pub const ALL: [(&'static str, Window); 7] = [
        ("auto", Window::Auto),
        ("none", Window::None),
        ("year", Window::Year),
        ("month", Window::Month),
        ("week", Window::Week),
        ("day", Window::Day),
        ("hour", Window::Hour),
    ];
}

/// When deletions that nobody reports are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reconcile {
    /// As often as the repository's promise requires.
    Auto,
    /// Never.
    Never,
    /// In this run.
    Now,
    /// When so many seconds have passed.
    Every(u64),
}

/// How many records may disappear at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaxDelete {
    /// A tenth of them, or twenty.
    Default,
    /// So many.
    Most(Amount),
    /// All of them.
    All,
}

/// A number, or a share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// So many.
    Count(u64),
    /// So many per cent.
    Percent(u64),
}

impl Amount {
    /// Of so many in all.
    pub fn of(self, all: u64) -> u64 {
        match self {
            Amount::Count(count) => count,
            Amount::Percent(percent) => all.saturating_mul(percent) / 100,
        }
    }

    /// Reads `20` or `10%`.
    pub fn read(text: &str) -> Option<Amount> {
        match text.strip_suffix('%') {
            Some(percent) => percent.parse().ok().map(Amount::Percent),
            None => text.parse().ok().map(Amount::Count),
        }
    }
}

impl MaxDelete {
    /// True if so many of so many are too many.
    pub(super) fn refuses(self, missing: u64, total: u64) -> bool {
        match self {
            MaxDelete::All => false,
            MaxDelete::Default => missing > 20 && missing.saturating_mul(10) > total,
            MaxDelete::Most(most) => missing > most.of(total),
        }
    }
}

/// What to do about a list without end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnLoop {
    /// Stop, and call the harvest suspect.
    Stop,
    /// Request it by windows.
    Window,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_records_may_disappear_and_many_may_not() {
        for (max, missing, total, refused) in [
            (MaxDelete::Default, 20, 25, false),
            (MaxDelete::Default, 21, 1000, false),
            (MaxDelete::Default, 101, 1000, true),
            (MaxDelete::Most(Amount::Count(3)), 4, 1000, true),
            (MaxDelete::Most(Amount::Percent(1)), 10, 1000, false),
            (MaxDelete::All, 1000, 1000, false),
        ] {
            assert_eq!(max.refuses(missing, total), refused, "{max:?} {missing} of {total}");
        }
        assert_eq!(Amount::read("10%"), Some(Amount::Percent(10)));
        assert_eq!(Amount::read("-1"), None);
    }
}
