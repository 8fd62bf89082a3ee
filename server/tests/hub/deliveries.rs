//! Deliveries to several subscribers, and what the operator sees of them.

use std::{
    collections::BTreeMap,
    io::{self, Read, Write},
    net::TcpStream,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use resourcesync_notify::{
    exchange::{Answer, Body, Headers, Outgoing, Request, USER_AGENT},
    moment::{Moment, Timestamp},
    payload::Payload,
    subscriber::{Input, Options, Output, Subscriber},
};
use resourcesync_tests::server::{Asked, Server, reply};

use crate::bench::{Bench, Receiver, TOKEN, eventually, payload};

/// A subscriber of the library behind a callback.
#[derive(Clone)]
struct Destination {
    machine: Arc<Mutex<Option<Subscriber>>>,
    notified: Arc<Mutex<Vec<Payload>>>,
    found: Arc<Mutex<Vec<&'static str>>>,
    ids: Arc<AtomicU64>,
}

impl Destination {
    fn new() -> (Destination, Server) {
        let own = Destination {
            machine: Arc::default(),
            notified: Arc::default(),
            found: Arc::default(),
            ids: Arc::default(),
        };
        let other = own.clone();
        let server = Server::new(move |asked, stream| {
            let (path, query) = asked.path.split_once('?').unwrap_or((&asked.path, ""));
            let names = ["content-type", "link", "x-hub-signature"];
            let fields = names.iter().filter_map(|name| Some((*name, asked.header(name)?)));
            let request = Request {
                method: asked.method.clone(),
                path: path.to_owned(),
                query: query.as_bytes().to_vec(),
                headers: fields.collect::<Headers>(),
                body: Body::Whole(asked.body.clone()),
            };
            let id = other.ids.fetch_add(1, Ordering::SeqCst);
            let mut answered = None;
            for output in other.handle(Input::Request { id, request }) {
                if let Output::Reply { reply, .. } = output {
                    answered = Some(reply);
                }
            }
            let answered = answered.unwrap();
            reply(stream, &format!("{} Status", answered.status), &[], &answered.body)
        });
        let mut options = Options::new(&server.url("/rs/")).unwrap();
        options.allow_http = true;
        *own.machine.lock().unwrap() = Some(Subscriber::new(options));
        (own, server)
    }

    fn handle(&self, input: Input) -> Vec<Output> {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let now = Timestamp::from_millis(now.as_millis().try_into().unwrap());
        let ids = &self.ids;
        let mut random = |bytes: &mut [u8]| {
            bytes.fill_with(|| (ids.fetch_add(1, Ordering::SeqCst) * 37 % 251) as u8);
        };
        let outputs =
            self.machine.lock().unwrap().as_mut().unwrap().handle(&mut Moment { now, random: &mut random }, input);
        for output in &outputs {
            match output {
                Output::Notified(notice) => self.notified.lock().unwrap().push(notice.payload.clone()),
                Output::Found(found) => self.found.lock().unwrap().push(found.code.as_str()),
                _ => {}
            }
        }
        outputs
    }

    /// Follows a topic, with all requests that this needs.
    fn follow(&self, topic: &str) {
        let mut outputs = self.handle(Input::Follow { uri: topic.to_owned() });
        while let Some(output) = outputs.pop() {
            if let Output::Send { id, request } = output {
                outputs.extend(self.handle(Input::Answered { id, answer: perform(&request) }));
            }
        }
    }
}

/// Performs a request of a subscriber.
fn perform(request: &Outgoing) -> Answer {
    let (place, path) = request.uri.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(place).unwrap();
    let mut head = format!("{} /{path} HTTP/1.1\r\nHost: {place}\r\nConnection: close\r\n", request.method.as_str());
    for (name, value) in request.headers.iter() {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("Content-Length: {}\r\n\r\n", request.body.len()));
    stream.write_all(&[head.as_bytes(), &request.body].concat()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers = lines.map(|line| line.split_once(": ").unwrap()).collect::<Headers>();
    Answer { status, headers, body: body.as_bytes().to_vec() }
}

pub(crate) fn three_subscribers_receive_what_a_source_sends() {
    let destinations: Vec<(Destination, Server)> = (0..3).map(|_| Destination::new()).collect();
    let allow: Vec<String> = destinations.iter().map(|(_, server)| server.place()).collect();
    let bench = Bench::new("three", &allow);
    let hub = bench.start(None);
    let list = format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:rs=\"http://www.openarchives.org/rs/terms/\">\
         <rs:ln rel=\"up\" href=\"https://example.com/.well-known/resourcesync\"/><rs:md capability=\"capabilitylist\"/>\
         <url><loc>{}</loc><rs:ln rel=\"hub\" href=\"http://127.0.0.1:{}/\"/><rs:md capability=\"change-notification\"/></url></urlset>",
        bench.topic(),
        bench.port
    );
    // The end of the response is the end of the connection.
    let source = Server::new(move |_, stream| {
        reply(stream, "200 OK", &["Content-Type: application/xml"], list.as_bytes())?;
        Err(std::io::ErrorKind::ConnectionAborted.into())
    });
    for (destination, _) in &destinations {
        destination.follow(&source.url("/capabilitylist.xml"));
    }
    eventually("three subscriptions", || bench.number("subscriptions") == 3);
    for number in 0..5 {
        assert_eq!(bench.publish(&payload(number)), Some(200));
    }
    // Again, as a Source does that did not see the answer.
    assert_eq!(bench.publish(&payload(4)), Some(200));
    let link = format!("<{}>; rel=\"self\", <http://127.0.0.1:{}/>; rel=\"hub\"", bench.topic(), bench.port);
    for (destination, server) in &destinations {
        eventually("five notifications", || destination.notified.lock().unwrap().len() == 5);
        let texts: Vec<String> = destination.notified.lock().unwrap().iter().map(|own| own.text().to_owned()).collect();
        assert_eq!(texts, (0..5).map(payload).collect::<Vec<_>>());
        assert_eq!(*destination.found.lock().unwrap(), Vec::<&str>::new());
        for asked in server.seen().iter().filter(|asked| asked.method == "POST") {
            assert_eq!((asked.header("link"), asked.header("content-type")), (Some(&*link), Some("application/xml")));
            assert!(asked.header("x-hub-signature").is_some());
            assert_eq!(asked.header("user-agent"), Some(USER_AGENT));
        }
    }
    hub.stop();
}

pub(crate) fn a_slow_and_a_dead_callback_delay_nobody() {
    let healthy = Receiver::new(None);
    let confirm = |asked: &Asked, stream: &mut TcpStream| {
        let challenge = asked.path.split("hub.challenge=").nth(1).unwrap().split('&').next().unwrap();
        reply(stream, "200 OK", &[], challenge.as_bytes())
    };
    // It never answers.
    let silent = Server::new(move |asked, stream| match asked.method.as_str() {
        "GET" => confirm(asked, stream),
        _ => {
            thread::sleep(Duration::from_secs(40));
            Ok(())
        }
    });
    // It ends each connection. The port of a server that is gone might get one of another test.
    let dead = Server::new(move |asked, stream| match asked.method.as_str() {
        "GET" => confirm(asked, stream),
        _ => Err(io::ErrorKind::ConnectionReset.into()),
    });
    let dead_place = dead.place();
    let bench = Bench::new("slow", &[healthy.server.place(), silent.place(), dead_place.clone()]);
    let hub = bench.start(None);
    for number in 0..9 {
        assert_eq!(bench.subscribe(&silent.url(&format!("/{number}")), None), 202);
    }
    for number in 0..9 {
        assert_eq!(bench.subscribe(&dead.url(&format!("/{number}")), None), 202);
    }
    assert_eq!(bench.subscribe(&healthy.server.url("/"), None), 202);
    eventually("all subscriptions", || bench.number("subscriptions") == 19);
    for number in 0..20 {
        assert_eq!(bench.publish(&payload(number)), Some(200));
    }
    eventually("all payloads at the healthy callback", || healthy.received().len() == 20);
    assert_eq!(healthy.received(), (0..20).map(payload).collect::<Vec<_>>());
    eventually("a failing subscription", || {
        let (status, failures) = bench.admin("GET", "/admin/v1/failures", "");
        status == 200 && failures.contains(&dead_place)
    });
    // Exchanges with the silent callback are not waited for.
    drop(hub);
}

pub(crate) fn the_operator_sees_topics_subscriptions_and_failures() {
    let receiver = Receiver::new(Some("s3cret"));
    let bench = Bench::new("operator", &[receiver.server.place()]);
    let hub = bench.start(None);
    assert_eq!(bench.subscribe(&receiver.server.url("/private/path"), Some("s3cret")), 202);
    eventually("a subscription", || bench.number("subscriptions") == 1);
    assert_eq!(bench.publish(&payload(0)), Some(200));
    eventually("a delivery", || receiver.received().len() == 1);
    let value = |path: &str| -> serde_json::Value {
        let (status, body) = bench.admin("GET", path, "");
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    };
    let topics = value("/admin/v1/topics");
    assert_eq!((&topics["topics"][0]["last"], &topics["topics"][0]["subscriptions"]), (&1.into(), &1.into()));
    let own = &value("/admin/v1/subscriptions")["subscriptions"][0];
    assert!(!own["callback"].as_str().unwrap().contains("private") && own["signed"] == true, "{own}");
    let revealed = value("/admin/v1/subscriptions?reveal=true");
    assert_eq!(revealed["subscriptions"][0]["callback"], receiver.server.url("/private/path"));
    let id = own["id"].as_u64().unwrap();
    let target = format!("{{\"target\": {{\"subscription\": {id}}}, \"from\": 1}}");
    assert_eq!(bench.admin("POST", "/admin/v1/replay", &target), (200, "{\"done\":1}".to_owned()));
    eventually("a replay", || receiver.received().len() == 2);
    assert_eq!(bench.admin("POST", "/admin/v1/pause", "{}").0, 200);
    assert_eq!(bench.publish(&payload(1)), Some(200));
    let deny = format!("{{\"target\": {{\"subscription\": {id}}}, \"reason\": \"by request\"}}");
    assert_eq!(bench.admin("POST", "/admin/v1/deny", &deny).0, 200);
    let failures = value("/admin/v1/failures");
    assert_eq!(failures["deadLetters"][0]["reason"], "denied");
    eventually("a denial", || receiver.server.paths().iter().any(|path| path.contains("hub.mode=denied")));
    for (path, status) in [("/admin/v1/replay", 404), ("/admin/v1/none", 404), ("/admin/v1/prune", 400)] {
        assert_eq!(bench.admin("POST", path, "{\"target\": {\"subscription\": 99}, \"from\": 1}").0, status, "{path}");
    }
    assert_eq!((bench.admin("GET", "/ready", "").0, bench.admin("GET", "/health", "").0), (200, 200));
    hub.stop();
}

pub(crate) fn secrets_appear_nowhere() {
    let receiver = Receiver::new(Some("s3cret-of-the-subscriber"));
    let bench = Bench::with("secrets", &[receiver.server.place()], "log = \"json\"");
    let mut hub = bench.spawn(None);
    assert_eq!(bench.subscribe(&receiver.server.url("/capability-url"), Some("s3cret-of-the-subscriber")), 202);
    eventually("a subscription", || bench.number("subscriptions") == 1);
    assert_eq!(bench.publish(&payload(0)), Some(200));
    assert_eq!(bench.publish("no XML"), Some(422));
    eventually("a delivery", || receiver.received().len() == 1);
    let mut shown = BTreeMap::new();
    for path in ["/admin/v1/status", "/admin/v1/topics", "/admin/v1/subscriptions", "/admin/v1/failures", "/metrics"] {
        shown.insert(path, bench.admin("GET", path, "").1);
    }
    assert!(shown["/metrics"].contains("hub_deliveries_total{result=\"delivered\"} 1"), "{shown:?}");
    assert_eq!(hub.stop(), Some(0));
    shown.insert("log", bench.log());
    assert!(shown["log"].contains("\"event\":\"delivered\""), "{}", shown["log"]);
    for (place, text) in shown {
        for secret in ["s3cret-of-the-subscriber", TOKEN, "capability-url"] {
            assert!(!text.contains(secret), "{place}: {text}");
        }
    }
    #[cfg(unix)]
    for file in ["hub.sqlite", "hub.sqlite.lock"] {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(bench.folder.join(file)).unwrap().permissions().mode() & 0o777, 0o600, "{file}");
    }
}
