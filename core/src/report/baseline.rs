//! Baselines: subtracts the findings of an earlier report.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
};

use super::{Diagnostic, Group, Report, Status, Verdict, merged, outline::name};
use crate::diagnostic::Severity;

/// Why a baseline cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BaselineError {
    /// The baseline counted more findings than it stored.
    BaselineIncomplete {
        /// Findings it stored.
        stored: u64,
        /// Findings it counted.
        counted: u64,
    },
    /// The report counted more findings than it stored.
    ReportIncomplete {
        /// Findings it stored.
        stored: u64,
        /// Findings it counted.
        counted: u64,
    },
}

impl core::fmt::Display for BaselineError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            BaselineError::BaselineIncomplete { stored, counted } => write!(
                f,
                "the baseline contains only {stored} of {counted} findings; create it again with --max-per-rule 0"
            ),
            BaselineError::ReportIncomplete { stored, counted } => write!(
                f,
                "this run stored only {stored} of {counted} findings; a comparison with a baseline needs --max-per-rule 0"
            ),
        }
    }
}

impl core::error::Error for BaselineError {}

/// Removes from a report the findings of the baseline, each as often as it occurs there.
///
/// Findings match by code and fingerprint in an input of the same name; those of inputs that no longer exist
/// (renamed or removed) may match findings of any input.
///
/// # Errors
///
/// If either stored fewer findings than it counted, since findings that were not stored cannot be compared.
pub fn subtract(report: &mut Report, baseline: &Report) -> Result<(), BaselineError> {
    if let Some((stored, counted)) = shortfall(baseline) {
        return Err(BaselineError::BaselineIncomplete { stored, counted });
    }
    if let Some((stored, counted)) = shortfall(report) {
        return Err(BaselineError::ReportIncomplete { stored, counted });
    }
    report.run.baseline = true;
    let mut known = Known::new(report, baseline);
    let names: BTreeMap<u64, String> = report.inputs.iter().map(|input| (input.id, name(report, input.id))).collect();
    let incomplete = incomplete(report);
    // Inputs of the same name are matched first, so that findings are not confused.
    let own = known.take(report, |found| Some(names.get(&found.input).cloned().unwrap_or_default()));
    let other = known.take(report, |_| None);
    if own.saturating_add(other) > 0 {
        settle(report, &incomplete);
    }
    Ok(())
}

fn shortfall(report: &Report) -> Option<(u64, u64)> {
    let summary = &report.summary;
    let counted = summary.errors.saturating_add(summary.warnings).saturating_add(summary.infos);
    let stored = report.diagnostics.len() as u64;
    (stored < counted || report.groups.iter().any(|group| group.stored < group.count)).then_some((stored, counted))
}

/// The number of each finding in the baseline: by code, fingerprint, and the input's name unless that no
/// longer exists.
struct Known(BTreeMap<(String, String, Option<String>), u64>);

impl Known {
    fn new(report: &Report, baseline: &Report) -> Known {
        let present: BTreeSet<String> = report.inputs.iter().map(|input| name(report, input.id)).collect();
        let names: BTreeMap<u64, String> =
            baseline.inputs.iter().map(|input| (input.id, name(baseline, input.id))).collect();
        let mut known = BTreeMap::new();
        for found in &baseline.diagnostics {
            let input = names.get(&found.input).cloned().unwrap_or_default();
            let input = Some(input).filter(|input| present.contains(input));
            let count: &mut u64 = known.entry((found.code.clone(), found.fingerprint.clone(), input)).or_default();
            *count = count.saturating_add(1);
        }
        Known(known)
    }

    /// Removes known findings from a report and returns their number.
    fn take(&mut self, report: &mut Report, input: impl Fn(&Diagnostic) -> Option<String>) -> u64 {
        let mut taken = 0_u64;
        let mut gone: BTreeMap<(u64, String, Severity), u64> = BTreeMap::new();
        let summary = &mut report.summary;
        report.diagnostics.retain(|found| {
            let key = (found.code.clone(), found.fingerprint.clone(), input(found));
            let Some(left) = self.0.get_mut(&key).filter(|left| **left > 0) else { return true };
            *left = left.saturating_sub(1);
            taken = taken.saturating_add(1);
            let total = match found.severity {
                Severity::Error => &mut summary.errors,
                Severity::Warning => &mut summary.warnings,
                Severity::Info => &mut summary.infos,
            };
            *total = total.saturating_sub(1);
            summary.stored = summary.stored.saturating_sub(1);
            summary.suppressed = summary.suppressed.saturating_add(1);
            let count = gone.entry((found.input, found.code.clone(), found.severity)).or_default();
            *count = count.saturating_add(1);
            false
        });
        for group in &mut report.groups {
            let gone = gone.get(&(group.input, group.code.clone(), group.severity)).copied().unwrap_or(0);
            group.count = group.count.saturating_sub(gone);
            group.stored = group.stored.saturating_sub(gone);
        }
        report.groups.retain(|group| group.count > 0);
        let more =
            gone.into_iter().map(|((input, code, severity), count)| Group { code, severity, input, count, stored: 0 });
        report.suppressed.extend(more);
        taken
    }
}

/// Inputs that were not checked to the end, whatever their verdict.
pub(super) fn incomplete(report: &Report) -> BTreeSet<u64> {
    let open = report.inputs.iter().filter(|input| input.verdict == Verdict::Undetermined).map(|input| input.id);
    // The verdict `invalid` does not show this, but these findings end the reading of a document.
    let ends =
        |code: &str| code == "GEN-01" || code == "GEN-22" || code.starts_with("LIM-") || code.starts_with("INP-");
    open.chain(report.groups.iter().filter(|group| ends(&group.code)).map(|group| group.input)).collect()
}

/// Recomputes the verdict.
fn settle(report: &mut Report, incomplete: &BTreeSet<u64>) {
    let wrong: BTreeSet<u64> =
        report.groups.iter().filter(|group| group.severity == Severity::Error).map(|group| group.input).collect();
    for input in &mut report.inputs {
        input.verdict = match (wrong.contains(&input.id), incomplete.contains(&input.id)) {
            (true, _) => Verdict::Invalid,
            (false, true) if input.verdict != Verdict::Valid => Verdict::Undetermined,
            (false, _) => Verdict::Valid,
        };
    }
    let worst = report.inputs.iter().map(|input| input.verdict).max().unwrap_or(Verdict::Valid);
    let finished = report.run.status == Status::Completed;
    report.verdict = if finished { worst } else { worst.max(Verdict::Undetermined) };
    report.suppressed = merged(core::mem::take(&mut report.suppressed));
    report.mark_filtered();
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use crate::report::sample;

    #[test]
    fn what_the_baseline_has_counts_no_more() {
        let baseline = sample::one();
        let mut report = baseline.clone();
        subtract(&mut report, &baseline).unwrap();
        assert_eq!(report.verdict, Verdict::Valid);
        assert_eq!(report.inputs[0].verdict, Verdict::Valid);
        assert_eq!((report.summary.errors, report.summary.stored, report.summary.suppressed), (0, 0, 1));
        assert!(report.groups.is_empty() && report.diagnostics.is_empty());
        assert!(report.after_filters && report.suppressed.len() == 1 && report.suppressed[0].count == 1);
    }

    #[test]
    fn the_same_finding_once_more_is_new() {
        let baseline = sample::one();
        let mut report = sample::twice();
        subtract(&mut report, &baseline).unwrap();
        assert_eq!(report.verdict, Verdict::Invalid);
        assert_eq!((report.summary.errors, report.groups[0].count, report.diagnostics.len()), (1, 1, 1));
    }

    #[test]
    fn a_finding_mended_in_one_input_does_not_excuse_another() {
        let baseline = sample::one();
        let mut report = sample::one();
        report.inputs.push(sample::input(1));
        report.inputs[1].name = "other.xml".into();
        report.diagnostics[0].input = 1;
        report.groups[0].input = 1;
        subtract(&mut report, &baseline).unwrap();
        assert_eq!(report.summary.errors, 1);
        // It matches once the input of the baseline no longer exists: it may have been renamed.
        report.inputs[0].name = "new.xml".into();
        subtract(&mut report, &baseline).unwrap();
        assert_eq!(report.summary.errors, 0);
    }

    #[test]
    fn a_document_that_ended_early_stays_undetermined() {
        let mut baseline = sample::one();
        baseline.diagnostics[0].code = "GEN-01".into();
        baseline.groups[0].code = "GEN-01".into();
        let mut report = baseline.clone();
        subtract(&mut report, &baseline).unwrap();
        assert_eq!((report.inputs[0].verdict, report.verdict), (Verdict::Undetermined, Verdict::Undetermined));
    }

    #[test]
    fn reports_that_stored_less_than_they_counted_are_refused() {
        let mut less = sample::one();
        less.summary.errors = 7;
        less.groups[0].count = 7;
        let error = subtract(&mut sample::one(), &less).unwrap_err();
        assert_eq!(error, BaselineError::BaselineIncomplete { stored: 1, counted: 7 });
        let error = subtract(&mut less, &sample::one()).unwrap_err();
        assert!(error.to_string().contains("--max-per-rule 0"), "{error}");
    }
}
