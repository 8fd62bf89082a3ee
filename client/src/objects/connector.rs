//! Sends the requests of the library for object stores, with the HTTP implementation, certificates and proxy of this crate.

use std::{
    fmt,
    io::{self, Read},
    pin::Pin,
    sync::{Mutex, PoisonError},
    task::{Context, Poll},
};

use async_trait::async_trait;
use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::body::{Body, Frame};
use object_store::{
    ClientConfigKey, ClientOptions, Result,
    client::{
        HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody, HttpService,
    },
};
use ureq::{Agent, http};

use super::error::Refusal;
use crate::http::{Client, Error};

/// Bytes read at a time.
const WINDOW: usize = 64 << 10;
/// Hosts of services of a network that hand out credentials to everybody who can send requests there.
const METADATA: [&str; 4] = ["169.254.169.254", "169.254.170.2", "169.254.170.23", "metadata.google.internal"];

/// Makes clients of the library.
#[derive(Debug, Clone)]
pub(super) struct Connector(Sender);

impl Connector {
    /// Uses the proxy and the certificate authorities of a client. Of the services that hand out credentials, only `named` ones are requested.
    pub(super) fn new(client: &Client, named: &[String]) -> std::result::Result<Connector, Error> {
        let hosts = METADATA.iter().filter(|host| !named.iter().any(|text| text.contains(*host)));
        Ok(Connector(Sender { agent: client.plain_agent()?, refused: hosts.copied().collect(), allows_http: false }))
    }
}

impl HttpConnector for Connector {
    fn connect(&self, options: &ClientOptions) -> Result<HttpClient> {
        let allows_http = options.get_config_value(&ClientConfigKey::AllowHttp).is_some_and(|value| is_true(&value));
        Ok(HttpClient::new(Sender { allows_http, ..self.0.clone() }))
    }
}

/// Sends one request at a time: the runtime has nothing else to do meanwhile.
#[derive(Clone)]
struct Sender {
    agent: Agent,
    refused: Vec<&'static str>,
    /// True if requests may be sent without TLS.
    allows_http: bool,
}

impl fmt::Debug for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").finish_non_exhaustive()
    }
}

#[async_trait]
impl HttpService for Sender {
    async fn call(&self, request: HttpRequest) -> std::result::Result<HttpResponse, HttpError> {
        let (parts, body) = request.into_parts();
        if parts.uri.host().is_some_and(|host| self.refused.contains(&host)) {
            return Err(HttpError::new(HttpErrorKind::Unknown, Refusal::NoCredentials));
        }
        if parts.uri.scheme() == Some(&http::uri::Scheme::HTTP) && !self.allows_http {
            return Err(HttpError::new(HttpErrorKind::Unknown, Refusal::NoTls));
        }
        let body = body.collect().await?.to_bytes();
        let sent = if body.is_empty() && !matches!(parts.method, http::Method::POST | http::Method::PUT) {
            self.agent.run(http::Request::from_parts(parts, ()))
        } else {
            self.agent.run(http::Request::from_parts(parts, body.to_vec()))
        };
        let (parts, body) = sent.map_err(failed)?.into_parts();
        let reader: Box<dyn Read + Send> = Box::new(body.into_with_config().limit(u64::MAX).reader());
        Ok(HttpResponse::from_parts(parts, HttpResponseBody::new(ReaderBody(Mutex::new(reader)))))
    }
}

/// The words of the library for true.
fn is_true(value: &str) -> bool {
    ["1", "true", "on", "yes", "y"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

fn failed(error: ureq::Error) -> HttpError {
    let kind = match &error {
        ureq::Error::Timeout(_) => HttpErrorKind::Timeout,
        ureq::Error::HostNotFound | ureq::Error::ConnectionFailed => HttpErrorKind::Connect,
        ureq::Error::Io(_) => HttpErrorKind::Request,
        _ => HttpErrorKind::Unknown,
    };
    HttpError::new(kind, error)
}

/// A body that is being received. The mutex makes it shareable, which nobody does.
struct ReaderBody(Mutex<Box<dyn Read + Send>>);

impl Body for ReaderBody {
    type Data = Bytes;
    type Error = HttpError;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<std::result::Result<Frame<Bytes>, HttpError>>> {
        let mut window = vec![0; WINDOW];
        let mut reader = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            return Poll::Ready(match reader.read(&mut window) {
                Ok(0) => None,
                Ok(length) => {
                    window.truncate(length);
                    Some(Ok(Frame::data(Bytes::from(window))))
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Some(Err(HttpError::new(HttpErrorKind::Interrupted, error))),
            });
        }
    }
}
