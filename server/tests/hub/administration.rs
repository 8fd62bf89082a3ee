//! The administration for programs and for the page.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
};

use resourcesync_notify::{form::Form, hub::Secret};
use resourcesync_server::{admin::request, settings::AdminAddress};

use crate::bench::{Bench, Receiver, TOKEN, eventually, payload};

const ADMIN_TOKEN: &str = "t0ken-of-the-operator";

pub(crate) fn the_page_needs_the_token_for_all_it_shows() {
    let receiver = Receiver::new(Some("s3cret-of-the-subscriber"));
    let bench = Bench::new("page", &[receiver.server.place()]);
    let file = bench.folder.join("hub.toml");
    let token = bench.folder.join("token");
    fs::write(&token, ADMIN_TOKEN).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    let line = text.lines().find(|line| line.starts_with("admin = ")).unwrap().to_owned();
    let own = format!("admin = \"127.0.0.1:0\"\nadmin_token = \"file:{}\"", token.display());
    fs::write(&file, text.replace(&line, &own)).unwrap();
    let hub = bench.start(None);
    let Some(AdminAddress::Tcp(address)) = hub.admin().cloned() else { panic!("not on TCP") };
    let send = |head: &str, body: &str| -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        let text = format!("{head}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let status = |answer: &str| answer.split(' ').nth(1).unwrap().to_owned();

    // The page itself has no data, and its policy allows no other source.
    let mut shown = Vec::new();
    for (path, media) in [("/", "text/html"), ("/page.css", "text/css"), ("/page.js", "text/javascript")] {
        let answer = send(&format!("GET {path} HTTP/1.1\r\nHost: {address}"), "");
        let fields = answer.to_ascii_lowercase();
        assert_eq!(status(&answer), "200", "{answer}");
        for field in [&*format!("content-type: {media}"), "content-security-policy: default-src 'none';", "nosniff"] {
            assert!(fields.contains(field), "{field}: {answer}");
        }
        shown.push(answer);
    }
    let paths = ["/admin/v1/status", "/admin/v1/topics", "/admin/v1/subscriptions", "/admin/v1/failures", "/metrics"];
    for path in paths {
        assert_eq!(status(&send(&format!("GET {path} HTTP/1.1\r\nHost: a"), "")), "401", "{path}");
    }

    assert_eq!(bench.subscribe(&receiver.server.url("/capability-url"), Some("s3cret-of-the-subscriber")), 202);
    let admin = AdminAddress::Tcp(address);
    let operator = Secret(ADMIN_TOKEN.into());
    let ask = |method: &str, path: &str, body: &str| request(&admin, Some(&operator), method, path, body).unwrap();
    eventually("a subscription", || ask("GET", "/admin/v1/status", "").1.contains("\"subscriptions\":1"));
    assert_eq!(bench.publish(&payload(0)), Some(200));
    eventually("a delivery", || receiver.received().len() == 1);
    shown.extend(paths.map(|path| ask("GET", path, "").1));

    // Orders: from the page and from programs, not from other sites.
    let order = "{\"target\": {\"subscription\": 1}, \"from\": 1}";
    let post = format!("POST /admin/v1/replay HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {ADMIN_TOKEN}");
    for (more, expected) in [
        ("Content-Type: text/plain", "415"),
        ("Content-Type: application/json\r\nOrigin: https://attacker.example", "403"),
        ("Content-Type: application/json\r\nSec-Fetch-Site: cross-site", "403"),
        (&*format!("Content-Type: application/json\r\nOrigin: http://{address}\r\nSec-Fetch-Site: same-origin"), "200"),
    ] {
        let answer = send(&format!("{post}\r\n{more}"), order);
        assert_eq!(status(&answer), expected, "{more}");
        shown.push(answer);
    }
    eventually("the replay", || receiver.received().len() == 2);
    assert_eq!(ask("POST", "/admin/v1/replay", order).0, 200);

    // A token that was replaced.
    fs::write(&token, "another-t0ken-of-the-operator").unwrap();
    assert_eq!(hub.reload(bench.settings()).unwrap(), Vec::<&str>::new());
    assert_eq!(ask("GET", "/admin/v1/status", "").0, 401);
    hub.stop();
    for text in shown {
        for secret in [ADMIN_TOKEN, TOKEN, "s3cret-of-the-subscriber", "capability-url"] {
            assert!(!text.contains(secret), "{text}");
        }
    }
}

pub(crate) fn a_socket_without_a_token_answers_this_machine_only() {
    let bench = Bench::new("socket", &[]);
    let hub = bench.start(None);
    let Some(AdminAddress::Unix(path)) = hub.admin().cloned() else { panic!("not a socket") };
    let status = |host: &str, target: &str| {
        let mut stream = std::os::unix::net::UnixStream::connect(&path).unwrap();
        stream
            .write_all(format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes())
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).unwrap().to_owned()
    };
    // Through a forwarded port, and through a name of an attacker that leads to it.
    for (host, expected) in [("localhost:9090", "200"), ("127.0.0.1:9090", "200"), ("rebound.example:9090", "403")] {
        for target in ["/", "/metrics", "/admin/v1/status"] {
            assert_eq!(status(host, target), expected, "{host} {target}");
        }
        assert_eq!(status(host, "/health"), "200");
    }
    hub.stop();
}

pub(crate) fn numbers_are_zero_before_anything_happens() {
    let bench = Bench::new("zeros", &[]);
    let hub = bench.start(None);
    let (status, metrics) = bench.admin("GET", "/metrics", "");
    assert_eq!(status, 200);
    let topic = bench.topic();
    for line in [
        "hub_payloads_total{result=\"accepted\",topic_kind=\"change-notification\"} 0",
        "hub_payloads_total{result=\"repeated\",topic_kind=\"framework-notification\"} 0",
        "hub_payloads_total{result=\"refused\",topic_kind=\"unknown\"} 0",
        "hub_refused_total{reason=\"publisher\"} 0",
        "hub_refused_requests_total{reason=\"not-allowed\"} 0",
        "hub_chain_total{kind=\"gap\"} 0",
        "hub_verifications_total{result=\"failed\"} 0",
        "hub_deliveries_total{result=\"dead-letter\"} 0",
        "hub_in_flight{lane=\"fast\"} 0",
        "hub_subscriptions{state=\"active\"} 0",
        "hub_accept_seconds_count 0",
        "hub_delivery_seconds_bucket{le=\"0.001\"} 0",
        &format!("hub_oldest_undelivered_seconds{{topic=\"{topic}\"}} 0"),
    ] {
        assert!(metrics.lines().any(|own| own == line), "{line}: {metrics}");
    }
    assert_eq!(bench.publish(&payload(0)), Some(200));
    assert_eq!(bench.publish("no XML"), Some(422));
    for result in ["accepted", "refused"] {
        let line = format!("hub_payloads_total{{result=\"{result}\",topic_kind=\"change-notification\"}} 1\n");
        // A payload is counted after the answer to it.
        eventually(&line, || bench.admin("GET", "/metrics", "").1.contains(&line));
    }
    hub.stop();
}

pub(crate) fn a_callback_at_a_forbidden_address_is_shown_to_the_operator() {
    let private = Receiver::new(None);
    let port = private.server.port();
    let bench = Bench::new("forbidden", &[]);
    let file = bench.folder.join("hub.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("ports = [80]", &format!("ports = [{port}]"))).unwrap();
    let mut hub = bench.spawn(None);
    // The name is known to every system; the answer does not show what it resolves to.
    assert_eq!(bench.subscribe(&format!("http://localhost:{port}/secret-path"), None), 202);
    let shown = format!("localhost:{port}#");
    eventually("a line in the log", || {
        let log = bench.log();
        log.lines().any(|line| line.contains(" not-allowed code=HUB-12 ") && line.contains(&shown))
    });
    assert!(bench.log().contains(&format!("topic={}", bench.topic())), "{}", bench.log());
    let metrics = bench.admin("GET", "/metrics", "").1;
    assert!(metrics.contains("hub_refused_requests_total{reason=\"not-allowed\"} 1\n"), "{metrics}");
    let failures = bench.admin("GET", "/admin/v1/failures", "").1;
    let failures: serde_json::Value = serde_json::from_str(&failures).unwrap();
    let row = &failures["unconfirmed"][0];
    assert_eq!((&row["topic"], &row["code"]), (&bench.topic().into(), &"HUB-12".into()), "{failures}");
    assert!(row["callback"].as_str().unwrap().starts_with(&shown) && !row.to_string().contains("secret-path"), "{row}");
    assert!(row["reason"].as_str().unwrap().contains("address"), "{row}");
    assert!(private.server.paths().is_empty());
    assert_eq!(hub.stop(), Some(0));
}

pub(crate) fn the_operator_lifts_the_limit_of_a_host() {
    let receiver = Receiver::new(None);
    let place = receiver.server.place();
    let bench = Bench::with("lifted", std::slice::from_ref(&place), "trusted_proxies = [\"127.0.0.1\"]");
    let hub = bench.start(None);
    let topic = bench.topic();
    let subscribe = |client: &str, path: &str| {
        let form = Form::write([
            ("hub.mode", "subscribe"),
            ("hub.topic", &*topic),
            ("hub.callback", &*receiver.server.url(path)),
        ]);
        let head = format!(
            "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Forwarded-For: {client}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
            form.len()
        );
        bench.raw(head.as_bytes()).unwrap().split(' ').nth(1).unwrap().to_owned()
    };
    // A stranger names the host; its owner is refused.
    for number in 0..10 {
        assert_eq!(subscribe("198.51.100.7", &format!("/{number}")), "202");
    }
    assert_eq!(subscribe("203.0.113.5", "/own"), "429");
    let status = || serde_json::from_str::<serde_json::Value>(&bench.admin("GET", "/admin/v1/status", "").1).unwrap();
    assert_eq!(status()["limitedHosts"], serde_json::json!([place]), "{}", status());
    let metrics = bench.admin("GET", "/metrics", "").1;
    assert!(metrics.contains("hub_refused_requests_total{reason=\"host-limited\"} 1\n"), "{metrics}");
    let lift = format!("{{\"host\": \"{place}\"}}");
    assert_eq!(bench.admin("POST", "/admin/v1/lift", &lift), (200, "{\"done\":1}".to_owned()));
    assert_eq!(
        (&status()["limitedHosts"], &status()["liftedHosts"]),
        (&serde_json::json!([]), &serde_json::json!([place]))
    );
    // The stranger goes on, and it makes no difference to the owner.
    for number in 10..20 {
        assert_eq!(subscribe("198.51.100.7", &format!("/{number}")), "202");
    }
    assert_eq!(subscribe("203.0.113.5", "/own"), "202");
    // The limit of a client stays.
    for number in 20..30 {
        assert_eq!(subscribe("198.51.100.7", &format!("/{number}")), "202");
    }
    assert_eq!(subscribe("198.51.100.7", "/30"), "429");
    let undo = format!("{{\"host\": \"{place}\", \"undo\": true}}");
    assert_eq!(bench.admin("POST", "/admin/v1/lift", &undo).0, 200);
    assert_eq!(status()["liftedHosts"], serde_json::json!([]));
    assert_eq!(bench.admin("POST", "/admin/v1/lift", "{\"host\": \"no port\"}").0, 404);
    hub.stop();
}

pub(crate) fn status_says_what_is_paused() {
    let bench = Bench::new("paused", &[]);
    let hub = bench.start(None);
    assert_eq!(bench.number("paused"), 0);
    assert_eq!(bench.admin("POST", "/admin/v1/pause", "{}").0, 200);
    assert_eq!(bench.number("paused"), 1);
    assert_eq!(bench.admin("POST", "/admin/v1/resume", "{}").0, 200);
    assert_eq!(bench.number("paused"), 0);
    hub.stop();
}
