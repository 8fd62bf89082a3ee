//! Checks the decompressed document of one input.

use alloc::{boxed::Box, vec::Vec};

use crate::{
    codec::GunzipError,
    diagnostic::{Code, Finding, Reason, ReasonCode, Severity, Sink},
    model::{Item, Kind, SITEMAP},
    read::{ReadEvent, Reader, Unpacked, encoding_finding, fault_finding, sniff::ZIP},
    report::{self, Collector, Diagnostic, Excerpt},
    rules::Checker,
    span::{Place, Span},
    validate::Observer,
    xml::{Cut, Detail, FaultKind, HISTORY},
};

/// The state of reporting an encoding other than UTF-8.
#[derive(Debug, Default)]
enum Encoding {
    #[default]
    Silent,
    /// Detected, to be reported with the next item.
    Noted(Box<Finding>),
    /// Reported.
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

/// The decompressed document.
#[derive(Debug)]
pub(super) struct Document<'a> {
    pub(super) reader: Reader,
    pub(super) checker: Checker,
    pub(super) collector: Collector<'a>,
    /// Findings whose excerpt is not available yet.
    waiting: Vec<(Finding, Severity)>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The root's start tag and its excerpt, for findings at the end of the document.
    root: Option<(Span, Option<Excerpt>)>,
    /// The detected kind, if it is not a document.
    pub(super) kind: Option<Kind>,
    pub(super) foreign: Option<Reason>,
    /// The reason if reading ended at a fault in the bytes.
    fault: Option<ReasonCode>,
    /// True until the first byte.
    is_empty: bool,
    /// True for a sitemap with another namespace than that of the standard.
    is_other_sitemap: bool,
    /// True if a plain sitemap is legal where the user named the document and no kind.
    pub(super) allows_plain_sitemap: bool,
    encoding: Encoding,
    pub(super) incomplete: bool,
    /// Nothing more is read.
    stopped: bool,
    /// The maximum ratio of gzip.
    ratio: u32,
    /// True if the name is that of a compressed archive.
    is_tarball: bool,
    /// Of the hashes of the summary.
    pub(super) seed: u64,
    /// Summarizes the document for the checks across documents.
    pub(super) observer: Option<Box<dyn Observer>>,
}

impl<'a> Document<'a> {
    /// Starts a document.
    pub(super) fn new(
        reader: Reader,
        checker: Checker,
        collector: Collector<'a>,
        ratio: u32,
        is_tarball: bool,
        seed: u64,
    ) -> Document<'a> {
        Document {
            reader,
            checker,
            collector,
            waiting: Vec::new(),
            diagnostics: Vec::new(),
            root: None,
            kind: None,
            foreign: None,
            fault: None,
            is_empty: true,
            is_other_sitemap: false,
            allows_plain_sitemap: false,
            encoding: Encoding::Silent,
            incomplete: false,
            stopped: false,
            ratio,
            is_tarball,
            seed,
            observer: None,
        }
    }
}

impl Unpacked for Document<'_> {
    fn begin(&mut self, head: &[u8], other: Option<(&'static str, Kind)>) {
        if let Some((looks, kind)) = other {
            self.kind = Some(if self.is_tarball && kind != Kind::Html { Kind::Package } else { kind });
            self.foreign = Some(Reason::new(ReasonCode::Format).arg("looks", looks));
            // Another package format is not an error, but must be reported as not verified.
            let is_archive = kind == Kind::Package || self.is_tarball && kind != Kind::Html;
            let code = if is_archive && looks != ZIP { Code::PKG_17 } else { Code::INP_02 };
            self.collector.found(Finding::new(code).arg("looks", looks));
            self.stop();
        } else if head.starts_with(b"\xef\xbb\xbf") {
            let start = Place { offset: 0, line: 1, column: 1 };
            let end = Place { offset: 3, ..start };
            self.collector.found(Finding::new(Code::ADV_11).at(Span::new(start, end)));
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        self.is_empty &= bytes.is_empty();
        for window in Reader::windows(bytes) {
            // The excerpt of a fault may need further bytes.
            if self.stopped && self.waiting.is_empty() {
                return;
            }
            self.reader.push(window);
            if self.stopped {
                self.settle(false);
            } else {
                self.drain();
            }
        }
    }

    fn broken(&mut self, error: GunzipError) {
        self.read_rest();
        // A fault in the decompressed bytes was already reported.
        if !self.stopped {
            self.collector.found(match error {
                GunzipError::Ratio => Finding::new(Code::LIM_11).arg("limit", self.ratio),
                _ => Finding::new(Code::INP_03).arg("problem", error.as_str()),
            });
        }
        self.fault.get_or_insert(ReasonCode::Unclaimed);
        self.stop();
    }
}

impl Document<'_> {
    /// False once more bytes change nothing.
    pub(super) fn wants_more(&self) -> bool {
        !self.stopped || !self.waiting.is_empty()
    }

    /// False once it is certain that this is not a ResourceSync document; only known if it is summarized.
    pub(super) fn may_be_resource_sync(&self) -> bool {
        let is_over = self.stopped || self.foreign.is_some();
        !is_over || self.observer.as_ref().is_none_or(|observer| observer.is_resource_sync())
    }

    fn drain(&mut self) {
        while let Some((read, shape)) = self.reader.next_shaped() {
            match read {
                ReadEvent::Item(item) => {
                    if let Some(finding) = self.encoding.tell() {
                        self.collector.found(*finding);
                    }
                    if let Item::Root(root) = item {
                        self.root = Some((root.span, None));
                        if root.shape.is_none() {
                            self.foreign = Some(Reason::new(ReasonCode::ForeignXml));
                        }
                        self.is_other_sitemap = root.shape.is_some() && *root.namespace != *SITEMAP;
                    }
                    if let Some(observer) = self.observer.as_mut().filter(|_| !self.checker.is_beyond(item)) {
                        observer.take(item);
                    }
                    let is_root = matches!(item, Item::Root(_));
                    self.checker.take_shaped(item, shape, &mut self.collector);
                    if is_root && self.allows_plain_sitemap && !self.reader.announces_resource_sync() {
                        self.checker.allow_plain_sitemap();
                    }
                }
                ReadEvent::Encoding(note, span) => {
                    self.encoding = Encoding::Noted(Box::new(encoding_finding(&note, span)));
                }
                ReadEvent::Fault(fault) => {
                    // An encoding is reported once, whether it is declared, detected, or both.
                    match (matches!(fault.kind, FaultKind::Encoding(_)), core::mem::take(&mut self.encoding)) {
                        (true, Encoding::Told) => {}
                        (false, Encoding::Noted(finding)) => {
                            self.collector.found(*finding);
                            self.collector.found(fault_finding(&fault));
                        }
                        _ => self.collector.found(fault_finding(&fault)),
                    }
                    self.fault = Some(self.unclaimed(fault.kind));
                    self.stopped = true;
                    self.incomplete = true;
                }
            }
            self.sort_fresh();
        }
        self.settle(false);
    }

    /// Stores new findings, with their excerpt if it is available for any window size.
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

    /// Extracts the excerpts of waiting findings, as far as available.
    pub(super) fn settle(&mut self, last: bool) {
        self.sort_fresh();
        if last {
            self.reader.finish();
        }
        if let Some((span, excerpt @ None)) = &mut self.root {
            *excerpt = ready(self.reader.excerpt(span));
        }
        if let Some(observer) = &mut self.observer {
            observer.settle(last, &|span| self.reader.excerpt(span));
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

    /// The reason to skip a document that ends at this fault, if nothing in it claims to be ResourceSync.
    fn unclaimed(&self, fault: FaultKind) -> ReasonCode {
        match fault {
            FaultKind::NotWellFormed(Detail::Doctype) => ReasonCode::Doctype,
            _ if self.root.is_some() => ReasonCode::Unclaimed,
            _ if self.is_empty => ReasonCode::EmptyFile,
            _ => ReasonCode::NotXml,
        }
    }

    /// The reason to skip a file of a folder that nothing links to: it is damaged, or a sitemap with another namespace, and nothing in
    /// it claims to be ResourceSync.
    pub(super) fn unclaimed_reason(&self) -> Option<Reason> {
        if self.checker.has_resource_sync() {
            return None;
        }
        let code = self.fault.or_else(|| self.is_other_sitemap.then_some(ReasonCode::OtherSitemap));
        code.filter(|_| !self.reader.announces_resource_sync()).map(Reason::new)
    }

    /// True for a plain sitemap that was read to its end.
    pub(super) fn is_plain_sitemap(&self) -> bool {
        self.root.is_some()
            && self.foreign.is_none()
            && !self.incomplete
            && !self.checker.has_resource_sync()
            && !self.checker.expects_resource_sync()
    }

    pub(super) fn stop(&mut self) {
        self.stopped = true;
        self.incomplete = true;
        self.sort_fresh();
    }

    /// Reads what there is: the input ends early.
    pub(super) fn read_rest(&mut self) {
        if !self.stopped {
            self.reader.expect_no_more();
            self.drain();
        }
    }

    pub(super) fn finish(&mut self) {
        if !self.stopped {
            self.reader.finish();
            self.drain();
        }
    }
}

fn ready(cut: Cut) -> Option<Excerpt> {
    match cut {
        Cut::Ready(excerpt) => Some(excerpt.into()),
        Cut::Wait | Cut::Gone => None,
    }
}
