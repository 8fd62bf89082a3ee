//! Runs every case of the corpus: the findings the case demands, no others, and the very bytes of the report.
//!
//! `BLESS=1` writes the reports; read the difference as if it were code.

use std::{collections::BTreeMap, env, fs};

use libtest_mimic::{Arguments, Failed, Trial};
use resourcesync::{
    api::{Run, Validation},
    report::{Diagnostic, Report},
};
use resourcesync_tests::{Case, Must, all, verify};

fn main() {
    let trials = all().into_iter().map(|case| Trial::test(case.name(), move || run(&case))).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn run(case: &Case) -> Result<(), Failed> {
    let report = validate(case, usize::MAX);
    check(case, &report)?;
    let json = report.to_json();
    // The same bytes however the input is cut.
    for window in [1009, 7] {
        if case.bytes().len() < 100_000 && validate(case, window).to_json() != json {
            return Err(format!("windows of {window} bytes give another report").into());
        }
    }
    let expected = case.folder.join("expected.json");
    if env::var_os("BLESS").is_some() {
        fs::write(&expected, &json)?;
    }
    let expected = fs::read_to_string(&expected).map_err(|_| "no expected.json; run with BLESS=1 and read it")?;
    if expected != json {
        Err("the report is not the expected one; run with BLESS=1 and read the difference".into())
    } else {
        Ok(())
    }
}

fn validate(case: &Case, window: usize) -> Report {
    let options = case.options();
    if case.is_package() {
        return verify(&case.bytes(), case.source(), &options, window);
    }
    let mut validation = Validation::new(&options, case.source());
    let bytes = case.bytes();
    bytes.chunks(window.min(bytes.len().max(1))).for_each(|window| validation.push(window));
    let mut run = Run::new(&options);
    run.add(validation.finish());
    run.finish()
}

fn check(case: &Case, report: &Report) -> Result<(), Failed> {
    let mut problems = Vec::new();
    if report.verdict.as_str() != case.verdict {
        problems.push(format!("verdict is {}, not {}", report.verdict.as_str(), case.verdict));
    }
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for group in &report.groups {
        *counts.entry(&group.code).or_default() += group.count;
    }
    for must in &case.must {
        problems.extend(missing(must, report, counts.get(must.code.as_str()).copied().unwrap_or(0), case));
    }
    for (code, count) in &counts {
        if !case.must.iter().chain(&case.may).any(|must| must.code == **code) {
            let first = report.diagnostics.iter().find(|diagnostic| diagnostic.code == **code);
            problems.push(format!("{count} × {code} not asked for: {}", first.map_or(String::new(), describe)));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

fn missing(must: &Must, report: &Report, count: u64, case: &Case) -> Vec<String> {
    let wanted: u64 =
        case.must.iter().filter(|other| other.code == must.code).map(|other| other.count.unwrap_or(1)).sum();
    if count != wanted {
        return vec![format!("{count} × {}, not {wanted}", must.code)];
    }
    let found: Vec<&Diagnostic> = report.diagnostics.iter().filter(|diagnostic| diagnostic.code == must.code).collect();
    if found.iter().any(|diagnostic| fits(must, diagnostic)) || must.is_bare() {
        return Vec::new();
    }
    let found: Vec<String> = found.into_iter().map(describe).collect();
    vec![format!("{must:?} is not among: {}", found.join(" | "))]
}

fn fits(must: &Must, diagnostic: &Diagnostic) -> bool {
    let start = diagnostic.span.map(|span| span.start);
    let json = serde_json::to_value(&diagnostic.args).unwrap_or_default();
    must.severity.as_ref().is_none_or(|severity| *severity == diagnostic.severity)
        && must.line.is_none_or(|line| start.is_some_and(|start| start.line == line))
        && must.column.is_none_or(|column| start.is_some_and(|start| start.column == column))
        && must.path.as_ref().is_none_or(|path| Some(path) == diagnostic.path.as_ref())
        && must.args.iter().all(|(name, value)| json.get(name) == Some(value))
}

fn describe(diagnostic: &Diagnostic) -> String {
    let place = diagnostic.span.map_or(String::from("-"), |span| format!("{}:{}", span.start.line, span.start.column));
    let path = diagnostic.path.as_deref().unwrap_or("-");
    format!("{} {} {place} {path} {}", diagnostic.code, diagnostic.severity, diagnostic.message)
}
