//! Checks that every requirement that a document, a package or a whole Source can show has a rule, a failing case and a near miss, or a documented
//! reason.

use std::{fs, path::Path};

use resourcesync::diagnostic::Code;
use resourcesync_tests::{
    coverage::{
        EXCHANGES, GUIDELINES, NOT_DONE, PACKAGES, PROCESSES, cases, destination, guideline_tests, page, reason, rows,
    },
    oai::cases as oai_cases,
};

#[test]
fn every_test_of_a_dump_an_exchange_or_a_process_is_there() {
    let (rows, root) = (rows(), Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    for (id, file, text) in PACKAGES.iter().chain(EXCHANGES).chain(PROCESSES) {
        let content = fs::read_to_string(root.join(file)).unwrap_or_default();
        assert!(content.contains(text), "{id}: {file} has no {text}");
        assert!(rows.iter().any(|row| row.id == *id), "{id} is no requirement");
    }
}

#[test]
fn every_guideline_for_harvesters_has_a_test_and_every_test_a_guideline() {
    let rows = rows();
    for row in rows.iter().filter(|row| row.id.starts_with("OH-")) {
        assert!(!guideline_tests(&row.id).is_empty(), "{} has no test", row.id);
    }
    for case in oai_cases() {
        let unknown: Vec<_> = case.rows.iter().filter(|id| rows.iter().all(|row| row.id != **id)).collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}", case.name());
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (row, file, text) in GUIDELINES {
        let content = fs::read_to_string(root.join(file)).unwrap_or_default();
        assert!(content.contains(text), "{row}: {file} has no {text}");
    }
}

#[test]
fn every_requirement_that_a_reader_can_check_has_a_rule_a_firing_case_and_a_near_miss() {
    let cases = cases();
    let lacking: Vec<String> = rows()
        .iter()
        .filter(|row| reason(row).is_none())
        .filter_map(|row| {
            let own = cases.get(&row.id);
            let covered =
                Code::find(&row.id).is_some() && own.is_some_and(|own| !own.fire.is_empty() && !own.near.is_empty());
            let (fire, near) = own.map_or((0, 0), |own| (own.fire.len(), own.near.len()));
            (!covered)
                .then(|| format!("{} (rule: {}, fires: {fire}, near: {near})", row.id, Code::find(&row.id).is_some()))
        })
        .collect();
    assert!(lacking.is_empty(), "{} lack a rule or a case:\n{}", lacking.len(), lacking.join("\n"));
}

#[test]
fn every_code_of_the_catalogue_has_the_level_and_the_severity_of_its_requirement() {
    let rows = rows();
    for code in Code::all() {
        let requirement = code.requirement();
        let Some(level) = requirement.level else { continue };
        let row = rows.iter().find(|row| row.id == code.id()).expect("a code with a level is a requirement");
        let derived = if requirement.derived { " derived" } else { "" };
        assert_eq!(row.level, format!("{}{derived}", level.as_str()), "{code}");
        assert_eq!(row.severity, requirement.severity.as_str(), "{code}");
        assert!(row.restates.is_empty(), "{code} is never to be reported");
    }
}

#[test]
fn codes_beyond_the_catalogue_have_cases_where_a_document_can_show_them() {
    let cases = cases();
    // This needs a run that is interrupted.
    let excused = ["INP-04"];
    let lacking: Vec<&str> = Code::all()
        .filter(|code| code.requirement().level.is_none() && !excused.contains(&code.id()))
        .filter(|code| cases.get(code.id()).is_none_or(|own| own.fire.is_empty() || own.near.is_empty()))
        .map(Code::id)
        .collect();
    assert!(lacking.is_empty(), "without a firing case or a near miss: {lacking:?}");
}

#[test]
fn the_page_has_a_row_for_every_requirement() {
    let page = page();
    let lacking: Vec<String> =
        rows().into_iter().map(|row| row.id).filter(|id| !page.contains(&format!("\n| {id} | "))).collect();
    assert!(lacking.is_empty(), "not on the page: {lacking:?}");
}

#[test]
fn every_requirement_on_a_destination_names_a_test_that_exists() {
    let rows = rows();
    for [id, file, name] in destination() {
        assert!(rows.iter().any(|row| row.id == id), "{id}");
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file)).expect(file);
        assert!(text.contains(&format!("fn {name}()")), "{id}: {name}");
    }
    for row in rows.iter().filter(|row| row.id.starts_with("DP-")) {
        let is_tested = destination().iter().any(|[id, ..]| *id == row.id);
        let is_permission = NOT_DONE.iter().any(|(id, _)| *id == row.id) && row.is_permission();
        assert!(is_tested != is_permission, "{}: neither tested nor a permission that is not used, or both", row.id);
    }
}
