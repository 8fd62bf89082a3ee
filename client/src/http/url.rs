//! URLs that can be requested, and their origins: scheme, host and port.

use std::{fmt, net::IpAddr};

use iri_string::{
    format::ToDedicatedString,
    types::{IriStr, UriReferenceStr, UriStr, UriString},
};

use resourcesync::diagnostic::{Reason, ReasonCode};

use super::error::{Error, ErrorKind};

/// A scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Scheme {
    Http,
    Https,
}

impl Scheme {
    fn as_str(self) -> &'static str {
        match self {
            Scheme::Http => "http",
            Scheme::Https => "https",
        }
    }

    fn port(self) -> u16 {
        match self {
            Scheme::Http => 80,
            Scheme::Https => 443,
        }
    }
}

/// A host and a port.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct HostPort {
    /// In lower case, without a dot at its end and, for IPv6, without brackets.
    pub(crate) host: String,
    pub(crate) port: u16,
}

impl fmt::Display for HostPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

/// Scheme, host and port.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    pub(crate) scheme: Scheme,
    pub(crate) host_port: HostPort,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme.as_str(), self.host_port)
    }
}

/// A URI that can be requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Url {
    pub(crate) origin: Origin,
    /// The URI as sent: without fragment, with normalized host.
    pub(crate) uri: String,
    /// Path and query.
    pub(crate) path: String,
}

impl Url {
    /// Parses a URI, or an IRI that has non-ASCII characters only in its path and query.
    pub(crate) fn read(text: &str) -> Result<Url, Error> {
        let refuse = |why: &str| Error::new(ErrorKind::Uri, Reason::other(format!("{why}: `{text}`")));
        let iri = IriStr::new(text)
            .map_err(|_| Error::new(ErrorKind::Uri, Reason::new(ReasonCode::NotUri).arg("uri", text)))?;
        let uri: UriString = iri.encode_to_uri().to_dedicated_string();
        let scheme = match uri.scheme_str() {
            scheme if scheme.eq_ignore_ascii_case("http") => Scheme::Http,
            scheme if scheme.eq_ignore_ascii_case("https") => Scheme::Https,
            _ => return Err(refuse("not an http or https URI, and nothing else is fetched")),
        };
        let authority = uri.authority_components().ok_or_else(|| refuse("the URL has no host"))?;
        if authority.userinfo().is_some() {
            // There may be a password, too.
            let shown = format!("{}://…@{}", uri.scheme_str(), authority.host());
            let why = format!("the URL contains a user name; such URLs are not fetched: `{shown}`");
            return Err(Error::new(ErrorKind::Uri, Reason::other(why)));
        }
        let port = match authority.port() {
            None | Some("") => scheme.port(),
            Some(digits) => digits.parse().ok().filter(|port| *port != 0).ok_or_else(|| refuse("invalid port"))?,
        };
        let host = host(authority.host()).ok_or_else(|| refuse("invalid host"))?;
        let path = match (uri.path_str(), uri.query_str()) {
            (path, Some(query)) => format!("{}?{query}", or_root(path)),
            (path, None) => or_root(path).to_owned(),
        };
        let origin = Origin { scheme, host_port: HostPort { host, port } };
        Ok(Url { uri: format!("{}{path}", written(&origin)), origin, path })
    }

    /// Resolves a reference, such as that of a redirect.
    pub(crate) fn follow(&self, reference: &str) -> Result<Url, Error> {
        let refuse = || Error::new(ErrorKind::Redirect, Reason::new(ReasonCode::RedirectTarget).arg("uri", reference));
        let base = UriStr::new(&self.uri).map_err(|_| refuse())?;
        // Servers also send invalid URIs; non-ASCII bytes are interpreted as UTF-8.
        let encoded = iri_string::types::IriReferenceStr::new(reference)
            .map_err(|_| refuse())?
            .encode_to_uri()
            .to_dedicated_string();
        let reference: &UriReferenceStr = &encoded;
        let resolved = reference.resolve_against(base.to_absolute()).to_dedicated_string();
        Url::read(resolved.as_str())
    }
}

fn or_root(path: &str) -> &str {
    if path.is_empty() { "/" } else { path }
}

/// The origin without the default port of its scheme, so that each URI has one spelling.
fn written(origin: &Origin) -> String {
    let Origin { scheme, host_port } = origin;
    let host = if host_port.host.contains(':') { format!("[{}]", host_port.host) } else { host_port.host.clone() };
    if host_port.port == scheme.port() {
        format!("{}://{host}", scheme.as_str())
    } else {
        format!("{}://{host}:{}", scheme.as_str(), host_port.port)
    }
}

/// A host in normal form: an IPv6 address in its canonical form, a name in lower case.
fn host(text: &str) -> Option<String> {
    if let Some(address) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        // Zones and future forms are not internet addresses.
        return address.parse::<std::net::Ipv6Addr>().ok().map(|address| address.to_string());
    }
    let name = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    (!name.is_empty() && name.len() <= 253 && name.bytes().all(is_plain)).then_some(name)
}

impl HostPort {
    /// The address, if the host is one.
    pub(super) fn address(&self) -> Option<IpAddr> {
        self.host.parse().ok()
    }

    /// A host with an optional port, as entered by a user.
    pub(crate) fn read(text: &str) -> Option<(String, Option<u16>)> {
        if let Ok(address) = text.parse::<std::net::Ipv6Addr>() {
            return Some((address.to_string(), None));
        }
        let (name, port) = match text.rsplit_once(':') {
            Some((name, digits)) if !digits.ends_with(']') => {
                (name, Some(digits.parse().ok().filter(|port| *port != 0)?))
            }
            _ => (text, None),
        };
        Some((host(name)?, port))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn uri(text: &str) -> String {
        Url::read(text).unwrap().uri
    }

    #[test]
    fn one_uri_has_one_spelling() {
        assert_eq!(uri("HTTP://Example.COM.:80"), "http://example.com/");
        assert_eq!(uri("https://example.com:443/a?b#c"), "https://example.com/a?b");
        assert_eq!(uri("https://example.com:8443/"), "https://example.com:8443/");
        assert_eq!(uri("http://[::0:1]:81/"), "http://[::1]:81/");
        assert_eq!(uri("http://example.com/データ"), "http://example.com/%E3%83%87%E3%83%BC%E3%82%BF");
    }

    #[test]
    fn what_cannot_be_asked_is_refused() {
        for text in [
            "file:///etc/passwd",
            "ftp://example.com/",
            "javascript:alert(1)",
            "//example.com/",
            "http:///path",
            "http://user@example.com/",
            "http://user:secret@example.com/",
            "http://example.com:0/",
            "http://example.com:99999/",
            "http://exa mple.com/",
            "http://example.com\\@other.example/",
            "http://例え.jp/",
            "http://[fe80::1%25eth0]/",
            "http://a%2eb/",
            "",
        ] {
            assert_eq!(Url::read(text).unwrap_err().kind, ErrorKind::Uri, "{text}");
        }
    }

    #[test]
    fn a_redirect_is_resolved_where_it_was_met() {
        let here = Url::read("https://example.com/a/b?c").unwrap();
        for (reference, there) in [
            ("d", "https://example.com/a/d"),
            ("/d", "https://example.com/d"),
            ("?d", "https://example.com/a/b?d"),
            ("//other.example/d", "https://other.example/d"),
            ("../../../d", "https://example.com/d"),
            ("http://other.example", "http://other.example/"),
            ("é", "https://example.com/a/%C3%A9"),
        ] {
            assert_eq!(here.follow(reference).unwrap().uri, there);
        }
        assert_eq!(here.follow("file:///etc/passwd").unwrap_err().kind, ErrorKind::Uri);
        assert_eq!(here.follow("http://[").unwrap_err().kind, ErrorKind::Redirect);
    }

    #[test]
    fn a_host_can_be_named_with_and_without_a_port() {
        assert_eq!(HostPort::read("Example.com"), Some(("example.com".to_owned(), None)));
        assert_eq!(HostPort::read("127.0.0.1:8080"), Some(("127.0.0.1".to_owned(), Some(8080))));
        assert_eq!(HostPort::read("[::1]:81"), Some(("::1".to_owned(), Some(81))));
        assert_eq!(HostPort::read("[::1]"), Some(("::1".to_owned(), None)));
        assert_eq!(HostPort::read("::1"), Some(("::1".to_owned(), None)));
        assert_eq!(HostPort::read("a:b"), None);
        assert_eq!(HostPort::read("http://a"), None);
    }
}
