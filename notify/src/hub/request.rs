//! Subscription requests: checked, recorded, and answered before anything is verified (W §5.1).

use alloc::{
    format,
    string::{String, ToString},
    sync::Arc,
};
use core::time::Duration;

use super::{CallbackRefusal, Event, EventKind, HostPort, Hub, Ledger, Mode, Pending, Secret, Turn, turn::too_many};
use crate::{
    exchange::Reply,
    form::{Form, FormError},
    lease,
    moment::Timestamp,
    rules::{ACCEPTED_REQUEST, HUB_MOVED, SECRET_BYTES},
};

/// Maximum requests waiting for their verification.
const PENDING: u64 = 10_000;

/// Why a request for a host is refused. Its owner may be the victim of others, who name it.
const HOST_LIMITED: &str = "too many requests for this host; `hub lift` exempts it";

/// A request that was understood.
struct Wish {
    mode: Mode,
    topic: String,
    callback: String,
    host: HostPort,
    secret: Option<Secret>,
    lease: Duration,
}

/// Why a request was not understood.
enum Refusal {
    Malformed(Reply),
    /// The callback is not allowed as written.
    Callback(CallbackRefusal, String),
    Topic,
}

impl Hub {
    /// Replies to a form: a subscription request or a ping.
    pub(super) fn form<L: Ledger>(
        &mut self,
        turn: &mut Turn<'_, '_, L>,
        client: &str,
        body: &[u8],
    ) -> Result<Reply, L::Error> {
        if let Some(moved) = &self.options.moved_to {
            let [_, permanent] = HUB_MOVED;
            let reply = Reply::text(permanent, "moved: this hub has moved\n");
            return Ok(Reply { headers: reply.headers.with("Location", moved.clone()), ..reply });
        }
        let now = turn.moment.now;
        if let Err(wait) = self.rates.client(now, client) {
            return Ok(too_many(wait));
        }
        if let Some(topic) = pinged(body) {
            return Ok(self.ping(turn, &topic));
        }
        let wish = match self.understand(body) {
            Ok(wish) => wish,
            Err(Refusal::Malformed(reply)) => return Ok(reply),
            Err(Refusal::Callback(why, callback)) => return Ok(not_allowed(turn, why, &callback)),
            Err(Refusal::Topic) => {
                let reply = Reply::text(403, "unknown-topic: this hub does not have this topic\n");
                turn.event(Event::new(EventKind::UnknownTopic).detail("subscription request"));
                return Ok(reply);
            }
        };
        let host = wish.host.to_string();
        if turn.ledger.is_denied(&host)? {
            return Ok(not_allowed(turn, CallbackRefusal::Denied, &wish.callback));
        }
        let state = Hub::state(turn, &wish.topic)?;
        let active = turn.ledger.find_subscription(state.id, &wish.callback)?;
        let accepted = Reply::text(ACCEPTED_REQUEST, "accepted: the callback will be verified\n");
        if active.is_none() {
            if wish.mode == Mode::Unsubscribe && !turn.ledger.is_pending(state.id, &wish.callback)? {
                // Nothing would change, so nobody is called.
                return Ok(Reply::text(404, "not-subscribed: this callback has no subscription to this topic\n"));
            }
            if let Err(wait) = self.rates.host(now, &host) {
                let event = Event::new(EventKind::HostLimited).topic(&wish.topic);
                turn.event(event.callback_at(&host, &wish.callback).detail(HOST_LIMITED));
                return Ok(too_many(wait));
            }
        }
        if turn.ledger.count_pending()? >= PENDING {
            return Ok(too_many(Duration::from_secs(60)));
        }
        let mut pending = Pending {
            nonce: 0,
            topic: state.id,
            callback: wish.callback,
            host,
            mode: wish.mode,
            secret: wish.secret,
            lease: wish.lease,
            challenge: Secret(Arc::default()),
            attempt: 0,
            created: now,
            sent: now,
            next: now,
        };
        pending.nonce = turn.ledger.add_pending(&pending)?;
        self.verify(turn, pending, &state.uri)?;
        Ok(accepted)
    }

    fn understand(&self, body: &[u8]) -> Result<Wish, Refusal> {
        let form = Form::read(body).map_err(|error| match error {
            FormError::TooLong => Refusal::Malformed(Reply::text(413, "too-large: the form exceeds the limit\n")),
            error => bad("form", &error),
        })?;
        let once = |name: &str| form.once(name).map_err(|error| bad("form", &error));
        let needed = |name: &str| once(name)?.ok_or_else(|| bad("missing", &format!("`{name}` is required")));
        let mode = match needed("hub.mode")? {
            "subscribe" => Mode::Subscribe,
            "unsubscribe" => Mode::Unsubscribe,
            _ => return Err(bad("mode", &"`hub.mode` is neither subscribe nor unsubscribe")),
        };
        let (topic, callback) = (needed("hub.topic")?, needed("hub.callback")?);
        let (secret, seconds) = (once("hub.secret")?, once("hub.lease_seconds")?);
        if secret.is_some_and(|secret| secret.len() >= SECRET_BYTES) {
            return Err(bad("secret", &format!("`hub.secret` has {SECRET_BYTES} bytes or more")));
        }
        let refused = |why| Refusal::Callback(why, callback.to_string());
        let host = self.options.callbacks.check(callback).map_err(refused)?;
        if HostPort::of(&self.options.public_uri).is_some_and(|own| own == host) {
            return Err(refused(CallbackRefusal::Hub));
        }
        let topic = self.options_of(topic).ok_or(Refusal::Topic)?;
        Ok(Wish {
            mode,
            topic: topic.uri.clone(),
            callback: callback.to_string(),
            host,
            secret: secret.filter(|secret| !secret.is_empty()).map(|secret| Secret(secret.into())),
            lease: self.lease(seconds),
        })
    }

    /// The granted lease: the requested one within the bounds.
    fn lease(&self, seconds: Option<&str>) -> Duration {
        let bounds = self.options.lease;
        seconds.and_then(lease::read).map_or(bounds.default, |wanted| wanted.clamp(bounds.min, bounds.max))
    }
}

/// The topic of a ping (`hub.mode=publish`), which older publishers call `hub.url`.
fn pinged(body: &[u8]) -> Option<String> {
    let form = Form::read(body).ok()?;
    if form.once("hub.mode").ok()? != Some("publish") {
        return None;
    }
    let topic = form.once("hub.topic").ok()?.or(form.once("hub.url").ok()?);
    Some(topic.unwrap_or_default().to_string())
}

/// A rejected parameter, with the reason as the first word.
fn bad(word: &str, why: &dyn core::fmt::Display) -> Refusal {
    Refusal::Malformed(Reply::text(400, &format!("{word}: {why}\n")))
}

fn not_allowed<L: Ledger>(turn: &mut Turn<'_, '_, L>, refusal: CallbackRefusal, callback: &str) -> Reply {
    turn.event(Event::new(EventKind::NotAllowed).callback(callback).detail(refusal.as_str()));
    let status = if refusal == CallbackRefusal::Length || refusal == CallbackRefusal::Scheme { 400 } else { 403 };
    Reply::text(status, &format!("callback-address: {}\n", refusal.as_str()))
}

/// The time at which a pending request is dropped.
pub(super) fn pending_until(pending: &Pending) -> Timestamp {
    pending.created.after(Duration::from_secs(300))
}
