//! The publisher: payloads of a topic go to each of its hubs, in order, until each hub has accepted them.
//!
//! 1. Call [`Publisher::handle`] with one input; perform the outputs in order.
//! 2. INVARIANT: whatever [`Output::Keep`] names is durable before a later output of the same call is performed. Where that fails, drop the
//!    rest: the same requests are made after a restart.
//! 3. Answer each [`Output::Send`] with [`Input::Answered`] or [`Input::Failed`], in any order, and call with [`Input::Tick`] at the moment of
//!    the last [`Output::Wait`].
//!
//! Per topic and hub: `Idle → Posting → Idle | Backoff(n) | Refused`. Hubs do not wait for each other; the payloads of a topic do.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::time::Duration;

use resourcesync::{source::discovery::host, value::Datetime};
use serde::{Deserialize, Serialize};

use crate::{
    exchange::{Answer, Headers, Method, Outgoing},
    interval::{Chain, Place},
    moment::{Moment, Timestamp},
    payload::{Channel, Payload},
    retry::{Schedule, retry_after},
    rules::{ACCEPTED_PAYLOAD, PAYLOAD_TYPE},
    state::{self, Keep, State, StateError},
    topic::Topic,
};

/// Bytes of a hub's response that are read: its reason.
const REASON_BYTES: usize = 1 << 10;
/// Requests under way at most.
const OPEN: usize = 16;

/// How to publish.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// Takes only 200 for an acceptance, as the specifications state; otherwise other successes are accepted with a warning.
    pub strict_hub: bool,
    /// Headers that authenticate the Source.
    pub credentials: Vec<Credential>,
}

/// A header for the hubs of one origin. It is sent to no other, and to `http` only where the origin says so.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Credential {
    /// The origin, such as `https://hub.example`.
    pub origin: String,
    /// The name of the header.
    pub name: String,
    /// Its value.
    pub value: String,
}

impl core::fmt::Debug for Credential {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} for {}", self.name, self.origin)
    }
}

/// What happened.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Input {
    /// There is a payload for the hubs of a topic. The same payload again changes nothing.
    Publish {
        /// The topic, with its hubs.
        topic: Topic,
        /// The payload.
        payload: Payload,
    },
    /// A hub answered.
    Answered {
        /// The number of the request.
        id: u64,
        /// The response.
        answer: Answer,
    },
    /// A hub did not answer.
    Failed {
        /// The number of the request.
        id: u64,
        /// Why, in one line.
        reason: String,
    },
    /// Sends a payload again that a hub refused.
    Retry {
        /// The number of the payload.
        payload: u64,
    },
    /// Gives up a payload. Subscribers see a gap, and pull.
    Discard {
        /// The number of the payload.
        payload: u64,
    },
    /// Time passed.
    Tick,
}

/// What to do, in order.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Output {
    /// Keep this.
    Keep(Keep),
    /// Make this request.
    Send {
        /// Its number.
        id: u64,
        /// The request.
        request: Outgoing,
    },
    /// A hub accepted a payload.
    Sent {
        /// Which.
        delivery: Delivery,
        /// The status, where it is not the one that the specifications name (WS-13).
        odd_status: Option<u16>,
    },
    /// A hub refused a payload. It stays, and later payloads of the topic wait for it (HUB-01).
    Refused {
        /// Which.
        delivery: Delivery,
        /// The status.
        status: u16,
        /// What the hub says, one line at most.
        reason: String,
    },
    /// A hub could not be reached or was not able to accept; the payload is sent again later (HUB-02).
    Postponed {
        /// Which.
        delivery: Delivery,
        /// The status, if the hub answered.
        status: Option<u16>,
        /// Why, in one line.
        reason: String,
        /// When it is sent again.
        until: Timestamp,
    },
    /// The intervals of a topic have a gap (HUB-05) or overlap (HUB-06).
    Broken {
        /// The URI of the topic.
        topic: String,
        /// The end of the interval before.
        expected: String,
        /// The beginning of this one.
        from: String,
    },
    /// Nothing to do before this moment; the last one counts.
    Wait {
        /// The moment.
        until: Timestamp,
    },
}

/// A payload on its way to a hub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// The URI of the topic.
    pub topic: String,
    /// The URI of the hub.
    pub hub: String,
    /// The number of the payload.
    pub payload: u64,
    /// The SHA-256 of the payload, in hexadecimal.
    pub digest: String,
}

/// What is known of a topic: `topic:URI`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct TopicRecord {
    chain: Chain,
    /// The last payload, which the topic serves.
    last: String,
}

/// A payload: `payload:NUMBER`. It does not change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PayloadRecord {
    topic: Topic,
    channel: Channel,
    digest: String,
    body: String,
}

/// How far it is: `progress:NUMBER`. Hubs that accepted it are not in it any more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Progress {
    hubs: BTreeMap<String, Tries>,
}

/// The tries at one hub.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Tries {
    failures: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Timestamp>,
    /// The status of a refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<u16>,
}

/// Sends payloads to hubs. See the [module](self) for how to drive it.
#[derive(Debug, Default)]
pub struct Publisher {
    options: Options,
    topics: BTreeMap<String, TopicRecord>,
    payloads: BTreeMap<u64, PayloadRecord>,
    progress: BTreeMap<u64, Progress>,
    /// Requests under way: the payload and the hub.
    open: BTreeMap<u64, (u64, String)>,
    requests: u64,
}

impl Publisher {
    /// With nothing to send.
    pub fn new(options: Options) -> Publisher {
        Publisher { options, ..Publisher::default() }
    }

    /// As it was when these values were kept.
    ///
    /// # Errors
    ///
    /// If one of them is none of a publisher, or of a newer version.
    pub fn restore(options: Options, state: State) -> Result<Publisher, StateError> {
        let mut publisher = Publisher::new(options);
        for (key, value) in state {
            match key.split_once(':') {
                Some(("topic", uri)) => drop(publisher.topics.insert(uri.to_string(), state::read(&key, value)?)),
                Some(("payload", number)) => {
                    drop(publisher.payloads.insert(state::number(&key, number)?, state::read(&key, value)?));
                }
                Some(("progress", number)) => {
                    drop(publisher.progress.insert(state::number(&key, number)?, state::read(&key, value)?));
                }
                _ => return Err(StateError::unknown(&key)),
            }
        }
        // A payload whose progress was not kept any more is sent again; a progress without a payload is nothing.
        publisher.progress.retain(|number, _| publisher.payloads.contains_key(number));
        for (number, record) in &publisher.payloads {
            publisher.progress.entry(*number).or_insert_with(|| Progress::new(&record.topic));
        }
        Ok(publisher)
    }

    /// The last payload of a topic, for [`topic::reply`](crate::topic::reply).
    pub fn last(&self, topic: &str) -> Option<&str> {
        self.topics.get(topic).map(|record| &*record.last)
    }

    /// The end of the last interval of a topic, where the next payload begins.
    pub fn until(&self, topic: &str) -> Option<&Datetime> {
        self.topics.get(topic).and_then(|record| record.chain.until())
    }

    /// Payloads that some hub has not accepted yet.
    pub fn waiting(&self) -> usize {
        self.payloads.len()
    }

    /// Takes one input.
    pub fn handle(&mut self, moment: &mut Moment<'_>, input: Input) -> Vec<Output> {
        let mut outputs = Vec::new();
        match input {
            Input::Publish { topic, payload } => self.publish(topic, payload, &mut outputs),
            Input::Answered { id, answer } => self.answered(moment, id, &answer, &mut outputs),
            Input::Failed { id, reason } => {
                if let Some((payload, hub)) = self.open.remove(&id) {
                    self.postpone(
                        moment,
                        payload,
                        &hub,
                        &Failure { status: None, reason, retry_after: None },
                        &mut outputs,
                    );
                }
            }
            Input::Retry { payload } => {
                if let Some(progress) = self.progress.get_mut(&payload) {
                    progress.hubs.values_mut().for_each(|tries| *tries = Tries::default());
                    outputs.push(Output::Keep(Keep::put(key("progress", payload), progress)));
                }
            }
            Input::Discard { payload } => self.remove(payload, &mut outputs),
            Input::Tick => {}
        }
        self.send(moment, &mut outputs);
        outputs
    }

    fn publish(&mut self, topic: Topic, payload: Payload, outputs: &mut Vec<Output>) {
        let record = self.topics.entry(topic.uri.clone()).or_default();
        let interval = payload.interval().filter(|_| payload.channel() == Channel::ChangeNotification);
        let broken = match (record.chain.place(interval, payload.digest()), interval, record.chain.until()) {
            (Place::Repeats, ..) => return,
            (Place::Follows, ..) => None,
            (_, interval, until) => interval.zip(until).map(|(interval, until)| Output::Broken {
                topic: topic.uri.clone(),
                expected: until.to_string(),
                from: interval.from.to_string(),
            }),
        };
        record.chain.accept(interval, payload.digest());
        record.last = payload.text().to_string();
        let number = self.payloads.keys().next_back().map_or(1, |last| last.saturating_add(1));
        let progress = Progress::new(&topic);
        let (digest, channel) = (payload.digest().to_string(), payload.channel());
        let own = PayloadRecord { topic, channel, digest, body: payload.into_text() };
        outputs.push(Output::Keep(Keep::put(format!("topic:{}", own.topic.uri), record)));
        outputs.push(Output::Keep(Keep::put(key("payload", number), &own)));
        outputs.push(Output::Keep(Keep::put(key("progress", number), &progress)));
        outputs.extend(broken);
        self.payloads.insert(number, own);
        self.progress.insert(number, progress);
    }

    fn answered(&mut self, moment: &mut Moment<'_>, id: u64, answer: &Answer, outputs: &mut Vec<Output>) {
        let Some((payload, hub)) = self.open.remove(&id) else { return };
        let Some(delivery) = self.delivery(payload, &hub) else { return };
        let status = answer.status;
        let is_odd = status != ACCEPTED_PAYLOAD;
        match status {
            200..=299 if !is_odd || !self.options.strict_hub => {
                if let Some(progress) = self.progress.get_mut(&payload) {
                    progress.hubs.remove(&hub);
                }
                self.keep_progress(payload, outputs);
                outputs.push(Output::Sent { delivery, odd_status: is_odd.then_some(status) });
            }
            408 | 429 | 500..=599 => {
                let retry_after = answer.headers.first("retry-after").and_then(|value| retry_after(value, moment.now));
                let failure = Failure { status: Some(status), reason: reason(answer), retry_after };
                self.postpone(moment, payload, &hub, &failure, outputs);
            }
            _ => {
                if let Some(tries) = self.progress.get_mut(&payload).and_then(|progress| progress.hubs.get_mut(&hub)) {
                    tries.refused = Some(status);
                }
                self.keep_progress(payload, outputs);
                outputs.push(Output::Refused { delivery, status, reason: reason(answer) });
            }
        }
    }

    fn postpone(
        &mut self,
        moment: &mut Moment<'_>,
        payload: u64,
        hub: &str,
        failure: &Failure,
        outputs: &mut Vec<Output>,
    ) {
        let Some(delivery) = self.delivery(payload, hub) else { return };
        let Some(tries) = self.progress.get_mut(&payload).and_then(|progress| progress.hubs.get_mut(hub)) else {
            return;
        };
        tries.failures = tries.failures.saturating_add(1);
        let wait = Schedule::PUBLISH.wait(tries.failures, failure.retry_after, moment.bytes());
        let until = moment.now.after(wait);
        tries.next = Some(until);
        self.keep_progress(payload, outputs);
        outputs.push(Output::Postponed { delivery, status: failure.status, reason: failure.reason.clone(), until });
    }

    fn delivery(&self, payload: u64, hub: &str) -> Option<Delivery> {
        let record = self.payloads.get(&payload)?;
        let (topic, digest) = (record.topic.uri.clone(), record.digest.clone());
        Some(Delivery { topic, hub: hub.to_string(), payload, digest })
    }

    /// Keeps how far a payload is; nothing of one that every hub accepted.
    fn keep_progress(&mut self, payload: u64, outputs: &mut Vec<Output>) {
        match self.progress.get(&payload) {
            Some(progress) if !progress.hubs.is_empty() => {
                outputs.push(Output::Keep(Keep::put(key("progress", payload), progress)));
            }
            _ => self.remove(payload, outputs),
        }
    }

    fn remove(&mut self, payload: u64, outputs: &mut Vec<Output>) {
        self.progress.remove(&payload);
        if self.payloads.remove(&payload).is_some() {
            outputs.push(Output::Keep(Keep::remove(key("payload", payload))));
            outputs.push(Output::Keep(Keep::remove(key("progress", payload))));
        }
    }

    /// Sends what is due: of each topic, to each hub, the first payload that it has not accepted.
    fn send(&mut self, moment: &Moment<'_>, outputs: &mut Vec<Output>) {
        let mut first = BTreeSet::new();
        let mut next: Option<Timestamp> = None;
        for (number, progress) in &self.progress {
            let Some(record) = self.payloads.get(number) else { continue };
            for (hub, tries) in &progress.hubs {
                let is_first = first.insert((&*record.topic.uri, &**hub));
                let is_open = self.open.values().any(|(payload, own)| payload == number && own == hub);
                if !is_first || is_open || tries.refused.is_some() {
                    continue;
                }
                if let Some(later) = tries.next.filter(|later| *later > moment.now) {
                    next = Some(next.map_or(later, |next| next.min(later)));
                    continue;
                }
                if self.open.len() >= OPEN {
                    continue;
                }
                self.requests = self.requests.saturating_add(1);
                self.open.insert(self.requests, (*number, hub.clone()));
                let headers = self.options.headers(&record.topic, hub);
                let (uri, body) = (hub.clone(), record.body.clone().into_bytes());
                let request = Outgoing { method: Method::Post, uri, headers, body, most: REASON_BYTES };
                outputs.push(Output::Send { id: self.requests, request });
            }
        }
        outputs.extend(next.map(|until| Output::Wait { until }));
    }
}

/// Why a payload has to be sent again.
struct Failure {
    status: Option<u16>,
    reason: String,
    retry_after: Option<Duration>,
}

impl Options {
    fn headers(&self, topic: &Topic, hub: &str) -> Headers {
        let headers = Headers::default().with("Content-Type", PAYLOAD_TYPE).with("Link", topic.links_for(hub));
        let origin = host(hub);
        let own = self.credentials.iter().filter(|credential| origin.is_some() && host(&credential.origin) == origin);
        own.fold(headers, |headers, Credential { name, value, .. }| headers.with(name, value.clone()))
    }
}

impl Progress {
    fn new(topic: &Topic) -> Progress {
        Progress { hubs: topic.hubs.iter().map(|hub| (hub.clone(), Tries::default())).collect() }
    }
}

/// The name of a value about a payload; numbers sort as text.
fn key(record: &str, payload: u64) -> String {
    format!("{record}:{payload:08}")
}

/// What a hub says, as one line.
pub(crate) fn reason(answer: &Answer) -> String {
    let text = String::from_utf8_lossy(answer.body.get(..REASON_BYTES).unwrap_or(&answer.body));
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().filter(|character| !character.is_control()).collect()
}
