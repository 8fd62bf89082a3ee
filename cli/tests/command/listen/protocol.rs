//! The cases S-nn of the protocol against a process: what hubs send to it, and what it sends to Sources and hubs.

use resourcesync_notify::{form::Form, signature::Algorithm};
use resourcesync_tests::server::{Server, free_port, reply};

use super::{
    bench::{eventually, payload},
    events::Listener,
};
use crate::bench::Bench;

/// S-04 to S-08, S-12 to S-14, S-16.
#[test]
fn requests_of_hubs_have_the_effect_that_they_should_and_no_other() {
    let own = Listener::new("listen-protocol");
    let mut process = own.start(&["--log", "events.ndjson"]);
    let subscription = own.hub.subscription("/changes");
    let topic = subscription.topic.clone();
    let (long, longer) = ("c".repeat(1 << 10), "c".repeat((1 << 10) + 1));

    let wrong = format!("{topic}/other");
    for (id, ending, mode, topic, challenge, status) in [
        ("S-04 again", "", "subscribe", &topic, "another", 200),
        ("S-04 topic", "", "subscribe", &wrong, "c", 404),
        ("S-04 mode", "", "unsubscribe", &topic, "c", 404),
        ("S-04 path", "x", "subscribe", &topic, "c", 404),
        ("S-05 markup", "", "subscribe", &topic, "<script>alert(1)</script>", 200),
        ("S-05 1 KiB", "", "subscribe", &topic, &long, 200),
        ("S-05 longer", "", "subscribe", &topic, &longer, 404),
        ("S-06 path", "x", "denied", &topic, "", 404),
    ] {
        let fields =
            [("hub.mode", mode), ("hub.topic", topic), ("hub.challenge", challenge), ("hub.lease_seconds", "86400")];
        let (own, answer) = subscription.ask(ending, &fields);
        assert_eq!(own, status, "{id}: {answer}");
        let head = answer.to_ascii_lowercase();
        if status == 200 {
            assert!(answer.ends_with(&format!("\r\n\r\n{challenge}")), "{id}: {answer}");
            assert!(head.contains("content-type: text/plain") && head.contains("nosniff"), "{id}: {answer}");
        }
    }

    let signature =
        |algorithm, payload: &str| format!("X-Hub-Signature: {}", subscription.signed(algorithm, payload.as_bytes()));
    let good = |payload: &str| signature(Algorithm::Sha256, payload);
    let numbers: Vec<String> = (0..8).map(payload).collect();
    let far = numbers[5].replace("until=\"2026", "until=\"2090");
    let declared = numbers[5].replace("<urlset", "<!DOCTYPE urlset>\n<urlset");
    let framework = numbers[5].replace("change-notification", "framework-notification");
    let index = numbers[5].replace("urlset", "sitemapindex");
    let short = good(&numbers[0])[..60].to_owned();
    for (id, lines, body, status) in [
        ("S-07 none", vec![], &numbers[0], 403),
        ("S-07 short", vec![short], &numbers[0], 403),
        ("S-07 of another", vec![good(&numbers[1])], &numbers[0], 403),
        ("S-08 sha1", vec![signature(Algorithm::Sha1, &numbers[0])], &numbers[0], 403),
        ("S-08 md5", vec!["X-Hub-Signature: md5=00".to_owned()], &numbers[0], 403),
        ("S-07 two", vec!["X-Hub-Signature: sha256=00".to_owned(), good(&numbers[0])], &numbers[0], 202),
        ("S-08 sha384", vec![signature(Algorithm::Sha384, &numbers[1])], &numbers[1], 202),
        ("S-08 sha512", vec![signature(Algorithm::Sha512, &numbers[2])], &numbers[2], 202),
        ("S-12 early", vec![good(&numbers[4])], &numbers[4], 202),
        ("S-12 next", vec![good(&numbers[3])], &numbers[3], 202),
        ("S-12 repeat", vec![good(&numbers[4])], &numbers[4], 202),
        ("S-12 stale", vec![good(&numbers[1])], &numbers[1], 202),
        ("S-13 until", vec![good(&far)], &far, 202),
        ("S-14 declaration", vec![good(&declared)], &declared, 202),
        ("S-14 kind", vec![good(&framework)], &framework, 202),
        ("S-14 index", vec![good(&index)], &index, 202),
        (
            "S-16 link",
            vec![good(&numbers[5]), "Link: <http://other.example/>; rel=\"self\"".to_owned()],
            &numbers[5],
            202,
        ),
    ] {
        assert_eq!(subscription.post(&lines, body.as_bytes()), status, "{id}");
    }
    eventually("six events", || own.froms("events.ndjson").len() == 6);
    let minutes: Vec<String> = (0..6).map(|number| format!("2026-01-01T00:{number:02}:00Z")).collect();
    assert_eq!(own.froms("events.ndjson"), minutes);
    // The start of the subscription, and each notification that could not be used.
    eventually("five pulls", || own.bench.events("events.ndjson", "pull").len() == 5);
    let whys: Vec<_> = own.bench.events("events.ndjson", "pull").iter().map(|pull| pull["why"].clone()).collect();
    assert_eq!(whys, ["subscribed", "invalid", "invalid", "invalid", "invalid"]);
    let count = |code: &str| {
        let found = own.bench.events("out.ndjson", "finding");
        found.iter().filter(|found| found["code"] == code).count()
    };
    assert_eq!((count("HUB-07"), count("HUB-14")), (1, 3));
    assert!(count("HUB-08") >= 1);

    // S-06: the hub ends the subscription; the process keeps trying.
    let (status, _) = subscription.ask("", &[("hub.mode", "denied"), ("hub.topic", &topic), ("hub.reason", "gone")]);
    assert_eq!(status, 200);
    eventually("the reason", || count("HUB-03") == 1);
    assert_eq!(process.stop(), Some(0));
}

/// S-01 to S-03: the ways to a topic and a hub, through redirects.
#[test]
fn topics_and_hubs_are_found_where_they_are() {
    let site = Server::new(|asked, stream| {
        let host = asked.header("host").unwrap_or_default();
        let links =
            |of: &str, hub: &str| format!("Link: <http://{host}{of}>; rel=\"self\", <http://{host}{hub}>; rel=\"hub\"");
        let xml = "Content-Type: application/xml";
        match (asked.method.as_str(), asked.path.as_str()) {
            ("HEAD", "/no-head") => reply(stream, "405 Method Not Allowed", &["Allow: GET"], b""),
            (_, "/no-head") => {
                reply(stream, "200 OK", &[xml, &links("/no-head", "/hub")], super::bench::EMPTY.as_bytes())
            }
            (_, "/old") => reply(stream, "301 Moved Permanently", &["Location: /new"], b""),
            (method, "/new") => {
                let body = if method == "HEAD" { "" } else { super::bench::EMPTY };
                reply(stream, "200 OK", &[xml, &links("/named", "/hub")], body.as_bytes())
            }
            (method, topic @ ("/moved-hub" | "/endless-hub")) if method != "POST" => {
                let body = if method == "HEAD" { "" } else { super::bench::EMPTY };
                reply(
                    stream,
                    "200 OK",
                    &[xml, &links(topic, if topic == "/moved-hub" { "/a" } else { "/circle" })],
                    body.as_bytes(),
                )
            }
            ("POST", "/a") => reply(stream, "307 Temporary Redirect", &["Location: /b"], b""),
            ("POST", "/b") => reply(stream, "308 Permanent Redirect", &["Location: /hub"], b""),
            ("POST", "/circle") => reply(stream, "307 Temporary Redirect", &["Location: /circle"], b""),
            ("POST", "/hub") => reply(stream, "202 Accepted", &[], b""),
            _ => reply(stream, "404 Not Found", &[], b""),
        }
    });
    for (id, path, more, topic, hub, posts) in [
        ("S-01 no HEAD", "/no-head", &["--allow-http"][..], "/no-head", "/hub", 1),
        ("S-02 topic", "/old", &["--allow-http"], "/named", "/hub", 1),
        ("S-02 hub", "/moved-hub", &["--allow-http"], "/moved-hub", "/hub", 3),
        ("S-02 circle", "/endless-hub", &["--allow-http"], "/endless-hub", "/circle", 6),
        ("S-03 no TLS", "/no-head", &[], "/no-head", "/hub", 1),
    ] {
        let bench = Bench::new("listen-ways");
        let address = format!("127.0.0.1:{}", free_port());
        let callback = format!("http://{address}/rs/");
        let (uri, before) = (site.url(path), site.seen().len());
        let args = ["listen", &uri, "--callback", &callback, "--listen", &address, "--state", "state"];
        let mut process = bench.start(&[&args[..], &["--format", "ndjson"], more].concat(), "out.ndjson");
        let sent = || {
            let asked = site.seen().split_off(before);
            asked.into_iter().filter(|asked| asked.method == "POST").collect::<Vec<_>>()
        };
        eventually(id, || sent().len() >= posts);
        assert_eq!(process.stop(), Some(0), "{id}");
        let sent = sent();
        assert_eq!(sent.len(), posts, "{id}");
        assert_eq!(sent.last().unwrap().path, hub, "{id}");
        for asked in &sent {
            let form = Form::read(&asked.body).unwrap();
            assert_eq!(form.last("hub.topic"), Some(&*site.url(topic)), "{id}");
            assert_eq!(form.last("hub.secret").is_some(), !more.is_empty(), "{id}");
        }
    }
}
