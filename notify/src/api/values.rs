//! Notifications as plain values.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use resourcesync::{api::plain, report::Report};
use serde::{Deserialize, Serialize};

use crate::payload::{Channel, Payload};

/// A notification document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    /// `change-notification` or `framework-notification`.
    pub kind: Channel,
    /// The beginning of its interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The end of its interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// The SHA-256 of its bytes, in hexadecimal.
    pub digest: String,
    /// Its changes, unless only counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<plain::Entry>,
    /// The number of its changes.
    pub entries: u64,
    /// The report on it; absent if it is valid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<Report>,
}

impl Notification {
    /// Without its changes.
    pub fn summary(payload: &Payload) -> Notification {
        Notification {
            kind: payload.channel(),
            from: payload.interval().map(|interval| interval.from.to_string()),
            until: payload.interval().map(|interval| interval.until.to_string()),
            digest: payload.digest().to_string(),
            changes: Vec::new(),
            entries: payload.entries(),
            report: None,
        }
    }
}
