//! The plan of a harvest: what to harvest, tolerances, and politeness.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use super::moment::Moment;
use crate::{limits::Limits, page::Repair, request::Verb, stamp::Stamp};

/// Separates formats of which the first one that is offered is harvested; no prefix contains it.
const ALTERNATIVES: char = '|';

/// The plan of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// The base URL of the repository.
    pub base_url: String,
    /// The purpose of the run.
    pub goal: Goal,
    /// The formats; `oai_dc` if there is none. One of several alternatives is written `jpcoar_2.0|jpcoar_1.0|oai_dc`: the first
    /// one that the repository offers.
    pub prefixes: Vec<String>,
    /// True to harvest all offered formats instead.
    pub all_formats: bool,
    /// The sets; the whole repository if there is none.
    pub sets: Vec<String>,
    /// The end points of earlier harvests.
    pub starts: Vec<Start>,
    /// The first day or second to harvest.
    pub since: Option<Stamp>,
    /// The last day or second to harvest.
    pub until: Option<Stamp>,
    /// Whether long lists are split by date.
    pub window: Window,
    /// Seconds that the next harvest overlaps this one; by default what the granularity requires.
    pub overlap: Option<u64>,
    /// When to check for unreported deletions.
    pub reconcile: Reconcile,
    /// The records that earlier harvests owe, as far as they are known.
    pub owed: Vec<Owed>,
    /// The number of records that may disappear at once.
    pub max_delete: MaxDelete,
    /// The tolerated shortfall from the declared number of records.
    pub tolerance: Amount,
    /// The permitted repairs of damaged records. A repaired record is not damaged any more.
    pub repair: Repair,
    /// The tolerated number of damaged records.
    pub allow_quarantine: u64,
    /// Milliseconds from one response to the next request.
    pub delay: u64,
    /// The longest single wait in seconds, requested by the server or our own backoff; by default five minutes.
    pub max_wait: Option<u64>,
    /// Stop after this number of records.
    pub max_records: Option<u64>,
    /// Send all requests as forms.
    pub post: bool,
    /// The reaction to an endless list.
    pub on_loop: OnLoop,
    /// No request before this moment: the pause that an earlier harvest of the same host still owes.
    pub not_before: Option<Moment>,
    /// The seed for jitter and for keyed hashes.
    pub seed: u64,
    /// The limits.
    pub limits: Limits,
}

impl Plan {
    /// Creates the plan of a harvest of `oai_dc` from this base URL.
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
            owed: Vec::new(),
            max_delete: MaxDelete::Default,
            tolerance: Amount::Count(0),
            repair: Repair::None,
            allow_quarantine: 0,
            delay: 0,
            max_wait: None,
            max_records: None,
            post: false,
            on_loop: OnLoop::Stop,
            not_before: None,
            seed: 0,
            limits: Limits::default(),
        }
    }

    /// The requested formats, or the one that every repository has. Of alternatives it is the one that an earlier harvest
    /// took, or else the first one that is offered; the names as requested if none is.
    pub(super) fn resolved(&self, offered: &[String]) -> Vec<String> {
        let is_started = |prefix: &str| self.starts.iter().any(|start| start.prefix == prefix);
        let one = |wanted: &String| {
            let mut all = wanted.split(ALTERNATIVES);
            let known = all.clone().find(|own| is_started(own));
            let chosen = known.or_else(|| all.find(|own| offered.iter().any(|prefix| prefix == own)));
            chosen.map_or_else(|| wanted.clone(), String::from)
        };
        if self.prefixes.is_empty() { alloc::vec!["oai_dc".into()] } else { self.prefixes.iter().map(one).collect() }
    }

    /// True if it depends on what is offered which of several alternatives is harvested.
    pub(super) fn has_open_choice(&self) -> bool {
        self.resolved(&[]).iter().any(|prefix| prefix.contains(ALTERNATIVES))
    }

    /// The requested sets, or the whole repository.
    pub(super) fn selections(&self) -> Vec<Option<String>> {
        if self.sets.is_empty() { alloc::vec![None] } else { self.sets.iter().cloned().map(Some).collect() }
    }

    /// The end point of an earlier harvest of this format and set.
    pub(super) fn start(&self, prefix: &str, set: Option<&str>) -> Option<&Start> {
        self.starts.iter().find(|start| start.prefix == prefix && start.set.as_deref() == set)
    }
}

pub(super) fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The purpose of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    /// Records, with a proof of completeness.
    Harvest,
    /// Its description, formats and sets.
    Identify,
    /// One list: `ListMetadataFormats`, `ListSets` or `ListIdentifiers`.
    List(Verb),
    /// These records.
    Get(Vec<String>),
}

/// The end point of an earlier harvest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// The format.
    pub prefix: String,
    /// The set; none for the whole repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// The `from` of the next harvest.
    pub from: Stamp,
    /// When everything that is listed was last known to be held, and nothing else; if never, that is to be checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reconciled: Option<Moment>,
    /// Records that were listed then, and could not be fetched.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub owed: u64,
}

/// A record that is owed: damaged when it was delivered, or listed and not held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Owed {
    /// The format.
    pub prefix: String,
    /// The set through which it is harvested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// Its identifier, if it could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identifier: Option<String>,
    /// True if it came damaged in this run.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub is_new: bool,
}

/// Whether long lists are split by date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window {
    /// Only if a list cannot be read in one piece.
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

/// When to check for unreported deletions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reconcile {
    /// As often as the declared `deletedRecord` requires.
    Auto,
    /// Never.
    Never,
    /// In this run.
    Now,
    /// After this number of seconds.
    Every(u64),
}

/// The number of records that may disappear at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaxDelete {
    /// A tenth of them, or twenty.
    Default,
    /// This many.
    Most(Amount),
    /// All of them.
    All,
}

/// A number or a percentage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// This many.
    Count(u64),
    /// This percentage.
    Percent(u64),
}

impl Amount {
    /// The amount for a total of `all`.
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
    /// True if a number of a total is too large.
    pub(super) fn refuses(self, missing: u64, total: u64) -> bool {
        match self {
            MaxDelete::All => false,
            MaxDelete::Default => missing > 20 && missing.saturating_mul(10) > total,
            MaxDelete::Most(most) => missing > most.of(total),
        }
    }
}

/// The reaction to an endless list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnLoop {
    /// Stop, and mark the harvest as suspect.
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
