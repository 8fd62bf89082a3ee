//! Fetches one resource to a verified file in staging.

use std::{
    fs,
    io::{self, Read, Write},
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use resourcesync::{
    codec::Gunzip,
    diagnostic::{Reason, ReasonCode},
    fixity::Digester,
    value::{Algorithm, Hashes, Parsed, Value, to_hex},
};
use resourcesync_sync::{
    Held, Transfer, Wanted,
    report::Seen,
    transfer::{Body, Ending, Failure, Fixity, Head, Verified},
};

use super::{
    copies::{Staging, nanoseconds},
    ledger::Entry,
};
use crate::{
    cancel::Cancel,
    http::{self, AcceptEncoding, Attempts, Client, Condition, Error, ErrorKind, Request, Response},
};

/// Bytes read at a time.
const WINDOW: usize = 64 << 10;
/// The maximum time in the future that a file may have.
const FUTURE: Duration = Duration::from_secs(86_400);

/// One resource to fetch.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) wanted: Wanted,
    pub(super) held: Option<Entry>,
    /// Its path in the layout.
    pub(super) place: String,
    /// True to make a conditional request for a stored resource.
    pub(super) asks: bool,
    /// The existing file, if it may have the listed digests.
    pub(super) file: Option<fs::File>,
    /// True if that file is foreign, and is adopted if it has them.
    pub(super) adopts: bool,
    /// True if a foreign file is replaced.
    pub(super) replaces: bool,
    /// True if it may have been deleted, which the server knows.
    pub(super) is_uncertain: bool,
}

/// The result.
#[derive(Debug)]
pub(super) enum Fetched {
    /// A verified file is in staging.
    Staged { number: u64, held: Held, mtime: i64, by: Verified, received: u64 },
    /// The stored resource is as listed.
    Same,
    /// The foreign file at its place is as listed.
    Adopted { held: Held, mtime: i64 },
    /// A foreign file is in the way.
    Conflict,
    /// It is newer than its list.
    Deferred(Seen),
    /// It failed.
    Failed(Failure),
    /// The file could not be written.
    Unwritten(io::Error),
    /// The run was cancelled.
    Interrupted,
}

/// The context of workers.
#[derive(Debug)]
pub(super) struct Fetcher {
    pub(super) client: Arc<Client>,
    pub(super) staging: Arc<Staging>,
    pub(super) cancel: Cancel,
    pub(super) inflate_ratio: u32,
    pub(super) accepts_newer: bool,
}

impl Fetcher {
    /// Performs one job.
    pub(super) fn fetch(&self, mut job: Job) -> (Job, Fetched) {
        if self.cancel.is_cancelled() {
            return (job, Fetched::Interrupted);
        }
        if let Some(file) = job.file.take() {
            let own = compare(file, &job.wanted);
            match (own, job.adopts) {
                (Ok(Some(own)), true) => return (job, own),
                (Ok(Some(_)), false) => return (job, Fetched::Same),
                _ if job.adopts && !job.replaces => return (job, Fetched::Conflict),
                _ => {}
            }
        }
        let held = job.held.as_ref().map(|entry| &entry.held).filter(|_| job.asks);
        let fetched = self.transfer(&job.wanted, held).unwrap_or_else(Fetched::Unwritten);
        (job, fetched)
    }

    fn transfer(&self, wanted: &Wanted, held: Option<&Held>) -> io::Result<Fetched> {
        let mut transfer = Transfer::new(wanted, held);
        if self.accepts_newer {
            transfer = transfer.accepting_newer();
        }
        let mut attempts = Attempts::new(&self.client);
        loop {
            let response = match self.request(&mut transfer, &mut attempts) {
                Ok(response) => response,
                Err(error) => return Ok(lost(&transfer, &error)),
            };
            let body = transfer.answer(Head {
                status: response.status,
                etag: response.headers.first("etag").map(str::to_owned),
                modified: response.headers.first("last-modified").map(str::to_owned),
                date: response.headers.first("date").map(str::to_owned),
                content_encoding: response.headers.first("content-encoding").map(str::to_owned),
            });
            if body == Body::Ignore {
                return Ok(match transfer.end() {
                    Ending::Same => Fetched::Same,
                    Ending::Failed(failure) => Fetched::Failed(failure),
                    Ending::Deferred(seen) => Fetched::Deferred(seen),
                    Ending::Again | Ending::Verified(_) => lost(&transfer, &Error::interrupted()),
                });
            }
            let (number, file) = self.staging.begin()?;
            match self.store(&mut transfer, response, file, body == Body::Decode, wanted) {
                Ok(Stored::Whole { sha256, size, mtime }) => match transfer.end() {
                    Ending::Verified(fixity) => return Ok(staged(number, fixity, wanted, (sha256, size, mtime))),
                    Ending::Again => self.staging.discard(number),
                    ending => {
                        self.staging.discard(number);
                        return Ok(match ending {
                            Ending::Deferred(seen) => Fetched::Deferred(seen),
                            Ending::Failed(failure) => Fetched::Failed(failure),
                            _ => Fetched::Same,
                        });
                    }
                },
                Ok(Stored::Lost(error)) => {
                    self.staging.discard(number);
                    if !error.is_temporary() || !attempts.again() {
                        return Ok(lost(&transfer, &error));
                    }
                }
                Ok(Stored::Undecodable(reason)) => {
                    self.staging.discard(number);
                    return Ok(failed(transfer.failed(reason, false)));
                }
                Err(error) => {
                    self.staging.discard(number);
                    return Err(error);
                }
            }
        }
    }

    fn request(&self, transfer: &mut Transfer<'_>, attempts: &mut Attempts) -> Result<Response, Error> {
        let wanted = transfer.request();
        let condition = wanted.etag.map(Condition::NoneMatch).or(wanted.modified.map(Condition::ModifiedSince));
        let accept = AcceptEncoding::Raw(wanted.accept_encoding);
        let mut request = Request { accept, condition, ..Request::get(wanted.uri) };
        if wanted.no_cache
            && let Ok(with_header) = request.clone().header("Cache-Control", "no-cache")
        {
            request = with_header;
        }
        http::fetch(&self.client, &request, attempts)
    }

    /// Stores a body and hashes its bytes, both as sent and as stored.
    fn store(
        &self,
        transfer: &mut Transfer<'_>,
        mut response: Response,
        mut file: fs::File,
        decodes: bool,
        wanted: &Wanted,
    ) -> io::Result<Stored> {
        let mut gunzip = decodes.then(|| Gunzip::new(self.inflate_ratio));
        let mut digester = Digester::new([Algorithm::Sha256]);
        let (mut size, mut written) = (0_u64, Ok(()));
        let mut window = vec![0; WINDOW];
        let mut keep = |bytes: &[u8]| {
            size = size.saturating_add(bytes.len() as u64);
            digester.push(bytes);
            if written.is_ok() {
                written = file.write_all(bytes);
            }
        };
        loop {
            let length = match response.body.read(&mut window) {
                Ok(0) => break,
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    return Ok(Stored::Lost(Error::of(&error).cloned().unwrap_or_else(Error::interrupted)));
                }
            };
            let bytes = window.get(..length).unwrap_or_default();
            let is_wanted = transfer.push(bytes);
            match &mut gunzip {
                Some(gunzip) => {
                    if let Err(error) = gunzip.push(bytes, &mut keep) {
                        return Ok(Stored::Undecodable(
                            Reason::new(ReasonCode::InvalidGzip).arg("problem", error.as_str()),
                        ));
                    }
                }
                None => keep(bytes),
            }
            if !is_wanted {
                break;
            }
        }
        if let Some(gunzip) = &mut gunzip
            && let Err(error) = gunzip.finish(&mut keep)
        {
            return Ok(Stored::Undecodable(Reason::new(ReasonCode::InvalidGzip).arg("problem", error.as_str())));
        }
        written?;
        if let Some(time) = time(wanted) {
            file.set_modified(time)?;
        }
        let mtime = nanoseconds(file.metadata()?.modified()?);
        Ok(Stored::Whole { sha256: sha256(&digester.finish()), size, mtime })
    }
}

/// The result of receiving a body.
enum Stored {
    Whole { sha256: String, size: u64, mtime: i64 },
    Lost(Error),
    Undecodable(Reason),
}

fn staged(number: u64, fixity: Fixity, wanted: &Wanted, (sha256, size, mtime): (String, u64, i64)) -> Fetched {
    let (by, received) = (fixity.by, fixity.length);
    let held = Held {
        hash: Some(fixity.hashes.to_string()),
        length: wanted.length,
        lastmod: wanted.lastmod.clone(),
        etag: fixity.etag,
        modified: fixity.modified,
        sha256,
        size,
    };
    Fetched::Staged { number, held, mtime, by, received }
}

fn lost(transfer: &Transfer<'_>, error: &Error) -> Fetched {
    if error.kind == ErrorKind::Interrupted {
        return Fetched::Interrupted;
    }
    let is_transient = error.is_temporary() || error.kind == ErrorKind::Later;
    failed(transfer.failed(error.reason.clone(), is_transient))
}

fn failed(ending: Ending) -> Fetched {
    match ending {
        Ending::Failed(failure) => Fetched::Failed(failure),
        _ => Fetched::Interrupted,
    }
}

/// The metadata of a file, if it has the listed digests and length.
fn compare(mut file: fs::File, wanted: &Wanted) -> io::Result<Option<Fetched>> {
    let listed = wanted.hashes();
    let meta = file.metadata()?;
    let is_other = wanted.encoding.is_some() || wanted.length.is_some_and(|length| length != meta.len());
    if is_other || listed.iter().next().is_none() {
        return Ok(None);
    }
    let named = listed.iter().map(|hash| hash.algorithm.clone());
    let hashes = digests(&mut file, named.chain([Algorithm::Sha256]))?;
    if listed.iter().any(|hash| hashes.get(&hash.algorithm) != Some(&*hash.digest)) {
        return Ok(None);
    }
    let held = Held {
        hash: Some(hashes.to_string()),
        length: wanted.length,
        lastmod: wanted.lastmod.clone(),
        sha256: sha256(&hashes),
        size: meta.len(),
        ..Held::default()
    };
    Ok(Some(Fetched::Adopted { held, mtime: nanoseconds(meta.modified()?) }))
}

/// The digests of a file.
pub(super) fn digests(
    file: &mut (impl Read + ?Sized),
    algorithms: impl IntoIterator<Item = Algorithm>,
) -> io::Result<Hashes> {
    let mut digester = Digester::new(algorithms);
    let mut window = vec![0; WINDOW];
    loop {
        match file.read(&mut window) {
            Ok(0) => return Ok(digester.finish()),
            Ok(length) => digester.push(window.get(..length).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The SHA-256 among digests, in hexadecimal.
pub(super) fn sha256(hashes: &Hashes) -> String {
    hashes.get(&Algorithm::Sha256).map(to_hex).unwrap_or_default()
}

/// The modification time of the file: that of the resource, if possible.
fn time(wanted: &Wanted) -> Option<SystemTime> {
    let moment = match resourcesync::value::Datetime::read(wanted.lastmod.as_deref()?) {
        Parsed::Exact(moment) | Parsed::Lenient(moment) => moment,
        Parsed::Malformed => return None,
    };
    let (seconds, nanoseconds) = moment.to_unix();
    let time = UNIX_EPOCH.checked_add(Duration::new(u64::try_from(seconds).ok()?, nanoseconds))?;
    (time <= SystemTime::now().checked_add(FUTURE)?).then_some(time)
}
