//! The order of notifications: the next one is passed on, early ones are held, and missing ones are pulled.

use alloc::{string::ToString, vec::Vec};
use core::time::Duration;

use resourcesync::value::Datetime;

use super::{
    Found, FoundCode, Notice, Output, Pull, Reread, RereadDocument, Subscriber, Turn, Why,
    record::{ChannelRecord, Held},
};
use crate::{
    changes::Changes,
    interval::{Interval, Place},
    moment::Timestamp,
    payload::{Channel, Payload},
};

/// The maximum time that notifications are held while one is missing.
const PATIENCE: Duration = Duration::from_secs(60);
/// The maximum number of held notifications, and of their bytes.
const HELD: (usize, usize) = (64, 8 << 20);
/// The maximum time by which an interval may extend into the future, because of clock and time zone
/// differences.
const FUTURE: Duration = Duration::from_secs(86_400);

impl Subscriber {
    /// Handles a verified delivery.
    pub(super) fn receive(&mut self, turn: &mut Turn<'_, '_>, token: &str, body: Vec<u8>) {
        let now = turn.now();
        let Some(own) = self.channels.get_mut(token) else { return };
        let (payload, changes) = match Payload::with_changes(body, own.kind) {
            Ok(read) => read,
            Err(rejected) => {
                let mut found =
                    Found::new(FoundCode::Invalid, &own.topic).arg("problem", rejected.to_string()).of(token);
                found.report = Some(rejected.report);
                turn.outputs.push(Output::Found(found));
                turn.outputs.push(own.pull(None, Why::Invalid));
                return;
            }
        };
        let interval = payload.interval().cloned().filter(|_| own.kind == Channel::ChangeNotification);
        let until = interval.as_ref().map(|interval| &interval.until);
        if let Some(until) = until.filter(|until| Timestamp::from(*until) > now.after(FUTURE)) {
            let found = Found::new(FoundCode::Future, &own.topic).arg("until", until.to_string()).of(token);
            turn.outputs.extend([Output::Found(found), own.pull(None, Why::Invalid)]);
            return;
        }
        if let Some(Interval { from, .. }) = &interval {
            self.catch_up(now, token, from);
        }
        let Some(own) = self.channels.get_mut(token) else { return };
        let place = own.chain.place(interval.as_ref(), payload.digest());
        if matches!(place, Place::Follows | Place::Overlaps | Place::Early)
            && self.has_another(now, token, interval.as_ref(), payload.digest())
        {
            let Some(own) = self.channels.get_mut(token) else { return };
            own.pushed(now);
            own.chain.accept(interval.as_ref(), payload.digest());
            turn.keep_channel(token);
            return self.drain(turn, token);
        }
        let Some(own) = self.channels.get_mut(token) else { return };
        match (place, interval) {
            (Place::Repeats, _) => return,
            // An earlier one, delivered again; unless it ends where the last one does, or the last one was ahead of the clock.
            (Place::Stale, Some(Interval { until, .. }))
                if own
                    .chain
                    .until()
                    .is_none_or(|last| until.start() < last.start() && Timestamp::from(last) <= now) =>
            {
                return;
            }
            (Place::Late | Place::Stale, interval) => {
                let until = interval.map(|interval| interval.until);
                turn.outputs.push(own.pull(until, Why::Gap));
                return;
            }
            (Place::Early, Some(interval)) => {
                if own.held.iter().any(|held| held.digest == payload.digest()) {
                    return;
                }
                own.pushed(now);
                self.hold(turn, token, interval, payload);
            }
            (place, interval) => {
                own.pushed(now);
                // Whatever was announced between the subscription and the first notification that arrives is missing.
                let is_first = own.chain.until().is_none();
                let confirmed = own.request.as_ref().and_then(|request| request.confirmed);
                let from = interval.as_ref().map(|interval| interval.from.clone()).filter(|_| is_first);
                if from.as_ref().zip(confirmed).is_some_and(|(from, confirmed)| Timestamp::from(from) > confirmed) {
                    turn.outputs.push(own.pull(from, Why::Gap));
                }
                self.pass_on(turn, token, &place, interval, (payload, changes));
                self.drain(turn, token);
            }
        }
        turn.keep_channel(token);
    }

    /// True if another hub of the topic has delivered this notification, or a later one.
    fn has_another(&self, now: Timestamp, token: &str, interval: Option<&Interval>, digest: &str) -> bool {
        let others = self.others(now, token);
        others.map(|own| own.chain.place(interval, digest)).any(|place| matches!(place, Place::Repeats | Place::Stale))
    }

    /// The channels of the same topic at other hubs, unless they are ahead of the clock.
    fn others(&self, now: Timestamp, token: &str) -> impl Iterator<Item = &ChannelRecord> {
        let topic = self.channels.get(token).map(|own| own.topic.clone());
        let others =
            self.channels.iter().filter(move |(other, own)| *other != token && Some(&own.topic) == topic.as_ref());
        others
            .map(|(_, own)| own)
            .filter(move |own| own.chain.until().is_none_or(|until| Timestamp::from(until) <= now))
    }

    /// Continues where another hub of the topic has delivered what is missing here before a moment.
    fn catch_up(&mut self, now: Timestamp, token: &str, from: &Datetime) {
        let is_before = |own: &ChannelRecord| own.chain.until().is_some_and(|until| until.start() < from.start());
        let is_late = self.channels.get(token).is_some_and(is_before);
        let has_more = |own: &ChannelRecord| own.chain.until().is_some() && !is_before(own);
        if is_late
            && self.others(now, token).any(has_more)
            && let Some(own) = self.channels.get_mut(token)
        {
            own.chain.skip_to(from.clone());
        }
    }

    /// Passes a notification on.
    fn pass_on(
        &mut self,
        turn: &mut Turn<'_, '_>,
        token: &str,
        place: &Place,
        interval: Option<Interval>,
        (payload, changes): (Payload, Changes),
    ) {
        let Some(own) = self.channels.get_mut(token) else { return };
        if let (Place::Overlaps, Some(interval), Some(until)) = (place, &interval, own.chain.until()) {
            let found = Found::new(FoundCode::Overlap, &own.topic).arg("expected", until.to_string());
            turn.outputs.push(Output::Found(found.arg("from", interval.from.to_string()).of(token)));
        }
        own.chain.accept(interval.as_ref(), payload.digest());
        let documents = match payload.channel() {
            Channel::ChangeNotification => Vec::new(),
            Channel::FrameworkNotification => documents(&changes),
        };
        let (set, source) = (own.set(), own.source.clone());
        let (topic, capability_list) = (own.topic.clone(), own.capability_list.clone());
        let notice =
            Notice { channel: token.to_string(), source: source.clone(), topic, capability_list, payload, changes };
        turn.outputs.push(Output::Notified(notice));
        if documents.is_empty() {
            return;
        }
        // These documents add and remove channels.
        let is_above = |document: &RereadDocument| ["capabilitylist", "description"].contains(&&*document.capability);
        if documents.iter().any(is_above)
            && let Some(record) = self.sources.get_mut(&source)
        {
            record.next = turn.now();
            turn.keep_source(&source);
        }
        turn.outputs.push(Output::Reread(Reread { set, documents }));
    }

    /// Holds a notification until its predecessors have arrived.
    fn hold(&mut self, turn: &mut Turn<'_, '_>, token: &str, interval: Interval, payload: Payload) {
        let now = turn.now();
        let Some(own) = self.channels.get_mut(token) else { return };
        let held = Held {
            interval,
            digest: payload.digest().to_string(),
            entries: payload.entries(),
            text: payload.into_text(),
        };
        let order = |held: &Held| (held.interval.from.start(), held.interval.until.start());
        let at = own.held.partition_point(|other| order(other) <= order(&held));
        own.held.insert(at, held);
        own.gap.get_or_insert(now.after(PATIENCE));
        let bytes: usize = own.held.iter().map(|held| held.text.len()).fold(0, usize::saturating_add);
        if own.held.len() > HELD.0 || bytes > HELD.1 {
            own.gap = Some(now);
            self.close_gap(turn, token);
        }
    }

    /// Stops waiting for missing notifications if the time is over.
    pub(super) fn close_gap(&mut self, turn: &mut Turn<'_, '_>, token: &str) {
        let now = turn.now();
        let Some(own) = self.channels.get_mut(token) else { return };
        if own.gap.is_none_or(|gap| gap > now) {
            return;
        }
        own.gap = None;
        turn.keep_channel(token);
        self.drain(turn, token);
        let Some(own) = self.channels.get_mut(token) else { return };
        own.gap = None;
        let Some(from) = own.held.first().map(|held| held.interval.from.clone()) else { return };
        let mut found = Found::new(FoundCode::Gap, &own.topic).arg("from", from.to_string()).of(token);
        found.args.extend(own.chain.until().map(|until| ("expected".to_string(), until.to_string().into())));
        turn.outputs.extend([Output::Found(found), own.pull(Some(from.clone()), Why::Gap)]);
        own.chain.skip_to(from);
        self.drain(turn, token);
    }

    /// Passes on held notifications that are next in order.
    fn drain(&mut self, turn: &mut Turn<'_, '_>, token: &str) {
        loop {
            let first = self.channels.get(token).and_then(|own| own.held.first());
            if let Some(from) = first.map(|held| held.interval.from.clone()) {
                self.catch_up(turn.now(), token, &from);
            }
            let Some(own) = self.channels.get_mut(token) else { return };
            let Some(first) = own.held.first() else {
                own.gap = None;
                return;
            };
            let place = own.chain.place(Some(&first.interval), &first.digest);
            if place == Place::Early {
                let until = turn.now().after(PATIENCE);
                own.gap.get_or_insert(until);
                return;
            }
            let Held { interval, digest, entries, text } = own.held.remove(0);
            if matches!(place, Place::Follows | Place::Overlaps) {
                let payload = Payload::restore(own.kind, Some(interval.clone()), entries, digest, text);
                let changes = Changes::read(payload.bytes());
                self.pass_on(turn, token, &place, Some(interval), (payload, changes));
            }
        }
    }
}

impl ChannelRecord {
    fn pull(&self, until: Option<Datetime>, why: Why) -> Output {
        Output::Pull(Pull { set: self.set(), from: self.chain.until().cloned(), until, why })
    }

    /// Updates the usual interval between notifications.
    fn pushed(&mut self, now: Timestamp) {
        if let Some(last) = self.last_push {
            let passed = u64::try_from(now.since(last).as_millis()).unwrap_or(u64::MAX);
            let usual = self.usual.unwrap_or(passed);
            self.usual = Some((usual.saturating_mul(3).saturating_add(passed) / 4).max(1_000));
        }
        self.last_push = Some(now);
    }
}

/// The documents listed in a Framework Notification.
fn documents(changes: &Changes) -> Vec<RereadDocument> {
    let document = |entry: resourcesync::api::plain::Entry| {
        let index =
            entry.links.into_iter().find(|link| link.rel.as_deref() == Some("index")).and_then(|link| link.href);
        RereadDocument {
            uri: entry.uri,
            capability: entry.capability.unwrap_or_default(),
            change: entry.change.unwrap_or_default(),
            index,
        }
    };
    changes.plain().into_iter().map(document).collect()
}
