//! Fetches one resource to a verified file in staging. A large body that is cut off continues where it ended, in this run or in the next one.

use std::{
    fs,
    io::{self, Read, Write},
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use resourcesync::{
    codec::Gunzip,
    diagnostic::Reason,
    fixity::Digester,
    value::{Algorithm, Hashes, Parsed, Value, to_hex},
};
use resourcesync_sync::{
    Held, Transfer, Wanted,
    report::Seen,
    transfer::{Body, Ending, Failure, Fixity, Head, Verified, undecodable},
};

use super::{
    budget::{Budget, Share},
    copies::{Part, Staging, nanoseconds},
    ledger::Entry,
};
use crate::{
    cancel::Cancel,
    http::{self, AcceptEncoding, Attempts, Client, Condition, Error, ErrorKind, Request, Response},
};

/// Bytes read at a time.
const WINDOW: usize = 64 << 10;
/// Bytes from which on a body that is cut off is continued; less is fetched again.
const LARGE: u64 = 8 << 20;
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
    /// What an earlier run received of it.
    pub(super) part: Option<Part>,
    /// The file of another resource that has the listed digests.
    pub(super) same: Option<fs::File>,
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
    /// It would exceed the bytes that the run may fetch.
    Unaffordable,
    /// The run was cancelled.
    Interrupted,
}

/// The context of workers.
#[derive(Debug)]
pub(super) struct Fetcher {
    pub(super) client: Arc<Client>,
    pub(super) staging: Arc<Staging>,
    pub(super) budget: Arc<Budget>,
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
        if let Some(file) = job.same.take() {
            match self.copy(file, &job.wanted) {
                Ok(Some(fetched)) => return (job, fetched),
                // The file is not what was recorded, or cannot be read.
                Ok(None) => {}
                Err(error) => return (job, Fetched::Unwritten(error)),
            }
        }
        let held = job.held.as_ref().map(|entry| &entry.held).filter(|_| job.asks);
        let part = job.part.take();
        let fetched = self.transfer(&job.wanted, held, part).unwrap_or_else(Fetched::Unwritten);
        (job, fetched)
    }

    /// Copies a file to staging; `None` if it does not have the listed digests.
    fn copy(&self, mut file: fs::File, wanted: &Wanted) -> io::Result<Option<Fetched>> {
        let listed = wanted.hashes();
        let named = listed.iter().map(|hash| hash.algorithm.clone());
        let mut digester = Digester::new(named.chain([Algorithm::Sha256]));
        let mut storing = Storing::begin(&self.staging)?;
        let mut written = Ok(());
        let mut window = vec![0; WINDOW];
        loop {
            let length = match file.read(&mut window) {
                Ok(0) => break,
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => {
                    self.drop(Some(storing));
                    return Ok(None);
                }
            };
            let bytes = window.get(..length).unwrap_or_default();
            digester.push(bytes);
            storing.keep(bytes, &mut written);
            if written.is_err() || self.cancel.is_cancelled() {
                self.drop(Some(storing));
                return written.map(|()| Some(Fetched::Interrupted));
            }
        }
        let hashes = digester.finish();
        let is_listed = listed.iter().all(|hash| hashes.get(&hash.algorithm) == Some(&*hash.digest));
        if !is_listed || wanted.length.is_some_and(|length| length != storing.size) {
            self.drop(Some(storing));
            return Ok(None);
        }
        let (length, by) = (storing.size, Verified::Digest);
        let fixity = Fixity { length, hashes, is_coded: false, by, etag: None, modified: None };
        storing.end(fixity, wanted, 0, &self.staging).map(Some)
    }

    fn transfer(&self, wanted: &Wanted, held: Option<&Held>, part: Option<Part>) -> io::Result<Fetched> {
        let mut transfer = Transfer::new(wanted, held).inflating(self.inflate_ratio);
        if self.accepts_newer {
            transfer = transfer.accepting_newer();
        }
        let mut attempts = Attempts::new(&self.client);
        let mut begun = match part {
            Some(part) => self.resume(&mut transfer, &part),
            None => None,
        };
        let mut received = 0;
        let mut share = self.budget.share();
        let is_conditional = held.is_some_and(Held::has_validator);
        loop {
            // The answer to a conditional request may have no body.
            let rest = wanted.length.unwrap_or(0).saturating_sub(begun.as_ref().map_or(0, |storing| storing.size));
            if !is_conditional && !share.reserve(rest) {
                self.leave(begun);
                return Ok(Fetched::Unaffordable);
            }
            let response = match self.request(&mut transfer, &mut attempts) {
                Ok(response) => response,
                Err(error) => {
                    self.leave(begun);
                    return Ok(lost(&transfer, &error));
                }
            };
            let header = |name: &str| response.headers.first(name).map(str::to_owned);
            let body = transfer.answer(Head {
                status: response.status,
                etag: header("etag"),
                modified: header("last-modified"),
                date: header("date"),
                content_encoding: header("content-encoding"),
                content_range: only(response.headers.all("content-range")),
            });
            if body == Body::Ignore {
                let ending = transfer.end();
                match ending {
                    // The server may be able to send the rest later.
                    Ending::Failed(Failure { is_transient: true, .. }) => self.leave(begun.take()),
                    _ => self.drop(begun.take()),
                }
                match ending {
                    Ending::Again => continue,
                    ending => return Ok(outcome(ending, &transfer)),
                }
            }
            let stated = response.headers.first("content-length").and_then(|length| length.parse().ok());
            if !share.reserve(wanted.length.or(stated).unwrap_or(0).min(stated.unwrap_or(u64::MAX))) {
                self.leave(begun);
                return Ok(Fetched::Unaffordable);
            }
            let mut storing = match (body, begun.take()) {
                (Body::Append, Some(storing)) => storing,
                (_, other) => {
                    self.drop(other);
                    Storing::begin(&self.staging)?
                }
            };
            match self.store(&mut transfer, response, &mut storing, &mut received, &mut share) {
                Ok(Stored::Whole) => match transfer.end() {
                    Ending::Verified(fixity) => {
                        let storing = match fixity.is_coded {
                            true => self.decode(storing)?,
                            false => Ok(storing),
                        };
                        return match storing {
                            Ok(storing) => storing.end(fixity, wanted, received, &self.staging),
                            Err(reason) => Ok(failed(Transfer::undecoded(reason))),
                        };
                    }
                    Ending::Again => self.drop(Some(storing)),
                    ending => {
                        self.drop(Some(storing));
                        return Ok(outcome(ending, &transfer));
                    }
                },
                Ok(Stored::Lost(error)) => {
                    let continues = storing.size >= LARGE && transfer.cut();
                    if continues {
                        begun = Some(storing)
                    } else {
                        self.drop(Some(storing))
                    }
                    if !error.is_temporary() || !attempts.again() {
                        self.leave(begun);
                        return Ok(lost(&transfer, &error));
                    }
                }
                Ok(Stored::Unaffordable) => {
                    self.leave(Some(storing));
                    return Ok(Fetched::Unaffordable);
                }
                Err(error) => {
                    self.drop(Some(storing));
                    return Err(error);
                }
            }
        }
    }

    /// Reads what an earlier run received; `None` if it cannot be continued.
    fn resume(&self, transfer: &mut Transfer<'_>, part: &Part) -> Option<Storing> {
        let opened = self.staging.reopen(part.number).ok().filter(|_| transfer.resume(&part.etag));
        let storing = opened.and_then(|file| self.read(transfer, part.number, file).ok());
        if storing.is_none() {
            transfer.restart();
            self.staging.discard(part.number);
        }
        storing
    }

    fn read(&self, transfer: &mut Transfer<'_>, number: u64, mut file: fs::File) -> io::Result<Storing> {
        let mut digester = Digester::new([Algorithm::Sha256]);
        let mut window = vec![0; WINDOW];
        let mut size = 0_u64;
        loop {
            match file.read(&mut window) {
                Ok(0) => break,
                Ok(length) => {
                    let bytes = window.get(..length).unwrap_or_default();
                    size = size.saturating_add(length as u64);
                    digester.push(bytes);
                    transfer.push(bytes);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            if self.cancel.is_cancelled() {
                break;
            }
        }
        Ok(Storing { number, file, size, digester, is_noted: true })
    }

    /// Keeps a file for the next run, if that can continue it.
    fn leave(&self, storing: Option<Storing>) {
        if let Some(storing) = storing.filter(|storing| !storing.is_noted) {
            self.staging.discard(storing.number);
        }
    }

    fn drop(&self, storing: Option<Storing>) {
        if let Some(storing) = storing {
            self.staging.discard(storing.number);
        }
    }

    fn request(&self, transfer: &mut Transfer<'_>, attempts: &mut Attempts) -> Result<Response, Error> {
        let wanted = transfer.request();
        let condition = wanted.etag.map(Condition::NoneMatch).or(wanted.modified.map(Condition::ModifiedSince));
        let accept = AcceptEncoding::Raw(wanted.accept_encoding);
        let mut request = Request { accept, condition, ..Request::get(wanted.uri) };
        if let Some((from, etag)) = wanted.rest {
            (request.range, request.if_range) = (Some(from..u64::MAX), Some(etag));
        }
        if wanted.no_cache
            && let Ok(with_header) = request.clone().header("Cache-Control", "no-cache")
        {
            request = with_header;
        }
        http::fetch(&self.client, &request, attempts)
    }

    /// Undoes the coding of a file that has been verified as it was sent, or the reason why that is not possible.
    fn decode(&self, coded: Storing) -> io::Result<Result<Storing, Reason>> {
        let mut plain = Storing::begin(&self.staging)?;
        let decoded = self.decode_to(&mut plain, coded.number);
        self.drop(Some(coded));
        if !matches!(decoded, Ok(Ok(()))) {
            self.staging.discard(plain.number);
        }
        Ok(decoded?.map(|()| plain))
    }

    fn decode_to(&self, plain: &mut Storing, coded: u64) -> io::Result<Result<(), Reason>> {
        let mut gunzip = Gunzip::new(self.inflate_ratio);
        let mut file = self.staging.reopen(coded)?;
        let mut window = vec![0; WINDOW];
        let mut written = Ok(());
        loop {
            let length = match file.read(&mut window) {
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let bytes = window.get(..length).unwrap_or_default();
            let decoded = match length {
                0 => gunzip.finish(&mut |bytes| plain.keep(bytes, &mut written)),
                _ => gunzip.push(bytes, &mut |bytes| plain.keep(bytes, &mut written)),
            };
            std::mem::replace(&mut written, Ok(()))?;
            match decoded {
                Err(error) => return Ok(Err(undecodable(error))),
                Ok(()) if length == 0 => return Ok(Ok(())),
                Ok(()) => {}
            }
        }
    }

    /// Stores a body as it is sent, and hashes it.
    fn store(
        &self,
        transfer: &mut Transfer<'_>,
        mut response: Response,
        storing: &mut Storing,
        received: &mut u64,
        share: &mut Share<'_>,
    ) -> io::Result<Stored> {
        let mut written = Ok(());
        let mut window = vec![0; WINDOW];
        let etag = transfer.resumable().map(str::to_owned);
        loop {
            let length = match response.body.read(&mut window) {
                Ok(0) => break,
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    return Ok(Stored::Lost(Error::of(&error).cloned().unwrap_or_else(Error::interrupted)));
                }
            };
            *received = received.saturating_add(length as u64);
            let bytes = window.get(..length).unwrap_or_default();
            let is_wanted = transfer.push(bytes);
            storing.keep(bytes, &mut written);
            if !share.spend(length as u64) && written.is_ok() {
                return Ok(Stored::Unaffordable);
            }
            if !is_wanted || written.is_err() {
                break;
            }
            if let Some(etag) = &etag
                && storing.size >= LARGE
                && !storing.is_noted
            {
                self.staging.note(&Part {
                    number: storing.number,
                    uri: transfer.uri().to_owned(),
                    etag: etag.clone(),
                })?;
                storing.is_noted = true;
            }
        }
        written?;
        Ok(Stored::Whole)
    }
}

/// A file that is being written.
struct Storing {
    number: u64,
    file: fs::File,
    size: u64,
    /// Computes the SHA-256 of the file.
    digester: Digester,
    /// True if the next run can continue it.
    is_noted: bool,
}

impl Storing {
    fn begin(staging: &Staging) -> io::Result<Storing> {
        let (number, file) = staging.begin()?;
        Ok(Storing { number, file, size: 0, digester: Digester::new([Algorithm::Sha256]), is_noted: false })
    }

    fn keep(&mut self, bytes: &[u8], written: &mut io::Result<()>) {
        self.size = self.size.saturating_add(bytes.len() as u64);
        self.digester.push(bytes);
        if written.is_ok() {
            *written = self.file.write_all(bytes);
        }
    }

    /// A verified file.
    fn end(self, fixity: Fixity, wanted: &Wanted, received: u64, staging: &Staging) -> io::Result<Fetched> {
        let ended = self.finish(wanted);
        let (number, is_noted) = (self.number, self.is_noted);
        match ended {
            Ok(mtime) => {
                if is_noted {
                    // It is whole: from here on it is placed or fetched again.
                    staging.forget(number);
                }
                let sha256 = sha256(&self.digester.finish());
                Ok(staged(number, fixity, wanted, (sha256, self.size, mtime), received))
            }
            Err(error) => {
                staging.discard(number);
                Err(error)
            }
        }
    }

    /// Sets the time of the file; the time that it has then.
    fn finish(&self, wanted: &Wanted) -> io::Result<i64> {
        if let Some(time) = time(wanted) {
            self.file.set_modified(time)?;
        }
        Ok(nanoseconds(self.file.metadata()?.modified()?))
    }
}

/// The result of receiving a body.
enum Stored {
    Whole,
    Lost(Error),
    Unaffordable,
}

fn staged(
    number: u64,
    fixity: Fixity,
    wanted: &Wanted,
    (sha256, size, mtime): (String, u64, i64),
    received: u64,
) -> Fetched {
    let by = fixity.by;
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

/// The result of a transfer without a file.
fn outcome(ending: Ending, transfer: &Transfer<'_>) -> Fetched {
    match ending {
        Ending::Same => Fetched::Same,
        Ending::Failed(failure) => Fetched::Failed(failure),
        Ending::Deferred(seen) => Fetched::Deferred(seen),
        Ending::Again | Ending::Verified(_) => lost(transfer, &Error::interrupted()),
    }
}

/// The value of a header field that is there once.
fn only<'h>(mut values: impl Iterator<Item = &'h str>) -> Option<String> {
    let value = values.next()?;
    values.next().is_none().then(|| value.to_owned())
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
