//! Limits requested by servers, and headers sent to them.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use crate::bench::{Bench, codes, gzip, list, names, wrong};
use resourcesync_tests::server::{Server, reply};

#[test]
fn several_documents_are_validated_from_their_urls() {
    let bench = Bench::new("http-clean");
    let server = Server::new(|asked, stream| match asked.path.as_str() {
        "/packed.xml" => reply(stream, "200 OK", &["Content-Encoding: gzip"], &gzip(list(7).as_bytes())),
        "/file.xml.gz" => reply(stream, "200 OK", &[], &gzip(list(8).as_bytes())),
        "/old.xml" => reply(stream, "301 Moved Permanently", &["Location: /plain.xml"], b"moved"),
        _ => reply(stream, "200 OK", &["Content-Type: application/xml"], list(9).as_bytes()),
    });
    let urls = ["/plain.xml", "/packed.xml", "/file.xml.gz", "/old.xml"].map(|path| server.url(path));
    let mut args = vec!["validate", "--format", "json"];
    args.extend(urls.iter().map(String::as_str));
    let ran = bench.run(&args).ends(0);
    let report = ran.json();
    let entries: Vec<_> =
        report["inputs"].as_array().unwrap().iter().map(|input| input["entries"].as_u64().unwrap()).collect();
    assert_eq!(entries, [9, 7, 8, 9]);
    assert_eq!(
        (&report["inputs"][0]["name"], &report["inputs"][0]["uri"]),
        (&urls[0].as_str().into(), &urls[0].as_str().into())
    );
    assert!(ran.err.contains("has moved permanently to"), "{ran:?}");
}

#[test]
fn a_server_is_told_who_asks() {
    let bench = Bench::new("http-who");
    let server = Server::of([("/a.xml", list(1).into_bytes())]);
    bench.put("resourcesync.toml", "from = 'config@example.org'");
    bench.run(&["validate", &server.url("/a.xml")]).ends(0);
    bench.run(&["validate", &server.url("/a.xml"), "--from", "me@example.org", "--user-agent", "aggregator/2"]).ends(0);
    let said: Vec<_> = server
        .seen()
        .iter()
        .map(|asked| (asked.header("user-agent").map(str::to_owned), asked.header("from").map(str::to_owned)))
        .collect();
    let own = resourcesync_client::http::USER_AGENT;
    assert_eq!(
        said,
        [
            (Some(own.to_owned()), Some("config@example.org".to_owned())),
            (Some("aggregator/2".to_owned()), Some("me@example.org".to_owned()))
        ]
    );
    assert!(server.seen().iter().all(|asked| asked.header("accept-encoding") == Some("gzip")));
    bench.run(&["validate", &server.url("/a.xml"), "--from", "a\r\nX: y"]).ends(2);
    assert_eq!(server.seen().len(), 2);
}

#[test]
fn a_server_that_is_busy_is_asked_again_when_it_wants() {
    let bench = Bench::new("http-busy");
    let server = Server::new(|asked, stream| match (asked.path.as_str(), asked.before) {
        ("/seconds", 0) => reply(stream, "503 Busy", &["Retry-After: 0"], b""),
        ("/date", 0) => {
            let headers = ["Date: Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT"];
            reply(stream, "429 Too Many Requests", &headers, b"")
        }
        ("/silent", 0) => reply(stream, "503 Busy", &[], b""),
        ("/later", _) => reply(stream, "503 Busy", &["Retry-After: 86400"], b""),
        ("/always", _) => reply(stream, "503 Busy", &["Retry-After: 0"], b""),
        _ => reply(stream, "200 OK", &[], list(1).as_bytes()),
    });
    for path in ["/seconds", "/date", "/silent"] {
        bench.run(&["validate", &server.url(path)]).ends(0);
    }
    assert_eq!(server.seen().len(), 6);
    let later = bench.run(&["validate", &server.url("/later")]).ends(2);
    assert!(later.out.contains("Retry-After 86400 s"), "{later:?}");
    assert_eq!(server.seen().len(), 7);
    let always = bench.run(&["validate", &server.url("/always")]).ends(2);
    assert!(always.out.contains("response status 503 Service Unavailable"), "{always:?}");
    assert_eq!(server.seen().len(), 7 + 3);
}

#[test]
fn a_busy_host_is_waited_for_once_and_not_again_for_every_url() {
    let bench = Bench::new("http-busy-host");
    let server = Server::new(|_, stream| reply(stream, "503 Busy", &["Retry-After: 0"], b""));
    let urls: Vec<String> = (0..6).map(|number| server.url(&format!("/{number}.xml"))).collect();
    let mut args = vec!["validate", "--jobs", "1", "--limit", "http_retries=1", "--format", "json"];
    args.extend(urls.iter().map(String::as_str));
    let report = bench.run(&args).ends(2).json();
    assert_eq!(report["inputs"].as_array().unwrap().len(), 6);
    // The first one is requested again, and the host has had its wait.
    assert_eq!(server.seen().len(), 7);
}

#[test]
fn a_source_without_an_end_ends_with_the_time_of_the_run() {
    let bench = Bench::new("http-max-time");
    let server = Server::new(|asked, stream| {
        thread::sleep(Duration::from_millis(20));
        let number: u64 = asked.path.trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0);
        let host = asked.header("host").unwrap();
        let index = format!(
            r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:ln rel="up" href="http://{host}/c"/><rs:md capability="resourcelist" at="2013-01-03T09:00:00Z"/>
<sitemap><loc>http://{host}/{}.xml</loc></sitemap></sitemapindex>"#,
            number + 1
        );
        reply(stream, "200 OK", &["Content-Type: application/xml"], index.as_bytes())
    });
    let start = server.url("/0.xml");
    let args = ["validate", "--follow", &start, "--max-time", "1s", "--limit", "http_requests_per_second=0"];
    let ran = bench.run(&[&args[..], &["--max-documents", "1000000", "--format", "json"]].concat());
    let report = ran.json();
    assert_eq!((&report["run"]["status"], &report["run"]["stoppedBy"]), (&"stopped".into(), &"max-time".into()));
    assert_ne!(report["verdict"], "valid");
    assert!(report["summary"]["inputs"].as_u64().unwrap() > 1, "{report}");
    let ran = bench.run(&["validate", &start, "--max-time", "0s"]).ends(2);
    assert!(ran.out.contains("run stopped: the limit --max-time was reached"), "{ran:?}");
}

#[test]
fn robots_are_heeded_where_they_are_asked_about() {
    let bench = Bench::new("http-robots");
    let server = Server::of([
        ("/robots.txt", b"User-agent: *\nDisallow: /private/\n".to_vec()),
        ("/private/a.xml", list(1).into_bytes()),
        ("/b.xml", list(1).into_bytes()),
    ]);
    bench.run(&["validate", &server.url("/private/a.xml")]).ends(0);
    assert_eq!(server.paths(), ["/private/a.xml"]);
    let (private, open) = (server.url("/private/a.xml"), server.url("/b.xml"));
    let ran = bench.run(&["validate", "--robots", "--jobs", "1", &private, &open]).ends(2);
    assert!(ran.out.contains("disallowed by robots.txt"), "{ran:?}");
    assert_eq!(server.paths()[1..], ["/robots.txt", "/b.xml"]);
    // If robots.txt cannot be fetched, no request is allowed.
    let server = Server::new(|asked, stream| match asked.path.as_str() {
        "/robots.txt" => reply(stream, "500 Oops", &[], b""),
        _ => reply(stream, "200 OK", &[], list(1).as_bytes()),
    });
    bench.run(&["validate", "--robots", &server.url("/b.xml")]).ends(2);
    assert_eq!(server.paths(), ["/robots.txt"]);
}

#[test]
fn no_more_connections_are_open_than_allowed() {
    let bench = Bench::new("http-gate");
    let (open, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (own, seen) = (open.clone(), most.clone());
    let server = Server::new(move |_, stream| {
        seen.fetch_max(own.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        thread::sleep(Duration::from_millis(100));
        own.fetch_sub(1, Ordering::SeqCst);
        reply(stream, "200 OK", &[], list(1).as_bytes())
    });
    let urls: Vec<String> = (0..12).map(|number| server.url(&format!("/{number}.xml"))).collect();
    let mut args = vec!["validate", "--jobs", "12", "--limit", "http_requests_per_second=0"];
    args.extend(urls.iter().map(String::as_str));
    bench.run(&args).ends(0);
    let counted = most.load(Ordering::SeqCst);
    assert!((2..=4).contains(&counted), "{counted}");
}

#[test]
fn a_limit_is_set_by_its_name_like_any_other() {
    let bench = Bench::new("http-limits");
    bench.put("resourcesync.toml", "[limits]\nhttp_body_bytes = 100\n");
    let server = Server::of([("/a.xml", list(9).into_bytes())]);
    let ran = bench.run(&["validate", &server.url("/a.xml")]).ends(2);
    assert!(ran.out.contains("limit http_body_bytes"), "{ran:?}");
    bench.run(&["validate", &server.url("/a.xml"), "--limit", "http_body_bytes=10_000"]).ends(0);
    let ran = bench.run(&["validate", &server.url("/a.xml"), "--limit", "http_body_byte=1"]).ends(2);
    assert!(ran.err.contains("did you mean `http_body_bytes`"), "{ran:?}");
}

#[test]
fn urls_and_files_are_validated_side_by_side() {
    let bench = Bench::new("http-mixed");
    bench.put("a.xml", list(1));
    let server = Server::of([("/b.xml", wrong().into_bytes())]);
    bench.put("list.txt", format!("a.xml\n{}\n", server.url("/b.xml")));
    let report = bench.run(&["validate", "--format", "json", "--files-from", "list.txt"]).ends(1).json();
    assert_eq!((names(&report, "inputs").len(), codes(&report)), (2, vec!["RL-03".to_owned()]));
}
