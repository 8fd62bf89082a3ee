//! Fetches what a crawler requests over HTTP.

use std::{io::Read, num::NonZeroUsize, sync::Arc};

use resourcesync::api::{Fetch, FetchError, Method as Asked, Purpose, Response as Answered};

use super::{Fetched, Fetcher};
use crate::{
    http::{self, AcceptEncoding, Attempts, Client, Error, Found, Method, Request, Response},
    meter::Meter,
};

/// Fetches over HTTP, with the policy of the client.
#[derive(Debug)]
pub struct HttpFetcher(pub Arc<Client>);

impl HttpFetcher {
    fn fetched(&self, fetch: &Fetch, attempts: &mut Attempts) -> Result<Fetched, Error> {
        let is_start = fetch.is_start();
        if fetch.purpose == Purpose::Package && fetch.method == Asked::Get {
            return Ok(match http::open(&self.0, &fetch.uri, is_start, attempts)? {
                Found::File(response, bytes, size) => Fetched::Package(answered(&response, false), bytes, size),
                Found::Answer(response) => body(response, false),
            });
        }
        let method = match fetch.method {
            Asked::Head => Method::Head,
            _ => Method::Get,
        };
        // The digests of a resource are of its bytes without content decoding, in the listed coding.
        let accept = match fetch.purpose {
            Purpose::Resource => AcceptEncoding::Raw(fetch.encoding.clone().unwrap_or_else(|| "identity".to_owned())),
            _ => AcceptEncoding::Gzip,
        };
        let is_raw = matches!(accept, AcceptEncoding::Raw(_));
        let request = Request { is_start, method, accept, ..Request::get(fetch.uri.as_str()) };
        let response = http::fetch(&self.0, &request, attempts)?;
        // Redirects of linked URIs are in the report.
        if is_start {
            self.0.notice_moved(&response);
        }
        Ok(body(response, is_raw))
    }
}

pub(super) fn answered(response: &Response, is_raw_body: bool) -> Answered {
    let headers = response.headers.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
    Answered { uri: response.uri.clone(), status: response.status, headers: Some(headers.collect()), is_raw_body }
}

fn body(response: Response, is_raw_body: bool) -> Fetched {
    Fetched::Body(answered(&response, is_raw_body), Box::new(response.body) as Box<dyn Read + Send>)
}

impl Fetcher for HttpFetcher {
    fn concurrency(&self) -> NonZeroUsize {
        self.0.connections()
    }

    fn attempts(&self) -> Attempts {
        Attempts::new(&self.0)
    }

    fn led(&self) -> Vec<String> {
        self.0.led()
    }

    fn fetch(&self, fetch: &Fetch, attempts: &mut Attempts, _: &Meter) -> Fetched {
        self.fetched(fetch, attempts).unwrap_or_else(|error| {
            let is_refusal = error.is_refusal();
            let reason = error.reason;
            Fetched::Error(if is_refusal { FetchError::Skipped { reason } } else { FetchError::Failed { reason } })
        })
    }
}
