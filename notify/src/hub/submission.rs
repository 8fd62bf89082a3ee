//! Payloads of Sources: authenticated, validated, and stored before they are accepted (CN and FN §4.1).

use alloc::{
    format,
    string::{String, ToString},
};

use resourcesync::{diagnostic::Severity, report::Report, value::to_hex};
use sha2::{Digest, Sha256};

use super::{
    Accepted, Event, EventKind, Hub, Ledger, Output, TopicOptions, Turn,
    admission::{Claim, not_allowed},
    fetches::Sent,
    turn::{refused, too_many, whole},
};
use crate::{
    exchange::{Body, Headers, Reply},
    interval::Place,
    payload::{Channel, Payload},
    rules::ACCEPTED_PAYLOAD,
};

/// Maximum findings in the reply to an invalid payload.
const FINDINGS: usize = 5;

impl Hub {
    /// Replies to a payload, or later, if the topic has to be fetched first.
    pub(super) fn submission<L: Ledger>(
        &mut self,
        turn: &mut Turn<'_, '_, L>,
        id: u64,
        headers: &Headers,
        body: Body,
    ) -> Result<Option<Reply>, L::Error> {
        let links = match self.options.links(headers) {
            Ok(links) => links,
            Err(reply) => return Ok(Some(refused(turn, None, reply))),
        };
        let Some(options) = self.options_of(&links.topic).cloned() else {
            turn.event(Event::new(EventKind::UnknownTopic).detail("payload"));
            let reply = Reply::text(404, "unknown-topic: this hub does not have this topic\n");
            return Ok(Some(refused(turn, None, reply)));
        };
        let claim = match self.options.claim(&options, headers) {
            Ok(claim) => claim,
            Err(reply) => return Ok(Some(refused(turn, Some(&options.uri), reply))),
        };
        let body = match whole(body) {
            Ok(body) => body,
            Err(reply) => return Ok(Some(reply)),
        };
        if claim == Claim::Signature && !self.options.is_signed(&options, headers, &body) {
            return Ok(Some(refused(turn, Some(&options.uri), not_allowed())));
        }
        if let Err(wait) = self.rates.topic(turn.moment.now, &options.uri) {
            return Ok(Some(refused(turn, Some(&options.uri), too_many(wait))));
        }
        let content_type = headers.first("content-type").unwrap_or_default().to_string();
        let sent = Sent { content_type, capability_list: links.capability_list, body };
        if options.proof {
            return Ok(self.prove(turn, id, &options, sent));
        }
        self.accept(turn, &options, sent).map(Some)
    }

    /// Validates and stores a payload.
    pub(super) fn accept<L: Ledger>(
        &mut self,
        turn: &mut Turn<'_, '_, L>,
        options: &TopicOptions,
        sent: Sent,
    ) -> Result<Reply, L::Error> {
        let mut state = Hub::state(turn, &options.uri)?;
        let digest = to_hex(&Sha256::digest(&sent.body));
        if turn.ledger.find_payload(state.id, &digest)?.is_some() {
            turn.event(Event::new(EventKind::Repeated).topic(&options.uri));
            return Ok(Reply::text(ACCEPTED_PAYLOAD, "accepted: received before\n"));
        }
        let interval = match Payload::read(sent.body.clone(), options.kind) {
            Ok(payload) => payload.interval().filter(|_| payload.channel() == Channel::ChangeNotification).cloned(),
            Err(_) if options.accept_invalid => None,
            Err(rejected) => return Ok(refused(turn, Some(&options.uri), invalid(&rejected.report))),
        };
        if let (Some(interval), Some(until)) = (&interval, state.chain.until()) {
            let kind = match state.chain.place(Some(interval), &digest) {
                Place::Early => Some(EventKind::Gap),
                Place::Overlaps | Place::Stale | Place::Late => Some(EventKind::Overlap),
                Place::Follows | Place::Repeats => None,
            };
            let detail = format!("the last one reaches until {until}, this one begins at {}", interval.from);
            turn.outputs.extend(kind.map(|kind| Output::Event(Event::new(kind).topic(&options.uri).detail(detail))));
        }
        state.chain.accept(interval.as_ref(), &digest);
        state.head = state.head.saturating_add(1);
        let accepted = Accepted {
            seq: state.head,
            digest,
            content_type: sent.content_type,
            capability_list: sent.capability_list,
            received: turn.moment.now,
            body: sent.body.into(),
        };
        turn.ledger.append(state.id, &accepted)?;
        turn.ledger.put_topic(&state)?;
        turn.event(Event::new(EventKind::Accepted).topic(&options.uri).detail(format!("payload {}", state.head)));
        turn.outputs.push(Output::Wake { topic: state.id });
        Ok(Reply::text(ACCEPTED_PAYLOAD, "accepted: recorded\n"))
    }
}

/// The reply to an invalid payload: its first errors.
fn invalid(report: &Report) -> Reply {
    let errors = report.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    let mut text = String::from("payload: not a valid notification\n");
    for found in errors.take(FINDINGS) {
        let place = found.span.as_ref().map(|span| format!(" line {} column {}", span.start.line, span.start.column));
        text.push_str(&format!("{}{}: {}\n", found.code, place.unwrap_or_default(), found.message));
    }
    Reply::text(422, &text)
}
