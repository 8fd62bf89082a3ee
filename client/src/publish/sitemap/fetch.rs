//! Requests a resource for its length and digests.

use std::io::Read;

use resourcesync::{
    api::Digester,
    value::{Algorithm, Datetime, MediaType, Parsed, Value, http_date},
};

use crate::{
    cancel::Cancel,
    http::{AcceptEncoding, Attempts, Client, Request, Response, fetch as request},
    system::reason,
};

const WINDOW: usize = 128 << 10;

/// What a response says of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fetched {
    pub(crate) length: u64,
    /// As in the attribute `hash`; `None` without algorithms.
    pub(crate) hash: Option<String>,
    pub(crate) media_type: Option<String>,
    pub(crate) modified: Option<String>,
}

/// Requests a resource; the error is the reason why it cannot be published.
pub(crate) fn fetch(client: &Client, uri: &str, algorithms: &[Algorithm], cancel: &Cancel) -> Result<Fetched, String> {
    let wanted = Request { accept: AcceptEncoding::Identity, ..Request::get(uri) };
    let mut attempts = Attempts::new(client);
    loop {
        let mut response = request(client, &wanted, &mut attempts).map_err(|error| error.to_string())?;
        if !matches!(response.status, 200 | 203) {
            return Err(format!("the response has status {}", response.status));
        }
        match read(&mut response, algorithms, cancel) {
            Ok(fetched) => return Ok(fetched),
            Err(why) if cancel.is_cancelled() || !attempts.again() => return Err(why),
            Err(_) => {}
        }
    }
}

fn read(response: &mut Response, algorithms: &[Algorithm], cancel: &Cancel) -> Result<Fetched, String> {
    let (mut digester, mut length) = (Digester::new(algorithms.iter().cloned()), 0_u64);
    let mut window = vec![0; WINDOW];
    loop {
        if cancel.is_cancelled() {
            return Err("the run was interrupted".to_owned());
        }
        let read = response.body.read(&mut window).map_err(|error| reason(&error).to_string())?;
        if read == 0 {
            break;
        }
        digester.push(window.get(..read).unwrap_or_default());
        length = length.saturating_add(read as u64);
    }
    let first = |name: &str| response.headers.first(name);
    let media_type = first("content-type").map(|value| value.split(';').next().unwrap_or(value).trim().to_owned());
    let modified = first("last-modified").and_then(http_date).and_then(|seconds| Datetime::from_unix(seconds, 0));
    Ok(Fetched {
        length,
        hash: Some(digester.finish().to_string()).filter(|_| !algorithms.is_empty()),
        media_type: media_type.filter(|text| matches!(MediaType::read(text), Parsed::Exact(_))),
        modified: modified.map(|datetime| datetime.to_string()),
    })
}
