//! Requests to hubs, their responses, and retries.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::time::Duration;

use resourcesync::{
    diagnostic::{Reason, ReasonCode},
    source::discovery::resolve,
    value::to_hex,
};

use super::{
    Found, FoundCode, Output, Phase, Pull, Subscriber, Turn, Why,
    record::{Advert, ChannelRecord, Mode, RequestRecord, token},
    search::Call,
};
use crate::{
    exchange::{Answer, Headers, Method, Outgoing},
    form::Form,
    publisher::reason,
    retry::{Schedule, retry_after},
    rules::{FORM_TYPE, HUB_MOVED, REDIRECTS},
};

/// The maximum time for the verification by a hub.
pub(super) const VERIFICATION: Duration = Duration::from_secs(600);
/// The polling interval of a Source whose hub is unreliable.
const POLL: Duration = Duration::from_secs(900);
/// Consecutive failures after which a hub is unreliable.
const FAILURES: u32 = 3;
/// The number of failures that a denial counts as, so that the next request follows hours later.
const DENIAL: u32 = 6;
/// The most failures that requests count as which were not sent, since the user has not allowed them: the next one follows a minute later.
const WITHHELD: u32 = 2;
/// A hub is suspect if a pull finds changes and its last delivery is older than this multiple of the usual
/// interval.
const SILENCE: u64 = 3;
/// The assumed interval between two deliveries if it is unknown, in milliseconds.
const USUAL: u64 = 3_600_000;
/// The maximum number of bytes read from a hub's response, which contains its reason.
const REASON_BYTES: usize = 1 << 10;

impl Subscriber {
    pub(super) fn answered(&mut self, turn: &mut Turn<'_, '_>, id: u64, answer: Result<Answer, Reason>) {
        match (self.open.remove(&id), answer) {
            (Some(Call::Discover(step)), answer) => self.discovered(turn, step, answer),
            (Some(Call::Hub { token, uri, hops }), Ok(answer)) => self.hub_answered(turn, &token, &uri, hops, &answer),
            (Some(Call::Hub { token, .. }), Err(reason)) => self.failed(turn, &token, reason, None),
            (None, _) => {}
        }
    }

    /// Subscribes to a channel or continues the existing subscription; returns its token.
    pub(super) fn subscribe(
        &mut self,
        turn: &mut Turn<'_, '_>,
        source: &str,
        advert: &Advert,
        (topic, hub): (&str, &str),
    ) -> String {
        let is_own = |own: &ChannelRecord| {
            own.topic == topic && own.hub == hub && !matches!(own.phase, Phase::Leaving | Phase::Gone)
        };
        let known = self.channels.iter().find(|(_, own)| is_own(own)).map(|(token, _)| token.clone());
        if let Some(token) = known {
            if let Some(own) = self.channels.get_mut(&token).filter(|own| own.capability_list != advert.capability_list)
            {
                own.capability_list.clone_from(&advert.capability_list);
                turn.keep_channel(&token);
            }
            self.secure(turn, &token);
            return token;
        }
        self.begin(turn, ChannelRecord::new(advert, source, topic, hub, turn.now()))
    }

    /// Renews a subscription that has no secret, if it may have one now.
    fn secure(&mut self, turn: &mut Turn<'_, '_>, token: &str) {
        let allows = self.options.allow_http;
        let is_open = |own: &&ChannelRecord| {
            let may_have_secret = allows || is_https(own.endpoint());
            may_have_secret && !own.is_waiting && own.lease.as_ref().is_some_and(|lease| lease.secret.is_none())
        };
        if self.channels.get(token).filter(is_open).is_some() {
            self.ask(turn, token, Mode::Subscribe);
        }
    }

    pub(super) fn rotate(&mut self, turn: &mut Turn<'_, '_>, channel: &str) {
        let Some(old) = self.channels.get(channel) else { return };
        if matches!(old.phase, Phase::Leaving | Phase::Gone) {
            return;
        }
        let own = old.again(channel, turn.now());
        self.begin(turn, own);
    }

    fn begin(&mut self, turn: &mut Turn<'_, '_>, own: ChannelRecord) -> String {
        let token = token(turn.moment.bytes());
        self.channels.insert(token.clone(), own);
        self.ask(turn, &token, Mode::Subscribe);
        let is_signed = self.channels.get(&token).and_then(|own| own.request.as_ref()?.secret.as_ref()).is_some();
        let changed = self.changed(&token, (!is_signed).then(|| Reason::new(ReasonCode::NoSecret)));
        turn.outputs.extend(changed);
        token
    }

    pub(super) fn unfollow(&mut self, turn: &mut Turn<'_, '_>, uri: &str) {
        self.sources.remove(uri);
        self.searches.remove(uri);
        turn.keep_source(uri);
        let own = self.channels.iter().filter(|(_, own)| own.source == uri).map(|(token, _)| token.clone());
        let left: Vec<String> = own.collect();
        if !left.is_empty() {
            left.iter().for_each(|token| self.leave(turn, token));
            self.search_others(turn, uri);
        }
    }

    /// Ends a subscription.
    pub(super) fn leave(&mut self, turn: &mut Turn<'_, '_>, token: &str) {
        let now = turn.now();
        let Some(own) = self.channels.get_mut(token) else { return };
        if matches!(own.phase, Phase::Leaving | Phase::Gone) {
            return;
        }
        own.phase = Phase::Leaving;
        (own.failures, own.next, own.poll, own.gap) = (0, now, None, None);
        own.held.clear();
        self.ask(turn, token, Mode::Unsubscribe);
        turn.outputs.extend(self.changed(token, None));
    }

    /// Sends a request to the hub of a channel.
    fn ask(&mut self, turn: &mut Turn<'_, '_>, token: &str, mode: Mode) {
        let now = turn.now();
        let Some(own) = self.channels.get_mut(token) else { return };
        let may_have_secret = mode == Mode::Subscribe && (self.options.allow_http || is_https(own.endpoint()));
        // A retry of a request has the same secret, because the hub may confirm the previous attempt.
        let again = own.request.take().filter(|request| request.mode == mode && request.confirmed.is_none());
        let secret = again.and_then(|request| request.secret);
        let secret = may_have_secret.then(|| secret.unwrap_or_else(|| to_hex(&turn.moment.bytes::<32>())));
        let request = RequestRecord { mode, secret, sent: now, is_accepted: false, confirmed: None };
        (own.request, own.is_waiting, own.next) = (Some(request), true, now.after(VERIFICATION));
        turn.keep_channel(token);
        let uri = own.endpoint().to_string();
        self.ask_at(turn, token, uri, 0);
    }

    /// Sends the newest request of a channel to a URI.
    fn ask_at(&mut self, turn: &mut Turn<'_, '_>, token: &str, uri: String, hops: u8) {
        let Some(own) = self.channels.get(token) else { return };
        let Some(request) = &own.request else { return };
        let (callback, lease) = (format!("{}{token}", self.options.callback), self.options.lease.as_secs().to_string());
        let mut pairs =
            Vec::from([("hub.callback", &*callback), ("hub.mode", request.mode.as_str()), ("hub.topic", &*own.topic)]);
        pairs.extend((request.mode == Mode::Subscribe).then_some(("hub.lease_seconds", &*lease)));
        pairs.extend(request.secret.as_deref().map(|secret| ("hub.secret", secret)));
        let body = Form::write(pairs).into_bytes();
        let headers = Headers::default().with("Content-Type", FORM_TYPE);
        let outgoing = Outgoing { method: Method::Post, uri: uri.clone(), headers, body, most: REASON_BYTES };
        self.send(turn, Call::Hub { token: token.to_string(), uri, hops }, outgoing);
    }

    fn hub_answered(&mut self, turn: &mut Turn<'_, '_>, token: &str, uri: &str, hops: u8, answer: &Answer) {
        let Some(own) = self.channels.get_mut(token) else { return };
        let status = answer.status;
        if HUB_MOVED.contains(&status) {
            let target = match target(answer, uri, hops) {
                Ok(target) => target,
                Err(reason) => return self.failed(turn, token, reason, None),
            };
            if status == 308 {
                own.moved = Some(target.clone());
                turn.keep_channel(token);
            }
            return self.ask_at(turn, token, target, hops.saturating_add(1));
        }
        if (200..=299).contains(&status) {
            // The verification is outstanding or has already arrived.
            if let Some(request) = &mut own.request {
                request.is_accepted = true;
                turn.keep_channel(token);
            }
            return;
        }
        let is_temporary = matches!(status, 408 | 429 | 500..=599);
        // A hub without this subscription need not end it; another refusal leaves it as it is.
        if own.phase == Phase::Leaving && matches!(status, 404 | 410) {
            return self.end(turn, token);
        }
        let wait = answer.headers.first("retry-after").and_then(|value| retry_after(value, turn.now()));
        let reason = reason(answer);
        if !is_temporary {
            let found = Found::new(FoundCode::Denied, &own.hub).arg("hub", &*own.hub).arg("topic", &*own.topic);
            turn.outputs.push(Output::Found(found.arg("reason", reason.clone()).of(token)));
        }
        self.failed(turn, token, reason, wait);
    }

    /// Handles a failed request.
    fn failed(&mut self, turn: &mut Turn<'_, '_>, token: &str, reason: Reason, wait: Option<Duration>) {
        let now = turn.now();
        let Some(own) = self.channels.get_mut(token) else { return };
        if own.phase == Phase::Gone || !own.is_waiting {
            return;
        }
        own.is_waiting = false;
        own.failures = own.failures.saturating_add(1);
        let failures = if is_withheld(&reason) { own.failures.min(WITHHELD) } else { own.failures };
        own.next = now.after(Schedule::SUBSCRIBE.wait(failures, wait, turn.moment.bytes()));
        turn.keep_channel(token);
        if own.phase == Phase::Leaving && !own.is_live(now) {
            return self.end(turn, token);
        }
        if own.failures >= FAILURES && matches!(own.phase, Phase::Requested | Phase::Active) {
            return self.suspect(turn, token, reason);
        }
        turn.outputs.extend(self.changed(token, Some(reason)));
    }

    /// Marks the hub as unreliable.
    fn suspect(&mut self, turn: &mut Turn<'_, '_>, token: &str, reason: Reason) {
        let now = turn.now();
        let Some(own) = self.channels.get_mut(token) else { return };
        own.phase = Phase::Suspect;
        own.poll = Some(now);
        turn.keep_channel(token);
        // The Source may have changed its hub.
        if let Some(source) = self.sources.get_mut(&own.source) {
            source.next = now;
            turn.dirty.insert((super::Record::Source, own.source.clone()));
        }
        let found = Found::new(FoundCode::Suspect, &own.hub).arg("hub", &*own.hub).arg("topic", &*own.topic);
        let found = found.arg("reason", reason.clone()).of(token);
        turn.outputs.push(Output::Found(found));
        turn.outputs.extend(self.changed(token, Some(reason)));
        self.poll(turn, token);
    }

    /// Handles the denial of a subscription, which may be active.
    pub(super) fn denied(&mut self, turn: &mut Turn<'_, '_>, token: &str, reason: Reason) {
        let now = turn.now();
        let Some(own) = self.channels.get_mut(token) else { return };
        if own.phase == Phase::Leaving {
            return self.end(turn, token);
        }
        own.retire_secret(now.after(VERIFICATION));
        (own.phase, own.lease, own.is_waiting) = (Phase::Denied, None, false);
        own.failures = own.failures.saturating_add(1).max(DENIAL);
        own.next = now.after(Schedule::SUBSCRIBE.wait(own.failures, None, turn.moment.bytes()));
        own.poll = Some(now);
        turn.keep_channel(token);
        let found = Found::new(FoundCode::Denied, &own.hub).arg("hub", &*own.hub).arg("topic", &*own.topic);
        let found = found.arg("reason", reason.clone()).of(token);
        turn.outputs.push(Output::Found(found));
        turn.outputs.extend(self.changed(token, Some(reason)));
        self.poll(turn, token);
    }

    /// Ends a subscription. It is kept for some time, because a hub that missed the response repeats its
    /// verification.
    pub(super) fn end(&mut self, turn: &mut Turn<'_, '_>, token: &str) {
        let now = turn.now();
        let Some(own) = self.channels.get_mut(token) else { return };
        (own.phase, own.lease, own.previous, own.is_waiting) = (Phase::Gone, None, None, false);
        (own.next, own.poll, own.gap) = (now.after(VERIFICATION), None, None);
        turn.keep_channel(token);
        turn.outputs.extend(self.changed(token, None));
    }

    /// Performs due work of a channel: requests, retries, renewals, removal.
    pub(super) fn advance(&mut self, turn: &mut Turn<'_, '_>, token: &str) {
        let now = turn.now();
        let (is_under_way, is_lost) = (self.is_under_way(token), self.is_lost(token));
        let Some(own) = self.channels.get_mut(token).filter(|own| own.next <= now || is_lost) else { return };
        own.is_waiting &= !is_lost;
        match own.phase {
            Phase::Gone => {
                self.channels.remove(token);
                turn.keep_channel(token);
            }
            // A slow driver must not be mistaken for a slow hub.
            _ if is_under_way => {
                own.next = now.after(VERIFICATION);
                turn.keep_channel(token);
            }
            _ if own.is_waiting => {
                let reason = Reason::new(ReasonCode::NotVerified).arg("n", VERIFICATION.as_secs());
                self.failed(turn, token, reason, None);
            }
            Phase::Leaving => self.ask(turn, token, Mode::Unsubscribe),
            _ => self.ask(turn, token, Mode::Subscribe),
        }
    }

    fn is_under_way(&self, token: &str) -> bool {
        self.open.values().any(|call| matches!(call, Call::Hub { token: own, .. } if own == token))
    }

    /// True for a request of a previous process: it is unknown whether the hub received it.
    pub(super) fn is_lost(&self, token: &str) -> bool {
        let Some(own) = self.channels.get(token) else { return false };
        let is_open = own.request.as_ref().is_some_and(|request| !request.is_accepted && request.confirmed.is_none());
        own.is_waiting && is_open && !self.is_under_way(token)
    }

    /// Polls the Source of a channel with an unreliable hub.
    pub(super) fn poll(&mut self, turn: &mut Turn<'_, '_>, token: &str) {
        let now = turn.now();
        let Some(own) = self.channels.get_mut(token) else { return };
        let Some(_) = own.poll.filter(|poll| *poll <= now) else { return };
        own.poll = Some(now.after(POLL));
        let (set, from) = (own.set(), own.chain.until().cloned());
        turn.keep_channel(token);
        turn.outputs.push(Output::Pull(Pull { set, from, until: None, why: Why::Safety }));
    }

    pub(super) fn pulled(&mut self, turn: &mut Turn<'_, '_>, set: &str, is_news: bool) {
        let now = turn.now();
        let is_silent = |own: &ChannelRecord| {
            let since = own.last_push.max(own.request.as_ref().and_then(|request| request.confirmed));
            let most = Duration::from_millis(own.usual.unwrap_or(USUAL).saturating_mul(SILENCE));
            own.phase == Phase::Active && own.set() == set && since.is_some_and(|since| now.since(since) > most)
        };
        let silent = self.channels.iter().filter(|(_, own)| is_news && is_silent(own)).map(|(token, _)| token.clone());
        for token in silent.collect::<Vec<_>>() {
            if let Some(own) = self.channels.get_mut(&token) {
                // A renewal shows whether the hub still has the subscription.
                (own.next, own.is_waiting) = (now, false);
            }
            self.suspect(turn, &token, Reason::new(ReasonCode::NotAnnounced));
            self.advance(turn, &token);
        }
    }
}

/// The redirect target of a hub.
fn target(answer: &Answer, uri: &str, hops: u8) -> Result<String, Reason> {
    if hops >= REDIRECTS {
        return Err(Reason::new(ReasonCode::RedirectLoop));
    }
    let location = answer.headers.first("location");
    let location = location.ok_or_else(|| Reason::new(ReasonCode::NoLocation).arg("status", answer.status))?;
    match resolve(uri, location) {
        None => Err(Reason::new(ReasonCode::RedirectTarget).arg("uri", location)),
        // A secret intended for TLS is not sent without it.
        Some(target) if is_https(uri) && !is_https(&target) => {
            Err(Reason::new(ReasonCode::Downgrade).arg("uri", target))
        }
        Some(target) => Ok(target),
    }
}

/// True if a request was not sent, since the user has not allowed it.
fn is_withheld(reason: &Reason) -> bool {
    matches!(reason.code, ReasonCode::PrivateAddress | ReasonCode::OtherHost | ReasonCode::OtherPort)
}

fn is_https(uri: &str) -> bool {
    uri.get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:"))
}
