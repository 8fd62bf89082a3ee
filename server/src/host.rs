//! Every request names its host exactly once (RFC 9112 §3.2): proxies disagree about which of several counts.

use hyper::{Version, header::HOST, http::request::Parts};
use resourcesync_notify::{exchange::Reply, hub::HostPort};

use crate::reply::plain_text;

/// Checks the field `Host` of a request.
pub(crate) fn check(head: &Parts) -> Result<(), Reply> {
    let mut hosts = head.headers.get_all(HOST).iter();
    let is_right = match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().is_ok_and(is_host),
        // Only clients of HTTP/1.0 may do without it.
        (None, _) => head.version == Version::HTTP_10,
        (Some(_), Some(_)) => false,
    };
    if is_right { Ok(()) } else { Err(plain_text(400, "host: exactly one valid `Host` is required\n")) }
}

/// True for a host with or without a port. A comma joins the values of repeated fields.
fn is_host(text: &str) -> bool {
    !text.contains(['/', '?', '#', '@', '\\', ',', '"']) && HostPort::of(&format!("http://{text}/")).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_a_name_or_an_address_with_or_without_a_port() {
        for right in
            ["a", "hub.example", "hub.example:8080", "hub.example:", "127.0.0.1:1", "[::1]", "[::1]:8080", "a_b"]
        {
            assert!(is_host(right), "{right}");
        }
        for wrong in [
            "", ":80", "a b", "a,b", " a", "a/b", "a?b", "a#b", "me@a", "a:b", "a:99999", "http://a", "[::1", "a\\b",
            "a\"b",
        ] {
            assert!(!is_host(wrong), "{wrong}");
        }
    }
}
