//! Hostile clients, callbacks and names.

use std::{
    io::{ErrorKind, Read, Write},
    net::{IpAddr, Ipv4Addr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use resourcesync_notify::{
    exchange::Reply,
    signature::{Algorithm, sign},
};
use resourcesync_server::{
    hub::Lookup,
    listen::{CallbackServer, Happening, Limits},
    settings::AdminAddress,
};
use resourcesync_tests::server::{Server, reply};

use crate::bench::{Bench, Receiver, TOKEN, eventually, payload};

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

pub(crate) fn requests_that_proxies_split_differently_are_refused() {
    let bench = Bench::new("smuggling", &[]);
    let mut hub = bench.spawn(None);
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    let second = "GET /changes HTTP/1.1\r\nHost: a\r\n\r\n";
    for (what, head) in [
        ("two lengths", "Content-Length: 3\r\nContent-Length: 4\r\n"),
        ("length and chunks", "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n"),
        ("chunks and length", "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n"),
        ("a length with a sign", "Content-Length: +3\r\n"),
        ("a list of lengths", "Content-Length: 3, 4\r\n"),
        ("unknown coding", "Transfer-Encoding: chunked, x\r\n"),
        ("a blank before the colon", "Transfer-Encoding : chunked\r\n"),
        ("a folded header", "X: a\r\n b\r\nContent-Length: 3\r\n"),
        ("a folded coding", "Transfer-Encoding:\r\n chunked\r\n"),
        ("a bare LF", "X: a\nContent-Length: 3\r\n"),
        ("a bare LF before the body", "Content-Length: 3\r\n\n"),
        ("a bare CR", "X: a\rContent-Length: 0\r\nContent-Length: 3\r\n"),
        ("a NUL", "X: a\0\r\nContent-Length: 3\r\n"),
    ] {
        let answer = bench.raw(format!("POST / HTTP/1.1\r\nHost: a\r\n{form}{head}\r\na=b\r\n\r\n{second}").as_bytes());
        let answer = answer.unwrap_or_default();
        assert!(answer.starts_with("HTTP/1.1 400") && answer.matches("HTTP/1.1").count() == 1, "{what}: {answer}");
    }
    // Also in the second request of a connection.
    let first = format!("POST / HTTP/1.1\r\nHost: a\r\n{form}Content-Length: 3\r\n\r\na\nb");
    let answer = bench.raw(format!("{first}GET / HTTP/1.1\nHost: a\r\n\r\n{second}").as_bytes()).unwrap();
    assert_eq!(answer.matches("HTTP/1.1 400").count(), 2, "{answer}");
    assert_eq!(answer.matches("HTTP/1.1").count(), 2, "{answer}");
    // Chunks alone are read, and the connection is closed.
    let chunks = "2\r\na=\r\n1\r\nb\r\n0\r\n\r\n";
    let sent = format!("POST / HTTP/1.1\r\nHost: a\r\n{form}Transfer-Encoding: chunked\r\n\r\n{chunks}{second}");
    let answer = bench.raw(sent.as_bytes()).unwrap();
    assert!(answer.starts_with("HTTP/1.1 400") && answer.matches("HTTP/1.1").count() == 1, "{answer}");
    assert!(answer.contains("hub.mode"), "{answer}");
    assert_eq!(hub.stop(), Some(0));
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
    let token = format!("Authorization: Bearer {TOKEN}\r\n");
    assert_eq!(status(head(&bench, &bench.topic(), &token, (8 << 20) + 1).as_bytes()), 413);
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
    eventually("a delivery", || bench.admin("GET", "/admin/v1/subscriptions", "").1.contains("\"position\":1"));
    assert_eq!(bench.subscribe(&endless.url("/headers"), None), 202);
    eventually("a subscription", || bench.number("subscriptions") == 2);
    assert_eq!(bench.publish(&payload(1)), Some(200));
    eventually("a failure", || bench.admin("GET", "/admin/v1/failures", "").1.contains("failingSince"));
    hub.stop();
    // What was written and not read fits into the buffers of the sockets.
    assert!(*written.lock().unwrap() < 32 << 20, "{}", written.lock().unwrap());
}

/// X-10: a response of 1 GiB is neither read nor kept, whether it is one to a verification or to a delivery.
pub(crate) fn a_response_of_a_gibibyte_is_not_kept() {
    const LENGTH: usize = 1 << 30;
    let written = Arc::new(AtomicUsize::new(0));
    let ended = Arc::new(AtomicUsize::new(0));
    let (own, own_ended) = (written.clone(), ended.clone());
    let long = Server::new(move |asked, stream| {
        if asked.method == "GET" && asked.path.starts_with("/good") {
            let challenge = asked.path.split("hub.challenge=").nth(1).unwrap().split('&').next().unwrap();
            return reply(stream, "200 OK", &[], challenge.as_bytes());
        }
        // What a client decodes that believes it is much longer still.
        stream.write_all(
            format!("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {LENGTH}\r\n\r\n").as_bytes(),
        )?;
        let block = vec![0; 64 << 10];
        let mut sent = 0;
        while sent < LENGTH && stream.write_all(&block).is_ok() {
            sent += block.len();
        }
        own.fetch_add(sent, Ordering::SeqCst);
        own_ended.fetch_add(1, Ordering::SeqCst);
        Err(ErrorKind::ConnectionAborted.into())
    });
    let bench = Bench::new("gibibyte", &[long.place()]);
    let mut hub = bench.spawn(None);
    assert_eq!(bench.subscribe(&long.url("/good"), None), 202);
    eventually("a subscription", || bench.number("subscriptions") == 1);
    let before = hub.peak();
    assert_eq!(bench.subscribe(&long.url("/bad"), None), 202);
    eventually("the end of a verification", || ended.load(Ordering::SeqCst) == 1 && bench.number("pending") == 0);
    assert_eq!(bench.publish(&payload(0)), Some(200));
    eventually("a delivery", || bench.admin("GET", "/admin/v1/subscriptions", "").1.contains("\"position\":1"));
    eventually("its end", || ended.load(Ordering::SeqCst) == 2);
    assert_eq!(bench.number("subscriptions"), 1);
    let grown = hub.peak().saturating_sub(before);
    assert!(grown < 16 << 20, "{grown} bytes");
    // What was written and not read fits into the buffers of the sockets.
    assert!(written.load(Ordering::SeqCst) < LENGTH / 16, "{written:?}");
    assert_eq!(hub.stop(), Some(0));
}

/// Counts the bytes that a host receives, and answers each request with these ones.
fn counted(answer: &'static str) -> (u16, Arc<AtomicUsize>, Arc<AtomicUsize>) {
    let (bytes, requests) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let (own, own_requests) = (bytes.clone(), requests.clone());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, mut head) = (stream.unwrap(), Vec::new());
            let mut byte = [0];
            while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap_or(0) > 0 {
                head.push(byte[0]);
                own.fetch_add(1, Ordering::SeqCst);
            }
            own_requests.fetch_add(usize::from(!head.is_empty()), Ordering::SeqCst);
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    (port, bytes, requests)
}

pub(crate) fn a_hub_is_no_amplifier() {
    const REQUESTS: usize = 5;
    for (what, answer) in [
        ("a web server", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
        ("another page", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
        ("an overloaded server", "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"),
        ("a redirect", "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"),
        ("no HTTP", "220 mail\r\n"),
        ("nothing", ""),
    ] {
        let (port, received, requests) = counted(answer);
        let bench = Bench::new("amplifier", &[format!("127.0.0.1:{port}")]);
        let mut hub = bench.spawn(None);
        // As short as it can be.
        let mut sent = 0;
        for number in 0..REQUESTS {
            let form =
                format!("hub.mode=subscribe&hub.topic={}&hub.callback=http://127.0.0.1:{port}/{number}", bench.topic());
            let request = format!(
                "POST / HTTP/1.1\r\nHost:a\r\nContent-Type:application/x-www-form-urlencoded\r\nConnection:close\r\nContent-Length:{}\r\n\r\n{form}",
                form.len()
            );
            sent += request.len() - "Connection:close\r\n".len();
            assert!(bench.raw(request.as_bytes()).unwrap().starts_with("HTTP/1.1 202"), "{what}");
        }
        eventually("the outcome of all verifications", || {
            requests.load(Ordering::SeqCst) >= REQUESTS && bench.number("pending") == 0
        });
        let received = received.load(Ordering::SeqCst);
        assert!(received <= 2 * sent, "{what}: {received} bytes for {sent}");
        assert_eq!(bench.number("subscriptions"), 0, "{what}");
        assert_eq!(hub.stop(), Some(0));
    }
}

pub(crate) fn only_trusted_proxies_name_the_client() {
    let bench = Bench::new("proxies", &[]);
    let mut hub = bench.spawn(None);
    let post = |forwarded: &str| {
        let form = "hub.mode=subscribe&hub.topic=http://none.test/&hub.callback=http://none.test/";
        let head = format!(
            "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Forwarded-For: {forwarded}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
            form.len()
        );
        bench.raw(head.as_bytes()).unwrap().split(' ').nth(1).unwrap().to_owned()
    };
    let refused = |statuses: Vec<String>| statuses.into_iter().filter(|status| status == "429").count();
    // Each request claims to be from somebody else, but all count for one client.
    let statuses: Vec<String> = (0..40).map(|number| post(&format!("198.51.100.{number}"))).collect();
    assert!(refused(statuses) > 0);
    assert_eq!(hub.stop(), Some(0));

    let file = bench.folder.join("hub.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("[retry]", "trusted_proxies = [\"127.0.0.1\"]\n[retry]")).unwrap();
    let mut hub = bench.spawn(None);
    let statuses = (0..40).map(|number| post(&format!("198.51.100.{number}"))).collect();
    assert_eq!(refused(statuses), 0);
    // What stands before the address that the proxy added was written by the client.
    let statuses = (0..40).map(|number| post(&format!("203.0.113.{number}, 198.51.100.99"))).collect();
    assert!(refused(statuses) > 0);
    assert_eq!(hub.stop(), Some(0));
}

pub(crate) fn slow_clients_are_closed_and_delay_nobody() {
    /// Open connections of one address, and all.
    const OF_ONE: usize = 64;
    const ALL: usize = 5_000;
    let bench = Bench::new("clients", &[]);
    let mut hub = bench.spawn(None);
    // Bodies of others are not read.
    let head = format!(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/xml\r\nAuthorization: Bearer {TOKEN}\r\n\
         Link: <{}>; rel=\"self\", <{}>; rel=\"hub\"\r\n",
        bench.topic(),
        bench.uri()
    );
    let post = |length: usize| format!("{head}Content-Length: {length}\r\n\r\n<");
    // A byte a second: of a header, of the body that follows, of its chunks. And nothing at all after the beginning.
    let slow: Vec<(String, &'static str)> = vec![
        (String::new(), "POST / HTTP/1.1\r\nHost: a\r\nX: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
        (post(1_000_000), "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
        (
            format!("{head}Transfer-Encoding: chunked\r\n\r\n"),
            "1\r\nx\r\n1\r\nx\r\n1\r\nx\r\n1\r\nx\r\n1\r\nx\r\n1\r\nx\r\n1\r\nx\r\n1\r\nx\r\n1\r\nx\r\n",
        ),
        (post(1_000_000), ""),
        ("POST / HTTP/1.1\r\nHost: a".to_owned(), ""),
    ];
    let port = bench.port;
    let clients: Vec<_> =
        slow.into_iter().map(|(start, rest)| thread::spawn(move || closed(port, &start, rest))).collect();
    // Idle connections, as many as the addresses of this machine allow.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut idle = Vec::new();
    runtime.block_on(async {
        for number in 0..ALL {
            let address = Ipv4Addr::new(127, 1, u8::try_from(number / OF_ONE).unwrap(), 1);
            let socket = tokio::net::TcpSocket::new_v4().unwrap();
            socket.bind((address, 0).into()).unwrap();
            idle.push(socket.connect((Ipv4Addr::LOCALHOST, port).into()).await.unwrap());
        }
    });
    // The hub closed what exceeds its limit at once, and the others when no header came; then it serves again.
    eventually("an answer to others", || bench.publish(&payload(0)) == Some(200));
    for stream in idle {
        let _context = runtime.enter();
        let mut stream = stream.into_std().unwrap();
        stream.set_nonblocking(false).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let read = stream.read(&mut [0]);
        let is_closed = match &read {
            Ok(count) => *count == 0,
            Err(error) => error.kind() == ErrorKind::ConnectionReset,
        };
        assert!(is_closed, "an idle connection is closed without an answer: {read:?}");
    }
    for client in clients {
        let answer = client.join().unwrap();
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
    }
    assert_eq!(hub.stop(), Some(0));
}

/// Sends a beginning, and then a byte a second, until the hub closes the connection. Returns its answer.
fn closed(port: u16, start: &str, rest: &str) -> String {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    stream.write_all(start.as_bytes()).unwrap();
    let mut reader = stream.try_clone().unwrap();
    let answer = thread::spawn(move || {
        let mut answer = Vec::new();
        let _ = reader.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    });
    for byte in rest.bytes() {
        if answer.is_finished() || stream.write_all(&[byte]).is_err() {
            break;
        }
        thread::sleep(Duration::from_secs(1));
    }
    answer.join().unwrap()
}

/// The status of an answer; 0 if there is none.
fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default()
}

/// The head of a payload for a topic.
fn head(bench: &Bench, topic: &str, more: &str, length: usize) -> String {
    format!(
        "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/xml\r\nLink: <{topic}>; rel=\"self\", <{}>; rel=\"hub\"\r\n\
         {more}Content-Length: {length}\r\n\r\n",
        bench.uri()
    )
}

/// A second topic, whose Source signs its payloads.
fn signed_topic(bench: &Bench) -> String {
    let secret = bench.folder.join("hmac");
    std::fs::write(&secret, SECRET).unwrap();
    let topic = format!("{}signed", bench.uri());
    bench.configure(&format!(
        "[[publisher]]\nname = \"signer\"\nhmac = \"file:{}\"\n\
         [[topic]]\nuri = \"{topic}\"\nkind = \"change-notification\"\npublishers = [\"signer\"]\n",
        secret.display()
    ));
    topic
}

const SECRET: &str = "a-secret-of-the-source-that-signs";

pub(crate) fn half_bodies_of_strangers_keep_no_source_waiting() {
    /// Connections, and the bytes that each sends of twice as many: together they leave nothing of 256 MiB.
    const CONNECTIONS: [(usize, usize); 5] = [(136, 2 << 20), (24, 256 << 10), (16, 32 << 10), (16, 4 << 10), (16, 1)];
    // A proxy on this machine has any number of connections; it names the client.
    let bench = Bench::with("strangers", &[], "trusted_proxies = [\"127.0.0.1\"]");
    let signed = signed_topic(&bench);
    let mut hub = bench.spawn(None);
    let stranger = "X-Forwarded-For: 198.51.100.7\r\n";
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    let half = vec![b'x'; 2 << 20];
    let mut held = Vec::new();
    for (number, size) in CONNECTIONS.iter().flat_map(|(count, size)| (0..*count).map(|number| (number, *size))) {
        if number == 0 {
            // A hub that reads bodies has read the longer ones by then, and refused those for which it has no memory.
            thread::sleep(Duration::from_millis(500));
        }
        let head = match number % 5 {
            0 => head(&bench, &bench.topic(), stranger, 2 * size),
            1 => head(&bench, &bench.topic(), &format!("{stranger}Authorization: Bearer guessed\r\n"), 2 * size),
            2 => head(&bench, "http://none.test/", stranger, 2 * size),
            3 if size <= 4 << 10 => {
                format!("POST / HTTP/1.1\r\nHost: a\r\n{stranger}{form}Content-Length: {}\r\n\r\n", 2 * size)
            }
            _ => head(&bench, &signed, &format!("{stranger}X-Hub-Signature: sha256=00\r\n"), 2 * size),
        };
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, bench.port)).unwrap();
        stream.set_write_timeout(Some(Duration::from_secs(5))).unwrap();
        // The hub may close it at any time.
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(&half[..size]);
        held.push(stream);
    }
    for number in 0..5 {
        assert_eq!(bench.publish(&payload(number)), Some(200), "payload {number}");
    }
    // Also one that signs, from another address.
    let body = payload(9);
    let signature = sign(Algorithm::Sha256, SECRET.as_bytes(), body.as_bytes());
    let more = format!("X-Forwarded-For: 203.0.113.5\r\nX-Hub-Signature: {signature}\r\nConnection: close\r\n");
    let answer = bench.raw((head(&bench, &signed, &more, body.len()) + &body).as_bytes()).unwrap();
    assert_eq!(status(&answer), 200, "{answer}");
    // And subscribers.
    assert_eq!(bench.subscribe("http://127.0.0.1:1/", None), 403);
    drop(held);
    assert_eq!(hub.stop(), Some(0));
}

pub(crate) fn a_refusal_reaches_a_client_that_sends_a_long_body() {
    let bench = Bench::new("refusal", &[]);
    let mut hub = bench.spawn(None);
    let long = "x".repeat(8 << 20);
    for (what, topic, more, length, expected) in [
        ("no token", bench.topic(), "", long.len(), 401),
        ("another token", bench.topic(), "Authorization: Bearer guessed\r\n", long.len(), 403),
        ("no topic", "http://none.test/".to_owned(), "", long.len(), 404),
        ("too long", bench.topic(), "Authorization: Bearer t0ken-of-the-source\r\n", long.len() + 9, 413),
    ] {
        let head = head(&bench, &topic, more, length);
        // As most clients do, everything is sent before the answer is read.
        let answer = bench.raw((head + &long + &"x".repeat(length - long.len())).as_bytes()).unwrap_or_default();
        assert_eq!(status(&answer), expected, "{what}: {answer}");
    }
    // A client that waits for permission is not asked for the body.
    let head = head(&bench, &bench.topic(), "Expect: 100-continue\r\n", long.len());
    let answer = bench.raw(head.as_bytes()).unwrap();
    assert!(answer.starts_with("HTTP/1.1 401") && !answer.contains("100 Continue"), "{answer}");
    assert_eq!(hub.stop(), Some(0));
}

pub(crate) fn requests_name_exactly_one_host() {
    let bench = Bench::new("hosts", &[]);
    let hub = bench.start(None);
    let Some(AdminAddress::Unix(admin)) = hub.admin().cloned() else { panic!("not a socket") };
    let administered = |request: &str| -> u16 {
        let mut stream = std::os::unix::net::UnixStream::connect(&admin).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        status(&String::from_utf8_lossy(&answer))
    };
    let listens = CallbackServer::start(
        (Ipv4Addr::LOCALHOST, 0).into(),
        Limits::default(),
        Box::new(|happening| {
            if let Happening::Arrived(arrival) = happening {
                let (_, responder) = arrival.take();
                responder.reply(Reply { status: 200, ..Reply::default() });
            }
            true
        }),
    );
    let listens = listens.unwrap();
    let listened = |request: &str| -> u16 {
        let mut stream = TcpStream::connect(listens.address()).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        status(&String::from_utf8_lossy(&answer))
    };
    for (what, version, hosts, is_good) in [
        ("none", "1.1", "", false),
        ("two", "1.1", "Host: localhost\r\nHost: localhost\r\n", false),
        ("two that differ", "1.1", "Host: localhost\r\nHost: other.example\r\n", false),
        ("a blank", "1.1", "Host: a b\r\n", false),
        ("a list", "1.1", "Host: localhost, localhost\r\n", false),
        ("a path", "1.1", "Host: localhost/x\r\n", false),
        ("a user", "1.1", "Host: me@localhost\r\n", false),
        ("a wrong port", "1.1", "Host: localhost:http\r\n", false),
        ("nothing in it", "1.1", "Host:\r\n", false),
        ("two of an old client", "1.0", "Host: localhost\r\nHost: localhost\r\n", false),
        ("one", "1.1", "Host: localhost\r\n", true),
        ("one with a port", "1.1", "Host: localhost:8080\r\n", true),
        ("an address", "1.1", "Host: [::1]:8080\r\n", true),
    ] {
        let get = |path: &str| format!("GET {path} HTTP/{version}\r\n{hosts}Connection: close\r\n\r\n");
        let found = (
            bench.raw(get("/changes").as_bytes()).map_or(0, |answer| status(&answer)),
            administered(&get("/health")),
            listened(&get("/any")),
        );
        assert_eq!(found, if is_good { (200, 200, 200) } else { (400, 400, 400) }, "{what}");
    }
    // Old clients need none.
    assert_eq!(status(&bench.raw(b"GET /changes HTTP/1.0\r\n\r\n").unwrap()), 200);
    hub.stop();
}

pub(crate) fn encoded_bodies_are_refused() {
    let bench = Bench::new("encoded", &[]);
    let hub = bench.start(None);
    let body = payload(0);
    let token = "Authorization: Bearer t0ken-of-the-source\r\nConnection: close\r\n";
    for encoding in ["gzip", "GZIP", "br", "identity, gzip"] {
        let head = head(&bench, &bench.topic(), &format!("{token}Content-Encoding: {encoding}\r\n"), body.len());
        let answer = bench.raw((head + &body).as_bytes()).unwrap();
        assert_eq!(status(&answer), 415, "{encoding}: {answer}");
        assert!(
            answer.contains("content-encoding:") && answer.to_lowercase().contains("accept-encoding: identity"),
            "{answer}"
        );
    }
    let form = "hub.mode=subscribe";
    let request = format!(
        "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Encoding: gzip\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: {}\r\n\r\n{form}",
        form.len()
    );
    assert_eq!(status(&bench.raw(request.as_bytes()).unwrap()), 415);
    let head = head(&bench, &bench.topic(), &format!("{token}Content-Encoding: identity\r\n"), body.len());
    assert_eq!(status(&bench.raw((head + &body).as_bytes()).unwrap()), 200);
    hub.stop();
}
