//! The transfer of one resource: its requests, and the comparison of the response with the list.
//!
//! 1. [`Transfer::request`] is the request to send.
//! 2. [`Transfer::answer`] takes the head of the response; if the body is wanted, its bytes go to [`Transfer::push`], as they are sent.
//! 3. [`Transfer::end`] or [`Transfer::failed`] returns the outcome: start again at 1 after [`Ending::Again`].
//!
//! A body that is cut off continues where it ended if [`Transfer::cut`] returns true: the next request is for the rest of the same
//! version. [`Transfer::resume`] does the same with what an earlier run received. In both cases the whole body is compared with the list.

use alloc::string::{String, ToString};

use resourcesync::{
    diagnostic::{Reason, ReasonCode},
    fixity::Digester,
    value::{Algorithm, Hashes, http_date},
};

use crate::{
    held::{Held, comparable},
    report::{ItemCode, Seen},
    wanted::Wanted,
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
    /// Store it, and undo gzip.
    Decode,
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
    /// Bytes, as they were sent.
    pub length: u64,
    /// All digests of the bytes as they were sent: those listed, or else SHA-256.
    pub hashes: Hashes,
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
}

/// The transfer of one resource.
#[derive(Debug)]
pub struct Transfer<'a> {
    wanted: &'a Wanted,
    /// The local copy, for conditional requests.
    held: Option<&'a Held>,
    listed: Hashes,
    digester: Digester,
    length: u64,
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
    pub fn new(wanted: &'a Wanted, held: Option<&'a Held>) -> Transfer<'a> {
        let held = held.filter(|held| held.has_validator());
        let (listed, digester, head) = (wanted.hashes(), Digester::default(), Head::default());
        Transfer {
            wanted,
            held,
            listed,
            digester,
            length: 0,
            head,
            tries: 0,
            accepts_newer: false,
            mismatches: 0,
            part: None,
            size: None,
        }
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
        self.memento().unwrap_or(&self.wanted.loc)
    }

    /// The memento, once two responses of `loc` were other bytes: those that are listed may be kept there (DP-16).
    fn memento(&self) -> Option<&str> {
        self.wanted.memento.as_deref().filter(|_| self.mismatches > 1)
    }

    /// Starts again from the first byte.
    pub fn restart(&mut self) {
        (self.length, self.part, self.size) = (0, None, None);
        let named = self.listed.iter().map(|hash| hash.algorithm.clone());
        self.digester = Digester::new(named.chain([Algorithm::Sha256]));
    }

    /// The entity tag of the version of the response, if the rest of its body can be requested later.
    pub fn resumable(&self) -> Option<&str> {
        let is_plain = matches!(coding(&self.head).as_str(), "" | "identity");
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
        let part = self.part.clone().filter(|_| self.length > 0);
        if part.is_none() {
            self.restart();
        }
        let held = self.held.filter(|_| self.memento().is_none() && part.is_none());
        let validator = |own: fn(&Held) -> &Option<String>| held.and_then(|held| own(held).clone());
        let etag = validator(|held| &held.etag);
        Request {
            uri: self.uri().to_string(),
            accept_encoding: self.wanted.encoding.clone().unwrap_or_else(|| "identity".to_string()),
            modified: validator(|held| &held.modified).filter(|_| etag.is_none()),
            etag,
            no_cache: self.tries > 1 && part.is_none(),
            rest: part.map(|etag| (self.length, etag)),
        }
    }

    /// Processes the head of the response.
    pub fn answer(&mut self, head: Head) -> Body {
        let body = match (head.status, coding(&head).as_str()) {
            (200 | 203, "" | "identity") => Body::Store,
            (200 | 203, "gzip" | "x-gzip") => Body::Decode,
            (206, "" | "identity") => match self.rest(&head) {
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
            Body::Store | Body::Decode if self.part.is_some() => self.restart(),
            _ => {}
        }
        self.head = head;
        body
    }

    /// The size of the whole body, if a response is all the rest of the version whose first bytes are there.
    fn rest(&self, head: &Head) -> Option<u64> {
        let part = self.part.as_ref()?;
        let (first, last, size) = content_range(head.content_range.as_deref()?)?;
        let is_listed = self.wanted.length.is_none_or(|listed| listed == size);
        let is_same = head.etag.as_ref().is_none_or(|etag| etag == part);
        let is_rest = first == self.length && first <= last && last.checked_add(1) == Some(size);
        (is_same && is_listed && is_rest).then_some(size)
    }

    /// Processes bytes of the body as sent. Returns false if the body is longer than allowed; the rest is not needed.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        self.length = self.length.saturating_add(bytes.len() as u64);
        self.digester.push(bytes);
        self.wanted.length.is_none_or(|listed| self.length <= listed) || self.takes_newer()
    }

    /// True if the second response is stored regardless of the list.
    fn takes_newer(&self) -> bool {
        self.accepts_newer && self.mismatches == 1 && self.is_newer()
    }

    /// Processes the end of the response.
    pub fn end(&mut self) -> Ending {
        let status = self.head.status;
        let failed = |code, reason, is_transient| {
            Ending::Failed(Failure { code, reason: Some(reason), seen: Seen::default(), is_transient })
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
            304 if self.held.is_some() => Ending::Same,
            404 | 410 => failed(ItemCode::Missing, of_status(), false),
            _ => failed(ItemCode::Unreadable, of_status(), matches!(status, 408 | 425 | 429 | 500..)),
        }
    }

    /// Processes a missing response or a truncated body.
    pub fn failed(&self, reason: Reason, is_transient: bool) -> Ending {
        Ending::Failed(Failure {
            code: ItemCode::Unreadable,
            reason: Some(reason),
            seen: Seen::default(),
            is_transient,
        })
    }

    fn verify(&mut self) -> Ending {
        let coding = coding(&self.head);
        if !["identity", "", "gzip", "x-gzip"].contains(&coding.as_str()) {
            let reason = Reason::new(ReasonCode::ContentEncoding).arg("coding", coding);
            return self.failed(reason, false);
        }
        let hashes = core::mem::take(&mut self.digester).finish();
        let other_length = self.wanted.length.is_some_and(|listed| listed != self.length);
        let other_digest = self.listed.iter().any(|hash| hashes.get(&hash.algorithm) != Some(&*hash.digest));
        let is_other = other_length || other_digest;
        self.part = None;
        let is_misfit = self.size.is_some_and(|size| is_other || size != self.length);
        if is_misfit {
            // Parts that do not fit together say nothing about the resource.
            self.restart();
            return Ending::Again;
        }
        if is_other && !self.takes_newer() {
            self.mismatches = self.mismatches.saturating_add(1);
            let has_memento = self.wanted.memento.is_some() && self.listed.iter().next().is_some();
            if self.mismatches < if has_memento { 3 } else { 2 } {
                return Ending::Again;
            }
            // The rest of an oversized body was not read.
            let is_whole = self.wanted.length.is_none_or(|listed| self.length <= listed);
            let hash = is_whole.then(|| hashes.to_string());
            let seen = Seen { hash, length: is_whole.then_some(self.length) };
            let code = if other_length { ItemCode::Length } else { ItemCode::Digest };
            return match self.is_newer() {
                true => Ending::Deferred(seen),
                false => Ending::Failed(Failure { code, reason: None, seen, is_transient: true }),
            };
        }
        let by = match (self.listed.iter().next(), self.wanted.length) {
            _ if is_other => Verified::Nothing,
            (Some(_), _) => Verified::Digest,
            (None, Some(_)) => Verified::Length,
            (None, None) => Verified::Nothing,
        };
        let modified = comparable(self.head.modified.as_deref(), self.head.date.as_deref());
        let etag = self.head.etag.take();
        Ending::Verified(Fixity { length: self.length, hashes, by, etag, modified })
    }

    /// True if the server reports a later modification than the list.
    fn is_newer(&self) -> bool {
        let served = self.head.modified.as_deref().and_then(http_date);
        let listed = self.wanted.modified().map(|moment| moment.to_unix().0);
        served.zip(listed).is_some_and(|(served, listed)| served > listed)
    }
}

/// The content coding of a response, in lower case.
fn coding(head: &Head) -> String {
    head.content_encoding.as_deref().unwrap_or("").trim_ascii().to_ascii_lowercase()
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

    fn wanted(length: Option<u64>) -> Wanted {
        let uri = "http://example.com/a".to_string();
        let lastmod = Some("2020-01-01T00:00:00Z".to_string());
        Wanted { loc: uri.clone(), uri, lastmod, hash: Some(ABC.to_string()), length, ..Wanted::default() }
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
        let wanted = wanted(Some(3));
        let mut transfer = Transfer::new(&wanted, None);
        assert_eq!(transfer.request().accept_encoding, "identity");
        assert_eq!(transfer.answer(ok(None)), Body::Store);
        assert!(transfer.push(b"a") && transfer.push(b"bc"));
        let Ending::Verified(fixity) = transfer.end() else { panic!("{transfer:?}") };
        assert_eq!((fixity.length, fixity.by, fixity.hashes.to_string().as_str()), (3, Verified::Digest, ABC));
    }

    #[test]
    fn other_bytes_are_fetched_once_more_and_then_given_up() {
        let wanted = wanted(None);
        let mut transfer = Transfer::new(&wanted, None);
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
        let wanted = Wanted { memento, ..wanted(None) };
        let mut transfer = Transfer::new(&wanted, None);
        for _ in 0..2 {
            assert_eq!(transfer.request().uri, wanted.uri);
            transfer.answer(ok(None));
            transfer.push(b"abd");
            assert_eq!(transfer.end(), Ending::Again);
        }
        assert_eq!(Some(transfer.request().uri), wanted.memento);
        transfer.answer(ok(None));
        transfer.push(b"abc");
        assert!(matches!(transfer.end(), Ending::Verified(_)));
    }

    #[test]
    fn other_bytes_of_a_later_time_are_deferred() {
        let wanted = wanted(None);
        for (modified, is_deferred) in
            [("Thu, 02 Jan 2020 00:00:00 GMT", true), ("Tue, 31 Dec 2019 00:00:00 GMT", false)]
        {
            let mut transfer = Transfer::new(&wanted, None);
            fetch(&mut transfer, ok(Some(modified)), b"abd");
            let ending = fetch(&mut transfer, ok(Some(modified)), b"abd");
            assert_eq!(matches!(ending, Ending::Deferred(_)), is_deferred, "{modified}");
        }
    }

    #[test]
    fn newer_bytes_are_accepted_where_the_user_does_whatever_their_length() {
        let wanted = wanted(Some(2));
        let mut transfer = Transfer::new(&wanted, None).accepting_newer();
        let newer = || ok(Some("Thu, 02 Jan 2020 00:00:00 GMT"));
        assert_eq!(fetch(&mut transfer, newer(), b"abcd"), Ending::Again);
        transfer.request();
        transfer.answer(newer());
        assert!(transfer.push(b"abc") && transfer.push(b"d"));
        let Ending::Verified(fixity) = transfer.end() else { panic!("{transfer:?}") };
        assert_eq!((fixity.by, fixity.length), (Verified::Nothing, 4));
        let mut transfer = Transfer::new(&wanted, None).accepting_newer();
        let older = || ok(Some("Tue, 31 Dec 2019 00:00:00 GMT"));
        fetch(&mut transfer, older(), b"abcd");
        assert!(matches!(fetch(&mut transfer, older(), b"abcd"), Ending::Failed(_)));
    }

    #[test]
    fn a_body_ends_at_its_listed_length() {
        let wanted = wanted(Some(3));
        let mut transfer = Transfer::new(&wanted, None);
        transfer.request();
        transfer.answer(ok(None));
        assert!(transfer.push(b"abc") && !transfer.push(b"d"));
        assert_eq!(transfer.end(), Ending::Again);
        let Ending::Failed(failure) = fetch(&mut transfer, ok(None), b"ab") else { panic!("{transfer:?}") };
        assert_eq!((failure.code, failure.seen.length), (ItemCode::Length, Some(2)));
    }

    #[test]
    fn the_server_may_say_that_nothing_changed_only_if_it_was_asked() {
        let held = Held { etag: Some("\"1\"".to_string()), modified: Some("x".to_string()), ..Held::default() };
        let wanted = Wanted { hash: None, ..wanted(None) };
        let mut transfer = Transfer::new(&wanted, Some(&held));
        let request = transfer.request();
        assert_eq!((request.etag.as_deref(), request.modified), (Some("\"1\""), None));
        transfer.answer(Head { status: 304, ..Head::default() });
        assert_eq!(transfer.end(), Ending::Same);
        let mut transfer = Transfer::new(&wanted, None);
        assert!(matches!(fetch(&mut transfer, Head { status: 304, ..Head::default() }, b""), Ending::Failed(_)));
    }

    #[test]
    fn a_date_counts_only_if_its_second_was_over() {
        let date = |second: u32| format!("Thu, 02 Jan 2020 00:00:{second:02} GMT");
        let wanted = wanted(None);
        for (sent, is_kept) in [(Some(date(0)), false), (Some(date(1)), false), (Some(date(2)), true), (None, false)] {
            let mut transfer = Transfer::new(&wanted, None);
            let head = Head { date: sent, ..ok(Some(&date(0))) };
            let Ending::Verified(fixity) = fetch(&mut transfer, head, b"abc") else { panic!("{transfer:?}") };
            assert_eq!(fixity.modified.is_some(), is_kept);
        }
    }

    #[test]
    fn a_listed_resource_that_is_gone_is_missing_and_that_does_not_pass() {
        let wanted = wanted(None);
        for (status, code, is_transient) in [
            (404, ItemCode::Missing, false),
            (410, ItemCode::Missing, false),
            (503, ItemCode::Unreadable, true),
            (403, ItemCode::Unreadable, false),
        ] {
            let ending = fetch(&mut Transfer::new(&wanted, None), Head { status, ..Head::default() }, b"");
            let Ending::Failed(failure) = ending else { panic!("{status}") };
            assert_eq!((failure.code, failure.is_transient), (code, is_transient), "{status}");
        }
    }

    #[test]
    fn codings_are_requested_as_listed_and_others_are_not_stored() {
        let gzip = Wanted { encoding: Some("gzip".to_string()), ..wanted(None) };
        let mut transfer = Transfer::new(&gzip, None);
        assert_eq!(transfer.request().accept_encoding, "gzip");
        let coded = |coding: &str| Head { content_encoding: Some(coding.to_string()), ..ok(None) };
        assert_eq!(transfer.answer(coded("GZIP")), Body::Decode);
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
    fn cut(wanted: &Wanted) -> Transfer<'_> {
        let mut transfer = Transfer::new(wanted, None);
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
                let wanted = wanted(length);
                let mut transfer = cut(&wanted);
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
        let wanted = wanted(Some(3));
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
            let mut transfer = cut(&wanted);
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
        let wanted = wanted(Some(3));
        let mut transfer = cut(&wanted);
        assert_eq!(transfer.answer(tagged("\"2\"")), Body::Store);
        transfer.push(b"abc");
        assert!(matches!(transfer.end(), Ending::Verified(_)));
    }

    #[test]
    fn parts_that_do_not_fit_together_are_no_attempt() {
        let wanted = wanted(Some(3));
        let mut transfer = cut(&wanted);
        assert_eq!(transfer.answer(part(None, "bytes 1-2/3")), Body::Append);
        transfer.push(b"xx");
        assert_eq!(transfer.end(), Ending::Again);
        assert_eq!(fetch(&mut transfer, ok(None), b"xxx"), Ending::Again);
        assert!(matches!(fetch(&mut transfer, ok(None), b"abc"), Ending::Verified(_)));
    }

    #[test]
    fn only_a_plain_body_with_a_strong_entity_tag_continues() {
        let wanted = wanted(None);
        for (head, is_resumed) in [
            (tagged("\"1\""), true),
            (tagged("W/\"1\""), false),
            (tagged("1"), false),
            (tagged("\""), false),
            (ok(None), false),
            (Head { content_encoding: Some("gzip".to_string()), ..tagged("\"1\"") }, false),
            (Head { status: 203, ..tagged("\"1\"") }, false),
        ] {
            let mut transfer = Transfer::new(&wanted, None);
            transfer.request();
            transfer.answer(head.clone());
            transfer.push(b"a");
            assert_eq!(transfer.cut(), is_resumed, "{head:?}");
            assert_eq!(transfer.request().rest.is_some(), is_resumed, "{head:?}");
        }
    }

    #[test]
    fn bytes_of_an_earlier_run_continue_only_towards_a_digest() {
        let own = wanted(None);
        let mut transfer = Transfer::new(&own, None);
        assert!(!transfer.resume("W/\"1\""));
        assert!(transfer.resume("\"1\""));
        transfer.push(b"ab");
        assert_eq!(transfer.request().rest, Some((2, "\"1\"".to_string())));
        assert_eq!(transfer.answer(part(None, "bytes 2-2/3")), Body::Append);
        transfer.push(b"c");
        assert!(matches!(transfer.end(), Ending::Verified(_)));
        let unlisted = Wanted { hash: None, ..wanted(Some(3)) };
        assert!(!Transfer::new(&unlisted, None).resume("\"1\""));
    }
}
