//! Which rule, cases or other tests each requirement of the catalogue has, or the reason why it has none.

mod page;
mod tables;

use std::collections::{BTreeMap, BTreeSet};

use crate::{all, oai::cases as oai_cases, sources};

pub use page::page;
pub use tables::{CHOICES, EXCHANGES, GUIDELINES, NOT_DONE, PACKAGES, PROCESSES, UNSEEN};

/// A requirement of the catalogue, as in `tests/requirements.tsv`.
pub struct Row {
    /// Its id.
    pub id: String,
    /// Its level, such as `MUST derived`.
    pub level: String,
    /// Where it shows.
    pub place: String,
    /// `-` for a permission, which is never reported.
    pub severity: String,
    /// The requirements that say the same, separated by spaces.
    pub restates: String,
}

impl Row {
    /// True for a permission.
    pub fn is_permission(&self) -> bool {
        self.severity == "-"
    }
}

/// All requirements.
pub fn rows() -> Vec<Row> {
    let text = include_str!("../../requirements.tsv");
    let row = |line: &str| {
        let mut cells = line.split('\t').map(String::from);
        let mut next = || cells.next().unwrap_or_default();
        let (id, level, place, severity, restates) = (next(), next(), next(), next(), next());
        Row { id, level, place, severity, restates }
    };
    text.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

/// The names of the cases of a requirement.
#[derive(Default)]
pub struct Cases {
    /// Cases in which it is reported.
    pub fire: Vec<String>,
    /// Near misses.
    pub near: Vec<String>,
}

/// The cases of each requirement that has any.
pub fn cases() -> BTreeMap<String, Cases> {
    let mut cases: BTreeMap<String, Cases> = BTreeMap::new();
    let documents = all().into_iter().map(|case| (case.name(), case.expected));
    for (name, expected) in documents.chain(sources().into_iter().map(|case| (case.name(), case.expected))) {
        let fired: BTreeSet<String> = expected.must.into_iter().map(|demand| demand.code).collect();
        fired.into_iter().for_each(|code| cases.entry(code).or_default().fire.push(name.clone()));
        expected.near.into_iter().for_each(|code| cases.entry(code).or_default().near.push(name.clone()));
    }
    cases
}

/// Why a requirement needs no rule; `None` if it does.
pub fn reason(row: &Row) -> Option<String> {
    if row.is_permission() && !row.id.starts_with("OH-") {
        return Some("a permission: never reported".into());
    }
    if !row.restates.is_empty() {
        return Some(format!("restates {}: reported there", row.restates.replace(' ', ", ")));
    }
    if let Some((_, why)) = UNSEEN.iter().chain(&CHOICES).find(|(id, _)| *id == row.id) {
        return Some((*why).into());
    }
    if row.id.starts_with("OH-") {
        return Some(format!("a guideline for harvesters, tested by {}", guideline_tests(&row.id).join(", ")));
    }
    for (what, tests) in [
        ("a dump with its packages", PACKAGES),
        ("an exchange", EXCHANGES),
        ("what a Source or Destination does", PROCESSES),
    ] {
        let tests = tests_in(tests, &row.id);
        if !tests.is_empty() {
            return Some(format!("{what}, tested by {}", tests.join(", ")));
        }
    }
    if destination().iter().any(|[id, ..]| *id == row.id) {
        return Some("how a Destination works: tested, see [the Destination](#the-destination)".into());
    }
    NOT_DONE.iter().find(|(id, _)| *id == row.id).map(|(_, why)| (*why).into())
}

/// The tests of a requirement in a table.
fn tests_in(table: &[(&str, &str, &str)], id: &str) -> Vec<String> {
    let tests = table.iter().filter(|(row, ..)| *row == id);
    tests
        .map(|(_, file, text)| match text.strip_prefix("fn ") {
            Some(test) => format!("{file} ({test})"),
            None => (*file).to_owned(),
        })
        .collect()
}

/// The transcripts and other tests of a guideline for harvesters.
pub fn guideline_tests(id: &str) -> Vec<String> {
    let transcripts = oai_cases().into_iter().filter(|case| case.rows.iter().any(|row| row == id));
    let transcripts = transcripts.map(|case| format!("oai/{}", case.name()));
    let others = GUIDELINES.iter().filter(|(row, ..)| *row == id);
    let others = others.map(|(_, file, text)| format!("{file} ({})", text.trim_start_matches("fn ")));
    transcripts.chain(others).collect()
}

/// The requirements implemented by `sync`, each with the file and the name of a test.
///
/// # Panics
///
/// If a line of `tests/destination.tsv` has other columns.
pub fn destination() -> Vec<[&'static str; 3]> {
    let text = include_str!("../../destination.tsv").lines().filter(|line| !line.starts_with('#'));
    text.map(|line| line.split('\t').collect::<Vec<_>>().try_into().expect("three columns")).collect()
}
