//! Deliveries: in order for each subscription, repeated until they succeed or are given up (W §7, CN and FN §4.3).

use alloc::format;

use super::{
    DeadLetter, Event, EventKind, Exchange, Hub, Ledger, Outbound, Output, Subscription, Turn, ledger::DeadReason,
    masked::masked_at,
};
use crate::{
    exchange::{Answer, Headers, Method},
    retry::{retry_after, wait},
    rules::SIGNATURE_HEADER,
    signature::sign,
    topic::links,
};

/// Statuses by which a subscriber refuses a payload, and how many of them are final.
const REFUSALS: ([u16; 4], u32) = ([400, 413, 415, 422], 5);
/// The status of a callback that wants no more deliveries.
const GONE: u16 = 410;

impl Hub {
    /// Sends the next payload of a subscription, if it is due.
    pub(super) fn turn<L: Ledger>(&mut self, turn: &mut Turn<'_, '_, L>, id: u64) -> Result<(), L::Error> {
        let now = turn.moment.now;
        let Some(mut own) = turn.ledger.subscription(id)? else { return Ok(()) };
        let Some(topic) = turn.ledger.topic_head(own.topic)? else { return Ok(()) };
        if own.lease_until <= now {
            return Hub::end(turn, own, DeadReason::LeaseOver);
        }
        if topic.is_paused || self.options_of(&topic.uri).is_none() {
            return Ok(());
        }
        if let Some(at) = own.retry_at.filter(|at| *at > now) {
            turn.outputs.push(Output::Ready { subscription: own.id, host: own.host, at });
            return Ok(());
        }
        let Some(payload) = turn.ledger.payload_after(own.topic, own.cursor)? else { return Ok(()) };
        let first = own.cursor.saturating_add(1);
        if payload.seq > first {
            let last = payload.seq.saturating_sub(1);
            dead_letter(turn, &own, (first, last), DeadReason::Expired)?;
            own.advance(last);
            turn.ledger.put_subscription(&own)?;
        }
        let links = links(&topic.uri, [&*self.options.public_uri], payload.capability_list.as_deref());
        let mut headers = Headers::default().with("Content-Type", &*payload.content_type).with("Link", links);
        if let Some(secret) = &own.secret {
            let host = own.host.rsplit_once(':').map_or(&*own.host, |(host, _)| host);
            let other = self.options.host_signatures.iter().find(|(name, _)| name.eq_ignore_ascii_case(host));
            let algorithm = other.map_or(self.options.signature, |(_, algorithm)| *algorithm);
            headers = headers.with(SIGNATURE_HEADER, sign(algorithm, secret.0.as_bytes(), &payload.body));
        }
        let exchange = Exchange::Delivery { subscription: own.id, seq: payload.seq };
        let body = payload.body.clone();
        let request = Outbound { method: Method::Post, uri: own.callback, headers, body, most: 0 };
        turn.outputs.push(Output::Send { exchange, request });
        Ok(())
    }

    /// A callback responded to a delivery.
    pub(super) fn delivered<L: Ledger>(
        &mut self,
        turn: &mut Turn<'_, '_, L>,
        id: u64,
        seq: u64,
        answer: &Answer,
    ) -> Result<(), L::Error> {
        let Some(mut own) = current(turn, id, seq)? else { return Ok(()) };
        own.last_status = Some(answer.status);
        match answer.status {
            200..=299 => {
                own.advance(seq);
                turn.ledger.put_subscription(&own)?;
                let event = Event::new(EventKind::Delivered)
                    .callback_at(&own.host, &own.callback)
                    .detail(format!("payload {seq}"));
                turn.event(event);
                ready(turn, own)
            }
            GONE => Hub::end(turn, own, DeadReason::Gone),
            status => {
                let requested = answer.headers.first("retry-after").and_then(|text| retry_after(text, turn.moment.now));
                let (statuses, most) = REFUSALS;
                own.refusals = if statuses.contains(&status) { own.refusals.saturating_add(1) } else { 0 };
                let is_refused = own.refusals >= most;
                self.failed(turn, own, seq, &format!("status {status}"), requested, is_refused)
            }
        }
    }

    /// A callback did not respond to a delivery.
    pub(super) fn undelivered<L: Ledger>(
        &mut self,
        turn: &mut Turn<'_, '_, L>,
        id: u64,
        seq: u64,
        reason: &str,
    ) -> Result<(), L::Error> {
        let Some(mut own) = current(turn, id, seq)? else { return Ok(()) };
        (own.last_status, own.refusals) = (None, 0);
        self.failed(turn, own, seq, reason, None, false)
    }

    /// Plans another attempt, or gives the payload up. The subscription stays until the end of its lease.
    fn failed<L: Ledger>(
        &mut self,
        turn: &mut Turn<'_, '_, L>,
        mut own: Subscription,
        seq: u64,
        reason: &str,
        requested: Option<core::time::Duration>,
        is_refused: bool,
    ) -> Result<(), L::Error> {
        let now = turn.moment.now;
        let since = *own.failing_since.get_or_insert(now);
        own.failures = own.failures.saturating_add(1);
        let event = Event::new(EventKind::Failed).callback_at(&own.host, &own.callback);
        turn.event(event.detail(format!("payload {seq}, attempt {}: {reason}", own.failures)));
        let is_over = now.since(since) >= self.options.retries.give_up;
        if is_refused || is_over {
            let why = if is_refused { DeadReason::Rejected } else { DeadReason::GivenUp };
            dead_letter(turn, &own, (seq, seq), why)?;
            own.advance(seq);
        } else {
            let wait = wait(&self.options.retries.schedule, own.failures, requested, turn.moment.bytes());
            own.retry_at = Some(now.after(wait));
        }
        turn.ledger.put_subscription(&own)?;
        ready(turn, own)
    }

    /// Ends a subscription.
    pub(super) fn end<L: Ledger>(
        turn: &mut Turn<'_, '_, L>,
        own: Subscription,
        reason: DeadReason,
    ) -> Result<(), L::Error> {
        let topic = turn.ledger.topic_by_id(own.topic)?;
        let head = topic.as_ref().map_or(own.cursor, |topic| topic.head);
        if head > own.cursor {
            dead_letter(turn, &own, (own.cursor.saturating_add(1), head), reason)?;
        }
        let event = Event::new(EventKind::Ended).callback_at(&own.host, &own.callback).detail(reason.as_str());
        turn.event(topic.map_or(event.clone(), |topic| event.topic(&topic.uri)));
        turn.ledger.remove_subscription(own.id)
    }
}

/// The subscription of a delivery, unless its cursor was moved by others.
fn current<L: Ledger>(turn: &mut Turn<'_, '_, L>, id: u64, seq: u64) -> Result<Option<Subscription>, L::Error> {
    let Some(own) = turn.ledger.subscription(id)? else { return Ok(None) };
    let next = turn.ledger.payload_after(own.topic, own.cursor)?;
    if next.is_some_and(|next| next.seq == seq) || own.cursor.saturating_add(1) == seq {
        return Ok(Some(own));
    }
    ready(turn, own)?;
    Ok(None)
}

/// Reports a subscription that lacks a payload.
fn ready<L: Ledger>(turn: &mut Turn<'_, '_, L>, own: Subscription) -> Result<(), L::Error> {
    let topic = turn.ledger.topic_head(own.topic)?;
    if topic.is_some_and(|topic| topic.head > own.cursor && !topic.is_paused) {
        let at = own.retry_at.unwrap_or(turn.moment.now);
        turn.outputs.push(Output::Ready { subscription: own.id, host: own.host, at });
    }
    Ok(())
}

fn dead_letter<L: Ledger>(
    turn: &mut Turn<'_, '_, L>,
    own: &Subscription,
    (first, last): (u64, u64),
    reason: DeadReason,
) -> Result<(), L::Error> {
    let event = Event::new(EventKind::DeadLetter).callback_at(&own.host, &own.callback);
    let payloads = if first == last { format!("payload {first}") } else { format!("payloads {first} to {last}") };
    turn.event(event.detail(format!("{payloads}: {}", reason.as_str())));
    turn.ledger.dead_letter(&DeadLetter {
        subscription: own.id,
        topic: own.topic,
        callback: masked_at(&own.host, &own.callback),
        first,
        last,
        reason,
        status: own.last_status,
        at: turn.moment.now,
    })
}
