//! Builds a document of any kind from parts of the open model.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{Accepted, BuildOptions, Refused, refusal_sink::RefusalSink, roundtrip};
use crate::{
    diagnostic::{Code, Finding, Severity, Sink},
    limits::STANDARD_BYTES,
    model::{AttributeValue, Attributes, Entry, EntryElement, Field, Head, Item, Kind, Md, Root, SITEMAP, Shape},
    report::Diagnostic,
    rules::{Checker, DocumentContext, KindProfile},
    span::Span,
    write::{CONTENT, Writer, missing, missing_of_head},
};

/// A document being built: a head, then entries one by one, then the end.
///
/// Each part and entry is first passed to the Checker that validates. Anything that it would report (error, warning or info) is [`Refused`]
/// before a byte of it is written. If the output is taken regularly, memory does not grow with the document, except for 32 bytes per entry
/// in kinds that forbid duplicate entries.
///
/// ```
/// use resourcesync::{build::{Builder, BuildOptions}, model::{Child, Entry, Field, Head, Kind, Link, Md, AttributeValue}, value::{Capability, Relation, Uri}};
///
/// let uri = |path: &str| Uri::from_iri(&format!("http://example.com/{path}")).unwrap();
/// let up = Link::new(Relation::UP, uri("capabilitylist.xml"));
/// let mut md = Md::default();
/// md.attributes.set(AttributeValue::At(Field::new("2024-05-01T00:00:00Z".parse()?)));
///
/// let mut list = Builder::new(Kind::ResourceList, Head { md: vec![md], links: vec![up], ..Head::default() }, BuildOptions::default())?;
/// let entry = |path| Entry { loc: vec![Child::new(uri(path))], ..Entry::default() };
/// list.push(entry("1"))?;
/// let refused = list.push(entry("1")).unwrap_err();
/// assert_eq!(refused.code(), "RL-13");
/// assert_eq!(list.finish()?.matches("<url>").count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Builder {
    kind: Kind,
    head: Head,
    options: BuildOptions,
    checker: Checker,
    accepted: Accepted,
    writer: Writer,
    /// The document up to the end of the root's start tag.
    start: String,
    end: String,
    /// Bytes already taken.
    taken: u64,
    /// The maximum size in bytes.
    room: u64,
}

/// The root element of a kind.
pub(crate) fn root(kind: Kind) -> Root {
    let shape = KindProfile::of(kind).shape;
    Root { local: shape.root().into(), namespace: SITEMAP.into(), shape: Some(shape), ..Root::default() }
}

impl Builder {
    /// Starts a document of a kind. The `capability` may be omitted from the head.
    ///
    /// # Errors
    ///
    /// If the head is invalid or incomplete.
    pub fn new(kind: Kind, head: Head, options: BuildOptions) -> Result<Builder, Refused> {
        Builder::with_root(kind, &root(kind), head, options)
    }

    /// Starts a document whose root element has attributes of its own.
    ///
    /// # Errors
    ///
    /// As [`Builder::new`]; also if the root is not that of the kind.
    pub fn with_root(kind: Kind, root: &Root, mut head: Head, options: BuildOptions) -> Result<Builder, Refused> {
        let capability = KindProfile::of(kind).capability;
        if head.md.is_empty() {
            head.md.push(Md::default());
        }
        if let Some(md) =
            head.md.first_mut().filter(|md| md.attributes.capability().is_none() && !capability.is_empty())
        {
            let mut attributes = Attributes::default();
            attributes.set(AttributeValue::Capability(Field::read(capability, Span::default())));
            md.attributes.iter().for_each(|attribute| attributes.push(attribute.clone()));
            md.attributes = attributes;
        }
        let mut writer = Writer::new(root);
        let start = writer.since(0).to_string();
        let end = format!("</{}>\n", root.local);
        head.links.iter().for_each(|link| writer.link(link));
        head.md.iter().for_each(|md| writer.md(md));
        head.others.iter().for_each(|element| writer.other(element));

        let context =
            DocumentContext { expect: Some(kind), limits: options.limits.clone(), ..DocumentContext::default() };
        let mut checker = Checker::new(context);
        let mut sink = RefusalSink::new(&options);
        if let Some(what) = missing_of_head(&head) {
            sink.insist(lost(what, &options));
        }
        if let Err(fault) =
            roundtrip::read(&[writer.since(0), &end], &options.limits, |item| checker.take(item, &mut sink))
        {
            sink.insist(*fault);
        }
        let mut accepted = Accepted::default();
        sink.verdict()?.into_iter().for_each(|found| accepted.push(found));
        Ok(Builder { kind, head, options, checker, accepted, writer, start, end, taken: 0, room: STANDARD_BYTES })
    }

    /// Sets the lowest severity that causes rejection from here on, as [`BuildOptions::fail_on`].
    #[must_use]
    pub fn with_fail_on(mut self, severity: Severity) -> Builder {
        self.options.fail_on = severity;
        self
    }

    /// The findings so far that did not cause rejection.
    pub fn accepted(&self) -> &Accepted {
        &self.accepted
    }

    /// Adds an entry.
    ///
    /// # Errors
    ///
    /// If the entry is invalid, or invalid at this position; the document is then unchanged.
    pub fn push(&mut self, mut entry: Entry) -> Result<(), Refused> {
        self.try_push(&mut entry)
    }

    /// Adds an entry without consuming it, so that it can go to another document if this one is full.
    pub(super) fn try_push(&mut self, entry: &mut Entry) -> Result<(), Refused> {
        let before = self.writer.since(0).len();
        match self.check(entry) {
            Ok(accepted) => {
                self.checker.accept(Item::Entry(entry));
                accepted.into_iter().for_each(|found| self.accepted.push(found));
                Ok(())
            }
            Err(refused) => {
                self.writer.forget_since(before);
                Err(refused)
            }
        }
    }

    /// Writes an entry and checks it.
    fn check(&mut self, entry: &mut Entry) -> Result<Vec<Diagnostic>, Refused> {
        entry.number = self.checker.entries().saturating_add(1);
        let before = self.writer.since(0).len();
        self.writer.entry(entry);
        let mut sink = RefusalSink::new(&self.options);
        let written = self.writer.since(before);
        if roundtrip::is_plain(entry, written, &self.options.limits) {
            self.checker.look(Item::Entry(entry), &mut sink);
        } else {
            self.prove(entry, written, &mut sink);
        }
        let bytes = self.bytes().saturating_add(self.end.len() as u64);
        if bytes > self.room {
            let finding = Finding::new(Code::GEN_19).arg("bytes", bytes).arg("limit", self.room);
            if self.room < STANDARD_BYTES { sink.insist(finding) } else { sink.found(finding) }
        }
        sink.verdict()
    }

    /// Checks the entry as a reader will see it.
    fn prove(&self, entry: &mut Entry, written: &str, sink: &mut RefusalSink<'_>) {
        if let Some(what) = missing(entry) {
            return sink.insist(lost(what, &self.options));
        }
        let pieces = [&*self.start, written, &*self.end];
        let number = entry.number;
        match roundtrip::entry(&pieces, &self.options.limits, |namespace| self.checker.look(namespace, sink)) {
            Ok(own) => {
                *entry = Entry { number, ..own };
                self.checker.look(Item::Entry(entry), sink);
            }
            Err(finding) => sink.insist(*finding),
        }
    }

    /// Returns the output built since the last call.
    pub fn take(&mut self) -> String {
        let text = self.writer.take();
        self.taken = self.taken.saturating_add(text.len() as u64);
        text
    }

    /// Ends the document and returns the output that was not taken yet.
    ///
    /// # Errors
    ///
    /// If the document as a whole is invalid; discard the output that was already taken.
    pub fn finish(mut self) -> Result<String, Refused> {
        self.check_end()?;
        Ok(self.writer.finish())
    }

    /// As [`Builder::finish`], and adds the accepted findings to those of other documents.
    ///
    /// # Errors
    ///
    /// As [`Builder::finish`].
    pub fn finish_into(mut self, accepted: &mut Accepted) -> Result<String, Refused> {
        self.check_end()?;
        accepted.append(self.accepted);
        Ok(self.writer.finish())
    }

    /// Checks the document as a whole.
    fn check_end(&mut self) -> Result<(), Refused> {
        let mut sink = RefusalSink::new(&self.options);
        let bytes = self.bytes().saturating_add(self.end.len() as u64);
        self.checker.look(Item::End(bytes), &mut sink);
        let found = sink.verdict()?;
        found.into_iter().for_each(|found| self.accepted.push(found));
        Ok(())
    }

    /// The root metadata of the document.
    pub(super) fn head(&self) -> &Head {
        &self.head
    }

    /// Ends a document of which only the start was taken, and replaces that start.
    pub(super) fn finish_as(self, head: Head, accepted: &mut Accepted) -> Result<String, Refused> {
        let mut begun = Builder::new(self.kind, head, self.options.clone())?;
        let mut text = begun.take();
        text.push_str(&self.finish_into(accepted)?);
        Ok(text)
    }

    /// Bytes of output that were not taken yet.
    pub(super) fn waiting(&self) -> usize {
        self.writer.since(0).len()
    }

    /// Limits the size of the document in bytes.
    pub(super) fn limit(&mut self, room: u64) {
        self.room = room.min(STANDARD_BYTES);
    }

    /// Checks whether an entry could be added, without adding it.
    pub(super) fn try_out(&mut self, entry: &mut Entry) -> Result<(), Refused> {
        let before = self.writer.since(0).len();
        let verdict = self.check(entry);
        self.writer.forget_since(before);
        verdict.map(drop)
    }

    /// The kind of document.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The number of entries so far.
    pub fn entries(&self) -> u64 {
        self.checker.entries()
    }

    /// Bytes of output so far, including those already taken.
    pub fn bytes(&self) -> u64 {
        self.taken.saturating_add(self.writer.since(0).len() as u64)
    }

    /// The shape of the document.
    pub fn shape(&self) -> Shape {
        KindProfile::of(self.kind()).shape
    }
}

/// The entry as a reader will see it.
pub(crate) fn read_again(entry: &Entry) -> Result<Entry, Refused> {
    let options = BuildOptions::default();
    let kind = if entry.element == EntryElement::Url { Kind::ResourceList } else { Kind::ResourceListIndex };
    let mut writer = Writer::new(&root(kind));
    writer.entry(entry);
    roundtrip::entry(&[&writer.finish()], &options.limits, |_| {}).map_err(|finding| Refused::from(*finding))
}

/// Part of the input was not kept when it was read, so it cannot be written.
fn lost(what: &'static str, options: &BuildOptions) -> Finding {
    match what {
        CONTENT => Finding::new(Code::GEN_34).arg("element", "rs:md"),
        _ => Finding::new(Code::LIM_07).arg("limit", options.limits.extension_bytes),
    }
}
