//! Packages on servers, with and without support for range requests.

use std::{
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::bench::{Bench, codes};
use resourcesync_tests::server::{Asked, Server, reply};

/// A valid package with a manifest, and one incompressible member of this size.
fn package(bytes: usize) -> Vec<u8> {
    let mut noise = 1_u64;
    let member: Vec<u8> = (0..bytes)
        .map(|_| {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (noise >> 56) as u8
        })
        .collect();
    let manifest = format!(
        r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
<rs:md capability="resourcedump-manifest" at="2013-01-03T09:00:00Z"/>
<url><loc>http://example.com/one</loc><lastmod>2013-01-03T03:00:00Z</lastmod><rs:md path="/one" length="{bytes}"/></url>
</urlset>"#
    );
    zip(&[("manifest.xml", manifest.as_bytes()), ("one", &member)])
}

/// Stored, one after the other.
fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in members {
        let offset = file.len() as u32;
        let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0x58];
        common.extend(crc32fast::hash(bytes).to_le_bytes());
        common.extend((bytes.len() as u32).to_le_bytes());
        common.extend((bytes.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend(0_u16.to_le_bytes());
        file.extend([b"PK\x03\x04", &common[..], name.as_bytes(), bytes].concat());
        directory
            .extend([b"PK\x01\x02\x14\x00", &common[..], &[0; 10], &offset.to_le_bytes(), name.as_bytes()].concat());
    }
    let (start, count) = (file.len() as u32, members.len() as u16);
    file.extend(&directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    file.extend((directory.len() as u32).to_le_bytes());
    file.extend(start.to_le_bytes());
    file.extend([0, 0]);
    file
}

/// The requested range.
fn stretch(asked: &Asked, bytes: &[u8]) -> Option<(usize, usize)> {
    let (first, last) = asked.header("range")?.strip_prefix("bytes=")?.split_once('-')?;
    Some((first.parse().unwrap(), last.parse::<usize>().unwrap().min(bytes.len() - 1)))
}

fn partial(stream: &mut TcpStream, bytes: &[u8], (first, last): (usize, usize), more: &[&str]) -> std::io::Result<()> {
    let range = format!("Content-Range: bytes {first}-{last}/{}", bytes.len());
    let mut headers = vec![range.as_str()];
    headers.extend(more);
    reply(stream, "206 Partial Content", &headers, &bytes[first..=last])
}

#[test]
fn a_package_is_verified_in_stretches() {
    let bench = Bench::new("http-ranges");
    let bytes = Arc::new(package(5 << 20));
    let (own, sent) = (bytes.clone(), Arc::new(AtomicUsize::new(0)));
    let counted = sent.clone();
    let server = Server::new(move |asked, stream| {
        let range = stretch(asked, &own).unwrap();
        counted.fetch_add(range.1 - range.0 + 1, Ordering::SeqCst);
        assert_eq!(asked.header("accept-encoding"), Some("identity"));
        partial(stream, &own, range, &["ETag: \"one\""])
    });
    let run =
        |more: &[&str]| bench.run(&[&["validate", "--format", "json", &server.url("/part.zip")][..], more].concat());
    let fast = ["--limit", "http_requests_per_second=0", "--record", "r.har"];
    let recorded = run(&fast).ends(0);
    assert_eq!(recorded.json()["inputs"][0]["kind"], "package");
    assert!(server.seen()[1..].iter().all(|asked| asked.header("if-range") == Some("\"one\"")));
    // Without digests, start and end are enough.
    sent.store(0, Ordering::SeqCst);
    run(&["--no-fixity"]).ends(0);
    assert!(sent.load(Ordering::SeqCst) < 3 << 20, "{sent:?}");
    let before = server.seen().len();
    let replayed = run(&["--replay", "r.har"]).ends(0);
    assert_eq!((replayed.out, server.seen().len()), (recorded.out, before));
}

#[test]
fn a_package_is_requested_as_a_whole_where_ranges_do_not_tell_its_size_or_are_shorter() {
    let bench = Bench::new("http-short-ranges");
    let bytes = Arc::new(package(2 << 20));
    for is_short in [true, false] {
        let own = bytes.clone();
        let server = Server::new(move |asked, stream| match stretch(asked, &own) {
            Some((first, last)) if is_short => partial(stream, &own, (first, last / 2), &[]),
            Some((first, last)) => {
                let range = format!("Content-Range: bytes {first}-{last}/*");
                reply(stream, "206 Partial Content", &[&range], &own[first..=last])
            }
            None => reply(stream, "200 OK", &[], &own),
        });
        let report = bench.run(&["validate", "--format", "json", &server.url("/part.zip")]).ends(0).json();
        assert_eq!(report["inputs"][0]["kind"], "package", "{is_short}");
        assert_eq!(server.seen().len(), 2);
    }
}

#[test]
fn a_server_without_stretches_gives_the_whole_package() {
    let bench = Bench::new("http-whole");
    let bytes = package(100_000);
    let server = Server::new(move |asked, stream| match asked.path.as_str() {
        "/nameless" => reply(stream, "200 OK", &["Content-Type: application/zip"], &bytes),
        "/cut.zip" => reply(stream, "200 OK", &[], &bytes[..bytes.len() - 9]),
        "/missing.zip" => reply(stream, "404 Not Found", &[], b""),
        _ => reply(stream, "200 OK", &[], &bytes),
    });
    for path in ["/part.zip", "/PART.ZIP?x=1", "/nameless"] {
        let report = bench.run(&["validate", "--format", "json", &server.url(path)]).ends(0).json();
        assert_eq!(report["inputs"][0]["kind"], "package", "{path}");
    }
    bench.run(&["validate", &server.url("/cut.zip")]).ends(1);
    let ran = bench.run(&["validate", &server.url("/missing.zip")]).ends(2);
    assert!(ran.out.contains("response status 404 Not Found"), "{ran:?}");
    let ran = bench.run(&["validate", &server.url("/part.zip"), "--limit", "http_body_bytes=1000"]).ends(2);
    assert!(ran.out.contains("limit http_body_bytes"), "{ran:?}");
}

#[test]
fn a_package_on_a_server_is_listed_and_extracted() {
    let bench = Bench::new("http-list");
    let bytes = Arc::new(package(3 << 20));
    let server = Server::new(move |asked, stream| match asked.path.as_str() {
        "/part.zip" => partial(stream, &bytes, stretch(asked, &bytes).unwrap(), &["ETag: \"one\""]),
        "/nameless" => reply(stream, "200 OK", &["Content-Type: application/octet-stream"], &bytes),
        "/list.xml" => reply(stream, "200 OK", &[], b"<urlset/>"),
        _ => reply(stream, "404 Not Found", &[], b""),
    });
    for path in ["/part.zip", "/nameless"] {
        let url = server.url(path);
        let listed = bench.run(&["list", "--format", "json", &url]).ends(0).json();
        assert_eq!((&listed["package"]["name"], &listed["members"][1]["state"]), (&url.into(), &"verified".into()));
    }
    bench.run(&["extract", &server.url("/part.zip"), "out", "--record", "r.har"]).ends(0);
    assert_eq!(std::fs::metadata(bench.path("out/one")).unwrap().len(), 3 << 20);
    let before = server.seen().len();
    bench.run(&["extract", &server.url("/part.zip"), "again", "--replay", "r.har"]).ends(0);
    assert_eq!(server.seen().len(), before);
    for (path, words) in [("/list.xml", "not a package"), ("/no.zip", "response status 404 Not Found")] {
        let ran = bench.run(&["list", &server.url(path)]).ends(2);
        assert!(ran.err.contains(words), "{ran:?}");
        bench.run(&["extract", &server.url(path), "none"]).ends(2);
    }
    assert!(!bench.path("none").exists());
    // Limits and policy are those of `validate`.
    let ran = bench.run(&["list", &server.url("/nameless"), "--limit", "http_body_bytes=1000"]).ends(2);
    assert!(ran.err.contains("limit http_body_bytes"), "{ran:?}");
    let ran = bench.put("part.zip", "").run(&["list", "part.zip", "--replay", "r.har"]).ends(2);
    assert!(ran.err.contains("--replay requires a URL"), "{ran:?}");
}

#[test]
fn stretches_that_are_not_what_was_asked_for_are_reported() {
    let bench = Bench::new("http-wrong-ranges");
    let bytes = Arc::new(package(3 << 20));
    type Answer = fn(&Asked, &mut TcpStream, &[u8], (usize, usize)) -> std::io::Result<()>;
    let cases: &[(&str, Answer)] = &[
        ("changed while being read", |asked, stream, bytes, range| {
            let etag = format!("ETag: \"{}\"", asked.before.min(1));
            partial(stream, bytes, range, &[&etag])
        }),
        ("changed while being read", |asked, stream, bytes, range| match asked.before {
            0 => partial(stream, bytes, range, &["ETag: \"one\""]),
            _ => reply(stream, "200 OK", &["ETag: \"two\""], bytes),
        }),
        ("changed while being read", |asked, stream, bytes, range| {
            let bytes = &bytes[..bytes.len() - asked.before.min(1)];
            partial(stream, bytes, (range.0, range.1.min(bytes.len() - 1)), &[])
        }),
        ("a different range than requested", |asked, stream, bytes, range| match asked.before {
            0 => partial(stream, bytes, range, &[]),
            _ => partial(stream, bytes, (range.0 - 1, range.1 - 1), &[]),
        }),
        ("a different range than requested", |_, stream, bytes, range| {
            partial(stream, bytes, (range.0 + 1, range.1), &[])
        }),
        ("the range is incomplete", |_, stream, bytes, (first, last)| {
            let range = format!("Content-Range: bytes {first}-{last}/{}", bytes.len());
            reply(stream, "206 Partial Content", &[&range], &bytes[first..last])
        }),
        ("invalid Content-Range header", |_, stream, bytes, (first, last)| {
            reply(stream, "206 Partial Content", &[], &bytes[first..=last])
        }),
        ("unexpected status 403 for a range request", |asked, stream, bytes, range| match asked.before {
            0 => partial(stream, bytes, range, &[]),
            _ => reply(stream, "403 Forbidden", &[], b""),
        }),
    ];
    for (reason, answer) in cases {
        let (own, answer) = (bytes.clone(), *answer);
        let server = Server::new(move |asked, stream| answer(asked, stream, &own, stretch(asked, &own).unwrap()));
        let report = bench.run(&["validate", "--format", "json", &server.url("/part.zip")]).ends(2).json();
        assert_eq!(codes(&report), ["INP-01"]);
        let said = report["diagnostics"][0]["args"]["reason"].as_str().unwrap();
        assert!(said.contains(reason), "{said}\n{reason}");
    }
}
