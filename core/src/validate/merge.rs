//! Merges reports: the report of these reports, in this order, is that of one run over their inputs.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::{String, ToString},
};
use core::fmt;

use super::{options::MAX_PER_RULE, parts::Parts};
use crate::{
    diagnostic::{Code, Severity},
    report::{Group, Input, Lang, Report, RunInfo, Status, Summary, Tool, Verdict, Via, visible},
};

/// Merges reports of `validate` into the report of one run over all their inputs, in the same order: byte for byte.
///
/// It does not matter how inputs were divided into runs, or in which tree reports are merged, as long as the order is kept. What
/// is compared with each other in a run belongs in one report: a dump and its packages, the files of a folder, a whole Source.
///
/// # Errors
///
/// If there is no report, or no run could have had two of them: see [`MergeProblem`].
///
/// ```
/// use resourcesync::api::{InputOrigin, Options, Run, merge, validate};
///
/// let options = Options::default();
/// let report = |name: &str| validate(b"<urlset/>", InputOrigin::named(name), &options);
/// let merged = merge([report("a.xml"), report("b.xml")])?;
/// assert_eq!((merged.inputs[1].id, merged.inputs[1].name.as_str()), (1, "b.xml"));
/// # Ok::<(), resourcesync::api::MergeError>(())
/// ```
pub fn merge(reports: impl IntoIterator<Item = Report>) -> Result<Report, MergeError> {
    let mut merger = Merger::new();
    reports.into_iter().try_for_each(|report| merger.add(report))?;
    merger.finish()
}

/// Merges reports one by one, as [`merge()`]. It keeps the inputs, their counts, and at most 10,000 findings, unless the reports store all.
#[derive(Debug, Default)]
pub struct Merger {
    count: usize,
    merged: Option<(RunInfo, Verdict, Parts)>,
    /// Whether each input belongs to a whole Source, by its URI or name.
    known: BTreeMap<String, bool>,
}

/// Why reports cannot be merged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeError {
    /// The report that cannot be added: the number of those before it.
    pub report: usize,
    /// The problem.
    pub problem: MergeProblem,
}

/// Why a report cannot be added to others.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MergeProblem {
    /// There is no report.
    Nothing,
    /// It was made by another tool, or another version of this one.
    OtherTool {
        /// The name and version of that tool.
        tool: String,
    },
    /// Its parts do not fit together: it was changed, or it is damaged.
    Inconsistent,
    /// It contains findings about a service, such as those of `oai validate`.
    Service,
    /// The findings of a baseline were subtracted, which depends on all inputs of a run.
    Baseline,
    /// It was made with another profile, other options or another configuration than the first report.
    Differs {
        /// What differs: `profile`, `configuration`, or the name of an option.
        what: &'static str,
    },
    /// An input is in an earlier report, too, and was crawled as part of a whole Source in one of them. A run would have checked it once.
    Repeated {
        /// The URI or the name of the input.
        input: String,
    },
}

impl MergeProblem {
    /// The problem in a language.
    pub fn message(&self, lang: Lang) -> String {
        let this = Tool::this();
        match lang {
            Lang::En => match self {
                MergeProblem::Nothing => "there is no report to merge".to_string(),
                MergeProblem::OtherTool { tool } => {
                    format!(
                        "it was created by {tool}, but only reports of {} {} can be merged",
                        this.name, this.version
                    )
                }
                MergeProblem::Inconsistent => {
                    "its counts, inputs and findings do not fit together; create it again".to_string()
                }
                MergeProblem::Service => "it is about a service; only reports of validate can be merged".to_string(),
                MergeProblem::Baseline => {
                    "a baseline was subtracted from it; merge the reports first, then compare with a baseline"
                        .to_string()
                }
                MergeProblem::Differs { what } => {
                    format!("its {what} differs from that of the first report; create both with the same options")
                }
                MergeProblem::Repeated { input } => {
                    format!("`{input}` is in an earlier report, too, and was crawled with a whole Source")
                }
            },
            #[cfg(feature = "texts")]
            Lang::Ja => match self {
                MergeProblem::Nothing => "統合するレポートがない".to_string(),
                MergeProblem::OtherTool { tool } => {
                    format!("{tool} が作成したレポートで、統合できるのは {} {} のレポートだけ", this.name, this.version)
                }
                MergeProblem::Inconsistent => "件数、検証対象、指摘が一致しない。レポートの再作成が必要".to_string(),
                MergeProblem::Service => {
                    "サービスについてのレポート。統合できるのは validate のレポートだけ".to_string()
                }
                MergeProblem::Baseline => {
                    "ベースラインを差し引いたレポート。先に統合し、その後でベースラインと比較する".to_string()
                }
                MergeProblem::Differs { what } => {
                    format!("{what} が最初のレポートと異なる。同じオプションでの再作成が必要")
                }
                MergeProblem::Repeated { input } => {
                    format!("`{input}` は先のレポートにも含まれ、ソース全体の一部として検証されている")
                }
            },
        }
    }
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problem {
            MergeProblem::Nothing => f.write_str(&self.problem.message(Lang::En)),
            _ => {
                let number = self.report.saturating_add(1);
                write!(f, "report {number} cannot be merged: {}", self.problem.message(Lang::En))
            }
        }
    }
}

impl core::error::Error for MergeError {}

impl Merger {
    /// Creates a merger without reports.
    pub fn new() -> Merger {
        Merger::default()
    }

    /// Adds the next report.
    ///
    /// # Errors
    ///
    /// As [`merge()`]. The report was not added, and the others are as they were.
    pub fn add(&mut self, report: Report) -> Result<(), MergeError> {
        self.check(&report).map_err(|problem| MergeError { report: self.count, problem })?;
        for (input, is_crawled) in report.inputs.iter().zip(crawled(&report.inputs)) {
            *self.known.entry(identity(input).to_string()).or_default() |= is_crawled;
        }
        let max_per_rule = report.run.options.max_per_rule.unwrap_or(MAX_PER_RULE);
        let first = (report.run.clone(), Verdict::Valid, Parts::new(max_per_rule));
        let (run, verdict, parts) = self.merged.get_or_insert(first);
        if rank(report.run.status) > rank(run.status) {
            (run.status, run.stopped_by) = (report.run.status, report.run.stopped_by.clone());
        }
        *verdict = (*verdict).max(report.verdict);
        parts.append(report);
        self.count = self.count.saturating_add(1);
        Ok(())
    }

    fn check(&self, report: &Report) -> Result<(), MergeProblem> {
        if report.tool != Tool::this() {
            return Err(MergeProblem::OtherTool { tool: visible_tool(&report.tool) });
        }
        let is_foreign = |group: &Group| Code::find(&group.code).is_none();
        let is_foreign = report.run.family.is_some() || report.groups.iter().chain(&report.suppressed).any(is_foreign);
        if report.run.subject.is_some() || is_foreign {
            return Err(MergeProblem::Service);
        }
        if report.run.baseline {
            return Err(MergeProblem::Baseline);
        }
        if !is_consistent(report) {
            return Err(MergeProblem::Inconsistent);
        }
        if let Some((run, ..)) = &self.merged
            && let Some(what) = difference(run, &report.run)
        {
            return Err(MergeProblem::Differs { what });
        }
        let repeated = report.inputs.iter().zip(crawled(&report.inputs)).find(|(input, is_crawled)| {
            self.known.get(identity(input)).is_some_and(|was_crawled| *is_crawled || *was_crawled)
        });
        match repeated {
            Some((input, _)) => Err(MergeProblem::Repeated { input: visible(identity(input)) }),
            None => Ok(()),
        }
    }

    /// Returns the report of all reports.
    ///
    /// # Errors
    ///
    /// If none was added.
    pub fn finish(self) -> Result<Report, MergeError> {
        match self.merged {
            Some((run, verdict, parts)) => Ok(parts.finish(run, verdict)),
            None => Err(MergeError { report: 0, problem: MergeProblem::Nothing }),
        }
    }
}

impl Parts {
    /// Adds a consistent report, with the numbers that its inputs have here.
    fn append(&mut self, report: Report) {
        let first = self.inputs.len() as u64;
        let moved = |input: u64| input.saturating_add(first);
        let group = |group: Group| Group { input: moved(group.input), ..group };
        self.summary = sum(&self.summary, &report.summary);
        self.groups.extend(report.groups.into_iter().map(group));
        self.suppressed.extend(report.suppressed.into_iter().map(group));
        self.stored.extend(report.diagnostics.into_iter().map(|mut found| {
            found.input = moved(found.input);
            found.related.iter_mut().for_each(|related| related.input = moved(related.input));
            found
        }));
        self.sets.extend(report.sets.into_iter().map(|mut set| {
            set.input = moved(set.input);
            set
        }));
        self.inputs.extend(report.inputs.into_iter().map(|input| Input {
            id: moved(input.id),
            parent: input.parent.map(moved),
            ..input
        }));
        self.skipped.extend(report.skipped);
    }
}

/// The order of importance.
fn rank(status: Status) -> u8 {
    match status {
        Status::Completed => 0,
        Status::Stopped => 1,
        Status::Failed => 2,
    }
}

fn visible_tool(tool: &Tool) -> String {
    visible(&format!("{} {}", tool.name, tool.version))
}

/// What one run could not have had both of.
fn difference(one: &RunInfo, other: &RunInfo) -> Option<&'static str> {
    let (own, options) = (&one.options, &other.options);
    let differs = [
        ("profile", one.profile != other.profile),
        ("configuration", one.configuration != other.configuration),
        ("max-per-rule", own.max_per_rule != options.max_per_rule),
        ("select", set(&own.select) != set(&options.select)),
        ("ignore", set(&own.ignore) != set(&options.ignore)),
        ("severity", own.severity != options.severity),
        ("expect", own.expect != options.expect),
        ("limit", own.limits != options.limits),
        ("no-fixity", own.no_fixity != options.no_fixity),
    ];
    differs.into_iter().find_map(|(what, differs)| differs.then_some(what))
}

/// The order of filters does not matter.
fn set(names: &[String]) -> BTreeSet<&str> {
    names.iter().map(String::as_str).collect()
}

/// What identifies an input across reports.
fn identity(input: &Input) -> &str {
    input.uri.as_deref().unwrap_or(&input.name)
}

/// Whether each input was crawled as part of a whole Source: it links to another input, or another one to it. Members of packages are
/// reported with their package.
fn crawled(inputs: &[Input]) -> alloc::vec::Vec<bool> {
    let mut crawled = alloc::vec![false; inputs.len()];
    for (at, input) in inputs.iter().enumerate() {
        let parent = input.parent.filter(|_| input.via != Via::Zip).and_then(|parent| usize::try_from(parent).ok());
        for place in parent.into_iter().flat_map(|parent| [parent, at]) {
            crawled.get_mut(place).into_iter().for_each(|crawled| *crawled = true);
        }
    }
    crawled
}

/// True if every reference leads to an input, and the counts are those of the groups.
fn is_consistent(report: &Report) -> bool {
    let inputs = report.inputs.len() as u64;
    let has = |input: u64| input < inputs;
    let mut counted = Summary {
        inputs,
        suppressed: report.suppressed.iter().map(|group| group.count).fold(0, u64::saturating_add),
        stored: report.groups.iter().map(|group| group.stored).fold(0, u64::saturating_add),
        entries: report.inputs.iter().map(|input| input.entries).fold(0, u64::saturating_add),
        bytes: report.inputs.iter().map(|input| input.bytes).fold(0, u64::saturating_add),
        ..Summary::default()
    };
    for group in &report.groups {
        let total = match group.severity {
            Severity::Error => &mut counted.errors,
            Severity::Warning => &mut counted.warnings,
            Severity::Info => &mut counted.infos,
        };
        *total = total.saturating_add(group.count);
    }
    counted == report.summary
        && counted.stored == report.diagnostics.len() as u64
        && report.inputs.iter().zip(0..).all(|(input, at)| input.id == at && input.parent.is_none_or(has))
        && report.groups.iter().chain(&report.suppressed).all(|group| has(group.input) && group.stored <= group.count)
        && report.diagnostics.iter().all(|found| has(found.input) && found.related.iter().all(|place| has(place.input)))
        && report.sets.iter().all(|set| has(set.input))
        && has_its_verdicts(report)
}

/// True if the verdicts are those of the groups: an input with an error is invalid, and one that was not read is not valid.
fn has_its_verdicts(report: &Report) -> bool {
    let errors: BTreeSet<u64> =
        report.groups.iter().filter(|group| group.severity == Severity::Error).map(|group| group.input).collect();
    let has_its_verdict = |input: &Input| {
        (input.verdict == Verdict::Invalid) == errors.contains(&input.id)
            && (input.reason.is_none() || input.verdict != Verdict::Valid)
    };
    let worst = report.inputs.iter().map(|input| input.verdict).fold(Verdict::Valid, Verdict::max);
    report.inputs.iter().all(has_its_verdict)
        && (report.verdict == worst || report.verdict == worst.max(Verdict::Undetermined))
        && (report.run.status == Status::Completed || report.verdict != Verdict::Valid)
}

fn sum(one: &Summary, other: &Summary) -> Summary {
    Summary {
        errors: one.errors.saturating_add(other.errors),
        warnings: one.warnings.saturating_add(other.warnings),
        infos: one.infos.saturating_add(other.infos),
        suppressed: one.suppressed.saturating_add(other.suppressed),
        stored: one.stored.saturating_add(other.stored),
        inputs: one.inputs.saturating_add(other.inputs),
        entries: one.entries.saturating_add(other.entries),
        bytes: one.bytes.saturating_add(other.bytes),
    }
}
