//! Hostile servers: false data, stalls, floods, redirects. Each run is bounded and reported, and sends no request that the
//! policy forbids.

use std::{
    io::Write,
    net::{Ipv4Addr, TcpStream},
    time::Duration,
};

use crate::bench::{Bench, Ran, codes, gzip, list};
use resourcesync_tests::server::{Asked, Server, for_ever, raw, redirect, reply, silence};

type Answer = fn(&Asked, &mut TcpStream) -> std::io::Result<()>;

/// Limits that end every wait within a few seconds.
const IMPATIENT: [&str; 8] = [
    "--limit",
    "http_headers_seconds=2",
    "--limit",
    "http_idle_seconds=3",
    "--limit",
    "http_total_seconds=6",
    "--limit",
    "http_retries=0",
];

/// Validates one URL, once.
fn ask(bench: &Bench, url: &str, more: &[&str]) -> Ran {
    let args = ["validate", "--format", "json", "--limit", "http_retries=0", url];
    bench.run(&[&args[..], more].concat())
}

/// The reason why it could not be read.
#[track_caller]
fn why(ran: Ran) -> String {
    let report = ran.ends(2).json();
    assert_eq!((codes(&report), &report["verdict"]), (vec!["INP-01".to_owned()], &"undetermined".into()), "{report}");
    report["diagnostics"][0]["args"]["reason"].as_str().unwrap().to_owned()
}

#[test]
fn whatever_is_not_a_whole_answer_is_reported_with_its_reason() {
    let bench = Bench::new("http-broken");
    let cases: &[(&str, Answer)] = &[
        ("response status 404 Not Found", |_, stream| reply(stream, "404 Not Found", &[], b"<urlset/>")),
        ("response status 500 Internal Server Error", |_, stream| reply(stream, "500 Oops", &[], b"")),
        ("response status 206 Partial Content", |_, stream| reply(stream, "206 Partial Content", &[], b"<url")),
        ("response status 304 Not Modified", |_, stream| reply(stream, "304 Not Modified", &[], b"")),
        ("response header timeout after 2 s", |_, stream| silence(stream)),
        ("response header timeout after 2 s", |_, stream| {
            for_ever(stream, b"HTTP/1.1 200 OK\r\n", b"a: b\r\n", Duration::from_millis(200))
        }),
        ("response header timeout after 2 s", |_, stream| {
            for_ever(stream, b"", b"HTTP/1.1 100 Continue\r\n\r\n", Duration::from_millis(5))
        }),
        ("connection closed before the end of the response", |_, stream| raw(stream, b"")),
        ("connection closed before the end of the response", |_, stream| raw(stream, b"HTTP/1.1 200 OK\r\nContent-")),
        ("connection closed before the end of the response", |_, stream| {
            raw(stream, b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n<urlset>")
        }),
        ("connection closed before the end of the response", |_, stream| {
            raw(stream, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n<urlset>\r\n")
        }),
        ("invalid HTTP response", |_, stream| raw(stream, b"220 mail.example ESMTP\r\n\r\n")),
        ("invalid HTTP response", |_, stream| {
            raw(stream, b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 9\r\n\r\n<urlset>")
        }),
        ("invalid HTTP response", |_, stream| raw(stream, b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n")),
        ("invalid HTTP response", |_, stream| {
            raw(stream, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n<urlset>\r\n")
        }),
        ("invalid HTTP response", |_, stream| {
            let size = "f".repeat(5_000);
            raw(stream, format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{size}\r\n").as_bytes())
        }),
        ("transfer coding `gzip, chunked`", |_, stream| {
            raw(stream, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n8\r\n<urlset>\r\n0\r\n\r\n")
        }),
        ("total timeout after 6 s", |_, stream| {
            for_ever(
                stream,
                b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
                b"a: b\r\n",
                Duration::from_millis(1),
            )
        }),
        ("read timeout after 3 s", |_, stream| {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n<urlset>")?;
            silence(stream)
        }),
        ("transfer rate below 1024 bytes per second", |_, stream| {
            for_ever(stream, b"HTTP/1.1 200 OK\r\n\r\n", b"<", Duration::from_millis(100))
        }),
        ("response headers of more than 65536 bytes", |_, stream| {
            for_ever(stream, b"HTTP/1.1 200 OK\r\na: ", &[b'x'; 4_096], Duration::ZERO)
        }),
        ("response with more than 100 header fields", |_, stream| {
            for_ever(stream, b"HTTP/1.1 200 OK\r\n", b"a: b\r\n", Duration::ZERO)
        }),
        ("unsupported Content-Encoding", |_, stream| reply(stream, "200 OK", &["Content-Encoding: br"], b"<urlset/>")),
        ("invalid gzip content encoding", |_, stream| {
            reply(stream, "200 OK", &["Content-Encoding: gzip"], b"<urlset/>")
        }),
        ("more than the limit inflate_ratio allows", |_, stream| {
            reply(stream, "200 OK", &["Content-Encoding: gzip"], &gzip(&vec![b' '; 8 << 20]))
        }),
        ("without a Location header", |_, stream| reply(stream, "302 Found", &[], b"")),
        ("with several Location headers", |_, stream| {
            reply(stream, "302 Found", &["Location: /a", "Location: /b"], b"")
        }),
    ];
    for (reason, answer) in cases {
        let server = Server::new(answer);
        // Time limits apply only to stalling servers; on a busy machine the others might exceed them as well.
        let more = if reason.ends_with(" s") || reason.contains("transfer rate") { &IMPATIENT[..] } else { &[] };
        let said = why(ask(&bench, &server.url("/list.xml"), more));
        assert!(said.contains(reason), "{said}\n{reason}");
    }
}

#[test]
fn the_header_fields_of_a_response_are_counted() {
    let bench = Bench::new("http-header-fields");
    // The path is the number of fields.
    let server = Server::new(|asked, stream| {
        let body = list(1);
        let fields: usize = asked.path[1..].parse().unwrap();
        let others: String = (1..fields).map(|number| format!("X-{number}: a\r\n")).collect();
        let head = format!("HTTP/1.1 200 OK\r\n{others}Content-Length: {}\r\n\r\n", body.len());
        stream.write_all(&[head.as_bytes(), body.as_bytes()].concat())
    });
    let most = |most: usize| format!("http_header_fields={most}");
    for (fields, limit) in [(100, 100), (128, 128)] {
        let ran = ask(&bench, &server.url(&format!("/{fields}")), &["--limit", &most(limit)]);
        assert_eq!(ran.json()["inputs"][0]["entries"], 1, "{fields}");
    }
    // The HTTP library itself parses no more than 128.
    for (fields, limit) in [(101, 100), (129, 100), (129, 128), (21, 20)] {
        let said = why(ask(&bench, &server.url(&format!("/{fields}")), &["--limit", &most(limit)]));
        assert_eq!(said, format!("response with more than {limit} header fields (limit http_header_fields)"));
    }
    bench.run(&["validate", "--limit", "http_header_fields=129", &server.url("/1")]).ends(2);
}

#[test]
fn a_body_without_end_ends_at_a_limit() {
    let bench = Bench::new("http-endless");
    let server = Server::new(|asked, stream| {
        let head = match asked.path.as_str() {
            "/chunked" => &b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"[..],
            _ => &b"HTTP/1.1 200 OK\r\n\r\n"[..],
        };
        let spaces = [b' '; 4_096];
        match asked.path.as_str() {
            "/chunked" => for_ever(stream, head, &[b"1000\r\n", &spaces[..], b"\r\n"].concat(), Duration::ZERO),
            _ => for_ever(stream, head, &spaces, Duration::ZERO),
        }
    });
    for path in ["/plain", "/chunked"] {
        let said = why(ask(&bench, &server.url(path), &["--limit", "http_body_bytes=1000000"]));
        assert_eq!(said, "response body of more than 1000000 bytes (limit http_body_bytes)");
    }
}

#[test]
fn the_connection_is_closed_once_the_rest_of_a_body_would_change_nothing() {
    let bench = Bench::new("http-endless-document");
    // The server ends by itself only after as much as the limit on bodies allows.
    let server = Server::new(|asked, stream| match asked.path.as_str() {
        "/list.xml" => {
            let head = b"HTTP/1.1 200 OK\r\n\r\n<urlset>";
            for_ever(stream, head, &[b' '; 4_096], Duration::ZERO)
        }
        _ => reply(stream, "404 Not Found", &[], b""),
    });
    for follow in [&[][..], &["--follow"]] {
        let more = [follow, &["--limit", "document_bytes=1000000", "--limit", "http_body_bytes=100000000000"]].concat();
        let report = ask(&bench, &server.url("/list.xml"), &more).json();
        assert!(codes(&report).contains(&"LIM-01".to_owned()), "{report}");
        assert!(!codes(&report).contains(&"INP-01".to_owned()), "{report}");
    }
}

#[test]
fn a_gzip_file_that_grows_too_much_is_a_finding() {
    let bench = Bench::new("http-bomb");
    let server = Server::of([("/list.xml.gz", gzip(&vec![b' '; 8 << 20]))]);
    let report = ask(&bench, &server.url("/list.xml.gz"), &[]).json();
    assert!(codes(&report).iter().any(|code| code.starts_with("LIM")), "{report}");
    assert_ne!(report["verdict"], "valid");
}

#[test]
fn a_page_with_status_200_is_not_a_document() {
    let bench = Bench::new("http-html");
    let server = Server::of([("/list.xml", b"<!DOCTYPE html><title>Please log in</title>".to_vec())]);
    let report = ask(&bench, &server.url("/list.xml"), &[]).ends(1).json();
    assert_eq!(codes(&report), ["INP-02"]);
}

#[test]
fn redirects_without_end_are_not_followed_for_ever() {
    let bench = Bench::new("http-loops");
    let server = Server::new(|asked, stream| match asked.path.as_str() {
        "/a" => redirect(stream, "/b"),
        "/b" => redirect(stream, "/a"),
        path => redirect(stream, &format!("{path}0")),
    });
    assert!(why(ask(&bench, &server.url("/a"), &[])).contains("redirect loop"));
    assert_eq!(server.paths(), ["/a", "/b"]);
    assert!(why(ask(&bench, &server.url("/0"), &[])).contains("more than 5 redirects (limit http_redirects)"));
    assert_eq!(server.paths().len(), 2 + 6);
    let said = why(ask(&bench, &server.url("/1"), &["--limit", "http_redirects=1"]));
    assert!(said.contains("more than 1 redirects"), "{said}");
}

#[test]
fn nothing_is_asked_that_was_not_named() {
    let bench = Bench::new("http-astray");
    let canary = Server::new(|_, stream| reply(stream, "200 OK", &[], list(1).as_bytes()));
    let port = canary.port();
    let other =
        Server::at(Ipv4Addr::new(127, 0, 0, 2), 0, |_, stream| reply(stream, "200 OK", &[], list(1).as_bytes()));
    let places = [
        "file:///etc/passwd".to_owned(),
        "ftp://127.0.0.1/".to_owned(),
        "gopher://127.0.0.1/".to_owned(),
        "javascript:alert(1)".to_owned(),
        format!("http://user:secret@127.0.0.1:{port}/"),
        canary.url("/x"),
        format!("http://localhost:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        format!("http://2130706433:{port}/"),
        format!("http://0x7f.1:{port}/"),
        format!("http://127.1:{port}/"),
        format!("http://0.0.0.0:{port}/"),
        other.url("/x"),
        format!("http://127.0.0.1\\@127.0.0.1:{port}/"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://10.0.0.1/".to_owned(),
        "http://[fd00::1]/".to_owned(),
        "http://[".to_owned(),
    ];
    for place in places {
        let to = place.clone();
        let server = Server::new(move |_, stream| redirect(stream, &to));
        for more in [&[][..], &["--allow-host", "*"]] {
            let said = why(ask(&bench, &server.url("/list.xml"), more));
            assert!(!said.is_empty() && server.seen().iter().all(|asked| asked.path == "/list.xml"), "{place}: {said}");
        }
    }
    assert!(canary.seen().is_empty(), "{:?}", canary.seen());
    assert!(other.seen().is_empty(), "{:?}", other.seen());
    // The canaries respond if they are named explicitly.
    let to = canary.url("/x");
    let server = Server::new(move |_, stream| redirect(stream, &to));
    ask(&bench, &server.url("/list.xml"), &["--allow-host", &canary.place()]).ends(0);
    assert_eq!(canary.paths(), ["/x"]);
}

#[test]
fn what_follows_an_answer_is_not_taken_for_the_next_one() {
    let bench = Bench::new("http-garbage");
    let server = Server::new(|asked, stream| match asked.path.as_str() {
        "/a.xml" => {
            reply(stream, "200 OK", &[], list(1).as_bytes())?;
            reply(stream, "200 OK", &[], b"<smuggled/>")
        }
        _ => reply(stream, "200 OK", &[], list(2).as_bytes()),
    });
    let ran = ask(&bench, &server.url("/a.xml"), &[&server.url("/b.xml"), "--jobs", "1"]);
    let report = ran.ends(0).json();
    assert_eq!((&report["inputs"][0]["entries"], &report["inputs"][1]["entries"]), (&1.into(), &2.into()));
}

#[test]
fn a_body_that_is_lost_on_the_way_is_asked_for_again() {
    let bench = Bench::new("http-again");
    let server = Server::new(|asked, stream| match asked.before {
        0 => raw(stream, b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n<urlset>"),
        _ => reply(stream, "200 OK", &[], list(3).as_bytes()),
    });
    let report = bench.run(&["validate", "--format", "json", &server.url("/a.xml")]).ends(0).json();
    assert_eq!((&report["inputs"][0]["entries"], server.seen().len()), (&3.into(), 2));
}

#[test]
fn no_damage_to_an_answer_makes_the_command_fail() {
    let bench = Bench::new("http-damage");
    let (list, length) = (list(2), list(2).len());
    let sound = [
        format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{list}").into_bytes(),
        format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{length:x}\r\n{list}\r\n0\r\n\r\n").into_bytes(),
        [&b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"[..], &gzip(list.as_bytes())].concat(),
        b"HTTP/1.1 302 Found\r\nLocation: /0\r\nContent-Length: 0\r\n\r\n".to_vec(),
    ];
    let server = Server::new(move |asked, stream| {
        let number: usize = asked.path[1..].parse().unwrap_or(0);
        let mut bytes = sound[number % sound.len()].clone();
        // Changes, truncates or duplicates something, depending only on the number.
        let mut state = number as u64 + 1;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for _ in 0..=next(4) {
            let at = next(bytes.len().clamp(1, 120));
            match next(4) {
                _ if bytes.is_empty() => {}
                0 => bytes[at] = next(256) as u8,
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, b"\r\n\0: 9f-;"[next(9)]),
                _ => bytes.truncate(bytes.len() - next(bytes.len())),
            }
        }
        raw(stream, &bytes)
    });
    let urls: Vec<String> = (0..400).map(|number| server.url(&format!("/{number}"))).collect();
    let mut args = vec!["validate", "--format", "json", "--limit", "http_requests_per_second=0", "--jobs", "4"];
    args.extend(IMPATIENT);
    args.extend(urls.iter().map(String::as_str));
    let report = bench.run(&args).ends(1).json();
    assert_eq!(report["inputs"].as_array().unwrap().len(), 400);
    assert!(!report.to_string().contains("report this as a bug"));
}
