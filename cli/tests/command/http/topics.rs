//! Topics of notification channels over HTTP.

use resourcesync_tests::server::{Asked, Server, reply};

use super::follow::{document, publish};
use crate::bench::{Bench, codes};

/// A Source with a notification channel, given the response of its topic.
fn channel(
    answer: impl Fn(&Asked, &mut std::net::TcpStream, &str) -> std::io::Result<()> + Send + Sync + 'static,
) -> Server {
    publish(move |asked, stream, base| match asked.path.as_str() {
        "/capabilitylist.xml" => {
            let inside = format!(
                r#"<rs:ln rel="up" href="{base}/.well-known/resourcesync"/><rs:ln rel="describedby" href="{base}/about"/><rs:md capability="capabilitylist"/>
<url><loc>{base}/resourcelist.xml</loc><rs:md capability="resourcelist"/></url>
<url><loc>{base}/topic</loc><rs:md capability="change-notification"/><rs:ln rel="hub" href="http://hub.example.org/"/></url>"#
            );
            Some(reply(stream, "200 OK", &["Content-Type: application/xml"], &document(&inside)))
        }
        "/topic" => Some(answer(asked, stream, base)),
        _ => None,
    })
}

/// The required headers of a topic.
fn hailed(stream: &mut std::net::TcpStream, base: &str, links: &[&str]) -> std::io::Result<()> {
    let own = format!("Link: <{base}/topic>; rel=\"self\"");
    let hub = "Link: <http://hub.example.org/>; rel=\"hub\"".to_owned();
    let mut headers = vec!["Content-Type: application/xml"];
    headers.extend([own.as_str(), hub.as_str()].into_iter().filter(|link| links.iter().any(|rel| link.contains(rel))));
    reply(stream, "200 OK", &headers, b"")
}

#[test]
fn a_topic_has_to_answer_head_as_it_answers_get() {
    let bench = Bench::new("http-topic-head");
    let both = ["\"self\"", "\"hub\""];
    let follow = |server: &Server| {
        let ran = bench.run(&["validate", "--follow", "--format", "json", &server.url("/")]).json();
        let asked = server.seen().into_iter().filter(|asked| asked.path == "/topic").map(|asked| asked.method);
        assert_eq!(asked.collect::<Vec<_>>(), ["GET", "HEAD"]);
        ran
    };
    let told = |report: &serde_json::Value| {
        let told = report["diagnostics"].as_array().unwrap().iter();
        told.map(|found| found["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let report = follow(&channel(move |_, stream, base| hailed(stream, base, &both)));
    assert_eq!(codes(&report), Vec::<String>::new());
    for (code, status) in [("WS-01", "405 Method Not Allowed"), ("WS-01", "404 Not Found")] {
        let server = channel(move |asked, stream, base| match asked.method.as_str() {
            "HEAD" => reply(stream, status, &[], b""),
            _ => hailed(stream, base, &both),
        });
        let report = follow(&server);
        assert_eq!(codes(&report), [code]);
        assert!(told(&report)[0].contains("does not respond to HEAD with status 200"), "{report}");
    }
    let server = channel(move |asked, stream, base| {
        hailed(stream, base, if asked.method == "HEAD" { &both[..1] } else { &both })
    });
    let report = follow(&server);
    assert_eq!(codes(&report), ["WS-04"]);
    assert!(told(&report)[0].contains("the HEAD response of the topic"), "{report}");
    // A problem of both responses is reported once.
    let report = follow(&channel(move |_, stream, base| hailed(stream, base, &both[..1])));
    assert_eq!(codes(&report), ["WS-04"]);
    assert!(told(&report)[0].contains("the GET response of the topic"), "{report}");
}
