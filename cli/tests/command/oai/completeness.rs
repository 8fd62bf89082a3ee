//! `complete` is said only of what is: lists that shift, records that are owed, sets that are not kept, reconciliations.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use resourcesync_tests::{
    oai::Repository,
    server::{Asked, Server, reply},
};
use serde_json::{Value, json};

use super::{FAST, query, scripted, serve};
use crate::bench::{Bench, Ran};

const XML: &str = "Content-Type: text/xml";

/// Runs `oai harvest` with a summary as data.
fn harvest(bench: &Bench, args: &[&str]) -> Ran {
    bench.run(&[&["oai", "harvest", "--format", "json"][..], &FAST, args].concat())
}

/// The identifiers that a store has.
fn held(bench: &Bench) -> Vec<String> {
    let out = bench.run(&["oai", "list", "--format", "json", "store"]).ends(0).out;
    let entries = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    entries.map(|entry| entry["identifier"].as_str().unwrap().to_owned()).collect()
}

fn codes(summary: &Value, list: &str) -> Vec<String> {
    let all = summary[list].as_array().into_iter().flatten();
    // The base URL of these repositories is not that of the server.
    all.map(|noted| noted["code"].as_str().unwrap().to_owned()).filter(|code| code != "OAI-13").collect()
}

fn proof(bench: &Bench, summary: &Value) -> Value {
    serde_json::from_str(&bench.read(summary["proof"].as_str().unwrap())).unwrap()
}

/// The number of requests with this verb.
fn requests(server: &Server, verb: &str) -> usize {
    server.paths().iter().filter(|path| path.contains(&format!("verb={verb}&"))).count()
}

/// A switch of a server, and the copy that the server has.
fn switch(is_on: bool) -> (Arc<AtomicBool>, Arc<AtomicBool>) {
    let switch = Arc::new(AtomicBool::new(is_on));
    (switch.clone(), switch)
}

/// A server for a repository, with a change to each response.
fn edited(repository: &Arc<Repository>, edit: impl Fn(&Asked, String) -> String + Send + Sync + 'static) -> Server {
    let repository = repository.clone();
    Server::new(move |asked, stream| {
        let body = String::from_utf8(repository.respond(&query(asked))).unwrap();
        reply(stream, "200 OK", &[XML], edit(asked, body).as_bytes())
    })
}

#[test]
fn a_list_that_shifts_while_it_is_read_is_requested_again() {
    let bench = Bench::new("oai-shifted");
    let repository = Arc::new(Repository::new(9, 3));
    let (is_shifting, shifts) = switch(true);
    let server = Server::new(move |asked, stream| {
        let mut query = query(asked);
        if shifts.load(Ordering::SeqCst) {
            // The fourth record is passed over, and the seventh comes twice.
            for (end, other) in [("%213", "%214"), ("%217", "%216")] {
                if let Some(start) = query.strip_suffix(end) {
                    query = format!("{start}{other}");
                    break;
                }
            }
        }
        reply(stream, "200 OK", &[XML], &repository.respond(&query))
    });
    let summary = harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(2).json();
    assert_eq!((&summary["status"], &summary["records"]), (&json!("suspect"), &json!(9)));
    assert_eq!(codes(&summary, "reasons"), ["OAI-64"]);
    assert_eq!(held(&bench).len(), 8);
    is_shifting.store(false, Ordering::SeqCst);
    harvest(&bench, &["store"]).ends(0);
    assert_eq!(held(&bench).len(), 9);
}

#[test]
fn a_list_that_may_have_broken_off_is_requested_again() {
    for is_error in [true, false] {
        let bench = Bench::new(&format!("oai-nothing-left-{is_error}"));
        let repository = Arc::new(Repository::new(8, 3));
        let (is_broken, breaks) = switch(true);
        let server = edited(&repository, move |asked, body| {
            let is_second = breaks.load(Ordering::SeqCst) && asked.path.ends_with("%213");
            let body = match (is_second, body.split_once("<ListRecords>")) {
                (true, Some((head, _))) if is_error => format!("{head}<error code=\"noRecordsMatch\"/></OAI-PMH>"),
                (true, Some((head, _))) => format!("{head}<ListRecords></ListRecords></OAI-PMH>"),
                _ => body,
            };
            body.replace(" completeListSize=\"8\"", "")
        });
        let summary = harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(2).json();
        assert_eq!((&summary["status"], codes(&summary, "reasons")), (&json!("suspect"), vec!["OAI-63".to_owned()]));
        assert_eq!((held(&bench).len(), &proof(&bench, &summary)["next"]), (3, &json!([])));
        is_broken.store(false, Ordering::SeqCst);
        harvest(&bench, &["store"]).ends(0);
        assert_eq!(held(&bench).len(), 8);
    }
}

#[test]
fn a_harvest_that_was_broken_off_replaces_no_file() {
    let bench = Bench::new("oai-broken-off");
    let repository = Arc::new(Repository::new(8, 3));
    let ((is_broken, breaks), (is_silent, silent)) = (switch(false), switch(false));
    let server = edited(&repository, move |asked, body| {
        let is_second = breaks.load(Ordering::SeqCst) && asked.path.ends_with("%213");
        if is_second || silent.load(Ordering::SeqCst) { "<html/>".to_owned() } else { body }
    });
    let run = |args: &[&str]| {
        bench.run(&[&["oai", "harvest", "--output", "all.jsonl"][..], args, &FAST, &[&server.url("/oai")]].concat())
    };
    let count = |name: &str| bench.read(name).lines().count();
    assert!(run(&[]).ends(0).err.is_empty());
    assert_eq!(count("all.jsonl"), 8);
    is_broken.store(true, Ordering::SeqCst);
    let ran = run(&[]).ends(2);
    assert!(ran.err.contains("the records that were received go to all.jsonl.part"), "{ran:?}");
    assert_eq!((count("all.jsonl"), count("all.jsonl.part")), (8, 3));
    // What was received before is not lost to a run that receives nothing.
    is_silent.store(true, Ordering::SeqCst);
    let ran = run(&[]).ends(2);
    assert!(ran.err.contains("no record was received"), "{ran:?}");
    assert_eq!((count("all.jsonl"), count("all.jsonl.part")), (8, 3));
    is_silent.store(false, Ordering::SeqCst);
    // Only a part was wanted.
    let ran = run(&["--max-records", "2"]).ends(2);
    assert!(!ran.err.contains(".part"), "{ran:?}");
    assert_eq!(count("all.jsonl"), 2);
}

#[test]
fn local_time_that_is_marked_as_utc_loses_no_records() {
    let bench = Bench::new("oai-local-time");
    let repository = Arc::new(Repository::new(3, 5));
    *repository.now.lock().unwrap() = "2026-01-01T09:00:00Z".into();
    let answers = repository.clone();
    let server = Server::new(move |asked, stream| {
        let head = [XML, "Date: Thu, 01 Jan 2026 00:00:00 GMT"];
        reply(stream, "200 OK", &head, &answers.respond(&query(asked)))
    });
    let summary = harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(0).json();
    assert_eq!(codes(&summary, "notes"), ["OAI-65"]);
    repository.put("4", "2026-01-01T01:00:00Z", Some("first"));
    harvest(&bench, &["store"]).ends(0);
    assert_eq!(held(&bench).len(), 4);
}

#[test]
fn what_changed_before_a_clock_was_set_back_is_harvested() {
    let bench = Bench::new("oai-set-back");
    let repository = Arc::new(Repository::new(3, 5));
    let server = serve(&repository);
    *repository.now.lock().unwrap() = "2026-01-01T12:00:00Z".into();
    harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(0);
    *repository.now.lock().unwrap() = "2026-01-01T01:00:00Z".into();
    repository.put("4", "2026-01-01T00:30:00Z", Some("first"));
    let summary = harvest(&bench, &["store"]).ends(0).json();
    assert_eq!((codes(&summary, "notes"), held(&bench).len()), (vec!["OAI-65".to_owned()], 4));
    assert_eq!(proof(&bench, &summary)["next"][0]["from"], "2026-01-01T00:59:00Z");
    // Its clock goes on from there.
    *repository.now.lock().unwrap() = "2026-01-01T02:00:00Z".into();
    let before = server.paths().len();
    let summary = harvest(&bench, &["store"]).ends(0).json();
    assert_eq!((codes(&summary, "notes"), server.paths().len() - before), (vec![], 2));
}

#[test]
fn what_is_listed_and_not_held_is_fetched() {
    let bench = Bench::new("oai-lacking");
    let mut repository = Repository::new(6, 3);
    repository.deleted_record = "no";
    (2..=4).for_each(|number| repository.remove(&number.to_string()));
    let repository = Arc::new(repository);
    let server = serve(&repository);
    harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(0);
    // They become visible with the datestamps that they always had.
    (2..=4).for_each(|number| repository.put(&number.to_string(), "2025-06-01T00:00:09Z", Some("first")));
    harvest(&bench, &["store"]).ends(0);
    assert_eq!(held(&bench).len(), 3);
    harvest(&bench, &["--reconcile", "now", "store"]).ends(0);
    assert_eq!(held(&bench), ["1", "2", "3", "4", "5", "6"]);
    // A version that is later than the held one counts as well.
    repository.put("5", "2025-06-01T00:00:10Z", Some("second"));
    let summary = harvest(&bench, &["--reconcile", "now", "store"]).ends(0).json();
    assert_eq!((&summary["counts"]["changed"], requests(&server, "GetRecord")), (&json!(1), 4));
}

#[test]
fn what_vanished_on_the_day_of_its_datestamp_is_missed() {
    let bench = Bench::new("oai-vanished-today");
    let mut repository = Repository::new(0, 5);
    (repository.deleted_record, repository.granularity) = ("no", "YYYY-MM-DD");
    *repository.now.lock().unwrap() = "2026-01-01T12:00:00Z".into();
    ["1", "2", "3"].iter().for_each(|name| repository.put(name, "2026-01-01", Some("first")));
    let repository = Arc::new(repository);
    let server = serve(&repository);
    harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(0);
    repository.remove("2");
    *repository.now.lock().unwrap() = "2026-01-01T12:01:00Z".into();
    let summary = harvest(&bench, &["--reconcile", "now", "store"]).ends(0).json();
    assert_eq!((&summary["counts"]["deleted"], held(&bench)), (&json!(1), vec!["1".to_owned(), "3".to_owned()]));
}

#[test]
fn what_is_listed_and_not_fetched_is_owed_until_it_is() {
    let bench = Bench::new("oai-lacking-budget");
    let mut repository = Repository::new(6, 3);
    repository.deleted_record = "no";
    (2..=4).for_each(|number| repository.remove(&number.to_string()));
    let repository = Arc::new(repository);
    let server = serve(&repository);
    harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(0);
    (2..=4).for_each(|number| repository.put(&number.to_string(), "2025-06-01T00:00:09Z", Some("first")));
    let run = |more: &[&str], status| {
        harvest(&bench, &[&["--limit", "oai_owed_requests=1"][..], more, &["store"]].concat()).ends(status).json()
    };
    let summary = run(&["--reconcile", "now"], 2);
    assert_eq!((&summary["status"], codes(&summary, "reasons")), (&json!("suspect"), vec!["OAI-70".to_owned()]));
    // The debt does not depend on how the next run is called.
    assert_eq!(codes(&run(&["--reconcile", "never"], 2), "reasons"), ["OAI-70"]);
    assert_eq!(run(&["--reconcile", "never", "--allow-quarantine", "2"], 0)["status"], "complete");
    assert_eq!(codes(&run(&[], 2), "reasons"), ["OAI-70"]);
    run(&[], 0);
    assert_eq!(held(&bench).len(), 6);
}

#[test]
fn a_reconciliation_is_due_for_each_list_also_after_a_run_that_was_cut() {
    let bench = Bench::new("oai-reconcile-lists");
    let mut repository = Repository::new(12, 5);
    repository.deleted_record = "no";
    repository.formats = vec!["oai_dc".into(), "x".into()];
    let repository = Arc::new(repository);
    let (is_forbidden, forbids) = switch(true);
    let answers = repository.clone();
    let server = Server::new(move |asked, stream| {
        let is_refused = asked.path.contains("ListRecords&metadataPrefix=x") && forbids.load(Ordering::SeqCst);
        match is_refused {
            true => reply(stream, "503 Service Unavailable", &["Retry-After: 86400"], b""),
            false => reply(stream, "200 OK", &[XML], &answers.respond(&query(asked))),
        }
    });
    harvest(&bench, &["--prefix", "oai_dc", "--prefix", "x", "--into", "store", &server.url("/oai")]).ends(2);
    is_forbidden.store(false, Ordering::SeqCst);
    harvest(&bench, &["--max-wait", "90000", "store"]).ends(0);
    assert_eq!(held(&bench).len(), 24);
    *repository.now.lock().unwrap() = "2026-01-02T00:00:00Z".into();
    (1..=2).for_each(|number| repository.remove(&number.to_string()));
    let summary = harvest(&bench, &["--reconcile", "now", "store"]).ends(0).json();
    assert_eq!((&summary["counts"]["deleted"], held(&bench).len()), (&json!(4), 20));
    // A list that fails does not keep the other one from being compared.
    repository.remove("3");
    is_forbidden.store(true, Ordering::SeqCst);
    let before = requests(&server, "ListIdentifiers");
    harvest(&bench, &["--reconcile", "now", "store"]).ends(2);
    is_forbidden.store(false, Ordering::SeqCst);
    harvest(&bench, &["--max-wait", "90000", "--reconcile", "now", "store"]).ends(0);
    assert_eq!(held(&bench).len(), 18);
    assert!(requests(&server, "ListIdentifiers") > before);
}

#[test]
fn a_reconciliation_by_windows_compares_each_with_its_own_part() {
    let bench = Bench::new("oai-reconcile-windows");
    let mut repository = Repository::new(0, 50);
    repository.deleted_record = "no";
    for number in 0..200 {
        let year = if number < 100 { 2021 } else { 2024 };
        repository.put(&format!("{number:03}"), &format!("{year}-03-01T00:00:00Z"), Some("first"));
    }
    let repository = Arc::new(repository);
    let answers = repository.clone();
    let server = Server::new(move |asked, stream| {
        let is_long = asked.path.contains("ListIdentifiers")
            && !["from=", "until=", "Token="].iter().any(|own| asked.path.contains(own));
        match is_long {
            true => reply(stream, "413 Payload Too Large", &[], b""),
            false => reply(stream, "200 OK", &[XML], &answers.respond(&query(asked))),
        }
    });
    harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(0);
    ["000", "050", "150"].iter().for_each(|gone| repository.remove(gone));
    let summary = harvest(&bench, &["--reconcile", "now", "store"]).ends(0).json();
    assert_eq!((&summary["status"], &summary["counts"]["deleted"]), (&json!("complete"), &json!(3)));
    assert_eq!((requests(&server, "GetRecord"), held(&bench).len()), (3, 197));
}

#[test]
fn nothing_is_deleted_by_a_list_of_identifiers_that_shifts() {
    let bench = Bench::new("oai-reconcile-shifted");
    let mut repository = Repository::new(60, 10);
    repository.deleted_record = "no";
    let repository = Arc::new(repository);
    let answers = repository.clone();
    let server = Server::new(move |asked, stream| {
        let query = query(asked);
        // Half of each page but the first is passed over.
        let shifted = match query.rsplit_once("%21") {
            Some((start, at)) if query.contains("ListIdentifiers") => {
                format!("{start}%21{}", at.parse::<usize>().unwrap() + 6)
            }
            _ => query,
        };
        reply(stream, "200 OK", &[XML], &answers.respond(&shifted))
    });
    harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(0);
    let summary = harvest(&bench, &["--reconcile", "now", "--max-delete", "all", "store"]).ends(2).json();
    assert_eq!((codes(&summary, "reasons"), requests(&server, "GetRecord")), (vec!["OAI-64".to_owned()], 0));
    assert_eq!(held(&bench).len(), 60);
}

/// A server that damages the record `2` while the switch is on.
fn damaging(repository: &Arc<Repository>, is_named: bool) -> (Arc<AtomicBool>, Server) {
    let (is_damaged, damages) = switch(true);
    let server = edited(repository, move |_, body| match damages.load(Ordering::SeqCst) {
        true if is_named => body.replace(">2 first</d>", ">\u{b}</d>"),
        true => body.replace("<identifier>2</identifier>", "<identifier>&2</identifier>"),
        false => body,
    });
    (is_damaged, server)
}

#[test]
fn a_damaged_record_is_owed_until_it_was_fetched_whole() {
    let bench = Bench::new("oai-owed");
    let repository = Arc::new(Repository::new(3, 2));
    let (is_damaged, server) = damaging(&repository, true);
    let summary = harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(2).json();
    assert_eq!(codes(&summary, "reasons"), ["OAI-68"]);
    *repository.now.lock().unwrap() = "2026-01-08T00:00:00Z".into();
    for week in 1..=2 {
        let summary = harvest(&bench, &["store"]).ends(2).json();
        assert_eq!(summary["status"], "suspect");
        assert_eq!(requests(&server, "GetRecord"), week);
        let owed = &proof(&bench, &summary)["owed"];
        assert_eq!((owed.as_array().unwrap().len(), &owed[0]["identifier"]), (1, &json!("2")));
    }
    let summary = harvest(&bench, &["--allow-quarantine", "1", "store"]).ends(0).json();
    assert_eq!(proof(&bench, &summary)["owed"][0]["identifier"], "2");
    let quarantined = bench.run(&["oai", "list", "--quarantined", "store"]).ends(0).out;
    assert_eq!(quarantined.lines().count(), 1, "{quarantined}");
    // Repaired, with the datestamp that it always had.
    is_damaged.store(false, Ordering::SeqCst);
    let summary = harvest(&bench, &["store"]).ends(0).json();
    assert_eq!((&summary["status"], held(&bench).len()), (&json!("complete"), 3));
    assert!(bench.run(&["oai", "list", "--quarantined", "store"]).ends(0).out.is_empty());
    let before = requests(&server, "GetRecord");
    harvest(&bench, &["store"]).ends(0);
    assert_eq!(requests(&server, "GetRecord"), before);
}

#[test]
fn a_damaged_record_that_is_gone_is_not_owed() {
    let bench = Bench::new("oai-owed-gone");
    let repository = Arc::new(Repository::new(3, 2));
    let (_, server) = damaging(&repository, true);
    harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(2);
    repository.remove("2");
    harvest(&bench, &["store"]).ends(0);
    assert!(bench.run(&["oai", "list", "--quarantined", "store"]).ends(0).out.is_empty());
}

#[test]
fn a_damaged_record_without_a_name_is_found_by_the_list_of_identifiers() {
    let bench = Bench::new("oai-owed-unnamed");
    let repository = Arc::new(Repository::new(3, 2));
    let (is_damaged, server) = damaging(&repository, false);
    harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(2);
    assert_eq!(held(&bench).len(), 2);
    // The lists of identifiers are damaged as well.
    harvest(&bench, &["store"]).ends(2);
    is_damaged.store(false, Ordering::SeqCst);
    harvest(&bench, &["store"]).ends(0);
    assert_eq!(held(&bench).len(), 3);
    assert!(bench.run(&["oai", "list", "--quarantined", "store"]).ends(0).out.is_empty());
    let before = server.paths().len();
    harvest(&bench, &["store"]).ends(0);
    assert_eq!(server.paths().len() - before, 2);
}

#[test]
fn a_server_that_fails_for_one_owed_record_does_not_end_the_run() {
    let bench = Bench::new("oai-owed-500");
    let repository = Arc::new(Repository::new(3, 2));
    let answers = repository.clone();
    let server = Server::new(move |asked, stream| match asked.path.contains("GetRecord") {
        true => reply(stream, "500 Internal Server Error", &[], b""),
        false => {
            let body = String::from_utf8(answers.respond(&query(asked))).unwrap();
            reply(stream, "200 OK", &[XML], body.replace(">2 first</d>", ">\u{b}</d>").as_bytes())
        }
    });
    harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(2);
    *repository.now.lock().unwrap() = "2026-01-08T00:00:00Z".into();
    let summary = harvest(&bench, &["store"]).ends(2).json();
    assert_eq!((&summary["status"], codes(&summary, "reasons")), (&json!("suspect"), vec!["OAI-70".to_owned()]));
    assert_eq!(requests(&server, "GetRecord"), 2);
}

#[test]
fn records_of_other_sets_are_not_stored() {
    let bench = Bench::new("oai-foreign-sets");
    let repository = Arc::new(Repository::new(20, 4));
    let answers = repository.clone();
    let server = Server::new(move |asked, stream| {
        // From the second page on it forgets the set.
        let query = query(asked).replace("odd%21", "%21");
        reply(stream, "200 OK", &[XML], &answers.respond(&query))
    });
    let args = ["--set", "odd", "--reconcile", "now", "--into", "store", &server.url("/oai")];
    let summary = harvest(&bench, &args).ends(2).json();
    assert_eq!(
        (&summary["status"], codes(&summary, "reasons")),
        (&json!("suspect"), vec!["OAI-33".to_owned(), "OAI-64".to_owned()])
    );
    assert_eq!(summary["reasons"][0]["identifiers"][0], "14");
    let held = held(&bench);
    assert!(held.iter().all(|own| own.parse::<u64>().unwrap() % 2 == 1), "{held:?}");
}

#[test]
fn headers_without_sets_are_stored_and_noted_once() {
    let bench = Bench::new("oai-no-sets");
    let server = scripted(&[json!({"sets": ["a"]}), json!({"records": ["1", "2", "3 2025-06-01 a:b"]})]);
    let args = ["--set", "a", "--into", "store", &server.url("/oai")];
    let summary = harvest(&bench, &args).ends(0).json();
    assert_eq!((held(&bench).len(), codes(&summary, "notes")), (3, vec!["OAI-47".to_owned()]));
    let note = summary["notes"].as_array().unwrap().iter().find(|note| note["code"] == "OAI-47").unwrap();
    assert_eq!((&note["count"], &note["args"]["count"]), (&json!(1), &json!(2)));
}

#[test]
fn a_list_whose_page_is_not_what_it_should_be_is_not_complete() {
    for how in ["error", "outside", "twice"] {
        let bench = Bench::new(&format!("oai-page-{how}"));
        let repository = Arc::new(Repository::new(8, 3));
        let server = edited(&repository, move |asked, body| {
            let token = body.find("<resumptionToken").zip(body.find("</resumptionToken>"));
            let Some((start, end)) = token.filter(|_| !asked.path.contains("resumptionToken")) else { return body };
            let end = end + "</resumptionToken>".len();
            let (token, others) = (&body[start..end], format!("{}{}", &body[..start], &body[end..]));
            match how {
                // An error while the list was written.
                "error" => others.replace("</ListRecords>", "</ListRecords><error code=\"badArgument\">no</error>"),
                "outside" => others.replace("</ListRecords>", &format!("</ListRecords>{token}")),
                // The first one leads on.
                _ => body.replace(token, &format!("{token}<resumptionToken/>")),
            }
        });
        let is_whole = how == "twice";
        let summary =
            harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(if is_whole { 0 } else { 2 }).json();
        assert_eq!(
            (summary["status"] == "complete", held(&bench).len() == 8),
            (is_whole, is_whole),
            "{how}: {summary}"
        );
        assert_eq!(proof(&bench, &summary)["next"] == json!([]), !is_whole, "{how}: {summary}");
    }
}

#[test]
fn a_store_has_one_start() {
    let bench = Bench::new("oai-one-start");
    let server = serve(&Arc::new(Repository::new(4, 3)));
    harvest(&bench, &["--into", "store", "--since", "2015-01-01", &server.url("/oai")]).ends(0);
    let before = server.paths().len();
    let other = harvest(&bench, &["--since", "2010-01-01", "store"]).ends(2);
    assert!(other.err.contains("2015-01-01") && server.paths().len() == before, "{other:?}");
    harvest(&bench, &["--since", "2015-01-01", "store"]).ends(0);
}
