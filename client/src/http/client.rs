//! One request through redirects, refusals and second tries, to a response.

use std::{
    fmt,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use super::{
    body::Body,
    content_encoding::Packing,
    dns::Lookup,
    error::{Kind, Problem},
    policy::Policy,
    rate_limit::{backoff, pause},
    recording::Recordings,
    retry_after,
    robots::Robots,
    transport::{Answer, Empty, Headers, Hop, Method, Wire},
    url::Target,
};
use crate::Cancel;

/// Something that whoever runs a client may want to know, and that is no failure.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// A URI that the user named redirects permanently.
    Moved {
        /// The URI that redirects.
        from: String,
        /// Where it leads in the end.
        to: String,
    },
}

/// Gets notices; called from several threads.
pub type OnNotice = Arc<dyn Fn(&Notice) + Send + Sync>;

/// What a client goes by besides its policy.
pub struct ClientOptions {
    /// What is recorded, and what is played.
    pub recordings: Recordings,
    /// Unpacked bytes for each packed one, at most (limit `inflate_ratio`).
    pub inflate_ratio: u32,
    /// Stops the run that the client is for.
    pub cancel: Cancel,
    /// Gets notices; ignored by default.
    pub on_notice: OnNotice,
}

impl Default for ClientOptions {
    fn default() -> ClientOptions {
        ClientOptions {
            recordings: Recordings::default(),
            inflate_ratio: resourcesync::limits::Limits::default().inflate_ratio,
            cancel: Cancel::default(),
            on_notice: Arc::new(|_| {}),
        }
    }
}

/// How a body may be packed for the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Packed {
    /// With gzip, and is unpacked here.
    Gzip,
    /// Not at all; a server that does so nevertheless is understood.
    Not,
    /// As these content codings say, and comes as it was sent: its digests are of those bytes.
    AsSent(String),
}

impl Packed {
    /// What the server is told that we accept.
    fn accepts(&self) -> &str {
        match self {
            Packed::Gzip => "gzip",
            Packed::Not => "identity",
            Packed::AsSent(codings) => codings,
        }
    }
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The user named it, rather than a document: a redirect may then lead to another host.
    pub is_start: bool,
    /// What is done with it.
    pub method: Method,
    /// What is asked for: an http or https URI.
    pub uri: String,
    /// How a body may be packed for the way.
    pub packed: Packed,
    /// Only these bytes, the last one excluded.
    pub range: Option<std::ops::Range<u64>>,
    /// The entity tag that it has to have still, where a range is asked for.
    pub validator: Option<String>,
}

impl Request {
    /// For a document that nothing is known of.
    #[must_use]
    pub fn document(uri: impl Into<String>) -> Request {
        let (method, uri) = (Method::Get, uri.into());
        Request { is_start: false, method, uri, packed: Packed::Gzip, range: None, validator: None }
    }
}

/// What came of it.
#[derive(Debug)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// Where it came from, after all redirects.
    pub uri: String,
    /// The header fields.
    pub headers: Headers,
    /// The redirects on the way: the URI that redirected, and its status.
    pub hops: Vec<(String, u16)>,
    /// What follows the headers.
    pub body: Body,
}

/// Asks servers, as the policy lets it.
pub struct Client {
    pub(super) policy: Arc<Policy>,
    wire: Wire,
    robots: Robots,
    /// Unpacked bytes for each packed one.
    ratio: u32,
    cancel: Cancel,
    on_notice: OnNotice,
}

impl Client {
    /// With this policy.
    ///
    /// # Errors
    ///
    /// If the certificates of the policy cannot be used.
    pub fn new(policy: Policy, options: ClientOptions) -> Result<Client, Problem> {
        Client::with(policy, options, None)
    }

    pub(super) fn with(policy: Policy, options: ClientOptions, lookup: Option<Lookup>) -> Result<Client, Problem> {
        let ClientOptions { recordings, inflate_ratio, cancel, on_notice } = options;
        let policy = Arc::new(policy);
        let wire = Wire::new(policy.clone(), recordings, &cancel, lookup)?;
        Ok(Client { policy, wire, robots: Robots::default(), ratio: inflate_ratio, cancel, on_notice })
    }

    /// Asks, follows redirects, tries again where that may help.
    ///
    /// An answer of any status that is not a redirect is a response.
    ///
    /// # Errors
    ///
    /// If the policy does not allow the request, or there is no answer.
    pub fn fetch(&self, request: &Request) -> Result<Response, Problem> {
        self.follow(request, self.policy.robots)
    }

    /// The same, without asking robots.txt.
    pub(super) fn follow(&self, request: &Request, heeds_robots: bool) -> Result<Response, Problem> {
        let start = Target::read(&request.uri)?;
        let mut target = start.clone();
        let mut hops: Vec<(String, u16)> = Vec::new();
        loop {
            self.policy.check(&target)?;
            if heeds_robots {
                self.robots.check(self, &target)?;
            }
            let answer = self.insist(request, &target)?;
            let Some(location) = location(&answer)? else {
                return self.response(request, target, hops, answer);
            };
            let next = target.follow(&location)?;
            self.policy.redirected(request.is_start, &target, &next)?;
            hops.push((target.uri, answer.status));
            let most = self.policy.limits.http_redirects;
            if hops.iter().any(|(uri, _)| *uri == next.uri) {
                return Err(Problem::new(Kind::Redirect, "its redirects go round in a circle"));
            }
            if hops.len() as u64 > most {
                let words = format!("it redirects more than {most} times (limit http_redirects)");
                return Err(Problem::new(Kind::Redirect, words));
            }
            target = next;
        }
    }

    /// Asks one server, more than once if need be.
    fn insist(&self, request: &Request, target: &Target) -> Result<Answer, Problem> {
        let mut tries = 0;
        loop {
            let headers = request.validator.iter().map(|etag| ("if-range".to_owned(), etag.clone())).collect();
            let accepts = request.packed.accepts();
            let range =
                request.range.as_ref().map(|range| format!("bytes={}-{}", range.start, range.end.saturating_sub(1)));
            let sent = self.wire.send(Hop { method: request.method, target, headers, accepts, range });
            let wait = match &sent.outcome {
                Ok(answer) => self.wait(answer)?,
                Err(problem) => problem.may_pass().then_some(None),
            };
            let Some(wait) = wait.filter(|_| tries < self.policy.limits.http_retries) else { return sent.outcome };
            // The connection, and its place at the gate, are given back before the wait.
            drop(sent.outcome);
            if sent.is_live {
                pause(wait.unwrap_or_else(|| backoff(tries)), &self.cancel)?;
            }
            tries = tries.saturating_add(1);
        }
    }

    /// Whether asking again may help, and when if the server says so.
    fn wait(&self, answer: &Answer) -> Result<Option<Option<Duration>>, Problem> {
        if !matches!(answer.status, 429 | 502 | 503 | 504) {
            return Ok(None);
        }
        let now = answer.headers.first("date").and_then(retry_after::date).unwrap_or_else(clock);
        let wanted = answer.headers.first("retry-after").and_then(|value| retry_after::wait(value, now));
        let most = self.policy.limits.http_retry_after_seconds;
        match wanted {
            Some(wanted) if wanted.as_secs() > most => Err(Problem::new(
                Kind::Later,
                format!(
                    "it answers {} and asks to come back in {} s, which is more than {most} s (limit http_retry_after_seconds)",
                    answer.status,
                    wanted.as_secs()
                ),
            )),
            wanted => Ok(Some(wanted)),
        }
    }

    fn response(
        &self,
        request: &Request,
        target: Target,
        hops: Vec<(String, u16)>,
        answer: Answer,
    ) -> Result<Response, Problem> {
        let Answer { status, headers, raw } = answer;
        let has_body = request.method == Method::Get && !matches!(status, 204 | 205 | 304);
        let body = if has_body {
            let packing = match request.packed {
                Packed::AsSent(_) => Packing::Not,
                Packed::Gzip | Packed::Not => Packing::of(headers.all("content-encoding"), self.ratio)?,
            };
            Body::new(raw, packing, self.policy.limits.http_body_bytes)
        } else {
            Body::new(Box::new(Empty), Packing::Not, 0)
        };
        Ok(Response { status, uri: target.uri, headers, hops, body })
    }
}

impl Client {
    /// Notes that a URI which the user named has a better one now.
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

/// Where an answer redirects to, if it does.
fn location(answer: &Answer) -> Result<Option<String>, Problem> {
    if !matches!(answer.status, 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let mut locations = answer.headers.all("location");
    let wrong = |why: &str| Problem::new(Kind::Redirect, format!("it answers {} {why}", answer.status));
    let first = locations.next().ok_or_else(|| wrong("and does not say where to (Location)"))?;
    if locations.any(|other| other != first) {
        return Err(wrong("with several places to go to (Location)"));
    }
    Ok(Some(first.to_owned()))
}

/// Seconds since 1970, for servers that give a date and do not say what time it is there.
fn clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs())
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
        let refused = client("http://named.example/", lookup).fetch(&Request::document("http://evil.example/"));
        let problem = refused.unwrap_err();
        assert_eq!(problem.kind, Kind::Address);
        assert!(problem.words.contains("127.0.0.1, is not public (loopback)"), "{problem}");
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
            client.fetch(&Request::document(uri.as_str())).unwrap().body.read_to_string(&mut body).unwrap();
            assert_eq!(body, "here");
        }
    }
}
