//! Validates one input from pushed bytes.

use alloc::{borrow::Cow, boxed::Box, string::String, sync::Arc, vec::Vec};

use super::{Options, document::Document as Checking, keeper::Keeper, linked_files::LinkedFiles, selection};
use crate::{
    diagnostic::{Code, Finding, Reason, Severity, Sink},
    model::{Document, Kind},
    read::{Input, Reader, sniff::is_tarball},
    report::{Checked, Collector, Diagnostic, Times, Via},
    rules::{Checker, DocumentContext, KindProfile, KnownPackages, PackageMembers},
    validate::{DocumentSummary, Sampling, SummaryBuilder},
};

/// The origin of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputOrigin {
    /// The name in the report.
    pub name: String,
    /// Its URI, if known.
    pub uri: Option<String>,
    /// How it was found.
    pub via: Via,
}

impl InputOrigin {
    /// An input that the user named.
    pub fn named(name: impl Into<String>) -> InputOrigin {
        InputOrigin { name: name.into(), uri: None, via: Via::Argument }
    }
}

/// The outcome of one input.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Its origin.
    pub origin: InputOrigin,
    /// Its kind.
    pub kind: Kind,
    /// Entries read.
    pub entries: u64,
    /// Decompressed bytes read.
    pub bytes: u64,
    /// True if it was not checked to its end.
    pub incomplete: bool,
    /// Why it is skipped if it was found in a folder.
    pub foreign: Option<Reason>,
    /// The findings.
    pub checked: Checked,
    /// The outcomes of nested documents.
    pub inside: Vec<Outcome>,
    /// The summary for the checks across documents.
    pub(crate) summary: Option<Box<DocumentSummary>>,
    /// The times that the document states, if a whole Source is crawled.
    pub(crate) times: Times,
}

impl Outcome {
    /// The document, if it was kept.
    pub fn take_document(&mut self) -> Option<Document> {
        self.summary.take()?.document.map(|document| *document)
    }
}

/// One input being validated.
///
/// Push bytes in windows of any size, then finish. The outcome does not depend on the windows.
#[derive(Debug)]
pub struct Validation<'a> {
    origin: InputOrigin,
    input: Input,
    document: Checking<'a>,
}

impl<'a> Validation<'a> {
    /// Starts an input, with borrowed or owned options.
    pub fn new(options: impl Into<Cow<'a, Options>>, origin: InputOrigin) -> Validation<'a> {
        let options = options.into();
        let context = context(&options, &origin);
        Validation::with(options, origin, context)
    }

    /// Compares the document, if it is a dump, with packages in the same run.
    #[must_use]
    pub fn with_packages(mut self, packages: Arc<KnownPackages>) -> Validation<'a> {
        self.document.checker.set_packages(packages);
        self
    }

    /// Starts the manifest of a package.
    pub(crate) fn of_manifest(
        options: Cow<'a, Options>,
        origin: InputOrigin,
        members: Arc<dyn PackageMembers>,
    ) -> Validation<'a> {
        // A package of a dump has its manifest; any other kind that is expected is none.
        let expect = options.expect.map(|kind| KindProfile::of(kind).manifest.unwrap_or(kind));
        let context = DocumentContext { members: Some(members), expect, ..context(&options, &origin) };
        // Consumers expect XML by the name of the manifest, so gzip is not decompressed.
        Validation { input: Input::bare(), ..Validation::with(options, origin, context) }
    }

    fn with(options: Cow<'a, Options>, origin: InputOrigin, context: DocumentContext) -> Validation<'a> {
        let (ratio, max_per_rule, seed) = (options.limits.inflate_ratio, options.max_per_rule, options.seed);
        let reader = Reader::new(&options.limits);
        let collector = Collector::of(selection(options), max_per_rule);
        let mut document =
            Checking::new(reader, Checker::new(context), collector, ratio, is_tarball(&origin.name), seed);
        document.allows_plain_sitemap = matches!(origin.via, Via::Argument | Via::Stdin);
        if origin.via == Via::Folder {
            document.observer = Some(Box::new(LinkedFiles::new(seed)));
        }
        Validation { origin, input: Input::new(ratio), document }
    }

    /// Keeps the document, which [`Outcome::take_document`] returns. The first call, before any bytes.
    #[must_use]
    pub fn keeping(mut self) -> Validation<'a> {
        self.document.reader = Reader::keeping(self.document.checker.limits());
        self.document.observer = Some(Box::new(Keeper::default()));
        self
    }

    /// Reads every entry as if none repeated another: for tests, which compare both. Before any bytes.
    #[doc(hidden)]
    #[must_use]
    pub fn without_templates(mut self) -> Validation<'a> {
        self.document.reader = Reader::new(self.document.checker.limits()).without_templates();
        self
    }

    /// Summarizes the document for the checks across documents.
    #[must_use]
    pub(crate) fn with_summary(mut self, sampling: Sampling) -> Validation<'a> {
        let limits = self.document.checker.limits();
        self.document.observer = Some(Box::new(SummaryBuilder::new(sampling, self.document.seed, limits)));
        self
    }

    /// Reads the next window.
    pub fn push(&mut self, bytes: &[u8]) {
        self.input.push(bytes, &mut self.document);
    }

    /// False if more bytes cannot change the result: a limit was reached, or the input is certainly not a document. A reader of a
    /// server response can then close the connection.
    pub fn wants_more(&self) -> bool {
        self.document.wants_more()
    }

    /// False once it is certain that this is not a ResourceSync document.
    pub(crate) fn may_be_resource_sync(&self) -> bool {
        self.document.may_be_resource_sync()
    }

    /// The kind, once it is known from the head.
    pub(crate) fn kind(&self) -> Kind {
        self.document.checker.kind()
    }

    /// Entries read so far.
    pub fn entries(&self) -> u64 {
        self.document.checker.entries()
    }

    /// The number of findings by code so far.
    pub fn counts(&self) -> impl Iterator<Item = (Code, Severity, u64)> {
        self.document.collector.counts()
    }

    /// The findings so far, in order, as far as their excerpts are available.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.document.diagnostics
    }

    /// Takes the findings so far, as far as their excerpts are available. The outcome has the rest of them, and the counts of all.
    pub fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        core::mem::take(&mut self.document.diagnostics)
    }

    /// Ends the input.
    pub fn finish(mut self) -> Outcome {
        self.input.finish(&mut self.document);
        self.document.finish();
        self.outcome()
    }

    /// Ends the input early: the rest of it cannot be read.
    pub fn unreadable(mut self, reason: Reason) -> Outcome {
        self.document.read_rest();
        self.document.collector.found(Finding::new(Code::INP_01).arg("reason", reason));
        self.document.stop();
        self.outcome()
    }

    /// Ends the input early: a limit was met.
    pub(crate) fn limited(mut self, finding: Finding) -> Outcome {
        self.document.read_rest();
        self.document.collector.found(finding);
        self.document.stop();
        self.outcome()
    }

    /// Ends the input early: the user interrupted the run.
    pub fn interrupted(mut self) -> Outcome {
        self.document.read_rest();
        self.document.collector.found(Finding::new(Code::INP_04));
        self.document.stop();
        self.outcome()
    }

    fn outcome(mut self) -> Outcome {
        self.document.settle(true);
        let is_in_folder = self.origin.via == Via::Folder;
        let unclaimed = self.document.unclaimed_reason().filter(|_| matches!(self.origin.via, Via::Folder | Via::Zip));
        let is_plain = is_in_folder && unclaimed.is_none() && self.document.is_plain_sitemap();
        let Checking { reader, checker, collector, diagnostics, kind, foreign, incomplete, observer, .. } =
            self.document;
        let incomplete = incomplete || collector.is_limited();
        Outcome {
            origin: self.origin,
            kind: kind.unwrap_or(checker.kind()),
            entries: checker.entries(),
            bytes: reader.bytes(),
            incomplete,
            foreign: foreign.or(unclaimed),
            // A plain sitemap has nothing to do with ResourceSync.
            checked: if is_plain { Checked::default() } else { collector.finish(diagnostics) },
            inside: Vec::new(),
            summary: observer.map(|observer| {
                let summary = observer.finish();
                Box::new(DocumentSummary { complete: summary.complete && !incomplete, ..summary })
            }),
            times: Times::default(),
        }
    }
}

/// The context of a single document.
fn context(options: &Options, origin: &InputOrigin) -> DocumentContext {
    DocumentContext {
        expect: options.expect,
        // It is only required to be a ResourceSync document if that was requested.
        plain_sitemap: matches!(origin.via, Via::Folder | Via::Discovery),
        search_engines: options.selection.has_optional(),
        limits: options.limits.clone(),
        members: None,
        packages: None,
        seed: options.seed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_can_be_seen_while_it_is_found() {
        let list = br#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
            <rs:md capability="resourcelist"/><url></url><url></url>"#;
        let mut validation = Validation::new(Options::default(), InputOrigin::named("list.xml"));
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
