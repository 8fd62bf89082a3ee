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

use alloc::{
    boxed::Box,
    string::{String, ToString},
};

use resourcesync::{
    codec::{Gunzip, GunzipError},
    diagnostic::{Reason, ReasonCode},
    fixity::Digester,
    limits::Limits,
    value::{Algorithm, Hashes, http_date},
};

use crate::{
    listed_resource::ListedResource,
    report::{ItemCode, Seen},
    stored_state::{StoredState, comparable},
};

/// A request for a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The URI.
    pub uri: String,
    /// The content codings to accept; the body must be passed on as sent.
    pub accept_encoding: String,
    /// The entity tag of the local copy, for `If-None-Match`.
    pub etag: Option<String>,
    /// The date of the local copy, for `If-Modified-Since`.
    pub modified: Option<String>,
    /// True to bypass caches (`Cache-Control: no-cache`).
    pub no_cache: bool,
    /// The bytes that are there already, and the entity tag of their version: `Range` from there on, with `If-Range`.
    pub rest: Option<(u64, String)>,
}

/// The head of a response.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// The status.
    pub status: u16,
    /// `ETag`.
    pub etag: Option<String>,
    /// `Last-Modified`.
    pub modified: Option<String>,
    /// `Date`.
    pub date: Option<String>,
    /// `Content-Encoding`.
    pub content_encoding: Option<String>,
    /// `Content-Range`.
    pub content_range: Option<String>,
}

/// What to do with the body of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// Store it as it is sent.
    Store,
    /// Store it after the bytes that are there already.
    Append,
    /// The body is not needed; continue with [`Transfer::end`].
    Ignore,
}

/// The outcome of a transfer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The stored bytes match the list.
    Verified(Fixity),
    /// The local copy is up to date.
    Same,
    /// One more request may help.
    Again,
    /// The resource is newer than the list; a later list will describe it.
    Deferred(Seen),
    /// It failed.
    Failed(Failure),
}

/// The evidence for a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixity {
    /// The number of bytes that were compared with the list.
    pub length: u64,
    /// All digests of these bytes: those listed, and SHA-256.
    pub hashes: Hashes,
    /// True if the bytes as they were sent are the gzip coding of the resource, to be undone before it is stored.
    pub is_coded: bool,
    /// The property that verified it.
    pub by: Verified,
    /// `ETag` of the response, if it can be compared.
    pub etag: Option<String>,
    /// `Last-Modified` of the response.
    pub modified: Option<String>,
}

/// The property that verified a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verified {
    /// A listed digest.
    Digest,
    /// The listed length.
    Length,
    /// Nothing is listed.
    Nothing,
}

/// The failure of a transfer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The code of the reason.
    pub code: ItemCode,
    /// The reason.
    pub reason: Option<Reason>,
    /// The actual property of the body.
    pub seen: Seen,
    /// True if the failure may be temporary.
    pub is_transient: bool,
    /// True if there was no response that says anything about the resource: the request is not allowed, exceeds a limit, or failed.
    pub is_unanswered: bool,
}

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

/// The bytes of a body, counted and hashed.
#[derive(Debug, Default)]
struct Bytes {
    digester: Digester,
    length: u64,
}

impl Bytes {
    fn new(listed: &Hashes) -> Bytes {
        let named = listed.iter().map(|hash| hash.algorithm.clone());
        Bytes { digester: Digester::new(named.chain([Algorithm::Sha256])), length: 0 }
    }

    fn push(&mut self, bytes: &[u8]) {
        self.length = self.length.saturating_add(bytes.len() as u64);
        self.digester.push(bytes);
    }

    /// True unless there are more than listed.
    fn is_within(&self, resource: &ListedResource) -> bool {
        resource.length.is_none_or(|listed| self.length <= listed)
    }
}

/// A body whose coding is being undone.
#[derive(Debug)]
struct Decoded {
    gunzip: Gunzip,
    bytes: Bytes,
    /// Why it cannot be decoded.
    problem: Option<Reason>,
}

impl Decoded {
    fn push(&mut self, bytes: &[u8]) {
        if self.problem.is_none() {
            let Decoded { gunzip, bytes: own, .. } = self;
            let pushed = gunzip.push(bytes, &mut |bytes| own.push(bytes));
            self.problem = pushed.err().map(undecodable);
        }
    }

    /// The decoded bytes; those of a body that was longer than listed, and not read to its end, are not whole.
    fn end(mut self, resource: &ListedResource) -> Result<Bytes, Reason> {
        let Decoded { gunzip, bytes, problem } = &mut self;
        if problem.is_none() && bytes.is_within(resource) {
            *problem = gunzip.finish(&mut |more| bytes.push(more)).err().map(undecodable);
        }
        self.problem.map_or(Ok(self.bytes), Err)
    }
}

/// Bytes compared with the list.
struct Compared {
    length: u64,
    hashes: Hashes,
    other_length: bool,
    other_digest: bool,
}

impl Compared {
    fn of(bytes: Bytes, resource: &ListedResource, listed: &Hashes) -> Compared {
        let other_length = resource.length.is_some_and(|length| length != bytes.length);
        let hashes = bytes.digester.finish();
        let other_digest = listed.iter().any(|hash| hashes.get(&hash.algorithm) != Some(&*hash.digest));
        Compared { length: bytes.length, hashes, other_length, other_digest }
    }

    fn is_other(&self) -> bool {
        self.other_length || self.other_digest
    }
}

/// The reason why a body cannot be decoded.
pub fn undecodable(error: GunzipError) -> Reason {
    Reason::new(ReasonCode::InvalidGzip).arg("problem", error.as_str())
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
        self.resource.memento.as_deref().filter(|_| self.mismatches > 1)
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
        let by = match (self.listed.iter().next(), self.resource.length) {
            _ if own.is_other() => Verified::Nothing,
            (Some(_), _) => Verified::Digest,
            (None, Some(_)) => Verified::Length,
            (None, None) => Verified::Nothing,
        };
        let modified = comparable(self.head.modified.as_deref(), self.head.date.as_deref());
        let etag = self.head.etag.take();
        Ending::Verified(Fixity { length: own.length, hashes: own.hashes, is_coded, by, etag, modified })
    }

    /// Processes other bytes than those listed.
    fn mismatch(&mut self, own: &Compared) -> Ending {
        self.mismatches = self.mismatches.saturating_add(1);
        let has_memento = self.resource.memento.is_some() && self.listed.iter().next().is_some();
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

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    /// The SHA-256 of `abc`.
    const ABC: &str = "sha-256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    fn resource(length: Option<u64>) -> ListedResource {
        let uri = "http://example.com/a".to_string();
        let lastmod = Some("2020-01-01T00:00:00Z".to_string());
        ListedResource {
            loc: uri.clone(),
            uri,
            lastmod,
            hash: Some(ABC.to_string()),
            length,
            ..ListedResource::default()
        }
    }

    fn ok(modified: Option<&str>) -> Head {
        Head { status: 200, modified: modified.map(ToString::to_string), ..Head::default() }
    }

    fn fetch(transfer: &mut Transfer<'_>, head: Head, body: &[u8]) -> Ending {
        transfer.request();
        if transfer.answer(head) != Body::Ignore {
            transfer.push(body);
        }
        transfer.end()
    }

    #[test]
    fn what_is_listed_is_verified_as_it_arrives() {
        let resource = resource(Some(3));
        let mut transfer = Transfer::new(&resource, None);
        assert_eq!(transfer.request().accept_encoding, "identity");
        assert_eq!(transfer.answer(ok(None)), Body::Store);
        assert!(transfer.push(b"a") && transfer.push(b"bc"));
        let Ending::Verified(fixity) = transfer.end() else { panic!("{transfer:?}") };
        assert_eq!((fixity.length, fixity.by, fixity.hashes.to_string().as_str()), (3, Verified::Digest, ABC));
    }

    #[test]
    fn other_bytes_are_fetched_once_more_and_then_given_up() {
        let resource = resource(None);
        let mut transfer = Transfer::new(&resource, None);
        assert_eq!(fetch(&mut transfer, ok(None), b"abd"), Ending::Again);
        assert!(transfer.request().no_cache);
        transfer.answer(ok(None));
        transfer.push(b"abd");
        let Ending::Failed(failure) = transfer.end() else { panic!("{transfer:?}") };
        assert_eq!((failure.code, failure.seen.length), (ItemCode::Digest, Some(3)));
    }

    #[test]
    fn the_listed_state_is_fetched_from_its_memento() {
        let memento = Some("http://example.com/a/2020".to_string());
        let resource = ListedResource { memento, ..resource(None) };
        let mut transfer = Transfer::new(&resource, None);
        for _ in 0..2 {
            assert_eq!(transfer.request().uri, resource.uri);
            transfer.answer(ok(None));
            transfer.push(b"abd");
            assert_eq!(transfer.end(), Ending::Again);
        }
        assert_eq!(Some(transfer.request().uri), resource.memento);
        transfer.answer(ok(None));
        transfer.push(b"abc");
        assert!(matches!(transfer.end(), Ending::Verified(_)));
    }

    #[test]
    fn other_bytes_of_a_later_time_are_deferred() {
        let resource = resource(None);
        for (modified, is_deferred) in
            [("Thu, 02 Jan 2020 00:00:00 GMT", true), ("Tue, 31 Dec 2019 00:00:00 GMT", false)]
        {
            let mut transfer = Transfer::new(&resource, None);
            fetch(&mut transfer, ok(Some(modified)), b"abd");
            let ending = fetch(&mut transfer, ok(Some(modified)), b"abd");
            assert_eq!(matches!(ending, Ending::Deferred(_)), is_deferred, "{modified}");
        }
    }

    #[test]
    fn newer_bytes_are_accepted_where_the_user_does_whatever_their_length() {
        let resource = resource(Some(2));
        let mut transfer = Transfer::new(&resource, None).accepting_newer();
        let newer = || ok(Some("Thu, 02 Jan 2020 00:00:00 GMT"));
        assert_eq!(fetch(&mut transfer, newer(), b"abcd"), Ending::Again);
        transfer.request();
        transfer.answer(newer());
        assert!(transfer.push(b"abc") && transfer.push(b"d"));
        let Ending::Verified(fixity) = transfer.end() else { panic!("{transfer:?}") };
        assert_eq!((fixity.by, fixity.length), (Verified::Nothing, 4));
        let mut transfer = Transfer::new(&resource, None).accepting_newer();
        let older = || ok(Some("Tue, 31 Dec 2019 00:00:00 GMT"));
        fetch(&mut transfer, older(), b"abcd");
        assert!(matches!(fetch(&mut transfer, older(), b"abcd"), Ending::Failed(_)));
    }

    #[test]
    fn a_body_ends_at_its_listed_length() {
        let resource = resource(Some(3));
        let mut transfer = Transfer::new(&resource, None);
        transfer.request();
        transfer.answer(ok(None));
        assert!(transfer.push(b"abc") && !transfer.push(b"d"));
        assert_eq!(transfer.end(), Ending::Again);
        let Ending::Failed(failure) = fetch(&mut transfer, ok(None), b"ab") else { panic!("{transfer:?}") };
        assert_eq!((failure.code, failure.seen.length), (ItemCode::Length, Some(2)));
    }

    #[test]
    fn the_server_may_say_that_nothing_changed_only_if_it_was_asked() {
        let state =
            StoredState { etag: Some("\"1\"".to_string()), modified: Some("x".to_string()), ..StoredState::default() };
        let resource = ListedResource { hash: None, ..resource(None) };
        let mut transfer = Transfer::new(&resource, Some(&state));
        let request = transfer.request();
        assert_eq!((request.etag.as_deref(), request.modified), (Some("\"1\""), None));
        transfer.answer(Head { status: 304, ..Head::default() });
        assert_eq!(transfer.end(), Ending::Same);
        let mut transfer = Transfer::new(&resource, None);
        assert!(matches!(fetch(&mut transfer, Head { status: 304, ..Head::default() }, b""), Ending::Failed(_)));
    }

    #[test]
    fn a_date_counts_only_if_its_second_was_over() {
        let date = |second: u32| format!("Thu, 02 Jan 2020 00:00:{second:02} GMT");
        let resource = resource(None);
        for (sent, is_kept) in [(Some(date(0)), false), (Some(date(1)), false), (Some(date(2)), true), (None, false)] {
            let mut transfer = Transfer::new(&resource, None);
            let head = Head { date: sent, ..ok(Some(&date(0))) };
            let Ending::Verified(fixity) = fetch(&mut transfer, head, b"abc") else { panic!("{transfer:?}") };
            assert_eq!(fixity.modified.is_some(), is_kept);
        }
    }

    #[test]
    fn a_listed_resource_that_is_gone_is_missing_and_that_does_not_pass() {
        let resource = resource(None);
        for (status, code, is_transient) in [
            (404, ItemCode::Missing, false),
            (410, ItemCode::Missing, false),
            (503, ItemCode::Unreadable, true),
            (403, ItemCode::Unreadable, false),
        ] {
            let ending = fetch(&mut Transfer::new(&resource, None), Head { status, ..Head::default() }, b"");
            let Ending::Failed(failure) = ending else { panic!("{status}") };
            assert_eq!((failure.code, failure.is_transient), (code, is_transient), "{status}");
        }
    }

    /// `abc` as gzip.
    const GZIP: &[u8] =
        &[31, 139, 8, 0, 0, 0, 0, 0, 0, 255, 1, 3, 0, 252, 255, 97, 98, 99, 0xc2, 0x41, 0x24, 0x35, 3, 0, 0, 0];

    fn coded(coding: &str) -> Head {
        Head { content_encoding: Some(coding.to_string()), ..ok(None) }
    }

    fn digest(bytes: &[u8]) -> String {
        let mut digester = Digester::new([Algorithm::Sha256]);
        digester.push(bytes);
        digester.finish().to_string()
    }

    #[test]
    fn the_listed_digest_decides_whether_a_coding_is_that_of_the_resource() {
        let sent = ListedResource { hash: Some(digest(GZIP)), ..resource(Some(GZIP.len() as u64)) };
        let length = ListedResource { hash: None, ..sent.clone() };
        let listed = ListedResource { encoding: Some("gzip".to_string()), ..sent.clone() };
        let (decoded, nothing) = (resource(Some(3)), ListedResource { hash: None, ..resource(None) });
        for (resource, is_coded, hash) in [
            (&sent, false, digest(GZIP)),
            (&length, false, digest(GZIP)),
            (&listed, true, digest(GZIP)),
            (&decoded, true, ABC.to_string()),
            (&nothing, true, ABC.to_string()),
        ] {
            let mut transfer = Transfer::new(resource, None);
            let Ending::Verified(fixity) = fetch(&mut transfer, coded("X-GZip"), GZIP) else { panic!("{resource:?}") };
            assert_eq!((fixity.is_coded, fixity.hashes.to_string()), (is_coded, hash), "{resource:?}");
        }
        // What is not gzip, although the server says so, may still be the resource.
        let plain = resource(Some(3));
        let Ending::Verified(fixity) = fetch(&mut Transfer::new(&plain, None), coded("gzip"), b"abc") else { panic!() };
        assert!(!fixity.is_coded);
        for resource in [ListedResource { hash: None, ..resource(None) }, resource(Some(4))] {
            let ending = fetch(&mut Transfer::new(&resource, None), coded("gzip"), b"abc");
            let reason = match ending {
                Ending::Failed(failure) => failure.reason,
                ending => panic!("{ending:?}"),
            };
            assert_eq!(reason.map(|reason| reason.code), Some(ReasonCode::InvalidGzip));
        }
    }

    #[test]
    fn a_coded_body_ends_where_neither_its_bytes_nor_the_decoded_ones_are_as_long_as_listed() {
        let own = resource(Some(2));
        let mut transfer = Transfer::new(&own, None);
        transfer.request();
        transfer.answer(coded("gzip"));
        // The first three decoded bytes are there before its end.
        assert!(transfer.push(&GZIP[..15]) && !transfer.push(&GZIP[15..18]));
        assert_eq!(transfer.end(), Ending::Again);
        let mut transfer = Transfer::new(&own, None).inflating(200);
        transfer.request();
        transfer.answer(coded("gzip"));
        assert!(transfer.push(b"a") && transfer.push(b"b") && !transfer.push(b"c"));
    }

    #[test]
    fn codings_that_are_not_undone_are_stored_only_if_their_bytes_are_listed() {
        let (listed, nothing) = (resource(None), ListedResource { hash: None, ..resource(None) });
        let ending = fetch(&mut Transfer::new(&listed, None), coded("x-compress"), b"abc");
        assert!(matches!(ending, Ending::Verified(Fixity { is_coded: false, .. })), "{ending:?}");
        for (resource, body) in [(&listed, b"abd"), (&nothing, b"abc")] {
            let ending = fetch(&mut Transfer::new(resource, None), coded("br"), body);
            let Ending::Failed(failure) = ending else { panic!("{ending:?}") };
            assert_eq!(failure.reason.map(|reason| reason.code), Some(ReasonCode::ContentEncoding));
        }
    }

    #[test]
    fn codings_are_requested_as_listed_and_others_are_not_stored() {
        let gzip = ListedResource { encoding: Some("gzip".to_string()), ..resource(None) };
        let mut transfer = Transfer::new(&gzip, None);
        assert_eq!(transfer.request().accept_encoding, "gzip");
        assert_eq!(transfer.answer(coded("GZIP")), Body::Store);
        assert_eq!(transfer.answer(coded("br")), Body::Ignore);
        assert!(matches!(transfer.end(), Ending::Failed(_)));
    }

    fn tagged(etag: &str) -> Head {
        Head { etag: Some(etag.to_string()), ..ok(None) }
    }

    fn part(etag: Option<&str>, range: &str) -> Head {
        let range = Some(range.to_string());
        Head { status: 206, etag: etag.map(ToString::to_string), content_range: range, ..Head::default() }
    }

    /// A transfer whose first response was cut off after a byte.
    fn cut(resource: &ListedResource) -> Transfer<'_> {
        let mut transfer = Transfer::new(resource, None);
        assert_eq!(transfer.request().rest, None);
        assert_eq!(transfer.answer(tagged("\"1\"")), Body::Store);
        transfer.push(b"a");
        assert!(transfer.cut());
        let request = transfer.request();
        assert_eq!((request.rest, request.no_cache), (Some((1, "\"1\"".to_string())), false));
        transfer
    }

    #[test]
    fn a_body_that_is_cut_off_continues_and_is_verified_as_a_whole() {
        for length in [None, Some(3)] {
            for etag in [None, Some("\"1\"")] {
                let resource = resource(length);
                let mut transfer = cut(&resource);
                assert_eq!(transfer.answer(part(etag, "bytes 1-2/3")), Body::Append);
                transfer.push(b"b");
                assert!(transfer.cut());
                assert_eq!(transfer.request().rest.map(|(from, _)| from), Some(2));
                assert_eq!(transfer.answer(part(etag, " bytes 2-2/3 ")), Body::Append);
                transfer.push(b"c");
                let Ending::Verified(fixity) = transfer.end() else { panic!("{transfer:?}") };
                assert_eq!((fixity.length, fixity.hashes.to_string().as_str()), (3, ABC));
            }
        }
    }

    #[test]
    fn a_part_of_another_version_or_range_is_not_appended() {
        let resource = resource(Some(3));
        for head in [
            part(Some("\"2\""), "bytes 1-2/3"),
            part(Some("W/\"1\""), "bytes 1-2/3"),
            part(None, "bytes 0-2/3"),
            part(None, "bytes 2-2/3"),
            part(None, "bytes 1-1/3"),
            part(None, "bytes 1-3/4"),
            part(None, "bytes 1-2/*"),
            part(None, "bytes 1-0/1"),
            part(None, "bytes +1-2/3"),
            part(None, "items 1-2/3"),
            Head { content_range: None, ..part(None, "") },
            Head { content_encoding: Some("gzip".to_string()), ..part(None, "bytes 1-2/3") },
            Head { status: 416, ..Head::default() },
            Head { status: 412, ..Head::default() },
        ] {
            let mut transfer = cut(&resource);
            assert_eq!(transfer.answer(head.clone()), Body::Ignore, "{head:?}");
            assert_eq!(transfer.end(), Ending::Again, "{head:?}");
            assert_eq!(transfer.request().rest, None);
            // Without a request for a part there is none.
            assert_eq!(transfer.answer(part(None, "bytes 1-2/3")), Body::Ignore);
            assert!(matches!(transfer.end(), Ending::Failed(_)));
        }
    }

    #[test]
    fn a_changed_version_starts_over() {
        let resource = resource(Some(3));
        let mut transfer = cut(&resource);
        assert_eq!(transfer.answer(tagged("\"2\"")), Body::Store);
        transfer.push(b"abc");
        assert!(matches!(transfer.end(), Ending::Verified(_)));
    }

    #[test]
    fn parts_that_do_not_fit_together_are_no_attempt() {
        let resource = resource(Some(3));
        let mut transfer = cut(&resource);
        assert_eq!(transfer.answer(part(None, "bytes 1-2/3")), Body::Append);
        transfer.push(b"xx");
        assert_eq!(transfer.end(), Ending::Again);
        assert_eq!(fetch(&mut transfer, ok(None), b"xxx"), Ending::Again);
        assert!(matches!(fetch(&mut transfer, ok(None), b"abc"), Ending::Verified(_)));
    }

    #[test]
    fn only_a_plain_body_with_a_strong_entity_tag_continues() {
        let resource = resource(None);
        for (head, is_resumed) in [
            (tagged("\"1\""), true),
            (tagged("W/\"1\""), false),
            (tagged("1"), false),
            (tagged("\""), false),
            (ok(None), false),
            (Head { content_encoding: Some("gzip".to_string()), ..tagged("\"1\"") }, false),
            (Head { status: 203, ..tagged("\"1\"") }, false),
        ] {
            let mut transfer = Transfer::new(&resource, None);
            transfer.request();
            transfer.answer(head.clone());
            transfer.push(b"a");
            assert_eq!(transfer.cut(), is_resumed, "{head:?}");
            assert_eq!(transfer.request().rest.is_some(), is_resumed, "{head:?}");
        }
    }

    #[test]
    fn bytes_of_an_earlier_run_continue_only_towards_a_digest() {
        let own = resource(None);
        let mut transfer = Transfer::new(&own, None);
        assert!(!transfer.resume("W/\"1\""));
        assert!(transfer.resume("\"1\""));
        transfer.push(b"ab");
        assert_eq!(transfer.request().rest, Some((2, "\"1\"".to_string())));
        assert_eq!(transfer.answer(part(None, "bytes 2-2/3")), Body::Append);
        transfer.push(b"c");
        assert!(matches!(transfer.end(), Ending::Verified(_)));
        let unlisted = ListedResource { hash: None, ..resource(Some(3)) };
        assert!(!Transfer::new(&unlisted, None).resume("\"1\""));
    }
}
