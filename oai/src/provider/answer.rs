//! Reads one response of a check.

use alloc::{boxed::Box, collections::BTreeSet, string::String, sync::Arc, vec::Vec};
use core::fmt;

use resourcesync::report::FamilyFindings;

use super::{CheckPlan, family};
use crate::{
    catalogue::Code,
    harvest::ResponseHead,
    note::Note,
    page::{
        Ending, ErrorCode, Head, Header, Identify, MetadataFormat, OaiError, PageReader, Piece, Sniffed, SniffedKind,
        Token,
    },
    rules,
    stamp::{Granularity, Stamp},
};

/// Headers of a response that are kept to be compared with others.
const KEPT: usize = 1_000;

/// What is known when a response is read. Nothing is, for a response from a file.
#[derive(Debug, Default)]
pub(super) struct Context {
    pub(super) call: u64,
    /// The URL of the repository, for the response to `Identify`.
    pub(super) base_url: Option<String>,
    /// The arguments that the response must repeat.
    pub(super) sent: Option<Vec<(String, String)>>,
    /// True for a response that is checked as a whole: to an invalid request, or to POST.
    pub(super) is_checked_whole: bool,
    /// True for a request that differs from an earlier one in nothing that its content depends on.
    pub(super) is_repeated: bool,
    /// Whether only `identity` was accepted.
    pub(super) identity: Option<bool>,
    pub(super) granularity: Option<Granularity>,
    pub(super) earliest: Option<Stamp>,
    pub(super) announces_deletions: Option<bool>,
    pub(super) sets: Option<Arc<BTreeSet<String>>>,
    /// The namespace that is declared for the format.
    pub(super) namespace: Option<String>,
    pub(super) from: Option<Stamp>,
    pub(super) until: Option<Stamp>,
    pub(super) set: Option<String>,
    pub(super) identifier: Option<String>,
    pub(super) now: i64,
}

/// Reads the response to one call.
///
/// [`push`](Answer::push) bytes as they arrive, until [`is_over`](Answer::is_over) is true, then call [`finish`](Answer::finish) and
/// pass the [`Reply`] on.
pub struct Answer {
    reader: PageReader,
    pub(super) context: Context,
    pub(super) reply: Reply,
    pub(super) page_bytes: u64,
    pub(super) token_bytes: u32,
}

/// The result of a response, to be passed to the state machine unchanged.
#[derive(Debug)]
pub struct Reply {
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
    /// The first headers of the page.
    pub(super) headers: Vec<Header>,
    /// Records, headers, sets or formats, including damaged ones.
    pub(super) items: u64,
    pub(super) bytes: u64,
    pub(super) ending: Option<Ending>,
    pub(super) findings: FamilyFindings,
}

impl Answer {
    pub(super) fn new(context: Context, head: ResponseHead, plan: &CheckPlan) -> Answer {
        let reply = Reply {
            call: context.call,
            retry_after: head.wait(context.now),
            page: Head::default(),
            errors: Vec::new(),
            token: None,
            identify: None,
            formats: Vec::new(),
            sets: Vec::new(),
            headers: Vec::new(),
            items: 0,
            bytes: 0,
            ending: None,
            findings: FamilyFindings::new(family(), &plan.selection, plan.max_per_rule),
            head,
        };
        Answer {
            reader: PageReader::with_charset(&plan.limits, reply.head.charset()),
            context,
            reply,
            page_bytes: plan.limits.oai_page_bytes,
            token_bytes: plan.limits.oai_token_bytes,
        }
    }

    /// Reads the next bytes of the body, after decoding transfer and declared content codings.
    pub fn push(&mut self, bytes: &[u8]) {
        self.reply.bytes = self.reply.bytes.saturating_add(bytes.len() as u64);
        self.reader.push(bytes);
        self.take();
    }

    /// True if further bytes make no difference.
    pub fn is_over(&self) -> bool {
        self.reply.ending.is_some()
    }

    /// Ends the input, and returns the result.
    pub fn finish(mut self) -> Box<Reply> {
        self.reader.finish();
        self.take();
        self.end();
        Box::new(self.reply)
    }

    /// The result of a request without a response.
    pub(super) fn unanswered(self) -> Box<Reply> {
        Box::new(self.reply)
    }

    /// True if the page is complete: a connection that is lost later does not matter.
    pub fn is_whole(&self) -> bool {
        self.reader.is_whole()
    }

    fn take(&mut self) {
        while let Some(piece) = self.reader.next() {
            self.observe(piece);
        }
    }

    fn observe(&mut self, piece: Piece) {
        match piece {
            Piece::Head(head) => self.reply.page = head,
            Piece::Identify(identify) => {
                for note in rules::identify(&identify, self.context.base_url.as_deref()) {
                    self.found(note);
                }
                for note in rules::admin_emails(&identify) {
                    self.found(note);
                }
                self.reply.identify = Some(identify);
            }
            Piece::MetadataFormat(format) => {
                self.reply.items = self.reply.items.saturating_add(1);
                self.format(&format);
                if self.reply.formats.len() < KEPT {
                    self.reply.formats.push(format);
                }
            }
            Piece::Set(set) => {
                self.reply.items = self.reply.items.saturating_add(1);
                self.set(&set);
                if self.reply.sets.len() < KEPT * 10 {
                    self.reply.sets.extend(set.spec);
                }
            }
            Piece::Header(header) => self.item(header),
            Piece::Record(record) => {
                if let Some(metadata) = &record.metadata {
                    self.metadata(&record.header, metadata);
                }
                self.item(record.header);
            }
            Piece::Damaged(damaged) => {
                if let Some(limit) = damaged.why.limit() {
                    let note = Note::new(limit).at(damaged.span);
                    self.found(match &damaged.identifier {
                        Some(identifier) => note.of(identifier),
                        None => note,
                    });
                }
                self.reply.items = self.reply.items.saturating_add(1);
            }
            Piece::Token(token) => self.reply.token = Some(token),
            Piece::Error(error) if self.reply.errors.len() < KEPT => self.reply.errors.push(error),
            Piece::Error(_) => {}
            Piece::Note(note) => self.found(note),
            Piece::End(ending) => self.reply.ending = Some(ending),
        }
    }

    fn item(&mut self, header: Header) {
        self.header(&header);
        self.reply.items = self.reply.items.saturating_add(1);
        if self.reply.headers.len() < KEPT {
            self.reply.headers.push(header);
        }
    }

    /// Adds a finding; one about a record is about the next item.
    pub(super) fn found(&mut self, note: Note) {
        // The content was checked before, and is compared with that.
        if self.context.is_repeated && !is_about_response(note.code) {
            return;
        }
        let index = self.reply.items.saturating_add(1);
        self.reply.findings.add(&family::finding(note, Some(index)));
    }
}

impl Reply {
    /// True for a whole OAI-PMH document.
    pub(super) fn is_page(&self) -> bool {
        matches!(self.ending, Some(Ending::Whole { .. }))
    }

    /// True for an error of the protocol with this code.
    pub(super) fn has(&self, code: &ErrorCode) -> bool {
        self.errors.iter().any(|error| error.code == *code)
    }

    /// What the response is, in a word: the verb, the codes of errors, the HTTP status, or the type of the body.
    pub(super) fn word(&self) -> String {
        match (&self.ending, self.page.verb) {
            (Some(Ending::Whole { .. }), Some(verb)) => verb.as_str().into(),
            (Some(Ending::Whole { .. }), None) => {
                let codes: Vec<&str> = self.errors.iter().take(5).map(|error| error.code.as_str()).collect();
                codes.join(", ")
            }
            _ if self.head.status >= 300 => alloc::format!("HTTP {}", self.head.status),
            (Some(Ending::NotOai(Sniffed { kind, .. })), _) if *kind != SniffedKind::Empty => kind.as_str().into(),
            _ => String::new(),
        }
    }

    /// Identifiers and datestamps, for comparing pages.
    pub(super) fn content(&self) -> impl Iterator<Item = (&str, &str)> {
        self.headers.iter().map(|header| {
            let stamp = header.datestamp.as_ref().map_or("", |stamp| stamp.text.as_str());
            (header.identifier.as_str(), stamp)
        })
    }
}

/// True for rules about the response, as opposed to those about its content.
fn is_about_response(code: Code) -> bool {
    let page = [
        Code::OAI_01,
        Code::OAI_02,
        Code::OAI_03,
        Code::OAI_05,
        Code::OAI_06,
        Code::OAI_07,
        Code::OAI_08,
        Code::OAI_19,
    ];
    page.contains(&code) || (Code::OAI_51..=Code::OAI_58).contains(&code)
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer").field("call", &self.reply.call).finish_non_exhaustive()
    }
}
