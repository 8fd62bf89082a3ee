//! What a subscriber knows of its Sources and channels, as it is kept.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};

use crate::{
    interval::{Chain, Interval},
    moment::Timestamp,
    payload::Channel,
};

/// A Source that is followed: `source:URI`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SourceRecord {
    /// Searches in a row that found no channel.
    pub(super) failures: u32,
    /// When its channels are looked for again.
    pub(super) next: Timestamp,
}

/// A subscription: `channel:TOKEN`, the token being the last segment of its callback.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ChannelRecord {
    /// Grows with every change, for those who compare and swap.
    pub(super) revision: u64,
    /// The Source it was found at.
    pub(super) source: String,
    pub(super) topic: String,
    /// The hub that the Source names.
    pub(super) hub: String,
    /// Where that hub moved to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) moved: Option<String>,
    pub(super) kind: Channel,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) capability_list: Option<String>,
    pub(super) phase: Phase,
    /// The newest request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) request: Option<RequestRecord>,
    /// What the hub confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) lease: Option<Lease>,
    /// The secret before, which deliveries under way are signed with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) previous: Option<OldSecret>,
    /// True while the hub is to answer the newest request, or to verify it.
    pub(super) is_waiting: bool,
    /// Requests in a row that came to nothing.
    pub(super) failures: u32,
    /// When something is to be done.
    pub(super) next: Timestamp,
    /// When to poll, where the hub cannot be relied on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) poll: Option<Timestamp>,
    pub(super) chain: Chain,
    /// Payloads that came early, in the order of their intervals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) held: Vec<Held>,
    /// When they are no longer held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) gap: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last_push: Option<Timestamp>,
    /// Milliseconds between two pushes, as usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) usual: Option<u64>,
    /// The channel that this one takes the place of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) replaces: Option<String>,
}

/// Where a subscription stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Phase {
    /// The hub has been asked, or is going to be.
    Requested,
    /// The hub delivers; renewals happen within this phase.
    Active,
    /// The hub denied it; it is requested again later, and the Source is polled.
    Denied,
    /// The hub cannot be relied on; it is requested again, and the Source is polled.
    Suspect,
    /// It is being ended.
    Leaving,
    /// It ended.
    Gone,
}

/// What a hub is asked for.
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
    /// The same in every try, since a hub may confirm an earlier one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) secret: Option<String>,
    pub(super) sent: Timestamp,
    /// True once the hub answered that it is going to verify it.
    pub(super) is_accepted: bool,
    /// When it was confirmed first.
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

/// A secret that is good for a little longer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct OldSecret {
    pub(super) secret: String,
    pub(super) until: Timestamp,
}

/// A payload before its turn.
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

    /// The same subscription under another callback.
    pub(super) fn again(&self, replaces: &str, now: Timestamp) -> ChannelRecord {
        let capability_list = self.capability_list.clone();
        let advert = Advert { topic: self.topic.clone(), hubs: Vec::new(), channel: self.kind, capability_list };
        let own = ChannelRecord::new(&advert, &self.source, &self.topic, &self.hub, now);
        ChannelRecord { moved: self.moved.clone(), replaces: Some(replaces.to_string()), ..own }
    }

    /// Lets the secret of the lease be good for a little longer.
    pub(super) fn retire_secret(&mut self, until: Timestamp) {
        if let Some(secret) = self.lease.as_ref().and_then(|lease| lease.secret.clone()) {
            self.previous = Some(OldSecret { secret, until });
        }
    }

    /// Where requests to the hub go.
    pub(super) fn endpoint(&self) -> &str {
        self.moved.as_ref().unwrap_or(&self.hub)
    }

    /// True while the hub delivers, as far as is known.
    pub(super) fn is_live(&self, now: Timestamp) -> bool {
        self.lease.as_ref().is_some_and(|lease| lease.until > now)
    }

    /// The Capability List of the set, or what led to the channel.
    pub(super) fn set(&self) -> String {
        self.capability_list.clone().unwrap_or_else(|| self.source.clone())
    }
}

/// A channel as it is advertised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Advert {
    pub(super) topic: String,
    pub(super) hubs: Vec<String>,
    pub(super) channel: Channel,
    pub(super) capability_list: Option<String>,
}

/// The 22 characters of base64url that 128 bits are written in.
pub(super) fn token(bytes: [u8; 16]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let bits = u128::from_be_bytes(bytes);
    // The last character has the two bits that are left.
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
