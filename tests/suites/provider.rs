//! Checks of scripted providers: every rule fires in its case and not in its near miss, and good repositories have no violation.

use std::{collections::BTreeSet, env, fs};

use resourcesync::{
    diagnostic::Severity,
    model::Kind,
    report::{Format, Lang, Render, Report, Status, Verdict, render},
};
use resourcesync_oai::{
    catalogue::Code,
    provider::{CheckPlan, family, validate},
};
use resourcesync_tests::oai::{
    CheckVariant, Checked, Edit, Profile, Provider, check_cases, checked, decoded, findings, shared_checks,
};

/// What only a harvest reports.
fn is_of_harvest(code: &str) -> bool {
    ("OAI-60".."OAI-71").contains(&code) || ("LIM-47".."LIM-51").contains(&code)
}

#[test]
fn every_rule_fires_in_its_case_and_not_in_its_near_miss() {
    let bless = env::var_os("BLESS").is_some();
    let mut failed = Vec::new();
    for case in check_cases() {
        let mut text = fs::read_to_string(&case.path).unwrap();
        for (variant, is_fire) in [(&case.fires, true), (&case.near, false)] {
            let report = variant.report();
            let found = findings(&report);
            let fires = found.iter().any(|line| line.starts_with(&format!("{} ", case.code)));
            if fires != is_fire {
                failed.push(format!("{} in `{}`: {found:#?}", case.code, variant.title));
            } else if found != variant.findings {
                if bless {
                    text = blessed(&text, if is_fire { "fires" } else { "near" }, &found);
                } else {
                    failed.push(format!(
                        "{} in `{}`: expected {:#?}, found {found:#?}",
                        case.code, variant.title, variant.findings
                    ));
                }
            }
        }
        if bless {
            fs::write(&case.path, text).unwrap();
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

/// The text of a case with these findings of a variant.
fn blessed(text: &str, variant: &str, found: &[String]) -> String {
    let at = text.find(&format!("  \"{variant}\": {{")).unwrap();
    let (before, own) = text.split_at(at);
    let start = own.find("    \"findings\": [").unwrap();
    let end = start + own[start..].find(']').unwrap() + 1;
    let lines: Vec<String> =
        found.iter().map(|line| format!("      {}", serde_json::to_string(line).unwrap())).collect();
    let list = if lines.is_empty() { "[]".into() } else { format!("[\n{}\n    ]", lines.join(",\n")) };
    format!("{before}{}    \"findings\": {list}{}", &own[..start], &own[end..])
}

#[test]
fn other_languages_get_the_same_reports() {
    let shared = shared_checks();
    let checks = shared["checks"].as_array().unwrap();
    assert!(checks.len() > 90, "{}", checks.len());
    let mut compared = 0;
    for case in check_cases() {
        for (name, variant) in [("fires", &case.fires), ("near", &case.near)] {
            let name = format!("{}-{name}", case.code);
            // Reasons of connections are in the words of each client.
            let is_read = |report: &Report| report.inputs.iter().all(|input| input.cause.is_none());
            let report = variant.report();
            if let Some(own) = checks.iter().find(|own| own["name"] == *name).filter(|_| is_read(&report)) {
                assert_eq!(own["report"], report.to_json(), "{name}");
                compared += 1;
            }
        }
    }
    assert!(compared > 90, "{compared}");
}

#[test]
fn what_a_client_cannot_see_is_not_judged() {
    let mut seen = 0;
    for code in ["OAI-16", "OAI-19", "OAI-53", "OAI-58"] {
        let case = check_cases().into_iter().find(|case| case.code == code).unwrap();
        let mut plan = CheckPlan::new(&case.fires.base_url());
        plan.all_headers = false;
        let Checked { report, calls } = checked(&mut case.fires.provider(), plan);
        assert!(report.groups.iter().all(|group| group.code != code), "{code}: {:?}", findings(&report));
        assert!(calls.iter().all(|(call, _)| !call.identity), "{code}");
        seen += 1;
    }
    assert_eq!(seen, 4);
}

#[test]
fn every_rule_of_a_check_has_a_case() {
    let cases: BTreeSet<String> = check_cases().into_iter().map(|case| case.code).collect();
    let rules: BTreeSet<String> =
        family().rules.iter().map(|rule| rule.id.to_owned()).filter(|code| !is_of_harvest(code)).collect();
    assert_eq!(cases, rules);
    for code in Code::all().map(Code::id).filter(|code| is_of_harvest(code)) {
        let said = check_cases().iter().any(|case| case.fires.findings.iter().any(|line| line.starts_with(code)));
        assert!(!said, "{code}");
    }
}

/// The requests of an example, each with headers, if they matter, and its response. A request that is repeated has a response each time.
fn exchanges(example: &str) -> Vec<Edit> {
    let mut seen = Vec::new();
    let exchange = |text: &str| {
        let (request, mut rest) = text.split_once('\n').unwrap();
        let (method, query) = request.split_once(' ').unwrap();
        let (mut on, mut headers) =
            (vec![method.to_owned(), format!("={}", decoded(query.trim_start_matches('?')))], serde_json::Map::new());
        while let Some((line, more)) = rest.split_once('\n').filter(|(line, _)| !line.starts_with('<')) {
            match line.split_once(": ").unwrap() {
                ("Accept-Encoding", "identity") => on.push("identity".to_owned()),
                (name, value) => drop(headers.insert(name.to_ascii_lowercase(), value.into())),
            }
            rest = more;
        }
        seen.push(request.to_owned());
        let nth = seen.iter().filter(|own| *own == request).count();
        let is_repeated = example.matches(request).count() > 1;
        let nth = if is_repeated { vec![nth] } else { Vec::new() };
        edit(serde_json::json!({"on": on, "nth": nth, "headers": headers, "body": rest}))
    };
    example.split("\n\n").map(exchange).collect()
}

#[test]
fn the_wrong_exchange_of_a_rule_breaks_it_and_the_right_one_does_not() {
    let mut played = 0;
    for rule in family().rules {
        let Some(texts) = rule.texts.filter(|texts| texts.wrong.starts_with(['G', 'P'])) else { continue };
        for (example, is_wrong) in [(texts.wrong, true), (texts.right, false)] {
            let mut provider = Provider::new(Profile::named("plain"), exchanges(example));
            let report = checked(&mut provider, CheckPlan::new("http://a.example/oai")).report;
            let fires = report.groups.iter().any(|group| group.code == rule.id);
            assert_eq!(fires, is_wrong, "{}: {:?}", rule.id, findings(&report));
        }
        played += 1;
    }
    assert!(played >= 11, "{played}");
}

/// The profiles of repositories that are as they should be.
const GOOD: [&str; 7] = ["plain", "days", "dspace", "eprints", "inveniordm", "ojs", "weko"];

#[test]
fn good_repositories_violate_nothing() {
    for name in GOOD {
        let profile = Profile::named(name);
        let plan = CheckPlan::new(profile.base_url());
        let checked = checked(&mut Provider::new(profile, Vec::new()), plan);
        let report = &checked.report;
        let must: Vec<_> = report
            .diagnostics
            .iter()
            .filter(|found| found.level.as_deref().is_some_and(|level| level.starts_with("MUST")))
            .collect();
        assert!(must.is_empty(), "{name}: {must:#?}");
        assert_eq!(
            (report.verdict, report.run.status),
            (Verdict::Valid, Status::Completed),
            "{name}: {:?}",
            findings(report)
        );
        assert!(report.inputs.iter().all(|input| input.kind == Kind::OaiResponse), "{name}");
        assert!((30..=50).contains(&checked.calls.len()), "{name}: {}", checked.calls.len());
    }
}

#[test]
fn requests_are_a_second_apart_and_invalid_ones_come_last() {
    let checked = checked(&mut plain(&[]), CheckPlan::new("http://a.example/oai"));
    for pair in checked.calls.windows(2) {
        assert!(pair[1].1.since(pair[0].1) >= 1000, "{pair:?}");
    }
    let names: Vec<&str> = checked.calls.iter().map(|(call, _)| call.name.as_str()).collect();
    let invalid = names.iter().position(|name| name.starts_with('?')).unwrap();
    assert_eq!(names.len() - invalid, 17, "{names:#?}");
    assert!(names[invalid..].iter().all(|name| name.starts_with('?')), "{names:#?}");
    assert_eq!(checked.report.inputs.len(), names.len());
}

fn edit(json: serde_json::Value) -> Edit {
    serde_json::from_value(json).unwrap()
}

fn plain(edits: &[serde_json::Value]) -> Provider {
    Provider::new(Profile::named("plain"), edits.iter().cloned().map(edit).collect())
}

#[test]
fn a_server_that_refuses_is_left_alone() {
    for (edits, requests, by) in [
        (serde_json::json!({"on": ["verb=ListSets"], "status": 403, "body": "Forbidden"}), 5, "forbidden"),
        (serde_json::json!({"status": 503, "headers": {"retry-after": "301"}}), 1, "long-wait"),
        (serde_json::json!({"status": 503}), 3, "failures"),
        (serde_json::json!({"status": 0}), 3, "failures"),
        (serde_json::json!({"body": "<html>Welcome</html>"}), 1, "failures"),
        (serde_json::json!({"body": "<!DOCTYPE a [<!ENTITY b 'c'>]><OAI-PMH/>"}), 1, "failures"),
        (serde_json::json!({"cut": 300}), 1, "failures"),
        (serde_json::json!({"body": ""}), 3, "failures"),
    ] {
        let checked = checked(&mut plain(std::slice::from_ref(&edits)), CheckPlan::new("http://a.example/oai"));
        assert_eq!(checked.calls.len(), requests, "{edits}");
        assert_eq!(checked.report.run.stopped_by.as_deref(), Some(by), "{edits}");
        assert_ne!(checked.report.verdict, Verdict::Valid, "{edits}");
    }
}

#[test]
fn lists_without_an_end_are_read_for_a_few_pages() {
    // Every token leads to the first page again.
    let edits =
        serde_json::json!({"on": ["resumptionToken=oai"], "query": "verb=ListIdentifiers&metadataPrefix=oai_dc"});
    let records = serde_json::json!({"on": ["resumptionToken=oai", "verb=ListRecords"], "query": "verb=ListRecords&metadataPrefix=oai_dc"});
    for edit in [edits, records] {
        let checked = checked(&mut plain(&[edit]), CheckPlan::new("http://a.example/oai"));
        assert!(checked.calls.len() <= 55, "{}", checked.calls.len());
    }
}

#[test]
fn a_valid_request_that_is_answered_with_an_error_leaves_the_check_undetermined() {
    let error = "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate>\
                 <request>http://a.example/oai</request><error code=\"badArgument\">no</error></OAI-PMH>";
    let edit = serde_json::json!({"on": ["=verb=ListIdentifiers&metadataPrefix=oai_dc"], "body": error});
    let report = checked(&mut plain(&[edit]), CheckPlan::new("http://a.example/oai")).report;
    assert_eq!(report.verdict, Verdict::Undetermined, "{:?}", findings(&report));
}

#[test]
fn a_report_can_be_sent_to_a_japanese_repository() {
    let case = check_cases().into_iter().find(|case| case.code == "OAI-50").unwrap();
    let report = case.fires.report();
    let render_in = |format, lang| render(&report, format, &Render { lang, ..Render::default() });
    let markdown = render_in(Format::Markdown, Lang::Ja);
    for words in ["不適合", "OAI\\-50", "未知の `verb`", "修正方法", "error\\-missing"] {
        let words = words.replace("\\", "");
        assert!(markdown.replace('\\', "").contains(&words), "{words}: {markdown}");
    }
    assert!(render_in(Format::Markdown, Lang::En).contains("an unknown verb"));
    let html = render_in(Format::Html, Lang::Ja);
    assert!(
        html.contains("正しい結果に見える応答") && html.contains("貴リポジトリの OAI-PMH インタフェース"),
        "{html}"
    );
    let sarif: serde_json::Value = serde_json::from_str(&render_in(Format::Sarif, Lang::En)).unwrap();
    let rule = &sarif["runs"][0]["tool"]["driver"]["rules"][0];
    assert_eq!(
        (rule["id"].as_str(), rule["properties"]["section"].as_str()),
        (Some("OAI-50"), Some("OAI-PMH 2.0 §3.6"))
    );
    let read = Report::from_json(&report.to_json()).unwrap();
    assert_eq!(read.to_json(), report.to_json());
    assert_ne!(
        render(&read, Format::Html, &Render { lang: Lang::Ja, ..Render::default() }),
        render_in(Format::Html, Lang::Ja)
    );
    let read = read.with_families(&[family()]);
    assert_eq!(read, report);
    for format in Format::ALL {
        for lang in [Lang::En, Lang::Ja] {
            assert_eq!(render(&read, *format, &Render { lang, ..Render::default() }), render_in(*format, lang));
        }
    }
}

#[test]
fn one_response_by_itself_is_judged_as_far_as_it_goes() {
    let variant: CheckVariant = serde_json::from_value(serde_json::json!({"title": "", "findings": []})).unwrap();
    let mut provider = variant.provider();
    for (query, is_valid) in
        [("verb=Identify", true), ("verb=ListRecords&metadataPrefix=oai_dc", true), ("verb=Nothing", true)]
    {
        let body = provider.respond(query, false, false).body;
        let report = validate(&body, "page.xml", CheckPlan::new(""));
        assert_eq!(report.verdict == Verdict::Valid, is_valid, "{query}: {:?}", findings(&report));
        assert_eq!((report.inputs[0].kind, &*report.inputs[0].name), (Kind::OaiResponse, "page.xml"));
    }
    let page = String::from_utf8(provider.respond("verb=Identify", false, false).body).unwrap();
    let report = validate(page.replace("admin@", "admin at ").as_bytes(), "page.xml", CheckPlan::new(""));
    assert_eq!(findings(&report), ["OAI-17 error page.xml"]);
    let cut = validate(&page.as_bytes()[..400], "page.xml", CheckPlan::new(""));
    assert_eq!(cut.verdict, Verdict::Invalid);
    assert_eq!(validate(b"", "empty", CheckPlan::new("")).verdict, Verdict::Invalid);
    assert!(report.diagnostics.iter().all(|found| found.severity == Severity::Error));
}
