//! Retries, waits, and content codings that nobody asked for.

use std::sync::Arc;

use resourcesync_tests::{
    oai::Repository,
    server::{Server, reply},
};
use serde_json::{Value, json};

use super::{FAST, query};
use crate::bench::{Bench, Ran};

const XML: &str = "Content-Type: text/xml";

fn harvest(bench: &Bench, args: &[&str]) -> Ran {
    bench.run(&[&["oai", "harvest", "--format", "json"][..], &FAST, args].concat())
}

#[test]
fn all_windows_of_a_server_share_the_tries() {
    let bench = Bench::new("oai-tries-of-all-windows");
    let repository = Arc::new(Repository::new(300, 100));
    let server = Server::new(move |asked, stream| match asked.path.contains("ListRecords") && asked.before < 3 {
        true => reply(stream, "504 Gateway Timeout", &[], b""),
        false => reply(stream, "200 OK", &[XML], &repository.respond(&query(asked))),
    });
    let args = ["--window", "month", "--into", "store", &server.url("/oai")];
    let summary = harvest(&bench, &args).ends(2).json();
    assert_eq!((&summary["status"], &summary["reasons"][0]["code"]), (&json!("incomplete"), &json!("LIM-49")));
    assert!(server.paths().len() <= 40, "{} requests", server.paths().len());
}

#[test]
fn the_longest_wait_holds_whatever_its_cause() {
    for (status, list) in [("500 Internal Server Error", 1), ("503 Service Unavailable", 1)] {
        let bench = Bench::new("oai-max-wait");
        let repository = Arc::new(Repository::new(3, 2));
        let server = Server::new(move |asked, stream| match asked.path.contains("ListRecords") {
            true => reply(stream, status, &[], b""),
            false => reply(stream, "200 OK", &[XML], &repository.respond(&query(asked))),
        });
        let summary = harvest(&bench, &["--max-wait", "5", "--into", "store", &server.url("/oai")]).ends(2).json();
        assert!(summary["retryAt"].is_string(), "{summary}");
        let lists = server.paths().iter().filter(|path| path.contains("ListRecords")).count();
        assert_eq!(lists, list, "{status}");
    }
}

#[test]
fn get_names_the_record_that_failed() {
    let bench = Bench::new("oai-get-several");
    let server = super::serve(&Arc::new(Repository::new(3, 2)));
    let url = server.url("/oai");
    let ran = bench.run(&[&["oai", "get"][..], &FAST, &[&url, "1", "77", "3"]].concat()).ends(2);
    assert_eq!(ran.out.lines().count(), 2, "{ran:?}");
    let line = ran.err.lines().find(|line| line.contains("idDoesNotExist")).unwrap();
    assert!(line.contains("77"), "{line}");
}

#[test]
fn deflate_that_nobody_asked_for_is_read() {
    for is_zlib in [true, false] {
        let bench = Bench::new(&format!("oai-deflate-{is_zlib}"));
        let repository = Arc::new(Repository::new(300, 100));
        let server = Server::new(move |asked, stream| {
            let body = repository.respond(&query(asked));
            let packed = match is_zlib {
                true => miniz_oxide::deflate::compress_to_vec_zlib(&body, 6),
                false => miniz_oxide::deflate::compress_to_vec(&body, 6),
            };
            reply(stream, "200 OK", &[XML, "Content-Encoding: deflate"], &packed)
        });
        let summary = harvest(&bench, &["--into", "store", &server.url("/oai")]).ends(0).json();
        assert_eq!(summary["records"], 300);
    }
}

#[test]
fn notes_are_printed_with_the_severity_that_decides_about_the_status() {
    let bench = Bench::new("oai-note-severity");
    let responses = [json!({"records": ["1"], "edit": [["<responseDate>2026-01-01T00:00:00Z</responseDate>", ""]]})];
    let server = super::scripted(&responses);
    let ran = bench.run(&["oai", "harvest", "--skip-waits", "--fail-on", "error", &server.url("/oai")]).ends(1);
    let line = ran.err.lines().find(|line| line.contains("responseDate")).unwrap();
    assert!(line.starts_with("error[OAI-"), "{ran:?}");
    // Nothing that is printed as info or as a warning makes the status 1.
    let server =
        super::scripted(&[json!({"records": ["1"], "token": "t"}), json!({"records": ["1", "2"], "token": ""})]);
    let ran = bench.run(&["oai", "harvest", "--skip-waits", "--fail-on", "error", &server.url("/oai")]).ends(0);
    assert!(!ran.err.contains("error["), "{ran:?}");
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(ran.err.contains("info[OAI-46]"), "{ran:?}");
    assert_eq!(lines.len(), 3);
}

#[test]
fn a_delay_is_a_number_of_seconds_or_has_a_unit() {
    let bench = Bench::new("oai-delay");
    for (delay, is_accepted) in
        [("0.5", true), ("500ms", true), ("1d", true), ("2d", false), ("-1", false), ("x", false)]
    {
        let ran =
            bench.run(&["oai", "identify", "http://127.0.0.1:1/", &format!("--delay={delay}"), "--max-wait", "0"]);
        let says = "a number of seconds such as 0.5, or with a unit, such as 500ms";
        assert_eq!(ran.err.contains(says), !is_accepted, "{delay}: {}", ran.err);
    }
}
