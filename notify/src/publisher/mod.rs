//! The publisher: sends the payloads of a topic to each of its hubs, in order, until each hub has accepted
//! them.
//!
//! 1. Call [`Publisher::handle`] with one input; perform the outputs in order.
//! 2. INVARIANT: the value of an [`Output::Keep`] is durable before a later output of the same call is performed. If that fails, drop the
//!    rest: the same requests are sent after a restart.
//! 3. Answer each [`Output::Send`] with [`Input::Answered`] or [`Input::Failed`], in any order, and call with [`Input::Tick`] at the moment of
//!    the last [`Output::Wait`].
//!
//! Per topic and hub: `Idle → Posting → Idle | Backoff(n) | Refused`. Hubs do not wait for each other; the payloads of a topic do.

mod messages;
mod options;
mod record;

use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::time::Duration;

use resourcesync::{
    diagnostic::{Reason, ReasonCode},
    value::Datetime,
};

use self::record::{PayloadRecord, Progress, TopicRecord, Tries, key};
pub use self::{
    messages::{Delivery, Input, Output, Undelivered},
    options::{Credential, Options},
};
use crate::{
    exchange::{Answer, Method, Outgoing},
    interval::Place,
    moment::{Moment, Timestamp},
    payload::{Channel, Payload},
    retry::{Schedule, retry_after},
    rules::ACCEPTED_PAYLOAD,
    state::{self, Keep, State, StateError},
    topic::Topic,
};

/// The maximum number of bytes read from a hub's response, which contains its reason.
const REASON_BYTES: usize = 1 << 10;
/// The maximum number of concurrent requests.
const OPEN: usize = 16;

/// Sends payloads to hubs. See the [module](self) for its use.
#[derive(Debug, Clone, Default)]
pub struct Publisher {
    options: Options,
    topics: BTreeMap<String, TopicRecord>,
    payloads: BTreeMap<u64, PayloadRecord>,
    progress: BTreeMap<u64, Progress>,
    /// Pending requests: the payload and the hub.
    open: BTreeMap<u64, (u64, String)>,
    requests: u64,
}

impl Publisher {
    /// Creates a publisher without payloads.
    pub fn new(options: Options) -> Publisher {
        Publisher { options, ..Publisher::default() }
    }

    /// Restores a publisher from stored values.
    ///
    /// # Errors
    ///
    /// If a value does not belong to a publisher, or has a newer version.
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
        // A payload without stored progress is resent; progress without a payload is ignored.
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

    /// The pending payloads of each hub, in order.
    pub fn undelivered(&self) -> impl Iterator<Item = Undelivered> {
        self.progress.iter().flat_map(|(number, progress)| {
            progress.hubs.iter().filter_map(|(hub, tries)| {
                let channel = self.payloads.get(number)?.channel;
                Some(Undelivered { delivery: self.delivery(*number, hub)?, channel, refused: tries.refused })
            })
        })
    }

    /// Accepts a payload like [`Input::Publish`], but sends nothing before the next input.
    pub fn queue(&mut self, topic: Topic, payload: Payload) -> Vec<Output> {
        let mut outputs = Vec::new();
        self.publish(topic, payload, &mut outputs);
        outputs
    }

    /// Discards a payload like [`Input::Discard`], but sends nothing before the next input. Returns the values to store.
    pub fn discard(&mut self, payload: u64) -> Vec<Keep> {
        let mut outputs = Vec::new();
        self.remove(payload, &mut outputs);
        let keep = |output| match output {
            Output::Keep(keep) => Some(keep),
            _ => None,
        };
        outputs.into_iter().filter_map(keep).collect()
    }

    /// Processes one input.
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

    /// Stores the progress of a payload, or removes it once every hub has accepted the payload.
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

    /// Sends due payloads: for each topic and hub, the first one that the hub has not accepted.
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

/// The reason for resending a payload.
struct Failure {
    status: Option<u16>,
    reason: Reason,
    retry_after: Option<Duration>,
}

/// The status of a response and the text of its body, in one line.
pub(crate) fn reason(answer: &Answer) -> Reason {
    let text = String::from_utf8_lossy(answer.body.get(..REASON_BYTES).unwrap_or(&answer.body));
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let line: String = line.chars().filter(|character| !character.is_control()).collect();
    match &*line {
        "" => Reason::new(ReasonCode::HttpStatus).arg("status", answer.status),
        line => Reason::new(ReasonCode::HubStatus).arg("status", answer.status).arg("text", line),
    }
}
