//! Hostile clients, callbacks and names.

use std::{
    io::Write,
    net::{IpAddr, Ipv4Addr},
    sync::{Arc, Mutex},
};

use resourcesync_server::hub::Lookup;
use resourcesync_tests::server::{Server, reply};

use crate::bench::{Bench, Receiver, eventually, payload};

/// Resolves names by a table.
fn names(table: &[(&'static str, &[Ipv4Addr])]) -> Lookup {
    let table: Vec<(&'static str, Vec<IpAddr>)> =
        table.iter().map(|(name, addresses)| (*name, addresses.iter().copied().map(IpAddr::V4).collect())).collect();
    Arc::new(move |host| {
        let found = table.iter().find(|(name, _)| *name == host).map(|(_, addresses)| addresses.clone());
        found.ok_or_else(|| std::io::ErrorKind::NotFound.into())
    })
}

/// `callbacks.allow` with a network instead of hosts.
fn allow_network(bench: &Bench, network: &str, port: u16) {
    let file = bench.folder.join("hub.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text
        .replace("allow = []", &format!("allow = [\"{network}\"]"))
        .replace("ports = [80]", &format!("ports = [{port}]"));
    std::fs::write(file, text).unwrap();
}

const PRIVATE: Ipv4Addr = Ipv4Addr::LOCALHOST;
/// Stands for a public address: it is allowed by the configuration.
const PUBLIC: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

pub(crate) fn names_with_addresses_that_are_not_allowed_are_never_connected_to() {
    let private = Receiver::new(None);
    let port = private.server.port();
    let public = Receiver::at(PUBLIC, port, None);
    let bench = Bench::new("names", &[]);
    allow_network(&bench, "127.0.0.2/32", port);
    let hub = bench.start(Some(names(&[("private.test", &[PRIVATE]), ("mixed.test", &[PRIVATE, PUBLIC])])));
    for literal in ["127.0.0.1", "[::1]", "[::ffff:7f00:1]", "169.254.169.254"] {
        assert_eq!(bench.subscribe(&format!("http://{literal}:{port}/"), None), 403, "{literal}");
    }
    // The answer does not show what a name resolves to.
    for name in ["private.test", "0x7f.1", "2130706433", "mixed.test"] {
        assert_eq!(bench.subscribe(&format!("http://{name}:{port}/"), None), 202, "{name}");
    }
    eventually("the subscription at the public address", || bench.number("subscriptions") == 1);
    assert_eq!(bench.publish(&payload(0)), Some(200));
    eventually("a delivery", || public.received().len() == 1);
    assert_eq!(private.server.paths(), Vec::<String>::new());
    hub.stop();
}

pub(crate) fn a_name_that_becomes_private_is_not_connected_to() {
    let private = Receiver::new(None);
    let port = private.server.port();
    let public = Receiver::at(PUBLIC, port, None);
    let bench = Bench::new("rebinding", &[]);
    allow_network(&bench, "127.0.0.2/32", port);
    let hub = bench.start(Some(names(&[("rebinding.test", &[PUBLIC])])));
    assert_eq!(bench.subscribe(&format!("http://rebinding.test:{port}/"), None), 202);
    eventually("a subscription", || bench.number("subscriptions") == 1);
    hub.stop();
    let hub = bench.start(Some(names(&[("rebinding.test", &[PRIVATE])])));
    assert_eq!(bench.publish(&payload(0)), Some(200));
    eventually("a failed delivery", || bench.admin("GET", "/admin/v1/failures", "").1.contains("failingSince"));
    assert_eq!((private.server.paths().len(), public.received().len()), (0, 0));
    hub.stop();
}

pub(crate) fn requests_with_doubtful_lengths_are_refused() {
    let bench = Bench::new("lengths", &[]);
    let hub = bench.start(None);
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    for (what, head) in [
        ("two lengths", "Content-Length: 3\r\nContent-Length: 4\r\n"),
        ("length and chunks", "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n"),
        ("a length that is no number", "Content-Length: +3\r\n"),
        ("unknown coding", "Transfer-Encoding: chunked, x\r\n"),
        ("a folded header", "X: a\r\n b\r\nContent-Length: 3\r\n"),
    ] {
        let sent = format!(
            "POST / HTTP/1.1\r\nHost: a\r\n{form}{head}\r\na=b\r\n\r\nGET /changes HTTP/1.1\r\nHost: a\r\n\r\n"
        );
        let answer = bench.raw(sent.as_bytes()).unwrap_or_default();
        assert!(answer.starts_with("HTTP/1.1 400") && answer.matches("HTTP/1.1").count() == 1, "{what}: {answer}");
    }
    // Chunks before a length are read, and the connection is closed.
    let sent = format!(
        "POST / HTTP/1.1\r\nHost: a\r\n{form}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\nGET /changes HTTP/1.1\r\nHost: a\r\n\r\n"
    );
    let answer = bench.raw(sent.as_bytes()).unwrap();
    assert!(answer.starts_with("HTTP/1.1 400") && answer.matches("HTTP/1.1").count() == 1, "{answer}");
    hub.stop();
}

pub(crate) fn long_requests_are_refused() {
    let bench = Bench::new("long", &[]);
    let hub = bench.start(None);
    let status = |sent: &[u8]| -> u16 {
        let answer = bench.raw(sent).unwrap_or_default();
        answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default()
    };
    let post = |kind: &str, length: usize| {
        format!(
            "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n"
        )
    };
    let form = "application/x-www-form-urlencoded";
    assert_eq!(status(format!("GET / HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n", "x".repeat(20_000)).as_bytes()), 431);
    assert_eq!(status(post(form, 1 << 20).as_bytes()), 413);
    assert_eq!(status(post("application/xml", (8 << 20) + 1).as_bytes()), 413);
    let many = "a=b&".repeat(3_000);
    assert_eq!(status((post(form, many.len()) + &many).as_bytes()), 400);
    for wrong in ["hub.mode=%", "hub.mode=%ff", "hub.mode=\u{0}"] {
        assert_eq!(status((post(form, wrong.len()) + wrong).as_bytes()), 400, "{wrong:?}");
    }
    hub.stop();
}

pub(crate) fn endless_responses_are_not_read() {
    let written = Arc::new(Mutex::new(0_usize));
    let own = written.clone();
    let endless = Server::new(move |asked, stream| {
        if asked.method == "GET" {
            let challenge = asked.path.split("hub.challenge=").nth(1).unwrap().split('&').next().unwrap();
            return reply(stream, "200 OK", &[], challenge.as_bytes());
        }
        let head = if asked.path == "/headers" {
            "HTTP/1.1 200 OK\r\n"
        } else {
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        };
        let more = if asked.path == "/headers" {
            format!("X: {}\r\n", "x".repeat(1_000))
        } else {
            format!("3e8\r\n{}\r\n", "x".repeat(1_000))
        };
        stream.write_all(head.as_bytes())?;
        loop {
            stream.write_all(more.as_bytes())?;
            *own.lock().unwrap() += more.len();
        }
    });
    let bench = Bench::new("endless", &[endless.place()]);
    let hub = bench.start(None);
    assert_eq!(bench.subscribe(&endless.url("/body"), None), 202);
    eventually("a subscription", || bench.number("subscriptions") == 1);
    assert_eq!(bench.publish(&payload(0)), Some(200));
    // The status counts.
    eventually("a delivery", || bench.admin("GET", "/admin/v1/subscriptions", "").1.contains("\"delivered\":1"));
    assert_eq!(bench.subscribe(&endless.url("/headers"), None), 202);
    eventually("a subscription", || bench.number("subscriptions") == 2);
    assert_eq!(bench.publish(&payload(1)), Some(200));
    eventually("a failure", || bench.admin("GET", "/admin/v1/failures", "").1.contains("failingSince"));
    hub.stop();
    // What was written and not read fits into the buffers of the sockets.
    assert!(*written.lock().unwrap() < 32 << 20, "{}", written.lock().unwrap());
}
