//! The transfer of one resource: its requests, and the comparison of the response with the list.
//!
//! 1. [`Transfer::request`] is the request to send.
//! 2. [`Transfer::answer`] takes the head of the response; if the body is wanted, its bytes go to [`Transfer::push`], as they are sent.
//! 3. [`Transfer::end`] or [`Transfer::failed`] returns the outcome: start again at 1 after [`Ending::Again`].
//!
//! Where a server names gzip as the coding of the body and the list names none, the listed digests decide whether the bytes as they are sent or
//! the decoded ones are the resource; [`Fixity::is_coded`] says so once all is there.
//!
//! A body that is cut off continues where it ended if [`Transfer::cut`] returns true: the next request is for the rest of the same
//! version. [`Transfer::resume`] does the same with what an earlier run received. In both cases the whole body is compared with the list.

mod bytes;
mod messages;
#[cfg(test)]
mod tests;
mod verifier;

use alloc::{
    boxed::Box,
    string::{String, ToString},
};

use resourcesync::{
    codec::Gunzip,
    diagnostic::{Reason, ReasonCode},
    limits::Limits,
    value::{Hashes, http_date},
};

use crate::{
    listed_resource::ListedResource,
    report::{BytesFrom, ItemCode, Origin, Seen},
    stored_state::{StoredState, comparable},
};

use self::bytes::{Bytes, Compared, Decoded};
pub use self::{
    bytes::undecodable,
    messages::{Body, Ending, Failure, Fixity, Head, Request, Verified},
    verifier::{Unlisted, Verifier},
};

/// The transfer of one resource.
#[derive(Debug)]
pub struct Transfer<'a> {
    resource: &'a ListedResource,
    /// The local copy, for conditional requests.
    state: Option<&'a StoredState>,
    listed: Hashes,
    /// The bytes as they are sent.
    sent: Bytes,
    /// The decoded bytes, where they may be the resource.
    decoded: Option<Box<Decoded>>,
    inflate_ratio: u32,
    head: Head,
    tries: u32,
    accepts_newer: bool,
    /// Complete responses with other bytes than listed.
    mismatches: u32,
    /// The entity tag of the version whose first bytes are there.
    part: Option<String>,
    /// The size of the whole body, if it consists of several responses.
    size: Option<u64>,
}
impl<'a> Transfer<'a> {
    /// Creates the transfer of a listed resource, with the local copy if it may be up to date.
    pub fn new(resource: &'a ListedResource, state: Option<&'a StoredState>) -> Transfer<'a> {
        let state = state.filter(|state| state.has_validator());
        let (listed, sent, head) = (resource.hashes(), Bytes::default(), Head::default());
        Transfer {
            resource,
            state,
            listed,
            sent,
            decoded: None,
            inflate_ratio: Limits::default().inflate_ratio,
            head,
            tries: 0,
            accepts_newer: false,
            mismatches: 0,
            part: None,
            size: None,
        }
    }

    /// Bounds how many bytes a coded byte may decode to.
    #[must_use]
    pub fn inflating(mut self, ratio: u32) -> Transfer<'a> {
        self.inflate_ratio = ratio;
        self
    }

    /// Accepts bytes that differ from the list if the server reports that they are newer.
    #[must_use]
    pub fn accepting_newer(mut self) -> Transfer<'a> {
        self.accepts_newer = true;
        self
    }

    /// Continues a body of an earlier run, of the version with this entity tag; its bytes go to [`Transfer::push`] before the first request.
    /// Only a resource with a listed digest can be continued: the file may have been damaged meanwhile.
    pub fn resume(&mut self, etag: &str) -> bool {
        let is_possible = is_strong(etag) && self.listed.iter().next().is_some();
        if is_possible {
            self.restart();
            self.part = Some(etag.to_string());
        }
        is_possible
    }

    /// The URI of the last request, or of the first one.
    pub fn uri(&self) -> &str {
        self.memento().unwrap_or(&self.resource.loc)
    }

    /// The memento, once two responses of `loc` were other bytes: those that are listed may be kept there (DP-16).
    fn memento(&self) -> Option<&str> {
        self.listed_memento().filter(|_| self.mismatches > 1)
    }

    /// A memento outlasts the state of the resource that it has.
    fn listed_memento(&self) -> Option<&str> {
        self.resource.memento.as_deref().filter(|_| !self.resource.is_asked())
    }

    /// Where the bytes of the last response are from.
    pub fn origin(&self) -> Origin {
        self.memento().map_or(BytesFrom::Loc.into(), |memento| Origin::at(BytesFrom::Memento, memento))
    }

    /// Starts again from the first byte.
    pub fn restart(&mut self) {
        (self.part, self.size, self.decoded) = (None, None, None);
        self.sent = Bytes::new(&self.listed);
    }

    /// The entity tag of the version of the response, if the rest of its body can be requested later.
    pub fn resumable(&self) -> Option<&str> {
        let is_plain = coding(&self.head).is_empty();
        let is_body = matches!(self.head.status, 200 | 206) && is_plain && self.memento().is_none();
        self.head.etag.as_deref().or(self.part.as_deref()).filter(|etag| is_body && is_strong(etag))
    }

    /// Processes the end of a truncated body. True if the next request is for the rest; otherwise it starts again.
    pub fn cut(&mut self) -> bool {
        self.part = self.resumable().map(ToString::to_string);
        self.size = None;
        self.part.is_some()
    }

    /// The request to send next.
    pub fn request(&mut self) -> Request {
        self.tries = self.tries.saturating_add(1);
        let part = self.part.clone().filter(|_| self.sent.length > 0);
        if part.is_none() {
            self.restart();
        }
        let state = self.state.filter(|_| self.memento().is_none() && part.is_none());
        let validator = |own: fn(&StoredState) -> &Option<String>| state.and_then(|state| own(state).clone());
        let etag = validator(|state| &state.etag);
        Request {
            uri: self.uri().to_string(),
            accept_encoding: self.resource.encoding.clone().unwrap_or_else(|| "identity".to_string()),
            modified: validator(|state| &state.modified).filter(|_| etag.is_none()),
            etag,
            no_cache: self.tries > 1 && part.is_none(),
            rest: part.map(|etag| (self.sent.length, etag)),
        }
    }

    /// Processes the head of the response.
    pub fn answer(&mut self, head: Head) -> Body {
        let coding = coding(&head);
        let body = match (head.status, coding.as_str()) {
            (200 | 203, coding) if coding.is_empty() || is_gzip(coding) => Body::Store,
            // Only a list can tell that these bytes are the resource, as those of a file that has this coding itself.
            (200 | 203, _) if self.may_be_sent_as_listed() => Body::Store,
            (206, "") => match self.rest(&head) {
                None => Body::Ignore,
                size => {
                    self.size = size;
                    Body::Append
                }
            },
            _ => Body::Ignore,
        };
        match body {
            // It is another version, or the server sends no parts.
            Body::Store if self.part.is_some() => self.restart(),
            _ => {}
        }
        if body == Body::Store && is_gzip(&coding) && self.resource.encoding.is_none() {
            let (gunzip, bytes) = (Gunzip::new(self.inflate_ratio), Bytes::new(&self.listed));
            self.decoded = Some(Box::new(Decoded { gunzip, bytes, problem: None }));
        }
        self.head = head;
        body
    }

    /// True if the bytes of a coding that cannot be undone may be those of the list.
    fn may_be_sent_as_listed(&self) -> bool {
        self.resource.encoding.is_none() && (self.resource.length.is_some() || self.listed.iter().next().is_some())
    }

    /// The size of the whole body, if a response is all the rest of the version whose first bytes are there.
    fn rest(&self, head: &Head) -> Option<u64> {
        let part = self.part.as_ref()?;
        let (first, last, size) = content_range(head.content_range.as_deref()?)?;
        let is_listed = self.resource.length.is_none_or(|listed| listed == size);
        let is_same = head.etag.as_ref().is_none_or(|etag| etag == part);
        let is_rest = first == self.sent.length && first <= last && last.checked_add(1) == Some(size);
        (is_same && is_listed && is_rest).then_some(size)
    }

    /// Processes bytes of the body as sent. Returns false if the body is longer than allowed; the rest is not needed.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        self.sent.push(bytes);
        let is_coded = self.decoded.is_some();
        let may_be_decoded = self.decoded.as_mut().is_some_and(|decoded| {
            decoded.push(bytes);
            decoded.problem.is_none() && decoded.bytes.is_within(self.resource)
        });
        let may_be_sent = self.sent.is_within(self.resource) && (!is_coded || self.may_be_sent_as_listed());
        may_be_sent || may_be_decoded || self.takes_newer()
    }

    /// True if the second response is stored regardless of the list.
    fn takes_newer(&self) -> bool {
        self.accepts_newer && self.mismatches == 1 && self.is_newer()
    }

    /// Processes the end of the response.
    pub fn end(&mut self) -> Ending {
        let status = self.head.status;
        let failed = |code, reason, is_transient| {
            let (reason, seen) = (Some(reason), Seen::default());
            Ending::Failed(Failure { code, reason, seen, is_transient, is_unanswered: false })
        };
        let of_status = || Reason::new(ReasonCode::HttpStatus).arg("status", status);
        if matches!(status, 200 | 203 | 304) && self.tries == 1 && self.may_be_stale() {
            self.restart();
            return Ending::Again;
        }
        match status {
            200 | 203 => self.verify(),
            206 if self.size.is_some() => self.verify(),
            // The server has no rest of it: another version, or wrong ranges.
            206 | 412 | 416 if self.part.is_some() => {
                self.restart();
                Ending::Again
            }
            304 if self.state.is_some() => Ending::Same,
            404 | 410 => failed(ItemCode::Missing, of_status(), false),
            _ => failed(ItemCode::Unreadable, of_status(), matches!(status, 408 | 425 | 429 | 500..)),
        }
    }

    /// True if no digest could show that the response of a cache is older than what is listed, and it may be.
    fn may_be_stale(&self) -> bool {
        let Head { age, date, .. } = &self.head;
        let age = age.as_ref().and_then(|age| age.trim().parse::<i64>().ok()).filter(|age| *age > 0);
        let date = date.as_deref().and_then(http_date);
        let listed = self.resource.modified().map(|moment| moment.to_unix().0);
        let is_older = |(age, date): (i64, i64)| listed.is_some_and(|listed| date.saturating_sub(age) < listed);
        self.listed.iter().next().is_none() && age.zip(date).is_some_and(is_older)
    }

    /// Processes a missing response or a truncated body.
    pub fn failed(&self, reason: Reason, is_transient: bool) -> Ending {
        let (reason, seen) = (Some(reason), Seen::default());
        Ending::Failed(Failure { code: ItemCode::Unreadable, reason, seen, is_transient, is_unanswered: true })
    }

    /// Processes a body that cannot be decoded.
    pub fn undecoded(reason: Reason) -> Ending {
        let (reason, seen) = (Some(reason), Seen::default());
        Ending::Failed(Failure { code: ItemCode::Unreadable, reason, seen, is_transient: false, is_unanswered: false })
    }

    fn verify(&mut self) -> Ending {
        let coding = coding(&self.head);
        let is_gzip = is_gzip(&coding);
        let is_known = is_gzip || coding.is_empty();
        let unknown = || Reason::new(ReasonCode::ContentEncoding).arg("coding", coding.as_str());
        if !is_known && !self.may_be_sent_as_listed() {
            return Transfer::undecoded(unknown());
        }
        let sent = Compared::of(core::mem::take(&mut self.sent), self.resource, &self.listed);
        let decoded = match self.decoded.take() {
            Some(decoded) if !self.may_be_sent_as_listed() || sent.is_other() => match decoded.end(self.resource) {
                Ok(bytes) => Some(Compared::of(bytes, self.resource, &self.listed)),
                Err(problem) => return Transfer::undecoded(problem),
            },
            _ => None,
        };
        let (own, is_coded) = match decoded.filter(|decoded| !decoded.is_other() || self.takes_newer()) {
            Some(decoded) => (decoded, true),
            None => (sent, is_gzip && self.resource.encoding.is_some()),
        };
        if own.is_other() && !is_known {
            return Transfer::undecoded(unknown());
        }
        self.part = None;
        let is_misfit = self.size.is_some_and(|size| own.is_other() || size != own.length);
        if is_misfit {
            // Parts that do not fit together say nothing about the resource.
            self.restart();
            return Ending::Again;
        }
        if own.is_other() && !self.takes_newer() {
            return self.mismatch(&own);
        }
        let by = if own.is_other() { Verified::Nothing } else { Verified::by(self.resource) };
        let modified = comparable(self.head.modified.as_deref(), self.head.date.as_deref());
        let etag = self.head.etag.take();
        Ending::Verified(Fixity { length: own.length, hashes: own.hashes, is_coded, by, etag, modified })
    }

    /// Processes other bytes than those listed.
    fn mismatch(&mut self, own: &Compared) -> Ending {
        self.mismatches = self.mismatches.saturating_add(1);
        let has_memento = self.listed_memento().is_some() && self.listed.iter().next().is_some();
        if self.mismatches < if has_memento { 3 } else { 2 } {
            return Ending::Again;
        }
        // The rest of an oversized body was not read.
        let is_whole = self.resource.length.is_none_or(|listed| own.length <= listed);
        let hash = is_whole.then(|| own.hashes.to_string());
        let seen = Seen { hash, length: is_whole.then_some(own.length) };
        let code = if own.other_length { ItemCode::Length } else { ItemCode::Digest };
        match self.is_newer() {
            true => Ending::Deferred(seen),
            false => Ending::Failed(Failure { code, reason: None, seen, is_transient: true, is_unanswered: false }),
        }
    }

    /// True if the server reports a later modification than the list.
    fn is_newer(&self) -> bool {
        let served = self.head.modified.as_deref().and_then(http_date);
        let listed = self.resource.modified().map(|moment| moment.to_unix().0);
        served.zip(listed).is_some_and(|(served, listed)| served > listed)
    }
}

/// The content coding of a response, in lower case; empty for none.
fn coding(head: &Head) -> String {
    let coding = head.content_encoding.as_deref().unwrap_or("").trim_ascii().to_ascii_lowercase();
    if coding == "identity" { String::new() } else { coding }
}

/// True for the content coding that is undone.
pub fn is_gzip(coding: &str) -> bool {
    ["gzip", "x-gzip"].iter().any(|own| coding.trim_ascii().eq_ignore_ascii_case(own))
}

/// True for an entity tag that promises the same bytes.
fn is_strong(etag: &str) -> bool {
    etag.len() > 1 && etag.starts_with('"') && etag.ends_with('"')
}

/// The first and the last position of a `Content-Range`, and the size of the whole.
fn content_range(text: &str) -> Option<(u64, u64, u64)> {
    let (range, size) = text.trim_ascii().strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?;
    Some((number(first)?, number(last)?, number(size)?))
}
