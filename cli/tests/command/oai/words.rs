//! The output of `oai`: help, descriptions, lists, metadata, summaries, exit statuses.

use std::sync::Arc;

use resourcesync_tests::{
    oai::Repository,
    server::{Server, reply},
};
use serde_json::{Value, json};

use super::{FAST, repository, scripted, serve};
use crate::bench::Bench;

#[test]
fn every_subcommand_has_examples_and_fits_a_terminal() {
    let bench = Bench::new("oai-help");
    for command in ["identify", "list", "get", "harvest", "bridge", "validate"] {
        let long = bench.run(&["oai", command, "--help"]).ends(0).out;
        assert!(long.contains(&format!("  resourcesync oai {command}")), "{long}");
        assert!(long.lines().all(|line| line.chars().count() <= 100), "{long}");
    }
    assert!(bench.run(&["oai", "--help"]).ends(0).out.contains("Examples:"));
    assert!(bench.run(&["oai", "harvest", "--help"]).ends(0).out.contains("Exit status:"));
    assert!(bench.run(&["man", "oai"]).ends(0).out.contains("resourcesync\\-oai"));
}

#[test]
fn identify_describes_the_repository_and_how_it_would_be_harvested() {
    let bench = Bench::new("oai-identify");
    let server = serve(&Arc::new(Repository::new(3, 10)));
    let url = server.url("/oai");
    let text = bench.run(&[&["oai", "identify"][..], &FAST, &[&url]].concat()).ends(0).out;
    for line in [
        "name: Example",
        "granularity: YYYY-MM-DDThh:mm:ssZ",
        "sets: even, odd",
        "compression: none",
        "harvest: dates with seconds",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let text = bench.run(&[&["oai", "identify", "--lang", "ja"][..], &FAST, &[&url]].concat()).ends(0).out;
    assert!(text.contains("粒度: YYYY-MM-DDThh:mm:ssZ"), "{text}");
    let value = bench.run(&[&["oai", "identify", "--format", "json"][..], &FAST, &[&url]].concat()).ends(0).json();
    assert_eq!(value["harvest"], json!({"granularity": "second", "reconcileEveryDays": null}));
    assert_eq!(value["formats"][0]["prefix"], "oai_dc");
}

#[test]
fn identify_names_the_compression_of_the_repository() {
    let bench = Bench::new("oai-compression");
    let responses =
        [json!({"identify": {"compression": "gzip"}}), json!({"formats": ["oai_dc"]}), json!({"sets": ["a"]})];
    let server = repository(&responses.map(|json| serde_json::from_value(json).unwrap()), false);
    let text = bench.run(&[&["oai", "identify"][..], &FAST, &[&server.url("/oai")]].concat()).ends(0).out;
    assert!(text.contains("compression: gzip"), "{text}");
}

#[test]
fn lines_have_the_metadata_as_sent_and_name_another_encoding() {
    let bench = Bench::new("oai-as-sent");
    let metadata = "<x  a='1'><![CDATA[<y>]]><!-- c --><?p i?>&#233;é</x>";
    for (encoding, transcoded) in [(json!(null), json!(null)), (json!("windows-1252"), json!("windows-1252"))] {
        let server = scripted(&[json!({"records": ["1"], "metadata": metadata, "encoding": encoding})]);
        let out = bench.run(&[&["oai", "harvest"][..], &FAST, &[&server.url("/oai")]].concat()).ends(0).out;
        let line: Value = serde_json::from_str(&out).unwrap();
        assert_eq!((&line["metadata"], &line["transcoded"]), (&json!(metadata), &transcoded));
    }
}

#[test]
fn formats_sets_and_identifiers_are_listed() {
    let bench = Bench::new("oai-list");
    let server = serve(&Arc::new(Repository::new(3, 2)));
    let url = server.url("/oai");
    let list = |args: &[&str]| bench.run(&[&["oai", "list"][..], args, &FAST, &[&url]].concat()).ends(0).out;
    assert!(list(&["--formats"]).starts_with("oai_dc\thttp://a.example/oai_dc/\t"));
    assert_eq!(list(&["--sets"]), "even\tSet even\nodd\tSet odd\n");
    assert_eq!(list(&["--set", "even"]), "2\t2025-06-01T00:00:02Z\t\teven\n");
    let lines = list(&["--format", "json"]);
    let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(first, json!({"identifier": "1", "datestamp": "2025-06-01T00:00:01Z", "sets": ["odd"]}));
    assert_eq!(lines.lines().count(), 3);
}

#[test]
fn get_prints_the_metadata_byte_for_byte_or_as_a_document_of_its_own() {
    let bench = Bench::new("oai-get");
    let metadata = "<x:d  a='1'><x:e/></x:d>";
    let page = format!(
        "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\" xmlns:x=\"http://a.example/x/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"GetRecord\">http://a.example/oai</request><GetRecord><record><header><identifier>1</identifier><datestamp>2025-01-01</datestamp></header><metadata>{metadata}</metadata></record></GetRecord></OAI-PMH>"
    );
    let server = Server::new(move |_, stream| reply(stream, "200 OK", &["Content-Type: text/xml"], page.as_bytes()));
    let url = server.url("/oai");
    let get = |args: &[&str]| bench.run(&[&["oai", "get"][..], args, &FAST, &[&url, "1"]].concat()).ends(0).out;
    assert_eq!(get(&[]), metadata);
    assert_eq!(
        get(&["--standalone"]),
        "<x:d xmlns=\"http://www.openarchives.org/OAI/2.0/\" xmlns:x=\"http://a.example/x/\"  a='1'><x:e/></x:d>"
            .replace("xmlns=\"http://www.openarchives.org/OAI/2.0/\" ", "")
    );
    assert_eq!(serde_json::from_str::<Value>(&get(&["--format", "json"])).unwrap()["metadata"], metadata);
}

#[test]
fn a_record_that_does_not_exist_is_a_failure() {
    let bench = Bench::new("oai-get-missing");
    let server = serve(&Arc::new(Repository::new(1, 1)));
    let ran = bench.run(&[&["oai", "get"][..], &FAST, &[&server.url("/oai"), "7"]].concat()).ends(2);
    assert!(ran.out.is_empty() && ran.err.contains("idDoesNotExist"), "{ran:?}");
}

#[test]
fn a_harvest_without_a_store_prints_records_and_a_summary() {
    let bench = Bench::new("oai-lines");
    let server = serve(&Arc::new(Repository::new(5, 2)));
    let url = server.url("/oai");
    let args = ["oai", "harvest", "--skip-waits", "--from", "me@example.org", &url];
    let ran = bench.run(&args).ends(0);
    assert_eq!(ran.out.lines().count(), 5);
    assert!(ran.err.contains("complete: 5 records in 3 pages"), "{ran:?}");
    assert!(ran.err.contains("next from 2025-12-31T23:59:00Z"), "{ran:?}");
    let ran = bench.run(&["oai", "harvest", "--skip-waits", &url]).ends(0);
    assert!(ran.err.contains("--from ADDRESS"), "{ran:?}");
    let ran = bench.run(&["oai", "harvest", "--skip-waits", "--lang", "ja", &url]).ends(0);
    assert!(ran.err.starts_with("注記: ") && ran.err.contains("完了: 5 件、3 ページ"), "{ran:?}");
}

#[test]
fn from_takes_an_address_and_names_since_for_a_date() {
    let bench = Bench::new("oai-from");
    let ran = bench.run(&["oai", "harvest", "--from", "2026-01-01", "http://127.0.0.1:1/oai"]).ends(2);
    assert!(ran.err.contains("use --since"), "{ran:?}");
}

#[test]
fn a_dry_run_shows_the_first_list_request_and_sends_none() {
    let bench = Bench::new("oai-dry-run");
    let server = serve(&Arc::new(Repository::new(5, 2)));
    let url = server.url("/oai");
    let args = |more: &[&'static str]| -> Vec<String> {
        let all = ["oai", "harvest", "--into", "store"].iter().chain(&FAST).chain(more);
        all.map(|word| (*word).to_owned()).chain([url.clone()]).collect()
    };
    let run = |more: &[&'static str]| bench.run(&args(more).iter().map(String::as_str).collect::<Vec<_>>()).ends(0);
    let ran = run(&["--dry-run", "--set", "odd"]);
    assert_eq!(ran.out, format!("first list request: {url}?verb=ListRecords&metadataPrefix=oai_dc&set=odd\n"));
    assert!(!bench.path("store").exists());
    assert!(server.paths().iter().all(|path| !path.contains("ListRecords")));
    run(&[]);
    let ran = bench.run(&[&["oai", "harvest", "--dry-run"][..], &FAST, &["store"]].concat()).ends(0);
    assert!(ran.out.contains("from=2025-12-31T23%3A59%3A00Z"), "{ran:?}");
}

#[test]
fn an_html_page_with_status_200_is_never_complete() {
    let bench = Bench::new("oai-html");
    let server = Server::new(|_, stream| reply(stream, "200 OK", &["Content-Type: text/html"], b"<html>Log in</html>"));
    let ran = bench.run(&["oai", "harvest", "--skip-waits", &server.url("/oai")]).ends(2);
    assert!(ran.err.contains("incomplete: 0 records") && ran.err.contains("<html>Log in"), "{ran:?}");
    let ran = bench.run(&["oai", "harvest", "--skip-waits", "--lang", "ja", &server.url("/oai")]).ends(2);
    assert!(ran.err.contains("未完了"), "{ran:?}");
}

#[test]
fn notes_decide_about_the_status_only_where_fail_on_is_given() {
    let bench = Bench::new("oai-fail-on");
    let responses = [json!({"records": ["1"], "edit": [["<responseDate>2026-01-01T00:00:00Z</responseDate>", ""]]})];
    let run = |more: &[&str], status| {
        let server = scripted(&responses);
        bench.run(&[&["oai", "harvest"][..], &FAST, more, &[&server.url("/oai")]].concat()).ends(status)
    };
    run(&[], 0);
    run(&["--fail-on", "error"], 1);
}

#[test]
fn the_summary_is_data_on_request() {
    let bench = Bench::new("oai-summary");
    let server = serve(&Arc::new(Repository::new(3, 2)));
    let args = ["oai", "harvest", "--skip-waits", "--into", "store", "--format", "json", &server.url("/oai")];
    let value = bench.run(&args).ends(0).json();
    assert_eq!((&value["status"], &value["records"]), (&json!("complete"), &json!(3)));
    assert_eq!(value["counts"]["created"], 3);
    let proof: Value = serde_json::from_str(&bench.read(value["proof"].as_str().unwrap())).unwrap();
    assert_eq!((&proof["format"], &proof["status"]), (&json!("resourcesync-oai-proof"), &json!("complete")));
}
