//! Who sends a request: what its header shows, before its body is read.

use alloc::{format, string::String, vec::Vec};

use resourcesync::{
    source::discovery::{links, resolve},
    value::{key, to_hex},
};
use sha2::{Digest, Sha256};

use super::{Credential, Options, Publisher, TopicOptions};
use crate::{
    exchange::{Headers, Reply, Request},
    rules::{FORM_TYPE, PAYLOAD_TYPE, SIGNATURE_HEADER},
    signature::{Algorithm, verify},
};

/// Who sends a request, as far as its header shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// A Source that knows a token of its topic.
    Source,
    /// Somebody who signs a payload; only its body shows whether that is a Source.
    Signer,
    /// A subscriber, or a Source that pings: anybody.
    Subscriber,
    /// Somebody whose request is refused whatever its body is, which therefore need not be read ([`Body::Unread`](crate::exchange::Body)).
    Stranger,
}

/// How a Source authenticates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Claim {
    /// With a token.
    Token,
    /// With a signature of the body.
    Signature,
}

/// The links of a payload.
pub(super) struct Links {
    pub(super) topic: String,
    pub(super) capability_list: Option<String>,
}

impl Options {
    /// Who sends a request. Its body does not matter.
    pub fn role(&self, request: &Request) -> Role {
        let headers = &request.headers;
        if request.method != "POST" || target(request) != self.path || is_encoded(headers) {
            return Role::Stranger;
        }
        match media_type(headers.first("content-type")).as_str() {
            FORM_TYPE => Role::Subscriber,
            PAYLOAD_TYPE => {
                let topic = self.links(headers).ok().and_then(|links| self.topic(&links.topic));
                match topic.map(|topic| self.claim(topic, headers)) {
                    Some(Ok(Claim::Token)) => Role::Source,
                    Some(Ok(Claim::Signature)) => Role::Signer,
                    Some(Err(_)) | None => Role::Stranger,
                }
            }
            _ => Role::Stranger,
        }
    }

    /// The topic and the Capability List in the `Link` header; this hub must be in it too.
    pub(super) fn links(&self, headers: &Headers) -> Result<Links, Reply> {
        let base = &self.public_uri;
        let found: Vec<_> = links(headers.all("link"), base).collect();
        let targets = |rel: &str| -> Vec<String> {
            let own = found.iter().filter(|link| link.rels.iter().any(|own| own == rel));
            own.filter_map(|link| resolve(base, &link.target)).collect()
        };
        if found.is_empty() {
            return Err(Reply::text(400, "link-missing: there is no `Link` header\n"));
        }
        let [topic] = &*targets("self") else {
            return Err(Reply::text(400, "link-self: `Link` must have one target with rel=\"self\"\n"));
        };
        if !targets("hub").iter().any(|hub| key(hub) == key(base)) {
            return Err(Reply::text(400, &format!("link-hub: `Link` must have {base} with rel=\"hub\"\n")));
        }
        let capability_list = targets("resourcesync").into_iter().next();
        Ok(Links { topic: topic.clone(), capability_list })
    }

    /// How one of the topic's Sources claims to send a payload.
    pub(super) fn claim(&self, topic: &TopicOptions, headers: &Headers) -> Result<Claim, Reply> {
        let bearer = headers.first("authorization").and_then(|value| {
            let (scheme, token) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then_some(token.trim_ascii())
        });
        let token = bearer.map(|token| to_hex(&Sha256::digest(token.as_bytes())));
        // Every publisher is compared, so that the time does not depend on which one it is.
        let is_known = self.publishers_of(topic).fold(false, |found, publisher| match &publisher.credential {
            Credential::TokenSha256(digest) => found | token.as_deref().is_some_and(|token| is_equal(token, digest)),
            Credential::Hmac(_) => found,
        });
        let has_signature = headers.first(SIGNATURE_HEADER).is_some();
        let signs = || self.publishers_of(topic).any(|publisher| matches!(publisher.credential, Credential::Hmac(_)));
        if is_known {
            Ok(Claim::Token)
        } else if has_signature && signs() {
            Ok(Claim::Signature)
        } else if has_signature || bearer.is_some() {
            Err(not_allowed())
        } else {
            let reply = Reply::text(401, "publisher: authentication is required\n");
            Err(Reply { headers: reply.headers.with("WWW-Authenticate", "Bearer"), ..reply })
        }
    }

    /// True if one of the topic's Sources signed a payload.
    pub(super) fn is_signed(&self, topic: &TopicOptions, headers: &Headers, body: &[u8]) -> bool {
        let strong = Algorithm::ALL.get(1..).unwrap_or_default();
        // Every publisher is compared, as above.
        self.publishers_of(topic).fold(false, |found, publisher| match &publisher.credential {
            Credential::Hmac(secret) => {
                found | verify(secret.0.as_bytes(), headers.all(SIGNATURE_HEADER), body, strong).is_ok()
            }
            Credential::TokenSha256(_) => found,
        })
    }

    fn publishers_of<'o>(&'o self, topic: &'o TopicOptions) -> impl Iterator<Item = &'o Publisher> {
        self.publishers.iter().filter(|publisher| topic.publishers.contains(&publisher.name))
    }
}

/// The reply to a Source that is none of the topic.
pub(super) fn not_allowed() -> Reply {
    Reply::text(403, "publisher: not allowed to send payloads of this topic\n")
}

/// Compares two digests in constant time.
fn is_equal(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |found, (one, other)| found | (one ^ other));
    one.len() == other.len() && differences == 0
}

/// Path and query of a request, as sent.
pub(super) fn target(request: &Request) -> String {
    match &*request.query {
        [] => request.path.clone(),
        query => format!("{}?{}", request.path, String::from_utf8_lossy(query)),
    }
}

/// True if a body is compressed or encoded in another way, which the hub does not undo.
pub(super) fn is_encoded(headers: &Headers) -> bool {
    let codings = headers.all("content-encoding").flat_map(|value| value.split(','));
    codings.map(str::trim_ascii).any(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case("identity"))
}

/// A media type in lower case, without parameters.
pub(super) fn media_type(value: Option<&str>) -> String {
    value.unwrap_or_default().split(';').next().unwrap_or_default().trim_ascii().to_ascii_lowercase()
}
