//! The stored state of a subscriber: its Sources and channels.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};

use super::Options;
use crate::{
    interval::{Chain, Interval},
    moment::Timestamp,
    payload::Channel,
};

/// A subscribed Source: `source:URI`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SourceRecord {
    /// Consecutive searches that found no channel.
    pub(super) failures: u32,
    /// The time of the next search for its channels.
    pub(super) next: Timestamp,
    /// What its channels were searched for by.
    #[serde(default, skip_serializing_if = "Terms::are_usual")]
    pub(super) terms: Terms,
}

/// The options that decide which channels are subscribed to, and with a secret.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Terms {
    /// The only kinds; all if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    kinds: Vec<Channel>,
    #[serde(default)]
    all_hubs: bool,
    #[serde(default)]
    allow_http: bool,
}

impl Terms {
    pub(super) fn of(options: &Options) -> Terms {
        let Options { channels, all_hubs, allow_http, .. } = options;
        let is_all = Channel::ALL.iter().all(|kind| channels.contains(kind));
        let kinds = if is_all { Vec::new() } else { channels.clone() };
        Terms { kinds, all_hubs: *all_hubs, allow_http: *allow_http }
    }

    fn are_usual(&self) -> bool {
        *self == Terms::default()
    }
}

/// A subscription: `channel:TOKEN`, where the token is the last segment of its callback.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ChannelRecord {
    /// Increases with every change, for compare-and-swap.
    pub(super) revision: u64,
    /// The Source in which it was found.
    pub(super) source: String,
    pub(super) topic: String,
    /// The hub given by the Source.
    pub(super) hub: String,
    /// The new URI of a moved hub.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) moved: Option<String>,
    pub(super) kind: Channel,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) capability_list: Option<String>,
    pub(super) phase: Phase,
    /// The newest request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) request: Option<RequestRecord>,
    /// The subscription confirmed by the hub.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) lease: Option<Lease>,
    /// The previous secret, which may still sign deliveries in transit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) previous: Option<OldSecret>,
    /// True while a response to the newest request or its verification is outstanding.
    pub(super) is_waiting: bool,
    /// Consecutive failed requests.
    pub(super) failures: u32,
    /// When work is due.
    pub(super) next: Timestamp,
    /// When to poll if the hub is unreliable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) poll: Option<Timestamp>,
    pub(super) chain: Chain,
    /// Payloads that arrived early, in the order of their intervals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) held: Vec<Held>,
    /// When they are released.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) gap: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last_push: Option<Timestamp>,
    /// The usual interval between two deliveries in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) usual: Option<u64>,
    /// The channel that this one replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) replaces: Option<String>,
}

/// The phase of a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Phase {
    /// The request has been or will be sent to the hub.
    Requested,
    /// The hub delivers; renewals happen within this phase.
    Active,
    /// The hub denied it; it is requested again later, and the Source is polled.
    Denied,
    /// The hub is unreliable; the subscription is requested again, and the Source is polled.
    Suspect,
    /// It is being ended.
    Leaving,
    /// It ended.
    Gone,
}

/// The mode of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Mode {
    Subscribe,
    Unsubscribe,
}

impl Mode {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Mode::Subscribe => "subscribe",
            Mode::Unsubscribe => "unsubscribe",
        }
    }
}

/// A request to a hub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RequestRecord {
    pub(super) mode: Mode,
    /// The same in every attempt, because a hub may confirm an earlier one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) secret: Option<String>,
    pub(super) sent: Timestamp,
    /// True once the hub has announced the verification.
    pub(super) is_accepted: bool,
    /// When it was first confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) confirmed: Option<Timestamp>,
}

/// A confirmed subscription.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Lease {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) secret: Option<String>,
    pub(super) until: Timestamp,
}

/// A previous secret that remains valid for a short time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct OldSecret {
    pub(super) secret: String,
    pub(super) until: Timestamp,
}

/// A payload that arrived early.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Held {
    pub(super) interval: Interval,
    pub(super) digest: String,
    pub(super) entries: u64,
    pub(super) text: String,
}

impl ChannelRecord {
    pub(super) fn new(advert: &Advert, source: &str, topic: &str, hub: &str, now: Timestamp) -> ChannelRecord {
        ChannelRecord {
            revision: 0,
            source: source.to_string(),
            topic: topic.to_string(),
            hub: hub.to_string(),
            moved: None,
            kind: advert.channel,
            capability_list: advert.capability_list.clone(),
            phase: Phase::Requested,
            request: None,
            lease: None,
            previous: None,
            is_waiting: false,
            failures: 0,
            next: now,
            poll: None,
            chain: Chain::default(),
            held: Vec::new(),
            gap: None,
            last_push: None,
            usual: None,
            replaces: None,
        }
    }

    /// Returns the same subscription with a different callback.
    pub(super) fn again(&self, replaces: &str, now: Timestamp) -> ChannelRecord {
        let capability_list = self.capability_list.clone();
        let advert = Advert { topic: self.topic.clone(), hubs: Vec::new(), channel: self.kind, capability_list };
        let own = ChannelRecord::new(&advert, &self.source, &self.topic, &self.hub, now);
        ChannelRecord { moved: self.moved.clone(), replaces: Some(replaces.to_string()), ..own }
    }

    /// Keeps the secret of the lease valid for a short time.
    pub(super) fn retire_secret(&mut self, until: Timestamp) {
        if let Some(secret) = self.lease.as_ref().and_then(|lease| lease.secret.clone()) {
            self.previous = Some(OldSecret { secret, until });
        }
    }

    /// The URI for requests to the hub.
    pub(super) fn endpoint(&self) -> &str {
        self.moved.as_ref().unwrap_or(&self.hub)
    }

    /// True while the hub is assumed to deliver.
    pub(super) fn is_live(&self, now: Timestamp) -> bool {
        self.lease.as_ref().is_some_and(|lease| lease.until > now)
    }

    /// The Capability List of the set, or the document that links to the channel.
    pub(super) fn set(&self) -> String {
        self.capability_list.clone().unwrap_or_else(|| self.source.clone())
    }
}

/// An advertised channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Advert {
    pub(super) topic: String,
    pub(super) hubs: Vec<String>,
    pub(super) channel: Channel,
    pub(super) capability_list: Option<String>,
}

/// 128 bits as 22 characters of base64url.
pub(super) fn token(bytes: [u8; 16]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let bits = u128::from_be_bytes(bytes);
    // The last character contains the remaining two bits.
    let sixth = |at: u32| if at < 21 { bits >> 122_u32.saturating_sub(at.saturating_mul(6)) } else { bits << 4 };
    (0..22)
        .filter_map(|at| LETTERS.get(usize::try_from(sixth(at) & 63).ok()?))
        .map(|letter| char::from(*letter))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_base64url_without_padding() {
        assert_eq!(token([0; 16]), "AAAAAAAAAAAAAAAAAAAAAA");
        assert_eq!(token([255; 16]), "_____________________w");
        assert_eq!(token(*b"0123456789abcdef"), "MDEyMzQ1Njc4OWFiY2RlZg");
    }
}
