//! The guidelines for harvesters that a repository can observe: requests, their rate, and requests that must
//! not be sent.

use std::{
    net::TcpStream,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use resourcesync_tests::{
    oai::Repository,
    server::{Asked, Server, raw, redirect, reply},
};
use serde_json::{Value, json};

use super::{FAST, query, repository, serve};
use crate::bench::{Bench, gzip};

const XML: &str = "Content-Type: text/xml";

#[test]
fn every_request_names_the_harvester_and_its_operator() {
    let bench = Bench::new("oai-headers");
    let server = serve(&Arc::new(Repository::new(5, 2)));
    let url = server.url("/oai");
    bench.run(&[&["oai", "harvest", "--from", "me@example.org"][..], &FAST, &[&url]].concat()).ends(0);
    let agent = resourcesync_client::http::USER_AGENT;
    for asked in server.seen() {
        assert_eq!(asked.header("user-agent"), Some(agent));
        assert_eq!(asked.header("from"), Some("me@example.org"));
        assert_eq!(asked.header("accept-encoding"), Some("gzip;q=1.0, identity;q=0.5"));
    }
}

#[test]
fn compressed_pages_are_read() {
    let bench = Bench::new("oai-gzip");
    let repository = Repository::new(5, 2);
    let server = Server::new(move |asked, stream| {
        reply(stream, "200 OK", &[XML, "Content-Encoding: gzip"], &gzip(&repository.respond(&query(asked))))
    });
    let ran = bench.run(&[&["oai", "harvest"][..], &FAST, &[&server.url("/oai")]].concat()).ends(0);
    assert_eq!(ran.out.lines().count(), 5);
}

#[test]
fn robots_txt_is_requested_only_with_robots() {
    let bench = Bench::new("oai-robots");
    let repository = Arc::new(Repository::new(1, 1));
    for (more, is_requested) in [(&[][..], false), (&["--robots"][..], true)] {
        let answers = repository.clone();
        let server = Server::new(move |asked, stream| match asked.path.as_str() {
            "/robots.txt" => reply(stream, "404 Not Found", &[], b""),
            _ => reply(stream, "200 OK", &[XML], &answers.respond(&query(asked))),
        });
        bench.run(&[&["oai", "harvest"][..], &FAST, more, &[&server.url("/oai")]].concat()).ends(0);
        assert_eq!(server.paths().iter().any(|path| path == "/robots.txt"), is_requested);
    }
}

#[test]
fn a_redirect_is_followed_and_the_next_request_goes_to_the_base_url() {
    let bench = Bench::new("oai-redirect");
    let repository = Repository::new(5, 2);
    let server = Server::new(move |asked, stream| match asked.path.strip_prefix("/oai") {
        Some(rest) => redirect(stream, &format!("/mirror{rest}")),
        None => reply(stream, "200 OK", &[XML], &repository.respond(&query(asked))),
    });
    let ran = bench.run(&[&["oai", "harvest"][..], &FAST, &[&server.url("/oai")]].concat()).ends(0);
    assert_eq!(ran.out.lines().count(), 5);
    let paths = server.paths();
    assert!(paths.chunks(2).all(|pair| pair[0].starts_with("/oai?") && pair[1].starts_with("/mirror?")), "{paths:?}");
}

#[test]
fn a_redirect_in_a_circle_ends_the_run() {
    let bench = Bench::new("oai-redirect-circle");
    let server = Server::new(|asked: &Asked, stream: &mut TcpStream| redirect(stream, &asked.path.clone()));
    let ran = bench.run(&["oai", "harvest", "--skip-waits", &server.url("/oai")]).ends(2);
    assert!(ran.err.contains("redirect loop"), "{ran:?}");
    assert_eq!(server.paths().len(), 1);
}

#[test]
fn requests_are_sequential() {
    let bench = Bench::new("oai-pace");
    let repository = Repository::new(40, 2);
    let (at_once, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let greatest = most.clone();
    let server = Server::new(move |asked, stream| {
        greatest.fetch_max(at_once.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        let body = repository.respond(&query(asked));
        at_once.fetch_sub(1, Ordering::SeqCst);
        reply(stream, "200 OK", &[XML], &body)
    });
    bench.run(&[&["oai", "harvest"][..], &FAST, &[&server.url("/oai")]].concat()).ends(0);
    assert_eq!(most.load(Ordering::SeqCst), 1);
}

/// Permanent failures.
type Failure = fn(&mut TcpStream) -> std::io::Result<()>;

#[test]
fn no_failure_causes_rapid_retries() {
    let bench = Bench::new("oai-no-rapid-retries");
    let failures: [(&str, Failure); 7] = [
        ("nothing", |stream| raw(stream, b"")),
        ("a head", |stream| raw(stream, b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")),
        ("an empty body", |stream| reply(stream, "200 OK", &[XML], b"")),
        ("500", |stream| reply(stream, "500 Internal Server Error", &[], b"")),
        ("503", |stream| reply(stream, "503 Service Unavailable", &[], b"")),
        ("429 for a second", |stream| reply(stream, "429 Too Many Requests", &["Retry-After: 1"], b"")),
        ("HTML", |stream| reply(stream, "200 OK", &["Content-Type: text/html"], b"<html>")),
    ];
    for (name, fail) in failures {
        let server = Server::new(move |_, stream| fail(stream));
        let ran = bench.run(&["oai", "harvest", "--skip-waits", "--format", "json", &server.url("/oai")]).ends(2);
        let summary: Value = serde_json::from_str(&ran.err[ran.err.find('{').unwrap()..]).unwrap();
        assert_eq!(summary["status"], "incomplete", "{name}");
        // Each repetition but the first is preceded by a wait, which the run only counts.
        assert!(server.paths().len() <= 21, "{name}: {}", server.paths().len());
    }
}

#[test]
fn a_server_that_requests_a_wait_gets_it() {
    let bench = Bench::new("oai-retry-after");
    let repository = Repository::new(5, 2);
    let times = Arc::new(Mutex::new(Vec::new()));
    let seen = times.clone();
    let server = Server::new(move |asked, stream| {
        seen.lock().unwrap().push((asked.path.clone(), std::time::Instant::now()));
        match asked.path.contains("Token") && asked.before == 0 {
            true => reply(stream, "503 Service Unavailable", &["Retry-After: 1"], b""),
            false => reply(stream, "200 OK", &[XML], &repository.respond(&query(asked))),
        }
    });
    let args = ["oai", "harvest", "--quiet", "--limit", "http_requests_per_second=0", &server.url("/oai")];
    bench.run(&args).ends(0);
    let times = times.lock().unwrap();
    let pairs = times.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    let waits: Vec<_> = pairs.map(|pair| pair[1].1 - pair[0].1).collect();
    assert!(!waits.is_empty() && waits.iter().all(|wait| wait.as_millis() >= 1_000), "{waits:?}");
}

#[test]
fn a_full_copy_has_every_format_with_its_own_datestamps() {
    let bench = Bench::new("oai-full-copy");
    let mut repository = Repository::new(4, 3);
    repository.formats = vec!["oai_dc".into(), "jpcoar_2.0".into()];
    let server = serve(&Arc::new(repository));
    let url = server.url("/oai");
    bench.run(&[&["oai", "harvest", "--prefix", "all", "--into", "copy"][..], &FAST, &[&url]].concat()).ends(0);
    let listed = bench.run(&["oai", "list", "copy"]).ends(0).out;
    assert_eq!(listed.lines().filter(|line| line.contains("\tjpcoar_2.0\t")).count(), 4, "{listed}");
    assert_eq!(listed.lines().filter(|line| line.contains("\toai_dc\t")).count(), 4, "{listed}");
    let paths = server.paths();
    let verbs = ["Identify", "ListMetadataFormats", "ListSets", "ListRecords"];
    for (path, verb) in paths.iter().zip(verbs) {
        assert!(path.contains(verb), "{paths:?}");
    }
    assert!(paths.iter().all(|path| !path.contains("set=")), "{paths:?}");
}

#[test]
fn about_is_kept_for_each_format() {
    let bench = Bench::new("oai-about");
    let page = |about: &str| {
        let header = "<header><identifier>1</identifier><datestamp>2025-06-01</datestamp></header>";
        let about = format!("<about><p xmlns=\"http://a.example/p/\">{about}</p></about>");
        json!({"records": [format!("<record>{header}<metadata><a/></metadata>{about}</record>")]})
    };
    let responses = [json!({"identify": {}}), json!({"formats": ["oai_dc", "x"]}), page("one"), page("two")];
    let server = repository(&responses.map(|json| serde_json::from_value(json).unwrap()), false);
    let url = server.url("/oai");
    let formats = ["--prefix", "oai_dc", "--prefix", "x", "--into", "store", &url];
    bench.run(&[&["oai", "harvest"][..], &FAST, &formats].concat()).ends(0);
    let listed = bench.run(&["oai", "list", "--format", "json", "store"]).ends(0).out;
    let entries = listed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let abouts = entries.map(|entry| {
        let place = entry["location"].as_str().unwrap().replace(".xml", ".about-1.xml");
        (entry["prefix"].as_str().unwrap().to_owned(), bench.read(&format!("store/{place}")))
    });
    let about = |text: &str| format!("<p xmlns=\"http://a.example/p/\">{text}</p>");
    assert_eq!(abouts.collect::<Vec<_>>(), [("oai_dc".to_owned(), about("one")), ("x".to_owned(), about("two"))]);
}
