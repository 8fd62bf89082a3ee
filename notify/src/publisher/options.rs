//! Options of a publisher, and the headers of its requests.

use alloc::{string::String, vec::Vec};
use core::fmt;

use resourcesync::source::discovery::host;
use serde::{Deserialize, Serialize};

use crate::{exchange::Headers, rules::PAYLOAD_TYPE, topic::Topic};

/// Options of a publisher.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// Accepts only status 200, as the specifications require; otherwise other 2xx statuses are accepted with a warning.
    pub strict_hub: bool,
    /// Headers that authenticate the Source.
    pub credentials: Vec<Credential>,
}

/// A header for the hubs of one origin. It is not sent to other origins, and to `http` only if the origin has
/// this scheme.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Credential {
    /// The origin, such as `https://hub.example`.
    pub origin: String,
    /// The name of the header.
    pub name: String,
    /// Its value.
    pub value: String,
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} for {}", self.name, self.origin)
    }
}

impl Options {
    pub(super) fn headers(&self, topic: &Topic, hub: &str) -> Headers {
        let headers = Headers::default().with("Content-Type", PAYLOAD_TYPE).with("Link", topic.links_for(hub));
        let origin = host(hub);
        let own = self.credentials.iter().filter(|credential| origin.is_some() && host(&credential.origin) == origin);
        own.fold(headers, |headers, Credential { name, value, .. }| headers.with(name.clone(), value.clone()))
    }
}
