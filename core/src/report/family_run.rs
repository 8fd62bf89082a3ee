//! The report of a run whose findings are those of a family.

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    Diagnostic, FORMAT, FORMAT_VERSION, Family, FamilyRule, FamilySelection, Group, Input, Lang, Report, RunInfo,
    RunOptions, Status, Summary, Times, Tool, Verdict, Via, collect::fingerprint, for_report, sort,
};
use crate::{
    diagnostic::{Arg, EntryRef, Level, Reason, Severity},
    model::Kind,
    span::Span,
};

/// Maximum findings stored by the report of a run.
const MOST: usize = 10_000;
/// The same if all findings are requested: inputs are not limited in number and size.
const MOST_OF_ALL: usize = 200_000;

/// A finding of a family.
#[derive(Debug, Clone)]
pub struct FamilyFinding {
    /// The rule.
    pub rule: &'static FamilyRule,
    /// A severity below that of the rule, where the evidence is weaker.
    pub lowered: Option<Severity>,
    /// Its position.
    pub span: Option<Span>,
    /// The entry that it is about.
    pub entry: Option<EntryRef>,
    /// The arguments of its message.
    pub args: BTreeMap<String, Arg>,
}

/// Counts the findings of one input, and keeps some.
#[derive(Debug, Clone)]
pub struct FamilyFindings {
    family: Family,
    selection: FamilySelection,
    /// How many findings are kept for each code and severity; 0 keeps all.
    max_per_rule: u64,
    groups: BTreeMap<(&'static str, Severity), (u64, u64)>,
    suppressed: BTreeMap<(&'static str, Severity), u64>,
    kept: Vec<Diagnostic>,
}

impl FamilyFindings {
    /// No findings.
    pub fn new(family: Family, selection: &FamilySelection, max_per_rule: u64) -> FamilyFindings {
        let (groups, suppressed, kept) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        FamilyFindings { family, selection: selection.clone(), max_per_rule, groups, suppressed, kept }
    }

    /// Adds a finding.
    pub fn add(&mut self, finding: &FamilyFinding) {
        let rule = finding.rule;
        let severity = match self.selection.rating(rule, finding.lowered) {
            Ok(severity) => severity,
            Err(severity) => {
                let count = self.suppressed.entry((rule.id, severity)).or_default();
                *count = count.saturating_add(1);
                return;
            }
        };
        let (count, stored) = self.groups.entry((rule.id, severity)).or_default();
        *count = count.saturating_add(1);
        let most = if self.max_per_rule == 0 { MOST_OF_ALL as u64 } else { self.max_per_rule };
        if *stored < most {
            *stored = stored.saturating_add(1);
            self.kept.push(diagnostic(self.family, finding, severity));
        }
    }

    /// True if there is a finding of this code, reported or not.
    pub fn has_code(&self, code: &str) -> bool {
        self.groups.keys().map(|(own, _)| own).chain(self.suppressed.keys().map(|(own, _)| own)).any(|own| *own == code)
    }

    /// True if there is a finding of this severity.
    pub fn has(&self, severity: Severity) -> bool {
        self.groups.keys().any(|(_, own)| *own == severity)
    }
}

fn diagnostic(family: Family, finding: &FamilyFinding, severity: Severity) -> Diagnostic {
    let rule = finding.rule;
    let mut args = finding.args.clone();
    let mut cause = None;
    for value in args.values_mut() {
        if let Arg::Reason(reason) = value {
            let (text, own) = for_report(reason.clone());
            cause = own;
            *value = Arg::Text(text);
        }
    }
    Diagnostic {
        code: rule.id.into(),
        rule: rule.name.into(),
        severity,
        level: rule.level.map(|level| Level::as_str(level).into()),
        derived: rule.level.map(|_| rule.derived),
        message: family.message(rule, &args, Lang::En),
        help: rule.help(&args, Lang::En),
        section: rule.section.map(Into::into),
        input: 0,
        span: finding.span.map(Into::into),
        path: None,
        fingerprint: fingerprint(rule.id, &args, None, finding.entry.as_ref()),
        entry: finding.entry.clone(),
        excerpt: None,
        related: Vec::new(),
        args,
        cause,
    }
}

/// One input of a run.
#[derive(Debug, Clone)]
pub struct FamilyInput {
    /// Its name.
    pub name: String,
    /// Its URI.
    pub uri: Option<String>,
    /// How it was found.
    pub via: Via,
    /// Its kind.
    pub kind: Kind,
    /// Entries read.
    pub entries: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Why it could not be checked.
    pub unread: Option<Reason>,
}

/// Makes the report of a run, input by input.
#[derive(Debug)]
pub struct FamilyRun {
    family: Family,
    profile: &'static str,
    most: usize,
    subject: Option<String>,
    stopped_by: Option<String>,
    inputs: Vec<Input>,
    findings: Vec<FamilyFindings>,
}

impl FamilyRun {
    /// A run without inputs.
    pub fn new(family: Family, selection: &FamilySelection, max_per_rule: u64) -> FamilyRun {
        let most = if max_per_rule == 0 { MOST_OF_ALL } else { MOST };
        let profile = selection.profile().as_str();
        FamilyRun { family, profile, most, subject: None, stopped_by: None, inputs: Vec::new(), findings: Vec::new() }
    }

    /// A run whose inputs are responses of this service.
    #[must_use]
    pub fn about(mut self, subject: &str) -> FamilyRun {
        self.subject = Some(subject.to_string());
        self
    }

    /// Adds an input and returns its number.
    pub fn add(&mut self, input: FamilyInput, findings: FamilyFindings) -> u64 {
        let id = self.inputs.len() as u64;
        let FamilyInput { name, uri, via, kind, entries, bytes, unread } = input;
        let verdict = if unread.is_some() { Verdict::Undetermined } else { Verdict::Valid };
        let (reason, cause) = unread.map(for_report).map_or((None, None), |(text, cause)| (Some(text), cause));
        self.inputs.push(Input {
            id,
            parent: None,
            name,
            uri,
            via,
            kind,
            entries,
            bytes,
            verdict,
            reason,
            cause,
            closed: None,
            times: Times::default(),
        });
        self.findings.push(findings);
        id
    }

    /// The findings of an earlier input, to add what a later one shows.
    pub fn findings(&mut self, input: u64) -> Option<&mut FamilyFindings> {
        usize::try_from(input).ok().and_then(|at| self.findings.get_mut(at))
    }

    /// Marks the run as stopped before its end, with the reason.
    pub fn stopped(&mut self, by: &str) {
        self.stopped_by = Some(by.to_string());
    }

    /// Returns the report.
    pub fn finish(mut self) -> Report {
        let mut summary = Summary { inputs: self.inputs.len() as u64, ..Summary::default() };
        let (mut groups, mut suppressed, mut diagnostics) = (Vec::new(), Vec::new(), Vec::new());
        for (input, own) in self.inputs.iter_mut().zip(self.findings) {
            if own.has(Severity::Error) {
                input.verdict = Verdict::Invalid;
            }
            summary.entries = summary.entries.saturating_add(input.entries);
            summary.bytes = summary.bytes.saturating_add(input.bytes);
            for ((code, severity), (count, stored)) in own.groups {
                let total = match severity {
                    Severity::Error => &mut summary.errors,
                    Severity::Warning => &mut summary.warnings,
                    Severity::Info => &mut summary.infos,
                };
                *total = total.saturating_add(count);
                groups.push(Group { code: code.into(), severity, input: input.id, count, stored });
            }
            for ((code, severity), count) in own.suppressed {
                summary.suppressed = summary.suppressed.saturating_add(count);
                suppressed.push(Group { code: code.into(), severity, input: input.id, count, stored: 0 });
            }
            diagnostics.extend(own.kept.into_iter().map(|own| Diagnostic { input: input.id, ..own }));
        }
        keep(&mut diagnostics, &mut groups, self.most);
        sort(&mut diagnostics);
        summary.stored = diagnostics.len() as u64;
        let worst = self.inputs.iter().map(|input| input.verdict).fold(Verdict::Valid, Verdict::max);
        let is_whole = self.stopped_by.is_none() && !self.inputs.is_empty();
        let mut report = Report {
            format: FORMAT.to_string(),
            format_version: FORMAT_VERSION,
            tool: Tool::this(),
            run: RunInfo {
                status: if self.stopped_by.is_none() { Status::Completed } else { Status::Stopped },
                stopped_by: self.stopped_by,
                profile: self.profile.to_string(),
                configuration: None,
                options: RunOptions::default(),
                baseline: false,
                subject: self.subject,
                family: Some(self.family.name.to_string()),
            },
            verdict: if is_whole { worst } else { worst.max(Verdict::Undetermined) },
            after_filters: false,
            summary,
            inputs: self.inputs,
            skipped: Vec::new(),
            sets: Vec::new(),
            groups,
            suppressed,
            diagnostics,
            family: self.family,
        };
        report.mark_filtered();
        report
    }
}

/// Drops the findings over the limit, the mildest and last ones first.
fn keep(diagnostics: &mut Vec<Diagnostic>, groups: &mut [Group], most: usize) {
    if diagnostics.len() <= most {
        return;
    }
    let mut places: Vec<usize> = (0..diagnostics.len()).collect();
    places.sort_by_key(|at| diagnostics.get(*at).map(|found| core::cmp::Reverse(found.severity)));
    let mut is_kept = alloc::vec![false; diagnostics.len()];
    for at in places.into_iter().take(most) {
        is_kept.get_mut(at).into_iter().for_each(|kept| *kept = true);
    }
    let mut kept = is_kept.into_iter();
    diagnostics.retain(|found| {
        let stays = kept.next().unwrap_or(false);
        let is_own = |group: &&mut Group| {
            group.input == found.input && group.code == found.code && group.severity == found.severity
        };
        if let (false, Some(group)) = (stays, groups.iter_mut().find(is_own)) {
            group.stored = group.stored.saturating_sub(1);
        }
        stays
    });
}
