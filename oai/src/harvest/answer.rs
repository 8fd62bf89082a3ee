//! Reads the response to one call, independent of the state machine.

use alloc::{boxed::Box, collections::BTreeSet, string::String, sync::Arc, vec::Vec};
use core::fmt;

use resourcesync::{
    value::{http_date, retry_after},
    xml::{Fault, FaultKind, LimitKind},
};
use sha2::{Digest, Sha256};

use super::{ids::Key, notes::Notes, task::Task};
use crate::{
    catalogue::Code,
    limits::{Limits, PageLimit},
    note::Note,
    page::{
        Cut, Damaged, Ending, Head, Header, Identify, MetadataFormat, OaiError, PageReader, Piece, Repair, Sniffed,
        SniffedKind, Token,
    },
    request::Verb,
    stamp::{Datestamp, Stamp},
};

/// The head of a response.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResponseHead {
    /// The HTTP status.
    pub status: u16,
    /// `Content-Type`
    pub content_type: Option<String>,
    /// `Content-Encoding`
    pub content_encoding: Option<String>,
    /// `Retry-After`
    pub retry_after: Option<String>,
    /// `Date`
    pub date: Option<String>,
    /// The redirects: the status and target of each.
    pub redirects: Vec<(u16, String)>,
}

/// Reads the response to one call.
///
/// [`push`](Answer::push) bytes as they arrive, and take pieces with [`next`](Answer::next) until there are none;
/// at the end call [`finish`](Answer::finish), take the rest, and pass [`into_answered`](Answer::into_answered) to
/// the state machine.
pub struct Answer {
    reader: PageReader,
    facts: Answered,
    digest: Sha256,
    /// The digest of the body, if the caller computed it.
    hashed: Option<[u8; 32]>,
    context: Context,
}

/// The context of a response.
pub(super) struct Context {
    pub(super) call: u64,
    pub(super) task: Task,
    /// True for the first page of its list.
    pub(super) is_first: bool,
    pub(super) key: Key,
    /// The declared `earliestDatestamp`.
    pub(super) earliest: Option<Stamp>,
    /// True if the repository declares that it reports deletions.
    pub(super) announces_deletions: bool,
    /// All sets, if those of headers are to be checked.
    pub(super) sets: Option<Arc<BTreeSet<String>>>,
    pub(super) repair: Repair,
    pub(super) page_bytes: u64,
    pub(super) token_bytes: u32,
    /// Seconds since 1970.
    pub(super) now: i64,
}

/// The result of a response, to be passed to the state machine unchanged.
#[derive(Debug)]
pub struct Answered {
    pub(super) call: u64,
    pub(super) head: ResponseHead,
    /// Seconds to wait, as requested by the server.
    pub(super) retry_after: Option<u64>,
    pub(super) page: Head,
    pub(super) errors: Vec<OaiError>,
    pub(super) token: Option<Token>,
    pub(super) identify: Option<Box<Identify>>,
    pub(super) formats: Vec<MetadataFormat>,
    pub(super) sets: Vec<String>,
    /// The number of records, headers, sets or formats, including damaged ones.
    pub(super) items: u64,
    pub(super) deleted: u64,
    /// Damaged records that were not repaired, those that were, and the bytes of both.
    pub(super) damaged: u64,
    pub(super) repaired: u64,
    pub(super) damaged_bytes: u64,
    /// Damaged records without a readable identifier.
    pub(super) unnamed: u64,
    /// Hashes of the identifiers, in order.
    pub(super) identifiers: Vec<u64>,
    /// Hashes of the identifiers of what was delivered and does not belong to the list.
    pub(super) outside: Vec<u64>,
    /// Those of them that are in other sets.
    pub(super) outside_set: Notes,
    /// Headers with and without sets, in a list by set.
    pub(super) with_set: u64,
    pub(super) without_set: u64,
    /// The digest of identifiers and datestamps, in order.
    pub(super) content: [u8; 16],
    pub(super) latest: Option<Stamp>,
    /// The only record of `GetRecord`.
    pub(super) record: Option<Header>,
    pub(super) ending: Option<Ending>,
    /// The exceeded limit, if any.
    pub(super) limit: Option<Note>,
    /// What stands where it is not read: a record or a token.
    pub(super) lost: Option<Note>,
    pub(super) notes: Notes,
}

impl Answer {
    pub(super) fn new(context: Context, head: ResponseHead, limits: &Limits) -> Answer {
        let reader = PageReader::with_charset(limits, head.charset());
        let retry_after = head.wait(context.now);
        let facts = Answered {
            call: context.call,
            head,
            retry_after,
            page: Head::default(),
            errors: Vec::new(),
            token: None,
            identify: None,
            formats: Vec::new(),
            sets: Vec::new(),
            items: 0,
            deleted: 0,
            damaged: 0,
            repaired: 0,
            damaged_bytes: 0,
            unnamed: 0,
            identifiers: Vec::new(),
            outside: Vec::new(),
            outside_set: Notes::default(),
            with_set: 0,
            without_set: 0,
            content: [0; 16],
            latest: None,
            record: None,
            ending: None,
            limit: None,
            lost: None,
            notes: Notes::default(),
        };
        Answer { reader, facts, digest: Sha256::new(), hashed: None, context }
    }

    /// Reads the next bytes of the body, after decoding transfer and declared content codings.
    pub fn push(&mut self, bytes: &[u8]) {
        self.reader.push(bytes);
    }

    /// Leaves the SHA-256 of the body to the caller, who passes it to [`hashed`](Answer::hashed).
    pub(super) fn hash_elsewhere(&mut self) {
        self.reader.hash_elsewhere();
    }

    /// The SHA-256 of the bytes that were pushed.
    pub(super) fn hashed(&mut self, sha256: [u8; 32]) {
        self.hashed = Some(sha256);
    }

    /// Ends the input, because it is complete or because the connection was lost.
    pub fn finish(&mut self) {
        self.reader.finish();
    }

    /// The next piece; `None` if more bytes are needed, or at the end.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Option<Piece> {
        loop {
            let mut piece = self.reader.next()?;
            if let Piece::Damaged(damaged) = &mut piece {
                damaged.repaired = damaged.repair(self.context.repair).map(Box::new);
            }
            if self.observe(&piece) {
                return Some(piece);
            }
        }
    }

    /// The original encoding of the page, if not UTF-8.
    pub fn transcoded(&self) -> Option<&'static str> {
        self.reader.transcoded()
    }

    /// True if the page is complete, after [`Answer::finish`] and all pieces: a connection lost later does not matter.
    pub fn is_whole(&self) -> bool {
        matches!(self.facts.ending, Some(Ending::Whole { .. }))
    }

    /// True if further bytes make no difference: the response is not a page, or cannot be read further.
    pub fn is_over(&self) -> bool {
        self.facts.ending.is_some()
    }

    /// The result, once all pieces were taken.
    pub fn into_answered(mut self) -> Box<Answered> {
        while self.next().is_some() {}
        let digest = self.digest.finalize();
        self.facts.content.copy_from_slice(digest.get(..16).unwrap_or(&[0; 16]));
        if let (Some(Ending::Whole { sha256, .. }), Some(hashed)) = (&mut self.facts.ending, self.hashed) {
            *sha256 = hashed;
        }
        Box::new(self.facts)
    }

    /// Records a piece. False if it is outside of the requested range, which was extended.
    fn observe(&mut self, piece: &Piece) -> bool {
        match piece {
            Piece::Head(head) => {
                self.check_echo(head);
                self.facts.page = head.clone();
            }
            Piece::Identify(identify) => self.facts.identify = Some(identify.clone()),
            Piece::MetadataFormat(format) => {
                self.facts.items = self.facts.items.saturating_add(1);
                self.facts.formats.push(format.clone());
            }
            Piece::Set(set) => {
                self.facts.sets.extend(set.spec.clone());
                self.item(set.spec.as_deref().unwrap_or_default(), None);
            }
            Piece::Header(header) => return self.header(header),
            Piece::Record(record) => return self.header(&record.header),
            Piece::Damaged(damaged) => return self.damaged(damaged),
            // An empty one after it does not end the list.
            Piece::Token(token) => match &self.facts.token {
                Some(first) if !first.value.is_empty() => {}
                _ => self.facts.token = Some(token.clone()),
            },
            Piece::Error(error) => self.facts.errors.push(error.clone()),
            Piece::Note(note) => {
                if note.loses() {
                    self.facts.lost.get_or_insert_with(|| note.clone());
                }
                self.facts.notes.add(note);
            }
            Piece::End(ending) => {
                self.facts.ending = Some(ending.clone());
                if let Ending::Cut(cut) = ending {
                    self.facts.limit = self.limit(cut);
                }
                if let Ending::NotOai(Sniffed { kind, first_line }) = ending
                    && *kind != SniffedKind::Empty
                    // An HTTP error may have any body.
                    && self.facts.head.status < 300
                {
                    let note = Note::new(Code::OAI_01).arg("kind", kind.as_str()).arg("line", first_line.as_str());
                    self.facts.notes.add(&note);
                }
            }
        }
        true
    }

    fn item(&mut self, identifier: &str, datestamp: Option<&Datestamp>) {
        self.facts.items = self.facts.items.saturating_add(1);
        self.facts.identifiers.push(self.context.key.of(identifier));
        // A later run has another key and must recognise the page.
        self.digest.update((identifier.len() as u64).to_le_bytes());
        self.digest.update(identifier.as_bytes());
        self.digest.update(datestamp.map_or(&[][..], |stamp| stamp.text.as_bytes()));
    }

    fn header(&mut self, header: &Header) -> bool {
        let stamp = header.datestamp.as_ref().and_then(|stamp| stamp.stamp);
        let note = |code: Code| Note::new(code).of(&header.identifier);
        if let Some(wanted) = self.context.task.identifier.as_ref().filter(|wanted| **wanted != header.identifier) {
            let note = Note::new(Code::OAI_44).arg("identifier", wanted.as_str());
            self.facts.notes.add(&note.arg("value", header.identifier.as_str()));
            return false;
        }
        if let (Some(stamp), Some(written)) = (stamp, &header.datestamp) {
            if self.context.task.drops_next_day() && self.context.task.excludes(stamp) {
                self.facts.outside.push(self.context.key.of(&header.identifier));
                return false;
            }
            if self.context.task.excludes(stamp) {
                self.facts.notes.add(&note(Code::OAI_30).arg("value", written.text.as_str()));
            }
            if self.context.earliest.is_some_and(|earliest| stamp.last_second() < earliest.unix()) {
                self.facts.notes.add(&note(Code::OAI_18).arg("value", written.text.as_str()));
            }
            self.facts.latest = self.facts.latest.into_iter().chain([stamp]).max_by_key(|stamp| stamp.unix());
        }
        if let Some(set) = self.context.task.set.as_deref() {
            let count = if header.sets.is_empty() { &mut self.facts.without_set } else { &mut self.facts.with_set };
            *count = count.saturating_add(1);
            if !header.sets.is_empty() && !header.is_in(set) {
                self.facts.outside.push(self.context.key.of(&header.identifier));
                self.facts.outside_set.add(&note(Code::OAI_33).arg("set", set));
                return false;
            }
        }
        if let Some(known) = &self.context.sets {
            for set in header.sets.iter().filter(|set| !known.contains(*set)) {
                self.facts.notes.add(&note(Code::OAI_35).arg("set", set.as_str()));
            }
        }
        if header.is_deleted {
            self.facts.deleted = self.facts.deleted.saturating_add(1);
            if !self.context.announces_deletions {
                self.facts.notes.add(&note(Code::OAI_38));
            }
        }
        self.item(&header.identifier, header.datestamp.as_ref());
        if self.context.task.verb == Verb::GetRecord {
            self.facts.record = Some(header.clone());
        }
        true
    }

    /// The limit that ended a page, if one did.
    fn limit(&self, cut: &Cut) -> Option<Note> {
        match cut {
            Cut::Fault(Fault { kind: FaultKind::Limit(LimitKind::DocumentBytes), .. }) => {
                Some(Note::new(Code::LIM_40).arg("limit", self.context.page_bytes))
            }
            Cut::Limit(PageLimit::TokenBytes) => {
                Some(Note::new(Code::LIM_46).arg("limit", u64::from(self.context.token_bytes)))
            }
            _ => None,
        }
    }

    fn damaged(&mut self, damaged: &Damaged) -> bool {
        let bytes = damaged.raw.len() as u64;
        if let Some(repaired) = &damaged.repaired {
            let is_kept = self.header(&repaired.record.header);
            if is_kept {
                self.facts.repaired = self.facts.repaired.saturating_add(1);
                self.facts.damaged_bytes = self.facts.damaged_bytes.saturating_add(bytes);
            }
            return is_kept;
        }
        let identifier = damaged.identifier.as_deref().unwrap_or_default();
        self.facts.items = self.facts.items.saturating_add(1);
        // Records without an identifier are not the same record.
        match identifier.is_empty() {
            true => self.facts.unnamed = self.facts.unnamed.saturating_add(1),
            false => self.facts.identifiers.push(self.context.key.of(identifier)),
        }
        self.digest.update(&*damaged.raw);
        self.facts.damaged = self.facts.damaged.saturating_add(1);
        self.facts.damaged_bytes = self.facts.damaged_bytes.saturating_add(bytes);
        let Some(limit) = damaged.why.limit() else { return true };
        let note = Note::new(limit);
        self.facts.notes.add(&if identifier.is_empty() { note } else { note.of(identifier) });
        true
    }

    /// Compares the arguments with those that were sent.
    fn check_echo(&mut self, head: &Head) {
        if head.base_url.is_none() {
            self.facts.notes.add(&Note::new(Code::OAI_07).arg("argument", "baseURL").arg("value", "").arg("sent", ""));
        }
        if !self.context.is_first {
            return;
        }
        let sent = self.context.task.request();
        for (name, value) in head.arguments.iter().filter(|(name, _)| name != "verb") {
            let own = sent.argument(name);
            if own != Some(value.as_str()) {
                let note = Note::new(Code::OAI_07).arg("argument", name.as_str()).arg("value", value.as_str());
                self.facts.notes.add(&note.arg("sent", own.unwrap_or_default()));
            }
        }
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer").field("call", &self.facts.call).finish_non_exhaustive()
    }
}

impl ResponseHead {
    /// The `charset` of the `Content-Type`.
    pub(crate) fn charset(&self) -> Option<&str> {
        let parameters = self.content_type.as_deref()?.split(';').skip(1);
        let mut named = parameters.filter_map(|parameter| parameter.split_once('='));
        let (_, value) = named.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
        Some(value.trim().trim_matches('"'))
    }

    /// Seconds to wait, as the server requested. A date is relative to its own clock, if it sends its time.
    pub(crate) fn wait(&self, now: i64) -> Option<u64> {
        let now = self.date.as_deref().and_then(http_date).unwrap_or(now);
        retry_after(self.retry_after.as_deref()?, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_charset_is_read_from_the_content_type() {
        let charset = |content_type: &str| {
            let head = ResponseHead { content_type: Some(content_type.into()), ..ResponseHead::default() };
            head.charset().map(String::from)
        };
        assert_eq!(charset("text/xml; charset=UTF-8").as_deref(), Some("UTF-8"));
        assert_eq!(charset("text/xml;x=y; Charset = \"latin1\"").as_deref(), Some("latin1"));
        assert_eq!(charset("text/xml"), None);
    }
}
