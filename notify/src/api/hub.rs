//! The hub with plain values.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::{mem::take, time::Duration};

use serde::Deserialize;

use super::turn::TakeBody;
use crate::{
    hub::{Credential, Options, Output, Publisher, Secret},
    payload::Channel,
    signature::Algorithm,
};

/// The options of a hub.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct HubOptions {
    /// The URI of the hub.
    pub public_uri: String,
    /// The new URI of the hub.
    pub moved_to: Option<String>,
    /// Its topics.
    pub topics: Vec<HubTopic>,
    /// Sources.
    pub publishers: Vec<HubPublisher>,
    /// `sha256`, `sha384`, `sha512` or `sha1`.
    pub signature: Option<String>,
    /// Allowed ports of callbacks; 80, 443, 8080 and 8443 by default.
    pub ports: Option<Vec<u16>>,
    /// Networks, and hosts with ports, that callbacks may lead to although they are not public.
    pub allow: Vec<String>,
    /// Waits between attempts in seconds.
    pub retry: Option<Vec<u64>>,
    /// The time in seconds after which a payload is given up.
    pub give_up: Option<u64>,
    /// The time in seconds that payloads are stored.
    pub retention: Option<u64>,
    /// Maximum bytes of the stored payloads of a topic.
    pub retention_bytes: Option<u64>,
    /// Maximum deliveries of an [`EmbeddedHub`](super::EmbeddedHub) at the same time.
    pub deliveries: Option<usize>,
}

/// A topic of a hub.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HubTopic {
    /// Its URI.
    pub uri: String,
    /// What it announces.
    pub kind: Channel,
    /// Names of Sources.
    pub publishers: Vec<String>,
    /// Whether the hub answers its URI.
    #[serde(default)]
    pub serve: bool,
}

/// A Source of a hub.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HubPublisher {
    /// Its name.
    pub name: String,
    /// The SHA-256 of its bearer token.
    #[serde(default)]
    pub token_sha256: Option<String>,
    /// The secret of its signatures.
    #[serde(default)]
    pub hmac: Option<String>,
}

impl TryFrom<HubOptions> for Options {
    type Error = String;

    fn try_from(plain: HubOptions) -> Result<Options, String> {
        let mut options = Options::new(&plain.public_uri).map_err(|error| error.to_string())?;
        options.moved_to = plain.moved_to;
        for HubTopic { uri, kind, publishers, serve } in plain.topics {
            options.add_topic(&uri, kind, publishers, serve, false).map_err(|error| error.to_string())?;
        }
        for HubPublisher { name, token_sha256, hmac } in plain.publishers {
            let credential = match (token_sha256, hmac) {
                (Some(digest), None) => Credential::TokenSha256(digest),
                (None, Some(secret)) => Credential::Hmac(Secret(secret.into())),
                _ => return Err(alloc::format!("publisher {name}: either tokenSha256 or hmac is required")),
            };
            options.publishers.push(Publisher { name, credential });
        }
        if let Some(name) = plain.signature {
            options.signature = Algorithm::find(&name).ok_or_else(|| alloc::format!("unknown algorithm {name}"))?;
        }
        options.callbacks.ports = plain.ports.unwrap_or(options.callbacks.ports);
        for text in plain.allow {
            options.callbacks.allow.push(text.parse().map_err(|error: crate::hub::AllowedError| error.to_string())?);
        }
        if let Some(steps) = plain.retry {
            options.retries.schedule = steps.into_iter().map(Duration::from_secs).collect();
        }
        options.retries.give_up = plain.give_up.map_or(options.retries.give_up, Duration::from_secs);
        options.retention.age = plain.retention.map_or(options.retention.age, Duration::from_secs);
        options.retention.bytes = plain.retention_bytes.unwrap_or(options.retention.bytes);
        Ok(options)
    }
}

impl TakeBody for Output {
    fn take_body(&mut self) -> Option<Vec<u8>> {
        match self {
            Output::Reply { reply, .. } => Some(take(&mut reply.body)),
            Output::Send { request, .. } => Some(take(&mut request.body).to_vec()),
            _ => None,
        }
    }
}
