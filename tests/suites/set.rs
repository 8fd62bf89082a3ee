//! Runs every case of a whole Source: the findings the case demands, no others, and the very bytes of the report.
//!
//! `BLESS=1` writes the reports; read the difference as if it were code.

use std::{collections::BTreeMap, env, fs};

use libtest_mimic::{Arguments, Failed, Trial};
use resourcesync::report::Report;
use resourcesync_tests::{SourceCase, sources};

fn main() {
    let trials = sources().into_iter().map(|case| Trial::test(case.name(), move || run(&case))).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn run(case: &SourceCase) -> Result<(), Failed> {
    let report = case.walk(usize::MAX, false);
    check(case, &report)?;
    let json = report.to_json();
    // The same bytes however the bodies are cut, and in whatever order the answers come.
    if !case.is_large() && case.walk(997, true).to_json() != json {
        return Err("small windows, or answers in another order, give another report".into());
    }
    let expected = case.folder.join("expected.json");
    if env::var_os("BLESS").is_some() {
        fs::write(&expected, &json)?;
    }
    let expected = fs::read_to_string(&expected).map_err(|_| "no expected.json; run with BLESS=1 and read it")?;
    if expected != json {
        return Err("the report is not the expected one; run with BLESS=1 and read the difference".into());
    }
    Ok(())
}

fn check(case: &SourceCase, report: &Report) -> Result<(), Failed> {
    let mut problems = Vec::new();
    if report.verdict.as_str() != case.verdict {
        problems.push(format!("verdict is {}, not {}", report.verdict.as_str(), case.verdict));
    }
    let name = |input: u64| report.inputs.iter().find(|own| own.id == input).map_or("?", |own| own.name.as_str());
    let mut found: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for group in &report.groups {
        *found.entry((&group.code, name(group.input))).or_default() += group.count;
    }
    let mut wanted: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for at in &case.must {
        *wanted.entry((&at.must.code, &at.input)).or_default() += at.must.count.unwrap_or(1);
    }
    for (place, count) in &found {
        if wanted.get(place) != Some(count) {
            let said = report.diagnostics.iter().find(|own| own.code == place.0 && name(own.input) == place.1);
            let said = said.map_or("", |own| own.message.as_str());
            problems.push(format!("{count} × {} in {}: {said}", place.0, place.1));
        }
    }
    for (place, count) in wanted.iter().filter(|(place, _)| !found.contains_key(*place)) {
        problems.push(format!("not found: {count} × {} in {}", place.0, place.1));
    }
    for at in &case.must {
        let own = report.diagnostics.iter().filter(|own| own.code == at.must.code && name(own.input) == at.input);
        let fits = own.clone().any(|own| {
            at.must.line.is_none_or(|line| own.span.is_some_and(|span| span.start.line == line))
                && at.must.path.as_ref().is_none_or(|path| Some(path) == own.path.as_ref())
                && at.must.severity.as_ref().is_none_or(|severity| *severity == own.severity)
        });
        if !fits && own.clone().next().is_some() {
            let lines: Vec<_> = own.map(|own| (own.span.map(|span| span.start.line), own.path.clone())).collect();
            problems.push(format!("{} stands elsewhere: {lines:?}", at.must.code));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}
