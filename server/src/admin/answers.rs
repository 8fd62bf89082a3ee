//! What the administration reports about the store.

use resourcesync_notify::{
    form::Form,
    hub::{EventKind, Hub, Ledger, Subscription, TopicState, masked},
};
use serde_json::{Value, json};

use crate::{
    engine::now,
    ledger::{AnyStore, LedgerError, Store},
    observe::Request,
};

/// Maximum subscriptions or failures in one answer.
const PAGE: usize = 1_000;
/// Maximum hosts in the status.
const HOSTS: usize = 100;

pub(super) fn status(ledger: &mut AnyStore, hub: &Hub, configured: &[String]) -> Result<Value, LedgerError> {
    let counts = ledger.counts()?;
    let states = ledger.topics()?;
    Ok(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "limitedHosts": hub.limited_hosts(now(), HOSTS),
        "liftedHosts": hub.lifted_hosts().take(HOSTS).collect::<Vec<_>>(),
        "paused": states.iter().filter(|state| state.is_paused).count(),
        "topics": states.len() + unused(&states, configured).count(),
        "subscriptions": counts.subscriptions,
        "pending": counts.pending,
        "deadLetters": counts.dead_letters,
        "storeBytes": ledger.bytes()?,
    }))
}

/// Configured topics that the store does not have, because nobody has used them.
fn unused<'c>(states: &'c [TopicState], configured: &'c [String]) -> impl Iterator<Item = &'c String> {
    configured.iter().filter(|uri| states.iter().all(|state| state.uri != **uri))
}

pub(super) fn topics(ledger: &mut AnyStore, configured: &[String]) -> Result<Value, LedgerError> {
    let mut found = Vec::new();
    let states = ledger.topics()?;
    for state in &states {
        let counts = ledger.topic_counts(state)?;
        found.push(topic(state, &serde_json::to_value(counts).unwrap_or_default(), configured.contains(&state.uri)));
    }
    for uri in unused(&states, configured) {
        found.push(
            json!({"uri": uri, "configured": true, "last": 0, "paused": false, "subscriptions": 0, "payloads": 0}),
        );
    }
    Ok(json!({ "topics": found }))
}

fn topic(state: &TopicState, counts: &Value, is_configured: bool) -> Value {
    let mut value = json!({
        "uri": state.uri,
        "configured": is_configured,
        "last": state.head,
        "paused": state.is_paused,
        "until": state.chain.until().map(ToString::to_string),
    });
    if let (Some(own), Some(counts)) = (value.as_object_mut(), counts.as_object()) {
        own.extend(counts.iter().map(|(name, value)| (name.clone(), value.clone())));
        own.retain(|_, value| !value.is_null());
    }
    value
}

pub(super) fn subscriptions(ledger: &mut AnyStore, query: &Form) -> Result<Value, LedgerError> {
    let after = query.last("after").and_then(|after| after.parse().ok()).unwrap_or(0);
    let topic = match query.last("topic") {
        Some(uri) => match ledger.topic(uri)? {
            Some(topic) => Some(topic.id),
            None => return Ok(json!({"subscriptions": []})),
        },
        None => None,
    };
    let found = ledger.subscriptions(topic, query.last("host"), after, PAGE)?;
    let reveals = query.last("reveal") == Some("true");
    let shown = found.iter().map(|own| shown(ledger, own, reveals)).collect::<Result<Vec<_>, LedgerError>>()?;
    Ok(json!({ "subscriptions": shown }))
}

pub(super) fn failures(ledger: &mut AnyStore, unconfirmed: &[Request]) -> Result<Value, LedgerError> {
    let failing = ledger.failing(PAGE)?;
    let failing = failing.iter().map(|own| shown(ledger, own, false)).collect::<Result<Vec<_>, LedgerError>>()?;
    let letters = ledger.dead_letters(PAGE)?;
    let mut dead = Vec::new();
    for letter in letters {
        let topic = ledger.topic_by_id(letter.topic)?.map(|topic| topic.uri);
        let mut value = serde_json::to_value(&letter).unwrap_or_default();
        value["topic"] = topic.into();
        value["code"] = EventKind::DeadLetter.code().into();
        dead.push(value);
    }
    Ok(json!({"failing": failing, "deadLetters": dead, "unconfirmed": unconfirmed}))
}

/// A subscription without its secret. The callback, which only the subscriber may know, is shown on request.
fn shown(ledger: &mut AnyStore, own: &Subscription, reveals: bool) -> Result<Value, LedgerError> {
    let topic = ledger.topic_by_id(own.topic)?;
    let mut value = json!({
        "id": own.id,
        "topic": topic.as_ref().map(|topic| &topic.uri),
        "callback": if reveals { own.callback.to_string() } else { masked(&own.callback) },
        "signed": own.secret.is_some(),
        "leaseUntil": own.lease_until,
        "position": own.cursor,
        "waiting": topic.map_or(0, |topic| topic.head.saturating_sub(own.cursor)),
        "failures": own.failures,
        "failingSince": own.failing_since,
        "retryAt": own.retry_at,
        "lastStatus": own.last_status,
    });
    if let Some(own) = value.as_object_mut() {
        own.retain(|_, value| !value.is_null());
    }
    Ok(value)
}
