//! A file on a server, read in stretches (RFC 9110, 14): none of it is fetched that nobody asks for.

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
    package::{Bytes, Failure},
    system::reason,
};

/// Bytes fetched at a time.
const BLOCK: u64 = 1 << 20;
/// Blocks kept: a reader goes forward, and several readers go side by side.
const KEPT: usize = 16;

/// What a server has at a URI.
pub enum Found {
    /// A file, and how many bytes it has.
    File(Response, Box<dyn Bytes>, u64),
    /// An answer that is no success.
    Answer(Response),
}

/// Looks at a file without fetching more than its beginning, if the server has range requests.
///
/// # Errors
///
/// If there is no answer, or one that cannot be relied on.
pub fn open(client: &Arc<Client>, uri: &str, is_start: bool, attempts: &mut Attempts) -> Result<Found, Error> {
    let request = Request { is_start, accept: AcceptEncoding::Identity, range: Some(0..BLOCK), ..Request::get(uri) };
    loop {
        let outcome = retry::fetch(client, &request, attempts).and_then(|response| match response.status {
            206 => by_ranges(client, response),
            200 => whole(response),
            // An empty file has no ranges.
            416 if response.headers.first("content-range").is_some_and(|value| value.trim() == "bytes */0") => {
                Ok(Found::File(Response { status: 200, ..response }, Box::new(Vec::new()), 0))
            }
            _ => Ok(Found::Answer(response)),
        });
        match outcome {
            // The body was lost on the way.
            Err(error) if error.received > Received::Nothing && error.is_temporary() && attempts.again() => {}
            outcome => return outcome,
        }
    }
}

/// A server without range requests sends everything.
fn whole(mut response: Response) -> Result<Found, Error> {
    let failed = |error: &std::io::Error| match Error::of(error) {
        Some(error) => error.clone(),
        None => {
            Error::new(ErrorKind::Recording, Reason::other(format!("there was no room to keep it: {}", reason(error))))
        }
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

/// What shows that two stretches belong to one state of a file.
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

/// The bytes a stretch has, the last one excluded, and how many the file has.
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

/// The bytes of a stretch, exactly as many as there should be.
fn take(response: &mut Response, range: &Range<u64>) -> Result<Vec<u8>, Error> {
    let length = range.end.saturating_sub(range.start);
    let mut bytes = Vec::new();
    let body = (&mut response.body).take(length.saturating_add(1)).read_to_end(&mut bytes);
    body.map_err(|error| Error::of(&error).cloned().unwrap_or_else(|| Error::new(ErrorKind::Range, reason(&error))))?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(wrong(ReasonCode::IncompleteRange)) }
}

/// One block: whoever wants it first fetches it, and others wait for it.
struct Block {
    number: u64,
    bytes: Arc<Mutex<Option<Arc<Vec<u8>>>>>,
}

/// A file that is fetched block by block.
struct Ranged {
    client: Arc<Client>,
    /// Where it is, after redirects.
    uri: String,
    size: u64,
    validator: Validator,
    /// The one wanted last comes last.
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
                // The body was lost on the way.
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
    fn fill(&self, offset: u64, room: &mut [u8]) -> Result<(), Failure> {
        let (mut at, mut room) = (offset, room);
        while !room.is_empty() {
            if at >= self.size {
                return Err(Failure::Refused(Reason::new(ReasonCode::ShorterThanAnnounced)));
            }
            let block = self.block(at / BLOCK).map_err(|problem| match problem.kind {
                ErrorKind::Interrupted => Failure::Interrupted,
                _ => Failure::Refused(problem.reason),
            })?;
            let from = usize::try_from(at % BLOCK).unwrap_or(usize::MAX);
            let bytes = block.get(from..).unwrap_or(&[]);
            let length = bytes.len().min(room.len());
            room.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
            room = room.split_at_mut_checked(length).map(|(_, rest)| rest).unwrap_or_default();
            at = at.saturating_add(length as u64);
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_has_to_be_said_exactly() {
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
