//! The functions without a state machine.

use alloc::vec::Vec;

use resourcesync::{
    api::plain,
    build::PublishedDocument,
    limits::Limits,
    model::Shape,
    value::{Datetime, Uri},
};
use serde::{Deserialize, Serialize};

use super::{Bytes, Notification, Served};
use crate::{
    announce::{self, AnnounceError, Options},
    payload::{self, Channel, Payload},
    topic::{self, Topic},
};

/// Reads a notification document: its interval, its changes, and its errors.
pub fn notification(bytes: Vec<u8>, kind: Channel) -> Notification {
    match Payload::with_changes(bytes, kind) {
        Ok((payload, changes)) => Notification { changes: changes.plain(), ..Notification::summary(&payload) },
        Err(rejected) => {
            let document = resourcesync::api::read(&rejected.bytes, &Limits::default()).unwrap_or_default();
            Notification {
                kind,
                from: document.head.from,
                until: document.head.until,
                digest: payload::digest(&rejected.bytes),
                entries: document.entries.len() as u64,
                changes: document.entries,
                report: Some(*rejected.report),
            }
        }
    }
}

/// The options of payloads.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct AnnounceOptions {
    /// The Capability List of the set.
    pub capability_list: Option<Uri>,
    /// The Source Description.
    pub source_description: Option<Uri>,
    /// Bytes of a payload.
    pub bytes: Option<u64>,
    /// Entries of a payload.
    pub entries: Option<u64>,
}

impl From<AnnounceOptions> for Options {
    fn from(options: AnnounceOptions) -> Options {
        let mut own = Options::default();
        own.capability_list = options.capability_list;
        own.source_description = options.source_description;
        own.bytes = options.bytes.unwrap_or(own.bytes);
        own.entries = options.entries.unwrap_or(own.entries);
        own
    }
}

/// A payload as a plain value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Announced {
    /// The notification, without its changes.
    #[serde(flatten)]
    pub notification: Notification,
    /// The document.
    pub body: Bytes,
}

impl From<Payload> for Announced {
    fn from(payload: Payload) -> Announced {
        Announced { notification: Notification::summary(&payload), body: Bytes(payload.into_text().into_bytes()) }
    }
}

/// The Change Notifications of an interval.
///
/// # Errors
///
/// As [`announce::changes`].
pub fn announce(
    from: Datetime,
    until: Datetime,
    changes: &[plain::Entry],
    options: AnnounceOptions,
) -> Result<Vec<Announced>, AnnounceError> {
    let entries = changes.iter().map(|entry| entry.to_model(Shape::UrlSet));
    let payloads = announce::changes(from, until, entries, &options.into())?;
    Ok(payloads.into_iter().map(Announced::from).collect())
}

/// The Framework Notifications about the documents changed between two publications.
///
/// # Errors
///
/// As [`announce::documents`].
pub fn announce_documents(
    before: &[PublishedDocument],
    after: &[PublishedDocument],
    datetime: Option<&Datetime>,
    options: AnnounceOptions,
) -> Result<Vec<Announced>, AnnounceError> {
    let changes = announce::document_changes(before, after, datetime);
    let payloads = announce::documents(changes, &options.into())?;
    Ok(payloads.into_iter().map(Announced::from).collect())
}

/// The response of a topic.
pub fn topic_reply(topic: &Topic, method: &str, if_none_match: Option<&str>, last: Option<&[u8]>) -> Served {
    Served::new(0, topic::reply(topic, method, if_none_match, last))
}
