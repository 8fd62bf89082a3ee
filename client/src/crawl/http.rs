//! Gets what a walk over a Source asks for from the servers that have it.

use std::{io::Read, num::NonZeroUsize, sync::Arc};

use resourcesync::api::{Fetch, Method as Asked, Missed, Purpose, Response as Answered};

use super::{Fetcher, Got};
use crate::{
    Meter,
    http::{self, Client, Found, Method, Packed, Problem, Request, Response},
};

/// The servers that the policy lets us ask.
#[derive(Debug)]
pub struct Web(pub Arc<Client>);

impl Web {
    fn got(&self, fetch: &Fetch) -> Result<Got, Problem> {
        let is_start = fetch.parent.is_none();
        if fetch.purpose == Purpose::Package && fetch.method == Asked::Get {
            return Ok(match http::open(&self.0, &fetch.uri, is_start)? {
                Found::File(response, bytes, size) => Got::Package(answered(&response, false), bytes, size),
                Found::Answer(response) => body(response, false),
            });
        }
        let method = match fetch.method {
            Asked::Head => Method::Head,
            _ => Method::Get,
        };
        // The digests of a resource are over its bytes as they are sent, in the coding that is listed.
        let packed = match fetch.purpose {
            Purpose::Resource => Packed::AsSent(fetch.encoding.clone().unwrap_or_else(|| "identity".to_owned())),
            _ => Packed::Gzip,
        };
        let is_as_sent = matches!(packed, Packed::AsSent(_));
        let request = Request { is_start, method, uri: fetch.uri.clone(), packed, range: None, validator: None };
        let response = self.0.fetch(&request)?;
        // What a document links to is for the report.
        if is_start {
            self.0.notice_moved(&response);
        }
        Ok(body(response, is_as_sent))
    }
}

fn answered(response: &Response, is_as_sent: bool) -> Answered {
    let headers = response.headers.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
    Answered { uri: response.uri.clone(), status: response.status, headers: Some(headers.collect()), is_as_sent }
}

fn body(response: Response, is_as_sent: bool) -> Got {
    Got::Body(answered(&response, is_as_sent), Box::new(response.body) as Box<dyn Read + Send>)
}

impl Fetcher for Web {
    fn concurrency(&self) -> NonZeroUsize {
        self.0.connections()
    }

    fn retries(&self) -> u64 {
        self.0.retries()
    }

    fn fetch(&self, fetch: &Fetch, _: &Meter) -> Got {
        self.got(fetch).unwrap_or_else(|problem| {
            let is_refusal = problem.is_refusal();
            let reason = problem.words;
            Got::Missed(if is_refusal { Missed::LeftOut { reason } } else { Missed::Failed { reason } })
        })
    }
}
