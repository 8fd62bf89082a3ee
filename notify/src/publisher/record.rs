//! The stored state of a publisher: its topics and payloads.

use alloc::{collections::BTreeMap, format, string::String};

use serde::{Deserialize, Serialize};

use crate::{interval::Chain, moment::Timestamp, payload::Channel, topic::Topic};

/// The state of a topic: `topic:URI`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct TopicRecord {
    pub(super) chain: Chain,
    /// The last payload, which the topic serves.
    pub(super) last: String,
}

/// A payload: `payload:NUMBER`. It is immutable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PayloadRecord {
    pub(super) topic: Topic,
    pub(super) channel: Channel,
    pub(super) digest: String,
    pub(super) body: String,
}

/// The progress of a payload: `progress:NUMBER`, without the hubs that have accepted it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Progress {
    pub(super) hubs: BTreeMap<String, Tries>,
}

/// The attempts at one hub.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Tries {
    pub(super) failures: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<Timestamp>,
    /// The status of a refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) refused: Option<u16>,
}

impl Progress {
    pub(super) fn new(topic: &Topic) -> Progress {
        Progress { hubs: topic.hubs.iter().map(|hub| (hub.clone(), Tries::default())).collect() }
    }
}

/// The name of a value of a payload; the numbers are padded so that they sort as text.
pub(super) fn key(record: &str, payload: u64) -> String {
    format!("{record}:{payload:08}")
}
