//! Fetches of topics: after a ping, and as the proof that a payload is from its Source.

use alloc::{
    format,
    string::{String, ToString},
    sync::Arc,
};
use core::time::Duration;

use resourcesync::value::key;

use super::{
    Exchange, Hub, Ledger, Outbound, Output, TopicOptions, Turn,
    admission::{is_encoded, media_type},
    fetches::{Fetch, Purpose, Sent},
    turn::{refused, too_many},
};
use crate::{
    exchange::{Answer, Headers, Method, Reply},
    rules::{ACCEPTED_REQUEST, PAYLOAD_TYPE},
};

/// Maximum bytes of a topic, as of a payload.
const TOPIC: usize = 8 << 20;
/// Maximum payloads that wait for their proof.
const PROOFS: usize = 32;
/// The time after which a fetch without an outcome is forgotten.
const PATIENCE: Duration = Duration::from_secs(60);

impl Hub {
    /// Replies to a ping; the topic is fetched afterwards.
    pub(super) fn ping<L: Ledger>(&mut self, turn: &mut Turn<'_, '_, L>, topic: &str) -> Reply {
        let Some(options) = self.options_of(topic).filter(|options| options.thin).cloned() else {
            let reply = Reply::text(403, "unknown-topic: this hub does not fetch this topic\n");
            return refused(turn, None, reply);
        };
        // Anybody can ping, so pings do not count as payloads of the Source.
        if let Err(wait) = self.rates.topic(turn.moment.now, &format!("ping {}", options.uri)) {
            return refused(turn, Some(&options.uri), too_many(wait));
        }
        let accepted = Reply::text(ACCEPTED_REQUEST, "accepted: the topic will be fetched\n");
        for fetch in self.fetches.open.values_mut().filter(|fetch| fetch.topic == options.uri) {
            if let Purpose::Ping { again } = &mut fetch.purpose {
                *again = true;
                return accepted;
            }
        }
        self.fetch(turn, &options, Purpose::Ping { again: false });
        accepted
    }

    /// Fetches the topic of a payload before it is accepted. Returns the reply if it is not.
    pub(super) fn prove<L: Ledger>(
        &mut self,
        turn: &mut Turn<'_, '_, L>,
        request: u64,
        options: &TopicOptions,
        sent: Sent,
    ) -> Option<Reply> {
        let waiting = self.fetches.open.values().filter(|fetch| matches!(fetch.purpose, Purpose::Proof { .. }));
        if waiting.count() >= PROOFS {
            return Some(refused(turn, Some(&options.uri), too_many(PATIENCE)));
        }
        self.fetch(turn, options, Purpose::Proof { request, sent });
        None
    }

    fn fetch<L: Ledger>(&mut self, turn: &mut Turn<'_, '_, L>, options: &TopicOptions, purpose: Purpose) {
        self.fetches.last = self.fetches.last.saturating_add(1);
        let mut headers = Headers::default().with("Accept", PAYLOAD_TYPE);
        if let (Purpose::Ping { .. }, Some(etag)) = (&purpose, self.fetches.etags.get(&options.uri)) {
            headers = headers.with("If-None-Match", etag.clone());
        }
        let uri = options.uri.clone();
        turn.outputs.push(Output::Send {
            exchange: Exchange::Topic { fetch: self.fetches.last },
            request: Outbound {
                method: Method::Get,
                uri: uri.as_str().into(),
                headers,
                body: Arc::default(),
                most: TOPIC,
            },
        });
        self.fetches.open.insert(self.fetches.last, Fetch { topic: uri, since: turn.moment.now, purpose });
    }

    /// The server of a topic responded.
    pub(super) fn fetched<L: Ledger>(
        &mut self,
        turn: &mut Turn<'_, '_, L>,
        fetch: u64,
        answer: Answer,
    ) -> Result<(), L::Error> {
        let is_proof = self.fetches.open.get(&fetch).is_some_and(|own| matches!(own.purpose, Purpose::Proof { .. }));
        if is_proof && matches!(answer.status, 408 | 429 | 500..=599) {
            self.unfetched(turn, fetch, &format!("its server answered {}", answer.status));
            return Ok(());
        }
        let Some(fetch) = self.fetches.open.remove(&fetch) else { return Ok(()) };
        let Some(options) = self.options_of(&fetch.topic).cloned() else { return Ok(()) };
        let etag = answer.headers.first("etag").map(ToString::to_string);
        let is_unchanged = answer.status == 304 && self.fetches.etags.contains_key(&options.uri);
        match fetch.purpose {
            Purpose::Ping { again } => {
                if !is_unchanged {
                    let reply = match self.content(&options, answer) {
                        Ok(sent) => self.accept(turn, &options, sent)?,
                        Err(reply) => refused(turn, Some(&options.uri), reply),
                    };
                    match etag.filter(|_| reply.status == 200) {
                        Some(etag) => self.fetches.etags.insert(options.uri.clone(), etag),
                        None => self.fetches.etags.remove(&options.uri),
                    };
                }
                if again {
                    self.fetch(turn, &options, Purpose::Ping { again: false });
                }
            }
            Purpose::Proof { request, sent } => {
                let reply = match self.content(&options, answer) {
                    Ok(own) if own.body == sent.body => self.accept(turn, &options, sent)?,
                    Ok(_) => differs(turn, &options, "the topic has other bytes"),
                    Err(reply) => {
                        let why = String::from_utf8_lossy(&reply.body).trim_end().to_string();
                        differs(turn, &options, &why)
                    }
                };
                turn.outputs.push(Output::Reply { id: request, reply });
            }
        }
        Ok(())
    }

    /// The server of a topic did not respond.
    pub(super) fn unfetched<L: Ledger>(&mut self, turn: &mut Turn<'_, '_, L>, fetch: u64, reason: &str) {
        let Some(fetch) = self.fetches.open.remove(&fetch) else { return };
        let reply = Reply::text(503, &format!("topic: it could not be fetched: {reason}\n"));
        let reply = refused(turn, Some(&fetch.topic), reply);
        if let Purpose::Proof { request, .. } = fetch.purpose {
            // The reason would describe the network of the hub to a client.
            let reply = Reply { body: b"topic: it could not be fetched\n".to_vec(), ..reply };
            let reply = Reply { headers: reply.headers.with("Retry-After", "60"), ..reply };
            turn.outputs.push(Output::Reply { id: request, reply });
        }
    }

    /// Ends fetches whose outcome was lost.
    pub(super) fn end_fetches<L: Ledger>(&mut self, turn: &mut Turn<'_, '_, L>) {
        let now = turn.moment.now;
        let lost = self.fetches.open.iter().filter(|(_, fetch)| now.since(fetch.since) >= PATIENCE);
        for fetch in lost.map(|(fetch, _)| *fetch).collect::<alloc::vec::Vec<_>>() {
            self.unfetched(turn, fetch, "no outcome");
        }
    }

    /// The payload in a response, if it is the topic and names this hub.
    fn content(&self, options: &TopicOptions, answer: Answer) -> Result<Sent, Reply> {
        if answer.status != 200 {
            return Err(Reply::text(422, &format!("topic: its server answered {}\n", answer.status)));
        }
        if answer.body.len() > TOPIC {
            return Err(Reply::text(413, "too-large: the topic exceeds the limit\n"));
        }
        if is_encoded(&answer.headers) {
            return Err(Reply::text(415, "content-encoding: the topic is encoded although nothing was negotiated\n"));
        }
        let content_type = answer.headers.first("content-type").unwrap_or_default().to_string();
        if media_type(Some(&content_type)) != PAYLOAD_TYPE {
            return Err(Reply::text(415, &format!("content-type: the topic must have {PAYLOAD_TYPE}\n")));
        }
        let links = self.options.links(&answer.headers)?;
        if key(&links.topic) != options.key {
            return Err(Reply::text(400, "link-self: the topic names another one\n"));
        }
        Ok(Sent { content_type, capability_list: links.capability_list, body: answer.body })
    }
}

/// The reply to a payload that its topic does not confirm.
fn differs<L: Ledger>(turn: &mut Turn<'_, '_, L>, options: &TopicOptions, why: &str) -> Reply {
    refused(turn, Some(&options.uri), Reply::text(403, &format!("proof: {why}\n")))
}
