//! Resources of a Source, fetched over HTTP and compared with their metadata.

use resourcesync::{api::Digester, value::Algorithm};
use resourcesync_tests::server::{Asked, Server, reply};

use super::follow::{document, publish};
use crate::bench::{Bench, codes, gzip};

const TEXT: &[u8] = b"This is a resource, and a resource, and a resource.\n";

/// The `rs:md` for these bytes.
fn listed(bytes: &[u8]) -> String {
    let mut digester = Digester::new([Algorithm::Sha256]);
    digester.push(bytes);
    format!(r#"hash="{}" length="{}""#, digester.finish(), bytes.len())
}

/// A Source with one resource, given its metadata in the list and its response.
fn source(
    md: String,
    answer: impl Fn(&Asked, &mut std::net::TcpStream) -> std::io::Result<()> + Send + Sync + 'static,
) -> Server {
    publish(move |asked, stream, base| match asked.path.as_str() {
        "/resourcelist.xml" => {
            let inside = format!(
                r#"<rs:ln rel="up" href="{base}/capabilitylist.xml"/><rs:md capability="resourcelist" at="2013-01-05T09:00:00Z"/>
<url><loc>{base}/one</loc><rs:md {md}/></url>"#
            );
            Some(reply(stream, "200 OK", &["Content-Type: application/xml"], &document(&inside)))
        }
        "/one" => Some(answer(asked, stream)),
        _ => None,
    })
}

fn walk<'a>(bench: &'a Bench, url: &'a str, more: &[&'a str]) -> crate::bench::Ran {
    let all = ["validate", "--follow", "--resources", "all", "--format", "json", url];
    bench.run(&[&all[..], more].concat())
}

#[test]
fn a_resource_is_asked_for_in_the_coding_that_is_listed_and_compared_as_it_is_sent() {
    let bench = Bench::new("http-resource-coding");
    let packed = gzip(TEXT);
    for (coding, sent) in [("gzip", "gzip"), ("gzip", "x-gzip"), ("x-gzip", "gzip")] {
        let body = packed.clone();
        let server = source(format!(r#"{} encoding="{coding}""#, listed(&packed)), move |asked, stream| {
            match asked.header("accept-encoding") {
                Some("gzip") => reply(stream, "200 OK", &[&format!("Content-Encoding: {sent}")], &body),
                _ => reply(stream, "200 OK", &[], TEXT),
            }
        });
        let report = walk(&bench, &server.url("/"), &[]).ends(0).json();
        assert_eq!(codes(&report), Vec::<String>::new(), "{coding}, {sent}: {report}");
    }
    // Without a coding in the list, none is requested.
    let body = packed.clone();
    let server = source(listed(TEXT), move |asked, stream| match asked.header("accept-encoding") {
        Some("identity") => reply(stream, "200 OK", &[], TEXT),
        _ => reply(stream, "200 OK", &["Content-Encoding: gzip"], &body),
    });
    assert_eq!(codes(&walk(&bench, &server.url("/"), &[]).ends(0).json()), Vec::<String>::new());
    // A server that compresses it nevertheless sends other bytes than listed.
    let server = source(listed(TEXT), move |_, stream| reply(stream, "200 OK", &["Content-Encoding: gzip"], &packed));
    assert_eq!(codes(&walk(&bench, &server.url("/"), &[]).ends(1).json()), ["AT-09", "AT-11"]);
}

#[test]
fn a_coding_that_cannot_be_unpacked_is_compared_and_replayed() {
    let bench = Bench::new("http-resource-br");
    let server = source(format!(r#"{} encoding="br""#, listed(b"\x01br")), |asked, stream| {
        assert_eq!(asked.header("accept-encoding"), Some("br"));
        reply(stream, "200 OK", &["Content-Encoding: br"], b"\x01br")
    });
    let url = server.url("/");
    let recorded = walk(&bench, &url, &["--record", "r.har"]).ends(0);
    assert_eq!(codes(&recorded.json()), Vec::<String>::new());
    drop(server);
    assert_eq!(recorded.out, walk(&bench, &url, &["--replay", "r.har"]).ends(0).out);
}

#[test]
fn a_server_that_does_not_know_head_is_asked_for_the_whole() {
    let bench = Bench::new("http-resource-head");
    let server = source(format!(r#"length="{}""#, TEXT.len() + 1), |asked, stream| match asked.method.as_str() {
        "HEAD" => reply(stream, "405 Method Not Allowed", &[], b""),
        _ => reply(stream, "200 OK", &[], TEXT),
    });
    let report = walk(&bench, &server.url("/"), &[]).json();
    assert_eq!(codes(&report), ["AT-11"]);
}

#[test]
fn a_resource_that_cannot_be_had_is_not_passed_over() {
    let bench = Bench::new("http-resource-missing");
    for (status, code, exit) in [("404 Not Found", "INP-05", 1), ("500 Internal Server Error", "INP-01", 2)] {
        for md in [String::new(), listed(TEXT)] {
            let server = source(md, move |_, stream| reply(stream, status, &[], b""));
            let report = walk(&bench, &server.url("/"), &[]).ends(exit).json();
            assert_eq!(codes(&report), [code], "{status}: {report}");
        }
    }
}
