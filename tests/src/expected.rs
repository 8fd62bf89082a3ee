//! The expected report of a case: one line per finding, and for some cases the whole report.
//!
//! `BLESS=1` completes and rewrites the lines, within the findings that the case demands or allows: a report with other codes fails.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};

use resourcesync::report::{self, Lang, Report};
use serde_json::Value;

use crate::file::CaseFile;

/// If one code has more findings in one input than this, only the first has a line.
const LINES: usize = 20;

/// The keys of a case file that this module reads and writes.
pub(crate) const KEYS: [&str; 6] = ["title", "near", "verdict", "input", "must", "may"];

/// The expectations of a case.
#[derive(Debug)]
pub struct Expected {
    /// The description.
    pub title: String,
    /// `valid`, `invalid` or `undetermined`.
    pub verdict: String,
    /// Findings every validator has to report.
    pub must: Vec<Demand>,
    /// Codes of findings a validator may report in addition.
    pub may: Vec<String>,
    /// Requirements this case nearly, but not, violates.
    pub near: Vec<String>,
    /// The case file.
    path: PathBuf,
    /// True if the case is a whole Source.
    is_source: bool,
}

/// A required finding.
#[derive(Debug)]
pub struct Demand {
    /// Its code.
    pub code: String,
    /// The number of findings.
    pub count: u64,
    /// The severity, if the line has one.
    pub severity: Option<String>,
    /// The limit that the input exceeds, if the finding is about one.
    pub limit: Option<u64>,
    /// The input, if it is not the first.
    input: Option<String>,
}

impl Demand {
    /// `CODE [xN] [SEVERITY SPAN PATH] [in INPUT] …`
    fn parse(line: &str) -> Demand {
        let mut words = line.split(' ').peekable();
        let code = words.next().unwrap_or_default().to_owned();
        let count = words
            .next_if(|word| word.starts_with('x'))
            .map_or(1, |word| word[1..].parse().unwrap_or_else(|_| panic!("`{word}` in `{line}` is no count")));
        let severity = words.next_if(|word| *word != "in").map(str::to_owned);
        if severity.is_some() {
            let place = words.by_ref().take(2).count();
            assert!(place == 2, "`{line}` has severity, span and path all or none");
        }
        let input = words.next_if_eq(&"in").and_then(|_| words.next()).map(str::to_owned);
        let arguments = words.find(|word| word.starts_with('{')).and_then(|json| json.strip_prefix("{\"limit\":"));
        let limit = arguments.and_then(|rest| rest.split([',', '}']).next()?.parse().ok());
        Demand { code, count, severity, limit, input }
    }
}

impl Expected {
    pub(crate) fn read(file: &CaseFile, path: &Path, is_source: bool) -> Expected {
        Expected {
            title: file.get("title").unwrap_or_else(|| panic!("{}: no title", path.display())).into(),
            verdict: file.get("verdict").unwrap_or_else(|| panic!("{}: no verdict", path.display())).into(),
            must: file.all("must").map(Demand::parse).collect(),
            may: file.all("may").map(|line| Demand::parse(line).code).collect(),
            near: file.get("near").into_iter().flat_map(|codes| codes.split(' ')).map(str::to_owned).collect(),
            path: path.to_path_buf(),
            is_source,
        }
    }

    /// Compares a report with the expectations; the error contains every difference.
    ///
    /// # Errors
    ///
    /// If the report is not the expected one.
    ///
    /// # Panics
    ///
    /// If the case cannot be read or written.
    pub fn compare(&self, report: &Report) -> Result<(), String> {
        let value = serde_json::to_value(report).expect("a report is JSON");
        let found = Found { report: &value, is_source: self.is_source };
        self.closed_world(&found)?;
        let mut file = CaseFile::load(&self.path);
        let demanded = self.demanded(&found);
        let lines = found.lines(|place| demanded.contains_key(place), &self.may);
        let mut fields: Vec<_> =
            file.fields.iter().filter(|(key, _)| !["input", "must", "may"].contains(&key.as_str())).cloned().collect();
        fields.extend(lines);
        let bless = env::var_os("BLESS").is_some();
        if fields != file.fields {
            if !bless {
                return Err(format!(
                    "the report gives other lines; run with BLESS=1 and read them\n{}",
                    difference(&file.fields, &fields)
                ));
            }
            file.fields = fields;
            // Atomically: a case that continues this one may be reading it.
            let new = self.path.with_extension("new");
            fs::write(&new, file.to_bytes())
                .and_then(|()| fs::rename(&new, &self.path))
                .expect("the case can be written");
        }
        self.whole(report, bless)
    }

    /// Compares the report byte for byte, for the cases that have it in a file.
    fn whole(&self, report: &Report, bless: bool) -> Result<(), String> {
        let path = self.path.with_extension("report.json");
        let Ok(expected) = fs::read_to_string(&path) else { return Ok(()) };
        let json = without_version(report);
        if expected == json {
            return Ok(());
        }
        if bless {
            fs::write(&path, json).expect("the report can be written");
            return Ok(());
        }
        Err(format!("the report is not that of {}; run with BLESS=1 and read the difference", path.display()))
    }

    /// The required number of each code by input.
    fn demanded<'a>(&'a self, found: &'a Found<'_>) -> BTreeMap<Place<'a>, u64> {
        let mut demanded: BTreeMap<Place<'a>, u64> = BTreeMap::new();
        for demand in &self.must {
            let input = demand.input.as_deref().unwrap_or_else(|| found.name(0));
            *demanded.entry((&demand.code, input)).or_default() += demand.count;
        }
        demanded
    }

    /// Checks the verdict, that all required findings are present, and that there are no others except
    /// allowed ones.
    fn closed_world(&self, found: &Found<'_>) -> Result<(), String> {
        let mut problems = Vec::new();
        if found.report["verdict"] != *self.verdict {
            problems.push(format!("the verdict is {}, not {}", found.report["verdict"], self.verdict));
        }
        let (demanded, counts) = (self.demanded(found), found.counts());
        for ((code, input), count) in &counts {
            let is_right = match demanded.get(&(*code, *input)) {
                Some(wanted) => wanted == count,
                None => self.may.iter().any(|may| may == code),
            };
            if !is_right {
                let first = found.first(code, input).map_or(String::new(), |own| {
                    format!(": {}: {}", found.line(own, None), own["message"].as_str().unwrap_or_default())
                });
                problems.push(format!("{count} × {code} in {input}{first}"));
            }
        }
        let related = list(found.report, "diagnostics").iter().flat_map(|own| list(own, "related"));
        let unnamed = |role: &&str| [Lang::En, Lang::Ja].iter().any(|lang| report::role(role, *lang).is_none());
        problems.extend(
            related.map(|own| text(own, "role")).filter(unnamed).map(|role| format!("no words for the role {role}")),
        );
        let missing = demanded.iter().filter(|(place, _)| !counts.contains_key(*place));
        problems.extend(missing.map(|((code, input), count)| format!("not found: {count} × {code} in {input}")));
        if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
    }
}

/// A code and the name of an input.
type Place<'a> = (&'a str, &'a str);

/// A report as JSON, the form available to other implementations.
struct Found<'a> {
    report: &'a Value,
    is_source: bool,
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or("-")
}

impl<'a> Found<'a> {
    fn name(&self, id: u64) -> &'a str {
        list(self.report, "inputs").iter().find(|input| input["id"] == id).map_or("-", |input| text(input, "name"))
    }

    fn place(&self, found: &'a Value) -> Place<'a> {
        (text(found, "code"), self.name(found["input"].as_u64().unwrap_or(0)))
    }

    fn counts(&self) -> BTreeMap<Place<'a>, u64> {
        let mut counts = BTreeMap::new();
        for group in list(self.report, "groups") {
            *counts.entry(self.place(group)).or_default() += group["count"].as_u64().unwrap_or(0);
        }
        counts
    }

    fn first(&self, code: &str, input: &str) -> Option<&'a Value> {
        list(self.report, "diagnostics").iter().find(|own| self.place(own) == (code, input))
    }

    /// All lines: inputs, findings in order, codes that are allowed but absent.
    fn lines(&self, is_demanded: impl Fn(&Place<'_>) -> bool, may: &[String]) -> Vec<(String, String)> {
        // For whole Sources only inputs that are not simply valid, since the cases share most documents.
        let has_line = |input: &&Value| !self.is_source || input["verdict"] != "valid";
        let mut lines: Vec<(String, String)> = list(self.report, "inputs")
            .iter()
            .filter(has_line)
            .take(LINES)
            .map(|input| {
                let line =
                    [text(input, "name"), text(input, "kind"), &input["entries"].to_string(), text(input, "verdict")];
                ("input".into(), line.join(" "))
            })
            .collect();
        let counts = self.counts();
        let mut written: BTreeMap<Place<'_>, usize> = BTreeMap::new();
        for own in list(self.report, "diagnostics") {
            let place = self.place(own);
            let count = counts.get(&place).copied().filter(|count| *count > LINES as u64);
            let lines_of_place = written.entry(place).or_default();
            *lines_of_place += 1;
            if count.is_none() || *lines_of_place == 1 {
                let key = if is_demanded(&place) { "must" } else { "may" };
                lines.push((key.into(), self.line(own, count)));
            }
        }
        let mut rest: Vec<&String> = may.iter().filter(|code| !counts.keys().any(|(own, _)| own == code)).collect();
        rest.dedup();
        lines.extend(rest.into_iter().map(|code| ("may".into(), code.clone())));
        lines
    }

    /// `CODE [xN] SEVERITY SPAN PATH [in INPUT] [ROLE SPAN [in INPUT]] [ARGS]`
    fn line(&self, found: &Value, count: Option<u64>) -> String {
        let mut line = text(found, "code").to_owned();
        count.into_iter().for_each(|count| line += &format!(" x{count}"));
        line += &format!(" {} {} {}", text(found, "severity"), span(found), text(found, "path"));
        let input = found["input"].as_u64().unwrap_or(0);
        if self.is_source || input != 0 {
            line += &format!(" in {}", self.name(input));
        }
        for related in list(found, "related") {
            line += &format!(" {} {}", text(related, "role"), span(related));
            if related["input"] != found["input"] {
                line += &format!(" in {}", self.name(related["input"].as_u64().unwrap_or(0)));
            }
        }
        if found["args"].as_object().is_some_and(|args| !args.is_empty()) {
            line += &format!(" {}", found["args"]);
        }
        line
    }
}

/// `LINE:COLUMN-LINE:COLUMN`, or `-`.
fn span(value: &Value) -> String {
    let at = |end: &str| {
        let at = &value["span"][end];
        Some(format!("{}:{}", at["line"].as_u64()?, at["column"].as_u64()?))
    };
    at("start").zip(at("end")).map_or("-".into(), |(start, end)| format!("{start}-{end}"))
}

/// A release does not change expected reports.
fn without_version(report: &Report) -> String {
    let mut report = report.clone();
    report.tool.version = "*".into();
    report.to_json()
}

/// The lines that only one side has.
fn difference(old: &[(String, String)], new: &[(String, String)]) -> String {
    let only = |own: &[(String, String)], other: &[(String, String)], sign: char| {
        let lines = own.iter().filter(|line| !other.contains(line));
        lines.map(|(key, value)| format!("{sign} {key}: {value}\n")).collect::<String>()
    };
    only(old, new, '-') + &only(new, old, '+')
}
