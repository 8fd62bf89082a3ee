//! A run: the outcomes of inputs, merged into one report.

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
};

use super::{InputOrigin, Options, Outcome, parts::Parts};
use crate::{
    diagnostic::{Code, Reason, Severity},
    model::Kind,
    report::{
        Checked, Diagnostic, Group, Input, Report, ResourceSet, RunInfo, Skipped, Status, Times, Verdict, Via,
        for_report, merged, sort,
    },
    value::to_hex,
};

/// Merges the outcomes of inputs into a report, in the order they are added.
///
/// At most 10,000 findings are stored for all inputs together, unless `max_per_rule` is 0; infos are dropped before warnings,
/// warnings before errors, and later findings before earlier ones.
#[derive(Debug)]
pub struct Run {
    info: RunInfo,
    parts: Parts,
    /// True once findings were added to earlier inputs.
    is_across: bool,
    /// The best possible verdict.
    best: Verdict,
}

impl Run {
    /// Creates a run without inputs.
    pub fn new(options: &Options) -> Run {
        Run {
            info: RunInfo {
                status: Status::Completed,
                stopped_by: None,
                profile: options.profile.as_str().to_string(),
                configuration: None,
                options: options.for_report(),
                baseline: false,
                subject: None,
                family: None,
            },
            parts: Parts::new(options.max_per_rule),
            is_across: false,
            best: Verdict::Valid,
        }
    }

    /// Adds the outcome of an input. A foreign file in a folder is only listed as skipped.
    pub fn add(&mut self, outcome: Outcome) {
        let _ = self.add_input(outcome);
    }

    /// The same; returns the number of the input in the report.
    pub(super) fn add_input(&mut self, outcome: Outcome) -> Option<u64> {
        if let (Via::Folder, Some(reason)) = (outcome.origin.via, &outcome.foreign) {
            self.skip(outcome.origin.name, reason.clone());
            return None;
        }
        Some(self.add_below(outcome, None))
    }

    /// Adds an outcome below another input and returns its number.
    pub(crate) fn add_below(&mut self, outcome: Outcome, parent: Option<u64>) -> u64 {
        let id = self.parts.inputs.len() as u64;
        let has_error = outcome.checked.groups.keys().any(|(_, severity)| *severity == Severity::Error);
        self.count(id, &outcome.checked);
        let summary = &mut self.parts.summary;
        summary.entries = summary.entries.saturating_add(outcome.entries);
        summary.bytes = summary.bytes.saturating_add(outcome.bytes);
        self.parts.stored.extend(outcome.checked.diagnostics.into_iter().map(|mut diagnostic| {
            diagnostic.input = id;
            diagnostic.related.iter_mut().for_each(|related| related.input = id);
            diagnostic
        }));
        self.parts.inputs.push(Input {
            id,
            parent,
            name: outcome.origin.name,
            uri: outcome.origin.uri,
            via: outcome.origin.via,
            kind: outcome.kind,
            entries: outcome.entries,
            bytes: outcome.bytes,
            verdict: match (has_error, outcome.incomplete) {
                (true, _) => Verdict::Invalid,
                (false, true) => Verdict::Undetermined,
                (false, false) => Verdict::Valid,
            },
            reason: None,
            cause: None,
            closed: outcome
                .summary
                .as_ref()
                .and_then(|summary| summary.closed())
                .map(|digest| alloc::format!("sha-256:{}", to_hex(&digest))),
            times: outcome.times,
        });
        for inside in outcome.inside {
            self.add_below(inside, Some(id));
        }
        id
    }

    /// Adds an input that was not read, with the reason.
    pub(crate) fn add_skipped(&mut self, origin: InputOrigin, kind: Kind, parent: Option<u64>, reason: Reason) {
        let (reason, cause) = for_report(reason);
        self.parts.inputs.push(Input {
            id: self.parts.inputs.len() as u64,
            parent,
            name: origin.name,
            uri: origin.uri,
            via: origin.via,
            kind,
            entries: 0,
            bytes: 0,
            verdict: Verdict::Undetermined,
            reason: Some(reason),
            cause,
            closed: None,
            times: Times::default(),
        });
    }

    /// Adds findings across documents to an earlier input. Positions in other inputs have their numbers.
    pub(crate) fn add_cross_findings(&mut self, id: u64, checked: Checked) {
        let has_error = checked.groups.keys().any(|(_, severity)| *severity == Severity::Error);
        self.is_across = true;
        self.count(id, &checked);
        let found = checked.diagnostics.into_iter();
        self.parts.stored.extend(found.map(|diagnostic| Diagnostic { input: id, ..diagnostic }));
        let input = usize::try_from(id).ok().and_then(|id| self.parts.inputs.get_mut(id));
        if let Some(input) = input.filter(|_| has_error) {
            input.verdict = Verdict::Invalid;
        }
    }

    /// Adds the summary of a set of resources.
    pub(crate) fn set(&mut self, set: ResourceSet) {
        self.parts.sets.push(set);
    }

    /// Counts findings of an input.
    fn count(&mut self, id: u64, checked: &Checked) {
        let Parts { summary, groups: counted, suppressed, .. } = &mut self.parts;
        for group in groups(id, &checked.groups) {
            let total = match group.severity {
                Severity::Error => &mut summary.errors,
                Severity::Warning => &mut summary.warnings,
                Severity::Info => &mut summary.infos,
            };
            *total = total.saturating_add(group.count);
            summary.stored = summary.stored.saturating_add(group.stored);
            counted.push(group);
        }
        for group in groups(id, &checked.suppressed) {
            summary.suppressed = summary.suppressed.saturating_add(group.count);
            suppressed.push(group);
        }
    }

    /// Lists a foreign file as skipped.
    pub fn skip(&mut self, name: impl Into<String>, reason: Reason) {
        let (reason, cause) = for_report(reason);
        self.parts.skipped.push(Skipped { name: name.into(), reason, cause });
    }

    /// Marks the run as stopped before its end.
    pub fn stopped(&mut self, by: &str) {
        self.info.status = Status::Stopped;
        self.info.stopped_by = Some(by.to_string());
    }

    /// States that no document of a Source was read, so that nothing is valid.
    pub(crate) fn has_no_source(&mut self) {
        self.best = Verdict::Undetermined;
    }

    /// Returns the report.
    pub fn finish(self) -> Report {
        let Run { info, mut parts, is_across, best } = self;
        let worst = parts.inputs.iter().map(|input| input.verdict).fold(best, Verdict::max);
        let verdict = if info.status == Status::Completed { worst } else { worst.max(Verdict::Undetermined) };
        if is_across {
            parts.stored.keep();
            parts.groups = merged(parts.groups);
            parts.suppressed = merged(parts.suppressed);
            sort(&mut parts.stored.list);
        }
        parts.finish(info, verdict)
    }
}

/// The counts of an input as groups.
fn groups(id: u64, counts: &BTreeMap<(Code, Severity), (u64, u64)>) -> impl Iterator<Item = Group> + '_ {
    counts.iter().map(move |((code, severity), (count, stored))| Group {
        code: code.id().to_string(),
        severity: *severity,
        input: id,
        count: *count,
        stored: *stored,
    })
}
