//! A Source on a server, a hub that a test controls, and processes.

use std::{
    fs,
    io::{Read, Write},
    net::{Ipv4Addr, TcpStream},
    process::{Child, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use resourcesync_notify::{
    form::Form,
    signature::{Algorithm, sign},
};
use resourcesync_tests::server::{Server, reply};
use serde_json::Value;

use crate::bench::Bench;

/// Long enough for a busy machine; no test passes by waiting for it.
const PATIENCE: Duration = Duration::from_secs(90);

/// Waits until it is true.
#[track_caller]
pub(super) fn eventually(what: &str, mut is_true: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_true() {
        assert!(begun.elapsed() < PATIENCE, "{what} did not happen");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Sends a request as a hub, and returns the status and everything else; `None` if nothing answered.
pub(super) fn raw(port: u16, bytes: &[u8]) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok()?;
    // The server may answer and close before it has read everything.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    Some((answer.split(' ').nth(1)?.parse().ok()?, answer))
}

/// A process that is killed when the test ends.
pub(super) struct Process(pub(super) Child);

impl Process {
    pub(super) fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// Sends SIGTERM, and returns the exit status.
    pub(super) fn stop(&mut self) -> Option<i32> {
        let sent = std::process::Command::new("kill").arg("-TERM").arg(self.0.id().to_string()).status().unwrap();
        assert!(sent.success());
        self.0.wait().unwrap().code()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Bench {
    /// Starts the command with its output appended to a file.
    pub(super) fn start(&self, args: &[&str], output: &str) -> Process {
        let file = fs::File::options().create(true).append(true).open(self.path(output)).unwrap();
        let mut command = self.command(args);
        Process(command.stdout(Stdio::from(file)).stderr(Stdio::inherit()).spawn().unwrap())
    }

    /// The lines of JSON in a file so far.
    pub(super) fn lines(&self, name: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.path(name)).unwrap_or_default();
        let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        whole.map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The events of a kind in a file so far.
    pub(super) fn events(&self, name: &str, event: &str) -> Vec<Value> {
        self.lines(name).into_iter().filter(|line| line["event"] == event).collect()
    }
}

/// A subscription at the hub of a test.
#[derive(Debug, Clone)]
pub(super) struct Subscription {
    pub(super) topic: String,
    /// The path of the callback.
    path: String,
    port: u16,
    secret: String,
}

impl Subscription {
    /// Delivers a payload, and returns the status.
    pub(super) fn deliver(&self, payload: &[u8]) -> Option<u16> {
        self.send(payload, &sign(Algorithm::Sha256, self.secret.as_bytes(), payload))
    }

    /// The same with another signature.
    pub(super) fn send(&self, payload: &[u8], signature: &str) -> Option<u16> {
        let Subscription { topic, path, .. } = self;
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/xml\r\n\
             Link: <{topic}>; rel=\"self\"\r\nX-Hub-Signature: {signature}\r\nContent-Length: {}\r\n\r\n",
            payload.len()
        );
        raw(self.port, &[head.as_bytes(), payload].concat()).map(|(status, _)| status)
    }

    /// Sends a delivery with these lines in its head, and returns the status.
    pub(super) fn post(&self, lines: &[String], payload: &[u8]) -> u16 {
        let head = format!(
            "POST {} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/xml\r\n{}Content-Length: {}\r\n\r\n",
            self.path,
            lines.iter().map(|line| format!("{line}\r\n")).collect::<String>(),
            payload.len()
        );
        raw(self.port, &[head.as_bytes(), payload].concat()).unwrap().0
    }

    /// The signature of a payload.
    pub(super) fn signed(&self, algorithm: Algorithm, payload: &[u8]) -> String {
        sign(algorithm, self.secret.as_bytes(), payload)
    }

    /// Sends a request of a hub to the callback with these fields, and returns the status and everything else.
    pub(super) fn ask(&self, ending: &str, fields: &[(&str, &str)]) -> (u16, String) {
        let query = Form::write(fields.iter().copied());
        let head =
            format!("GET {}{ending}?{query} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", self.path);
        raw(self.port, head.as_bytes()).unwrap()
    }

    /// Sends only the head of a delivery that declares this length.
    pub(super) fn declare(&self, length: usize) -> u16 {
        let head = format!("POST {} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {length}\r\n\r\n", self.path);
        raw(self.port, head.as_bytes()).unwrap().0
    }
}

#[derive(Default)]
pub(super) struct Kept {
    pub(super) subscriptions: Vec<Subscription>,
    /// Topics and payloads that a Source sent.
    pub(super) payloads: Vec<(String, Vec<u8>)>,
    /// Requests that are refused with this status.
    pub(super) refuses: Option<u16>,
}

/// A hub that stores what it gets, and delivers what the test tells it to.
pub(super) struct Hub {
    pub(super) server: Server,
    pub(super) kept: Arc<Mutex<Kept>>,
}

impl Hub {
    pub(super) fn new() -> Hub {
        let kept: Arc<Mutex<Kept>> = Arc::default();
        let own = kept.clone();
        let server = Server::new(move |asked, stream| {
            let host = asked.header("host").unwrap_or_default();
            let is_form = asked.header("content-type").is_some_and(|value| value.contains("form"));
            let refuses = own.lock().unwrap().refuses;
            match (asked.method.as_str(), refuses) {
                ("POST", Some(status)) => reply(stream, &format!("{status} Refused"), &[], b"unknown-topic: none"),
                ("POST", None) if is_form => {
                    let form = Form::read(&asked.body).unwrap();
                    let field = |name: &str| form.last(name).unwrap_or_default().to_owned();
                    let (mode, topic, secret) = (field("hub.mode"), field("hub.topic"), field("hub.secret"));
                    let callback = field("hub.callback");
                    let (place, path) = callback.strip_prefix("http://").unwrap().split_once('/').unwrap();
                    let port = place.rsplit_once(':').unwrap().1.parse().unwrap();
                    let subscription = Subscription { topic, path: format!("/{path}"), port, secret };
                    let own = own.clone();
                    // The subscriber may answer only after it has the response to its request.
                    thread::spawn(move || verify(&own, subscription, &mode));
                    reply(stream, "202 Accepted", &[], b"")
                }
                ("POST", None) => {
                    let link = asked.header("link").unwrap_or_default();
                    let topic = link.split(';').next().unwrap_or_default().trim_matches(['<', '>']).to_owned();
                    own.lock().unwrap().payloads.push((topic, asked.body.clone()));
                    reply(stream, "200 OK", &[], b"")
                }
                _ => {
                    let links =
                        format!("Link: <http://{host}{}>; rel=\"self\", <http://{host}/>; rel=\"hub\"", asked.path);
                    let body = if asked.method == "HEAD" { "" } else { EMPTY };
                    reply(stream, "200 OK", &["Content-Type: application/xml", &links], body.as_bytes())
                }
            }
        });
        Hub { server, kept }
    }

    pub(super) fn url(&self, path: &str) -> String {
        self.server.url(path)
    }

    /// The confirmed subscriptions to a topic.
    pub(super) fn subscriptions(&self, topic: &str) -> Vec<Subscription> {
        let kept = self.kept.lock().unwrap();
        kept.subscriptions.iter().filter(|own| own.topic.ends_with(topic)).cloned().collect()
    }

    /// Waits for the subscription to a topic.
    #[track_caller]
    pub(super) fn subscription(&self, topic: &str) -> Subscription {
        eventually("a subscription", || !self.subscriptions(topic).is_empty());
        self.subscriptions(topic).pop().unwrap()
    }
}

/// Verifies the intent of a request; it changes the subscriptions if it is confirmed.
fn verify(kept: &Mutex<Kept>, subscription: Subscription, mode: &str) {
    let query = Form::write([
        ("hub.mode", mode),
        ("hub.topic", &*subscription.topic),
        ("hub.challenge", "a-challenge"),
        ("hub.lease_seconds", "86400"),
    ]);
    let head = format!("GET {}?{query} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", subscription.path);
    let Some((200, answer)) = raw(subscription.port, head.as_bytes()) else { return };
    assert!(answer.ends_with("\r\n\r\na-challenge"), "{answer}");
    assert!(answer.to_ascii_lowercase().contains("x-content-type-options: nosniff"), "{answer}");
    let subscriptions = &mut kept.lock().unwrap().subscriptions;
    subscriptions.retain(|own| own.path != subscription.path);
    if mode == "subscribe" {
        subscriptions.push(subscription);
    }
}

/// A topic before the first notification.
pub(super) const EMPTY: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:md capability="change-notification" from="2026-01-01T00:00:00Z" until="2026-01-01T00:00:00Z"/>
</urlset>"#;

/// The notification of the interval with this number.
pub(super) fn payload(number: u32) -> String {
    let moment = |number: u32| format!("2026-01-01T{:02}:{:02}:00Z", number / 60, number % 60);
    let (from, until) = (moment(number), moment(number + 1));
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:md capability="change-notification" from="{from}" until="{until}"/>
<url><loc>http://a.example/{number}</loc><rs:md change="created" datetime="{from}"/></url>
</urlset>"#
    )
}
