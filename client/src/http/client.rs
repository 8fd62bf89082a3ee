//! Sends one request and follows the redirects that the policy allows. It is sent once: only [`retry`](super::retry) makes further
//! attempts and waits for a busy server.

use std::{fmt, num::NonZeroUsize, sync::Arc};

use resourcesync::diagnostic::{Reason, ReasonCode};

#[cfg(feature = "objects")]
use super::transport::plain_agent;
use super::{
    backoff::HostBackoff,
    body::Body,
    content_encoding::Coding,
    dns::Lookup,
    error::{Error, ErrorKind},
    policy::Policy,
    recording::Recordings,
    request::{AcceptEncoding, Method, Redirects, Request, Response},
    robots::Robots,
    transport::{Answer, Empty, Hop, Responder, Transport},
    url::Url,
};
use crate::cancel::Cancel;

/// An event that is not an error.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// A URI that the user gave redirects permanently.
    Moved {
        /// The URI that redirects.
        from: String,
        /// The target of the last redirect.
        to: String,
    },
}

/// Receives notices; called from several threads.
pub type OnNotice = Arc<dyn Fn(&Notice) + Send + Sync>;

/// Options of a client besides its policy.
pub struct ClientOptions {
    /// The recordings to write and to replay.
    pub recordings: Recordings,
    /// Maximum decoded bytes per encoded byte (limit `inflate_ratio`).
    pub inflate_ratio: u32,
    /// Cancels the run of the client.
    pub cancel: Cancel,
    /// Receives notices; ignores them by default.
    pub on_notice: OnNotice,
    /// Responds to all requests in place of the network.
    pub responder: Option<Responder>,
}

impl Default for ClientOptions {
    fn default() -> ClientOptions {
        ClientOptions {
            recordings: Recordings::default(),
            inflate_ratio: resourcesync::limits::Limits::default().inflate_ratio,
            cancel: Cancel::default(),
            on_notice: Arc::new(|_| {}),
            responder: None,
        }
    }
}

/// Sends requests within a policy. A client is for one run: it resolves each host name once.
pub struct Client {
    pub(super) policy: Arc<Policy>,
    pub(super) cancel: Cancel,
    pub(super) backoff: Arc<HostBackoff>,
    transport: Transport,
    robots: Arc<Robots>,
    inflate_ratio: u32,
    on_notice: OnNotice,
}

/// The progress of a request: the next URI, and the redirects so far.
#[derive(Debug)]
pub(super) struct Route {
    start: Url,
    target: Url,
    hops: Vec<(String, u16)>,
}

impl Route {
    /// Starts at the URI of the request.
    pub(super) fn start(request: &Request) -> Result<Route, Error> {
        let start = Url::read(&request.uri)?;
        Ok(Route { target: start.clone(), start, hops: Vec::new() })
    }

    /// The host of the next request.
    pub(super) fn host(&self) -> &str {
        &self.target.origin.host_port.host
    }
}

impl Client {
    /// Creates a client with this policy.
    ///
    /// # Errors
    ///
    /// If the certificates of the policy cannot be used.
    pub fn new(policy: Policy, options: ClientOptions) -> Result<Client, Error> {
        Client::with(policy, options, None)
    }

    pub(super) fn with(policy: Policy, options: ClientOptions, lookup: Option<Lookup>) -> Result<Client, Error> {
        let ClientOptions { recordings, inflate_ratio, cancel, on_notice, responder } = options;
        let policy = Arc::new(policy);
        let transport = Transport::new(policy.clone(), recordings, &cancel, lookup, responder)?;
        let (backoff, robots) = (Arc::default(), Arc::default());
        Ok(Client { policy, cancel, backoff, transport, robots, inflate_ratio, on_notice })
    }

    /// A client for one Source of several, which the user gave by the URI `start`: it may request what this one may, the host of the start,
    /// and the hosts to which this is known to redirect ([`Client::led`]). All of them together keep to the rate and the number of
    /// connections of this one.
    ///
    /// # Errors
    ///
    /// If the URI cannot be requested, or one of `led` is not a host with its port.
    pub fn for_source(&self, start: &str, led: &[String]) -> Result<Client, Error> {
        let policy = Arc::new(self.policy.for_source(start, led)?);
        Ok(Client {
            transport: self.transport.with_policy(policy.clone())?,
            policy,
            cancel: self.cancel.clone(),
            backoff: self.backoff.clone(),
            robots: self.robots.clone(),
            inflate_ratio: self.inflate_ratio,
            on_notice: self.on_notice.clone(),
        })
    }

    /// The hosts to which URIs that the user gave redirected, each with its port. Other processes that read documents of the same Source
    /// have to know them: [`Client::for_source`].
    #[must_use]
    pub fn led(&self) -> Vec<String> {
        self.policy.led()
    }

    /// Sends a request once and follows redirects. It waits for a free connection and for the rate limit, but never for a busy server:
    /// [`Response::is_temporary`], [`Response::retry_after`] and the same methods of [`Error`] return whether and when a retry may
    /// succeed.
    ///
    /// # Errors
    ///
    /// If the policy does not allow the request, or there is no response. A response with any status is not an
    /// error.
    pub fn fetch(&self, request: &Request) -> Result<Response, Error> {
        self.follow(request, &mut Route::start(request)?, self.policy.robots)
    }

    /// An agent with the proxy, the certificate authorities and the limits on time of this client, which requests any host.
    #[cfg(feature = "objects")]
    pub(crate) fn plain_agent(&self) -> Result<ureq::Agent, Error> {
        plain_agent(&self.policy)
    }

    /// Checks whether the policy allows a URI, before anything is sent.
    pub(crate) fn check(&self, uri: &str) -> Result<(), Error> {
        self.policy.check(&Url::read(uri)?).map(drop)
    }

    /// Continues a route; after an error it is at the URI that failed.
    pub(super) fn follow(&self, request: &Request, route: &mut Route, honours_robots: bool) -> Result<Response, Error> {
        loop {
            self.policy.check(&route.target)?;
            if honours_robots {
                let fetch = |request: &Request| self.follow(request, &mut Route::start(request)?, false);
                self.robots.check(&route.target, &self.policy.limits, &fetch)?;
            }
            let answer = self.send(request, route)?;
            let Some(location) = location(request, &answer)? else {
                return self.response(request, route, answer);
            };
            let next = route.target.follow(&location)?;
            self.policy.redirected(request.is_start, &route.target, &next)?;
            route.hops.push((std::mem::replace(&mut route.target, next).uri, answer.status));
            let most = self.policy.limits.http_redirects;
            if route.hops.iter().any(|(uri, _)| *uri == route.target.uri) {
                return Err(Error::new(ErrorKind::Redirect, Reason::new(ReasonCode::RedirectLoop)));
            }
            if route.hops.len() as u64 > most {
                let reason = Reason::new(ReasonCode::TooManyRedirects).arg("n", most).arg("limit", "http_redirects");
                return Err(Error::new(ErrorKind::Redirect, reason));
            }
        }
    }

    fn send(&self, request: &Request, route: &Route) -> Result<Answer, Error> {
        let range = request.range.as_ref();
        self.transport.send(Hop {
            method: request.method,
            target: &route.target,
            headers: request.headers.of(route.target.origin == route.start.origin).collect(),
            accept: request.accept.as_str(),
            range: range.map(|range| match range.end {
                u64::MAX => format!("bytes={}-", range.start),
                end => format!("bytes={}-{}", range.start, end.saturating_sub(1)),
            }),
            if_range: request.if_range.as_deref(),
            condition: request.condition.as_ref().map(|condition| condition.header()),
            body: &request.body,
        })
    }

    fn response(&self, request: &Request, route: &mut Route, answer: Answer) -> Result<Response, Error> {
        let Answer { status, headers, raw } = answer;
        let has_body = request.method != Method::Head && !matches!(status, 204 | 205 | 304);
        let body = if has_body {
            let coding = match request.accept {
                AcceptEncoding::Raw(_) => Coding::Identity,
                AcceptEncoding::GzipPreferred => {
                    Coding::with_deflate(headers.all("content-encoding"), self.inflate_ratio)?
                }
                AcceptEncoding::Gzip | AcceptEncoding::Identity => {
                    Coding::of(headers.all("content-encoding"), self.inflate_ratio)?
                }
            };
            Body::new(raw, coding, self.policy.limits.http_body_bytes)
        } else {
            Body::new(Box::new(Empty), Coding::Identity, 0)
        };
        Ok(Response { status, uri: route.target.uri.clone(), headers, hops: std::mem::take(&mut route.hops), body })
    }

    /// The maximum number of concurrent requests.
    #[must_use]
    pub fn connections(&self) -> NonZeroUsize {
        let connections = usize::try_from(self.policy.limits.http_connections).unwrap_or(usize::MAX);
        NonZeroUsize::new(connections).unwrap_or(NonZeroUsize::MIN)
    }

    /// True unless all responses are from a recording.
    pub(super) fn is_online(&self) -> bool {
        self.transport.is_online()
    }

    /// Notices a permanent redirect of a URI that the user gave.
    pub(crate) fn notice_moved(&self, response: &Response) {
        if let Some((moved, _)) = response.hops.iter().find(|(_, status)| matches!(status, 301 | 308)) {
            (self.on_notice)(&Notice::Moved { from: moved.clone(), to: response.uri.clone() });
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("policy", &self.policy).finish_non_exhaustive()
    }
}

/// The target of a redirect, if the request follows it.
fn location(request: &Request, answer: &Answer) -> Result<Option<String>, Error> {
    let is_followed = match (request.redirects, request.method) {
        (Redirects::Return, _) => false,
        (Redirects::Follow, Method::Post) => matches!(answer.status, 307 | 308),
        (Redirects::Follow, _) => matches!(answer.status, 301 | 302 | 303 | 307 | 308),
    };
    if !is_followed {
        return Ok(None);
    }
    let mut locations = answer.headers.all("location");
    let wrong = |code| Error::new(ErrorKind::Redirect, Reason::new(code).arg("status", answer.status));
    let first = locations.next().ok_or_else(|| wrong(ReasonCode::NoLocation))?;
    if locations.any(|other| other != first) {
        return Err(wrong(ReasonCode::SeveralLocations));
    }
    Ok(Some(first.to_owned()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::{
        io::{Read, Write},
        net::{IpAddr, TcpListener},
        sync::atomic::{AtomicUsize, Ordering},
        thread,
    };

    use super::*;

    fn client(start: &str, lookup: Lookup) -> Client {
        let mut policy = Policy::default();
        policy.start(start).unwrap();
        policy.allow("*").unwrap();
        policy.limits.http_retries = 0;
        Client::with(policy, ClientOptions::default(), Some(lookup)).unwrap()
    }

    #[test]
    fn a_name_that_leads_home_is_not_connected_to() {
        let lookup: Lookup = Arc::new(|_| Ok(vec![IpAddr::from([127, 0, 0, 1]), IpAddr::from([169, 254, 169, 254])]));
        let refused = client("http://named.example/", lookup).fetch(&Request::get("http://evil.example/"));
        let problem = refused.unwrap_err();
        assert_eq!(problem.kind, ErrorKind::Address);
        assert!(problem.to_string().contains("non-public address 127.0.0.1 of `evil.example` (loopback)"), "{problem}");
    }

    #[test]
    fn a_name_cannot_lead_elsewhere_later() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let _ = stream.read(&mut [0; 1024]);
                stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\nhere").unwrap();
            }
        });
        let asked = AtomicUsize::new(0);
        let lookup: Lookup = Arc::new(move |_| {
            let last = if asked.fetch_add(1, Ordering::SeqCst) == 0 { 1 } else { 2 };
            Ok(vec![IpAddr::from([127, 0, 0, last])])
        });
        let uri = format!("http://rebind.example:{port}/");
        let client = client(&uri, lookup);
        for _ in 0..3 {
            let mut body = String::new();
            client.fetch(&Request::get(uri.as_str())).unwrap().body.read_to_string(&mut body).unwrap();
            assert_eq!(body, "here");
        }
    }
}
