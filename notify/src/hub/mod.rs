//! The hub: accepts payloads from Sources, verifies subscriptions, and delivers every payload to every subscriber in order.
//!
//! A topic is a log and a subscription a cursor in it: accepting a payload writes one row, and a delivery moves one number.
//!
//! 1. Begin a transaction, call [`Hub::handle`] with one input, and commit. Several inputs may share a transaction.
//! 2. INVARIANT: outputs are performed only after the commit. If it fails, drop them: requests of clients are answered with 503, and
//!    everything else recurs, because [`Input::Tick`] and [`Ledger::due`] find it in the ledger.
//! 3. Answer each [`Output::Send`] with [`Input::Answered`] or [`Input::Failed`], in any order.
//! 4. Pass [`Input::Turn`] for each subscription in [`Ledger::due`] or [`Output::Ready`] that has no delivery in flight. The driver
//!    decides how many deliveries run at the same time, and to which hosts.
//! 5. Pass [`Input::Tick`] at the moment of the last [`Output::Wait`], and at least every minute.
//!
//! Per topic and callback: `– → Pending(nonce) → Active(lease, cursor) → (Active + Pending)* → –`. A pending request changes nothing before
//! the callback has confirmed it.

mod admission;
mod callbacks;
mod delivery;
mod fetch;
mod fetches;
mod intent;
mod ledger;
mod masked;
mod memory;
mod messages;
mod options;
mod orders;
mod rates;
mod request;
mod row;
mod rows;
mod submission;
mod sweep;
mod turn;

use alloc::{format, vec::Vec};

pub use self::{
    admission::Role,
    callbacks::{Allowed, AllowedError, CallbackRefusal, Callbacks, HostPort},
    ledger::{
        Accepted, DeadLetter, DeadReason, Due, Ledger, Mode, Pending, Position, Secret, Subscription, TopicHead,
        TopicState,
    },
    masked::masked,
    memory::MemoryLedger,
    messages::{Event, EventKind, Exchange, Input, Order, OrderResult, Outbound, Output, Sent, Target},
    options::{Credential, LeaseBounds, Options, OptionsError, Publisher, Retention, Retries, TopicOptions},
};
use self::{
    admission::{is_encoded, media_type, target},
    fetches::Fetches,
    rates::Rates,
    turn::{Turn, refused, whole},
};
use crate::{
    exchange::{Reply, Request},
    moment::{Moment, Timestamp},
    rules::{FORM_TYPE, PAYLOAD_TYPE},
    topic::{self, Topic},
};

/// The hub. All durable state is in the ledger; only rate limits and fetches are forgotten in a restart.
#[derive(Debug)]
pub struct Hub {
    options: Options,
    rates: Rates,
    fetches: Fetches,
}

impl Hub {
    /// Creates a hub.
    pub fn new(options: Options) -> Hub {
        Hub { options, rates: Rates::default(), fetches: Fetches::default() }
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Replaces the options. Subscriptions of topics that were removed end at the next [`Input::Tick`].
    pub fn replace_options(&mut self, options: Options) {
        self.options = options;
    }

    /// Hosts for which further subscription requests would be refused now, since there were too many; at most this many.
    pub fn limited_hosts(&self, now: Timestamp, most: usize) -> Vec<&str> {
        self.rates.limited(now, most)
    }

    /// Hosts without that limit, by order of the operator.
    pub fn lifted_hosts(&self) -> impl Iterator<Item = &str> {
        self.rates.lifted()
    }

    /// Processes one input. The outputs must not be performed before the changes of the ledger are durable.
    ///
    /// # Errors
    ///
    /// If the ledger fails; its changes must then be rolled back.
    pub fn handle<L: Ledger>(
        &mut self,
        moment: &mut Moment<'_>,
        input: Input,
        ledger: &mut L,
    ) -> Result<Vec<Output>, L::Error> {
        let mut turn = Turn { moment, ledger, outputs: Vec::new() };
        match input {
            Input::Request { id, client, request } => {
                let output = match self.reply(&mut turn, id, &client, request)? {
                    Some(reply) => Output::Reply { id, reply },
                    None => Output::Later { id },
                };
                turn.outputs.insert(0, output);
            }
            Input::Answered { exchange, answer } => match exchange {
                Exchange::Verification { nonce, attempt } => self.verified(&mut turn, nonce, attempt, &answer)?,
                Exchange::Delivery { subscription, seq } => self.delivered(&mut turn, subscription, seq, &answer)?,
                Exchange::Denial => {}
                Exchange::Topic { fetch } => self.fetched(&mut turn, fetch, answer)?,
            },
            Input::Failed { exchange, reason, sent } => match exchange {
                Exchange::Verification { nonce, attempt } => {
                    self.unverified(&mut turn, nonce, attempt, &reason, sent)?;
                }
                Exchange::Delivery { subscription, seq } => self.undelivered(&mut turn, subscription, seq, &reason)?,
                Exchange::Denial => {}
                Exchange::Topic { fetch } => self.unfetched(&mut turn, fetch, &reason),
            },
            Input::Turn { subscription } => self.turn(&mut turn, subscription)?,
            Input::Order { id, order } => {
                let result = self.order(&mut turn, order)?;
                turn.outputs.insert(0, Output::Done { id, result });
            }
            Input::Tick => self.tick(&mut turn)?,
        }
        Ok(turn.outputs)
    }

    /// The reply to a request; `None` if it follows later.
    fn reply<L: Ledger>(
        &mut self,
        turn: &mut Turn<'_, '_, L>,
        id: u64,
        client: &str,
        request: Request,
    ) -> Result<Option<Reply>, L::Error> {
        let target = target(&request);
        if target != self.options.path {
            let topic = self.options.topics.iter().find(|topic| topic.path.as_deref() == Some(&*target)).cloned();
            return match topic {
                Some(topic) => self.topic(turn, &topic, &request).map(Some),
                None => Ok(Some(Reply::text(404, "not-found: neither the hub nor a topic\n"))),
            };
        }
        if request.method != "POST" {
            let reply = Reply::text(405, "method: a hub answers POST\n");
            return Ok(Some(Reply { headers: reply.headers.with("Allow", "POST"), ..reply }));
        }
        if is_encoded(&request.headers) {
            let reply = Reply::text(415, "content-encoding: a body is sent without an encoding\n");
            let reply = Reply { headers: reply.headers.with("Accept-Encoding", "identity"), ..reply };
            return Ok(Some(refused(turn, None, reply)));
        }
        match media_type(request.headers.first("content-type")).as_str() {
            FORM_TYPE => match whole(request.body) {
                Ok(body) => self.form(turn, client, &body).map(Some),
                Err(reply) => Ok(Some(reply)),
            },
            PAYLOAD_TYPE => self.submission(turn, id, &request.headers, request.body),
            _ => Ok(Some(Reply::text(415, &format!("content-type: expected {PAYLOAD_TYPE} or {FORM_TYPE}\n")))),
        }
    }

    /// The response of a topic that the hub serves.
    fn topic<L: Ledger>(
        &mut self,
        turn: &mut Turn<'_, '_, L>,
        options: &TopicOptions,
        request: &Request,
    ) -> Result<Reply, L::Error> {
        let last = match turn.ledger.topic(&options.uri)? {
            Some(state) => turn.ledger.payload_after(state.id, state.head.saturating_sub(1))?,
            None => None,
        };
        let topic = Topic {
            uri: options.uri.clone(),
            hubs: alloc::vec![self.options.public_uri.clone()],
            capability_list: last.as_ref().and_then(|last| last.capability_list.clone()),
        };
        let body = last.as_ref().map(|last| &*last.body);
        Ok(topic::reply(&topic, &request.method, request.headers.first("if-none-match"), body))
    }

    /// The state of a configured topic, created on first use.
    fn state<L: Ledger>(turn: &mut Turn<'_, '_, L>, uri: &str) -> Result<TopicState, L::Error> {
        match turn.ledger.topic(uri)? {
            Some(state) => Ok(state),
            None => turn.ledger.add_topic(uri),
        }
    }

    /// The options of a topic, by any spelling of its URI.
    fn options_of(&self, uri: &str) -> Option<&TopicOptions> {
        self.options.topic(uri)
    }
}
