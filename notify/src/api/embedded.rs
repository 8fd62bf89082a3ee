//! A hub inside an application: its rows are values that the application stores, and it decides itself what to send next.

use alloc::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};
use core::time::Duration;

use serde::{Deserialize, Serialize};

use super::{
    Answered, HubOptions, Incoming, Sent, Served,
    turn::{self, TakeBody, TurnError, Turned, WithBody, read, state, turned},
};
use crate::{
    hub::{Due, Event, Exchange, HostPort, Hub, Input, Ledger, MemoryLedger, Options, Order, OrderResult, Output},
    moment::{Moment, Timestamp},
    state::Keep,
};

/// Maximum deliveries at the same time: in all by default, and to one host.
const SLOTS: (usize, usize) = (64, 8);
/// The longest time between two ticks.
const PAUSE: Duration = Duration::from_secs(60);

/// A hub whose ledger is in memory.
#[derive(Debug)]
pub struct EmbeddedHub {
    hub: Hub,
    ledger: MemoryLedger,
    most: usize,
    /// Requests that have no response yet, by their numbers.
    open: BTreeMap<u64, Exchange>,
    last: u64,
    /// Hosts of subscriptions with a delivery in flight.
    in_flight: BTreeMap<u64, Arc<str>>,
    queue: VecDeque<(u64, Arc<str>)>,
    queued: BTreeSet<u64>,
    /// Topics whose subscriptions may be due.
    awake: BTreeSet<u64>,
    next_tick: Option<Timestamp>,
}

/// An input.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EmbeddedInput {
    /// A client requests something.
    Request {
        /// The address of the client.
        client: String,
        /// The request.
        request: Incoming,
    },
    /// The response of a callback.
    Answered(Answered),
    /// A request without a response.
    Failed {
        /// The number of the request.
        id: u64,
        /// The reason.
        reason: String,
        /// True if the callback received the request, or may have: as long as the application does not exclude it.
        #[serde(default = "yes")]
        sent: bool,
    },
    /// An order of the operator.
    Order(Order),
    /// Time passed.
    Tick {},
}

fn yes() -> bool {
    true
}

/// An output.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum EmbeddedOutput {
    /// Store a value.
    Keep(Keep),
    /// Reply to a request.
    Reply(Served),
    /// The result of an order.
    Ordered {
        /// How many subscriptions, topics or payloads it concerned; `None` if there is no such one.
        count: Option<u64>,
    },
    /// Send a request to a callback.
    Send {
        /// What for: `verification`, `delivery` or `denial`.
        purpose: &'static str,
        /// The request.
        #[serde(flatten)]
        sent: Sent,
    },
    /// Something for logs.
    Event(Event),
    /// The time of the next tick.
    Wait {
        /// The moment.
        until: Timestamp,
    },
}

impl EmbeddedHub {
    /// From options and state as JSON; a state that is `None` is that of a new one.
    ///
    /// # Errors
    ///
    /// In one line, if one of them is not understood.
    pub fn from_json(options: &str, state: Option<&str>) -> Result<EmbeddedHub, String> {
        let plain: HubOptions = read(options)?;
        let most = plain.deliveries.unwrap_or(SLOTS.0);
        let hub = Hub::new(Options::try_from(plain)?);
        let mut ledger = MemoryLedger::restore(self::state(state)?).map_err(|error| error.to_string())?;
        let Ok(topics) = ledger.topics();
        Ok(EmbeddedHub {
            hub,
            ledger,
            most,
            open: BTreeMap::new(),
            last: 0,
            in_flight: BTreeMap::new(),
            queue: VecDeque::new(),
            queued: BTreeSet::new(),
            awake: topics.into_iter().map(|topic| topic.id).collect(),
            next_tick: None,
        })
    }

    /// Takes an input as JSON, with its body, and everything that is due.
    ///
    /// # Errors
    ///
    /// If the input is not understood.
    pub fn turn(
        &mut self,
        moment: &mut Moment<'_>,
        input: &str,
        body: Option<&[u8]>,
    ) -> Result<Vec<Turned>, TurnError> {
        let input: EmbeddedInput = turn::input(input, body)?;
        Ok(self.take(moment, input).into_iter().map(turned).collect())
    }

    /// Takes an input of the state machine alone, as transcripts have it.
    ///
    /// # Errors
    ///
    /// If the input is not understood.
    pub fn step(&mut self, moment: &mut Moment<'_>, input: &str) -> Result<Vec<Turned>, TurnError> {
        let input: Input = read(input).map_err(TurnError::Input)?;
        let Ok(outputs) = self.hub.handle(moment, input, &mut self.ledger);
        let keeps = self.ledger.changes().into_iter().map(EmbeddedOutput::Keep).map(turned);
        Ok(keeps.chain(outputs.into_iter().map(turned)).collect())
    }

    /// Processes one input, and what is due.
    pub fn take(&mut self, moment: &mut Moment<'_>, input: EmbeddedInput) -> Vec<EmbeddedOutput> {
        let mut outputs = Vec::new();
        if self.last == 0 {
            // A late response to a request of an earlier instance must not be taken for one of this.
            let [a, b, c, d, e, f] = moment.bytes();
            self.last = u64::from_be_bytes([0, 0, a, b, c, d, e, f]);
        }
        if let Some(input) = self.input(input) {
            self.handle(moment, input, &mut outputs);
        }
        if self.next_tick.is_some_and(|at| at <= moment.now) {
            self.handle(moment, Input::Tick, &mut outputs);
        }
        self.fill(moment.now);
        while let Some((subscription, host)) = self.next() {
            self.in_flight.insert(subscription, host);
            self.handle(moment, Input::Turn { subscription }, &mut outputs);
            let is_own = |exchange: &Exchange| matches!(exchange, Exchange::Delivery { subscription: own, .. } if *own == subscription);
            if !self.open.values().any(is_own) {
                self.in_flight.remove(&subscription);
            }
        }
        let Ok(retry) = self.ledger.next_retry(moment.now);
        let latest = moment.now.after(PAUSE);
        let until = [self.next_tick, retry].into_iter().flatten().fold(latest, Timestamp::min);
        outputs.push(EmbeddedOutput::Wait { until });
        let keeps = self.ledger.changes().into_iter().map(EmbeddedOutput::Keep);
        keeps.chain(outputs).collect()
    }

    /// The input of the state machine; `None` if it concerns a request of an earlier instance.
    fn input(&mut self, input: EmbeddedInput) -> Option<Input> {
        Some(match input {
            EmbeddedInput::Request { client, request } => {
                Input::Request { id: request.id, client, request: request.into() }
            }
            EmbeddedInput::Answered(answered) => {
                Input::Answered { exchange: self.close(answered.id)?, answer: answered.into() }
            }
            EmbeddedInput::Failed { id, reason, sent } => {
                Input::Failed { exchange: self.close(id)?, reason, sent: sent.into() }
            }
            EmbeddedInput::Order(order) => Input::Order { id: 0, order },
            EmbeddedInput::Tick {} => Input::Tick,
        })
    }

    /// The exchange of a request that has a result.
    fn close(&mut self, id: u64) -> Option<Exchange> {
        let exchange = self.open.remove(&id)?;
        if let Exchange::Delivery { subscription, .. } = exchange {
            self.in_flight.remove(&subscription);
        }
        Some(exchange)
    }

    fn handle(&mut self, moment: &mut Moment<'_>, input: Input, outputs: &mut Vec<EmbeddedOutput>) {
        if matches!(input, Input::Tick) {
            self.next_tick = None;
            let Ok(topics) = self.ledger.topics();
            self.awake.extend(topics.into_iter().map(|topic| topic.id));
        }
        let Ok(made) = self.hub.handle(moment, input, &mut self.ledger);
        for output in made {
            match output {
                Output::Reply { id, reply } => outputs.push(EmbeddedOutput::Reply(Served::new(id, reply))),
                // No topic of an embedded hub needs a proof.
                Output::Later { .. } => {}
                Output::Done { result: OrderResult::Done(count), .. } => {
                    outputs.push(EmbeddedOutput::Ordered { count: Some(count) });
                }
                Output::Done { result: OrderResult::NotFound, .. } => {
                    outputs.push(EmbeddedOutput::Ordered { count: None });
                }
                Output::Send { exchange, request } => {
                    self.last = self.last.saturating_add(1);
                    self.open.insert(self.last, exchange);
                    let (purpose, sent) = (exchange.purpose(), Sent::new(self.last, request));
                    outputs.push(EmbeddedOutput::Send { purpose, sent });
                }
                Output::Ready { subscription, host, at } if at <= moment.now => self.push(subscription, host),
                // It is found in the ledger when its time comes.
                Output::Ready { .. } => {}
                Output::Wake { topic } => drop(self.awake.insert(topic)),
                Output::Event(event) => outputs.push(EmbeddedOutput::Event(event)),
                Output::Wait { until } => {
                    self.next_tick = Some(self.next_tick.map_or(until, |own| own.min(until)));
                }
            }
        }
    }

    fn push(&mut self, subscription: u64, host: Arc<str>) {
        if !self.in_flight.contains_key(&subscription) && self.queued.insert(subscription) {
            self.queue.push_back((subscription, host));
        }
    }

    /// Queues what is due.
    fn fill(&mut self, now: Timestamp) {
        for topic in core::mem::take(&mut self.awake) {
            let Ok(due) = self.ledger.due(topic, now, (0, 0), usize::MAX);
            for Due { position: (_, subscription), host } in due {
                self.push(subscription, host);
            }
        }
    }

    /// The first subscription in the queue whose host has a free slot.
    fn next(&mut self) -> Option<(u64, Arc<str>)> {
        if self.in_flight.len() >= self.most {
            return None;
        }
        let has_slot = |host: &str| self.in_flight.values().filter(|own| ***own == *host).count() < SLOTS.1;
        let at = self.queue.iter().position(|(_, host)| has_slot(host))?;
        let next = self.queue.remove(at)?;
        self.queued.remove(&next.0);
        Some(next)
    }

    /// Whether the operator allows requests to an address of a callback's host.
    pub fn allows(&self, uri: &str, address: &str) -> bool {
        let (host, address) = (HostPort::of(uri), address.parse());
        matches!((host, address), (Some(host), Ok(address)) if self.hub.options().callbacks.allows(&host, address))
    }
}

impl WithBody for EmbeddedInput {
    fn body(&mut self) -> Option<&mut Vec<u8>> {
        match self {
            EmbeddedInput::Request { request, .. } => Some(&mut request.body.0),
            EmbeddedInput::Answered(answered) => Some(&mut answered.body.0),
            _ => None,
        }
    }
}

impl TakeBody for EmbeddedOutput {
    fn take_body(&mut self) -> Option<Vec<u8>> {
        match self {
            EmbeddedOutput::Reply(served) => Some(core::mem::take(&mut served.body.0)),
            EmbeddedOutput::Send { sent, .. } => Some(core::mem::take(&mut sent.body.0)),
            _ => None,
        }
    }
}
