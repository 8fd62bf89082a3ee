//! Verification of intent: the callback confirms a request by returning a challenge (W §5.3).

use alloc::{
    string::{String, ToString},
    sync::Arc,
};
use core::time::Duration;

use super::{
    Event, EventKind, Exchange, Hub, Ledger, Mode, Outbound, Output, Pending, Secret, Sent, Subscription, Turn,
    ledger::DeadReason, request::pending_until,
};
use crate::{
    exchange::{Answer, Headers, Method},
    form::Form,
    retry::retry_after,
};

/// Maximum bytes read of the response to a verification. A challenge has 43.
const RESPONSE: usize = 1 << 10;
/// The time after which an attempt without an outcome is repeated: its exchange was lost in a restart.
const LOST: Duration = Duration::from_secs(90);
/// Waits after attempts without a response.
const WAITS: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(60)];
/// Why a request is dropped whose host was denied after it.
const DENIED: &str = "the host was denied";
/// Maximum attempts of one verification: the first, and one after each wait.
const ATTEMPTS: u32 = 3;

impl Hub {
    /// Sends the verification of a request, or leaves it for later if there are too many.
    pub(super) fn verify<L: Ledger>(
        &mut self,
        turn: &mut Turn<'_, '_, L>,
        mut pending: Pending,
        topic: &str,
    ) -> Result<(), L::Error> {
        let now = turn.moment.now;
        if let Err(wait) = self.rates.verification(now) {
            pending.next = now.after(wait);
            turn.ledger.put_pending(&pending)?;
            return Hub::wait(turn);
        }
        pending.attempt = pending.attempt.saturating_add(1);
        pending.challenge = Secret(challenge(turn.moment.bytes()).into());
        (pending.sent, pending.next) = (now, now.after(LOST));
        let lease = pending.lease.as_secs().to_string();
        let own = [("hub.mode", pending.mode.as_str()), ("hub.topic", topic), ("hub.challenge", &pending.challenge.0)];
        let lease = (pending.mode == Mode::Subscribe).then_some(("hub.lease_seconds", &*lease));
        let query = Form::write(own.into_iter().chain(lease));
        turn.outputs.push(Output::Send {
            exchange: Exchange::Verification { nonce: pending.nonce, attempt: pending.attempt },
            request: get(&pending.callback, &query),
        });
        turn.ledger.put_pending(&pending)
    }

    /// A callback responded to a verification.
    pub(super) fn verified<L: Ledger>(
        &mut self,
        turn: &mut Turn<'_, '_, L>,
        nonce: u64,
        attempt: u32,
        answer: &Answer,
    ) -> Result<(), L::Error> {
        let Some(pending) = current(turn, nonce, attempt)? else { return Ok(()) };
        let requested = answer.headers.first("retry-after").and_then(|value| retry_after(value, turn.moment.now));
        if let (503, Some(wait)) = (answer.status, requested) {
            return self.again(turn, pending, Some(wait), "status 503", true);
        }
        turn.ledger.remove_pending(nonce)?;
        let is_success = (200..=299).contains(&answer.status);
        if !is_success || answer.body != pending.challenge.0.as_bytes() {
            let wrong = if is_success { ", but the body is not the challenge" } else { "" };
            let detail = alloc::format!("status {}{wrong}", answer.status);
            return event(turn, EventKind::Unverified, &pending, &detail);
        }
        let Some(topic) = turn.ledger.topic_by_id(pending.topic)? else { return Ok(()) };
        if pending.mode == Mode::Subscribe && turn.ledger.is_denied(&pending.host)? {
            turn.outputs.push(Hub::denial(&pending.callback, &topic.uri, ""));
            return event(turn, EventKind::Unverified, &pending, DENIED);
        }
        let active = turn.ledger.find_subscription(pending.topic, &pending.callback)?;
        match (pending.mode, active) {
            (Mode::Subscribe, active) => {
                let lease_until = pending.sent.after(pending.lease);
                let own = match active {
                    // A renewal keeps its place.
                    Some(own) => Subscription { secret: pending.secret, lease_until, ..own },
                    None => Subscription {
                        id: 0,
                        topic: pending.topic,
                        callback: pending.callback.into(),
                        host: pending.host.into(),
                        secret: pending.secret,
                        lease_until,
                        cursor: topic.head,
                        failures: 0,
                        refusals: 0,
                        failing_since: None,
                        retry_at: None,
                        last_status: None,
                    },
                };
                turn.event(Event::new(EventKind::Subscribed).topic(&topic.uri).callback_at(&own.host, &own.callback));
                match own.id {
                    0 => turn.ledger.add_subscription(&own).map(drop),
                    _ => turn.ledger.put_subscription(&own),
                }
            }
            (Mode::Unsubscribe, Some(own)) => Hub::end(turn, own, DeadReason::Unsubscribed),
            (Mode::Unsubscribe, None) => Ok(()),
        }
    }

    /// A callback did not respond to a verification.
    pub(super) fn unverified<L: Ledger>(
        &mut self,
        turn: &mut Turn<'_, '_, L>,
        nonce: u64,
        attempt: u32,
        reason: &str,
        sent: Sent,
    ) -> Result<(), L::Error> {
        let Some(pending) = current(turn, nonce, attempt)? else { return Ok(()) };
        // The answer to the client does not show it, so it is shown to the operator at once.
        if sent == Sent::NotAllowed && attempt == 1 {
            event(turn, EventKind::NotAllowed, &pending, reason)?;
        }
        self.again(turn, pending, None, reason, sent == Sent::Maybe)
    }

    /// Plans another attempt, or drops the request.
    ///
    /// A callback without a subscription receives one request only: it may belong to somebody who never asked for it.
    fn again<L: Ledger>(
        &mut self,
        turn: &mut Turn<'_, '_, L>,
        mut pending: Pending,
        requested: Option<Duration>,
        reason: &str,
        is_sent: bool,
    ) -> Result<(), L::Error> {
        let may_repeat = !is_sent || turn.ledger.find_subscription(pending.topic, &pending.callback)?.is_some();
        let at = usize::try_from(pending.attempt.saturating_sub(1)).unwrap_or(usize::MAX);
        let next = WAITS.get(at).map(|wait| turn.moment.now.after(requested.unwrap_or(*wait)));
        match next.filter(|next| may_repeat && *next < pending_until(&pending)) {
            Some(next) => {
                pending.next = next;
                turn.ledger.put_pending(&pending)?;
                Hub::wait(turn)
            }
            None => {
                event(turn, EventKind::Unverified, &pending, reason)?;
                turn.ledger.remove_pending(pending.nonce)
            }
        }
    }

    /// Repeats verifications that are due, and drops those that took too long.
    pub(super) fn verify_due<L: Ledger>(&mut self, turn: &mut Turn<'_, '_, L>, most: usize) -> Result<(), L::Error> {
        let now = turn.moment.now;
        for pending in turn.ledger.pending_due(now, most)? {
            let topic = turn.ledger.topic_by_id(pending.topic)?;
            let may_send = pending.attempt < ATTEMPTS && now < pending_until(&pending);
            let is_denied = turn.ledger.is_denied(&pending.host)?;
            match topic.filter(|topic| may_send && !is_denied && self.options_of(&topic.uri).is_some()) {
                Some(topic) => self.verify(turn, pending, &topic.uri)?,
                None => {
                    event(turn, EventKind::Unverified, &pending, if is_denied { DENIED } else { "no outcome" })?;
                    turn.ledger.remove_pending(pending.nonce)?;
                }
            }
        }
        Ok(())
    }

    /// Tells a subscriber that its subscription was denied; sent once.
    pub(super) fn denial(callback: &str, topic: &str, reason: &str) -> Output {
        let own = [("hub.mode", "denied"), ("hub.topic", topic)];
        let reason = (!reason.is_empty()).then_some(("hub.reason", reason));
        let query = Form::write(own.into_iter().chain(reason));
        Output::Send { exchange: Exchange::Denial, request: get(callback, &query) }
    }
}

/// The request that an attempt belongs to, unless it was replaced or attempted again.
fn current<L: Ledger>(turn: &mut Turn<'_, '_, L>, nonce: u64, attempt: u32) -> Result<Option<Pending>, L::Error> {
    Ok(turn.ledger.pending(nonce)?.filter(|pending| pending.attempt == attempt))
}

/// Reports what became of a request.
fn event<L: Ledger>(turn: &mut Turn<'_, '_, L>, kind: EventKind, own: &Pending, reason: &str) -> Result<(), L::Error> {
    let event = Event::new(kind).callback_at(&own.host, &own.callback).detail(reason);
    let topic = turn.ledger.topic_by_id(own.topic)?;
    turn.event(topic.map_or(event.clone(), |topic| event.topic(&topic.uri)));
    Ok(())
}

/// A GET of a callback with our parameters after its own, which stay as they are.
fn get(callback: &str, query: &str) -> Outbound {
    let separator = match callback.split_once('?') {
        None => "?",
        Some((_, own)) if own.is_empty() || own.ends_with('&') => "",
        Some(_) => "&",
    };
    let uri = alloc::format!("{callback}{separator}{query}");
    Outbound { method: Method::Get, uri: uri.into(), headers: Headers::default(), body: Arc::default(), most: RESPONSE }
}

/// 256 bits as 43 characters of base64url.
fn challenge(bytes: [u8; 32]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let letter = |sixth: u32| char::from(*LETTERS.get(usize::try_from(sixth & 63).unwrap_or(0)).unwrap_or(&b'A'));
    let group = |three: &[u8]| {
        let bits = three.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
        // The last two bytes make three characters.
        let (bits, count) = if three.len() == 3 { (bits, 4_u32) } else { (bits << 8, 3) };
        (0..count).map(|at| letter(bits >> 18_u32.saturating_sub(at.saturating_mul(6)))).collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_is_base64url_without_padding() {
        assert_eq!(challenge([0; 32]), "A".repeat(43));
        assert_eq!(challenge([255; 32]), alloc::format!("{}8", "_".repeat(42)));
        assert_eq!(challenge(*b"0123456789abcdef0123456789abcdef"), "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY");
    }

    #[test]
    fn our_parameters_follow_those_of_the_callback() {
        for (callback, uri) in [
            ("https://me.example/rs", "https://me.example/rs?q"),
            ("https://me.example/rs?", "https://me.example/rs?q"),
            ("https://me.example/rs?b=2&a=1", "https://me.example/rs?b=2&a=1&q"),
            ("https://me.example/rs?a=1&", "https://me.example/rs?a=1&q"),
        ] {
            assert_eq!(&*get(callback, "q").uri, uri);
        }
    }
}
