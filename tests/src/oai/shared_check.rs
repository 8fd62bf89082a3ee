//! Checks of the corpus for other languages: the responses of the provider as bytes, and the report of the Rust code.

use std::collections::BTreeMap;

use resourcesync::{
    diagnostic::Reason,
    report::{Format, Lang, Render, Report, render},
};
use resourcesync_oai::{
    harvest::{Failure, Moment, ResponseHead},
    provider::{CheckOptions, CheckSession, CheckStep},
};
use serde_json::{Value, json};

use super::{CheckVariant, Scripted, check_cases};

/// Steps after which a check is considered endless.
const MOST: usize = 500;
/// When each check begins.
const START: Moment = Moment(1_767_225_600_000);

/// Every check that a client without control over redirects can make: `bodies` has each body once, in hexadecimal;
/// a response has the number of its body.
pub fn shared_checks() -> Value {
    let mut bodies = Bodies::default();
    let mut checks = Vec::new();
    for case in check_cases() {
        for (name, variant) in [("fires", &case.fires), ("near", &case.near)] {
            checks.extend(played(&format!("{}-{name}", case.code), variant, &mut bodies));
        }
    }
    json!({"bodies": bodies.all, "checks": checks, "rendered": rendered()})
}

/// A report in every format and language, by the name of its check, format and language.
fn rendered() -> BTreeMap<String, String> {
    let case = check_cases().into_iter().find(|case| case.code == "OAI-50").expect("the corpus has it");
    let report = case.fires.report();
    let mut texts = BTreeMap::new();
    for format in Format::ALL {
        for (lang, tag) in [(Lang::En, "en"), (Lang::Ja, "ja")] {
            let text = render(&report, *format, &Render { lang, ..Render::default() });
            texts.insert(format!("OAI-50-fires {} {}", format.as_str(), tag), text);
        }
    }
    texts
}

#[derive(Default)]
struct Bodies {
    all: Vec<String>,
    places: BTreeMap<Vec<u8>, usize>,
}

impl Bodies {
    fn place(&mut self, body: &[u8]) -> usize {
        *self.places.entry(body.to_vec()).or_insert_with(|| {
            self.all.push(body.iter().map(|byte| format!("{byte:02x}")).collect());
            self.all.len() - 1
        })
    }
}

fn played(name: &str, variant: &CheckVariant, bodies: &mut Bodies) -> Option<Value> {
    let (mut provider, base) = (variant.provider(), variant.base_url());
    let options = json!({"limits": variant.limits});
    let read: CheckOptions = serde_json::from_value(options.clone()).expect("they are options");
    let mut session = CheckSession::new(read.plan(&base).expect("the options are valid"));
    let (mut now, mut steps) = (START, Vec::new());
    for _ in 0..MOST {
        let step = session.step(now);
        let mut shown = serde_json::to_value(&step).expect("a step is a value");
        match step {
            CheckStep::Request { url, form, accept_encoding, .. } => {
                let query = form.clone().unwrap_or_else(|| {
                    url.strip_prefix(&base).unwrap_or_default().trim_start_matches(['?', '&']).into()
                });
                let response = provider.respond(&query, form.is_some(), accept_encoding == Some("identity"));
                if response.status == 302 || response.headers.contains_key("redirected-to") {
                    return None;
                }
                now = now.plus_millis(200);
                answer(&mut session, now, &response);
                let Scripted { status, headers, body } = &response;
                shown["response"] = json!({"status": status, "headers": headers, "body": bodies.place(body)});
            }
            CheckStep::Wait { ms, .. } => now = now.plus_millis(ms),
            CheckStep::Done => {
                let report: Report = session.report();
                return Some(json!({
                    "name": name, "url": base, "options": options, "now": START, "steps": steps, "report": report.to_json(),
                }));
            }
        }
        steps.push(shown);
    }
    panic!("{name}: it does not end")
}

fn answer(session: &mut CheckSession, now: Moment, response: &Scripted) {
    if response.status == 0 {
        return session.failed(now, Failure::Connection, Reason::other("it broke off"));
    }
    let header = |name: &str| response.headers.get(name).cloned();
    session.begin(
        now,
        ResponseHead {
            status: response.status,
            content_type: header("content-type"),
            content_encoding: header("content-encoding"),
            retry_after: header("retry-after"),
            date: header("date"),
            redirects: Vec::new(),
        },
    );
    for window in response.body.chunks(1000) {
        if !session.push(window) {
            break;
        }
    }
    session.end(now);
}
