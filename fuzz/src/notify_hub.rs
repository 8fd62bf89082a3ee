//! A hub, driven by a script: every request has one reply, what it accepts is recorded, and deliveries go in order to confirmed callbacks.

use std::collections::{BTreeMap, BTreeSet};

use resourcesync_notify::{
    exchange::{Answer, Headers, Intake, Request},
    form::{self, Form},
    hub::{Credential, Exchange, Hub, Input, Ledger, MemoryLedger, Options, Outbound, Output, Publisher, Secret},
    moment::{Moment, Timestamp},
    payload::Channel,
    signature::{Algorithm, sign},
};

const HUB: &str = "https://hub.example/";
const TOPIC: &str = "https://hub.example/t/changes";
const SECRET: &str = "s3cret-of-the-source";
const START: i64 = 1_795_251_600;
/// Separates the steps of a script.
const STEP: u8 = 0x1e;
const STATUSES: [u16; 12] = [200, 200, 204, 201, 301, 404, 410, 413, 422, 429, 500, 503];
const WAITS: [i64; 8] = [0, 1, 10, 61, 301, 7_200, 90_000, 864_001];

fn options() -> Options {
    let mut options = Options::new(HUB).expect("a hub");
    options.publishers.push(Publisher { name: "a".into(), credential: Credential::Hmac(Secret(SECRET.into())) });
    options.add_topic(TOPIC, Channel::ChangeNotification, vec!["a".into()], true, false).expect("a topic");
    options
}

struct World {
    hub: Hub,
    ledger: MemoryLedger,
    now: i64,
    random: u8,
    requests: u64,
    open: Vec<(Exchange, Outbound)>,
    /// Callbacks that returned the challenge of the last request for them.
    confirmed: BTreeSet<String>,
    /// The last payload delivered with success, by subscription.
    delivered: BTreeMap<u64, u64>,
}

impl World {
    fn handle(&mut self, input: Input) -> Vec<Output> {
        let random = &mut self.random;
        let mut fill = |bytes: &mut [u8]| {
            for byte in bytes {
                *byte = *random;
                *random = random.wrapping_add(1);
            }
        };
        let mut moment = Moment { now: Timestamp::from_seconds(self.now), random: &mut fill };
        let Ok(outputs) = self.hub.handle(&mut moment, input, &mut self.ledger);
        outputs
    }

    fn take(&mut self, input: Input) {
        let request = match &input {
            Input::Request { id, .. } => Some(*id),
            _ => None,
        };
        let outputs = self.handle(input);
        let mut replies = Vec::new();
        for output in outputs {
            match output {
                Output::Reply { id, reply } => replies.push((id, reply.status)),
                Output::Send { exchange, request } => {
                    if let Exchange::Delivery { subscription, seq } = exchange {
                        assert!(self.confirmed.contains(&*request.uri), "{} never confirmed", request.uri);
                        let last = self.delivered.get(&subscription).copied().unwrap_or(0);
                        assert!(seq > last, "payload {seq} after {last}");
                    }
                    self.open.push((exchange, request));
                }
                Output::Event(event) => {
                    let text = format!("{event:?}");
                    assert!(!text.contains(SECRET) && !text.contains("hub.challenge"), "{text}");
                }
                Output::Wait { until } => assert!(until >= Timestamp::from_seconds(self.now)),
                _ => {}
            }
        }
        assert_eq!(replies.iter().map(|(id, _)| *id).collect::<Vec<_>>(), request.into_iter().collect::<Vec<_>>());
    }

    /// A request whose body arrives in pieces.
    fn request(&mut self, headers: Headers, body: &[u8], most: usize, window: usize) {
        let request = Request { method: "POST".into(), path: "/".into(), headers, ..Request::default() };
        let take = |window: usize| {
            let mut intake = Intake::new(request.clone(), most);
            let _ = body.chunks(window.max(1)).all(|piece| intake.push(piece));
            intake.finish()
        };
        assert_eq!(take(window), take(usize::MAX));
        self.requests += 1;
        let client = format!("192.0.2.{}", self.requests % 9);
        self.take(Input::Request { id: self.requests, client, request: take(window) });
    }

    fn payload(&mut self, choice: u8, link: &str, body: &[u8]) {
        let secret = if choice & 1 == 0 { SECRET } else { "another" };
        let link = match choice >> 1 & 3 {
            0..=2 => format!("<{TOPIC}>; rel=self, <{HUB}>; rel=hub"),
            _ => link.to_owned(),
        };
        let headers = Headers::default()
            .with("Content-Type", "application/xml")
            .with("Link", link)
            .with("X-Hub-Signature", sign(Algorithm::Sha256, secret.as_bytes(), body));
        let head = |ledger: &mut MemoryLedger| {
            let Ok(topic) = ledger.topic(TOPIC);
            topic.map_or(0, |topic| topic.head)
        };
        let before = head(&mut self.ledger);
        self.request(headers, body, 4_096, usize::from(choice));
        let after = head(&mut self.ledger);
        if after != before {
            assert!(after == before + 1 && choice & 1 == 0, "only the Source adds payloads");
            let Ok(Some(topic)) = self.ledger.topic(TOPIC) else { panic!("the topic is gone") };
            let Ok(Some(payload)) = self.ledger.payload_after(topic.id, before) else { panic!("it is not recorded") };
            assert_eq!(&*payload.body, body);
        }
    }

    /// The outcome of an exchange: the challenge, other bytes, or nothing.
    fn answer(&mut self, choice: u8, text: &[u8]) {
        if self.open.is_empty() {
            return;
        }
        let (exchange, request) = self.open.remove(usize::from(choice) % self.open.len());
        let status = STATUSES[usize::from(choice >> 3) % STATUSES.len()];
        let query = Form::read(request.uri.split_once('?').map_or("", |(_, query)| query).as_bytes());
        let challenge = query.ok().and_then(|query| query.last("hub.challenge").map(str::to_owned));
        let body = if choice & 4 == 0 { challenge.unwrap_or_default().into_bytes() } else { text.to_vec() };
        if let Exchange::Verification { nonce, .. } = exchange
            && let Ok(Some(pending)) = self.ledger.pending(nonce)
            && (200..300).contains(&status)
            && body == pending.challenge.0.as_bytes()
        {
            self.confirmed.insert(pending.callback);
        }
        if let (Exchange::Delivery { subscription, seq }, true) = (exchange, (200..300).contains(&status)) {
            self.delivered.insert(subscription, seq);
        }
        let headers = Headers::default().with("Retry-After", String::from_utf8_lossy(text));
        self.take(Input::Answered { exchange, answer: Answer { status, headers, body } });
    }

    /// Sends what is due, one delivery for each subscription.
    fn turns(&mut self) {
        let Ok(Some(topic)) = self.ledger.topic(TOPIC) else { return };
        let Ok(due) = self.ledger.due(topic.id, Timestamp::from_seconds(self.now), (0, 0), 20);
        for due in due {
            let id = due.position.1;
            let is_open = |(exchange, _): &(Exchange, Outbound)| matches!(exchange, Exchange::Delivery { subscription, .. } if *subscription == id);
            if !self.open.iter().any(is_open) {
                self.take(Input::Turn { subscription: id });
            }
        }
    }
}

/// Steps of two bytes that choose, and text.
pub fn notify_hub(data: &[u8]) {
    let mut world = World {
        hub: Hub::new(options()),
        ledger: MemoryLedger::default(),
        now: START,
        random: 0,
        requests: 0,
        open: Vec::new(),
        confirmed: BTreeSet::new(),
        delivered: BTreeMap::new(),
    };
    for step in data.split(|byte| *byte == STEP).take(100) {
        let Some((&[kind, choice], text)) = step.split_first_chunk::<2>() else { continue };
        match kind % 8 {
            0 | 1 => {
                let headers = Headers::default().with("Content-Type", "application/x-www-form-urlencoded");
                world.request(headers, text, form::MOST, usize::from(choice));
            }
            2 => {
                let mut parts = text.splitn(2, |byte| *byte == b'\n');
                let link = String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
                world.payload(choice, &link, parts.next().unwrap_or_default());
            }
            3 | 4 => world.answer(choice, text),
            5 => {
                if !world.open.is_empty() {
                    let (exchange, _) = world.open.remove(usize::from(choice >> 1) % world.open.len());
                    world.take(Input::Failed { exchange, reason: "no answer".into(), sent: (choice & 1 == 1).into() });
                }
            }
            6 => world.turns(),
            _ => {
                world.now += WAITS[usize::from(choice) % WAITS.len()];
                if choice > 200 {
                    // A restart: exchanges are lost, and the ledger is everything.
                    world.hub = Hub::new(options());
                    world.open.clear();
                }
                world.take(Input::Tick);
            }
        }
    }
}

/// A subscription that is confirmed, payloads, deliveries with this outcome, and what follows.
pub(crate) fn scripts(forms: &[Vec<u8>], payloads: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let form = b"hub.mode=subscribe&hub.topic=https://hub.example/t/changes&hub.callback=https://me.example/rs";
    let step = |kind: u8, choice: u8, text: &[u8]| [&[kind, choice][..], text, &[STEP]].concat();
    let outcome = |at: usize| u8::try_from(at % STATUSES.len()).unwrap_or_default() << 3;
    let payload = |body: &[u8]| step(2, 0, &[b"\n", body].concat());
    let script = |(at, body): (usize, &Vec<u8>)| {
        let other = payloads.get((at + 1) % payloads.len()).map_or(&b""[..], Vec::as_slice);
        [
            step(0, 7, forms.get(at % forms.len().max(1)).map_or(&form[..], Vec::as_slice)),
            step(0, 7, form),
            step(3, 0, b""),
            payload(body),
            step(6, 0, b""),
            step(3, outcome(at), b"120"),
            step(7, 4, b""),
            payload(other),
            step(6, 0, b""),
            step(5, u8::try_from(at & 1).unwrap_or_default(), b""),
            step(7, if at % 3 == 0 { 203 } else { 4 }, b""),
            step(6, 0, b""),
            step(3, 0, b""),
            step(7, 7, b""),
        ]
        .concat()
    };
    payloads.iter().enumerate().map(script).collect()
}
