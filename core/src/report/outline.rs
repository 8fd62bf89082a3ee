//! Elements shared by formats: names, messages in a language, rows by code, the verdict line.

use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    Diagnostic, FamilyWords, Group, Input, Lang, RelatedPlace, Report, Status, Verdict, Via,
    causes::causes,
    escape::visible,
    i18n::{
        labels::{Phrases, counted, fill, grouped},
        of_report, term,
    },
};
use crate::{
    diagnostic::{Arg, Code, ReasonCode, Severity},
    model::Kind,
    rules::Rule,
    xml::Detail,
};

/// A report and the options of the formats for people.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outline<'a> {
    pub report: &'a Report,
    pub lang: Lang,
    pub phrases: &'static Phrases,
}

/// One code and severity, over all inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row<'a> {
    pub code: &'a str,
    pub rule: &'a str,
    pub severity: Severity,
    pub count: u64,
    pub inputs: u64,
}

/// Maximum depth of nested inputs; a foreign report may contain cycles.
const MAX_NESTING: usize = 8;

impl<'a> Outline<'a> {
    pub(super) fn new(report: &'a Report, lang: Lang) -> Outline<'a> {
        Outline { report, lang, phrases: Phrases::of(lang) }
    }

    /// What the report calls itself.
    pub(super) fn title(&self) -> &'static str {
        self.report.family.words.map_or(self.phrases.title, |words| FamilyWords::of(words.title, self.lang))
    }

    /// The message of a finding. English is stored in the report; other languages are rendered from the arguments.
    pub(super) fn message(&self, found: &Diagnostic) -> String {
        let family = self.report.family;
        match family.find(&found.code).filter(|_| self.lang != Lang::En) {
            Some(rule) => family.message(rule, &found.values(), self.lang),
            None => found.message_in(self.lang),
        }
    }

    /// The help of a finding.
    pub(super) fn help(&self, found: &Diagnostic) -> String {
        match self.report.family.find(&found.code).filter(|_| self.lang != Lang::En) {
            Some(rule) => rule.help(&found.values(), self.lang),
            None => found.help_in(self.lang),
        }
    }

    /// `MUST (derived): Z39.99-2017 §7`, or that it is advice. Nothing for limits and what cannot be read.
    pub(super) fn origin(&self, found: &Diagnostic) -> Option<String> {
        match (&found.level, &found.section) {
            (Some(level), section) => {
                let derived = found.derived == Some(true);
                let level = if derived { fill(self.phrases.derived, &[("level", level)]) } else { level.clone() };
                Some(section.as_ref().map_or(level.clone(), |section| format!("{level}: {section}")))
            }
            (None, _) => found.code.starts_with("ADV-").then(|| self.phrases.advice.to_string()),
        }
    }

    /// `XML-24 duplicate-attribute`, where a finding has such a detail.
    pub(super) fn detail(&self, found: &Diagnostic) -> Option<String> {
        let Some(Arg::Text(code)) = found.args.get("detail") else { return None };
        let detail = Detail::ALL.iter().find(|detail| detail.code() == code)?;
        Some(format!("{} {}", detail.code(), detail.name()))
    }

    /// A related position as one line of visible text.
    pub(super) fn related(&self, found: &Diagnostic, related: &RelatedPlace) -> String {
        let (line, column) = (related.span.start.line.to_string(), related.span.start.column.to_string());
        let role = visible(self.phrases.role(&related.role));
        let name = visible(&name(self.report, related.input));
        let elsewhere = related.input != found.input;
        let template = if elsewhere { self.phrases.related_elsewhere } else { self.phrases.related };
        fill(template, &[("role", &role), ("line", &line), ("column", &column), ("name", &name)])
    }

    /// The kind of an input.
    pub(super) fn kind(&self, input: &Input) -> &'static str {
        match self.lang {
            Lang::En => input.kind.as_str(),
            #[cfg(feature = "texts")]
            Lang::Ja => input.kind.title_ja(),
        }
    }

    /// `list.xml: valid resource-list, 3 entries`, for the first inputs, then the number of further ones.
    pub(super) fn input_lines(&self, most: usize) -> Vec<String> {
        let inputs = &self.report.inputs;
        let line = |input: &'a Input| {
            let values = [
                ("name", &*visible(&name(self.report, input.id))),
                ("verdict", self.phrases.verdict(input.verdict)),
                ("kind", &*visible(self.kind(input))),
                ("entries", &*counted(self.phrases.entries, input.entries)),
            ];
            fill(self.phrases.input_line, &values)
        };
        let mut lines: Vec<String> = inputs.iter().take(most).map(line).collect();
        lines.extend(self.and_more(inputs.len().saturating_sub(most)));
        lines
    }

    /// What explains the report as a whole: the service that was checked, probable causes of broken links, and a plain sitemap that the user named.
    pub(super) fn hints(&self) -> Vec<String> {
        let subject = self.report.run.subject.iter();
        let mut hints: Vec<String> =
            subject.map(|name| fill(self.phrases.subject, &[("name", &visible(name))])).collect();
        hints.extend(causes(self.report, self.phrases));
        let is_plain = |input: &&Input| {
            input.kind == Kind::Sitemap
                && input.verdict == Verdict::Valid
                && matches!(input.via, Via::Argument | Via::Stdin)
        };
        let plain = self.report.inputs.iter().filter(is_plain).take(1);
        hints.extend(
            plain.map(|input| fill(self.phrases.plain_sitemap, &[("name", &*visible(&name(self.report, input.id)))])),
        );
        hints
    }

    /// What was not checked: undetermined inputs, and the reason why the run ended.
    pub(super) fn gaps(&self) -> Vec<String> {
        const MOST: usize = 5;
        let mut gaps = Vec::new();
        let open = |input: &&Input| input.verdict == Verdict::Undetermined;
        let count = self.report.inputs.iter().filter(open).count();
        if count > 0 {
            let names =
                self.report.inputs.iter().filter(open).take(MOST).map(|input| visible(&name(self.report, input.id)));
            let mut names = names.collect::<Vec<_>>().join(self.phrases.comma);
            if let Some(more) = self.and_more(count.saturating_sub(MOST)) {
                names.push(' ');
                names.push_str(&more);
            }
            gaps.push(fill(self.phrases.not_checked, &[("names", &names)]));
        }
        let by = self.report.run.stopped_by.as_deref().unwrap_or("?");
        let by = visible(term(by, self.lang).unwrap_or(by));
        match self.report.run.status {
            Status::Completed => {}
            Status::Stopped => gaps.push(fill(self.phrases.stopped, &[("by", &by)])),
            Status::Failed => gaps.push(fill(self.phrases.failed, &[("by", &by)])),
        }
        gaps
    }

    /// The configuration that applied, and what filters or a baseline suppressed.
    pub(super) fn filters(&self) -> Vec<String> {
        const MOST: usize = 10;
        let configuration = self.report.run.configuration.as_ref();
        let mut lines: Vec<String> = configuration
            .map(|name| fill(self.phrases.configuration, &[("name", &visible(name))]))
            .into_iter()
            .collect();
        let mut counts: BTreeMap<(core::cmp::Reverse<Severity>, (usize, &str)), u64> = BTreeMap::new();
        for group in &self.report.suppressed {
            let count = counts.entry((core::cmp::Reverse(group.severity), place(&group.code))).or_default();
            *count = count.saturating_add(group.count);
        }
        let codes = counts.iter().take(MOST).map(|((severity, (_, code)), count)| {
            let forms = match severity.0 {
                Severity::Error => self.phrases.errors,
                Severity::Warning => self.phrases.warnings,
                Severity::Info => self.phrases.infos,
            };
            let values = [("code", &*visible(code)), ("findings", &*counted(forms, *count))];
            fill(self.phrases.suppressed_code, &values)
        });
        let codes = codes.collect::<Vec<_>>().join(self.phrases.comma);
        if !codes.is_empty() {
            let more =
                self.and_more(counts.len().saturating_sub(MOST)).map_or(String::new(), |more| format!(" {more}"));
            lines.push(fill(self.phrases.suppressed_line, &[("codes", &format!("{codes}{more}"))]));
        }
        lines
    }

    /// A word for the verdict, and whether it holds only after filters.
    pub(super) fn qualified(&self, word: &str) -> String {
        let template = if self.report.after_filters { self.phrases.after_filters } else { "{verdict}" };
        fill(template, &[("verdict", word)])
    }

    /// For each reason the number of skipped files, and the names of the first ones. Notification channels have a line of their own.
    pub(super) fn skipped(&self) -> Vec<String> {
        const MOST: usize = 5;
        const REASONS: usize = 20;
        let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
        let mut channels = Vec::new();
        for skipped in &self.report.skipped {
            if skipped.cause.as_ref().is_some_and(|cause| cause.code == ReasonCode::NoHttp) {
                channels.push(&*skipped.name);
                continue;
            }
            let reason = of_report(&skipped.reason, skipped.cause.as_ref(), self.lang);
            let reason = if reasons.len() < REASONS { reason } else { self.phrases.other_reasons.to_string() };
            match reasons.iter_mut().find(|(own, _)| *own == reason) {
                Some((_, names)) => names.push(&skipped.name),
                None => reasons.push((reason, alloc::vec![&*skipped.name])),
            }
        }
        let line = |start: String, names: &[&str]| {
            let first: Vec<String> = names.iter().take(MOST).map(|name| visible(name)).collect();
            let more = self.and_more(names.len().saturating_sub(MOST)).map_or(String::new(), |more| format!(" {more}"));
            format!("{start}: {}{more}", first.join(self.phrases.comma))
        };
        let skipped = reasons.iter().map(|(reason, names)| {
            let [one, many] = self.phrases.skipped;
            let values = [("n", &*grouped(names.len() as u64)), ("reason", &*visible(reason))];
            line(fill(if names.len() == 1 { one } else { many }, &values), names)
        });
        let channels = Some(channels).filter(|channels| !channels.is_empty());
        let unasked = channels.map(|names| line(counted(self.phrases.unasked, names.len() as u64), &names));
        skipped.chain(unasked).collect()
    }

    pub(super) fn and_more(&self, count: usize) -> Option<String> {
        (count > 0).then(|| fill(self.phrases.and_more, &[("n", &grouped(count as u64))]))
    }

    /// `3 errors, 1 warning`.
    pub(super) fn findings(&self) -> String {
        let (summary, phrases) = (&self.report.summary, self.phrases);
        let counts =
            [(phrases.errors, summary.errors), (phrases.warnings, summary.warnings), (phrases.infos, summary.infos)];
        let said: Vec<String> =
            counts.into_iter().filter(|(_, count)| *count > 0).map(|(forms, count)| counted(forms, count)).collect();
        if said.is_empty() { phrases.no_findings.to_string() } else { said.join(phrases.comma) }
    }

    /// The verdict and its subject; the verdict in capitals, if the language has them.
    pub(super) fn verdict_line(&self) -> String {
        let (summary, phrases) = (&self.report.summary, self.phrases);
        let line = fill(
            phrases.verdict_line,
            &[
                ("verdict", &self.qualified(&phrases.verdict(self.report.verdict).to_uppercase())),
                ("findings", &self.findings()),
                ("inputs", &counted(phrases.inputs, summary.inputs)),
                ("entries", &counted(phrases.entries, summary.entries)),
                ("bytes", &phrases.size(summary.bytes)),
            ],
        );
        match summary.suppressed {
            0 => line,
            count => format!("{line}; {}", counted(phrases.suppressed, count)),
        }
    }

    /// The findings by code and severity: errors first, then by frequency.
    pub(super) fn rows(&self) -> Vec<Row<'a>> {
        let mut rows: BTreeMap<(&'a str, Severity), Row<'a>> = BTreeMap::new();
        for group in &self.report.groups {
            let row = rows.entry((&group.code, group.severity)).or_insert_with(|| Row {
                code: &group.code,
                rule: rule(self.report, &group.code),
                severity: group.severity,
                count: 0,
                inputs: 0,
            });
            row.count = row.count.saturating_add(group.count);
            row.inputs = row.inputs.saturating_add(1);
        }
        let mut rows: Vec<Row<'a>> = rows.into_values().collect();
        rows.sort_by_key(|row| (core::cmp::Reverse(row.severity), core::cmp::Reverse(row.count), place(row.code)));
        rows
    }

    /// The note on omitted findings, if more than `shown` are in a group.
    pub(super) fn omitted(&self, group: &Group, shown: u64) -> Option<String> {
        let more = group.count.saturating_sub(shown);
        let template = if shown < group.stored { self.phrases.hidden } else { self.phrases.not_stored };
        let values = [("more", &*grouped(more)), ("code", &*visible(&group.code)), ("shown", &*grouped(shown))];
        (more > 0).then(|| fill(template, &values))
    }
}

/// The key of a group: input, code, severity.
pub(super) type Key<'a> = (u64, &'a str, Severity);

/// Stored findings by group.
pub(super) type ByGroup<'a> = BTreeMap<Key<'a>, Vec<&'a Diagnostic>>;

/// The key of this group.
pub(super) fn key(group: &Group) -> Key<'_> {
    (group.input, &group.code, group.severity)
}

/// The key of this finding's group.
pub(super) fn key_of(found: &Diagnostic) -> Key<'_> {
    (found.input, &found.code, found.severity)
}

/// The stored findings by group, in the order of the report.
pub(super) fn by_group(report: &Report) -> ByGroup<'_> {
    let mut findings = ByGroup::new();
    for found in &report.diagnostics {
        findings.entry(key_of(found)).or_default().push(found);
    }
    findings
}

/// The index of a code in the catalogue; codes of a newer version come last.
fn place(code: &str) -> (usize, &str) {
    (Code::find(code).map_or(usize::MAX, Code::index), code)
}

/// The rule that reports a code.
pub(super) fn rule<'a>(report: &'a Report, code: &str) -> &'a str {
    match Code::find(code) {
        Some(code) => Rule::of(code).name,
        None => match report.family.find(code) {
            Some(rule) => rule.name,
            None => report.diagnostics.iter().find(|found| found.code == code).map_or("", |found| &found.rule),
        },
    }
}

/// An input by its id.
pub(super) fn input(report: &Report, id: u64) -> Option<&Input> {
    report.inputs.get(index(report, id)?)
}

/// The index of an input in `inputs`: its id, unless the report is foreign.
pub(super) fn index(report: &Report, id: u64) -> Option<usize> {
    let is_it = |at: &usize| report.inputs.get(*at).is_some_and(|input| input.id == id);
    usize::try_from(id).ok().filter(is_it).or_else(|| (0..report.inputs.len()).find(is_it))
}

/// The outermost input (a file or URI) that contains an input, or the input itself.
pub(super) fn outermost(report: &Report, id: u64) -> Option<&Input> {
    let mut current = input(report, id)?;
    for _ in 0..MAX_NESTING {
        match current.package().and_then(|parent| input(report, parent)) {
            Some(parent) => current = parent,
            None => break,
        }
    }
    Some(current)
}

/// The name of an input; `dump.zip!/manifest.xml` where it is a member of a package.
pub(super) fn name(report: &Report, id: u64) -> String {
    let Some(own) = input(report, id) else { return "?".to_string() };
    match outermost(report, id) {
        Some(outer) if outer.id != own.id && !own.name.starts_with(&*outer.name) => {
            format!("{}!/{}", outer.name, own.name)
        }
        _ => own.name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Via, sample};

    #[test]
    fn members_of_packages_are_named_after_them() {
        let mut report = sample::clean();
        report.inputs = (0..3).map(sample::input).collect();
        report.inputs[0].name = "dump.zip".into();
        report.inputs[1].parent = Some(0);
        report.inputs[1].via = Via::Zip;
        assert_eq!(name(&report, 1), "dump.zip!/list.xml");
        report.inputs[1].name = "dump.zip!/list.xml".into();
        assert_eq!(name(&report, 1), "dump.zip!/list.xml");
        report.inputs[2].parent = Some(2);
        report.inputs[2].via = Via::Zip;
        assert_eq!((name(&report, 2), name(&report, 9)), ("list.xml".into(), "?".into()));
    }

    #[test]
    fn a_code_of_a_newer_version_keeps_its_english_message() {
        let mut found = sample::digest();
        let report = sample::one();
        #[cfg(feature = "texts")]
        assert_ne!(Outline::new(&report, Lang::Ja).message(&found), found.message);
        found.code = "AT-99".into();
        #[cfg(feature = "texts")]
        assert_eq!(Outline::new(&report, Lang::Ja).message(&found), found.message);
        assert_eq!(Outline::new(&report, Lang::En).message(&found), found.message);
    }

    #[test]
    fn rows_sum_up_inputs_and_put_errors_first() {
        let mut report = sample::one();
        let group = report.groups[0].clone();
        report.groups.push(Group { input: 1, count: 4, ..group.clone() });
        report.groups.insert(0, Group { code: "AT-13".into(), severity: Severity::Info, count: 9, ..group });
        let outline = Outline::new(&report, Lang::En);
        let rows: Vec<_> = outline.rows().iter().map(|row| (row.code, row.rule, row.count, row.inputs)).collect();
        assert_eq!(rows, [("AT-07", "digest-length", 5, 2), ("AT-13", "unregistered-type", 9, 1)]);
    }
}
