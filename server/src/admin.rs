//! The administration: its server next to the hub, and its client for the command.

use std::{
    convert::Infallible,
    io::{self, Read, Write},
    net::TcpStream,
    sync::{Arc, mpsc::Sender},
    time::Duration,
};

use http_body_util::{BodyExt, Full, Limited};
use hyper::{
    Request, Response,
    body::{Bytes, Incoming},
    header::AUTHORIZATION,
    server::conn::http1::Builder,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use resourcesync_notify::{
    exchange::{Headers, Reply},
    form::Form,
    hub::{Ledger, Order, OrderResult, Secret, Subscription, TopicState, masked},
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::{oneshot, watch},
};

use crate::{
    accept::respond,
    engine::Job,
    ledger::{AnyStore, LedgerError, Store, Transaction},
    observe::Metrics,
    settings::AdminAddress,
};

/// Maximum bytes of an order.
const ORDER: usize = 16 << 10;
/// Maximum subscriptions or failures in one answer.
const PAGE: usize = 1_000;
/// The time that the client waits.
const PATIENCE: Duration = Duration::from_secs(60);

/// The server of the administration.
pub(crate) struct Admin {
    pub(crate) jobs: Sender<Job>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) token: Option<Secret>,
    /// URIs of the configured topics.
    pub(crate) topics: Vec<String>,
}

impl Admin {
    /// Serves one connection.
    pub(crate) async fn connection<S: AsyncRead + AsyncWrite + Send + Unpin + 'static>(
        self: Arc<Admin>,
        stream: S,
        mut stops: watch::Receiver<bool>,
    ) {
        let service = service_fn(move |request| {
            let admin = self.clone();
            async move { Ok::<_, Infallible>(admin.answer(request).await) }
        });
        let mut builder = Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(10)).max_buf_size(16 << 10);
        let mut connection = std::pin::pin!(builder.serve_connection(TokioIo::new(stream), service));
        tokio::select! {
            _ = &mut connection => return,
            _ = stops.wait_for(|stops| *stops) => {}
        }
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let (head, body) = request.into_parts();
        let path = head.uri.path().to_owned();
        if let Some(token) = &self.token
            && path != "/health"
            && path != "/ready"
        {
            let given = head.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
            let given = given.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
            // Digests are compared, so the time does not depend on the token.
            if Sha256::digest(given.as_bytes()) != Sha256::digest(token.0.as_bytes()) {
                return respond(text(401, "a token is required\n"));
            }
        }
        let query = Form::read(head.uri.query().unwrap_or_default().as_bytes()).unwrap_or_default();
        let reply = match (head.method.as_str(), path.strip_prefix("/admin/v1/").unwrap_or(&path)) {
            ("GET", "/health") => text(200, "ok\n"),
            ("GET", "/ready") => self.ready().await,
            ("GET", "/metrics") => Reply {
                status: 200,
                headers: Headers::default().with("Content-Type", "text/plain; version=0.0.4; charset=utf-8"),
                body: self.metrics.text().into_bytes(),
            },
            ("GET", "status") => self.read(status).await,
            ("GET", "topics") => {
                let configured = self.topics.clone();
                self.read(move |ledger| topics(ledger, &configured)).await
            }
            ("GET", "subscriptions") => self.read(move |ledger| subscriptions(ledger, &query)).await,
            ("GET", "failures") => self.read(failures).await,
            ("POST", name @ ("replay" | "deny" | "allow" | "pause" | "resume" | "prune")) => {
                let name = name.to_owned();
                match Limited::new(body, ORDER).collect().await {
                    Ok(body) => self.order(&name, &body.to_bytes()).await,
                    Err(_) => text(413, "the order is too long\n"),
                }
            }
            _ => text(404, "unknown path\n"),
        };
        respond(reply)
    }

    /// Writable means that a transaction can be committed.
    async fn ready(&self) -> Reply {
        let (sender, receiver) = oneshot::channel();
        let test = move |ledger: &mut AnyStore| {
            let written = ledger.begin(Transaction::Changes).and_then(|()| ledger.commit());
            let _ = sender.send(written.is_ok());
        };
        let sent = self.jobs.send(Job::Read(Box::new(test)));
        match (sent.is_ok(), receiver.await) {
            (true, Ok(true)) => text(200, "ready\n"),
            _ => text(503, "the store is not writable\n"),
        }
    }

    async fn read(&self, question: impl FnOnce(&mut AnyStore) -> Result<Value, LedgerError> + Send + 'static) -> Reply {
        let (sender, receiver) = oneshot::channel();
        let read = move |ledger: &mut AnyStore| drop(sender.send(question(ledger)));
        if self.jobs.send(Job::Read(Box::new(read))).is_err() {
            return text(503, "the hub is stopping\n");
        }
        match receiver.await {
            Ok(Ok(value)) => data(200, &value),
            Ok(Err(error)) => text(500, &format!("{error}\n")),
            Err(_) => text(503, "the hub is stopping\n"),
        }
    }

    async fn order(&self, name: &str, body: &[u8]) -> Reply {
        let fields: Value = match serde_json::from_slice(if body.is_empty() { b"{}" } else { body }) {
            Ok(fields) => fields,
            Err(error) => return text(400, &format!("{error}\n")),
        };
        let order: Order = match serde_json::from_value(json!({ name: fields })) {
            Ok(order) => order,
            Err(error) => return text(400, &format!("{error}\n")),
        };
        let (done, result) = oneshot::channel();
        if self.jobs.send(Job::Order { order, done }).is_err() {
            return text(503, "the hub is stopping\n");
        }
        match result.await {
            Ok(Some(OrderResult::Done(count))) => data(200, &json!({"done": count})),
            Ok(Some(OrderResult::NotFound)) => text(404, "there is no such subscription or topic\n"),
            Ok(None) => text(500, "the store failed\n"),
            Err(_) => text(503, "the hub is stopping\n"),
        }
    }
}

fn status(ledger: &mut AnyStore) -> Result<Value, LedgerError> {
    let counts = ledger.counts()?;
    Ok(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "topics": ledger.topics()?.len(),
        "subscriptions": counts.subscriptions,
        "pending": counts.pending,
        "deadLetters": counts.dead_letters,
        "storeBytes": ledger.bytes()?,
    }))
}

fn topics(ledger: &mut AnyStore, configured: &[String]) -> Result<Value, LedgerError> {
    let mut found = Vec::new();
    let states = ledger.topics()?;
    for state in &states {
        let counts = ledger.topic_counts(state)?;
        found.push(topic(state, &serde_json::to_value(counts).unwrap_or_default(), configured.contains(&state.uri)));
    }
    for uri in configured.iter().filter(|uri| states.iter().all(|state| state.uri != **uri)) {
        found.push(
            json!({"uri": uri, "configured": true, "last": 0, "paused": false, "subscriptions": 0, "payloads": 0}),
        );
    }
    Ok(json!({ "topics": found }))
}

fn topic(state: &TopicState, counts: &Value, is_configured: bool) -> Value {
    let mut value = json!({
        "uri": state.uri,
        "configured": is_configured,
        "last": state.head,
        "paused": state.is_paused,
        "until": state.chain.until().map(ToString::to_string),
    });
    if let (Some(own), Some(counts)) = (value.as_object_mut(), counts.as_object()) {
        own.extend(counts.iter().map(|(name, value)| (name.clone(), value.clone())));
        own.retain(|_, value| !value.is_null());
    }
    value
}

fn subscriptions(ledger: &mut AnyStore, query: &Form) -> Result<Value, LedgerError> {
    let after = query.last("after").and_then(|after| after.parse().ok()).unwrap_or(0);
    let topic = match query.last("topic") {
        Some(uri) => match ledger.topic(uri)? {
            Some(topic) => Some(topic.id),
            None => return Ok(json!({"subscriptions": []})),
        },
        None => None,
    };
    let found = ledger.subscriptions(topic, query.last("host"), after, PAGE)?;
    let reveals = query.last("reveal") == Some("true");
    let shown = found.iter().map(|own| shown(ledger, own, reveals)).collect::<Result<Vec<_>, LedgerError>>()?;
    Ok(json!({ "subscriptions": shown }))
}

fn failures(ledger: &mut AnyStore) -> Result<Value, LedgerError> {
    let failing = ledger.failing(PAGE)?;
    let failing = failing.iter().map(|own| shown(ledger, own, false)).collect::<Result<Vec<_>, LedgerError>>()?;
    let letters = ledger.dead_letters(PAGE)?;
    let mut dead = Vec::new();
    for letter in letters {
        let topic = ledger.topic_by_id(letter.topic)?.map(|topic| topic.uri);
        let mut value = serde_json::to_value(&letter).unwrap_or_default();
        value["topic"] = topic.into();
        dead.push(value);
    }
    Ok(json!({"failing": failing, "deadLetters": dead}))
}

/// A subscription without its secret. The callback, which only the subscriber may know, is shown on request.
fn shown(ledger: &mut AnyStore, own: &Subscription, reveals: bool) -> Result<Value, LedgerError> {
    let topic = ledger.topic_by_id(own.topic)?;
    let mut value = json!({
        "id": own.id,
        "topic": topic.as_ref().map(|topic| &topic.uri),
        "callback": if reveals { own.callback.clone() } else { masked(&own.callback) },
        "signed": own.secret.is_some(),
        "leaseUntil": own.lease_until,
        "delivered": own.cursor,
        "waiting": topic.map_or(0, |topic| topic.head.saturating_sub(own.cursor)),
        "failures": own.failures,
        "failingSince": own.failing_since,
        "retryAt": own.retry_at,
        "lastStatus": own.last_status,
    });
    if let Some(own) = value.as_object_mut() {
        own.retain(|_, value| !value.is_null());
    }
    Ok(value)
}

fn text(status: u16, body: &str) -> Reply {
    let headers = Headers::default().with("Content-Type", "text/plain; charset=utf-8");
    Reply { status, headers, body: body.as_bytes().to_vec() }
}

fn data(status: u16, value: &Value) -> Reply {
    let headers = Headers::default().with("Content-Type", "application/json").with("Cache-Control", "no-store");
    Reply { status, headers, body: value.to_string().into_bytes() }
}

/// Sends a request to the administration of a running hub. Returns the status and the body.
///
/// # Errors
///
/// If the hub is not reachable, or its answer is broken.
pub fn request(
    address: &AdminAddress,
    token: Option<&Secret>,
    method: &str,
    path: &str,
    body: &str,
) -> io::Result<(u16, String)> {
    let mut answer = Vec::new();
    let token = token.map(|token| format!("Authorization: Bearer {}\r\n", token.0)).unwrap_or_default();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\n{token}Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    match address {
        AdminAddress::Tcp(address) => {
            let mut stream = TcpStream::connect_timeout(address, Duration::from_secs(10))?;
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.write_all(request.as_bytes())?;
            stream.read_to_end(&mut answer)?;
        }
        #[cfg(unix)]
        AdminAddress::Unix(path) => {
            let mut stream = std::os::unix::net::UnixStream::connect(path)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.write_all(request.as_bytes())?;
            stream.read_to_end(&mut answer)?;
        }
        #[cfg(not(unix))]
        AdminAddress::Unix(_) => return Err(io::ErrorKind::Unsupported.into()),
    }
    let answer = String::from_utf8(answer).map_err(io::Error::other)?;
    let broken = || io::Error::other("the answer is not HTTP");
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(broken)?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(broken)?;
    Ok((status, body.to_owned()))
}
