//! Limits the findings that a run over many inputs stores; the counts stay exact.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use super::Outcome;
use crate::{
    diagnostic::{Code, Severity},
    report::Diagnostic,
};

/// Maximum findings stored by the report on one run, unless all are requested.
const MOST: usize = 10_000;

/// The severities, in the order in which they are dropped.
const ORDER: [Severity; 3] = [Severity::Info, Severity::Warning, Severity::Error];

/// Limits the findings of outcomes that are waiting for the report, to what the report can store.
///
/// Infos are dropped before warnings, warnings before errors, and later findings before earlier ones. In whatever order outcomes
/// arrive, the findings that the report will store are kept.
#[derive(Debug, Default)]
pub struct FindingBudget {
    /// 0 for no limit.
    most: usize,
    stored: usize,
}

impl FindingBudget {
    /// Creates a budget; if `max_per_rule` is 0, everything is kept.
    pub fn new(max_per_rule: u64) -> FindingBudget {
        FindingBudget { most: if max_per_rule == 0 { 0 } else { MOST }, stored: 0 }
    }

    /// Counts an outcome that was added.
    pub fn add(&mut self, outcome: &Outcome) {
        self.stored = self.stored.saturating_add(outcome.stored());
    }

    /// Counts an outcome that was removed.
    pub fn take(&mut self, outcome: &Outcome) {
        self.stored = self.stored.saturating_sub(outcome.stored());
    }

    /// True once [`keep`](FindingBudget::keep) should be called: some time after the limit was exceeded, since it visits all outcomes.
    pub fn is_exceeded(&self) -> bool {
        self.most != 0 && self.stored > self.most.saturating_add(self.most / 4)
    }

    /// Drops the findings over the limit from these outcomes, which are all that were added, in the order of
    /// the report.
    pub fn keep<'o>(&mut self, outcomes: impl Iterator<Item = &'o mut Outcome>) {
        if self.most == 0 || self.stored <= self.most {
            return;
        }
        let mut outcomes: Vec<&mut Outcome> = outcomes.collect();
        for severity in ORDER {
            for outcome in outcomes.iter_mut().rev() {
                let excess = self.stored.saturating_sub(self.most);
                if excess == 0 {
                    return;
                }
                self.stored = self.stored.saturating_sub(outcome.drop_last(severity, excess));
            }
        }
    }
}

impl Outcome {
    /// The number of its stored findings, including those of nested documents.
    fn stored(&self) -> usize {
        let inside = self.inside.iter().map(Outcome::stored).fold(0, usize::saturating_add);
        inside.saturating_add(self.checked.diagnostics.len())
    }

    /// Drops the last findings of a severity, at most `most`, and returns their number.
    fn drop_last(&mut self, severity: Severity, most: usize) -> usize {
        let mut dropped: usize = 0;
        for inside in self.inside.iter_mut().rev() {
            dropped = dropped.saturating_add(inside.drop_last(severity, most.saturating_sub(dropped)));
        }
        let (groups, diagnostics) = (&mut self.checked.groups, &mut self.checked.diagnostics);
        let own = drop_last(diagnostics, severity, most.saturating_sub(dropped), &mut |found| {
            let group = Code::find(&found.code).and_then(|code| groups.get_mut(&(code, severity)));
            if let Some((_, stored)) = group {
                *stored = stored.saturating_sub(1);
            }
        });
        dropped.saturating_add(own)
    }
}

/// Drops the last findings of a severity, at most `most`, calls back for each, and returns their number.
fn drop_last(
    diagnostics: &mut Vec<Diagnostic>,
    severity: Severity,
    most: usize,
    tell: &mut dyn FnMut(&Diagnostic),
) -> usize {
    let is_own = |found: &Diagnostic| found.severity == severity;
    let there = diagnostics.iter().filter(|found| is_own(found)).count();
    let (mut left, before) = (there.saturating_sub(most), diagnostics.len());
    if there == 0 || most == 0 {
        return 0;
    }
    diagnostics.retain(|found| {
        let stays = !is_own(found) || left > 0;
        if stays && is_own(found) {
            left = left.saturating_sub(1);
        }
        if !stays {
            tell(found);
        }
        stays
    });
    diagnostics.shrink_to_fit();
    before.saturating_sub(diagnostics.len())
}

/// Collects the findings of a run for its report.
#[derive(Debug)]
pub(super) struct Stored {
    most: usize,
    pub(super) list: Vec<Diagnostic>,
    /// The number of dropped findings by input, code and severity.
    pub(super) dropped: BTreeMap<(u64, String, Severity), u64>,
}

impl Stored {
    pub(super) fn new(max_per_rule: u64) -> Stored {
        Stored { most: FindingBudget::new(max_per_rule).most, list: Vec::new(), dropped: BTreeMap::new() }
    }

    /// Adds findings, and occasionally drops those over the limit.
    pub(super) fn extend(&mut self, more: impl Iterator<Item = Diagnostic>) {
        self.list.extend(more);
        if self.list.len() > self.most.saturating_add(self.most / 4) {
            self.keep();
        }
    }

    /// Drops the findings over the limit.
    pub(super) fn keep(&mut self) {
        let Stored { most, list, dropped } = self;
        for severity in ORDER.iter().filter(|_| *most != 0) {
            let excess = list.len().saturating_sub(*most);
            drop_last(list, *severity, excess, &mut |found| {
                let key = (found.input, found.code.clone(), found.severity);
                let count: &mut u64 = dropped.entry(key).or_default();
                *count = count.saturating_add(1);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;
    use crate::{
        report::Report,
        validate::{InputOrigin, Options, Run, Validation},
    };

    /// A list with a hundred errors, or a hundred warnings.
    fn outcome(options: &Options, number: usize, is_wrong: bool) -> Outcome {
        let mut text = String::from(
            r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:ln rel="up" href="http://example.com/capabilitylist.xml"/><rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>"#,
        );
        for entry in 0..100 {
            text += &match is_wrong {
                true => format!("<url><loc>wrong {entry}</loc></url>"),
                false => format!("<url x='y'><loc>http://example.com/{entry}</loc></url>"),
            };
        }
        let mut validation = Validation::new(options, InputOrigin::named(format!("{number}.xml")));
        validation.push((text + "</urlset>").as_bytes());
        validation.finish()
    }

    fn report(options: &Options, count: usize) -> Report {
        let mut run = Run::new(options);
        (0..count).for_each(|number| run.add(outcome(options, number, number % 10 == 9)));
        run.finish()
    }

    #[test]
    fn a_run_stores_ten_thousand_findings_errors_first_and_counts_all() {
        let report = report(&Options::default(), 150);
        assert_eq!((report.summary.errors, report.summary.warnings), (1_500, 13_500));
        assert_eq!((report.summary.stored, report.diagnostics.len()), (10_000, 10_000));
        let kept = |severity| report.diagnostics.iter().filter(|found| found.severity == severity).count();
        assert_eq!((kept(Severity::Error), kept(Severity::Warning)), (1_500, 8_500));
        // The first warnings are kept.
        let last =
            report.diagnostics.iter().rfind(|found| found.severity == Severity::Warning).map(|found| found.input);
        assert_eq!(last, Some(93));
        assert_eq!(report.groups.iter().map(|group| group.stored).sum::<u64>(), 10_000);
        assert_eq!(report.groups.iter().map(|group| group.count).sum::<u64>(), 15_000);
    }

    #[test]
    fn without_a_bound_everything_is_stored() {
        let options = Options { max_per_rule: 0, ..Options::default() };
        assert_eq!(report(&options, 150).summary.stored, 15_000);
    }

    #[test]
    fn what_waits_for_its_turn_can_be_kept_to_the_bound_too() {
        let options = Options::default();
        let mut waiting: Vec<Outcome> = Vec::new();
        let mut bound = FindingBudget::new(options.max_per_rule);
        for number in 0..150 {
            waiting.push(outcome(&options, number, number % 10 == 9));
            bound.add(&waiting[number]);
            if bound.is_exceeded() {
                bound.keep(waiting.iter_mut());
            }
        }
        assert!(waiting.iter().map(Outcome::stored).sum::<usize>() <= 12_500);
        let mut run = Run::new(&options);
        waiting.into_iter().for_each(|outcome| run.add(outcome));
        assert_eq!(run.finish().to_json(), report(&options, 150).to_json());
    }
}
