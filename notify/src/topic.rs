//! A topic: its `Link` headers, and the response to HEAD and GET of its URI (CN and FN §4.1).

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use resourcesync::{source::discovery::write_links, value::to_hex};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    exchange::{Headers, Reply},
    rules::PAYLOAD_TYPE,
};

/// The number of digest bytes in an entity tag.
const TAG: usize = 16;

/// The topic of a channel, and the hubs to subscribe at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Topic {
    /// The URI of the topic.
    pub uri: String,
    /// The URIs of its hubs.
    pub hubs: Vec<String>,
    /// The URI of the Capability List of its set, which examples of the specifications link to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability_list: Option<String>,
}

impl Topic {
    /// The value of `Link` at the topic: self, every hub, the Capability List.
    pub fn links(&self) -> String {
        links(&self.uri, self.hubs.iter().map(String::as_str), self.capability_list.as_deref())
    }

    /// The value of `Link` in a request to one hub.
    pub fn links_for(&self, hub: &str) -> String {
        links(&self.uri, [hub], self.capability_list.as_deref())
    }
}

/// The value of `Link` of a topic.
pub(crate) fn links<'a>(
    topic: &'a str,
    hubs: impl IntoIterator<Item = &'a str>,
    capability_list: Option<&'a str>,
) -> String {
    let own = core::iter::once((topic, "self")).chain(hubs.into_iter().map(|hub| (hub, "hub")));
    write_links(own.chain(capability_list.map(|list| (list, "resourcesync"))))
}

/// The response of a topic: the last payload, or an empty body before the first one. HEAD has the headers of GET.
///
/// ```
/// use resourcesync_notify::topic::{Topic, reply};
///
/// let hubs = vec!["https://hub.example/".to_string()];
/// let topic = Topic { uri: "https://example.com/changes.xml".to_string(), hubs, capability_list: None };
/// let reply = reply(&topic, "HEAD", None, None);
/// assert_eq!((reply.status, reply.headers.first("Content-Length")), (200, Some("0")));
/// let links = r#"<https://example.com/changes.xml>; rel="self", <https://hub.example/>; rel="hub""#;
/// assert_eq!(reply.headers.first("Link"), Some(links));
/// ```
pub fn reply(topic: &Topic, method: &str, if_none_match: Option<&str>, last: Option<&[u8]>) -> Reply {
    if !matches!(method, "GET" | "HEAD") {
        let mut reply = Reply::text(405, "method: a topic answers GET and HEAD\n");
        reply.headers = reply.headers.with("Allow", "GET, HEAD");
        return reply;
    }
    let body = last.unwrap_or_default();
    let tag = tag(body);
    let headers = Headers::default().with("Link", topic.links()).with("ETag", &*tag).with("Cache-Control", "no-cache");
    if if_none_match.is_some_and(|tags| matches(tags, &tag)) {
        return Reply { status: 304, headers, body: Vec::new() };
    }
    let headers = headers.with("Content-Type", PAYLOAD_TYPE).with("Content-Length", body.len().to_string());
    Reply { status: 200, headers, body: if method == "GET" { body.to_vec() } else { Vec::new() } }
}

/// An entity tag: a prefix of the SHA-256.
fn tag(body: &[u8]) -> String {
    let digest = Sha256::digest(body);
    alloc::format!("\"{}\"", to_hex(digest.get(..TAG).unwrap_or_default()))
}

/// True if a tag is in the value of `If-None-Match`, compared weakly (RFC 9110 §13.1.2).
fn matches(tags: &str, tag: &str) -> bool {
    let bare = |tag: &str| tag.trim_ascii().trim_start_matches("W/").to_string();
    tags.trim_ascii() == "*" || tags.split(',').any(|own| bare(own) == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topic() -> Topic {
        Topic {
            uri: "https://example.com/changes.xml".to_string(),
            hubs: ["https://a.example/", "https://b.example/"].map(String::from).to_vec(),
            capability_list: Some("https://example.com/capabilitylist.xml".to_string()),
        }
    }

    #[test]
    fn head_has_the_headers_of_get() {
        for last in [None, Some(&b"<urlset/>"[..])] {
            let (get, head) = (reply(&topic(), "GET", None, last), reply(&topic(), "HEAD", None, last));
            assert_eq!((get.status, &get.headers), (200, &head.headers));
            assert_eq!((&*get.body, &*head.body), (last.unwrap_or_default(), &b""[..]));
            assert_eq!(get.headers.first("Content-Type"), Some("application/xml"));
            assert_eq!(get.headers.first("Content-Length"), Some(&*get.body.len().to_string()));
        }
    }

    #[test]
    fn all_hubs_are_named_at_the_topic_and_one_in_a_request_to_it() {
        assert_eq!(
            topic().links(),
            r#"<https://example.com/changes.xml>; rel="self", <https://a.example/>; rel="hub", <https://b.example/>; rel="hub", <https://example.com/capabilitylist.xml>; rel="resourcesync""#
        );
        assert_eq!(
            topic().links_for("https://b.example/"),
            r#"<https://example.com/changes.xml>; rel="self", <https://b.example/>; rel="hub", <https://example.com/capabilitylist.xml>; rel="resourcesync""#
        );
    }

    #[test]
    fn what_did_not_change_is_not_sent_again() {
        let tag = reply(&topic(), "GET", None, Some(b"x")).headers.first("ETag").map(String::from).unwrap_or_default();
        for tags in [tag.clone(), alloc::format!("\"other\", W/{tag}"), String::from("*")] {
            let reply = reply(&topic(), "GET", Some(&tags), Some(b"x"));
            assert_eq!((reply.status, reply.body.len()), (304, 0), "{tags}");
            assert!(reply.headers.first("Link").is_some());
        }
        assert_eq!(reply(&topic(), "GET", Some(&tag), Some(b"y")).status, 200);
    }

    #[test]
    fn a_topic_takes_no_other_method() {
        let reply = reply(&topic(), "POST", None, None);
        assert_eq!((reply.status, reply.headers.first("allow")), (405, Some("GET, HEAD")));
    }
}
