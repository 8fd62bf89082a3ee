//! The administration for programs and for the page.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
};

use resourcesync_notify::hub::Secret;
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
    fs::write(&token, "another").unwrap();
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
