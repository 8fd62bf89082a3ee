//! Checks that every requirement that a document, a package or a whole Source can show has a rule, a failing case and a near miss, or a documented
//! reason.
//!
//! `docs/coverage.md` documents the result; `BLESS=1` writes it.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    fmt::Write,
    fs,
    path::Path,
};

use resourcesync::{diagnostic::Code, rules::Rule};
use resourcesync_tests::{all, oai::cases as oai_cases, sources};

struct Row {
    id: String,
    level: String,
    place: String,
    /// `-` for a permission, which is never reported.
    severity: String,
    restates: String,
}

impl Row {
    fn is_permission(&self) -> bool {
        self.severity == "-"
    }
}

fn rows() -> Vec<Row> {
    let text = include_str!("../requirements.tsv");
    let row = |line: &str| {
        let mut cells = line.split('\t').map(String::from);
        let mut next = || cells.next().unwrap_or_default();
        let (id, level, place, severity, restates) = (next(), next(), next(), next(), next());
        Row { id, level, place, severity, restates }
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
    if row.is_permission() && !row.id.starts_with("OH-") {
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
    if row.id.starts_with("OH-") {
        return Some(format!("a guideline for harvesters, tested by {}", guideline_tests(&row.id).join(", ")));
    }
    let exchanges = exchange_tests(&row.id);
    if !exchanges.is_empty() {
        return Some(format!("an exchange, tested by {}", exchanges.join(", ")));
    }
    if is_pushed {
        return Some("between a Source, a hub and a Destination, or of another protocol: no reader sees it".into());
    }
    if destination().iter().any(|[id, ..]| *id == row.id) {
        return Some("how a Destination works: tested, see [the Destination](#the-destination)".into());
    }
    if let Some((_, why)) = NOT_DONE.iter().find(|(id, _)| *id == row.id) {
        return Some((*why).into());
    }
    (row.place == "proc").then(|| "how a Source or Destination works (proc): no document shows it".into())
}

/// Requirements on several documents that cannot be checked by reading one Source, and why.
const UNSEEN: [(&str, &str); 1] =
    [("LK-31", "compares with the documents of another Source, which a crawl of this one does not read")];

/// Requirements on a Destination that `sync` does not implement, and why. All are permissions.
const NOT_DONE: [(&str, &str); 3] = [
    ("DP-03", "`sync` fetches each resource from its URI, not from a Resource Dump"),
    ("DP-12", "`sync` fetches each change from its URI, not from a Change Dump"),
    ("DP-18", "`sync` reads no packages"),
];

/// Tests of guidelines for harvesters that no transcript shows: the row, the file, and the text in it.
const GUIDELINES: &[(&str, &str, &str)] = &[
    ("OH-02", "cli/tests/command/oai/guidelines.rs", "fn requests_are_sequential"),
    ("OH-03", "docs/oai.md", "www.robotstxt.org"),
    ("OH-04", "cli/tests/command/oai/guidelines.rs", "fn no_failure_causes_rapid_retries"),
    ("OH-04", "tests/suites/oai.rs", "fn every_script_of_answers_ends"),
    ("OH-06", "cli/tests/command/oai/guidelines.rs", "fn robots_txt_is_requested_only_with_robots"),
    ("OH-07", "cli/tests/command/oai/guidelines.rs", "fn every_request_names_the_harvester_and_its_operator"),
    ("OH-08", "cli/tests/command/oai/guidelines.rs", "fn every_request_names_the_harvester_and_its_operator"),
    ("OH-09", "cli/tests/command/oai/guidelines.rs", "fn every_request_names_the_harvester_and_its_operator"),
    ("OH-09", "cli/tests/command/oai/words.rs", "fn from_takes_an_address_and_names_since_for_a_date"),
    ("OH-11", "tests/corpus/oai/R46-granularity-misspelt.json", "OAI-11"),
    ("OH-23", "cli/tests/command/oai/guidelines.rs", "fn a_server_that_requests_a_wait_gets_it"),
    ("OH-26", "tests/suites/oai.rs", "fn every_script_of_answers_ends"),
    (
        "OH-27",
        "cli/tests/command/oai/guidelines.rs",
        "fn a_redirect_is_followed_and_the_next_request_goes_to_the_base_url",
    ),
    ("OH-33", "oai/src/request.rs", "fn tokens_survive"),
    ("OH-34", "cli/tests/command/oai/stores.rs", "fn a_connection_that_breaks_before_the_next_page_costs_one_request"),
    ("OH-37", "cli/tests/command/oai/words.rs", "fn identify_describes_the_repository_and_how_it_would_be_harvested"),
    ("OH-38", "cli/tests/command/oai/words.rs", "fn identify_names_the_compression_of_the_repository"),
    ("OH-39", "cli/tests/command/oai/guidelines.rs", "fn compressed_pages_are_read"),
    ("OH-40", "cli/tests/command/oai/guidelines.rs", "fn every_request_names_the_harvester_and_its_operator"),
    ("OH-41", "cli/tests/command/oai/guidelines.rs", "fn every_request_names_the_harvester_and_its_operator"),
    ("OH-42", "cli/tests/command/oai/guidelines.rs", "fn a_full_copy_has_every_format_with_its_own_datestamps"),
    ("OH-43", "cli/tests/command/oai/guidelines.rs", "fn about_is_kept_for_each_format"),
];

/// Tests of requirements on publishers and subscribers, which only an exchange shows: the row, the file, and the text in it.
const EXCHANGES: &[(&str, &str, &str)] = &[
    (
        "CH-01",
        "cli/tests/command/notify.rs",
        "fn each_set_has_its_own_topics_and_all_are_told_of_the_source_description",
    ),
    (
        "CH-02",
        "cli/tests/command/notify.rs",
        "fn each_set_has_its_own_topics_and_all_are_told_of_the_source_description",
    ),
    ("CH-03", "cli/tests/command/notify.rs", "fn a_hub_is_notified_of_every_publication_but_the_first"),
    (
        "CH-04",
        "cli/tests/command/notify.rs",
        "fn each_set_has_its_own_topics_and_all_are_told_of_the_source_description",
    ),
    (
        "CH-05",
        "cli/tests/command/notify.rs",
        "fn each_set_has_its_own_topics_and_all_are_told_of_the_source_description",
    ),
    ("WS-07", "cli/tests/command/notify.rs", "fn a_hub_is_notified_of_every_publication_but_the_first"),
    ("WS-08", "cli/tests/command/notify.rs", "fn a_hub_is_notified_of_every_publication_but_the_first"),
    ("WS-09", "cli/tests/command/notify.rs", "fn a_hub_is_notified_of_every_publication_but_the_first"),
    ("WS-10", "cli/tests/command/notify.rs", "fn a_hub_is_notified_of_every_publication_but_the_first"),
    ("WS-13", "cli/tests/command/notify.rs", "fn an_odd_success_is_an_acceptance_with_a_warning"),
    ("WS-14", "cli/tests/command/notify.rs", "fn what_a_hub_refuses_is_shown_and_later_payloads_wait_for_it"),
    ("WS-20", "tests/corpus/notify/S-04-verification.transcript", "application/x-www-form-urlencoded"),
    ("WS-21", "tests/corpus/notify/S-04-verification.transcript", "hub.callback="),
    ("WS-22", "tests/corpus/notify/S-04-verification.transcript", "hub.mode=subscribe"),
    ("WS-23", "tests/corpus/notify/S-04-verification.transcript", "hub.topic="),
    ("WS-13", "tests/corpus/notify/hub/H-18-bytes.transcript", "\"status\":200"),
    ("WS-14", "tests/corpus/notify/hub/H-19-refused.transcript", "\"status\":404"),
    ("WS-25", "tests/corpus/notify/hub/H-01-dead-callback.transcript", "\"status\":202"),
    ("WS-30", "tests/corpus/notify/hub/H-06-queries.transcript", "?b=2&a=1&hub.mode=x&empty=&hub.mode=subscribe"),
    ("WS-31", "tests/corpus/notify/hub/H-06-queries.transcript", "hub.mode=subscribe"),
    ("WS-32", "tests/corpus/notify/hub/H-06-queries.transcript", "hub.topic="),
    ("WS-33", "tests/corpus/notify/hub/H-13-newest.transcript", "hub.challenge="),
    ("WS-34", "tests/corpus/notify/hub/H-03-leases.transcript", "hub.lease_seconds=300"),
    ("WS-35", "tests/corpus/notify/hub/H-03-leases.transcript", "hub.lease_seconds=2678400"),
    ("WS-36", "tests/corpus/notify/S-10-renewal.transcript", "hub.lease_seconds"),
    ("WS-37", "tests/corpus/notify/S-04-verification.transcript", "\"body\":\"first\""),
    ("WS-38", "tests/corpus/notify/hub/H-09-verification.transcript", "unverified"),
    ("WS-39", "tests/corpus/notify/S-04-verification.transcript", "nothing was requested that this would confirm"),
    ("WS-40", "server/tests/hub/deliveries.rs", "fn three_subscribers_receive_what_a_source_sends"),
    ("WS-41", "tests/corpus/notify/hub/H-18-bytes.transcript", "application/xml; charset=UTF-8"),
    ("WS-42", "tests/corpus/notify/hub/D-02-delivery.transcript", "rel=\\\"self\\\""),
    ("WS-43", "tests/corpus/notify/hub/D-02-delivery.transcript", "rel=\\\"hub\\\""),
    ("WS-44", "tests/corpus/notify/S-12-order.transcript", "\"status\":202"),
    ("WS-45", "tests/corpus/notify/hub/D-05-retry-after.transcript", "status 301"),
    ("WS-47", "tests/corpus/notify/S-12-order.transcript", "HUB-05"),
    ("WS-50", "tests/corpus/notify/unfollow.transcript", "hub.mode=unsubscribe"),
    ("WS-51", "tests/corpus/notify/hub/H-04-unsubscribe.transcript", "hub.mode=unsubscribe"),
    ("WS-20", "cli/tests/command/listen/protocol.rs", "fn topics_and_hubs_are_found_where_they_are"),
    ("WS-21", "cli/tests/command/listen/protocol.rs", "fn topics_and_hubs_are_found_where_they_are"),
    ("WS-22", "cli/tests/command/listen/protocol.rs", "fn topics_and_hubs_are_found_where_they_are"),
    ("WS-23", "cli/tests/command/listen/protocol.rs", "fn topics_and_hubs_are_found_where_they_are"),
    (
        "WS-37",
        "cli/tests/command/listen/protocol.rs",
        "fn requests_of_hubs_have_the_effect_that_they_should_and_no_other",
    ),
    (
        "WS-39",
        "cli/tests/command/listen/protocol.rs",
        "fn requests_of_hubs_have_the_effect_that_they_should_and_no_other",
    ),
    (
        "WS-44",
        "cli/tests/command/listen/protocol.rs",
        "fn requests_of_hubs_have_the_effect_that_they_should_and_no_other",
    ),
    ("WS-50", "cli/tests/command/listen/events.rs", "fn events_are_appended_to_a_file_and_wrong_requests_are_refused"),
];

/// The tests of a requirement on publishers and subscribers.
fn exchange_tests(id: &str) -> Vec<String> {
    let own = EXCHANGES.iter().filter(|(row, ..)| *row == id);
    own.map(|(_, file, text)| match text.strip_prefix("fn ") {
        Some(test) => format!("{file} ({test})"),
        None => (*file).to_owned(),
    })
    .collect()
}

#[test]
fn every_test_of_an_exchange_is_there() {
    let (rows, root) = (rows(), Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    for (id, file, text) in EXCHANGES {
        let content = fs::read_to_string(root.join(file)).unwrap_or_default();
        assert!(content.contains(text), "{id}: {file} has no {text}");
        assert!(rows.iter().any(|row| row.id == *id), "{id} is no requirement");
    }
}

/// The transcripts and other tests of a guideline for harvesters.
fn guideline_tests(id: &str) -> Vec<String> {
    let transcripts = oai_cases().into_iter().filter(|case| case.rows.iter().any(|row| row == id));
    let transcripts = transcripts.map(|case| format!("oai/{}", case.name()));
    let others = GUIDELINES.iter().filter(|(row, ..)| *row == id);
    let others = others.map(|(_, file, text)| format!("{file} ({})", text.trim_start_matches("fn ")));
    transcripts.chain(others).collect()
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
            let covered = Code::find(&row.id).is_some() && own.is_some_and(|own| own.fire > 0 && own.near > 0);
            let (fire, near) = own.map_or((0, 0), |own| (own.fire, own.near));
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

/// The requirements implemented by `sync`, each with the file and the name of a test.
fn destination() -> Vec<[&'static str; 3]> {
    let text = include_str!("../destination.tsv").lines().filter(|line| !line.starts_with('#'));
    text.map(|line| line.split('\t').collect::<Vec<_>>().try_into().expect("three columns")).collect()
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
    page.push_str(
        "\n## The Destination\n\nRequirements on a Destination, and on what it relies on (`proc`), and the test that shows each.\n\n\
         | requirement | level | test |\n| --- | --- | --- |\n",
    );
    let level = |id: &str| rows.iter().find(|row| row.id == id).map_or("", |row| &row.level);
    for [id, file, name] in destination() {
        let _ = writeln!(page, "| {id} | {} | `{file}`: `{name}` |", level(id));
    }
    for (id, why) in NOT_DONE {
        let _ = writeln!(page, "| {id} | {} | not used: {why} |", level(id));
    }
    page
}
