//! Exchanges with callbacks: every address is checked, the connection is made to the checked address, and redirects are not followed.

use std::{
    collections::HashMap,
    fmt, io,
    net::{IpAddr, SocketAddr, ToSocketAddrs},
    sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock},
    time::{Duration, Instant},
};

use http_body_util::{BodyExt, Full};
use hyper::{
    Request, Response,
    body::{Body, Bytes, Incoming},
    client::conn::http1::{Builder, SendRequest},
    header::{HOST, HeaderValue, RETRY_AFTER, USER_AGENT},
};
use hyper_util::rt::TokioIo;
use resourcesync_notify::{
    exchange::{self, Answer},
    hub::{Callbacks, HostPort, Outbound},
};
use rustls::{ClientConfig, crypto::ring, pki_types::ServerName};
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    time::timeout,
};
use tokio_rustls::TlsConnector;

/// The time for a connection, with TLS.
const CONNECT: Duration = Duration::from_secs(10);
/// The time for a whole exchange.
const EXCHANGE: Duration = Duration::from_secs(30);
/// The time for a lookup.
const LOOKUP: Duration = Duration::from_secs(5);
/// How long the addresses of a name are used.
const NAMES: Duration = Duration::from_secs(60);
/// Maximum names whose addresses are kept.
const KNOWN: usize = 10_000;
/// Maximum addresses tried.
const ADDRESSES: usize = 4;
/// Maximum bytes of the header of a response.
const HEADER: usize = 16 << 10;
/// Maximum bytes of a body that are discarded so that the connection can be used again, and the time for it.
const DISCARDED: (usize, Duration) = (16 << 10, Duration::from_secs(1));
/// Maximum idle connections: to one host, to which as many deliveries are sent at the same time, and in all; and how long they are kept.
const IDLE: (usize, usize, Duration) = (8, 1_024, Duration::from_secs(30));
/// The shortest time between two searches for connections that were idle for too long.
const SWEEP: Duration = Duration::from_secs(1);

/// Resolves a name: with the resolver of the system, except in tests.
pub type Lookup = Arc<dyn Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync>;

/// Why there is no response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// There was no connection.
    Connection,
    /// It took too long.
    Time,
    /// The name leads to no allowed address.
    Address,
    /// The response was broken.
    Response,
}

/// An exchange without a response.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) kind: Kind,
    pub(crate) reason: String,
}

impl Failure {
    fn new(kind: Kind, reason: impl fmt::Display) -> Failure {
        Failure { kind, reason: reason.to_string() }
    }
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

type Sender = SendRequest<Full<Bytes>>;

/// Idle connections.
#[derive(Default)]
struct Idle {
    /// By origin: whether it has TLS, and its host; the newest last.
    senders: HashMap<(bool, HostPort), Vec<(Instant, Sender)>>,
    count: usize,
    swept: Option<Instant>,
}

type Known = Arc<tokio::sync::Mutex<Option<(Instant, Vec<IpAddr>)>>>;

/// Connections to callbacks.
pub(crate) struct Reach {
    callbacks: RwLock<Callbacks>,
    tls: TlsConnector,
    lookup: Lookup,
    /// One lookup of a name at a time.
    names: Mutex<HashMap<String, Known>>,
    idle: Mutex<Idle>,
}

impl Reach {
    pub(crate) fn new(callbacks: Callbacks, lookup: Option<Lookup>) -> Result<Reach, rustls::Error> {
        let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_platform_verifier()?
            .with_no_client_auth();
        Ok(Reach {
            callbacks: RwLock::new(callbacks),
            tls: TlsConnector::from(Arc::new(tls)),
            lookup: lookup.unwrap_or_else(|| Arc::new(by_the_system)),
            names: Mutex::default(),
            idle: Mutex::default(),
        })
    }

    /// Replaces the rules for addresses. Kept connections may be to addresses that are no longer allowed.
    pub(crate) fn replace(&self, callbacks: Callbacks) {
        *self.callbacks.write().unwrap_or_else(PoisonError::into_inner) = callbacks;
        *locked(&self.idle) = Idle::default();
    }

    /// Performs one exchange.
    pub(crate) async fn exchange(&self, target: Option<HostPort>, request: &Outbound) -> Result<Answer, Failure> {
        let target = target.ok_or_else(|| Failure::new(Kind::Address, "not a callback"))?;
        match timeout(EXCHANGE, self.perform(target, request)).await {
            Ok(result) => result,
            Err(_) => Err(Failure::new(Kind::Time, "no response in 30 s")),
        }
    }

    async fn perform(&self, target: HostPort, request: &Outbound) -> Result<Answer, Failure> {
        let is_tls = request.uri.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("https:"));
        let origin = (is_tls, target);
        let built = || build(request).map_err(|error| Failure::new(Kind::Address, error));
        // A kept connection may have been closed by the other side; then the request was not read by it.
        if let Some(mut sender) = self.kept(&origin)
            && sender.ready().await.is_ok()
            && let Ok(response) = sender.send_request(built()?).await
        {
            return self.read(response, sender, origin, request.most).await;
        }
        // Boxed, because most exchanges need no new connection, and its future is large.
        let mut sender = match timeout(CONNECT, Box::pin(self.connect(&origin))).await {
            Ok(connected) => connected?,
            Err(_) => return Err(Failure::new(Kind::Connection, "no connection in 10 s")),
        };
        let response =
            sender.send_request(built()?).await.map_err(|error| Failure::new(Kind::Response, described(&error)))?;
        self.read(response, sender, origin, request.most).await
    }

    async fn connect(&self, (is_tls, target): &(bool, HostPort)) -> Result<Sender, Failure> {
        let stream = self.tcp(target).await?;
        let _ = stream.set_nodelay(true);
        let stream: Box<dyn Stream> = if *is_tls {
            let name = ServerName::try_from(target.host.clone()).map_err(|error| Failure::new(Kind::Address, error))?;
            let stream = self.tls.connect(name, stream).await;
            Box::new(stream.map_err(|error| Failure::new(Kind::Connection, format!("TLS: {error}")))?)
        } else {
            Box::new(stream)
        };
        // Some receivers compare names of header fields by case.
        let handshake =
            Builder::new().title_case_headers(true).max_buf_size(HEADER).handshake(TokioIo::new(stream)).await;
        let (sender, connection) = handshake.map_err(|error| Failure::new(Kind::Connection, described(&error)))?;
        // It ends with its sender.
        tokio::spawn(connection);
        Ok(sender)
    }

    /// INVARIANT: connections are made only to addresses that were checked here, at every attempt.
    async fn tcp(&self, target: &HostPort) -> Result<TcpStream, Failure> {
        let all = match target.address() {
            Some(address) => vec![address],
            None => self.addresses(&target.host).await?,
        };
        let callbacks = self.callbacks.read().unwrap_or_else(PoisonError::into_inner).clone();
        let allowed = all.iter().filter(|address| callbacks.allows(target, **address)).take(ADDRESSES);
        let mut failure = Failure::new(Kind::Address, "callback-address: no allowed address");
        for address in allowed {
            match TcpStream::connect(SocketAddr::new(*address, target.port)).await {
                Ok(stream) => return Ok(stream),
                Err(error) => failure = Failure::new(Kind::Connection, error),
            }
        }
        Err(failure)
    }

    async fn addresses(&self, host: &str) -> Result<Vec<IpAddr>, Failure> {
        let known = {
            let mut names = locked(&self.names);
            if names.len() >= KNOWN && !names.contains_key(host) {
                names.clear();
            }
            names.entry(host.to_owned()).or_default().clone()
        };
        let mut known = known.lock().await;
        if let Some((since, addresses)) = &*known
            && since.elapsed() < NAMES
        {
            return Ok(addresses.clone());
        }
        let (lookup, name) = (self.lookup.clone(), host.to_owned());
        let found = timeout(LOOKUP, tokio::task::spawn_blocking(move || lookup(&name))).await;
        let addresses = match found {
            Ok(Ok(Ok(addresses))) => addresses,
            Ok(_) => return Err(Failure::new(Kind::Connection, "unknown host")),
            Err(_) => return Err(Failure::new(Kind::Connection, "no answer about the host in 5 s")),
        };
        *known = Some((Instant::now(), addresses.clone()));
        Ok(addresses)
    }

    /// Reads the needed part of a response, and keeps the connection if little is left.
    async fn read(
        &self,
        response: Response<Incoming>,
        sender: Sender,
        origin: (bool, HostPort),
        most: usize,
    ) -> Result<Answer, Failure> {
        let (head, mut incoming) = response.into_parts();
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        // Of the response to a delivery only the status and this field matter.
        let fields = head.headers.iter().filter(|(name, _)| most > 0 || *name == RETRY_AFTER);
        let headers = fields.map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
        let mut body = Vec::new();
        let is_whole = if incoming.is_end_stream() {
            true
        } else if most > 0 {
            let complete = collect(&mut incoming, most, &mut body).await;
            complete.map_err(|error| Failure::new(Kind::Response, described(&error)))?
        } else {
            // The status decides, so a body that stalls or breaks does not matter.
            let (most, patience) = DISCARDED;
            matches!(timeout(patience, collect(&mut incoming, most, &mut Vec::new())).await, Ok(Ok(true)))
        };
        if is_whole {
            self.keep(origin, sender);
        }
        Ok(Answer { status: head.status.as_u16(), headers, body })
    }

    fn kept(&self, origin: &(bool, HostPort)) -> Option<Sender> {
        let mut idle = locked(&self.idle);
        let own = idle.senders.get_mut(origin)?;
        let found = own.pop();
        if own.is_empty() {
            idle.senders.remove(origin);
        }
        idle.count -= usize::from(found.is_some());
        found.filter(|(since, sender)| since.elapsed() < IDLE.2 && !sender.is_closed()).map(|(_, sender)| sender)
    }

    fn keep(&self, origin: (bool, HostPort), sender: Sender) {
        let (of_one, in_all, time) = IDLE;
        let mut idle = locked(&self.idle);
        if idle.count >= in_all && idle.swept.is_none_or(|at| at.elapsed() > SWEEP) {
            idle.sweep(time);
        }
        if idle.count < in_all {
            let own = idle.senders.entry(origin).or_default();
            if own.len() < of_one {
                own.push((Instant::now(), sender));
                idle.count += 1;
            }
        }
    }
}

impl Idle {
    /// Closes connections that were idle for too long.
    fn sweep(&mut self, time: Duration) {
        self.senders.retain(|_, own| {
            own.retain(|(since, _)| since.elapsed() < time);
            !own.is_empty()
        });
        self.count = self.senders.values().map(Vec::len).sum();
        self.swept = Some(Instant::now());
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a body up to a number of bytes, and one frame more. True if it is complete.
async fn collect(incoming: &mut Incoming, most: usize, body: &mut Vec<u8>) -> Result<bool, hyper::Error> {
    while let Some(frame) = incoming.frame().await {
        if let Ok(data) = frame?.into_data() {
            body.extend_from_slice(&data);
        }
        if body.len() > most {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The request as it is sent: the target is the path of the callback as written.
fn build(request: &Outbound) -> Result<Request<Full<Bytes>>, hyper::http::Error> {
    let rest = request.uri.split_once("://").map_or("", |(_, rest)| rest);
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, target) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let target = if target.starts_with('/') { target.to_owned() } else { format!("/{target}") };
    let body = Full::new(Bytes::from_owner(request.body.clone()));
    let mut built = Request::builder().method(request.method.as_str()).uri(target);
    built = built.header(HOST, authority).header(USER_AGENT, HeaderValue::from_static(exchange::USER_AGENT));
    for (name, value) in request.headers.iter() {
        built = built.header(name, value);
    }
    built.body(body)
}

/// An error with its cause.
fn described(error: &hyper::Error) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

fn by_the_system(host: &str) -> io::Result<Vec<IpAddr>> {
    let mut addresses: Vec<IpAddr> = (host, 0).to_socket_addrs()?.map(|address| address.ip()).collect();
    addresses.dedup();
    Ok(addresses)
}

#[cfg(test)]
mod tests;
