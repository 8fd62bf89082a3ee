//! Stores: incremental harvests, deletions, damaged records, hostile identifiers, locks, kept pages.

use std::{
    collections::BTreeSet,
    fs,
    io::Write,
    path::Path,
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, SystemTime},
};

use resourcesync_tests::{
    oai::Repository,
    server::{Server, raw, reply, silence},
};
use serde_json::{Value, json};

use super::{FAST, query, repository, scripted, send, serve};
use crate::bench::{Bench, Ran};

/// Runs `oai harvest` with a summary as data.
fn harvest(bench: &Bench, args: &[&str]) -> Ran {
    bench.run(&[&["oai", "harvest", "--format", "json"][..], &FAST, args].concat())
}

/// The lines of `oai list`.
fn list(bench: &Bench, args: &[&str]) -> Vec<Value> {
    let out = bench.run(&[&["oai", "list", "--format", "json"][..], args].concat()).ends(0).out;
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_second_harvest_brings_what_changed() {
    for storage in ["files", "jsonl"] {
        let bench = Bench::new(&format!("oai-second-{storage}"));
        let repository = Arc::new(Repository::new(25, 10));
        let server = serve(&repository);
        let url = server.url("/oai");
        let first = harvest(&bench, &["--into", "store", "--store", storage, &url]).ends(0).json();
        assert_eq!((&first["records"], &first["counts"]["created"]), (&json!(25), &json!(25)));

        // R45: without changes there is one request for the description and one for the list.
        let before = server.paths().len();
        let again = harvest(&bench, &["store"]).ends(0).json();
        assert_eq!((&again["counts"]["created"], &again["counts"]["changed"]), (&json!(0), &json!(0)));
        assert_eq!(server.paths().len() - before, 2, "{:?}", server.paths());

        *repository.now.lock().unwrap() = "2026-01-02T00:00:00Z".into();
        repository.put("3", "2026-01-01T12:00:00Z", Some("second"));
        repository.put("4", "2026-01-01T12:00:00Z", None);
        repository.put("26", "2026-01-01T12:00:00Z", Some("first"));
        repository.put("5", "2026-01-01T12:00:00Z", Some("first"));
        let counts = harvest(&bench, &["store"]).ends(0).json()["counts"].clone();
        for (name, count) in [("created", 1), ("changed", 1), ("deleted", 1), ("touched", 1)] {
            assert_eq!(counts[name], count, "{name}: {counts}");
        }
        assert_eq!(list(&bench, &["store"]).len(), 25);
        let deleted = list(&bench, &["--deleted", "store"]);
        assert_eq!((deleted.len(), &deleted[0]["identifier"]), (1, &json!("4")));
        if storage == "files" {
            let of = |identifier: &str| {
                let entry = list(&bench, &["store"]).into_iter().find(|entry| entry["identifier"] == identifier);
                bench.read(&format!("store/{}", entry.unwrap()["location"].as_str().unwrap()))
            };
            assert_eq!(of("3"), "<d xmlns=\"http://a.example/oai_dc/\">3 second</d>");
            assert!(!bench.path("store").join(deleted[0]["location"].as_str().unwrap()).exists());
        }
    }
}

/// The files of the records, each with the time of its last write.
fn written(bench: &Bench) -> BTreeSet<(String, SystemTime)> {
    let modified = |location: &str| fs::metadata(bench.path("store").join(location)).unwrap().modified().unwrap();
    let locations = list(bench, &["store"]).into_iter().map(|entry| entry["location"].as_str().unwrap().to_owned());
    locations.map(|location| (location.clone(), modified(&location))).collect()
}

#[test]
fn a_server_that_ignores_from_is_harvested_correctly() {
    let bench = Bench::new("oai-from-ignored");
    let repository = Arc::new(Repository::new(25, 10));
    let answers = repository.clone();
    let server = Server::new(move |asked, stream| {
        let query = query(asked).replace("from=", "x=").replace("2025-12-31T23%3A59%3A00Z", "");
        reply(stream, "200 OK", &["Content-Type: text/xml"], &answers.respond(&query))
    });
    harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(0);
    let before = written(&bench);
    repository.put("26", "2026-01-01T12:00:00Z", Some("first"));
    let summary = harvest(&bench, &["store"]).ends(0).json();
    assert_eq!((&summary["counts"]["created"], &summary["counts"]["unchanged"]), (&json!(1), &json!(25)));
    // R45: no record that is the same is written again.
    let after = written(&bench);
    assert_eq!((before.len(), before.intersection(&after).count(), after.len()), (25, 25, 26));
    let notes = summary["notes"].as_array().unwrap();
    assert!(notes.iter().any(|own| own["code"] == "OAI-30"), "{summary}");
}

#[test]
fn deletions_that_nobody_reports_are_found_and_many_at_once_are_refused() {
    let bench = Bench::new("oai-reconcile");
    let mut repository = Repository::new(1_000, 250);
    repository.deleted_record = "no";
    let repository = Arc::new(repository);
    let server = serve(&repository);
    harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(0);
    *repository.now.lock().unwrap() = "2026-01-02T00:00:00Z".into();
    (1..=3).for_each(|number| repository.remove(&number.to_string()));
    let summary = harvest(&bench, &["--reconcile", "now", "store"]).ends(0).json();
    assert_eq!(summary["counts"]["deleted"], 3);
    assert_eq!(list(&bench, &["store"]).len(), 997);

    (10..210).for_each(|number| repository.remove(&number.to_string()));
    let summary = harvest(&bench, &["--reconcile", "now", "store"]).ends(1).json();
    assert_eq!((&summary["counts"]["deleted"], &summary["reasons"][0]["code"]), (&json!(0), &json!("OAI-66")));
    assert_eq!(list(&bench, &["store"]).len(), 997);
    harvest(&bench, &["--reconcile", "now", "--max-delete", "30%", "store"]).ends(0);
    assert_eq!(list(&bench, &["store"]).len(), 797);
}

#[test]
fn nothing_is_deleted_by_a_list_that_is_cut() {
    let bench = Bench::new("oai-reconcile-cut");
    let repository = Arc::new(Repository::new(30, 10));
    let (answers, is_cut) = (repository.clone(), Arc::new(AtomicBool::new(false)));
    let cuts = is_cut.clone();
    let server = Server::new(move |asked, stream| {
        let mut body = answers.respond(&query(asked));
        if cuts.load(Ordering::SeqCst) && asked.path.contains("ListIdentifiers") && asked.path.contains("Token") {
            let end = body.windows(10).rposition(|window| window == b"</header><").unwrap() + 9;
            body.truncate(end);
        }
        reply(stream, "200 OK", &["Content-Type: text/xml"], &body)
    });
    harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(0);
    is_cut.store(true, Ordering::SeqCst);
    (1..=3).for_each(|number| repository.remove(&number.to_string()));
    let summary = harvest(&bench, &["--reconcile", "now", "store"]).ends(2).json();
    assert_eq!((&summary["status"], &summary["counts"]["deleted"]), (&json!("incomplete"), &json!(0)));
    assert_eq!(list(&bench, &["store"]).len(), 30);
}

#[test]
fn a_page_that_is_cut_between_records_is_never_complete() {
    let bench = Bench::new("oai-cut");
    let server = scripted(&vec![json!({"records": ["1", "2"], "cut": "</ListRecords>"}); 3]);
    let summary = harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(2).json();
    assert_eq!((&summary["status"], &summary["records"]), (&json!("incomplete"), &json!(0)));
}

#[test]
fn damaged_records_are_quarantined_and_leave_when_they_come_whole() {
    let bench = Bench::new("oai-quarantine");
    let damaged = "<record><header><identifier>2</identifier><datestamp>2025-06-01</datestamp></header><metadata><a>\u{b}</a></metadata></record>";
    let server = scripted(&[json!({"records": ["1", damaged, "3"]})]);
    let url = server.url("/oai");
    let summary = harvest(&bench, &["--into", "store", &url]).ends(2).json();
    assert_eq!((&summary["status"], &summary["counts"]["quarantined"]), (&json!("suspect"), &json!(1)));
    let quarantined = list(&bench, &["--quarantined", "store"]);
    assert_eq!((quarantined.len(), &quarantined[0]["identifier"]), (1, &json!("2")));
    assert_eq!(bench.read(&format!("store/{}", quarantined[0]["file"].as_str().unwrap())), damaged);
    drop(server);

    // The configuration names the server that no longer exists.
    let responses = [json!({"identify": {}}), json!({"records": ["2"]})];
    let server = repository(&responses.map(|json| serde_json::from_value(json).unwrap()), false);
    let configuration = bench.read("store/harvest.toml").replace(&url, &server.url("/oai"));
    bench.put("store/harvest.toml", configuration);
    harvest(&bench, &["store"]).ends(0);
    assert!(list(&bench, &["--quarantined", "store"]).is_empty());
    assert_eq!(list(&bench, &["store"]).len(), 3);
}

/// A record with this identifier and metadata.
fn record(identifier: &str, metadata: &str) -> String {
    format!(
        "<record><header><identifier>{identifier}</identifier><datestamp>2025-06-01</datestamp></header><metadata>{metadata}</metadata></record>"
    )
}

#[test]
fn damaged_records_are_repaired_on_request() {
    let bench = Bench::new("oai-repair");
    let damaged = [("2", "<x>café</x>"), ("4", "<?xml version='1.0'?><x/>"), ("6", "<dc:title>x</dc:title>")];
    let [latin, declaration, prefix] = damaged.map(|(identifier, metadata)| record(identifier, metadata));
    let responses = [json!({"records": ["1", latin, "3", declaration, "5", prefix], "encoding": "mixed"})];
    for (how, repaired) in [("none", 0), ("characters", 1), ("all", 3)] {
        let server = scripted(&responses);
        let args = ["--repair", how, "--into", how, &server.url("/oai")];
        // What was repaired is not damaged any more.
        let (exit, status) = if repaired == 3 { (0, "complete") } else { (2, "suspect") };
        let summary = harvest(&bench, &args).ends(exit).json();
        let counts = &summary["counts"];
        assert_eq!(summary["status"], status, "{how}");
        assert_eq!((&counts["repaired"], &counts["quarantined"]), (&json!(repaired), &json!(3 - repaired)), "{how}");
        let proof: Value = serde_json::from_str(&bench.read(summary["proof"].as_str().unwrap())).unwrap();
        let sequence = &proof["sequences"][0];
        assert_eq!((&sequence["delivered"], &sequence["quarantined"]), (&json!(6), &json!(3 - repaired)), "{how}");
        assert_eq!(sequence["repaired"].as_u64().unwrap_or(0), repaired as u64, "{how}");
        let kept = list(&bench, &[how]);
        assert_eq!(kept.len(), 3 + repaired, "{how}");
        // The bytes as sent are always kept.
        let quarantined = list(&bench, &["--quarantined", how]);
        let of_two = quarantined.iter().find(|entry| entry["identifier"] == "2").unwrap();
        let raw = fs::read(bench.path(how).join(of_two["file"].as_str().unwrap())).unwrap();
        assert!(raw.windows(5).any(|window| window == b"caf\xE9<"), "{how}");
        if let Some(entry) = kept.iter().find(|entry| entry["identifier"] == "2") {
            let stored = bench.read(&format!("{how}/{}", entry["location"].as_str().unwrap()));
            assert_eq!(stored, "<x xmlns=\"http://www.openarchives.org/OAI/2.0/\">café</x>");
            assert_eq!((&of_two["repaired"][0]["was"], &of_two["repaired"][0]["now"]), (&json!("E9"), &json!("é")));
        }
    }
}

#[test]
fn a_damaged_record_that_is_requested_again_is_repaired_and_no_longer_owed() {
    for lists_again in [false, true] {
        let bench = Bench::new("oai-repair-later");
        let damaged = record("2", "<x>café</x>");
        let server = Server::new(move |asked, stream| {
            let query = query(asked);
            let is = |part: &str| query.contains(part);
            let answer = match () {
                () if is("verb=Identify") => json!({"identify": {}}),
                () if is("verb=ListMetadataFormats") => json!({"formats": ["oai_dc"]}),
                () if is("verb=GetRecord") => json!({"record": damaged, "encoding": "mixed"}),
                () if is("from=") && !lists_again => json!({"errors": ["noRecordsMatch"]}),
                () => json!({"records": ["1", damaged], "encoding": "mixed"}),
            };
            send(&serde_json::from_value(answer).unwrap(), stream)
        });
        let uri = server.url("/oai");
        let run = |more: &[&str]| harvest(&bench, &[&["--into", "store", &uri], more].concat());
        assert_eq!(run(&[]).ends(2).json()["counts"]["quarantined"], 1);
        let quarantined = || list(&bench, &["--quarantined", "store"]);
        assert!(quarantined()[0].get("repaired").is_none());
        let again = run(&["--repair", "characters"]).ends(0).json();
        assert_eq!((&again["status"], &again["counts"]["repaired"]), (&json!("complete"), &json!(1)), "{again:#}");
        assert_eq!(quarantined()[0]["repaired"][0]["now"], "é");
        assert_eq!(list(&bench, &["store"]).len(), 2);
        if !lists_again {
            assert_eq!(run(&[]).ends(0).json()["status"], "complete");
        }
    }
}

#[test]
fn comments_and_instructions_around_metadata_are_stored() {
    let bench = Bench::new("oai-comments");
    let metadata = "<?style x?>\n<!-- c --><x><![CDATA[<y>]]></x><!-- d -->";
    let server = scripted(&[json!({"records": [record("1", &format!("\n  {metadata}\n"))]})]);
    harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(0);
    let entry = &list(&bench, &["store"])[0];
    let stored = bench.read(&format!("store/{}", entry["location"].as_str().unwrap()));
    assert_eq!(stored, metadata.replace("<x>", "<x xmlns=\"http://www.openarchives.org/OAI/2.0/\">"));
}

#[test]
fn damaged_records_with_hostile_identifiers_stay_in_quarantine() {
    let bench = Bench::new("oai-hostile-damage");
    let damaged = [("a\0b", "<a/>"), ("c&#0;d", "<a/>"), ("/../../x", "<a>\u{b}</a>")];
    let [raw, reference, path] = damaged.map(|(identifier, metadata)| record(identifier, metadata));
    let server = scripted(&[json!({"records": ["1", raw, "2", reference, "3", path, "4"]})]);
    let summary = harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(2).json();
    assert_eq!((&summary["status"], &summary["counts"]["created"]), (&json!("suspect"), &json!(4)));
    let notes = summary["notes"].as_array().unwrap();
    assert!(notes.iter().all(|note| note["code"] != "OAI-46"), "{summary}");
    let root = fs::canonicalize(bench.path("store/quarantine")).unwrap();
    let quarantined = list(&bench, &["--quarantined", "store"]);
    assert_eq!(quarantined.len(), 3);
    for entry in &quarantined {
        let place = fs::canonicalize(bench.path("store").join(entry["file"].as_str().unwrap())).unwrap();
        assert!(place.starts_with(&root), "{entry}");
    }
}

#[test]
fn a_record_that_is_deleted_later_in_the_list_is_deleted() {
    let bench = Bench::new("oai-deleted-later");
    let responses =
        [json!({"records": ["1", "2"], "token": "t"}), json!({"records": ["1 2025-12-01 deleted"], "token": ""})];
    for (store, more) in [("plain", &[][..]), ("tombstones", &["--tombstones"])] {
        let server = scripted(&responses);
        let summary = harvest(&bench, &[more, &["--into", store, &server.url("/oai")]].concat()).ends(0).json();
        let counts = &summary["counts"];
        assert_eq!((&counts["created"], &counts["deleted"], &counts["tombstones"]), (&json!(1), &json!(1), &json!(0)));
        let kept = list(&bench, &[store]);
        assert_eq!((kept.len(), &kept[0]["identifier"]), (1, &json!("2")));
        let deleted = list(&bench, &["--deleted", store]);
        assert_eq!((deleted.len(), &deleted[0]["identifier"]), (1, &json!("1")));
    }
}

#[test]
fn a_wait_of_a_day_ends_the_run_and_the_next_one_continues() {
    let bench = Bench::new("oai-retry-at");
    let repository = Arc::new(Repository::new(30, 10));
    let (answers, is_busy) = (repository.clone(), Arc::new(AtomicBool::new(true)));
    let busy = is_busy.clone();
    let server = Server::new(move |asked, stream| match busy.load(Ordering::SeqCst) && asked.path.contains("Token") {
        true => reply(stream, "503 Service Unavailable", &["Retry-After: 86400"], b""),
        false => reply(stream, "200 OK", &["Content-Type: text/xml"], &answers.respond(&query(asked))),
    });
    let summary = harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(2).json();
    assert_eq!(summary["status"], "incomplete");
    assert!(summary["retryAt"].is_string(), "{summary}");
    is_busy.store(false, Ordering::SeqCst);
    let before = server.paths().len();
    // The server is not asked before that time, also by another run.
    let summary = harvest(&bench, &["store"]).ends(2).json();
    assert!(summary["retryAt"].is_string(), "{summary}");
    harvest(&bench, &["store"]).ends(2);
    assert_eq!(server.paths().len(), before);
    assert_eq!(harvest(&bench, &["--max-wait", "90000", "store"]).ends(0).json()["records"], 30);
    let rest = server.paths().split_off(before);
    assert!(rest.iter().all(|path| path.contains("Token")), "{rest:?}");
    assert_eq!(list(&bench, &["store"]).len(), 30);
}

#[test]
fn any_identifier_has_a_file_inside_the_store() {
    let bench = Bench::new("oai-identifiers");
    let long = "x".repeat(4096);
    let identifiers =
        ["/../../etc/passwd", "..", "a/b", "a\\b", "CON", "Name", "name", "NAME", "a&#x200B;b", "東京", &long];
    let records: Vec<String> = identifiers.iter().map(|identifier| record(identifier, "<a/>")).collect();
    let server = scripted(&[json!({"records": records})]);
    harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(0);
    let entries = list(&bench, &["store"]);
    let root = fs::canonicalize(bench.path("store")).unwrap();
    let places: BTreeSet<_> = entries
        .iter()
        .map(|entry| fs::canonicalize(root.join(entry["location"].as_str().unwrap())).unwrap())
        .inspect(|place| assert!(place.starts_with(&root)))
        .map(|place| place.to_str().unwrap().to_lowercase())
        .collect();
    assert_eq!((entries.len(), places.len()), (identifiers.len(), identifiers.len()));
}

#[test]
fn a_text_of_twenty_megabytes_is_kept_whole() {
    let bench = Bench::new("oai-long-text");
    let text = "text ".repeat(4 << 20);
    let metadata = format!("<a>{text}</a>");
    let page = format!(
        "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListRecords\">http://a.example/oai</request><ListRecords><record><header><identifier>1</identifier><datestamp>2025-06-01</datestamp></header><metadata>{metadata}</metadata></record></ListRecords></OAI-PMH>"
    );
    let repository = Repository::new(1, 1);
    let server = Server::new(move |asked, stream| match asked.path.contains("ListRecords") {
        true => reply(stream, "200 OK", &["Content-Type: text/xml"], page.as_bytes()),
        false => reply(stream, "200 OK", &["Content-Type: text/xml"], &repository.respond(&query(asked))),
    });
    harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(0);
    let entry = &list(&bench, &["store"])[0];
    let kept = bench.read(&format!("store/{}", entry["location"].as_str().unwrap()));
    assert!(kept == metadata.replacen("<a>", "<a xmlns=\"http://www.openarchives.org/OAI/2.0/\">", 1));
}

#[test]
fn a_server_that_is_too_slow_ends_the_run_with_a_checkpoint() {
    let bench = Bench::new("oai-slow");
    let repository = Arc::new(Repository::new(30, 10));
    let (answers, is_slow) = (repository.clone(), Arc::new(AtomicBool::new(true)));
    let slow = is_slow.clone();
    let server = Server::new(move |asked, stream| {
        let body = answers.respond(&query(asked));
        if !(slow.load(Ordering::SeqCst) && asked.path.contains("Token")) {
            return reply(stream, "200 OK", &["Content-Type: text/xml"], &body);
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n")?;
        for byte in body {
            stream.write_all(&[byte])?;
            thread::sleep(Duration::from_millis(50));
        }
        raw(stream, b"")
    });
    let limits = ["--limit", "http_idle_seconds=1", "--limit", "oai_tries=1"];
    let summary = harvest(&bench, &[&limits[..], &["--into", "store", &server.url("/oai")]].concat()).ends(2).json();
    assert_eq!((&summary["status"], &summary["reasons"][0]["code"]), (&json!("incomplete"), &json!("LIM-49")));
    is_slow.store(false, Ordering::SeqCst);
    let before = server.paths().len();
    harvest(&bench, &["store"]).ends(0);
    let rest = server.paths().split_off(before);
    assert!(rest.iter().all(|path| path.contains("Token")), "{rest:?}");
    assert_eq!(list(&bench, &["store"]).len(), 30);
}

#[test]
fn a_connection_that_breaks_before_the_next_page_costs_one_request() {
    let bench = Bench::new("oai-broken");
    let repository = Arc::new(Repository::new(30, 10));
    let server = Server::new(move |asked, stream| match asked.path.contains("Token") && asked.before == 0 {
        true => raw(stream, b""),
        false => reply(stream, "200 OK", &["Content-Type: text/xml"], &repository.respond(&query(asked))),
    });
    let summary = harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(0).json();
    assert_eq!(summary["records"], 30);
    let paths = server.paths();
    assert_eq!(paths.iter().filter(|path| path.contains("metadataPrefix=oai_dc")).count(), 1, "{paths:?}");
}

#[test]
fn a_second_run_is_refused_while_one_is_at_work() {
    let bench = Bench::new("oai-locked");
    let server = Server::new(|_, stream| silence(stream));
    let url = server.url("/oai");
    let args = [&["oai", "harvest", "--into", "store"][..], &FAST, &[&url]].concat();
    let mut first = bench.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while server.paths().is_empty() {
        thread::sleep(Duration::from_millis(5));
    }
    let second = bench.run(&args).ends(2);
    assert!(second.err.contains("another run is at work"), "{second:?}");
    first.kill().unwrap();
    first.wait().unwrap();
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_goes_on_where_it_stopped() {
    let bench = Bench::new("oai-interrupted");
    let repository = Arc::new(Repository::new(40, 10));
    let (answers, is_stuck) = (repository.clone(), Arc::new(AtomicBool::new(true)));
    let stuck = is_stuck.clone();
    let server =
        Server::new(move |asked, stream| match stuck.load(Ordering::SeqCst) && asked.path.ends_with("21%2120") {
            true => silence(stream),
            false => reply(stream, "200 OK", &["Content-Type: text/xml"], &answers.respond(&query(asked))),
        });
    let url = server.url("/oai");
    let args = [&["oai", "harvest", "--into", "store"][..], &FAST, &[&url]].concat();
    let mut first = bench.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !server.paths().iter().any(|path| path.ends_with("21%2120")) {
        thread::sleep(Duration::from_millis(5));
    }
    let interrupted = std::process::Command::new("kill").args(["-INT", &first.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    assert_eq!(first.wait().unwrap().code(), Some(2));
    is_stuck.store(false, Ordering::SeqCst);
    let before = server.paths().len();
    let summary = harvest(&bench, &["store"]).ends(0).json();
    assert_eq!(summary["records"], 40);
    let rest = server.paths().split_off(before);
    assert!(rest.iter().all(|path| path.contains("Token")), "{rest:?}");
    assert_eq!(list(&bench, &["store"]).len(), 40);
}

#[test]
fn kept_pages_are_replayed_without_the_repository() {
    let bench = Bench::new("oai-pages");
    let server = serve(&Arc::new(Repository::new(25, 10)));
    let url = server.url("/oai");
    harvest(&bench, &["--into", "store", "--keep-pages", &url]).ends(0);
    drop(server);
    let pages = fs::read_dir(bench.path("store/pages")).unwrap().next().unwrap().unwrap().path();
    harvest(&bench, &["--into", "copy", "--replay", pages.to_str().unwrap(), &url]).ends(0);
    assert_eq!(bench.read("store/catalogue.jsonl"), bench.read("copy/catalogue.jsonl"));
}

#[test]
fn a_folder_with_other_files_or_another_harvest_is_refused() {
    let bench = Bench::new("oai-not-ours");
    bench.put("other/file", "");
    let server = serve(&Arc::new(Repository::new(1, 1)));
    let url = server.url("/oai");
    let ran = harvest(&bench, &["--into", "other", &url]).ends(2);
    assert!(ran.err.contains("neither empty nor"), "{ran:?}");
    harvest(&bench, &["--into", "store", &url]).ends(0);
    let ran = harvest(&bench, &["--into", "store", "--set", "odd", &url]).ends(2);
    assert!(ran.err.contains("harvest into another folder"), "{ran:?}");
    assert!(!Path::new("store/run/journal").exists());
}
