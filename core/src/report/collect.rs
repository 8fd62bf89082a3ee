//! Collects the findings of one input: counts all, stores some.

use alloc::{
    borrow::Cow,
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};
use core::hash::Hasher;

use siphasher::sip::SipHasher13;

use super::{Diagnostic, Excerpt, Lang, RelatedPlace, Selection, help, i18n::for_report, message};
use crate::{
    diagnostic::{Arg, Code, EntryRef, Finding, Level, Reason, Severity, Sink},
    rules::Rule,
};

/// The findings of one input.
#[derive(Debug)]
pub struct Collector<'a> {
    selection: Cow<'a, Selection>,
    /// How many findings are kept for each code and severity; 0 keeps all.
    max_per_rule: u64,
    groups: BTreeMap<(Code, Severity), (u64, u64)>,
    suppressed: BTreeMap<(Code, Severity), (u64, u64)>,
    /// Whether a limit prevented a check, reported or not.
    limited: bool,
    /// Stored findings that have no excerpt yet.
    fresh: Vec<(Finding, Severity)>,
}

/// The result of one input.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// Counted and kept, by code and severity.
    pub groups: BTreeMap<(Code, Severity), (u64, u64)>,
    /// Counted and filtered out, by code and the severity they would have; none of them is kept.
    pub suppressed: BTreeMap<(Code, Severity), (u64, u64)>,
    /// The stored findings, sorted: those without a position first, then by offset, then by code.
    pub diagnostics: Vec<Diagnostic>,
}

impl<'a> Collector<'a> {
    /// Creates an empty collector.
    pub fn new(selection: &'a Selection, max_per_rule: u64) -> Collector<'a> {
        Collector::of(Cow::Borrowed(selection), max_per_rule)
    }

    /// Creates an empty collector with a borrowed or owned selection.
    pub(crate) fn of(selection: Cow<'a, Selection>, max_per_rule: u64) -> Collector<'a> {
        let (groups, suppressed) = (BTreeMap::new(), BTreeMap::new());
        Collector { selection, max_per_rule, groups, suppressed, limited: false, fresh: Vec::new() }
    }

    /// Whether a limit prevented a check, even if a filter removed the finding.
    pub fn is_limited(&self) -> bool {
        self.limited
    }

    /// The number of findings by code so far.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (Code, Severity, u64)> {
        self.groups.iter().map(|((code, severity), (count, _))| (*code, *severity, *count))
    }

    /// Findings kept since the last call, with their severity.
    pub fn take_fresh(&mut self) -> Vec<(Finding, Severity)> {
        core::mem::take(&mut self.fresh)
    }

    /// Ends counting; `diagnostics` are made from the findings that [`Collector::take_fresh`] returned.
    pub fn finish(self, mut diagnostics: Vec<Diagnostic>) -> Checked {
        sort(&mut diagnostics);
        // A run over many inputs keeps many of these until its end.
        diagnostics.shrink_to_fit();
        Checked { groups: self.groups, suppressed: self.suppressed, diagnostics }
    }

    fn is_full(&self, count: u64) -> bool {
        self.max_per_rule != 0 && count >= self.max_per_rule
    }
}

impl Sink for Collector<'_> {
    fn found(&mut self, finding: Finding) {
        self.limited |= finding.code.is_limit();
        let severity = match self.selection.rating(&finding) {
            Ok(severity) => severity,
            Err(severity) => {
                let (count, _) = self.suppressed.entry((finding.code, severity)).or_default();
                *count = count.saturating_add(1);
                return;
            }
        };
        let key = (finding.code, severity);
        let stored = self.groups.get(&key).map_or(0, |(_, stored)| *stored);
        let kept = !self.is_full(stored);
        let group = self.groups.entry(key).or_default();
        group.0 = group.0.saturating_add(1);
        if kept {
            group.1 = group.1.saturating_add(1);
            self.fresh.push((finding, severity));
        }
    }

    fn wants(&self, finding: &Finding) -> bool {
        let Some(severity) = self.selection.severity(finding) else { return false };
        self.groups.get(&(finding.code, severity)).is_none_or(|(_, stored)| !self.is_full(*stored))
    }
}

/// Sorts findings by input, position and code; those with equal ones keep their order.
pub(crate) fn sort(diagnostics: &mut [Diagnostic]) {
    let offset = |diagnostic: &Diagnostic| diagnostic.span.map(|span| span.offset);
    let place = |code: &str| Code::find(code).map(Code::index);
    diagnostics.sort_by_cached_key(|diagnostic| (diagnostic.input, offset(diagnostic), place(&diagnostic.code)));
}

/// Renders a finding.
pub(crate) fn diagnostic(finding: &Finding, severity: Severity, excerpt: Option<Excerpt>) -> Diagnostic {
    let requirement = finding.code.requirement();
    let (args, cause) = values(finding);
    let path = finding.path.as_ref().map(ToString::to_string);
    let entry = finding.entry.clone();
    Diagnostic {
        code: finding.code.id().into(),
        rule: Rule::of(finding.code).name.into(),
        severity,
        level: requirement.level.map(|level| Level::as_str(level).into()),
        derived: requirement.level.map(|_| requirement.derived),
        message: message(finding.code, &args, Lang::En),
        help: help(finding.code, &args, Lang::En),
        section: requirement.section.map(Into::into),
        input: 0,
        span: finding.span.map(Into::into),
        fingerprint: fingerprint(finding.code.id(), &args, path.as_deref(), entry.as_ref()),
        path,
        entry,
        excerpt,
        related: finding
            .related
            .iter()
            .map(|related| RelatedPlace { role: related.role.into(), input: 0, span: related.span.into() })
            .collect(),
        args,
        cause,
    }
}

/// The arguments of a finding by name, with a reason as text, and that reason with its code and arguments.
pub(crate) fn values(finding: &Finding) -> (BTreeMap<String, Arg>, Option<Reason>) {
    let (mut values, mut cause) = (BTreeMap::new(), None);
    for (name, arg) in &finding.args {
        let value = match arg {
            Arg::Reason(reason) => {
                let (text, own) = for_report(reason.clone());
                cause = own;
                Arg::Text(text)
            }
            other => other.clone(),
        };
        values.insert(name.to_string(), value);
    }
    (values, cause)
}

/// A fingerprint that is equal for the same problem of the same entry, even if lines and entries moved.
pub(super) fn fingerprint(
    code: &str,
    args: &BTreeMap<String, Arg>,
    path: Option<&str>,
    entry: Option<&EntryRef>,
) -> String {
    let mut hasher = SipHasher13::new();
    let mut part = |text: &str| {
        hasher.write(text.as_bytes());
        hasher.write_u8(0xff);
    };
    part(code);
    // Entries are identified by URI, since numbers would change with every insertion.
    path.unwrap_or("").split('[').enumerate().for_each(|(at, piece)| {
        part(if at == 0 { piece } else { piece.split_once(']').map_or("", |(_, rest)| rest) });
    });
    part(entry.and_then(|entry| entry.loc.as_deref()).unwrap_or(""));
    for (name, arg) in args {
        let value = match arg {
            Arg::Text(text) => Cow::Borrowed(text.as_str()),
            Arg::Number(number) => Cow::Owned(number.to_string()),
            Arg::Reason(reason) => Cow::Owned(reason.to_string()),
        };
        part(name);
        part(&value);
    }
    alloc::format!("{:016x}", hasher.finish())
}
