//! Requests and responses.

use std::{
    ops::Range,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use resourcesync::value::{http_date, retry_after};

use super::{
    body::Body,
    credentials::{HeaderError, checked},
    transport::Headers,
};

/// The method of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// GET.
    Get,
    /// HEAD.
    Head,
    /// POST.
    Post,
}

impl Method {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Head => "HEAD",
            Method::Post => "POST",
        }
    }
}

/// The accepted content codings of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AcceptEncoding {
    /// gzip, which is decoded.
    Gzip,
    /// gzip preferred to identity, with the weights that OAI-PMH recommends; it is decoded.
    GzipPreferred,
    /// None. gzip is decoded nevertheless.
    Identity,
    /// These. The body is not decoded, since its digests are those of the encoded bytes.
    Raw(String),
}

impl AcceptEncoding {
    /// The header field.
    pub(super) fn as_str(&self) -> &str {
        match self {
            AcceptEncoding::Gzip => "gzip",
            AcceptEncoding::GzipPreferred => "gzip;q=1.0, identity;q=0.5",
            AcceptEncoding::Identity => "identity",
            AcceptEncoding::Raw(codings) => codings,
        }
    }
}

/// The condition of a request; if it is not met, the status is 304.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// If the entity tag differs from this one (`If-None-Match`).
    NoneMatch(String),
    /// If it was modified after this HTTP date (`If-Modified-Since`).
    ModifiedSince(String),
}

impl Condition {
    /// Name and value of the header field.
    pub(super) fn header(&self) -> (String, String) {
        match self {
            Condition::NoneMatch(tag) => ("if-none-match".to_owned(), tag.clone()),
            Condition::ModifiedSince(date) => ("if-modified-since".to_owned(), date.clone()),
        }
    }
}

/// Which redirects are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redirects {
    /// All for GET and HEAD. For POST only 307 and 308, which keep the method and the body; any other is the response.
    Follow,
    /// None: a redirect is the response.
    Return,
}

/// One request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// True if the URI was specified by the user, false if by a document. Redirects of the former may lead to another
    /// public host.
    pub is_start: bool,
    /// The method.
    pub method: Method,
    /// An http or https URI.
    pub uri: String,
    /// The accepted content codings.
    pub accept: AcceptEncoding,
    /// A range of bytes, with exclusive end; [`u64::MAX`] for all that follow.
    pub range: Option<Range<u64>>,
    /// The entity tag of the range; if it changed, the whole body is sent (`If-Range`).
    pub if_range: Option<String>,
    /// The condition of the request.
    pub condition: Option<Condition>,
    /// Which redirects are followed.
    pub redirects: Redirects,
    /// The body of a POST.
    pub body: Vec<u8>,
    /// The caller's header fields.
    pub headers: RequestHeaders,
}

/// Header fields set by the caller, with names in lower case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestHeaders(Vec<(String, String)>);

impl Request {
    /// A GET request that accepts gzip.
    #[must_use]
    pub fn get(uri: impl Into<String>) -> Request {
        Request {
            is_start: false,
            method: Method::Get,
            uri: uri.into(),
            accept: AcceptEncoding::Gzip,
            range: None,
            if_range: None,
            condition: None,
            redirects: Redirects::Follow,
            body: Vec::new(),
            headers: RequestHeaders::default(),
        }
    }

    /// A POST request with a body of a media type.
    ///
    /// # Errors
    ///
    /// If the media type does not fit into a header.
    pub fn post(uri: impl Into<String>, media_type: &str, body: Vec<u8>) -> Result<Request, HeaderError> {
        Request { method: Method::Post, body, ..Request::get(uri) }.header("Content-Type", media_type)
    }

    /// Adds a header field. It is sent to the origin of the URI; after a redirect to another origin only if it is `Accept`,
    /// `Accept-Language` or `Content-Type`.
    ///
    /// # Errors
    ///
    /// If it is not a valid header field, or one that the client sets itself.
    pub fn header(mut self, name: &str, value: &str) -> Result<Request, HeaderError> {
        let name = checked(name, value)?;
        self.headers.0.push((name, value.to_owned()));
        Ok(self)
    }
}

impl RequestHeaders {
    /// The fields for the origin of the URI, or for another one.
    pub(super) fn of(&self, is_own_origin: bool) -> impl Iterator<Item = (String, String)> {
        let is_sent = move |name: &str| is_own_origin || ["accept", "accept-language", "content-type"].contains(&name);
        self.0.iter().filter(move |(name, _)| is_sent(name)).cloned()
    }
}

/// The response to a request, with any status except followed redirects.
#[derive(Debug)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// Its URI, after all redirects.
    pub uri: String,
    /// The header fields.
    pub headers: Headers,
    /// The redirects that were followed: the URI that redirected, and its status.
    pub hops: Vec<(String, u16)>,
    /// The body.
    pub body: Body,
}

impl Response {
    /// True if a retry may succeed: 429, 502, 503 and 504.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        matches!(self.status, 429 | 502 | 503 | 504)
    }

    /// The wait that the server requests (`Retry-After`), with any status. A date is relative to the server's clock, if it sends its
    /// time.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        let now = self.headers.first("date").and_then(http_date).unwrap_or_else(clock);
        self.headers.first("retry-after").and_then(|value| retry_after(value, now)).map(Duration::from_secs)
    }
}

/// Seconds since 1970.
fn clock() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |elapsed| i64::try_from(elapsed.as_secs()).unwrap_or(i64::MAX))
}
