//! HTTP as plain, bounded values: incoming requests and replies, outgoing requests and responses.

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt;

use resourcesync::named_enum;
use serde::Serialize;

/// The `User-Agent` of all requests: the version, and the address of the project once it has one.
pub const USER_AGENT: &str = if is_placeholder(env!("CARGO_PKG_REPOSITORY")) {
    concat!("resourcesync/", env!("CARGO_PKG_VERSION"))
} else {
    concat!("resourcesync/", env!("CARGO_PKG_VERSION"), " (+", env!("CARGO_PKG_REPOSITORY"), ")")
};

/// True for a host that ends with `.example`, which does not exist.
const fn is_placeholder(address: &str) -> bool {
    let mut rest = address.as_bytes();
    while let [_, next @ ..] = rest {
        if let [b'.', b'e', b'x', b'a', b'm', b'p', b'l', b'e', b'/', ..] = rest {
            return true;
        }
        rest = next;
    }
    false
}

/// Header fields in order, with case-insensitive names. `Debug` omits the values of those with secrets.
#[derive(Clone, Default, PartialEq, Eq, Serialize)]
pub struct Headers(Vec<(Cow<'static, str>, String)>);

/// Header fields whose values are never displayed.
const SECRET: [&str; 3] = ["authorization", "proxy-authorization", "cookie"];

impl Headers {
    /// Adds a field.
    #[must_use]
    pub fn with(mut self, name: impl Into<Cow<'static, str>>, value: impl Into<String>) -> Headers {
        self.0.push((name.into(), value.into()));
        self
    }

    /// The values of all fields of a name.
    pub fn all<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        let own = move |(own, _): &&(Cow<'static, str>, String)| own.eq_ignore_ascii_case(name);
        let values: Vec<&str> = self.0.iter().filter(own).map(|(_, value)| value.trim_ascii()).collect();
        values.into_iter()
    }

    /// The value of the first field of a name.
    pub fn first(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&**name, value.as_str()))
    }
}

impl fmt::Debug for Headers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_secret = |name: &str| SECRET.iter().any(|secret| name.eq_ignore_ascii_case(secret));
        f.debug_map()
            .entries(self.iter().map(|(name, value)| (name, if is_secret(name) { "…" } else { value })))
            .finish()
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Headers {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(fields: I) -> Headers {
        Headers(fields.into_iter().map(|(name, value)| (Cow::Owned(name.into()), value.into())).collect())
    }
}

/// An incoming request to a callback.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    /// The method, in upper case.
    pub method: String,
    /// The path, as sent.
    pub path: String,
    /// The query string after the `?`, as sent.
    pub query: Vec<u8>,
    /// The header fields.
    pub headers: Headers,
    /// The body.
    pub body: Body,
}

/// The body of a request, and whether it is complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// The complete body.
    Whole(Vec<u8>),
    /// It is longer than the limit.
    TooLarge,
    /// It ended prematurely.
    Stalled,
    /// It was not read, because the header suffices to refuse the request.
    Unread,
}

impl Default for Body {
    fn default() -> Body {
        Body::Whole(Vec::new())
    }
}

/// A request whose body is being received. The result does not depend on chunking.
#[derive(Debug)]
pub struct Intake {
    request: Request,
    bytes: Vec<u8>,
    most: usize,
    is_over: bool,
}

impl Intake {
    /// Creates a request with a maximum body size; its existing `body` is dropped.
    pub fn new(request: Request, most: usize) -> Intake {
        let declared = request.headers.first("content-length").and_then(|length| length.parse::<u64>().ok());
        // A body with an excessive declared length is rejected without reading it.
        let is_over = declared.is_some_and(|length| length > most as u64);
        Intake { request, bytes: Vec::new(), most, is_over }
    }

    /// Reads the next bytes; false once further bytes make no difference.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        let room = self.most.saturating_sub(self.bytes.len());
        self.is_over |= bytes.len() > room;
        if !self.is_over {
            self.bytes.extend_from_slice(bytes);
        }
        !self.is_over
    }

    /// Ends the body and returns the request.
    pub fn finish(self) -> Request {
        let body = if self.is_over { Body::TooLarge } else { Body::Whole(self.bytes) };
        Request { body, ..self.request }
    }

    /// Returns the request without its body, which was not read.
    pub fn leave(self) -> Request {
        Request { body: Body::Unread, ..self.request }
    }

    /// Returns the request with a body that ended prematurely.
    pub fn stall(self) -> Request {
        let body = if self.is_over { Body::TooLarge } else { Body::Stalled };
        Request { body, ..self.request }
    }
}

/// The reply to an incoming request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The header fields. The server adds `Content-Length`, `Date` and the like.
    pub headers: Headers,
    /// The body.
    pub body: Vec<u8>,
}

impl Reply {
    /// One line of text.
    pub(crate) fn text(status: u16, body: &str) -> Reply {
        let headers = Headers::default()
            .with("Content-Type", "text/plain; charset=utf-8")
            .with("X-Content-Type-Options", "nosniff")
            .with("Cache-Control", "no-store");
        Reply { status, headers, body: body.as_bytes().to_vec() }
    }
}

named_enum! {
    /// The method of an outgoing request.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Method {
        /// GET.
        Get = "GET",
        /// HEAD.
        Head = "HEAD",
        /// POST.
        Post = "POST",
    }
}

/// An outgoing request: exactly one exchange. Redirects and retries are decided by the state machine.
///
/// `Debug` omits the body, which may contain a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// The method.
    pub method: Method,
    /// The target URI.
    pub uri: String,
    /// The header fields set by the state machine.
    pub headers: Headers,
    /// The body.
    pub body: Vec<u8>,
    /// Maximum bytes needed of the response's body; the rest need not be read.
    pub most: usize,
}

impl fmt::Debug for Outgoing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outgoing { method, uri, headers, body, .. } = self;
        let mut shown = f.debug_struct("Outgoing");
        shown.field("method", method).field("uri", uri).field("headers", headers).field("bytes", &body.len());
        shown.finish_non_exhaustive()
    }
}

/// The response to an outgoing request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The header fields.
    pub headers: Headers,
    /// The body, or the needed part of it.
    pub body: Vec<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_taken_up_to_its_bound_however_it_is_cut() {
        for cut in 1..=4 {
            for (body, taken) in [(&b"abcd"[..], Body::Whole(b"abcd".to_vec())), (b"abcde", Body::TooLarge)] {
                let mut intake = Intake::new(Request::default(), 4);
                let wanted = body.chunks(cut).map(|piece| intake.push(piece)).last();
                assert_eq!(wanted, Some(taken != Body::TooLarge));
                assert_eq!(intake.finish().body, taken);
            }
        }
    }

    #[test]
    fn what_declares_to_be_too_long_is_not_read() {
        let headers: Headers = [("content-length", "5")].into_iter().collect();
        let mut intake = Intake::new(Request { headers, ..Request::default() }, 4);
        assert!(!intake.push(b"a"));
        assert_eq!(intake.stall().body, Body::TooLarge);
        let mut intake = Intake::new(Request::default(), 4);
        assert!(intake.push(b"a"));
        assert_eq!(intake.stall().body, Body::Stalled);
    }

    #[test]
    fn only_a_real_address_is_sent() {
        assert!(is_placeholder("https://resourcesync.example/resourcesync"));
        for real in ["https://example.org/a", "https://code.example.org/a.example", "https://an.examples/a", ""] {
            assert!(!is_placeholder(real), "{real}");
        }
        assert!(USER_AGENT.starts_with(concat!("resourcesync/", env!("CARGO_PKG_VERSION"))));
        assert!(!USER_AGENT.contains(".example/"));
    }

    #[test]
    fn secrets_are_not_shown() {
        let headers: Headers = [("AUTHORIZATION", "Bearer t0ken"), ("Link", "<a>")].into_iter().collect();
        let uri = String::from("https://hub.example/");
        let outgoing = Outgoing { method: Method::Post, uri, headers, body: b"hub.secret=s3cret".to_vec(), most: 0 };
        let shown = alloc::format!("{outgoing:?}");
        assert!(!shown.contains("t0ken") && !shown.contains("s3cret") && shown.contains("<a>"), "{shown}");
    }

    #[test]
    fn header_fields_are_found_in_any_case_and_without_the_blanks_around_them() {
        let headers: Headers = [("LINK", " <a> "), ("X", "y"), ("link", "<b>")].into_iter().collect();
        assert_eq!(headers.all("Link").collect::<Vec<_>>(), ["<a>", "<b>"]);
        assert_eq!((headers.first("x"), headers.first("z")), (Some("y"), None));
    }
}
