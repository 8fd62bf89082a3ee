//! Runs the transcripts of `tests/corpus/notify`: inputs and outputs of a state machine or verb. Python and JavaScript run the same
//! transcripts.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::{collections::BTreeMap, env, fs, path::PathBuf};

use resourcesync::{build::PublishedDocument, value::Datetime};
use resourcesync_notify::{
    api::{self, AnnounceOptions, HubOptions, PublisherInput, PublisherOptions, SubscriberOptions},
    hub::{self, Hub, MemoryLedger},
    listener::{self, Listener},
    moment::{Moment, Timestamp},
    payload::Channel,
    publisher::Publisher,
    signature::{Algorithm, sign, verify},
    state::{Keep, State},
    subscriber::{self, Options, Subscriber},
    topic::Topic,
};
use serde_json::{Value, json};

/// The subject of a transcript.
enum Machine {
    Publisher(Publisher),
    Subscriber(Subscriber),
    Listener(Box<Listener>),
    Hub(Box<Hub>),
    Verbs,
}

/// A running transcript.
struct Player {
    kind: String,
    options: Value,
    machine: Machine,
    state: State,
    ledger: MemoryLedger,
    /// The challenge that the hub sent last.
    challenge: String,
    now: Timestamp,
    /// A counter in place of a random generator.
    random: u8,
    payloads: BTreeMap<String, String>,
}

fn corpus() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus/notify")
}

fn payloads() -> BTreeMap<String, String> {
    let files = fs::read_dir(corpus().join("payloads")).unwrap().map(|file| file.unwrap().path());
    files
        .map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(path).unwrap()))
        .collect()
}

impl Player {
    fn new(line: &str) -> Player {
        let (kind, options) = line.split_once(' ').unwrap_or((line, "{}"));
        let options = serde_json::from_str(options).unwrap();
        let mut player = Player {
            kind: kind.to_owned(),
            options,
            machine: Machine::Verbs,
            state: State::new(),
            ledger: MemoryLedger::default(),
            challenge: String::new(),
            now: Timestamp::from_seconds(0),
            random: 0,
            payloads: payloads(),
        };
        player.restart();
        player
    }

    /// Restarts the process with the stored state.
    fn restart(&mut self) {
        let (options, state) = (self.options.clone(), self.state.clone());
        self.machine = match &*self.kind {
            "publisher" => {
                let options: PublisherOptions = serde_json::from_value(options).unwrap();
                Machine::Publisher(Publisher::restore(options.into(), state).unwrap())
            }
            "subscriber" => {
                let options: SubscriberOptions = serde_json::from_value(options).unwrap();
                Machine::Subscriber(Subscriber::restore(Options::try_from(options).unwrap(), state).unwrap())
            }
            "listener" => {
                let state = serde_json::to_string(&state).unwrap();
                Machine::Listener(Box::new(Listener::from_json(&options.to_string(), Some(&state)).unwrap()))
            }
            "hub" => {
                let options: HubOptions = serde_json::from_value(options).unwrap();
                Machine::Hub(Box::new(Hub::new(options.try_into().unwrap())))
            }
            "verbs" => Machine::Verbs,
            other => panic!("no machine is called {other}"),
        };
    }

    fn take(&mut self, input: Value) -> Vec<Value> {
        let random = &mut self.random;
        let mut fill = |bytes: &mut [u8]| {
            for byte in bytes {
                *byte = *random;
                *random = random.wrapping_add(1);
            }
        };
        let mut moment = Moment { now: self.now, random: &mut fill };
        let value = |output| serde_json::to_value(output).unwrap();
        match &mut self.machine {
            Machine::Publisher(publisher) => {
                let input: PublisherInput = serde_json::from_value(input).unwrap();
                match publisher.take(&mut moment, input) {
                    Ok(outputs) => outputs.into_iter().map(|output| serde_json::to_value(output).unwrap()).collect(),
                    Err(rejected) => vec![json!({"rejected": {"report": rejected.report}})],
                }
            }
            Machine::Subscriber(subscriber) => {
                let input: subscriber::Input = serde_json::from_value(input).unwrap();
                subscriber.handle(&mut moment, input).into_iter().map(value).collect()
            }
            Machine::Listener(listener) => {
                let input: listener::Input = serde_json::from_value(input).unwrap();
                listener
                    .take(&mut moment, input)
                    .into_iter()
                    .map(|output| serde_json::to_value(output).unwrap())
                    .collect()
            }
            Machine::Hub(hub) => {
                let input: hub::Input = serde_json::from_value(input).unwrap();
                let outputs = hub.handle(&mut moment, input, &mut self.ledger).unwrap();
                for output in &outputs {
                    if let hub::Output::Send { request, .. } = output
                        && let Some((_, after)) = request.uri.split_once("hub.challenge=")
                    {
                        self.challenge = after.split('&').next().unwrap().to_owned();
                    }
                }
                outputs.into_iter().map(|output| serde_json::to_value(output).unwrap()).collect()
            }
            Machine::Verbs => vec![verb(&input)],
        }
    }

    /// Replaces the names of payloads and signatures by their values.
    fn expand(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(match text.strip_prefix('@') {
                Some(name) => self.named(name),
                None => text,
            }),
            Value::Array(values) => values.into_iter().map(|value| self.expand(value)).collect(),
            Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, self.expand(value))).collect(),
            other => other,
        }
    }

    fn named(&self, name: &str) -> String {
        match name.split(' ').collect::<Vec<_>>()[..] {
            ["challenge"] => self.challenge.clone(),
            ["challenge", after] => format!("{}{after}", self.challenge),
            ["sign", algorithm, secret, payload] => {
                sign(Algorithm::find(algorithm).unwrap(), secret.as_bytes(), self.payloads[payload].as_bytes())
            }
            _ => self.payloads.get(name).unwrap_or_else(|| panic!("no payload is called {name}")).clone(),
        }
    }

    /// Replaces payloads by their names and reports by their codes; of stored values, only the names remain.
    fn contract(&self, value: Value) -> Value {
        match value {
            Value::String(text) => {
                let name = self.payloads.iter().find(|(_, payload)| **payload == text);
                Value::String(name.map_or(text.clone(), |(name, _)| format!("@{name}")))
            }
            Value::Array(values) => values.into_iter().map(|value| self.contract(value)).collect(),
            Value::Object(fields) => {
                let field = |(name, value): (String, Value)| match &*name {
                    "keep" if value["value"].is_object() => (name, json!({"key": value["key"]})),
                    "report" if value["diagnostics"].is_array() => {
                        let codes = value["diagnostics"].as_array().unwrap().iter().map(|found| found["code"].clone());
                        (name, codes.collect())
                    }
                    _ => (name, self.contract(value)),
                };
                fields.into_iter().map(field).collect()
            }
            other => other,
        }
    }
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

fn verb(input: &Value) -> Value {
    let (name, call) = input.as_object().unwrap().iter().next().unwrap();
    let options = || -> AnnounceOptions { serde_json::from_value(call["options"].clone()).unwrap_or_default() };
    let made = |made: Result<Vec<api::Announced>, resourcesync_notify::announce::AnnounceError>| match made {
        Ok(payloads) => json!({"payloads": payloads}),
        Err(error) => json!({"refused": error.to_string()}),
    };
    match &**name {
        "sign" => {
            let algorithm = Algorithm::find(text(call, "algorithm")).unwrap();
            json!({"signature": sign(algorithm, text(call, "secret").as_bytes(), text(call, "body").as_bytes())})
        }
        "verify" => {
            let headers = call["headers"].as_array().unwrap().iter().map(|header| header.as_str().unwrap());
            let found =
                verify(text(call, "secret").as_bytes(), headers, text(call, "body").as_bytes(), &Algorithm::ALL[1..]);
            json!({"verified": found.map_or_else(|error| error.as_str(), |algorithm| algorithm.as_str())})
        }
        "read" => {
            let kind = Channel::find(text(call, "kind")).unwrap();
            json!({"read": api::notification(text(call, "body").as_bytes().to_vec(), kind)})
        }
        "announce" => {
            let changes: Vec<resourcesync::api::plain::Entry> =
                serde_json::from_value(call["changes"].clone()).unwrap();
            let moment = |name| text(call, name).parse::<Datetime>().unwrap();
            made(api::announce(moment("from"), moment("until"), &changes, options()))
        }
        "announceDocuments" => {
            let documents =
                |name: &str| -> Vec<PublishedDocument> { serde_json::from_value(call[name].clone()).unwrap() };
            let datetime: Option<Datetime> = call["datetime"].as_str().map(|text| text.parse().unwrap());
            made(api::announce_documents(&documents("before"), &documents("after"), datetime.as_ref(), options()))
        }
        "topicReply" => {
            let topic: Topic = serde_json::from_value(call["topic"].clone()).unwrap();
            let last = call["last"].as_str().map(str::as_bytes);
            json!({"reply": api::topic_reply(&topic, text(call, "method"), call["ifNoneMatch"].as_str(), last)})
        }
        other => panic!("no verb is called {other}"),
    }
}

/// Runs a transcript and rewrites it with the actual outputs.
fn run(transcript: &str) -> String {
    let mut player: Option<Player> = None;
    let mut written = String::new();
    for line in transcript.lines().filter(|line| !line.starts_with("out ")) {
        written.push_str(line);
        written.push('\n');
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, &mut player) {
            ("" | "#", _) => {}
            ("machine", player) => *player = Some(Player::new(rest)),
            ("at", Some(player)) => player.now = rest.parse().unwrap(),
            // Perhaps with other options.
            ("restart", Some(player)) => {
                player.options = serde_json::from_str(rest).unwrap_or(player.options.take());
                player.restart();
            }
            // The process ends before any output is durable.
            ("crash", Some(player)) => {
                let input = player.expand(serde_json::from_str(rest).unwrap());
                let ledger = player.ledger.clone();
                player.take(input);
                player.ledger = ledger;
                player.restart();
            }
            ("in", Some(player)) => {
                let input = player.expand(serde_json::from_str(rest).unwrap());
                for output in player.take(input) {
                    if let Some(keep) = output.get("keep") {
                        serde_json::from_value::<Keep>(keep.clone()).unwrap().apply(&mut player.state);
                    }
                    written.push_str(&format!("out {}\n", player.contract(output)));
                }
            }
            _ => panic!("not a line of a transcript: {line}"),
        }
    }
    written
}

/// The first line that differs; the order of object fields is ignored.
fn difference(played: &str, written: &str) -> Option<String> {
    let mut lines = (played.lines(), written.lines());
    loop {
        let (own, other) = match (lines.0.next(), lines.1.next()) {
            (None, None) => return None,
            pair => (pair.0.unwrap_or_default(), pair.1.unwrap_or_default()),
        };
        let value = |line: &str| serde_json::from_str::<Value>(line.strip_prefix("out ")?).ok();
        if own != other && (value(own).is_none() || value(own) != value(other)) {
            return Some(format!("\n  written {other}\n  played  {own}"));
        }
    }
}

#[test]
fn transcripts_come_out_as_they_are_written() {
    let folders = [corpus(), corpus().join("hub"), corpus().join("listener")];
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut names: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    names.retain(|path| path.extension().is_some_and(|ending| ending == "transcript"));
    names.sort();
    assert!(names.len() > 10);
    let mut failed = Vec::new();
    for path in names {
        let transcript = fs::read_to_string(&path).unwrap();
        let played = run(&transcript);
        if env::var_os("BLESS").is_some() {
            fs::write(&path, played).unwrap();
        } else if let Some(difference) = difference(&played, &transcript) {
            failed.push(format!("{}: {difference}", path.display()));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
