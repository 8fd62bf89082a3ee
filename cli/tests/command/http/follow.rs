//! A whole Source over HTTP.

use std::{net::TcpStream, sync::Arc};

use crate::bench::{Bench, codes, gzip, names};
use resourcesync_tests::server::{Asked, Server, raw, redirect, reply, silence};

/// Wraps content in a root with namespaces.
pub(super) fn document(inside: &str) -> Vec<u8> {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
{inside}
</urlset>
"#
    )
    .into_bytes()
}

/// The document of a small Source at a path; `base` is its base URI.
fn page(base: &str, path: &str) -> Option<Vec<u8>> {
    let up = |to: &str| format!(r#"<rs:ln rel="up" href="{base}{to}"/>"#);
    let about = format!(r#"<rs:ln rel="describedby" href="{base}/about"/>"#);
    let entry = |to: &str, capability: &str| {
        format!(r#"<url><loc>{base}{to}</loc><rs:md capability="{capability}"/>{about}</url>"#)
    };
    let (up, inside) = match path {
        "/.well-known/resourcesync" => (
            String::new(),
            format!(r#"{about}<rs:md capability="description"/>{}"#, entry("/capabilitylist.xml", "capabilitylist")),
        ),
        "/capabilitylist.xml" => {
            let entries = ["resourcelist", "changelist"].map(|capability| {
                format!(r#"<url><loc>{base}/{capability}.xml</loc><rs:md capability="{capability}"/></url>"#)
            });
            (
                up("/.well-known/resourcesync"),
                format!(r#"{about}<rs:md capability="capabilitylist"/>{}"#, entries.concat()),
            )
        }
        "/resourcelist.xml" => {
            let resource = format!("<url><loc>{base}/one</loc><lastmod>2013-01-02T13:00:00Z</lastmod></url>");
            (
                up("/capabilitylist.xml"),
                format!(r#"<rs:md capability="resourcelist" at="2013-01-03T09:00:00Z"/>{resource}"#),
            )
        }
        "/changelist.xml" => {
            let change = format!(
                r#"<url><loc>{base}/one</loc><lastmod>2013-01-04T13:00:00Z</lastmod><rs:md change="updated" datetime="2013-01-04T13:00:00Z"/></url>"#
            );
            (
                up("/capabilitylist.xml"),
                format!(r#"<rs:md capability="changelist" from="2013-01-03T09:00:00Z"/>{change}"#),
            )
        }
        _ => return None,
    };
    Some(document(&(up + &inside)))
}

/// Serves it, except for the paths that `other` handles.
pub(super) fn publish(
    other: impl Fn(&Asked, &mut TcpStream, &str) -> Option<std::io::Result<()>> + Send + Sync + 'static,
) -> Server {
    Server::new(move |asked, stream| {
        let base = format!("http://{}", asked.header("host").unwrap());
        if let Some(done) = other(asked, stream, &base) {
            return done;
        }
        match page(&base, &asked.path) {
            Some(body) => {
                reply(stream, "200 OK", &["Content-Type: application/xml", "Content-Encoding: gzip"], &gzip(&body))
            }
            None => reply(stream, "404 Not Found", &[], b""),
        }
    })
}

/// The documents of the Source, and the other ways in.
const PATHS: [&str; 6] =
    ["/", "/.well-known/resourcesync", "/capabilitylist.xml", "/changelist.xml", "/resourcelist.xml", "/robots.txt"];

#[test]
fn a_source_is_followed_from_its_host() {
    let bench = Bench::new("http-follow");
    let server = publish(|_, _, _| None);
    let run = |more: &[&str]| {
        bench.run(&[&["validate", "--follow", "--format", "json", &server.url("/")][..], more].concat())
    };
    let recorded = run(&["--record", "r.har"]).ends(0);
    let report = recorded.json();
    assert_eq!((&report["verdict"], codes(&report)), (&"valid".into(), vec![]));
    let mut paths = server.paths();
    paths.sort();
    assert_eq!(paths, PATHS);
    assert_eq!(names(&report, "inputs").len(), 4);
    // Byte for byte the same without network, regardless of the order of responses.
    drop(server);
    let url = recorded.json()["inputs"][0]["uri"].as_str().unwrap().replace(PATHS[1], "/");
    let replayed = bench.run(&["validate", "--follow", "--format", "json", &url, "--replay", "r.har"]).ends(0);
    assert_eq!(recorded.out, replayed.out);
}

#[test]
fn links_that_lead_elsewhere_are_listed_and_not_followed() {
    let bench = Bench::new("http-follow-astray");
    let canary = Arc::new(publish(|_, _, _| None));
    for to in
        [canary.url("/resourcelist.xml"), "file:///etc/passwd".to_owned(), "http://169.254.169.254/latest".to_owned()]
    {
        for is_redirect in [false, true] {
            let away = to.clone();
            let server = publish(move |asked, stream, base| match asked.path.as_str() {
                "/capabilitylist.xml" if !is_redirect => {
                    let body = String::from_utf8(page(base, &asked.path).unwrap()).unwrap();
                    let body = body.replace(&format!("{base}/resourcelist.xml"), &away);
                    Some(reply(stream, "200 OK", &[], body.as_bytes()))
                }
                "/resourcelist.xml" if is_redirect => Some(redirect(stream, &away)),
                _ => None,
            });
            let report = bench.run(&["validate", "--follow", "--format", "json", &server.url("/")]).json();
            assert_ne!(report["verdict"], "valid", "{to}: {report}");
        }
    }
    assert!(canary.seen().is_empty(), "{:?}", canary.seen());
}

#[test]
fn a_document_that_is_lost_on_the_way_is_asked_for_again() {
    let bench = Bench::new("http-follow-again");
    let server = publish(|asked, stream, _| {
        let is_first = asked.path == "/resourcelist.xml" && asked.before == 0;
        is_first.then(|| raw(stream, b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n<urlset"))
    });
    let ran = bench.run(&["validate", "--follow", "--format", "json", &server.url("/")]).ends(0);
    assert_eq!((codes(&ran.json()), server.seen().len()), (vec![], PATHS.len() + 1));
}

#[test]
fn a_first_response_that_is_cut_leaves_it_open_whether_there_is_a_source() {
    let bench = Bench::new("http-follow-cut");
    for sent in ["", "<", "<urlset", "<!DOCTYPE html><title>x</title>"] {
        let server = Server::new(move |asked, stream| match asked.path.as_str() {
            "/list.xml" => raw(stream, format!("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n{sent}").as_bytes()),
            _ => reply(stream, "404 Not Found", &[], b""),
        });
        let args = ["validate", "--follow", "--format", "json", "--limit", "http_retries=0", &server.url("/list.xml")];
        let report = bench.run(&args).ends(2).json();
        assert_eq!(
            (codes(&report), &report["verdict"]),
            (vec!["INP-01".to_owned()], &"undetermined".into()),
            "{sent}: {report}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_walk_reports_what_it_has_and_goes_on_later() {
    let bench = Bench::new("http-follow-interrupt");
    let server = publish(|asked, stream, _| {
        let is_first = asked.path == "/resourcelist.xml" && asked.before == 0;
        is_first.then(|| silence(stream))
    });
    let url = server.url("/");
    let args = ["validate", "--follow", "--format", "json", &url, "--resume", "r.har"];
    let child =
        bench.command(&args).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    // Until everything except the silent one was recorded.
    while server.paths().len() < PATHS.len()
        || !bench.path("r.har").exists()
        || bench.read("r.har").matches(r#""end":"whole""#).count() < 3
    {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let ran: crate::bench::Ran = child.wait_with_output().unwrap().into();
    let report = ran.ends(2).json();
    assert_eq!((&report["run"]["status"], &report["verdict"]), (&"stopped".into(), &"undetermined".into()));
    assert_eq!(server.seen().len(), PATHS.len());
    let report = bench.run(&args).ends(0).json();
    assert_eq!((&report["verdict"], names(&report, "inputs").len()), (&"valid".into(), 4));
    let again = server.paths().split_off(PATHS.len());
    assert!(again.contains(&"/resourcelist.xml".to_owned()), "{again:?}");
    assert!(!again.iter().any(|path| PATHS[1..4].contains(&path.as_str())), "{again:?}");
}

#[test]
fn a_source_with_everything_wrong_is_walked_to_its_end() {
    let bench = Bench::new("http-follow-hostile");
    let server = publish(|asked, stream, base| match asked.path.as_str() {
        "/capabilitylist.xml" => {
            let kinds = ["resourcelist", "changelist", "resourcedump", "changedump"];
            let entries =
                kinds.map(|kind| format!(r#"<url><loc>{base}/{kind}</loc><rs:md capability="{kind}"/></url>"#));
            let head = format!(
                r#"<rs:ln rel="up" href="{base}/.well-known/resourcesync"/><rs:md capability="capabilitylist"/>"#
            );
            Some(reply(stream, "200 OK", &[], &document(&(head + &entries.concat()))))
        }
        "/resourcelist" => Some(redirect(stream, "/resourcelist")),
        "/changelist" => {
            Some(reply(stream, "200 OK", &["Content-Type: text/html"], b"<!DOCTYPE html><title>Log in</title>"))
        }
        "/resourcedump" => Some(reply(stream, "503 Busy", &["Retry-After: 99999"], b"")),
        "/changedump" => Some(reply(stream, "200 OK", &[], &page(base, "/.well-known/resourcesync").unwrap())),
        _ => None,
    });
    let report = bench.run(&["validate", "--follow", "--format", "json", &server.url("/")]).ends(1).json();
    assert_eq!(report["run"]["status"], "completed");
    let text = report.to_string();
    for reason in ["redirect loop", "Retry-After 99999 s", "is a web page, expected a Change List"] {
        assert!(text.contains(reason), "{reason}: {text}");
    }
    let mut paths = server.paths();
    paths.sort();
    paths.dedup();
    // The six documents, `robots.txt` and the page of the host.
    assert_eq!((paths.len(), server.seen().len()), (8, 8), "{paths:?}");
}

#[test]
fn a_host_that_refuses_its_well_known_uri_is_not_valid() {
    let bench = Bench::new("http-follow-refused");
    let page = b"<!DOCTYPE html><html><head><title>x</title></head><body></body></html>";
    for status in [
        "401 Unauthorized",
        "403 Forbidden",
        "404 Not Found",
        "429 Too Many Requests",
        "500 Internal Server Error",
        "503 Service Unavailable",
        "200 OK",
    ] {
        for body in [&b""[..], page] {
            let server = Server::new(move |asked, stream| match asked.path.as_str() {
                "/.well-known/resourcesync" => reply(stream, status, &["Content-Type: text/html"], body),
                "/robots.txt" => reply(stream, "200 OK", &["Content-Type: text/plain"], b"User-agent: *\n"),
                _ => reply(stream, "200 OK", &["Content-Type: text/html"], page),
            });
            let ran = bench.run(&[
                "validate",
                "--follow",
                "--format",
                "json",
                "--limit",
                "http_retries=0",
                "--limit",
                "http_requests_per_second=100",
                &server.url("/"),
            ]);
            let (code, expected) = match status.as_bytes()[0] {
                b'2' => ("SD-12", 1),
                _ if status.starts_with("404") => ("SD-12", 1),
                _ => ("INP-01", 2),
            };
            let report = ran.ends(expected).json();
            assert!(codes(&report).contains(&code.to_owned()), "{status}: {report:#}");
            assert_eq!(report["summary"]["entries"], 0);
        }
    }
}
