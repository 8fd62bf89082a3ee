//! Who may use the administration: a token, and nothing that another site makes a browser send.

use std::net::IpAddr;

use hyper::{
    Method,
    header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderName, ORIGIN},
    http::request::Parts,
};
use resourcesync_notify::{exchange::Reply, hub::Secret};
use sha2::{Digest, Sha256};

use super::page;
use crate::reply::plain_text;

/// Paths for supervisors, which show nothing about the store.
const OPEN: [&str; 2] = ["/health", "/ready"];

/// Checks the header of a request.
///
/// A browser of the operator may reach a socket without a token through a forwarded port. Other sites can make it send requests
/// there: `Host` must therefore be this machine (a name that was rebound is not), and an order is JSON from the page itself.
pub(super) fn check(head: &Parts, token: Option<&Secret>) -> Result<(), Reply> {
    if OPEN.contains(&head.uri.path()) {
        return Ok(());
    }
    let field = |name: HeaderName| head.headers.get(name).and_then(|value| value.to_str().ok());
    let host = field(HOST).unwrap_or_default();
    if token.is_none() && !is_local(host) {
        return Err(plain_text(403, "host: without a token, only localhost and loopback addresses are accepted\n"));
    }
    if let Some(token) = token
        && !page::is_file(head.uri.path())
    {
        let given = field(AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
        // Digests are compared, so the time does not depend on the token.
        if Sha256::digest(given.as_bytes()) != Sha256::digest(token.0.as_bytes()) {
            return Err(plain_text(401, "a token is required\n"));
        }
    }
    if head.method == Method::GET {
        return Ok(());
    }
    let own = |origin: &str| origin.split_once("://").is_some_and(|(_, authority)| authority == host);
    let site = field(HeaderName::from_static("sec-fetch-site"));
    if field(ORIGIN).is_some_and(|origin| !own(origin))
        || site.is_some_and(|site| !matches!(site, "same-origin" | "none"))
    {
        return Err(plain_text(403, "origin: an order is sent by the page or a program\n"));
    }
    // Forms cannot have this type.
    let media = field(CONTENT_TYPE).and_then(|value| value.split(';').next()).unwrap_or_default();
    if !media.trim().eq_ignore_ascii_case("application/json") {
        return Err(plain_text(415, "content-type: an order is application/json\n"));
    }
    Ok(())
}

/// True for this machine, with any port.
fn is_local(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let literal = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost") || literal.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use hyper::Request;

    use super::*;

    fn status(method: &str, path: &str, token: Option<&str>, fields: &[(&str, &str)]) -> u16 {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in fields {
            request = request.header(*name, *value);
        }
        let (head, ()) = request.body(()).expect("a request").into_parts();
        let token = token.map(|token| Secret(token.into()));
        check(&head, token.as_ref()).err().map_or(200, |reply| reply.status)
    }

    #[test]
    fn without_a_token_only_this_machine_is_a_host() {
        for (host, expected) in [
            ("localhost", 200),
            ("LOCALHOST:9090", 200),
            ("127.0.0.1:9090", 200),
            ("[::1]:9090", 200),
            ("[::1]", 200),
            ("hub.example", 403),
            ("localhost.attacker.example:9090", 403),
            ("192.0.2.1", 403),
            ("", 403),
        ] {
            assert_eq!(status("GET", "/admin/v1/status", None, &[("host", host)]), expected, "{host}");
            assert_eq!(status("GET", "/health", None, &[("host", host)]), 200, "{host}");
        }
    }

    #[test]
    fn a_token_protects_everything_but_the_empty_page() {
        let with = |token: &'static str| [("host", "hub.example"), ("authorization", token)];
        assert_eq!(status("GET", "/admin/v1/status", Some("right"), &with("Bearer right")), 200);
        for wrong in ["Bearer wrong", "Bearer ", "right", "Basic right"] {
            assert_eq!(status("GET", "/admin/v1/status", Some("right"), &with(wrong)), 401, "{wrong}");
            assert_eq!(status("GET", "/metrics", Some("right"), &with(wrong)), 401, "{wrong}");
        }
        assert_eq!(status("GET", "/page.js", Some("right"), &with("Bearer wrong")), 200);
        assert_eq!(status("POST", "/page.js", Some("right"), &with("Bearer wrong")), 415);
    }

    #[test]
    fn other_sites_cannot_send_orders() {
        let json = ("content-type", "application/json");
        for (what, fields, expected) in [
            ("a program", vec![json], 200),
            ("a charset", vec![("content-type", "application/json; charset=utf-8")], 200),
            ("the page", vec![json, ("origin", "http://localhost:9090"), ("sec-fetch-site", "same-origin")], 200),
            ("a form", vec![("content-type", "text/plain")], 415),
            ("no type", vec![], 415),
            ("another site", vec![json, ("origin", "https://attacker.example")], 403),
            ("another port", vec![json, ("origin", "http://localhost:8000")], 403),
            ("a sandbox", vec![json, ("origin", "null")], 403),
            ("a browser without Origin", vec![json, ("sec-fetch-site", "cross-site")], 403),
        ] {
            let fields: Vec<_> = [("host", "localhost:9090")].into_iter().chain(fields).collect();
            assert_eq!(status("POST", "/admin/v1/replay", None, &fields), expected, "{what}");
        }
    }
}
