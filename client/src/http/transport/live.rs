//! Sends requests over the network.

use std::{
    fmt,
    io::{self, Read},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use ureq::{
    Agent,
    config::Config,
    http::Request,
    tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem},
    unversioned::transport::{ConnectProxyConnector, Connector, RustlsConnector, TcpConnector},
};

use resourcesync::diagnostic::{Reason, ReasonCode};

use super::{
    super::{
        body::Raw,
        dns::{Dns, Lookup},
        error::{Error, ErrorKind},
        limits::Limits,
        policy::Policy,
        rate_limit::{Connections, Place, RateLimit},
        request::Method,
    },
    Answer, Headers, Hop,
};
use crate::cancel::{Cancel, TICK};

/// Sends requests without redirects, cookies or decoding.
pub(super) struct Live {
    agent: Agent,
    policy: Arc<Policy>,
    dns: Dns,
    rate_limit: Arc<RateLimit>,
    connections: Arc<Connections>,
    cancel: Cancel,
    /// Set to end the watch thread.
    ended: Arc<AtomicBool>,
}

impl Live {
    pub(super) fn new(policy: Arc<Policy>, cancel: Cancel, lookup: Option<Lookup>) -> Result<Live, Error> {
        let dns = Dns::new(policy.clone(), cancel.clone(), lookup);
        let rate_limit = Arc::new(RateLimit::new(policy.limits.http_requests_per_second, policy.adapts));
        let connections = Connections::new(policy.limits.http_connections);
        Live::with(policy, dns, rate_limit, connections, cancel)
    }

    /// The same with another policy. Connections are not reused: they may lead to addresses that only one of the two allows.
    pub(super) fn with_policy(&self, policy: Arc<Policy>) -> Result<Live, Error> {
        let dns = self.dns.with_policy(policy.clone());
        Live::with(policy, dns, self.rate_limit.clone(), self.connections.clone(), self.cancel.clone())
    }

    fn with(
        policy: Arc<Policy>,
        dns: Dns,
        rate_limit: Arc<RateLimit>,
        connections: Arc<Connections>,
        cancel: Cancel,
    ) -> Result<Live, Error> {
        let connector = ().chain(ConnectProxyConnector::default()).chain(TcpConnector::default());
        let agent = Agent::with_parts(config(&policy)?, connector.chain(RustlsConnector::default()), dns.clone());
        let ended = Arc::new(AtomicBool::new(false));
        watch(agent.clone(), cancel.clone(), ended.clone());
        Ok(Live { agent, policy, dns, rate_limit, connections, cancel, ended })
    }

    /// Sends a request once the rate limit allows it.
    pub(super) fn ask(&self, hop: &Hop<'_>) -> Result<Answer, Error> {
        let place = self.connections.enter(&self.cancel)?;
        let host_port = &hop.target.origin.host_port;
        if !(self.rate_limit.adapts() && self.policy.is_own(host_port)) {
            self.rate_limit.wait(&host_port.host, &self.cancel)?;
        }
        let sent = Instant::now();
        let mut request = Request::builder().method(hop.method.as_str()).uri(&hop.target.uri);
        let own = [
            ("user-agent", Some(self.policy.agent())),
            ("from", self.policy.from.as_deref()),
            ("accept-encoding", Some(hop.accept)),
            ("range", hop.range.as_deref()),
            ("if-range", hop.if_range),
        ];
        for (name, value) in own.into_iter().filter_map(|(name, value)| Some((name, value?))) {
            request = request.header(name, value);
        }
        for (name, value) in hop.condition.iter().chain(&hop.headers) {
            request = request.header(name, value);
        }
        for (name, value) in self.policy.credentials.of(&hop.target.origin) {
            request = request.header(name, value);
        }
        let outcome = match hop.method {
            Method::Post => request.body(hop.body).map(|request| self.agent.run(request)),
            Method::Get | Method::Head => request.body(()).map(|request| self.agent.run(request)),
        };
        let refused = |error| Error::new(ErrorKind::Uri, Reason::other(format!("`{}`: {error}", hop.target.uri)));
        let limits = &self.policy.limits;
        let outcome = outcome.map_err(refused)?.map_err(|error| ours(error, limits, &self.cancel));
        let is_busy = match &outcome {
            Ok(response) => matches!(response.status().as_u16(), 429 | 503),
            Err(error) => error.kind == ErrorKind::Time,
        };
        self.rate_limit.answered(&host_port.host, sent, Instant::now(), is_busy);
        let response = outcome?;
        let (parts, body) = response.into_parts();
        if parts.headers.len() as u64 > limits.http_header_fields {
            return Err(too_many_fields(limits));
        }
        // A transfer coding other than chunks is not decoded: its bytes would be taken for the content.
        for value in parts.headers.get_all("transfer-encoding") {
            let value = String::from_utf8_lossy(value.as_bytes());
            let mut codings = value.split(',').map(|coding| coding.trim().to_ascii_lowercase());
            if !codings.all(|coding| matches!(&*coding, "" | "chunked" | "identity")) {
                let detail = format!("transfer coding `{value}`");
                return Err(Error::new(
                    ErrorKind::Protocol,
                    Reason::new(ReasonCode::InvalidResponse).arg("detail", detail),
                ));
            }
        }
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        let headers = parts.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value.as_bytes())));
        let raw = Box::new(LiveBody {
            reader: Box::new(body.into_with_config().limit(u64::MAX).reader()),
            limits: limits.clone(),
            cancel: self.cancel.clone(),
            spent: Duration::ZERO,
            came: 0,
            place: Some(place),
        });
        Ok(Answer { status: parts.status.as_u16(), headers: Headers::new(headers.collect()), raw })
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").finish_non_exhaustive()
    }
}

/// Closes all connections when the run is cancelled, which ends waiting for a server.
fn watch(agent: Agent, cancel: Cancel, ended: Arc<AtomicBool>) {
    let watching = move || {
        while !ended.load(Ordering::Relaxed) {
            if cancel.is_cancelled() {
                agent.shutdown();
                return;
            }
            thread::sleep(TICK);
        }
    };
    // Without the watch, cancellation is noticed when the server responds or a limit on time is exceeded.
    let _ = thread::Builder::new().name("watch".to_owned()).spawn(watching);
}

/// An agent with the proxy, the certificate authorities and the limits of a policy, which requests any host.
#[cfg(feature = "objects")]
pub(in crate::http) fn plain_agent(policy: &Policy) -> Result<Agent, Error> {
    Ok(Agent::new_with_config(config(policy)?))
}

fn config(policy: &Policy) -> Result<Config, Error> {
    let limits = &policy.limits;
    let connect = limits.seconds("http_connect_seconds");
    let headers = limits.seconds("http_headers_seconds");
    let idle = limits.seconds("http_idle_seconds");
    let header_bytes = usize::try_from(limits.http_header_bytes).unwrap_or(usize::MAX);
    Ok(Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .proxy(policy.proxy.clone())
        .tls_config(tls(policy)?)
        .accept("*/*")
        .timeout_global(Some(limits.seconds("http_total_seconds")))
        .timeout_resolve(Some(connect))
        .timeout_connect(Some(connect))
        .timeout_send_request(Some(headers))
        .timeout_recv_response(Some(headers))
        .timeout_per_read(Some(idle))
        .timeout_per_write(Some(idle))
        .max_response_header_size(header_bytes)
        // The buffer must have room for all headers.
        .input_buffer_size(header_bytes.saturating_mul(2).max(64 << 10))
        .build())
}

fn tls(policy: &Policy) -> Result<TlsConfig, Error> {
    let roots = match &policy.authorities {
        None => RootCerts::PlatformVerifier,
        Some(pem) => RootCerts::Specific(Arc::new(certificates(pem)?)),
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    Ok(TlsConfig::builder().root_certs(roots).unversioned_rustls_crypto_provider(provider).build())
}

fn certificates(pem: &[u8]) -> Result<Vec<Certificate<'static>>, Error> {
    let damaged = |why: String| Error::new(ErrorKind::Tls, Reason::other(why));
    let mut certificates = Vec::new();
    for item in parse_pem(pem) {
        // Private keys are ignored.
        if let PemItem::Certificate(certificate) = item.map_err(|error| damaged(format!("it is not PEM: {error}")))? {
            certificates.push(certificate);
        }
    }
    if certificates.is_empty() { Err(damaged("there is no certificate in it".to_owned())) } else { Ok(certificates) }
}

/// A body that is being received.
struct LiveBody {
    reader: Box<dyn Read + Send>,
    limits: Limits,
    cancel: Cancel,
    /// Time spent waiting since the rate was last checked, and the bytes received in that time.
    spent: Duration,
    came: u64,
    /// Released at the end of the body.
    place: Option<Place>,
}

impl Raw for LiveBody {
    fn next(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        let begun = Instant::now();
        let length = loop {
            match self.reader.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted && !self.cancel.is_cancelled() => {}
                outcome => break outcome.map_err(|error| ours(error.into(), &self.limits, &self.cancel))?,
            }
        };
        if length == 0 {
            self.place = None;
        }
        // A connection that was shut down may look like the end of the body.
        if self.cancel.is_cancelled() {
            return Err(Error::interrupted());
        }
        self.spent += begun.elapsed();
        self.came = self.came.saturating_add(length as u64);
        // The rate is measured over half of the idle timeout.
        if length > 0 && self.spent >= self.limits.seconds("http_idle_seconds") / 2 {
            let least = self.limits.http_bytes_per_second;
            let millis = u64::try_from(self.spent.as_millis()).unwrap_or(u64::MAX);
            if self.came.saturating_mul(1_000) < least.saturating_mul(millis) {
                let reason = Reason::new(ReasonCode::TooSlow).arg("n", least).arg("limit", "http_bytes_per_second");
                return Err(Error::new(ErrorKind::Time, reason));
            }
            (self.spent, self.came) = (Duration::ZERO, 0);
        }
        Ok(length)
    }
}

/// Converts an error to one of this crate.
fn ours(error: ureq::Error, limits: &Limits, cancel: &Cancel) -> Error {
    use ureq::{Error as Theirs, Timeout};
    if cancel.is_cancelled() {
        return Error::interrupted();
    }
    match error {
        Theirs::Other(inner) => match inner.downcast::<Error>() {
            Ok(error) => *error,
            Err(inner) => Error::new(ErrorKind::Protocol, Reason::other(inner.to_string())),
        },
        Theirs::Timeout(which) => {
            let (code, limit) = match which {
                Timeout::Resolve | Timeout::Connect => (ReasonCode::ConnectTimeout, "http_connect_seconds"),
                Timeout::SendRequest | Timeout::RecvResponse => (ReasonCode::HeaderTimeout, "http_headers_seconds"),
                Timeout::PerRead | Timeout::PerWrite => (ReasonCode::ReadTimeout, "http_idle_seconds"),
                _ => (ReasonCode::TotalTimeout, "http_total_seconds"),
            };
            let seconds = limits.get(limit).unwrap_or_default();
            Error::new(ErrorKind::Time, Reason::new(code).arg("n", seconds).arg("limit", limit))
        }
        Theirs::Io(error) => from_io(&error),
        Theirs::Rustls(error) => Error::new(ErrorKind::Tls, Reason::other(format!("TLS: {error}"))),
        Theirs::Tls(words) => Error::new(ErrorKind::Tls, Reason::other(format!("TLS: {words}"))),
        Theirs::LargeResponseHeader(..) => {
            let most = limits.http_header_bytes;
            Error::new(
                ErrorKind::Limit,
                Reason::new(ReasonCode::HeadersTooLong).arg("n", most).arg("limit", "http_header_bytes"),
            )
        }
        // The limit is at most the number that the library parses.
        Theirs::Protocol(ureq_proto::Error::HttpParseTooManyHeaders) => too_many_fields(limits),
        Theirs::Protocol(error) => {
            Error::new(ErrorKind::Protocol, Reason::new(ReasonCode::InvalidResponse).arg("detail", error))
        }
        Theirs::ConnectProxyFailed(words) => {
            Error::new(ErrorKind::Connection, Reason::other(format!("proxy connection failed: {words}")))
        }
        Theirs::HostNotFound => Error::new(ErrorKind::Name, Reason::new(ReasonCode::NoAddress)),
        other => Error::new(ErrorKind::Protocol, Reason::other(other.to_string())),
    }
}

fn too_many_fields(limits: &Limits) -> Error {
    let reason = Reason::new(ReasonCode::TooManyHeaders).arg("n", limits.http_header_fields);
    Error::new(ErrorKind::Limit, reason.arg("limit", "http_header_fields"))
}

fn from_io(error: &io::Error) -> Error {
    if let Some(inner) = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
        return Error::new(ErrorKind::Tls, Reason::other(format!("TLS: {inner}")));
    }
    match error.kind() {
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe => Error::new(ErrorKind::Cut, Reason::new(ReasonCode::ConnectionClosed)),
        io::ErrorKind::ConnectionRefused => {
            Error::new(ErrorKind::Connection, Reason::new(ReasonCode::ConnectionRefused))
        }
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => {
            Error::new(ErrorKind::Connection, Reason::new(ReasonCode::Unreachable))
        }
        _ => Error::new(ErrorKind::Connection, crate::system::reason(error)),
    }
}
