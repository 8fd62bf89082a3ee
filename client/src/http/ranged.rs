//! Random access to a file on a server by range requests (RFC 9110, section 14): only what is read is fetched.

use std::{
    collections::VecDeque,
    io::Read,
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use resourcesync::diagnostic::{Reason, ReasonCode};

use super::{
    client::Client,
    error::{Error, ErrorKind, Received},
    request::{AcceptEncoding, Request, Response},
    retry::{self, Attempts},
    transport::Headers,
};
use crate::{
    package::{Bytes, BytesError},
    system::reason,
};

/// Bytes per request.
const BLOCK: u64 = 1 << 20;
/// Blocks kept in memory: several readers read forward concurrently.
const KEPT: usize = 16;

/// A file on a server, or an unsuccessful response.
pub enum Found {
    /// A file, and its size in bytes.
    File(Response, Box<dyn Bytes>, u64),
    /// A response with an unsuccessful status.
    Answer(Response),
}

/// Opens a file on a server. Only its start is fetched, if the server supports range requests; otherwise it is copied to a
/// temporary file.
///
/// # Errors
///
/// If there is no response, or its ranges are not those requested.
pub fn open(client: &Arc<Client>, uri: &str, is_start: bool, attempts: &mut Attempts) -> Result<Found, Error> {
    requested(client, uri, is_start, attempts, whole)
}

/// The same; of a server without range requests the response is returned, its body unread.
///
/// # Errors
///
/// As [`open`].
pub fn open_ranges(client: &Arc<Client>, uri: &str, attempts: &mut Attempts) -> Result<Found, Error> {
    requested(client, uri, false, attempts, |response| Ok(Found::Answer(response)))
}

fn requested(
    client: &Arc<Client>,
    uri: &str,
    is_start: bool,
    attempts: &mut Attempts,
    whole: fn(Response) -> Result<Found, Error>,
) -> Result<Found, Error> {
    let all = Request { is_start, accept: AcceptEncoding::Identity, ..Request::get(uri) };
    let request = Request { range: Some(0..BLOCK), ..all.clone() };
    loop {
        let mut answer = retry::fetch(client, &request, attempts);
        if answer.as_ref().is_ok_and(|response| response.status == 206 && is_of_no_use(&response.headers)) {
            answer = retry::fetch(client, &all, attempts);
        }
        let outcome = answer.and_then(|response| match response.status {
            206 => by_ranges(client, response),
            200 => whole(response),
            // An empty file has no ranges.
            416 if response.headers.first("content-range").is_some_and(|value| value.trim() == "bytes */0") => {
                Ok(Found::File(Response { status: 200, ..response }, Box::new(Vec::new()), 0))
            }
            _ => Ok(Found::Answer(response)),
        });
        match outcome {
            // The body was truncated.
            Err(error) if error.received > Received::Nothing && error.is_temporary() && attempts.again() => {}
            outcome => return outcome,
        }
    }
}

/// Copies the response of a server without range requests to a temporary file.
fn whole(mut response: Response) -> Result<Found, Error> {
    let failed = |error: &std::io::Error| match Error::of(error) {
        Some(error) => error.clone(),
        None => Error::new(
            ErrorKind::Recording,
            Reason::other(format!("it cannot be kept in a temporary file: {}", reason(error))),
        ),
    };
    let mut file = tempfile::tempfile().map_err(|error| failed(&error))?;
    let size = std::io::copy(&mut response.body, &mut file).map_err(|error| failed(&error))?;
    Ok(Found::File(response, Box::new(file), size))
}

fn by_ranges(client: &Arc<Client>, mut response: Response) -> Result<Found, Error> {
    let (range, size) = content_range(&response.headers)?;
    let first = 0..BLOCK.min(size);
    if range != first {
        return Err(wrong(ReasonCode::OtherRange));
    }
    let validator = validator(&response.headers);
    let bytes = take(&mut response, &first)?;
    let ranged = Ranged {
        client: client.clone(),
        uri: response.uri.clone(),
        size,
        validator,
        blocks: Mutex::new(VecDeque::from([Block { number: 0, bytes: Arc::new(Mutex::new(Some(Arc::new(bytes)))) }])),
    };
    Ok(Found::File(Response { status: 200, ..response }, Box::new(ranged), size))
}

fn wrong(code: ReasonCode) -> Error {
    Error::new(ErrorKind::Range, Reason::new(code))
}

/// A validator that proves that two ranges are of the same version of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Validator {
    /// A strong entity tag.
    etag: Option<String>,
    modified: Option<String>,
}

fn validator(headers: &Headers) -> Validator {
    let etag = headers.first("etag").filter(|etag| !etag.starts_with("W/"));
    Validator { etag: etag.map(str::to_owned), modified: headers.first("last-modified").map(str::to_owned) }
}

/// The range of a response, with exclusive end, and the size of the file.
fn content_range(headers: &Headers) -> Result<(Range<u64>, u64), Error> {
    let read = |text: &str| {
        let (range, size) = text.trim().strip_prefix("bytes ")?.split_once('/')?;
        let (first, last) = range.split_once('-')?;
        let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u64>().ok())?;
        let (first, end, size) = (number(first)?, number(last)?.checked_add(1)?, number(size)?);
        (first < end && end <= size).then_some((first..end, size))
    };
    let mut values = headers.all("content-range");
    match (values.next().and_then(read), values.next()) {
        (Some(read), None) => Ok(read),
        _ => Err(wrong(ReasonCode::InvalidContentRange)),
    }
}

/// True for a range that a server may answer with, and from which the size or the next range does not follow: one of unknown size, or a shorter one than
/// the first block (RFC 9110 §14.4, §15.3.7).
fn is_of_no_use(headers: &Headers) -> bool {
    let mut values = headers.all("content-range");
    let (Some(text), None) = (values.next(), values.next()) else { return false };
    match content_range(headers) {
        Ok((range, size)) => range.start == 0 && range.end < BLOCK.min(size),
        Err(_) => text.trim().strip_prefix("bytes 0-").is_some_and(|rest| rest.ends_with("/*")),
    }
}

/// Exactly the bytes of a range.
fn take(response: &mut Response, range: &Range<u64>) -> Result<Vec<u8>, Error> {
    let length = range.end.saturating_sub(range.start);
    let mut bytes = Vec::new();
    let body = (&mut response.body).take(length.saturating_add(1)).read_to_end(&mut bytes);
    body.map_err(|error| Error::of(&error).cloned().unwrap_or_else(|| Error::new(ErrorKind::Range, reason(&error))))?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(wrong(ReasonCode::IncompleteRange)) }
}

/// One block: the first reader fetches it, and others wait for it.
struct Block {
    number: u64,
    bytes: Arc<Mutex<Option<Arc<Vec<u8>>>>>,
}

/// A file fetched block by block.
struct Ranged {
    client: Arc<Client>,
    /// Its URI, after redirects.
    uri: String,
    size: u64,
    validator: Validator,
    /// The most recently used comes last.
    blocks: Mutex<VecDeque<Block>>,
}

impl Ranged {
    fn block(&self, number: u64) -> Result<Arc<Vec<u8>>, Error> {
        let slot = self.slot(number);
        let mut bytes = lock(&slot);
        if let Some(bytes) = &*bytes {
            return Ok(bytes.clone());
        }
        let start = number.saturating_mul(BLOCK);
        let range = start..start.saturating_add(BLOCK).min(self.size);
        let mut attempts = Attempts::new(&self.client);
        let fetched = loop {
            match self.fetch(&range, &mut attempts) {
                // The body was truncated.
                Err(error) if error.received > Received::Nothing && error.is_temporary() && attempts.again() => {}
                outcome => break outcome?,
            }
        };
        Ok(bytes.insert(Arc::new(fetched)).clone())
    }

    fn slot(&self, number: u64) -> Arc<Mutex<Option<Arc<Vec<u8>>>>> {
        let mut blocks = lock(&self.blocks);
        let known = blocks.iter().position(|block| block.number == number).and_then(|at| blocks.remove(at));
        let block = known.unwrap_or_else(|| Block { number, bytes: Arc::default() });
        let slot = block.bytes.clone();
        blocks.push_back(block);
        if blocks.len() > KEPT {
            blocks.pop_front();
        }
        slot
    }

    fn fetch(&self, range: &Range<u64>, attempts: &mut Attempts) -> Result<Vec<u8>, Error> {
        let request = Request {
            accept: AcceptEncoding::Identity,
            range: Some(range.clone()),
            if_range: self.validator.etag.clone(),
            ..Request::get(self.uri.as_str())
        };
        let mut response = retry::fetch(&self.client, &request, attempts)?;
        match response.status {
            206 => {}
            200 | 412 | 416 => return Err(changed()),
            status => {
                let reason = Reason::new(ReasonCode::RangeStatus).arg("status", status);
                return Err(Error::new(ErrorKind::Range, reason));
            }
        }
        if validator(&response.headers) != self.validator {
            return Err(changed());
        }
        match content_range(&response.headers)? {
            (_, size) if size != self.size => Err(changed()),
            (own, _) if own != *range => Err(wrong(ReasonCode::OtherRange)),
            _ => take(&mut response, range),
        }
    }
}

fn changed() -> Error {
    wrong(ReasonCode::Changed)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Bytes for Ranged {
    fn fill(&self, offset: u64, buffer: &mut [u8]) -> Result<(), BytesError> {
        let (mut at, mut buffer) = (offset, buffer);
        while !buffer.is_empty() {
            if at >= self.size {
                return Err(BytesError::Failed(Reason::new(ReasonCode::ShorterThanAnnounced)));
            }
            let block = self.block(at / BLOCK).map_err(|problem| match problem.kind {
                ErrorKind::Interrupted => BytesError::Interrupted,
                _ => BytesError::Failed(problem.reason),
            })?;
            let from = usize::try_from(at % BLOCK).unwrap_or(usize::MAX);
            let bytes = block.get(from..).unwrap_or(&[]);
            let length = bytes.len().min(buffer.len());
            buffer.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
            buffer = buffer.split_at_mut_checked(length).map(|(_, rest)| rest).unwrap_or_default();
            at = at.saturating_add(length as u64);
        }
        Ok(())
    }

    fn is_here(&self) -> bool {
        // All of it comes with what is read first.
        self.size <= BLOCK
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_to_be_given_exactly() {
        let read = |text: &str| content_range(&Headers::new(vec![("content-range".to_owned(), text.to_owned())])).ok();
        assert_eq!(read("bytes 0-4/10"), Some((0..5, 10)));
        for text in [
            "",
            "bytes */10",
            "bytes 5-4/10",
            "bytes 0-10/10",
            "bytes 0-4/*",
            "items 0-4/10",
            "bytes +0-4/10",
            "bytes 0-18446744073709551615/10",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert!(content_range(&Headers::default()).is_err());
    }
}
