//! The context of a check, and its methods for reporting.

use alloc::string::ToString;

use super::{
    Depends, DocumentState, FoundMember, KindProfile, KnownPackage, KnownPackages, PackageMembers, PathStep,
    document_state::{Earlier, FirstLoc},
};
use crate::{
    diagnostic::{Code, EntryRef, Finding, Path, Severity, Sink},
    limits::Limits,
    model::{AnyField, Attribute, Element, Entry, Kind, Link, Md, Name, Namespace, Root},
    span::Span,
    value::BitstreamPath,
};

/// A check, and when it is called.
#[derive(Debug, Clone, Copy)]
pub enum Check {
    /// Once, when the root element has been read; the kind is not known yet.
    Root(fn(&mut CheckContext<'_>)),
    /// Once, when the root's first `rs:md` has been read and the kind is known.
    Head(fn(&mut CheckContext<'_>, &Md)),
    /// For each entry, before its parts.
    Entry(Depends, fn(&mut CheckContext<'_>, &Entry)),
    /// For each `rs:md`, of the root (`cx.entry` is `None`) and of entries.
    Md(Depends, fn(&mut CheckContext<'_>, &Md)),
    /// For each `rs:ln`, of the root and of entries.
    Link(Depends, fn(&mut CheckContext<'_>, &Link)),
    /// For each `rs:ln` with one of these relations, of the root and of entries.
    Related(Depends, &'static [&'static str], fn(&mut CheckContext<'_>, &Link)),
    /// For each attribute of each `rs:md` and `rs:ln` that has a prefix or that ResourceSync does not define; `cx.step` is the
    /// element.
    Odd(Depends, fn(&mut CheckContext<'_>, &Attribute)),
    /// For each attribute with one of these names.
    Named(Depends, &'static [Name], fn(&mut CheckContext<'_>, &Attribute)),
    /// For each element that the standard does not define at its position.
    Element(fn(&mut CheckContext<'_>, &Element)),
    /// For each namespace name that is a misspelling of one of the two.
    Namespace(fn(&mut CheckContext<'_>, &Namespace)),
    /// Once, when the document has been read to its end.
    End(fn(&mut CheckContext<'_>)),
    /// Such a check, but only if the package around the document, or the packages that it lists, are known.
    WithPackages(&'static [Check]),
}

/// The view of a check: the document so far, and the current element.
pub struct CheckContext<'a> {
    /// The requirements of the kind of document.
    pub profile: &'static KindProfile,
    /// The root element.
    pub root: &'a Root,
    /// What has been accepted so far.
    pub memory: &'a DocumentState,
    /// The limits of this run.
    pub limits: &'a Limits,
    /// The expected kind.
    pub expect: Option<Kind>,
    /// Whether a sitemap without ResourceSync elements is allowed (if found in a folder).
    pub plain_sitemap: bool,
    /// Whether what search engines reject is reported.
    pub search_engines: bool,
    /// The package around the document, if it is a manifest in one.
    pub members: Option<&'a dyn PackageMembers>,
    /// The packages in the same run, if the document is a dump.
    pub packages: Option<&'a KnownPackages>,
    /// The member at the `path` of the current element; `None` if the path names none.
    pub found: Option<FoundMember>,
    /// Bytes of the document; known at its end.
    pub bytes: u64,
    /// The current entry; `None` for the root.
    pub entry: Option<&'a Entry>,
    /// The current element.
    pub step: PathStep,
    /// An earlier entry with the same `loc`, if the kind of document forbids duplicates.
    pub(super) first_loc: Option<FirstLoc>,
    pub(super) sink: &'a mut dyn Sink,
}

impl<'a> CheckContext<'a> {
    /// The kind of document.
    pub fn kind(&self) -> Kind {
        self.profile.kind
    }

    /// True for an `rs:md` or `rs:ln` of the root, false for those of entries.
    pub fn at_root(&self) -> bool {
        self.entry.is_none()
    }

    /// The package of a dump entry, if it is an input.
    pub fn package(&self, entry: &Entry) -> Option<&'a KnownPackage> {
        self.packages?.of(entry.uri()?.as_str())
    }

    /// Looks up the member that the `path` of the current element names.
    pub(super) fn find(&mut self, path: Option<&BitstreamPath>) {
        self.found = self.members.zip(path).map(|(members, path)| members.find(path.member_name()));
    }

    /// Reports about the current element (root, entry, `rs:md` or `rs:ln`), pointing at `span`.
    pub fn report(&mut self, finding: Finding, span: Span) {
        self.send(finding, span, None, None);
    }

    /// Reports about an attribute of the current element, pointing at its value.
    pub fn report_value(&mut self, finding: Finding, attribute: &Attribute) {
        self.send(finding, attribute.span(), None, Some(attribute));
    }

    /// Reports about an attribute of the current element, pointing at part of its value.
    pub fn report_part(&mut self, finding: Finding, attribute: &Attribute, range: core::ops::Range<usize>) {
        self.send(finding, attribute.part(range), None, Some(attribute));
    }

    /// Reports about an attribute of the current element, pointing at name and value.
    pub fn report_attribute(&mut self, finding: Finding, attribute: &Attribute) {
        self.send(finding, attribute.whole, None, Some(attribute));
    }

    /// Reports about an attribute by its name, if the current element has it; otherwise points at the element's
    /// tag.
    pub fn report_named(&mut self, finding: Finding, md: &Md, name: Name) {
        match md.attributes.get(name) {
            Some(attribute) => self.report_value(finding, attribute),
            None => self.report(finding, md.span),
        }
    }

    /// Reports about a child element of the root or entry, such as `loc`.
    pub fn report_child(&mut self, finding: Finding, child: &str, number: Option<u64>, span: Span) {
        self.send(finding, span, Some((child, number)), None);
    }

    /// Reports about the root element, pointing at its start tag.
    pub fn report_root(&mut self, mut finding: Finding) {
        if self.sink.wants(&finding) {
            finding.path = Some(Path { root: self.root.local.to_string(), ..Path::default() });
            finding.span = Some(self.root.span);
        }
        self.sink.found(finding);
    }

    /// Reports about the document as a whole, without a position.
    pub fn report_whole(&mut self, finding: Finding) {
        self.sink.found(finding);
    }

    /// Reports about the `rs:md` of a previous entry, or about the entry itself if it has none.
    pub fn report_earlier(&mut self, mut finding: Finding, earlier: &Earlier) {
        if self.sink.wants(&finding) {
            finding.path = Some(Path {
                root: self.root.local.to_string(),
                entry: Some((earlier.element.as_str(), earlier.number)),
                step: earlier.md.map(|_| ("rs:md".to_string(), None)),
                ..Path::default()
            });
            finding.entry = Some(EntryRef { index: earlier.number, loc: earlier.loc.clone() });
            finding.span = Some(earlier.md.unwrap_or(earlier.span));
        }
        self.sink.found(finding);
    }

    fn send(
        &mut self,
        mut finding: Finding,
        span: Span,
        child: Option<(&str, Option<u64>)>,
        attribute: Option<&Attribute>,
    ) {
        if self.sink.wants(&finding) {
            let step = match (child, self.step) {
                (Some((name, number)), _) => Some((name.to_string(), number)),
                (None, PathStep::Own) => None,
                (None, PathStep::Md(1)) => Some(("rs:md".to_string(), None)),
                (None, PathStep::Md(number)) => Some(("rs:md".to_string(), Some(number))),
                (None, PathStep::Link(number)) => Some(("rs:ln".to_string(), Some(number))),
            };
            finding.path = Some(Path {
                root: self.root.local.to_string(),
                entry: self.entry.map(|entry| (entry.element.as_str(), entry.number)),
                step,
                attribute: attribute.map(Attribute::name_in_paths),
            });
            finding.entry = self.entry.map(reference);
            finding.span = Some(span);
        }
        self.sink.found(finding);
    }
}

/// Describes an entry by its number and URI.
fn reference(entry: &Entry) -> EntryRef {
    EntryRef { index: entry.number, loc: entry.loc.first().map(|loc| loc.field.text().into_owned()) }
}

/// The finding for a code, lowered to info if it depends on a partial datetime.
pub fn timed(code: Code, certain: bool) -> Finding {
    let finding = Finding::new(code);
    if certain { finding } else { finding.lowered(Severity::Info) }
}
