//! The state machines of notifications, driven by a script: their stored state is complete, and their guarantees
//! hold.

use std::collections::{BTreeMap, BTreeSet};

use resourcesync_notify::{
    exchange::{Answer, Headers, Outgoing, Request},
    form::Form,
    moment::{Moment, Timestamp},
    payload::{Channel, Payload},
    publisher::{self, Publisher},
    signature::{Algorithm, sign},
    state::{Keep, State},
    subscriber::{self, Subscriber},
    topic::Topic,
};

/// A script: each step takes a few bytes.
struct Script<'a>(&'a [u8]);

impl Script<'_> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[usize::from(self.byte()) % from.len()]
    }
}

/// The first byte chooses the machine.
pub fn notify_machine(data: &[u8]) {
    let mut script = Script(data);
    if script.byte() & 1 == 0 { subscribe(script) } else { publish(script) }
}

const START: i64 = 1_795_251_600;

fn notification(from: u8, until: u8, name: u8) -> String {
    format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:rs=\"http://www.openarchives.org/rs/terms/\">\
         <rs:md capability=\"change-notification\" from=\"2026-11-21T09:{:02}:00Z\" until=\"2026-11-21T09:{:02}:00Z\"/>\
         <url><loc>https://example.com/{name}</loc><rs:md change=\"updated\" datetime=\"2026-11-21T09:{:02}:00Z\"/></url></urlset>",
        from % 60,
        until % 60,
        from % 60,
    )
}

fn capabilities(hub: &str) -> String {
    format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:rs=\"http://www.openarchives.org/rs/terms/\">\
         <rs:ln rel=\"up\" href=\"https://example.com/sd\"/><rs:md capability=\"capabilitylist\"/>\
         <url><loc>https://example.com/changes</loc><rs:md capability=\"change-notification\"/><rs:ln rel=\"hub\" href=\"{hub}\"/></url>\
         <url><loc>https://example.com/framework</loc><rs:md capability=\"framework-notification\"/><rs:ln rel=\"hub\" href=\"{hub}\"/></url>\
         </urlset>"
    )
}

const URIS: [&str; 4] =
    ["https://example.com/", "https://example.com/capabilitylist.xml", "https://example.com/changes", "not a uri"];
const HUBS: [&str; 3] = ["https://hub.example/", "http://plain.example/", "https://other.example/"];
const STATUSES: [u16; 14] = [200, 200, 202, 202, 204, 301, 307, 308, 403, 404, 405, 429, 500, 99];

/// The state outside of the subscriber.
struct World {
    now: i64,
    random: u8,
    state: State,
    open: BTreeMap<u64, Outgoing>,
    /// Secrets that were sent, by the path of their callback.
    secrets: BTreeMap<String, BTreeSet<String>>,
    requests: u64,
}

impl World {
    fn options() -> subscriber::Options {
        subscriber::Options::new("https://me.example/rs/").expect("a callback")
    }

    fn handle(&mut self, subscriber: &mut Subscriber, input: subscriber::Input) -> Vec<subscriber::Output> {
        let random = &mut self.random;
        let mut fill = |bytes: &mut [u8]| {
            for byte in bytes {
                *byte = *random;
                *random = random.wrapping_add(1);
            }
        };
        subscriber.handle(&mut Moment { now: Timestamp::from_seconds(self.now), random: &mut fill }, input)
    }

    fn take(&mut self, subscriber: &mut Subscriber, input: subscriber::Input) {
        let requested = match &input {
            subscriber::Input::Request { id, .. } => Some(*id),
            _ => None,
        };
        let outputs = self.handle(subscriber, input);
        let (mut replies, mut is_kept) = (Vec::new(), false);
        for output in outputs {
            assert!(!is_kept || !matches!(output, subscriber::Output::Keep(_)), "what is kept comes first");
            is_kept |= !matches!(output, subscriber::Output::Keep(_));
            match output {
                subscriber::Output::Keep(keep) => keep.apply(&mut self.state),
                subscriber::Output::Send { id, request } => {
                    let form = Form::read(&request.body).expect("a form");
                    if let Some((callback, secret)) = form.last("hub.callback").zip(form.last("hub.secret")) {
                        assert!(request.uri.starts_with("https:"), "a secret needs TLS");
                        let path = callback.trim_start_matches("https://me.example").to_owned();
                        self.secrets.entry(path).or_default().insert(secret.to_owned());
                    }
                    assert!(self.open.insert(id, request).is_none());
                }
                subscriber::Output::Reply { id, .. } => replies.push(id),
                subscriber::Output::Wait { until } => assert!(until >= Timestamp::from_seconds(self.now)),
                _ => {}
            }
        }
        assert_eq!(replies, requested.into_iter().collect::<Vec<_>>());
        assert!(self.open.len() < 100 && self.state.len() < 200);
    }

    fn paths(&self) -> Vec<String> {
        let tokens = self.state.keys().filter_map(|key| key.strip_prefix("channel:"));
        tokens.map(|token| format!("/rs/{token}")).chain(["/rs/unknown".to_owned()]).collect()
    }
}

fn subscribe(mut script: Script<'_>) {
    let mut subscriber = Subscriber::new(World::options());
    let mut world = World {
        now: START,
        random: 0,
        state: State::new(),
        open: BTreeMap::new(),
        secrets: BTreeMap::new(),
        requests: 0,
    };
    for _ in 0..200 {
        if script.0.is_empty() {
            return;
        }
        let step = script.byte();
        let input = match step % 10 {
            0 => subscriber::Input::Follow { uri: (*script.pick(&URIS)).to_owned() },
            1 if step > 200 => subscriber::Input::Unfollow { uri: (*script.pick(&URIS)).to_owned() },
            2 if step > 200 => {
                let paths = world.paths();
                subscriber::Input::Rotate { channel: script.pick(&paths).trim_start_matches("/rs/").to_owned() }
            }
            1..=3 => {
                let ids: Vec<u64> = world.open.keys().copied().chain([0]).collect();
                let id = *script.pick(&ids);
                let request = world.open.remove(&id);
                let status = *script.pick(&STATUSES);
                let hub = *script.pick(&HUBS);
                let is_topic = request
                    .is_some_and(|request| request.uri.ends_with("/changes") || request.uri.ends_with("/framework"));
                let headers =
                    Headers::default().with("Location", "https://example.com/elsewhere").with("Retry-After", "99");
                let (headers, body) = if is_topic {
                    (headers.with("Link", format!("<{hub}>; rel=hub, <>; rel=\"self\"")), String::new())
                } else {
                    (headers, capabilities(hub))
                };
                subscriber::Input::Answered { id, answer: Answer { status, headers, body: body.into_bytes() } }
            }
            4 => {
                let ids: Vec<u64> = world.open.keys().copied().chain([0]).collect();
                let id = *script.pick(&ids);
                world.open.remove(&id);
                subscriber::Input::Failed { id, reason: resourcesync::diagnostic::Reason::other("no connection") }
            }
            5 => {
                let paths = world.paths();
                let (path, mode) =
                    (script.pick(&paths).clone(), *script.pick(&["subscribe", "subscribe", "unsubscribe", "denied"]));
                let topic = *script.pick(&["https://example.com/changes", "https://example.com/framework"]);
                let query = Form::write([
                    ("hub.mode", mode),
                    ("hub.topic", topic),
                    ("hub.challenge", "c"),
                    ("hub.lease_seconds", "3600"),
                ]);
                world.requests += 1;
                let request = Request { method: "GET".into(), path, query: query.into_bytes(), ..Request::default() };
                subscriber::Input::Request { id: world.requests, request }
            }
            6 | 7 => {
                let paths = world.paths();
                let path = script.pick(&paths).clone();
                let secrets: Vec<String> =
                    world.secrets.get(&path).into_iter().flatten().cloned().chain(["none".to_owned()]).collect();
                let secret = script.pick(&secrets).clone();
                let (from, length, name) = (script.byte() % 30, script.byte() % 4, script.byte() % 3);
                let body = notification(from, from + length, name).into_bytes();
                let headers =
                    Headers::default().with("X-Hub-Signature", sign(Algorithm::Sha256, secret.as_bytes(), &body));
                world.requests += 1;
                let body = resourcesync_notify::exchange::Body::Whole(body);
                subscriber::Input::Request {
                    id: world.requests,
                    request: Request { method: "POST".into(), path, headers, body, ..Request::default() },
                }
            }
            8 => {
                subscriber::Input::Pulled { set: "https://example.com/capabilitylist.xml".into(), is_news: step > 128 }
            }
            _ => {
                world.now += [1, 30, 61, 601, 4_000, 90_000, 700_000][usize::from(script.byte()) % 7];
                subscriber::Input::Tick
            }
        };
        world.take(&mut subscriber, input);
        // The stored values are sufficient to reply to requests.
        let mut restored =
            Subscriber::restore(World::options(), world.state.clone()).expect("what is kept can be read");
        if step % 16 == 15 {
            world.open.clear();
            subscriber = restored;
            continue;
        }
        let paths = world.paths();
        let body = notification(script.0.len() as u8 % 30, 31, 0).into_bytes();
        let path = paths[0].clone();
        let secret = world.secrets.get(&path).and_then(|secrets| secrets.last()).cloned().unwrap_or_default();
        let headers = Headers::default().with("X-Hub-Signature", sign(Algorithm::Sha256, secret.as_bytes(), &body));
        let request = Request {
            method: "POST".into(),
            path,
            headers,
            body: resourcesync_notify::exchange::Body::Whole(body),
            ..Request::default()
        };
        let random = world.random;
        let mut ask = |subscriber: &mut Subscriber| {
            world.random = random;
            let mut outputs = world.handle(subscriber, subscriber::Input::Request { id: 0, request: request.clone() });
            // Searches in progress are not stored.
            outputs.retain(|output| !matches!(output, subscriber::Output::Wait { .. }));
            outputs
        };
        assert_eq!(ask(&mut subscriber.clone()), ask(&mut restored));
        world.random = random;
    }
}

fn publish(mut script: Script<'_>) {
    let mut publisher = Publisher::new(publisher::Options::default());
    let (mut now, mut state, mut minute) = (START, State::new(), 0_u8);
    let mut open: BTreeMap<u64, (String, String)> = BTreeMap::new();
    // The order of payloads by topic, and the progress of each hub.
    let mut published: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut sent: BTreeMap<(String, String), usize> = BTreeMap::new();
    for _ in 0..200 {
        if script.0.is_empty() {
            return;
        }
        let step = script.byte();
        let input = match step % 8 {
            0 | 1 => {
                let uri = (*script.pick(&["https://example.com/a", "https://example.com/b"])).to_owned();
                let hubs = HUBS[..1 + usize::from(script.byte()) % 3].iter().map(|hub| (*hub).to_owned()).collect();
                minute = (minute + 1) % 58;
                let text = notification(minute, minute + 1, step);
                let payload =
                    Payload::read(text.into_bytes(), Channel::ChangeNotification).expect("a valid notification");
                let known = published.entry(uri.clone()).or_default();
                if !known.contains(&payload.digest().to_owned()) {
                    known.push(payload.digest().to_owned());
                }
                publisher::Input::Publish { topic: Topic { uri, hubs, capability_list: None }, payload }
            }
            2..=4 => {
                let ids: Vec<u64> = open.keys().copied().chain([0]).collect();
                let id = *script.pick(&ids);
                open.remove(&id);
                let headers = Headers::default().with("Retry-After", "7");
                publisher::Input::Answered {
                    id,
                    answer: Answer { status: *script.pick(&STATUSES), headers, body: b"because\n".to_vec() },
                }
            }
            5 => {
                let ids: Vec<u64> = open.keys().copied().chain([0]).collect();
                let id = *script.pick(&ids);
                open.remove(&id);
                publisher::Input::Failed { id, reason: resourcesync::diagnostic::Reason::other("no connection") }
            }
            6 => publisher::Input::Retry { payload: u64::from(script.byte() % 8) },
            _ => {
                now += i64::from(script.byte()) * 20;
                publisher::Input::Tick
            }
        };
        let mut fill = |bytes: &mut [u8]| bytes.fill(step);
        let outputs = publisher.handle(&mut Moment { now: Timestamp::from_seconds(now), random: &mut fill }, input);
        let mut is_kept = false;
        for output in outputs {
            assert!(!is_kept || !matches!(output, publisher::Output::Keep(Keep { .. })), "what is kept comes first");
            is_kept |= !matches!(output, publisher::Output::Keep(_));
            match output {
                publisher::Output::Keep(keep) => keep.apply(&mut state),
                publisher::Output::Send { id, request } => {
                    let topic = request
                        .headers
                        .first("Link")
                        .and_then(|links| links.split(['<', '>']).nth(1))
                        .expect("a topic")
                        .to_owned();
                    let way = (topic, request.uri);
                    assert!(!open.values().any(|own| *own == way), "a hub gets the payloads of a topic one by one");
                    open.insert(id, way);
                }
                publisher::Output::Sent { delivery, .. } => {
                    let at = published[&delivery.topic]
                        .iter()
                        .position(|digest| *digest == delivery.digest)
                        .expect("a payload");
                    let last = sent.entry((delivery.topic, delivery.hub)).or_default();
                    assert!(at + 1 > *last, "payloads are accepted in their order, and once");
                    *last = at + 1;
                }
                publisher::Output::Wait { until } => assert!(until >= Timestamp::from_seconds(now)),
                _ => {}
            }
        }
        if step % 16 == 15 {
            open.clear();
            publisher =
                Publisher::restore(publisher::Options::default(), state.clone()).expect("what is kept can be read");
        }
    }
}
