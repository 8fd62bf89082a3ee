//! Fetches one resource to a verified file in staging. A large body that is cut off continues where it ended, in this run or in the next one.
//!
//! | file | what it does |
//! | --- | --- |
//! | `mod` | the requests, until there is a verified file or a reason why not |
//! | `copying` | bytes that are at hand, compared with the list |
//! | `patching` | the state before, brought to the listed one by a patch |
//! | `program` | the same by a program of the user |
//! | `members` | the members of a package, while it is verified |
//! | `storing` | the file that is written |
//! | `budget` | the bytes that the transfers of a run may fetch |
//! | `digests` | the digests of files |

mod budget;
mod copying;
mod digests;
mod members;
mod patching;
mod program;
mod storing;

use std::{
    fs,
    io::{self, Read},
    sync::Arc,
};

use resourcesync::{diagnostic::Reason, fixity::Digester, value::Algorithm};
use resourcesync_sync::{
    ListedResource, StoredState, Transfer,
    destination::{Fetching, Task, Transferred},
    report::{BytesFrom, Origin},
    transfer::{Body, Ending, Failure, Head},
};

pub(super) use self::{
    budget::Budget,
    digests::{digests, sha256},
    members::{Members, Taken},
};
use self::{
    budget::Share,
    copying::Copying,
    digests::{WINDOW, compare},
    storing::Storing,
};
use super::folder::{Part, Staging};
use crate::{
    cancel::Cancel,
    http::{self, AcceptEncoding, Attempts, Client, Condition, Error, ErrorKind, Request, Response},
};

/// Bytes from which on a body that is cut off is continued; less is fetched again.
const LARGE: u64 = 8 << 20;

/// One resource to fetch, with the files that may be its bytes.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) task: Task,
    /// The existing file, if it may have the listed digests, and what is recorded of its time.
    pub(super) file: Option<(fs::File, i64)>,
    /// What an earlier run received of it.
    pub(super) part: Option<Part>,
    /// The file of another resource that has the listed digests.
    pub(super) same: Option<fs::File>,
    /// The stored file, if a patch leads from it to the listed state.
    pub(super) before: Option<fs::File>,
}

/// The result, or the error if a file could not be written.
pub(super) type Fetched = io::Result<Transferred>;

/// The context of workers.
#[derive(Debug)]
pub(super) struct Fetcher {
    pub(super) client: Arc<Client>,
    pub(super) staging: Arc<Staging>,
    pub(super) budget: Arc<Budget>,
    pub(super) cancel: Cancel,
    pub(super) inflate_ratio: u32,
    pub(super) settings: Fetching,
}

/// A job that was performed.
pub(super) struct Done {
    pub(super) task: Task,
    pub(super) fetched: Fetched,
    /// The mirrors that did not supply the resource.
    pub(super) failed_mirrors: Vec<String>,
    /// Why a patch did not lead to the listed state.
    pub(super) failed_patch: Option<Reason>,
}

impl Fetcher {
    /// Performs one job.
    pub(super) fn fetch(&self, job: Job) -> Done {
        let (mut failed_mirrors, mut failed_patch) = (Vec::new(), None);
        let task = job.task.clone();
        let fetched = self.perform(job, &mut failed_mirrors, &mut failed_patch);
        Done { task, fetched, failed_mirrors, failed_patch }
    }

    fn perform(
        &self,
        Job { task, file, part, same, before }: Job,
        failed_mirrors: &mut Vec<String>,
        failed_patch: &mut Option<Reason>,
    ) -> io::Result<Transferred> {
        if self.cancel.is_cancelled() {
            return Ok(Transferred::Interrupted);
        }
        if task.is_version {
            return match same.map(|file| self.copy(file, &task.resource)).transpose()?.flatten() {
                Some(copied) => Ok(copied),
                None => self.transfer(&task.resource, None, part, BytesFrom::Memento),
            };
        }
        if let Some((file, mtime)) = file {
            match (compare(file, mtime, &task.resource), task.is_foreign) {
                (Ok(Some(adopted)), true) => return Ok(adopted),
                (Ok(Some(_)), false) => return Ok(Transferred::Same),
                (_, true) if !task.replaces => return Ok(Transferred::Conflict),
                _ => {}
            }
        }
        // A file that is not what was recorded, or cannot be read, is passed over.
        if let Some(file) = same
            && let Some(copied) = self.copy(file, &task.resource)?
        {
            return Ok(copied);
        }
        if let (Some(patch), Some(before)) = (&task.patch, before) {
            match self.patched(patch, before, &task)? {
                Ok(transferred) => return Ok(transferred),
                Err(reason) => *failed_patch = Some(reason),
            }
        }
        for mirror in &task.mirrors {
            match self.transfer(&task.resource.at(mirror), None, None, BytesFrom::Mirror)? {
                Transferred::Failed(_) | Transferred::Deferred(_) => failed_mirrors.push(mirror.clone()),
                transferred => return Ok(transferred),
            }
        }
        if task.avoids_loc {
            return Ok(Transferred::Failed(Failure::without_mirror()));
        }
        let state = task.stored.as_ref().map(|stored| &stored.state).filter(|_| task.is_conditional);
        self.transfer(&task.resource, state, part, BytesFrom::Loc)
    }

    /// Copies a file to staging; `None` if it does not have the listed digests.
    fn copy(&self, mut file: fs::File, resource: &ListedResource) -> io::Result<Option<Transferred>> {
        let mut copying = Copying::begin(resource, &self.staging)?;
        let mut window = vec![0; WINDOW];
        loop {
            let length = match file.read(&mut window) {
                Ok(0) => return copying.end(resource, BytesFrom::Local.into(), &self.staging),
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return copying.discard(&self.staging).map(|()| None),
            };
            let is_written = copying.push(window.get(..length).unwrap_or_default());
            if !is_written || self.cancel.is_cancelled() {
                return copying.discard(&self.staging).map(|()| Some(Transferred::Interrupted));
            }
        }
    }

    /// Fetches a resource. `state` is the stored one, for a conditional request, `part` what an earlier run received, and `place` where it
    /// is fetched from.
    pub(super) fn transfer(
        &self,
        resource: &ListedResource,
        state: Option<&StoredState>,
        part: Option<Part>,
        place: BytesFrom,
    ) -> io::Result<Transferred> {
        let mut transfer = Transfer::new(resource, state).inflating(self.inflate_ratio);
        if self.settings.accept_newer && place == BytesFrom::Loc {
            transfer = transfer.accepting_newer();
        }
        let mut attempts = Attempts::new(&self.client);
        let mut begun = match part {
            Some(part) => self.resume(&mut transfer, &part),
            None => None,
        };
        let mut received = 0;
        let mut share = self.budget.share();
        let is_conditional = state.is_some_and(StoredState::has_validator);
        loop {
            // The answer to a conditional request may have no body.
            let rest = resource.length.unwrap_or(0).saturating_sub(begun.as_ref().map_or(0, |storing| storing.size));
            if !is_conditional && !share.reserve(rest) {
                self.leave(begun);
                return Ok(Transferred::Unaffordable);
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
                age: header("age"),
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
            if !share.reserve(resource.length.or(stated).unwrap_or(0).min(stated.unwrap_or(u64::MAX))) {
                self.leave(begun);
                return Ok(Transferred::Unaffordable);
            }
            let mut storing = match (body, begun.take()) {
                (Body::Append, Some(storing)) => storing,
                (_, other) => {
                    self.drop(other);
                    Storing::begin(&self.staging)?
                }
            };
            match self.store(&mut transfer, response, &mut storing, &mut received, &mut share) {
                Ok(Received::Whole) => match transfer.end() {
                    Ending::Verified(fixity) => {
                        let storing = match fixity.is_coded {
                            true => storing.decode(self.inflate_ratio, &self.staging)?,
                            false => Ok(storing),
                        };
                        let from = match place {
                            BytesFrom::Loc => transfer.origin(),
                            place => Origin::at(place, &resource.loc),
                        };
                        let from = (from, received);
                        return match storing {
                            Ok(storing) => storing.end(fixity, resource, from, &self.staging),
                            Err(reason) => Ok(failed(Transfer::undecoded(reason))),
                        };
                    }
                    Ending::Again => self.drop(Some(storing)),
                    ending => {
                        self.drop(Some(storing));
                        return Ok(outcome(ending, &transfer));
                    }
                },
                Ok(Received::Lost(error)) => {
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
                Ok(Received::Unaffordable) => {
                    self.leave(Some(storing));
                    return Ok(Transferred::Unaffordable);
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
        let resource = transfer.request();
        let condition = resource.etag.map(Condition::NoneMatch).or(resource.modified.map(Condition::ModifiedSince));
        let accept = AcceptEncoding::Raw(resource.accept_encoding);
        let mut request = Request { accept, condition, ..Request::get(resource.uri) };
        if let Some((from, etag)) = resource.rest {
            (request.range, request.if_range) = (Some(from..u64::MAX), Some(etag));
        }
        if resource.no_cache
            && let Ok(with_header) = request.clone().header("Cache-Control", "no-cache")
        {
            request = with_header;
        }
        http::fetch(&self.client, &request, attempts)
    }

    /// Stores a body as it is sent, and hashes it.
    fn store(
        &self,
        transfer: &mut Transfer<'_>,
        mut response: Response,
        storing: &mut Storing,
        received: &mut u64,
        share: &mut Share<'_>,
    ) -> io::Result<Received> {
        let mut written = Ok(());
        let mut window = vec![0; WINDOW];
        let etag = transfer.resumable().map(str::to_owned);
        loop {
            let length = match response.body.read(&mut window) {
                Ok(0) => break,
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    return Ok(Received::Lost(Error::of(&error).cloned().unwrap_or_else(Error::interrupted)));
                }
            };
            *received = received.saturating_add(length as u64);
            let bytes = window.get(..length).unwrap_or_default();
            let is_wanted = transfer.push(bytes);
            storing.keep(bytes, &mut written);
            if !share.spend(length as u64) && written.is_ok() {
                return Ok(Received::Unaffordable);
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
        Ok(Received::Whole)
    }
}

/// The result of receiving a body.
enum Received {
    Whole,
    Lost(Error),
    Unaffordable,
}

/// The result of a transfer without a file.
fn outcome(ending: Ending, transfer: &Transfer<'_>) -> Transferred {
    match ending {
        Ending::Same => Transferred::Same,
        Ending::Failed(failure) => Transferred::Failed(failure),
        Ending::Deferred(seen) => Transferred::Deferred(seen),
        Ending::Again | Ending::Verified(_) => lost(transfer, &Error::interrupted()),
    }
}

/// The value of a header field that is there once.
fn only<'h>(mut values: impl Iterator<Item = &'h str>) -> Option<String> {
    let value = values.next()?;
    values.next().is_none().then(|| value.to_owned())
}

fn lost(transfer: &Transfer<'_>, error: &Error) -> Transferred {
    if error.kind == ErrorKind::Interrupted {
        return Transferred::Interrupted;
    }
    let is_transient = error.is_temporary() || error.kind == ErrorKind::Later;
    failed(transfer.failed(error.reason.clone(), is_transient))
}

fn failed(ending: Ending) -> Transferred {
    match ending {
        Ending::Failed(failure) => Transferred::Failed(failure),
        _ => Transferred::Interrupted,
    }
}
