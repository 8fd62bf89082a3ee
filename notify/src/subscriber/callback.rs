//! Requests to a callback: verifications of intent, denials, and deliveries.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use resourcesync::{
    diagnostic::{Reason, ReasonCode},
    source::discovery::{links, resolve},
};

use super::{
    Found, FoundCode, Output, Phase, Pull, Subscriber, Turn, Why,
    record::{ChannelRecord, Lease, Mode},
    renew::VERIFICATION,
};
use crate::{
    exchange::{Body, Headers, Reply, Request},
    form::Form,
    interval::Chain,
    lease,
    rules::SIGNATURE_HEADER,
    signature::{Algorithm, SignatureError, verify},
};

/// The maximum length of a challenge in bytes.
const CHALLENGE: usize = 1 << 10;
/// The maximum number of bytes stored of a hub's reason.
const REASON: usize = 256;

/// The response for a path without a subscription.
const UNKNOWN: &str = "unknown: there is no such subscription\n";

impl Subscriber {
    /// The response to a request.
    pub(super) fn request(&mut self, turn: &mut Turn<'_, '_>, request: Request) -> Reply {
        // The segment cannot be guessed, so the path before it, which a proxy may have changed, is ignored.
        let token = request.path.rsplit('/').next().unwrap_or_default().to_string();
        let is_there = self.channels.get(&token).map(|own| own.phase);
        match (&*request.method, is_there) {
            ("GET", Some(_)) => self.verification(turn, &token, &request.query),
            ("GET", None) => Reply::text(404, UNKNOWN),
            // A hub ends the subscription.
            ("POST", None | Some(Phase::Gone)) => Reply::text(410, UNKNOWN),
            ("POST", Some(_)) => self.delivery(turn, &token, request),
            _ => {
                let reply = Reply::text(405, "method: a callback answers GET and POST\n");
                Reply { headers: reply.headers.with("Allow", "GET, POST"), ..reply }
            }
        }
    }

    /// A hub verifies the intent of a request, or denies it.
    fn verification(&mut self, turn: &mut Turn<'_, '_>, token: &str, query: &[u8]) -> Reply {
        let unknown = || Reply::text(404, "unknown: nothing was requested that this would confirm\n");
        let Ok(query) = Form::read(query) else { return unknown() };
        let Some(own) = self.channels.get(token) else { return unknown() };
        if query.last("hub.topic") != Some(&own.topic) {
            return unknown();
        }
        let mode = query.last("hub.mode");
        if mode == Some("denied") {
            let reason = query.last("hub.reason").unwrap_or_default();
            let printable = |character: char| if character.is_control() { ' ' } else { character };
            let text: String = reason.chars().map(printable).take(REASON).collect();
            let none = text.trim().is_empty();
            let reason = if none { Reason::new(ReasonCode::NoHubReason) } else { Reason::other(text) };
            self.denied(turn, token, reason);
            return Reply::text(200, "");
        }
        let challenge = query.last("hub.challenge").filter(|text| (1..=CHALLENGE).contains(&text.len()));
        let now = turn.now();
        let confirms = |own: &ChannelRecord| {
            let request = own.request.as_ref().filter(|request| now.since(request.sent) <= VERIFICATION)?;
            (mode == Some(request.mode.as_str())).then_some(request.mode)
        };
        let Some((mode, challenge)) = confirms(own).zip(challenge) else { return unknown() };
        let reply = Reply::text(200, challenge);
        match mode {
            Mode::Subscribe => self.confirmed(turn, token, query.last("hub.lease_seconds")),
            Mode::Unsubscribe if own.phase != Phase::Gone => self.end(turn, token),
            Mode::Unsubscribe => {}
        }
        reply
    }

    /// A hub confirmed a subscription, possibly repeatedly.
    fn confirmed(&mut self, turn: &mut Turn<'_, '_>, token: &str, said: Option<&str>) {
        let now = turn.now();
        let lease = lease::planned(said, self.options.lease);
        let renewal = lease::renewal(lease, turn.moment.bytes());
        let Some(own) = self.channels.get_mut(token) else { return };
        let was_live = own.phase == Phase::Active && own.is_live(now);
        let Some(request) = &mut own.request else { return };
        let is_first = request.confirmed.is_none();
        request.confirmed.get_or_insert(now);
        let secret = request.secret.clone();
        if is_first {
            own.retire_secret(now.after(VERIFICATION));
        }
        own.lease = Some(Lease { secret, until: now.after(lease) });
        (own.phase, own.failures, own.is_waiting, own.poll) = (Phase::Active, 0, false, None);
        own.next = now.after(renewal);
        turn.keep_channel(token);
        if !is_first {
            return;
        }
        let (set, from, replaced) = (own.set(), own.chain.until().cloned(), own.replaces.take());
        if !was_live {
            // Changes made without a subscription are pulled; the next notification starts the chain.
            (own.chain, own.gap) = (Chain::default(), None);
            own.held.clear();
            turn.outputs.push(Output::Pull(Pull { set, from, until: None, why: Why::Subscribed }));
        }
        turn.outputs.extend(self.changed(token, None));
        if let Some(replaced) = replaced {
            self.leave(turn, &replaced);
        }
    }

    /// A delivery from a hub.
    fn delivery(&mut self, turn: &mut Turn<'_, '_>, token: &str, request: Request) -> Reply {
        let most = self.options.body_bytes;
        let body = match request.body {
            Body::Stalled => return Reply::text(408, "timeout: the body stopped coming\n"),
            Body::Whole(body) if body.len() <= most => body,
            _ => return Reply::text(413, &format!("length: a notification has {most} bytes at most\n")),
        };
        let Some(own) = self.channels.get(token) else { return Reply::text(410, UNKNOWN) };
        let (topic, hub) = (own.topic.clone(), own.hub.clone());
        if let Err(error) = self.authentic(turn, own, &request.headers, &body) {
            let found =
                Found::new(FoundCode::Unsigned, &hub).arg("topic", topic).arg("problem", error.to_string()).of(token);
            turn.outputs.push(Output::Found(found));
            // With 202, a hub with a wrong secret cannot detect it; with 403, it retries.
            return if self.options.drop_unsigned { accepted() } else { Reply::text(403, "signature: not accepted\n") };
        }
        // WebSub §7: the links of a delivery never choose its subscription.
        let own = links(request.headers.all("link"), &topic).filter(|link| link.rels.iter().any(|rel| rel == "self"));
        if let Some(other) = own.filter_map(|link| resolve(&topic, &link.target)).find(|own| *own != topic) {
            turn.outputs.push(Output::Found(Found::new(FoundCode::OtherTopic, &topic).arg("value", other).of(token)));
        }
        self.receive(turn, token, body);
        accepted()
    }

    /// Verifies a delivery against every valid secret.
    fn authentic(
        &self,
        turn: &Turn<'_, '_>,
        own: &ChannelRecord,
        headers: &Headers,
        body: &[u8],
    ) -> Result<(), SignatureError> {
        let now = turn.now();
        // A subscription confirmed without a secret has none until another request is confirmed.
        if own.lease.as_ref().is_some_and(|lease| lease.secret.is_none()) {
            return Ok(());
        }
        let active = own.lease.as_ref().and_then(|lease| lease.secret.as_deref());
        let previous = own.previous.as_ref().filter(|old| old.until >= now).map(|old| &*old.secret);
        let requested = own.request.as_ref().and_then(|request| request.secret.as_deref());
        let mut secrets: Vec<&str> = [active, previous, requested].into_iter().flatten().collect();
        secrets.dedup();
        let allowed = Algorithm::ALL.get(usize::from(!self.options.allow_sha1)..).unwrap_or_default();
        let check = |secret: &&str| verify(secret.as_bytes(), headers.all(SIGNATURE_HEADER), body, allowed);
        let results = secrets.iter().map(check);
        let first = results.reduce(|one, other| one.or(other)).unwrap_or(Err(SignatureError::Missing));
        first.map(|_| ())
    }
}

/// The response to a stored delivery.
fn accepted() -> Reply {
    Reply { status: 202, headers: Headers::default(), body: Vec::new() }
}
