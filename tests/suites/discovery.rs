//! Every combination of answers at the three places where a Source is looked for: the well-known URI, `robots.txt` and the page of the
//! host (Z39.99-2017 §6.3).

use std::collections::BTreeMap;

use resourcesync::{
    api::{CrawlOptions, FetchError, Options},
    diagnostic::{Reason, ReasonCode},
    report::{Report, Verdict},
};
use resourcesync_tests::{Answer, Web, crawl};

const HOST: &str = "http://example.com/";
const PLACES: [&str; 3] =
    ["http://example.com/.well-known/resourcesync", "http://example.com/robots.txt", "http://example.com/"];
const REFUSALS: [u16; 6] = [401, 403, 429, 500, 502, 503];

/// An answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Given {
    Status(u16),
    /// No connection.
    Nothing,
    Html,
    Empty,
    /// What leads to the Source: the Source Description, a `Sitemap:` line, a page with a link.
    Source,
}

impl Given {
    fn all() -> Vec<Given> {
        let statuses = REFUSALS.into_iter().chain([404, 410]).map(Given::Status);
        statuses.chain([Given::Nothing, Given::Html, Given::Empty, Given::Source]).collect()
    }

    /// True for what is neither a document nor certainly absent.
    fn is_refusal(self) -> bool {
        self == Given::Nothing || matches!(self, Given::Status(status) if REFUSALS.contains(&status))
    }

    fn answer(self, place: &str) -> Answer {
        let had = |status: u16, media_type: &str, body: &str| Answer::Had {
            status,
            headers: Some(vec![("Content-Type".into(), media_type.into())]),
            body: body.into(),
        };
        let html = "<!DOCTYPE html>\n<html><head><title>x</title></head><body>x</body></html>\n";
        match self {
            Given::Status(status) => had(status, "text/html", html),
            Given::Nothing => Answer::Failed(FetchError::Failed { reason: Reason::new(ReasonCode::ConnectionRefused) }),
            Given::Html => had(200, "text/html", html),
            Given::Empty => had(200, "text/plain", ""),
            Given::Source if place == PLACES[0] => had(200, "application/xml", &description()),
            Given::Source if place == PLACES[1] => had(200, "text/plain", &format!("Sitemap: {HOST}list.xml\n")),
            Given::Source => had(
                200,
                "text/html",
                &format!(
                    "<!DOCTYPE html>\n<html><head><link rel=\"resourcesync\" href=\"{HOST}capabilitylist.xml\"></head></html>"
                ),
            ),
        }
    }
}

fn document(inside: &str) -> String {
    format!(
        r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">{inside}</urlset>"#
    )
}

fn description() -> String {
    let about = format!(r#"<rs:ln rel="describedby" href="{HOST}about"/>"#);
    let list = format!(r#"<url><loc>{HOST}capabilitylist.xml</loc><rs:md capability="capabilitylist"/>{about}</url>"#);
    document(&format!(r#"{about}<rs:md capability="description"/>{list}"#))
}

/// A host with these answers, and a Source behind them.
fn web(answers: [Given; 3]) -> Web {
    let mut web: Web = BTreeMap::new();
    let about = format!(r#"<rs:ln rel="describedby" href="{HOST}about"/>"#);
    let up = |to: &str| format!(r#"<rs:ln rel="up" href="{HOST}{to}"/>"#);
    let list = format!(r#"<url><loc>{HOST}list.xml</loc><rs:md capability="resourcelist"/></url>"#);
    let bodies = [
        (
            "capabilitylist.xml",
            format!(r#"{about}{}<rs:md capability="capabilitylist"/>{list}"#, up(".well-known/resourcesync")),
        ),
        (
            "list.xml",
            format!(
                r#"{}<rs:md capability="resourcelist" at="2013-01-03T09:00:00Z"/><url><loc>{HOST}</loc></url>"#,
                up("capabilitylist.xml")
            ),
        ),
    ];
    for (name, body) in bodies {
        let headers = Some(vec![("Content-Type".to_owned(), "application/xml".to_owned())]);
        web.insert(format!("{HOST}{name}"), Answer::Had { status: 200, headers, body: document(&body).into_bytes() });
    }
    for (place, given) in PLACES.into_iter().zip(answers) {
        web.insert(place.to_owned(), given.answer(place));
    }
    web
}

fn follow(answers: [Given; 3]) -> Report {
    crawl(&web(answers), &Options::default(), CrawlOptions::from([HOST]), usize::MAX, false)
}

fn combinations() -> impl Iterator<Item = [Given; 3]> {
    let all = Given::all();
    let count = all.len();
    (0..count.pow(3)).map(move |n| [all[n / count / count], all[n / count % count], all[n % count]])
}

#[test]
fn a_host_without_a_source_is_never_valid() {
    for answers in combinations().filter(|answers| !answers.contains(&Given::Source)) {
        let report = follow(answers);
        let codes: Vec<&str> = report.diagnostics.iter().map(|found| found.code.as_str()).collect();
        let refusals = answers.iter().filter(|given| given.is_refusal()).count();
        assert_ne!(report.verdict, Verdict::Valid, "{answers:?}");
        // What could not be read is unknown; otherwise it is certain that there is no Source, or that its document is damaged.
        assert_eq!(codes.contains(&"INP-01"), refusals > 0, "{answers:?}: {codes:?}");
        assert_eq!(codes.contains(&"SD-12"), refusals == 0, "{answers:?}: {codes:?}");
        let is_damaged = answers[0] == Given::Empty;
        let expected = if refusals == 0 || is_damaged { Verdict::Invalid } else { Verdict::Undetermined };
        assert_eq!(report.verdict, expected, "{answers:?}: {codes:?}");
    }
}

#[test]
fn a_source_is_valid_only_where_its_well_known_uri_can_be_read() {
    for answers in combinations().filter(|answers| answers.contains(&Given::Source)) {
        let report = follow(answers);
        let has_documents =
            report.inputs.iter().any(|input| !matches!(input.kind.as_str(), "html" | "robots" | "unknown" | "sitemap"));
        assert!(has_documents, "{answers:?}");
        assert!(report.verdict != Verdict::Valid || !answers[0].is_refusal(), "{answers:?}");
        // Every place that was tried in vain is named.
        for (place, given) in PLACES.into_iter().zip(answers).filter(|(_, given)| given.is_refusal()) {
            let is_named = report.inputs.iter().any(|input| input.name == place)
                || report.skipped.iter().any(|skipped| skipped.name == place);
            assert!(is_named, "{place} ({given:?}) in {answers:?}");
        }
    }
}
