//! Compares two reports: which findings are fixed, new, or still there.

use alloc::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    string::String,
    vec::Vec,
};

use serde::Serialize;

use super::{Diagnostic, Input, Report, RunOptions, baseline::incomplete, outline::name};
use crate::{diagnostic::Severity, model::Kind, named_enum};

/// The result of a comparison. Indices are those of the diagnostics in each report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// Findings of the earlier report that the later one does not have, although it checked their inputs again.
    pub fixed: Vec<usize>,
    /// The inputs of the earlier report that were not checked again, with findings that are neither fixed nor still there for this reason.
    pub unchecked: Vec<Unchecked>,
    /// Findings that only the later report has.
    pub new: Vec<usize>,
    /// Findings of the later report that the earlier one has as well.
    pub same: Vec<usize>,
    /// Exact counts by code and severity, by code.
    pub counts: Vec<ComparedCount>,
}

/// An input that was not checked again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Unchecked {
    /// Its number in the earlier report.
    pub input: u64,
    /// Why.
    pub why: WhyUnchecked,
    /// Its findings that the later report does not have.
    pub findings: Vec<usize>,
}

named_enum! {
    /// Why findings of an input cannot be called fixed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum WhyUnchecked {
        /// The later report has no input of its name.
        Absent = "absent",
        /// It was not read to its end.
        Unread = "unread",
        /// It is of another kind.
        Kind = "kind",
        /// Other options decided what is found.
        Options = "options",
    }
}

/// The findings of a code in both reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ComparedCount {
    /// The requirement.
    pub code: String,
    /// Its severity.
    pub severity: Severity,
    /// Findings counted in the earlier report.
    pub before: u64,
    /// Findings counted in the later report.
    pub after: u64,
    /// False if one of the reports stored less than it counted: then the findings of this code are not compared one by one.
    pub is_complete: bool,
}

/// Compares a report with an earlier one.
///
/// Findings match as in [`subtract`](super::subtract). Those of a code that one of the reports did not store completely are only
/// counted, since which of them are new is unknown.
pub fn compare(before: &Report, after: &Report) -> Comparison {
    let counts = counts(before, after);
    let incomplete: BTreeSet<&str> =
        counts.iter().filter(|count| !count.is_complete).map(|count| count.code.as_str()).collect();
    let compared = |found: &Diagnostic| !incomplete.contains(found.code.as_str());
    let mut earlier = earlier(before, after, &compared);
    let names: BTreeMap<u64, String> = after.inputs.iter().map(|input| (input.id, name(after, input.id))).collect();
    let mut take = |found: &Diagnostic, input: Option<String>| {
        let key = (found.code.clone(), found.fingerprint.clone(), input);
        earlier.get_mut(&key).is_some_and(|places| places.pop_front().is_some())
    };
    let all = after.diagnostics.iter().enumerate().filter(|(_, found)| compared(found));
    // Inputs of the same name are matched first, so that findings are not confused.
    let (mut same, others): (Vec<_>, Vec<_>) =
        all.partition(|(_, found)| take(found, Some(names.get(&found.input).cloned().unwrap_or_default())));
    let (renamed, new): (Vec<_>, Vec<_>) = others.into_iter().partition(|(_, found)| take(found, None));
    same.extend(renamed);
    let places = |found: Vec<(usize, &Diagnostic)>| {
        let mut places: Vec<usize> = found.into_iter().map(|(at, _)| at).collect();
        places.sort_unstable();
        places
    };
    let mut gone: Vec<usize> = earlier.into_values().flatten().collect();
    gone.sort_unstable();
    let (fixed, unchecked) = checked_again(gone, before, after);
    Comparison { fixed, unchecked, new: places(new), same: places(same), counts }
}

/// Of the findings that are gone, those that the later run would have found again; and the inputs of the others.
fn checked_again(gone: Vec<usize>, before: &Report, after: &Report) -> (Vec<usize>, Vec<Unchecked>) {
    let later: BTreeMap<String, &Input> = after.inputs.iter().map(|input| (name(after, input.id), input)).collect();
    let unread = incomplete(after);
    let has_same_options = deciding(before) == deciding(after);
    let why = |input: &Input| match later.get(&name(before, input.id)) {
        None => Some(WhyUnchecked::Absent),
        Some(own) if unread.contains(&own.id) => Some(WhyUnchecked::Unread),
        // A document whose kind was not recognised may have become one.
        Some(own) if own.kind != input.kind && input.kind != Kind::Unknown => Some(WhyUnchecked::Kind),
        Some(_) => (!has_same_options).then_some(WhyUnchecked::Options),
    };
    let reasons: BTreeMap<u64, WhyUnchecked> =
        before.inputs.iter().filter_map(|input| Some((input.id, why(input)?))).collect();
    let (mut fixed, mut unchecked) = (Vec::new(), BTreeMap::new());
    for at in gone {
        let input = before.diagnostics.get(at).map_or(0, |found| found.input);
        match reasons.get(&input) {
            Some(why) => {
                let own =
                    unchecked.entry(input).or_insert_with(|| Unchecked { input, why: *why, findings: Vec::new() });
                own.findings.push(at);
            }
            None => fixed.push(at),
        }
    }
    (fixed, unchecked.into_values().collect())
}

/// What decides which findings a run makes.
fn deciding(report: &Report) -> (&str, bool, RunOptions) {
    let run = &report.run;
    (&run.profile, run.baseline, RunOptions { max_per_rule: None, ..run.options.clone() })
}

/// The findings of the earlier report by code, fingerprint, and the input's name unless that no longer exists.
fn earlier(
    before: &Report,
    after: &Report,
    compared: &impl Fn(&Diagnostic) -> bool,
) -> BTreeMap<(String, String, Option<String>), VecDeque<usize>> {
    let present: BTreeSet<String> = after.inputs.iter().map(|input| name(after, input.id)).collect();
    let names: BTreeMap<u64, String> = before.inputs.iter().map(|input| (input.id, name(before, input.id))).collect();
    let mut earlier: BTreeMap<_, VecDeque<usize>> = BTreeMap::new();
    for (at, found) in before.diagnostics.iter().enumerate().filter(|(_, found)| compared(found)) {
        let input = names.get(&found.input).cloned().unwrap_or_default();
        let input = Some(input).filter(|input| present.contains(input));
        earlier.entry((found.code.clone(), found.fingerprint.clone(), input)).or_default().push_back(at);
    }
    earlier
}

fn counts(before: &Report, after: &Report) -> Vec<ComparedCount> {
    let mut counts: BTreeMap<(&str, Severity), ComparedCount> = BTreeMap::new();
    for (report, is_before) in [(before, true), (after, false)] {
        for group in &report.groups {
            let own = counts.entry((&group.code, group.severity)).or_insert_with(|| ComparedCount {
                code: group.code.clone(),
                severity: group.severity,
                before: 0,
                after: 0,
                is_complete: true,
            });
            let count = if is_before { &mut own.before } else { &mut own.after };
            *count = count.saturating_add(group.count);
            own.is_complete &= group.stored >= group.count;
        }
    }
    counts.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Verdict, sample};

    #[test]
    fn findings_are_fixed_new_or_still_there() {
        let (clean, one, twice) = (sample::clean(), sample::one(), sample::twice());
        let places = |before, after| {
            let Comparison { fixed, new, same, .. } = compare(before, after);
            (fixed, new, same)
        };
        assert_eq!(places(&one, &clean), (alloc::vec![0], alloc::vec![], alloc::vec![]));
        assert_eq!(places(&clean, &one), (alloc::vec![], alloc::vec![0], alloc::vec![]));
        assert_eq!(places(&one, &twice), (alloc::vec![], alloc::vec![1], alloc::vec![0]));
        assert_eq!(places(&twice, &one), (alloc::vec![1], alloc::vec![], alloc::vec![0]));
    }

    #[test]
    fn a_finding_of_an_input_that_was_renamed_is_the_same() {
        let before = sample::one();
        let mut after = sample::one();
        after.inputs[0].name = "new.xml".into();
        assert_eq!(compare(&before, &after).same, [0]);
        after.inputs.push(sample::input(1));
        assert_eq!((compare(&before, &after).fixed, compare(&before, &after).new), (alloc::vec![0], alloc::vec![0]));
    }

    #[test]
    fn what_was_not_checked_again_is_not_fixed() {
        let before = sample::one();
        let compared = |change: &dyn Fn(&mut Report)| {
            let mut after = sample::clean();
            change(&mut after);
            let Comparison { fixed, unchecked, .. } = compare(&before, &after);
            (fixed, unchecked.first().map(|own| (own.why, own.findings.clone())))
        };
        let unchecked = |why| (alloc::vec![], Some((why, alloc::vec![0])));
        assert_eq!(compared(&|_| ()), (alloc::vec![0], None));
        assert_eq!(compared(&|after| after.inputs[0].name = "other.xml".into()), unchecked(WhyUnchecked::Absent));
        assert_eq!(compared(&|after| after.inputs[0].verdict = Verdict::Undetermined), unchecked(WhyUnchecked::Unread));
        assert_eq!(compared(&|after| after.inputs[0].kind = Kind::ChangeDump), unchecked(WhyUnchecked::Kind));
        let ignores = |after: &mut Report| after.run.options.ignore = alloc::vec!["RL".into()];
        assert_eq!(compared(&ignores), unchecked(WhyUnchecked::Options));
        assert_eq!(compared(&|after| after.run.options.max_per_rule = Some(5)), (alloc::vec![0], None));
    }

    #[test]
    fn what_was_not_stored_is_only_counted() {
        let mut before = sample::one();
        before.groups[0].count = 250;
        let compared = compare(&before, &sample::one());
        assert!(compared.fixed.is_empty() && compared.new.is_empty() && compared.same.is_empty());
        let count = &compared.counts[0];
        assert_eq!((count.before, count.after, count.is_complete), (250, 1, false));
    }
}
