//! Validates one input from pushed bytes.

use alloc::{borrow::Cow, boxed::Box, string::String, sync::Arc, vec::Vec};

use super::{
    Options,
    gunzip::{Gunzip, Problem},
    looks::{self, Looks},
    options,
};
use crate::{
    diagnostic::{Finding, Severity, Sink},
    model::Kind,
    read::{Read, Reader},
    report::{self, Checked, Collector, Diagnostic, Excerpt, Via},
    rules::{Checker, Code, Context, Item, Members, Packages},
    set::{Memo, Notes, Sampling},
    span::{Place, Span},
    xml::{Cut, FaultKind, HISTORY},
};

/// Where an input comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The name to report it by.
    pub name: String,
    /// Its URI, where one is known.
    pub uri: Option<String>,
    /// How it came to be looked at.
    pub via: Via,
}

impl Source {
    /// An input that the user named.
    pub fn named(name: impl Into<String>) -> Source {
        Source { name: name.into(), uri: None, via: Via::Argument }
    }
}

/// What became of one input.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Where it came from.
    pub source: Source,
    /// What it is.
    pub kind: Kind,
    /// Entries read.
    pub entries: u64,
    /// Unpacked bytes read.
    pub bytes: u64,
    /// True if it was not checked to its end.
    pub incomplete: bool,
    /// Why it should be passed over when found in a folder.
    pub foreign: Option<&'static str>,
    /// What was found.
    pub checked: Checked,
    /// What became of the documents inside.
    pub inside: Vec<Outcome>,
    /// What a walk remembers of it.
    pub(crate) memo: Option<Box<Memo>>,
}

/// One input being validated.
///
/// Push bytes in windows of any size, then finish. Any way of cutting the bytes gives the same outcome.
#[derive(Debug)]
pub struct Validation<'a> {
    /// How far gzip may grow.
    ratio: u32,
    source: Source,
    state: State,
    /// The first bytes, until there are enough to tell what they are.
    head: Vec<u8>,
    document: Document<'a>,
}

#[derive(Debug)]
enum State {
    /// Waiting for enough bytes.
    Head,
    Plain,
    Packed(Box<Gunzip>),
    /// Nothing more can be learned.
    Done,
}

impl<'a> Validation<'a> {
    /// At the beginning of an input.
    pub fn new(options: &'a Options, source: Source) -> Validation<'a> {
        Validation::with(Cow::Borrowed(options), source, None, None)
    }

    /// The same with options of its own, for callers that keep it where nothing can be borrowed.
    pub fn owning(options: Options, source: Source) -> Validation<'static> {
        Validation::with(Cow::Owned(options), source, None, None)
    }

    /// At the beginning of a document that may be a dump, with the packages that were given together with it.
    pub fn beside(options: &'a Options, source: Source, packages: Arc<Packages>) -> Validation<'a> {
        Validation::with(Cow::Borrowed(options), source, None, Some(packages))
    }

    /// The same with options of its own.
    pub fn owning_beside(options: Options, source: Source, packages: Arc<Packages>) -> Validation<'static> {
        Validation::with(Cow::Owned(options), source, None, Some(packages))
    }

    /// At the beginning of the manifest of a package.
    pub(super) fn inside(options: Cow<'a, Options>, source: Source, members: Arc<dyn Members>) -> Validation<'a> {
        Validation::with(options, source, Some(members), None)
    }

    fn with(
        options: Cow<'a, Options>,
        source: Source,
        members: Option<Arc<dyn Members>>,
        packages: Option<Arc<Packages>>,
    ) -> Validation<'a> {
        let context = Context {
            // What is expected of a package is not expected of its manifest.
            expect: options.expect.filter(|_| members.is_none()),
            // Where nobody said that it is a ResourceSync document, it need not be one.
            plain_sitemap: matches!(source.via, Via::Folder | Via::Discovery),
            limits: options.limits.clone(),
            members,
            packages,
        };
        let (ratio, max_per_rule) = (options.limits.inflate_ratio, options.max_per_rule);
        let document = Document {
            reader: Reader::new(&options.limits),
            checker: Checker::new(context),
            collector: Collector::of(options::selection(options), max_per_rule),
            waiting: Vec::new(),
            diagnostics: Vec::new(),
            root: None,
            head: Vec::new(),
            begun: false,
            kind: None,
            foreign: None,
            encoding: Encoding::Silent,
            incomplete: false,
            stopped: false,
            unpacked: false,
            is_tarball: looks::is_tarball(&source.name),
            notes: None,
        };
        Validation { ratio, source, state: State::Head, head: Vec::new(), document }
    }

    /// At the beginning of an input, with options that are borrowed or its own.
    pub(super) fn of(options: Cow<'a, Options>, source: Source) -> Validation<'a> {
        Validation::with(options, source, None, None)
    }

    /// Takes notes for a walk over a whole Source.
    #[must_use]
    pub(super) fn noting(mut self, sampling: Sampling) -> Validation<'a> {
        self.document.notes = Some(Box::new(Notes::new(sampling)));
        self
    }

    /// Takes the next window.
    pub fn push(&mut self, bytes: &[u8]) {
        let bytes = match self.state {
            State::Head => gather(&mut self.head, bytes),
            _ => bytes,
        };
        if self.head.len() >= looks::HEAD {
            self.begin();
        }
        self.feed(bytes);
    }

    fn begin(&mut self) {
        let head = core::mem::take(&mut self.head);
        self.state = match looks::like(&head) {
            Looks::Gzip => State::Packed(Box::new(Gunzip::new(self.ratio))),
            _ => State::Plain,
        };
        self.feed(&head);
    }

    fn feed(&mut self, bytes: &[u8]) {
        let document = &mut self.document;
        match &mut self.state {
            State::Head | State::Done => {}
            State::Plain => document.push(bytes),
            State::Packed(gunzip) => {
                document.unpacked = true;
                if let Err(problem) = gunzip.push(bytes, &mut |unpacked| document.push(unpacked)) {
                    document.broken(problem, self.ratio);
                    self.state = State::Done;
                }
            }
        }
    }

    /// Entries read so far.
    pub fn entries(&self) -> u64 {
        self.document.checker.entries()
    }

    /// How often each code was found so far.
    pub fn counts(&self) -> impl Iterator<Item = (Code, Severity, u64)> {
        self.document.collector.counts()
    }

    /// What was found so far, in the order found, as far as its surroundings were read.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.document.diagnostics
    }

    /// Says that no more bytes will come.
    pub fn finish(mut self) -> Outcome {
        if let State::Head = self.state {
            self.begin();
        }
        let document = &mut self.document;
        if let State::Packed(gunzip) = &mut self.state
            && let Err(problem) = gunzip.finish(&mut |unpacked| document.push(unpacked))
        {
            document.broken(problem, self.ratio);
        }
        self.document.finish();
        self.outcome()
    }

    /// Says that the rest of the input cannot be read, and why.
    pub fn unreadable(mut self, reason: &str) -> Outcome {
        self.document.collector.found(Finding::new(Code::INP_01).arg("reason", reason));
        self.document.stop();
        self.outcome()
    }

    /// Says that the user interrupted the run.
    pub fn interrupted(mut self) -> Outcome {
        self.document.collector.found(Finding::new(Code::INP_04));
        self.document.stop();
        self.outcome()
    }

    fn outcome(mut self) -> Outcome {
        self.document.settle(true);
        let Document { reader, checker, collector, diagnostics, kind, foreign, incomplete, notes, .. } = self.document;
        Outcome {
            source: self.source,
            kind: kind.unwrap_or(checker.kind()),
            entries: checker.entries(),
            bytes: reader.position().offset,
            incomplete: incomplete || collector.is_limited(),
            foreign,
            checked: collector.finish(diagnostics),
            inside: Vec::new(),
            memo: notes.map(|notes| Box::new(notes.finish())),
        }
    }
}

/// What is known of an encoding other than UTF-8.
#[derive(Debug, Default)]
enum Encoding {
    #[default]
    Silent,
    /// Noticed, and to be told with the next item.
    Noted(Box<Finding>),
    /// Told.
    Told,
}

impl Encoding {
    fn tell(&mut self) -> Option<Box<Finding>> {
        match core::mem::take(self) {
            Encoding::Silent => None,
            Encoding::Noted(finding) => {
                *self = Encoding::Told;
                Some(finding)
            }
            Encoding::Told => {
                *self = Encoding::Told;
                None
            }
        }
    }
}

/// The unpacked document.
#[derive(Debug)]
struct Document<'a> {
    reader: Reader,
    checker: Checker,
    collector: Collector<'a>,
    /// Findings whose surroundings are not all there yet.
    waiting: Vec<(Finding, Severity)>,
    diagnostics: Vec<Diagnostic>,
    /// The root's start tag and its surroundings: findings at the end point back to it.
    root: Option<(Span, Option<Excerpt>)>,
    /// The first unpacked bytes, until there are enough to tell what they are.
    head: Vec<u8>,
    /// True once they were looked at.
    begun: bool,
    /// What it is, where it is no document.
    kind: Option<Kind>,
    foreign: Option<&'static str>,
    encoding: Encoding,
    incomplete: bool,
    /// Nothing more is read.
    stopped: bool,
    /// True where the bytes come out of gzip.
    unpacked: bool,
    /// True where the name is that of an archive that was packed again.
    is_tarball: bool,
    /// What a walk over a whole Source will want to know.
    notes: Option<Box<Notes>>,
}

impl Document<'_> {
    fn push(&mut self, bytes: &[u8]) {
        if self.stopped {
            // A fault's surroundings may still be on their way.
            self.reader.push(bytes);
            self.settle(false);
            return;
        }
        if self.begun {
            return self.read(bytes);
        }
        let rest = gather(&mut self.head, bytes);
        if self.head.len() >= looks::HEAD {
            self.begin();
            self.push(rest);
        }
    }

    /// Looks at the first bytes, then reads them.
    fn begin(&mut self) {
        self.begun = true;
        let head = core::mem::take(&mut self.head);
        let other = match looks::like(&head) {
            Looks::Xml => None,
            Looks::Gzip => Some(("gzip inside gzip", Kind::Unknown)),
            Looks::Other(words, kind) => Some((words, kind)),
        };
        if let Some((words, kind)) = other {
            self.kind = Some(if self.is_tarball && kind != Kind::Html { Kind::Package } else { kind });
            self.foreign = Some(words);
            // A package of another kind is no fault; that it cannot be verified has to be said.
            let is_archive = kind == Kind::Package || self.is_tarball && kind != Kind::Html;
            let code = if is_archive && words != looks::ZIP { Code::PKG_17 } else { Code::INP_02 };
            self.collector.found(Finding::new(code).arg("looks", words));
            self.stop();
            return;
        }
        if head.starts_with(b"\xef\xbb\xbf") {
            let start = Place { offset: 0, line: 1, column: 1 };
            let end = Place { offset: 3, ..start };
            self.collector.found(Finding::new(Code::ADV_11).at(Span::new(start, end)));
        }
        self.read(&head);
    }

    fn read(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() && !self.stopped {
            let taken = self.reader.push(rest);
            rest = rest.get(taken..).unwrap_or(&[]);
            self.drain();
        }
        if self.stopped && !rest.is_empty() {
            self.push(rest);
        }
    }

    fn drain(&mut self) {
        while let Some(read) = self.reader.next() {
            match read {
                Read::Item(item) => {
                    if let Some(finding) = self.encoding.tell() {
                        self.collector.found(*finding);
                    }
                    if let Item::Root(root) = item {
                        self.root = Some((root.span, None));
                        if root.shape.is_none() {
                            self.foreign = Some("XML of another vocabulary");
                        }
                    }
                    if let Some(notes) = &mut self.notes {
                        notes.take(item);
                    }
                    self.checker.take(item, &mut self.collector);
                }
                Read::Encoding(note, span) => {
                    self.encoding = Encoding::Noted(Box::new(report::encoding_finding(&note, span)));
                }
                Read::Fault(fault) => {
                    // An encoding is one fact, whether it is named, met, or both.
                    match (matches!(fault.kind, FaultKind::Encoding(_)), core::mem::take(&mut self.encoding)) {
                        (true, Encoding::Told) => {}
                        (false, Encoding::Noted(finding)) => {
                            self.collector.found(*finding);
                            self.collector.found(report::fault_finding(&fault));
                        }
                        _ => self.collector.found(report::fault_finding(&fault)),
                    }
                    self.stopped = true;
                    self.incomplete = true;
                }
            }
            self.sort_fresh();
        }
        self.settle(false);
    }

    /// Puts aside what was just found, with its surroundings if they are near enough to be had whatever the windows.
    fn sort_fresh(&mut self) {
        let position = self.reader.position().offset;
        for (finding, severity) in self.collector.take_fresh() {
            let near = finding.span.is_some_and(|span| position.saturating_sub(span.start.offset) <= HISTORY as u64);
            let at_root = self.is_root(&finding);
            if near || at_root {
                self.waiting.push((finding, severity));
            } else {
                self.diagnostics.push(report::diagnostic(&finding, severity, None));
            }
        }
    }

    fn is_root(&self, finding: &Finding) -> bool {
        let start = finding.span.map(|span| span.start.offset);
        start.is_some() && start == self.root.as_ref().map(|(span, _)| span.start.offset)
    }

    /// Cuts out the surroundings of waiting findings, as far as they are there.
    fn settle(&mut self, last: bool) {
        self.sort_fresh();
        if last {
            self.reader.finish();
        }
        if let Some((span, excerpt @ None)) = &mut self.root {
            *excerpt = ready(self.reader.excerpt(span));
        }
        if let Some(notes) = &mut self.notes {
            notes.settle(last, &|span| self.reader.excerpt(span));
        }
        let waiting = core::mem::take(&mut self.waiting);
        for (finding, severity) in waiting {
            let own = self.root.as_ref().filter(|_| self.is_root(&finding)).and_then(|(_, excerpt)| excerpt.clone());
            let cut = match (own, finding.span) {
                (Some(excerpt), _) => Some(Some(excerpt)),
                (None, Some(span)) => match self.reader.excerpt(&span) {
                    Cut::Wait if !last => None,
                    cut => Some(ready(cut)),
                },
                (None, None) => Some(None),
            };
            match cut {
                Some(excerpt) => self.diagnostics.push(report::diagnostic(&finding, severity, excerpt)),
                None => self.waiting.push((finding, severity)),
            }
        }
    }

    fn broken(&mut self, problem: Problem, ratio: u32) {
        // A fault in the text that did come out says it already.
        if !self.stopped {
            self.flush();
            self.collector.found(if problem == Problem::Ratio {
                Finding::new(Code::LIM_11).arg("limit", ratio)
            } else {
                Finding::new(Code::INP_03).arg("problem", problem.as_str())
            });
        }
        self.stop();
    }

    fn flush(&mut self) {
        if !self.begun {
            self.begin();
        }
    }

    fn stop(&mut self) {
        self.stopped = true;
        self.incomplete = true;
        self.sort_fresh();
    }

    fn finish(&mut self) {
        if self.stopped {
            return;
        }
        self.flush();
        if !self.stopped {
            self.reader.finish();
            self.drain();
        }
    }
}

/// Fills up the first bytes of an input; gives back what is beyond them.
fn gather<'b>(head: &mut Vec<u8>, bytes: &'b [u8]) -> &'b [u8] {
    let wanted = looks::HEAD.saturating_sub(head.len()).min(bytes.len());
    let (own, rest) = bytes.split_at_checked(wanted).unwrap_or((bytes, &[]));
    head.extend_from_slice(own);
    rest
}

fn ready(cut: Cut) -> Option<Excerpt> {
    match cut {
        Cut::Ready(excerpt) => Some(excerpt.into()),
        Cut::Wait | Cut::Gone => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_can_be_seen_while_it_is_found() {
        let list = br#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
            <rs:md capability="resourcelist"/><url></url><url></url>"#;
        let mut validation = Validation::owning(Options::default(), Source::named("list.xml"));
        validation.push(list);
        validation.push(&[b' '; 1000]);
        assert_eq!(validation.entries(), 2);
        let counted: u64 = validation.counts().map(|(.., count)| count).sum();
        assert!(counted > 0 && counted >= validation.diagnostics().len() as u64);
        let seen = validation.diagnostics().to_vec();
        let all = validation.finish().checked.diagnostics;
        assert!(!seen.is_empty() && seen.iter().all(|diagnostic| all.contains(diagnostic)));
    }
}
