//! The summary of a document for the checks across documents: its head, its links, and a hash of each resource.

use alloc::{boxed::Box, string::String, string::ToString, vec::Vec};

use crate::{
    diagnostic::{EntryRef, Finding, Path},
    model::{AnyField, Document, Entry, Field, Kind, Link, Md, Name, Root},
    report::{Excerpt, Times},
    rules::KindProfile,
    span::Span,
    value::{Change, Datetime},
};

/// The summary of one document.
#[derive(Debug, Clone, Default)]
pub(crate) struct DocumentSummary {
    /// Its kind.
    pub(crate) kind: Kind,
    /// Its root element.
    pub(crate) root: Root,
    /// Its first root `rs:md`.
    pub(crate) head: Option<Md>,
    /// Its root links.
    pub(crate) links: Vec<Link>,
    /// Entries that refer to documents: of Source Descriptions, Capability Lists, indexes, dumps and Framework
    /// Notifications.
    pub(crate) members: Vec<Entry>,
    /// The number of such entries that were not kept.
    pub(crate) forgotten: u64,
    /// A hash of the `loc` of every other entry: 8 bytes per resource.
    pub(crate) locs: Vec<u64>,
    /// Of the same entries the change, or the last one: 8 bytes each.
    pub(crate) events: Vec<Event>,
    /// Links between resources: number of the entry, hash of the `href`.
    pub(crate) metadata_links: Vec<(u32, u64)>,
    /// Generic resources of entries (`canonical`): number of the entry, hash of the `href`.
    pub(crate) generic: Vec<(u32, u64)>,
    /// Resources to fetch.
    pub(crate) sample: Vec<Entry>,
    /// The number of entries.
    pub(crate) entries: u64,
    /// The sum of their `length`.
    pub(crate) declared_bytes: u64,
    /// The latest `datetime` of a change.
    pub(crate) newest: Option<Datetime>,
    /// The digest of the content of a Source Description, a manifest or a closed document.
    pub(crate) canonical: Option<[u8; 32]>,
    /// In a folder only.
    pub(crate) linked_files: LinkedNames,
    /// True once it was read to its end.
    pub(crate) complete: bool,
    pub(super) excerpts: Vec<(Span, Excerpt)>,
    /// The document, if it is kept.
    pub(super) document: Option<Box<Document>>,
}

/// What an entry says about the last change of its resource: to the second, with the `change`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Event(i64);

impl Event {
    /// At an unknown moment.
    const UNKNOWN: i64 = i64::MIN >> 2;

    pub(super) fn of(entry: &Entry) -> Event {
        let attributes = entry.first_md().map(|md| &md.attributes);
        let change = attributes.and_then(|attributes| attributes.change()?.value());
        let datetime = match change {
            Some(_) => attributes.and_then(|attributes| attributes.datetime()?.value()),
            None => entry.lastmod.first().and_then(|lastmod| lastmod.field.value()),
        };
        // A day is no moment.
        let seconds = datetime.filter(|datetime| !datetime.is_partial()).map(|datetime| datetime.to_unix().0);
        let change = match change {
            Some(Change::Created) => 1,
            Some(Change::Deleted) => 2,
            _ => 0,
        };
        Event(seconds.unwrap_or(Event::UNKNOWN) << 2 | change)
    }

    /// As one number, for parcels.
    pub(super) fn bits(self) -> u64 {
        self.0.cast_unsigned()
    }

    pub(super) fn from_bits(bits: u64) -> Event {
        Event(bits.cast_signed())
    }

    /// Seconds since 1970, rounded down; `None` if there is no exact moment.
    pub(crate) fn seconds(self) -> Option<i64> {
        Some(self.0 >> 2).filter(|seconds| *seconds != Event::UNKNOWN)
    }

    pub(crate) fn is_creation(self) -> bool {
        self.0 & 3 == 1
    }

    pub(crate) fn is_deletion(self) -> bool {
        self.0 & 3 == 2
    }
}

impl DocumentSummary {
    /// True for a document with any ResourceSync content, valid or not.
    pub(crate) fn is_resource_sync(&self) -> bool {
        self.root.shape.is_some() && (self.head.is_some() || !self.links.is_empty())
    }

    /// True if its interval is closed, so that it must not change any more. Notifications are excluded, since the next one
    /// replaces them.
    pub(crate) fn is_closed(&self) -> bool {
        KindProfile::of(self.kind).can_close && self.head.as_ref().is_some_and(|head| head.attributes.until().is_some())
    }

    /// The digest of its content, if it must not change any more.
    pub(crate) fn closed(&self) -> Option<[u8; 32]> {
        self.canonical.filter(|_| self.is_closed())
    }

    /// The digest in the report of a document that must not change any more.
    pub(crate) fn as_closed(&self) -> DocumentSummary {
        DocumentSummary {
            kind: self.kind,
            head: self.head.clone(),
            canonical: self.canonical,
            ..DocumentSummary::default()
        }
    }

    /// The times that it states, as written; what is no time is left out.
    pub(crate) fn times(&self) -> Times {
        self.head.as_ref().map(times).unwrap_or_default()
    }

    /// The root links of a relation, with their numbers.
    pub(crate) fn links_of<'a>(&'a self, relation: &'a str) -> impl Iterator<Item = (u64, &'a Link)> {
        let is = |link: &Link| link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|rel| rel.is(relation));
        (1..).zip(&self.links).filter(move |(_, link)| is(link))
    }

    /// The first root link of a relation, with its number.
    pub(crate) fn link<'a>(&'a self, relation: &'a str) -> Option<(u64, &'a Link)> {
        self.links_of(relation).next()
    }

    /// The excerpt of a span, if it was kept.
    pub(crate) fn excerpt(&self, span: &Span) -> Option<Excerpt> {
        let holds = |own: &Span| own.start.offset <= span.start.offset && span.end.offset <= own.end.offset;
        let (_, excerpt) = self.excerpts.iter().find(|(own, _)| holds(own))?;
        let place = |column: u32| column.checked_sub(excerpt.column);
        let length = u32::try_from(excerpt.text.chars().count()).unwrap_or(u32::MAX);
        let start = place(span.start.column).filter(|start| span.start.line == excerpt.line && *start < length)?;
        let end = if span.end.line == excerpt.line { place(span.end.column)?.min(length) } else { length };
        Some(Excerpt { highlight: (start, end), ..excerpt.clone() })
    }

    /// The position of the root element.
    pub(crate) fn at_root(&self, finding: Finding) -> Finding {
        self.at(finding, self.root.span, None, None, None)
    }

    /// The position of an attribute of the root `rs:md`, or of its tag, or of the root element if there is
    /// none.
    pub(crate) fn at_head(&self, finding: Finding, name: Name) -> Finding {
        let Some(head) = &self.head else { return self.at_root(finding) };
        self.at_md(finding, None, head, name)
    }

    /// The position of the target of a root link.
    pub(crate) fn at_link(&self, finding: Finding, number: u64, link: &Link) -> Finding {
        self.at_any_link(finding, None, number, link)
    }

    /// The position of the `loc` of an entry.
    pub(crate) fn at_loc(&self, finding: Finding, entry: &Entry) -> Finding {
        let span = entry.loc.first().map_or(entry.span, |loc| loc.field.span());
        self.at(finding, span, Some(entry), Some(("loc".to_string(), None)), None)
    }

    /// The position of an attribute of an entry's `rs:md`, or of its tag, or of the entry if there is none.
    pub(crate) fn at_entry_md(&self, finding: Finding, entry: &Entry, name: Name) -> Finding {
        let Some(md) = entry.first_md() else { return self.at(finding, entry.span, Some(entry), None, None) };
        self.at_md(finding, Some(entry), md, name)
    }

    /// The position of the target of a link in an entry.
    pub(crate) fn at_entry_link(&self, finding: Finding, entry: &Entry, number: u64, link: &Link) -> Finding {
        self.at_any_link(finding, Some(entry), number, link)
    }

    fn at_md(&self, finding: Finding, entry: Option<&Entry>, md: &Md, name: Name) -> Finding {
        let attribute = md.attributes.get(name);
        let span = attribute.map_or(md.span, |attribute| attribute.span());
        self.at(finding, span, entry, Some(("rs:md".to_string(), None)), attribute.map(|_| name))
    }

    fn at_any_link(&self, finding: Finding, entry: Option<&Entry>, number: u64, link: &Link) -> Finding {
        let href = link.attributes.get(Name::Href);
        let span = href.map_or(link.span, |href| href.span());
        self.at(finding, span, entry, Some(("rs:ln".to_string(), Some(number))), href.map(|_| Name::Href))
    }

    fn at(
        &self,
        mut finding: Finding,
        span: Span,
        entry: Option<&Entry>,
        step: Option<(String, Option<u64>)>,
        attribute: Option<Name>,
    ) -> Finding {
        finding.span = Some(span);
        finding.path = Some(Path {
            root: self.root.local.to_string(),
            entry: entry.map(|entry| (entry.element.as_str(), entry.number)),
            step,
            attribute: attribute.map(|name| name.as_str().to_string()),
        });
        finding.entry = entry.map(|entry| EntryRef {
            index: entry.number,
            loc: entry.loc.first().map(|loc| loc.field.text().into_owned()),
        });
        finding
    }
}

/// The times in an `rs:md`, as written; what is no time is left out.
pub(crate) fn times(Md { attributes, .. }: &Md) -> Times {
    let text = |field: Option<&Field<Datetime>>| {
        field.filter(|field| field.value().is_some()).map(|field| field.text().into_owned())
    };
    Times {
        at: text(attributes.at()),
        completed: text(attributes.completed()),
        from: text(attributes.from()),
        until: text(attributes.until()),
    }
}

/// Files of a folder that a document links to: hashes of their names.
#[derive(Debug, Clone, Default)]
pub(crate) struct LinkedNames {
    /// Documents.
    pub(crate) documents: Vec<u64>,
    /// Topics of notification channels, which are empty until something is announced.
    pub(crate) topics: Vec<u64>,
}
