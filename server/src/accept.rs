//! Requests of clients: connections, headers and bodies are bounded in number, size and time.

use std::{
    collections::HashMap,
    convert::Infallible,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::{Duration, Instant},
};

use http_body_util::{BodyExt, Full};
use hyper::{
    Request, Response, StatusCode,
    body::{Body as _, Bytes, Incoming},
    header::{CONNECTION, CONTENT_LENGTH, HeaderValue, TRANSFER_ENCODING},
    server::conn::http1::Builder,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use resourcesync_notify::{
    exchange::{self, Headers, Intake, Reply},
    form,
    hub::{Options, Role},
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch},
    time::timeout,
};
use tokio_rustls::TlsAcceptor;

use crate::{
    budget::{Budgets, Lack, PAYLOAD, Share},
    framing::Framed,
    host,
    reply::{plain_text, unavailable},
};

/// Maximum connections: in all, and of one client that is no trusted proxy.
const CONNECTIONS: (usize, usize) = (4_096, 64);
/// The time for the header of a request, also for the next one of a connection.
const HEADER_TIME: Duration = Duration::from_secs(10);
/// Maximum bytes of a header.
const HEADER: usize = 16 << 10;
/// The time for a payload.
pub(crate) const PAYLOAD_TIME: Duration = Duration::from_secs(30);
/// The minimum rate of a body, in bytes a second, and the time after which it counts.
const RATE: (u64, Duration) = (1 << 10, Duration::from_secs(10));
/// What is read and dropped of a body that does not matter, so that its sender reads the answer: bytes, and the time without any.
const DROPPED: (usize, Duration) = (16 << 20, Duration::from_secs(5));

/// Processes a request of a client; false if the process stops.
pub(crate) type OnRequest = Box<dyn Fn(String, exchange::Request, oneshot::Sender<Reply>) -> bool + Send + Sync>;
/// Is told how long a POST with the response 200 took.
pub(crate) type OnAccepted = Box<dyn Fn(Duration) + Send + Sync>;

/// Settings of connections, replaced by a reload.
#[derive(Clone, Default)]
pub(crate) struct Access {
    pub(crate) trusted_proxies: Vec<IpAddr>,
    /// The hub whose Sources have more memory than others; without it, all senders are alike.
    pub(crate) options: Option<Arc<Options>>,
    /// The process terminates TLS itself.
    pub(crate) tls: Option<TlsAcceptor>,
}

/// What all connections share.
pub(crate) struct Front {
    pub(crate) on_request: OnRequest,
    pub(crate) on_accepted: OnAccepted,
    access: RwLock<Access>,
    /// Maximum bytes of a body that is no form, and the time for it.
    pub(crate) body: (usize, Duration),
    connections: Arc<Semaphore>,
    clients: Mutex<HashMap<IpAddr, usize>>,
    budgets: Budgets,
}

impl Front {
    pub(crate) fn new(on_request: OnRequest, access: Access) -> Front {
        Front {
            on_request,
            on_accepted: Box::new(|_| ()),
            access: RwLock::new(access),
            body: (PAYLOAD, PAYLOAD_TIME),
            connections: Arc::new(Semaphore::new(CONNECTIONS.0)),
            clients: Mutex::default(),
            budgets: Budgets::default(),
        }
    }

    /// Replaces the settings; open connections keep their certificate.
    pub(crate) fn replace(&self, access: Access) {
        *self.access.write().unwrap_or_else(PoisonError::into_inner) = access;
    }

    pub(crate) fn access(&self) -> Access {
        self.access.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn options(&self) -> Option<Arc<Options>> {
        self.access.read().unwrap_or_else(PoisonError::into_inner).options.clone()
    }

    fn is_proxy(&self, address: IpAddr) -> bool {
        self.access.read().unwrap_or_else(PoisonError::into_inner).trusted_proxies.contains(&address)
    }

    /// Accepts connections until the hub stops.
    pub(crate) async fn serve(self: Arc<Front>, listener: TcpListener, mut stops: watch::Receiver<bool>) {
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = stops.wait_for(|stops| *stops) => return,
            };
            let Ok((stream, peer)) = accepted else {
                // Too many open files, for example.
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            };
            let Ok(permit) = self.connections.clone().try_acquire_owned() else { continue };
            if let Some(place) = self.clone().place(peer.ip()) {
                tokio::spawn(self.clone().connection(stream, peer, place, permit, stops.clone()));
            }
        }
    }

    /// Waits until all connections have ended.
    pub(crate) async fn ended(&self) {
        let _ = self.connections.acquire_many(u32::try_from(CONNECTIONS.0).unwrap_or(u32::MAX)).await;
    }

    /// Counts a connection of a client; `None` if there are too many.
    fn place(self: Arc<Front>, client: IpAddr) -> Option<Place> {
        let is_proxy = self.is_proxy(client);
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let own = clients.entry(client).or_default();
        if *own >= CONNECTIONS.1 && !is_proxy {
            return None;
        }
        *own += 1;
        drop(clients);
        Some(Place { front: self, client })
    }

    async fn connection(
        self: Arc<Front>,
        stream: TcpStream,
        peer: SocketAddr,
        _place: Place,
        _permit: OwnedSemaphorePermit,
        stops: watch::Receiver<bool>,
    ) {
        let _ = stream.set_nodelay(true);
        match self.access().tls {
            Some(tls) => {
                // Others are no clients, or speak something else.
                if let Ok(Ok(stream)) = timeout(HEADER_TIME, tls.accept(stream)).await {
                    self.exchanges(stream, peer, stops).await;
                }
            }
            None => self.exchanges(stream, peer, stops).await,
        }
    }

    async fn exchanges(
        self: Arc<Front>,
        stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
        peer: SocketAddr,
        mut stops: watch::Receiver<bool>,
    ) {
        let service = service_fn(move |request| {
            let front = self.clone();
            async move { Ok::<_, Infallible>(front.answer(request, peer.ip()).await) }
        });
        let mut builder = Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(HEADER_TIME).max_buf_size(HEADER);
        let mut connection = std::pin::pin!(builder.serve_connection(TokioIo::new(Framed::new(stream)), service));
        tokio::select! {
            // Errors concern this client only.
            _ = &mut connection => return,
            _ = stops.wait_for(|stops| *stops) => {}
        }
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }

    async fn answer(&self, request: Request<Incoming>, peer: IpAddr) -> Response<Full<Bytes>> {
        let started = Instant::now();
        let (head, mut incoming) = request.into_parts();
        let is_chunked = head.headers.contains_key(TRANSFER_ENCODING);
        // Proxies may disagree about where such a body ends.
        if is_chunked && head.headers.contains_key(CONTENT_LENGTH) {
            return closing(respond(plain_text(400, "length: both Content-Length and Transfer-Encoding\n")));
        }
        if let Err(reply) = host::check(&head) {
            return closing(respond(reply));
        }
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let fields: Headers =
            head.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
        let (client, is_named) = self.client(peer, &fields);
        let waits = fields.first("expect").is_some();
        let request = exchange::Request {
            method: head.method.as_str().to_owned(),
            path: head.uri.path().to_owned(),
            query: head.uri.query().unwrap_or_default().as_bytes().to_vec(),
            headers: fields,
            body: exchange::Body::default(),
        };
        let mut share = None;
        let request = if incoming.is_end_stream() {
            request
        } else {
            let role = self.options().map_or(Role::Source, |options| options.role(&request));
            let most = if role == Role::Subscriber { form::MOST } else { self.body.0 };
            let mut intake = Intake::new(request, most);
            let received = match self.budgets.body(role, is_named.then_some(&*client)) {
                None => Received::Unwanted,
                Some(Err(lack)) => Received::Lacks(lack),
                Some(Ok(begun)) => self.body(&mut incoming, &mut intake, share.insert(begun)).await,
            };
            match received {
                Received::Whole => intake.finish(),
                Received::Stalled => intake.stall(),
                Received::Unwanted => intake.leave(),
                Received::Lacks(lack) => {
                    drop_rest(incoming, waits);
                    return closing(respond(match lack {
                        Lack::Own => exchange::Reply { status: 429, ..unavailable("too-many") },
                        Lack::All => unavailable("busy"),
                    }));
                }
                Received::Broken => {
                    return closing(respond(plain_text(
                        400,
                        "body: it ended prematurely, or its chunks are malformed\n",
                    )));
                }
            }
        };
        let is_whole = matches!(request.body, exchange::Body::Whole(_));
        let is_stalled = matches!(request.body, exchange::Body::Stalled);
        let is_post = request.method == "POST";
        let (reply, replied) = oneshot::channel();
        let reply = match (self.on_request)(client, request, reply) {
            true => replied.await.unwrap_or_else(|_| unavailable("stopping")),
            false => unavailable("stopping"),
        };
        if is_post && reply.status == 200 {
            (self.on_accepted)(started.elapsed());
        }
        if !is_whole && !is_stalled {
            drop_rest(incoming, waits);
        }
        let response = respond(reply);
        if is_whole && !is_chunked { response } else { closing(response) }
    }

    /// Reads a body, up to its limits.
    async fn body(&self, incoming: &mut Incoming, intake: &mut Intake, share: &mut Share) -> Received {
        // A declared length above the limit is rejected without reading anything.
        if !intake.push(&[]) {
            return Received::Whole;
        }
        let (started, mut received) = (Instant::now(), 0_u64);
        loop {
            // The bytes so far last until then at the minimum rate.
            let (rate, patience) = RATE;
            let lasts = patience.max(Duration::from_secs(received.div_euclid(rate))).min(self.body.1);
            let frame = match timeout(lasts.saturating_sub(started.elapsed()), incoming.frame()).await {
                Ok(None) => return Received::Whole,
                Ok(Some(Ok(frame))) => frame,
                Ok(Some(Err(_))) => return Received::Broken,
                Err(_) => return Received::Stalled,
            };
            let Ok(data) = frame.into_data() else { continue };
            received = received.saturating_add(data.len() as u64);
            if let Err(lack) = share.add(data.len()) {
                return Received::Lacks(lack);
            }
            if !intake.push(&data) {
                return Received::Whole;
            }
        }
    }

    /// The address of the client, and whether it is known: a trusted proxy need not name it. What untrusted clients write into
    /// `X-Forwarded-For` does not count.
    fn client(&self, peer: IpAddr, headers: &Headers) -> (String, bool) {
        let mut client = peer;
        let forwarded: Vec<&str> = headers.all("x-forwarded-for").flat_map(|value| value.split(',')).collect();
        for hop in forwarded.into_iter().rev() {
            if !self.is_proxy(client) {
                break;
            }
            match hop.trim().parse() {
                Ok(address) => client = address,
                Err(_) => break,
            }
        }
        let name = match client {
            // One subscriber usually has all addresses of a /64.
            IpAddr::V6(address) => format!("{:x}/64", u128::from(address) >> 64),
            IpAddr::V4(address) => address.to_string(),
        };
        (name, !self.is_proxy(client))
    }
}

/// How the body of a request ended.
enum Received {
    /// It is complete, or longer than allowed.
    Whole,
    /// It was too slow.
    Stalled,
    /// It does not matter.
    Unwanted,
    /// There is no memory for it.
    Lacks(Lack),
    /// The connection or its chunks broke.
    Broken,
}

/// A counted connection of a client.
struct Place {
    front: Arc<Front>,
    client: IpAddr,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut clients = self.front.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = clients.get_mut(&self.client) {
            *own -= 1;
            if *own == 0 {
                clients.remove(&self.client);
            }
        }
    }
}

/// Reads the rest of a body and drops it. A client that sends everything before it reads the answer would lose the answer if the connection
/// was closed before. One that waits for permission to send is not given it.
fn drop_rest(mut incoming: Incoming, waits: bool) {
    if waits {
        return;
    }
    tokio::spawn(async move {
        let (most, patience) = DROPPED;
        let mut dropped = 0;
        let reading = async {
            while dropped <= most
                && let Ok(Some(Ok(frame))) = timeout(patience, incoming.frame()).await
            {
                dropped += frame.data_ref().map_or(0, Bytes::len);
            }
        };
        let _ = timeout(PAYLOAD_TIME, reading).await;
    });
}

/// A reply as hyper sends it.
pub(crate) fn respond(reply: Reply) -> Response<Full<Bytes>> {
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = Response::builder().status(status);
    for (name, value) in reply.headers.iter() {
        response = response.header(name, value);
    }
    response.body(Full::new(reply.body.into())).unwrap_or_default()
}

/// Closes the connection after a response, since the rest of the request was not read or is doubtful.
fn closing(mut response: Response<Full<Bytes>>) -> Response<Full<Bytes>> {
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}
