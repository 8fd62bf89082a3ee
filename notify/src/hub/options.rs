//! Options of a hub.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::{fmt, time::Duration};

use resourcesync::{
    source::discovery,
    value::{Uri, key},
};

use super::{Callbacks, Secret};
use crate::{
    payload::Channel,
    rules::{LEASE, LONGEST_LEASE, SHORTEST_LEASE},
    signature::Algorithm,
};

/// Options of a hub.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    pub(super) public_uri: String,
    /// Path and query of `public_uri`.
    pub(super) path: String,
    /// The new URI of the hub; subscription requests are redirected there.
    pub moved_to: Option<String>,
    pub(super) topics: Vec<TopicOptions>,
    /// Sources that may send payloads.
    pub publishers: Vec<Publisher>,
    /// The algorithm of signatures.
    pub signature: Algorithm,
    /// Hosts of callbacks with other algorithms.
    pub host_signatures: Vec<(String, Algorithm)>,
    /// Bounds of leases.
    pub lease: LeaseBounds,
    /// Repeated deliveries.
    pub retries: Retries,
    /// How long payloads are stored.
    pub retention: Retention,
    /// Allowed callbacks.
    pub callbacks: Callbacks,
    /// Where topics may be fetched from, for pings and proofs. Separate from callbacks, because Sources choose the one and
    /// subscribers the other.
    pub fetches: Callbacks,
}

/// Bounds of leases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseBounds {
    /// The shortest lease.
    pub min: Duration,
    /// The lease if none is requested.
    pub default: Duration,
    /// The longest lease.
    pub max: Duration,
}

/// When deliveries are repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retries {
    /// Waits between attempts; the last one repeats.
    pub schedule: Vec<Duration>,
    /// The time after which a payload becomes a dead letter.
    pub give_up: Duration,
}

/// How long payloads of a topic are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// The maximum age.
    pub age: Duration,
    /// The maximum number of bytes.
    pub bytes: u64,
}

/// A Source that may send payloads.
#[derive(Debug, Clone)]
pub struct Publisher {
    /// Its name in the configuration.
    pub name: String,
    /// How it authenticates.
    pub credential: Credential,
}

/// How a Source authenticates.
#[derive(Debug, Clone)]
pub enum Credential {
    /// A bearer token with this SHA-256, in hexadecimal.
    TokenSha256(String),
    /// `X-Hub-Signature` with this secret.
    Hmac(Secret),
}

/// A topic.
#[derive(Debug, Clone)]
pub struct TopicOptions {
    pub(super) uri: String,
    pub(super) key: String,
    /// Path and query, if the hub serves it.
    pub(super) path: Option<String>,
    /// What it announces.
    pub kind: Channel,
    /// Names of the Sources that may send its payloads.
    pub publishers: Vec<String>,
    /// Relays invalid payloads too.
    pub accept_invalid: bool,
    /// Fetches the topic after a ping (`hub.mode=publish`).
    pub thin: bool,
    /// Accepts a payload only if the topic has the same bytes and names this hub.
    pub proof: bool,
}

impl Options {
    /// Options with defaults for a hub at a URI.
    ///
    /// # Errors
    ///
    /// If the URI is not an http or https URI.
    pub fn new(public_uri: &str) -> Result<Options, OptionsError> {
        Ok(Options {
            public_uri: public_uri.to_string(),
            path: path_of(public_uri)?,
            moved_to: None,
            topics: Vec::new(),
            publishers: Vec::new(),
            signature: Algorithm::Sha256,
            host_signatures: Vec::new(),
            lease: LeaseBounds { min: SHORTEST_LEASE, default: LEASE, max: LONGEST_LEASE },
            retries: Retries {
                schedule: [10, 30, 120, 600, 1_800, 3_600, 7_200, 14_400].map(Duration::from_secs).to_vec(),
                give_up: Duration::from_secs(86_400),
            },
            retention: Retention { age: Duration::from_secs(7 * 86_400), bytes: 1 << 30 },
            callbacks: Callbacks::default(),
            fetches: Callbacks::default(),
        })
    }

    /// The URI of the hub.
    pub fn public_uri(&self) -> &str {
        &self.public_uri
    }

    /// The topics.
    pub fn topics(&self) -> &[TopicOptions] {
        &self.topics
    }

    /// A topic, by any spelling of its URI.
    pub(super) fn topic(&self, uri: &str) -> Option<&TopicOptions> {
        self.topics.iter().find(|topic| topic.uri == uri).or_else(|| {
            let wanted = key(uri);
            self.topics.iter().find(|topic| topic.key == wanted)
        })
    }

    /// A topic, by its URI.
    pub fn topic_mut(&mut self, uri: &str) -> Option<&mut TopicOptions> {
        self.topics.iter_mut().find(|topic| topic.uri == uri)
    }

    /// Adds a topic. One that the hub serves must have its scheme, host and port, and another path.
    ///
    /// # Errors
    ///
    /// If the URI is not an http or https URI, is repeated, or cannot be served.
    pub fn add_topic(
        &mut self,
        uri: &str,
        kind: Channel,
        publishers: Vec<String>,
        serve: bool,
        accept_invalid: bool,
    ) -> Result<(), OptionsError> {
        let own = key(uri);
        let path = path_of(uri)?;
        if self.topics.iter().any(|topic| topic.key == own) {
            return Err(OptionsError(format!("the topic `{uri}` is configured twice")));
        }
        if serve && (discovery::host(uri) != discovery::host(&self.public_uri) || path == self.path) {
            return Err(OptionsError(format!("the hub cannot serve `{uri}`, which is not below its own host")));
        }
        let path = serve.then_some(path);
        self.topics.push(TopicOptions {
            uri: uri.to_string(),
            key: own,
            path,
            kind,
            publishers,
            accept_invalid,
            thin: false,
            proof: false,
        });
        Ok(())
    }
}

impl TopicOptions {
    /// Its URI.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Whether the hub answers HEAD and GET of it.
    pub fn is_served(&self) -> bool {
        self.path.is_some()
    }
}

/// Path and query of an http or https URI.
fn path_of(text: &str) -> Result<String, OptionsError> {
    let wrong = || OptionsError(format!("`{text}` is not an http or https URI"));
    let uri: Uri = text.parse().map_err(|_| wrong())?;
    if !uri.is_http() || text.contains('#') {
        return Err(wrong());
    }
    let authority = uri.authority().ok_or_else(wrong)?;
    let before = uri.scheme().len().saturating_add("://".len()).saturating_add(authority.len());
    let rest = text.get(before..).unwrap_or_default();
    Ok(if rest.starts_with('/') { rest.to_string() } else { format!("/{rest}") })
}

/// An option that cannot be used, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionsError(String);

impl fmt::Display for OptionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for OptionsError {}
