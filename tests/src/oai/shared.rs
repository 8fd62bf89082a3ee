//! Transcripts for other languages: the bytes of the responses, and what the Rust code makes of them.

use resourcesync_oai::{
    harvest::{Failure, HarvestOptions, Proof, ResponseHead, Session, Step},
    limits::Limits,
    page::Record,
    whole_page::Page,
};
use serde_json::{Value, json};

use super::{OaiCase, Response};

/// Steps after which a run is considered endless.
const MOST: usize = 2_000;

/// A transcript as data: its responses, its steps and its proof. `None` if it needs a store, or an HTTP client that follows redirects.
pub fn shared(case: &OaiCase) -> Option<Value> {
    let own = &case.plan;
    let needs_store = !own.starts.is_empty() || !case.compare.is_empty() || !case.owed.is_empty();
    let is_other = own.goal.is_some() || own.reconcile.is_some() || own.all_formats;
    let is_redirected = case.answers.iter().any(|answer| answer.headers.contains_key("Redirected-To"));
    let fails =
        |answer: &Response| answer.fail.as_ref().is_some_and(|(why, _)| why != "connection" && why != "timeout");
    if needs_store || is_other || is_redirected || case.answers.iter().any(fails) {
        return None;
    }
    let options = json!({
        "prefix": own.prefixes, "set": own.sets, "since": own.since, "until": own.until, "window": own.window, "overlap": own.overlap,
        "max_delete": own.max_delete, "tolerance": own.tolerance, "repair": own.repair, "allow_quarantine": own.allow_quarantine,
        "delay": own.delay, "max_wait": own.max_wait, "max_records": own.max_records, "post": own.post, "on_loop": own.on_loop,
        "limits": own.limits,
    });
    let url = own.base_url.as_deref().unwrap_or("http://a.example/oai");
    let read: HarvestOptions = serde_json::from_value(options.clone()).expect("they are options");
    let plan = read.plan(url, 0).expect("the options are valid");
    let mut now = case.begins();
    let (mut session, mut steps, mut answers) = (Session::new(plan, now), Vec::new(), Vec::new());
    let mut left = case.answers.iter();
    for _ in 0..MOST {
        match session.step(now) {
            Step::Request { url, form } => {
                let answer = left.next().or(case.answers.last().filter(|_| case.repeat)).expect("an answer is left");
                let records = respond(&mut session, &mut now, answer);
                steps
                    .push(json!({"url": url, "form": form, "records": records.iter().map(record).collect::<Vec<_>>()}));
                answers.push(response(answer));
            }
            Step::Wait { ms, why } => {
                steps.push(json!({"wait": ms, "why": why}));
                now = now.plus_millis(ms);
            }
            Step::Done => {
                let proof: &Proof = session.proof().expect("it is over");
                let text = serde_json::to_string(proof).expect("a proof is a value");
                return Some(json!({
                    "name": case.name(), "url": url, "options": options, "now": case.begins(), "answers": answers, "steps": steps,
                    "proof": text,
                }));
            }
        }
    }
    panic!("{}: it does not end", case.name())
}

fn respond(session: &mut Session, now: &mut resourcesync_oai::harvest::Moment, answer: &Response) -> Vec<Record> {
    let header = |name: &str| answer.headers.get(name).cloned();
    if answer.fail.as_ref().is_none_or(|(_, received)| received != "nothing") {
        let content_type = header("Content-Type").or(Some("text/xml".into()));
        let (retry_after, date) = (header("Retry-After"), header("Date"));
        session.begin(
            *now,
            ResponseHead {
                status: answer.status,
                content_type,
                retry_after,
                date,
                content_encoding: None,
                redirects: Vec::new(),
            },
        );
    }
    *now = now.plus_millis(answer.ms);
    match &answer.fail {
        Some((why, received)) => {
            if received == "part" {
                session.push(PART);
            }
            let why = if why == "timeout" { Failure::Timeout } else { Failure::Connection };
            session.failed(*now, why, "it broke off")
        }
        None => {
            session.push(&answer.body.bytes());
            session.end(*now)
        }
    }
}

/// What arrives of a response that breaks off.
const PART: &[u8] = b"<OAI-PMH>";

fn record(record: &Record) -> Value {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    json!({
        "identifier": record.header.identifier,
        "datestamp": record.header.datestamp.as_ref().map(|stamp| &stamp.text),
        "isDeleted": record.header.is_deleted,
        "sets": record.header.sets,
        "metadata": record.metadata.as_ref().map(|markup| text(&markup.raw)),
        "standalone": record.metadata.as_ref().map(|markup| text(&markup.standalone())),
        "about": record.about.iter().map(|markup| text(&markup.raw)).collect::<Vec<_>>(),
    })
}

fn response(answer: &Response) -> Value {
    let bytes = answer.body.bytes();
    let header = |name: &str| answer.headers.get(name).cloned();
    let content_type = header("Content-Type").unwrap_or_else(|| "text/xml".into());
    let page = Page::read(&bytes, &Limits::default(), None);
    json!({
        "status": answer.status,
        "contentType": content_type, "retryAfter": header("Retry-After"), "date": header("Date"),
        "fail": answer.fail, "ms": answer.ms,
        "body": bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>(),
        "page": {
            "facts": serde_json::to_string(&page.facts).expect("facts are values"),
            "records": page.records.iter().map(record).collect::<Vec<_>>(),
            "headers": page.headers.iter().map(|header| &header.identifier).collect::<Vec<_>>(),
        },
    })
}
