//! Events as values: one line of JSON each, for programs, and their text for people.

use std::{collections::BTreeSet, net::SocketAddr};

use resourcesync::report::{Lang, json_line};
use resourcesync_client::notify::now;
use resourcesync_notify::{
    catalogue,
    listener::Trigger,
    moment::Timestamp,
    subscriber::{Found, Notice, Output, Pull, Reread, StateChange},
};
use resourcesync_sync::report::Report;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::text;
use crate::{arguments::ListenFormat, outputs::print};

/// An event.
pub(super) struct Event {
    /// True if a program or a file must receive it.
    is_durable: bool,
    fields: Map<String, Value>,
    /// The changes of a notification, only for programs and files.
    changes: Option<Value>,
    text: Box<dyn Fn(Lang) -> String>,
}

impl Event {
    fn new(time: Timestamp, fields: Value, text: impl Fn(Lang) -> String + 'static) -> Event {
        let mut stated = Map::new();
        if let Value::Object(fields) = fields {
            stated.extend(fields.into_iter().filter(|(_, value)| !value.is_null()));
        }
        stated.insert("time".to_owned(), time.to_string().into());
        Event { is_durable: false, fields: stated, changes: None, text: Box::new(text) }
    }

    /// The event that an output of the subscriber is.
    pub(super) fn of(output: &Output, time: Timestamp, has_consumer: bool) -> Option<Event> {
        let durable = |event| Event { is_durable: true, ..event };
        match output {
            Output::Notified(notice) => Some(durable(notified(notice, time, has_consumer))),
            Output::Pull(pull) => Some(durable(missed(pull, time))),
            Output::Reread(reread) => Some(durable(read_again(reread, time))),
            Output::Changed(change) => Some(changed(change, time)),
            Output::Found(found) => Some(finding(found, time)),
            _ => None,
        }
    }

    /// The line for a program or a file, without line break; `None` if they do not receive it.
    pub(super) fn line(&self) -> Option<String> {
        let mut fields = self.fields.clone();
        fields.extend(self.changes.iter().map(|changes| ("changes".to_owned(), changes.clone())));
        self.is_durable.then(|| json_line(&fields).unwrap_or_default().trim_end().to_owned())
    }
}

fn notified(notice: &Notice, time: Timestamp, has_consumer: bool) -> Event {
    let payload = &notice.payload;
    let interval = payload.interval().map(|interval| (interval.from.to_string(), interval.until.to_string()));
    let (from, until) = interval.clone().unzip();
    let fields = json!({
        "event": "notified", "channel": payload.channel().as_str(), "topic": notice.topic, "source": notice.source,
        "set": notice.capability_list, "from": from, "until": until, "entries": payload.entries(),
    });
    let (channel, entries) = (payload.channel(), payload.entries());
    let event = Event::new(time, fields, move |lang| text::notified(channel, entries, interval.as_ref(), lang));
    let changes = has_consumer.then(|| serde_json::to_value(notice.changes.plain()).unwrap_or_default());
    Event { changes, ..event }
}

/// A value as the fields of an event.
fn named(event: &str, value: impl Serialize) -> Value {
    let mut fields = serde_json::to_value(value).unwrap_or_default();
    if let Value::Object(fields) = &mut fields {
        fields.insert("event".to_owned(), event.into());
    }
    fields
}

fn missed(pull: &Pull, time: Timestamp) -> Event {
    let shown = pull.clone();
    Event::new(time, named("pull", pull), move |lang| text::missed(&shown, lang))
}

fn read_again(reread: &Reread, time: Timestamp) -> Event {
    let documents = reread.documents.clone();
    Event::new(time, named("reread", reread), move |lang| text::read_again(&documents, lang))
}

/// The callback is not shown: whoever knows it can send notifications if they are not signed.
fn changed(change: &StateChange, time: Timestamp) -> Event {
    let fields = json!({
        "event": "subscription", "channel": change.kind.as_str(), "topic": change.topic, "source": change.source,
        "hub": change.hub, "phase": change.phase, "until": change.until, "reason": change.reason,
    });
    let change = change.clone();
    Event::new(time, fields, move |lang| text::changed(&change, lang))
}

fn finding(found: &Found, time: Timestamp) -> Event {
    let severity = catalogue::severity(found.code.as_str());
    let fields = json!({
        "event": "finding", "code": found.code.as_str(), "severity": severity.to_string(), "uri": found.uri,
        "message": found.message(Lang::En), "report": found.report,
    });
    let found = found.clone();
    Event::new(time, fields, move |lang| text::finding(severity, &found, lang))
}

/// The callbacks are served.
pub(super) fn listening(address: SocketAddr) -> Event {
    let fields = json!({ "event": "listening", "address": address.to_string() });
    Event::new(now(), fields, move |lang| text::listening(address, lang))
}

/// The copy was synchronized.
pub(super) fn pulled(why: &BTreeSet<Trigger>, report: &Report, time: Timestamp) -> Event {
    let why: Vec<&str> = why.iter().map(|why| why.as_str()).collect();
    let fields = json!({ "event": "pulled", "why": why, "outcome": report.run.outcome.as_str(), "report": report });
    let (why, report) = (why.join(", "), report.clone());
    Event::new(time, fields, move |lang| text::pulled(&why, &report, lang))
}

/// A notification was applied without a pull.
pub(super) fn applied(report: &Report, time: Timestamp) -> Event {
    let fields = json!({ "event": "applied", "report": report });
    let counts = report.counts;
    Event::new(time, fields, move |lang| text::applied(&counts, lang))
}

/// Prints an event on standard output.
pub(super) fn print_event(event: &Event, format: ListenFormat, lang: Lang) {
    // A closed standard output does not end the service.
    let _ = match format {
        ListenFormat::Ndjson => print(&json_line(&event.fields).unwrap_or_default()),
        ListenFormat::Text => {
            let time = event.fields.get("time").and_then(Value::as_str).unwrap_or_default();
            print(&format!("{time} {}\n", (event.text)(lang)))
        }
    };
}
