//! HTTP as plain values with bounds: requests to a callback and their replies, requests of ours and their responses.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

/// Header fields in order; names in any case. Shown without the values of those that hold secrets.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Headers(Vec<(String, String)>);

/// Header fields whose values are never shown.
const SECRET: [&str; 3] = ["authorization", "proxy-authorization", "cookie"];

impl Headers {
    /// Adds a field.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Headers {
        self.0.push((name.to_string(), value.into()));
        self
    }

    /// The values of all fields of a name.
    pub fn all<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        let own = move |(own, _): &&(String, String)| own.eq_ignore_ascii_case(name);
        let values: Vec<&str> = self.0.iter().filter(own).map(|(_, value)| value.trim_ascii()).collect();
        values.into_iter()
    }

    /// The value of the first field of a name.
    pub fn first(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
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
        Headers(fields.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

/// A request that came in at a callback.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    /// The method, in upper case.
    pub method: String,
    /// The path, as sent.
    pub path: String,
    /// What follows the `?`, as sent.
    pub query: Vec<u8>,
    /// The header fields.
    pub headers: Headers,
    /// What follows them.
    pub body: Body,
}

/// The body of a request, if it came as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// All of it.
    Whole(Vec<u8>),
    /// It is longer than what is taken.
    TooLarge,
    /// It stopped coming.
    Stalled,
}

impl Default for Body {
    fn default() -> Body {
        Body::Whole(Vec::new())
    }
}

/// A request whose body is on its way. Any chunking gives the same request.
#[derive(Debug)]
pub struct Intake {
    request: Request,
    bytes: Vec<u8>,
    most: usize,
    is_over: bool,
}

impl Intake {
    /// A request with a body of so many bytes at most; what its `body` holds already is dropped.
    pub fn new(request: Request, most: usize) -> Intake {
        let declared = request.headers.first("content-length").and_then(|length| length.parse::<u64>().ok());
        // What declares to be too long need not be read to be refused.
        let is_over = declared.is_some_and(|length| length > most as u64);
        Intake { request, bytes: Vec::new(), most, is_over }
    }

    /// Takes the next bytes; false once more of them would change nothing.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        let room = self.most.saturating_sub(self.bytes.len());
        self.is_over |= bytes.len() > room;
        if !self.is_over {
            self.bytes.extend_from_slice(bytes);
        }
        !self.is_over
    }

    /// The request, at the end of its body.
    pub fn finish(self) -> Request {
        let body = if self.is_over { Body::TooLarge } else { Body::Whole(self.bytes) };
        Request { body, ..self.request }
    }

    /// The request, whose body stopped coming.
    pub fn stall(self) -> Request {
        let body = if self.is_over { Body::TooLarge } else { Body::Stalled };
        Request { body, ..self.request }
    }
}

/// The answer to a request that came in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The header fields. `Content-Length`, `Date` and the like are for the server to add.
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

/// How a resource of another server is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The whole.
    Get,
    /// The headers.
    Head,
    /// With a body.
    Post,
}

impl Method {
    /// The name in a request.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Head => "HEAD",
            Method::Post => "POST",
        }
    }
}

/// A request of ours: exactly one exchange. Redirects are not followed, nothing is tried again; the machine decides about both.
///
/// Shown without its body, which may hold a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// The method.
    pub method: Method,
    /// Where it goes.
    pub uri: String,
    /// The header fields that the machine determines.
    pub headers: Headers,
    /// The body.
    pub body: Vec<u8>,
    /// Bytes of the response's body that are of interest; the rest need not be read.
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

/// The response to a request of ours.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The header fields.
    pub headers: Headers,
    /// The body, or as much of it as was of interest.
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
    fn secrets_are_not_shown() {
        let headers: Headers = [("AUTHORIZATION", "Bearer t0ken"), ("Link", "<a>")].into_iter().collect();
        let uri = "https://hub.example/".to_string();
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
