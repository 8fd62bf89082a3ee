//! The server of the administration: questions to the store, and orders to the hub.

use std::{
    convert::Infallible,
    sync::{Arc, PoisonError, RwLock, mpsc::Sender},
    time::Duration,
};

use http_body_util::{BodyExt, Full, Limited};
use hyper::{
    Request, Response,
    body::{Bytes, Incoming},
    server::conn::http1::Builder,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use resourcesync_notify::{
    exchange::{Headers, Reply},
    form::Form,
    hub::{Hub, Options, Order, OrderResult, Secret},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::{oneshot, watch},
};

use super::{
    answers::{failures, status, subscriptions, topics},
    guard, page,
};
use crate::{
    accept::respond,
    engine::Job,
    framing::Framed,
    host,
    ledger::{AnyStore, LedgerError},
    observe::{Metrics, Unconfirmed},
    reply::plain_text,
};

/// Maximum bytes of an order.
const ORDER: usize = 16 << 10;

/// Who may use the administration, and what it shows of the configuration; replaced by a reload.
#[derive(Clone)]
pub(crate) struct Access {
    pub(crate) token: Option<Secret>,
    /// URIs of the configured topics.
    pub(crate) topics: Vec<String>,
}

impl Access {
    pub(crate) fn new(token: Option<Secret>, options: &Options) -> Access {
        Access { token, topics: options.topics().iter().map(|topic| topic.uri().to_owned()).collect() }
    }
}

/// The server of the administration.
pub(crate) struct Admin {
    pub(crate) jobs: Sender<Job>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) unconfirmed: Arc<Unconfirmed>,
    pub(crate) access: RwLock<Access>,
}

impl Admin {
    /// Replaces who may use it.
    pub(crate) fn replace(&self, access: Access) {
        *self.access.write().unwrap_or_else(PoisonError::into_inner) = access;
    }

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
        let mut connection = std::pin::pin!(builder.serve_connection(TokioIo::new(Framed::new(stream)), service));
        tokio::select! {
            _ = &mut connection => return,
            _ = stops.wait_for(|stops| *stops) => {}
        }
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let (head, body) = request.into_parts();
        if let Err(refusal) = host::check(&head) {
            return respond(refusal);
        }
        let path = head.uri.path().to_owned();
        let access = self.access.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Err(refusal) = guard::check(&head, access.token.as_ref()) {
            return respond(refusal);
        }
        if let Some(file) = page::file(&head.method, &path) {
            return respond(file);
        }
        let query = Form::read(head.uri.query().unwrap_or_default().as_bytes()).unwrap_or_default();
        let reply = match (head.method.as_str(), path.strip_prefix("/admin/v1/").unwrap_or(&path)) {
            ("GET", "/health") => plain_text(200, "ok\n"),
            ("GET", "/ready") => self.ready().await,
            ("GET", "/metrics") => Reply {
                status: 200,
                headers: Headers::default().with("Content-Type", "text/plain; version=0.0.4; charset=utf-8"),
                body: self.metrics.text().into_bytes(),
            },
            ("GET", "status") => self.read(move |ledger, hub| status(ledger, hub, &access.topics)).await,
            ("GET", "topics") => self.read(move |ledger, _| topics(ledger, &access.topics)).await,
            ("GET", "subscriptions") => self.read(move |ledger, _| subscriptions(ledger, &query)).await,
            ("GET", "failures") => {
                let unconfirmed = self.unconfirmed.requests();
                self.read(move |ledger, _| failures(ledger, &unconfirmed)).await
            }
            ("POST", name @ ("replay" | "deny" | "allow" | "lift" | "pause" | "resume" | "prune")) => {
                let name = name.to_owned();
                match Limited::new(body, ORDER).collect().await {
                    Ok(body) => self.order(&name, &body.to_bytes()).await,
                    Err(_) => plain_text(413, "the order is too long\n"),
                }
            }
            _ => plain_text(404, "unknown path\n"),
        };
        respond(reply)
    }

    /// Ready means that the store accepts what a Source may send.
    async fn ready(&self) -> Reply {
        let (sender, receiver) = oneshot::channel();
        let sent = self.jobs.send(Job::Probe(sender));
        match (sent, receiver.await) {
            (Ok(()), Ok(Ok(()))) => plain_text(200, "ready\n"),
            (Ok(()), Ok(Err(why))) => plain_text(503, &format!("{why}\n")),
            _ => plain_text(503, "the hub is stopping\n"),
        }
    }

    async fn read(
        &self,
        question: impl FnOnce(&mut AnyStore, &Hub) -> Result<Value, LedgerError> + Send + 'static,
    ) -> Reply {
        let (sender, receiver) = oneshot::channel();
        let read = move |ledger: &mut AnyStore, hub: &Hub| drop(sender.send(question(ledger, hub)));
        if self.jobs.send(Job::Read(Box::new(read))).is_err() {
            return plain_text(503, "the hub is stopping\n");
        }
        match receiver.await {
            Ok(Ok(value)) => data(200, &value),
            Ok(Err(error)) => plain_text(500, &format!("{error}\n")),
            Err(_) => plain_text(503, "the hub is stopping\n"),
        }
    }

    async fn order(&self, name: &str, body: &[u8]) -> Reply {
        let fields: Value = match serde_json::from_slice(if body.is_empty() { b"{}" } else { body }) {
            Ok(fields) => fields,
            Err(error) => return plain_text(400, &format!("{error}\n")),
        };
        let order: Order = match serde_json::from_value(json!({ name: fields })) {
            Ok(order) => order,
            Err(error) => return plain_text(400, &format!("{error}\n")),
        };
        let (done, result) = oneshot::channel();
        if self.jobs.send(Job::Order { order, done }).is_err() {
            return plain_text(503, "the hub is stopping\n");
        }
        match result.await {
            Ok(Some(OrderResult::Done(count))) => data(200, &json!({"done": count})),
            Ok(Some(OrderResult::NotFound)) => plain_text(404, "there is no such subscription, topic or host\n"),
            Ok(None) => plain_text(500, "the store failed\n"),
            Err(_) => plain_text(503, "the hub is stopping\n"),
        }
    }
}

fn data(status: u16, value: &Value) -> Reply {
    let headers = Headers::default().with("Content-Type", "application/json").with("Cache-Control", "no-store");
    Reply { status, headers, body: value.to_string().into_bytes() }
}
