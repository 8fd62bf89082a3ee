//! Notifications, in a separate module: the state machines, and the functions without one. Values are passed as JSON,
//! bodies as bytes.

use js_sys::{Array, Function};
use resourcesync::{build::PublishedDocument, report::Report};
use resourcesync_notify::{
    announce::AnnounceError,
    api::{self, Announced},
    listener,
    payload::Channel,
    publisher, signature, subscriber,
    topic::Topic,
};
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    fail::{refuse, wrong},
    plain::{self, moment},
    turns::{array, within},
};

/// Sends payloads to hubs.
#[wasm_bindgen]
#[derive(Debug)]
pub struct NotifyPublisher(publisher::Publisher);

#[wasm_bindgen]
impl NotifyPublisher {
    /// From options and state as JSON.
    ///
    /// # Errors
    ///
    /// If one of them means nothing.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str, state: &str) -> Result<NotifyPublisher, JsValue> {
        publisher::Publisher::from_json(options, Some(state)).map(NotifyPublisher).map_err(|error| wrong(&error))
    }

    /// Takes an input at a moment in milliseconds; `random` fills an array. Outputs as JSON, each followed by its body.
    ///
    /// # Errors
    ///
    /// If the input is invalid, or a payload is not valid.
    pub fn turn(&mut self, now: f64, random: &Function, input: &str, body: Option<Vec<u8>>) -> Result<Array, JsValue> {
        within(now, random, |moment| self.0.turn(moment, input, body.as_deref()))
    }

    /// The last payload of a topic.
    pub fn last(&self, topic: &str) -> Option<String> {
        self.0.last(topic).map(str::to_owned)
    }

    /// The end of the last interval of a topic.
    pub fn until(&self, topic: &str) -> Option<String> {
        self.0.until(topic).map(ToString::to_string)
    }

    /// The payloads that were not accepted by all hubs yet.
    pub fn waiting(&self) -> usize {
        self.0.waiting()
    }
}

/// Subscribes.
#[wasm_bindgen]
#[derive(Debug)]
pub struct NotifySubscriber(subscriber::Subscriber);

#[wasm_bindgen]
impl NotifySubscriber {
    /// From options and state as JSON.
    ///
    /// # Errors
    ///
    /// If one of them means nothing.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str, state: &str) -> Result<NotifySubscriber, JsValue> {
        subscriber::Subscriber::from_json(options, Some(state)).map(NotifySubscriber).map_err(|error| wrong(&error))
    }

    /// Takes an input at a moment in milliseconds; `random` fills an array. Outputs as JSON, each followed by its body.
    ///
    /// # Errors
    ///
    /// If the input is invalid.
    pub fn turn(&mut self, now: f64, random: &Function, input: &str, body: Option<Vec<u8>>) -> Result<Array, JsValue> {
        within(now, random, |moment| self.0.turn(moment, input, body.as_deref()))
    }
}

/// Listens.
#[wasm_bindgen]
#[derive(Debug)]
pub struct NotifyListener(listener::Listener);

#[wasm_bindgen]
impl NotifyListener {
    /// From options and state as JSON.
    ///
    /// # Errors
    ///
    /// If one of them means nothing.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str, state: &str) -> Result<NotifyListener, JsValue> {
        listener::Listener::from_json(options, Some(state)).map(NotifyListener).map_err(|error| wrong(&error))
    }

    /// Takes an input at a moment in milliseconds; `random` fills an array. Outputs as JSON, each followed by its body.
    ///
    /// # Errors
    ///
    /// If the input is invalid.
    pub fn turn(&mut self, now: f64, random: &Function, input: &str, body: Option<Vec<u8>>) -> Result<Array, JsValue> {
        within(now, random, |moment| self.0.turn(moment, input, body.as_deref()))
    }
}

/// The value of `X-Hub-Signature`.
///
/// # Errors
///
/// If the algorithm is unknown.
#[wasm_bindgen(js_name = notifySign)]
pub fn sign(algorithm: &str, secret: &[u8], body: &[u8]) -> Result<String, JsValue> {
    Ok(signature::sign(find(algorithm)?, secret, body))
}

/// The algorithm of a valid signature; otherwise the reason, prefixed with `!`.
///
/// # Errors
///
/// If an algorithm is unknown.
#[wasm_bindgen(js_name = notifyVerify)]
pub fn verify(secret: &[u8], headers: Vec<String>, body: &[u8], allowed: Vec<String>) -> Result<String, JsValue> {
    let allowed = allowed.iter().map(|name| find(name)).collect::<Result<Vec<_>, _>>()?;
    let verified = signature::verify(secret, headers.iter().map(String::as_str), body, &allowed);
    Ok(verified.map_or_else(|error| format!("!{}", error.as_str()), |algorithm| algorithm.as_str().to_owned()))
}

fn find(algorithm: &str) -> Result<signature::Algorithm, JsValue> {
    let found = signature::Algorithm::find(algorithm);
    found.ok_or_else(|| wrong(&format!("algorithm: `{algorithm}` is not one of X-Hub-Signature")))
}

/// A notification document as JSON, and its report as JSON, if it is not valid.
///
/// # Errors
///
/// If the kind is unknown.
#[wasm_bindgen(js_name = notifyRead)]
pub fn read_notification(body: &[u8], kind: &str) -> Result<Vec<String>, JsValue> {
    let kind = Channel::find(kind).ok_or_else(|| wrong(&format!("kind: `{kind}` is not a kind of notification")))?;
    let mut read = api::notification(body.to_vec(), kind);
    let report = read.report.take().as_ref().map(Report::to_json);
    Ok([Some(written(&read)), report].into_iter().flatten().collect())
}

/// Change Notifications: each as JSON, followed by its body.
///
/// # Errors
///
/// If validating would find something.
#[wasm_bindgen(js_name = notifyAnnounce)]
pub fn announce(from: &str, until: &str, changes: Vec<JsValue>, options: &str) -> Result<Array, JsValue> {
    let changes = changes.iter().map(|given| plain::entry(given).map_err(|message| wrong(&message)));
    let changes = changes.collect::<Result<Vec<_>, _>>()?;
    announced(api::announce(moment(from)?, moment(until)?, &changes, read(options)?))
}

/// Framework Notifications: each as JSON, followed by its body.
///
/// # Errors
///
/// If validating would find something.
#[wasm_bindgen(js_name = notifyAnnounceDocuments)]
pub fn announce_documents(
    before: &str,
    after: &str,
    datetime: Option<String>,
    options: &str,
) -> Result<Array, JsValue> {
    let (before, after): (Vec<PublishedDocument>, Vec<PublishedDocument>) = (read(before)?, read(after)?);
    let datetime = datetime.as_deref().map(moment).transpose()?;
    announced(api::announce_documents(&before, &after, datetime.as_ref(), read(options)?))
}

fn announced(made: Result<Vec<Announced>, AnnounceError>) -> Result<Array, JsValue> {
    let made = made.map_err(|error| match error {
        AnnounceError::Refused(refused) => refuse(refused.diagnostic(), refused.is_full()),
        error => wrong(&error.to_string()),
    })?;
    let each = |mut payload: Announced| {
        let body = std::mem::take(&mut payload.body.0);
        (written(&payload.notification), Some(body))
    };
    Ok(array(made.into_iter().map(each).collect()))
}

/// The response of a topic as JSON, followed by its body.
///
/// # Errors
///
/// If the topic is invalid.
#[wasm_bindgen(js_name = notifyTopicReply)]
pub fn topic_reply(
    topic: &str,
    method: &str,
    if_none_match: Option<String>,
    last: Option<Vec<u8>>,
) -> Result<Array, JsValue> {
    let mut reply = api::topic_reply(&read::<Topic>(topic)?, method, if_none_match.as_deref(), last.as_deref());
    let body = std::mem::take(&mut reply.body.0);
    Ok(array(vec![(written(&reply), Some(body))]))
}

fn read<T: DeserializeOwned>(json: &str) -> Result<T, JsValue> {
    serde_json::from_str(json).map_err(|error| wrong(&error.to_string()))
}

fn written(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
