//! Holds that every requirement a document, a package or a whole Source can show has a rule, a case that fires and a near miss, or a written reason.
//!
//! `docs/coverage.md` says the same to people; `BLESS=1` writes it.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    fmt::Write,
    fs,
    path::Path,
};

use resourcesync::{diagnostic::Code, rules::Rule};
use resourcesync_tests::{all, sources};

struct Row {
    id: String,
    level: String,
    place: String,
    permission: bool,
    restates: String,
}

fn rows() -> Vec<Row> {
    let text = include_str!("../requirements.tsv");
    let row = |line: &str| {
        let mut cells = line.split('\t').map(String::from);
        let mut next = || cells.next().unwrap_or_default();
        let (id, level, place, severity, restates) = (next(), next(), next(), next(), next());
        Row { id, level, place, permission: severity == "-", restates }
    };
    text.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

#[derive(Default)]
struct Cases {
    fire: usize,
    near: usize,
}

fn cases() -> BTreeMap<String, Cases> {
    let mut cases: BTreeMap<String, Cases> = BTreeMap::new();
    let documents = all().into_iter().map(|case| case.expected);
    for expected in documents.chain(sources().into_iter().map(|case| case.expected)) {
        let fired: BTreeSet<String> = expected.must.into_iter().map(|demand| demand.code).collect();
        fired.into_iter().for_each(|code| cases.entry(code).or_default().fire += 1);
        expected.near.into_iter().for_each(|code| cases.entry(code).or_default().near += 1);
    }
    cases
}

/// Why a requirement needs no rule; `None` if it does.
fn reason(row: &Row) -> Option<String> {
    if row.permission {
        return Some("a permission: never reported".into());
    }
    if !row.restates.is_empty() {
        return Some(format!("restates {}: reported there", row.restates.replace(' ', ", ")));
    }
    if row.place == "zip + xdoc" && Code::find(&row.id).is_some() {
        return Some("needs a dump and its packages: held by suites/packages.rs".into());
    }
    if let Some((_, why)) = UNSEEN.iter().find(|(id, _)| *id == row.id) {
        return Some((*why).into());
    }
    let is_pushed =
        row.id.starts_with("WS-") && !["WS-01", "WS-02", "WS-03", "WS-04", "WS-06"].contains(&row.id.as_str());
    if is_pushed || row.id.starts_with("OH-") {
        return Some("between a Source, a hub and a Destination, or of another protocol: no reader sees it".into());
    }
    (row.place == "proc").then(|| "how a Source or Destination works (proc): no document shows it".into())
}

/// Requirements of several documents that a reader of one Source cannot judge, and why.
const UNSEEN: [(&str, &str); 1] =
    [("LK-31", "compares with the documents of another Source, which a crawl of this one does not read")];

#[test]
fn every_requirement_that_a_reader_can_check_has_a_rule_a_firing_case_and_a_near_miss() {
    let cases = cases();
    let lacking: Vec<String> = rows()
        .iter()
        .filter(|row| reason(row).is_none())
        .filter_map(|row| {
            let own = cases.get(&row.id);
            let covered = Code::find(&row.id).is_some() && own.is_some_and(|own| own.fire > 0 && own.near > 0);
            let (fire, near) = own.map_or((0, 0), |own| (own.fire, own.near));
            (!covered)
                .then(|| format!("{} (rule: {}, fires: {fire}, near: {near})", row.id, Code::find(&row.id).is_some()))
        })
        .collect();
    assert!(lacking.is_empty(), "{} lack a rule or a case:\n{}", lacking.len(), lacking.join("\n"));
}

#[test]
fn every_code_of_the_catalogue_has_the_level_of_its_requirement() {
    let rows = rows();
    for code in Code::all() {
        let requirement = code.requirement();
        let Some(level) = requirement.level else { continue };
        let row = rows.iter().find(|row| row.id == code.id()).expect("a code with a level is a requirement");
        let derived = if requirement.derived { " derived" } else { "" };
        assert_eq!(row.level, format!("{}{derived}", level.as_str()), "{code}");
        assert!(!row.permission && row.restates.is_empty(), "{code} is never to be reported");
    }
}

#[test]
fn codes_beyond_the_catalogue_have_cases_where_a_document_can_show_them() {
    let cases = cases();
    // This needs a run that is interrupted.
    let excused = ["INP-04"];
    let lacking: Vec<&str> = Code::all()
        .filter(|code| code.requirement().level.is_none() && !excused.contains(&code.id()))
        .filter(|code| cases.get(code.id()).is_none_or(|own| own.fire == 0 || own.near == 0))
        .map(Code::id)
        .collect();
    assert!(lacking.is_empty(), "without a firing case or a near miss: {lacking:?}");
}

#[test]
fn the_page_on_coverage_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/coverage.md");
    let page = page();
    if env::var_os("BLESS").is_some() {
        fs::write(&path, &page).expect("docs/coverage.md can be written");
    }
    assert!(fs::read_to_string(&path).unwrap_or_default() == page, "docs/coverage.md is stale: run with BLESS=1");
}

fn page() -> String {
    let (rows, cases) = (rows(), cases());
    let checked = rows.iter().filter(|row| reason(row).is_none()).count();
    let mut page = String::from("# Coverage of the catalogue\n\n");
    let _ = writeln!(
        page,
        "Generated by the tests; do not edit. {checked} requirements can be checked by reading a document, a package or a whole Source, and all of them are.\n"
    );
    page.push_str("| requirement | level | rule | firing cases | near misses | otherwise |\n| --- | --- | --- | --- | --- | --- |\n");
    for row in &rows {
        let own = cases.get(&row.id);
        let (fire, near) = own.map_or((0, 0), |own| (own.fire, own.near));
        match (reason(row), Code::find(&row.id)) {
            (None, Some(code)) => {
                let rule = Rule::of(code).name;
                let _ =
                    writeln!(page, "| {} | {} | [{rule}](rules/{rule}.md) | {fire} | {near} | |", row.id, row.level);
            }
            (why, _) => {
                let _ = writeln!(page, "| {} | {} | | | | {} |", row.id, row.level, why.unwrap_or_default());
            }
        }
    }
    page
}
