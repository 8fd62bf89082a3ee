//! What is remembered of a document when it has been read: its head, what it leads to, and little of each resource.

use alloc::{boxed::Box, collections::BTreeMap, string::String, string::ToString, vec::Vec};
use core::hash::Hasher;

use siphasher::sip::SipHasher13;

use super::{is_key, key};
use crate::{
    diagnostic::{EntryRef, Finding, Path},
    model::{AnyField, Entry, Kind, Link, Md, Name, Root},
    package::Canonical,
    report::Excerpt,
    rules::Item,
    span::Span,
    value::Datetime,
    xml::Cut,
};

/// Entries kept while the kind is not known.
const UNDECIDED: usize = 10_000;
/// Surroundings kept of one document, for findings that come when it is no longer at hand.
const EXCERPTS: usize = 2_000;
/// Entries kept of one document: twice what the standard allows.
const MEMBERS: usize = 100_000;
/// Links kept of one entry that leads on.
const LINKS: usize = 16;
/// Bytes of what an entry that leads on says; longer ones are not kept.
const ENTRY_BYTES: u64 = 4 << 10;
/// Links of one sort between resources remembered of one document.
const CROSSINGS: usize = 1_000_000;

/// Which resources are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Sampling {
    #[default]
    Nothing,
    /// So many, always the same ones, spread over the document.
    Some(usize),
    All,
}

/// What is remembered of one document.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memo {
    /// What it is.
    pub(crate) kind: Kind,
    /// Its root element.
    pub(crate) root: Root,
    /// Its first root `rs:md`.
    pub(crate) head: Option<Md>,
    /// Its root links.
    pub(crate) links: Vec<Link>,
    /// What it leads to: entries of Source Descriptions, Capability Lists, indexes, dumps and Framework Notifications.
    pub(crate) members: Vec<Entry>,
    /// Entries that lead on and were not kept.
    pub(crate) forgotten: u64,
    /// Of every other entry a hash of its `loc`: 8 bytes a resource.
    pub(crate) locs: Vec<u64>,
    /// Links between resources: number of the entry, hash of the `href`.
    pub(crate) crossings: Vec<(u32, u64)>,
    /// Generic resources that entries stand for (`canonical`): number of the entry, hash of the `href`.
    pub(crate) generic: Vec<(u32, u64)>,
    /// Resources to be read.
    pub(crate) sample: Vec<Entry>,
    /// Entries in all.
    pub(crate) entries: u64,
    /// The sum of their `length`.
    pub(crate) declared_bytes: u64,
    /// The latest `datetime` of a change.
    pub(crate) newest: Option<Datetime>,
    /// What a Source Description, a manifest or a closed document says, as a digest.
    pub(crate) canonical: Option<[u8; 32]>,
    /// True once it was read to its end.
    pub(crate) complete: bool,
    excerpts: Vec<(Span, Excerpt)>,
}

/// The hash that resources are remembered by: the same for all spellings of a URI.
pub(crate) fn hashed(uri: &str) -> u64 {
    let mut hasher = SipHasher13::new();
    if is_key(uri) {
        hasher.write(uri.as_bytes());
    } else {
        hasher.write(key(uri).as_bytes());
    }
    hasher.finish()
}

/// Bytes of what is kept of an entry.
fn bytes(entry: &Entry) -> u64 {
    let links = entry.links.iter().take(LINKS).map(|link| link.span);
    let loc = entry.loc.first().map(|loc| loc.field.span());
    let spans = entry.first_md().map(|md| md.span).into_iter().chain(loc).chain(links);
    spans.map(|span| span.length()).fold(0, u64::saturating_add)
}

fn leads_on(kind: Kind) -> bool {
    use Kind as K;
    matches!(
        kind,
        K::SourceDescription
            | K::SourceDescriptionIndex
            | K::CapabilityList
            | K::ResourceListIndex
            | K::ResourceDump
            | K::ResourceDumpIndex
            | K::ChangeListIndex
            | K::ChangeDump
            | K::ChangeDumpIndex
            | K::FrameworkNotification
    )
}

/// Takes notes while a document is read.
#[derive(Debug)]
pub(crate) struct Notes {
    memo: Memo,
    sampling: Sampling,
    /// The sample so far, by a hash that spreads it.
    sample: BTreeMap<(u64, u64), Entry>,
    canonical: Option<Box<Canonical>>,
    /// Spans whose surroundings are still to be cut.
    waiting: Vec<Span>,
    /// True once nothing more is cut.
    full: bool,
}

impl Notes {
    pub(crate) fn new(sampling: Sampling) -> Notes {
        Notes {
            memo: Memo::default(),
            sampling,
            sample: BTreeMap::new(),
            canonical: Some(Box::default()),
            waiting: Vec::new(),
            full: false,
        }
    }

    /// See [`Memo::is_resource_sync`].
    pub(crate) fn is_resource_sync(&self) -> bool {
        self.memo.is_resource_sync()
    }

    /// Takes the next item.
    pub(crate) fn take(&mut self, item: Item<'_>) {
        if let Some(canonical) = &mut self.canonical {
            canonical.add(item);
        }
        let memo = &mut self.memo;
        match item {
            Item::Root(root) => {
                memo.root = root.clone();
                self.waiting.push(root.span);
            }
            Item::Md(md) if memo.head.is_none() => self.head(md),
            Item::Link(link) => {
                self.waiting.push(link.span);
                memo.links.push(link.clone());
            }
            Item::Entry(entry) => self.entry(entry),
            Item::End(_) => {
                memo.complete = true;
                memo.canonical =
                    self.canonical.take().filter(|_| memo.head.is_some()).map(|canonical| canonical.finish());
                if memo.head.is_none() && memo.root.shape.is_some() {
                    memo.kind = Kind::Sitemap;
                    memo.members = Vec::new();
                }
            }
            _ => {}
        }
    }

    fn head(&mut self, md: &Md) {
        let memo = &mut self.memo;
        let capability = md.attributes.capability().and_then(|field| field.value());
        let known = memo.root.shape.zip(capability);
        memo.kind = known.map_or(Kind::Unknown, |(shape, capability)| Kind::from_parts(shape, capability));
        memo.head = Some(md.clone());
        self.waiting.push(md.span);
        // What will not be compared is not digested further.
        use Kind as K;
        let is_compared = matches!(memo.kind, K::SourceDescription | K::ResourceDumpManifest | K::ChangeDumpManifest);
        if !(memo.is_closed() || is_compared) {
            self.canonical = None;
        }
        if !leads_on(memo.kind) {
            for entry in core::mem::take(&mut memo.members) {
                self.resource(&entry);
            }
        }
    }

    fn entry(&mut self, entry: &Entry) {
        let memo = &mut self.memo;
        memo.entries = memo.entries.saturating_add(1);
        if leads_on(memo.kind) && (memo.members.len() >= MEMBERS || bytes(entry) > ENTRY_BYTES) {
            memo.forgotten = memo.forgotten.saturating_add(1);
        } else if leads_on(memo.kind) || memo.head.is_none() && memo.members.len() < UNDECIDED {
            if !self.full {
                self.waiting.extend(entry.loc.first().map(|loc| loc.field.span()));
                self.waiting.extend(entry.first_md().map(|md| md.span));
                self.waiting.extend(entry.links.iter().take(LINKS).map(|link| link.span));
            }
            memo.members.push(Entry {
                element: entry.element,
                number: entry.number,
                span: entry.span,
                loc: entry.loc.iter().take(1).cloned().collect(),
                md: entry.md.iter().take(1).cloned().collect(),
                links: entry.links.iter().take(LINKS).cloned().collect(),
                ..Entry::default()
            });
        } else {
            self.resource(entry);
        }
    }

    /// An entry about a resource.
    fn resource(&mut self, entry: &Entry) {
        let memo = &mut self.memo;
        let Some(uri) = entry.uri() else { return memo.locs.push(0) };
        let hash = hashed(uri.as_str());
        memo.locs.push(hash);
        for link in &entry.links {
            let Some(rel) = link.attributes.rel().and_then(|rel| rel.value()) else { continue };
            let list = if rel.is("describedby") || rel.is("describes") {
                &mut memo.crossings
            } else if rel.is("canonical") {
                &mut memo.generic
            } else {
                continue;
            };
            if let Some(href) = link.attributes.href().and_then(|href| href.value()).filter(|_| list.len() < CROSSINGS)
            {
                list.push((u32::try_from(entry.number).unwrap_or(u32::MAX), hashed(href.as_str())));
            }
        }
        let Some(md) = entry.first_md() else { return self.sampled(entry, hash) };
        let length = md.attributes.length().and_then(|length| length.value()).map_or(0, |length| length.0);
        memo.declared_bytes = memo.declared_bytes.saturating_add(length);
        if let Some(datetime) = md.attributes.datetime().and_then(|field| field.value())
            && memo.newest.as_ref().is_none_or(|newest| newest.start() < datetime.start())
        {
            memo.newest = Some(datetime.clone());
        }
        self.sampled(entry, hash);
    }

    fn sampled(&mut self, entry: &Entry, hash: u64) {
        let most = match self.sampling {
            Sampling::Some(most) if self.memo.kind == Kind::ResourceList => most,
            Sampling::All if self.memo.kind == Kind::ResourceList => usize::MAX,
            _ => return,
        };
        let place = (if most == usize::MAX { 0 } else { hash }, entry.number);
        let is_full = self.sample.len() >= most;
        if is_full && self.sample.last_key_value().is_none_or(|(last, _)| *last < place) {
            return;
        }
        let kept = Entry {
            element: entry.element,
            number: entry.number,
            span: entry.span,
            loc: entry.loc.iter().take(1).cloned().collect(),
            lastmod: entry.lastmod.iter().take(1).cloned().collect(),
            md: entry.md.iter().take(1).cloned().collect(),
            ..Entry::default()
        };
        self.sample.insert(place, kept);
        if is_full {
            self.sample.pop_last();
        }
    }

    /// Cuts the surroundings that are at hand; the last time also those of lines that nothing ended.
    pub(crate) fn settle(&mut self, last: bool, cut: &dyn Fn(&Span) -> Cut) {
        let waiting = core::mem::take(&mut self.waiting);
        for span in waiting {
            match cut(&span) {
                Cut::Ready(excerpt) => self.memo.excerpts.push((span, excerpt.into())),
                Cut::Wait if !last => self.waiting.push(span),
                Cut::Wait | Cut::Gone => {}
            }
        }
        self.full = self.memo.excerpts.len() >= EXCERPTS;
    }

    /// What is remembered.
    pub(crate) fn finish(mut self) -> Memo {
        let mut sample: Vec<Entry> = self.sample.into_values().collect();
        sample.sort_by_key(|entry| entry.number);
        self.memo.sample = sample;
        self.memo
    }
}

impl Memo {
    /// True for a document in which something of ResourceSync stands, at whatever quality.
    pub(crate) fn is_resource_sync(&self) -> bool {
        self.root.shape.is_some() && (self.head.is_some() || !self.links.is_empty())
    }

    /// True if it says until when it reaches, and so must not change any more. What notifications say is replaced by the next.
    pub(crate) fn is_closed(&self) -> bool {
        use Kind as K;
        matches!(
            self.kind,
            K::ChangeList | K::ChangeListIndex | K::ChangeDump | K::ChangeDumpIndex | K::ChangeDumpManifest
        ) && self.head.as_ref().is_some_and(|head| head.attributes.until().is_some())
    }

    /// The digest of what it says, if it must not change any more.
    pub(crate) fn closed(&self) -> Option<[u8; 32]> {
        self.canonical.filter(|_| self.is_closed())
    }

    /// Only what the report says of a document that must not change any more.
    pub(crate) fn as_closed(&self) -> Memo {
        Memo { kind: self.kind, head: self.head.clone(), canonical: self.canonical, ..Memo::default() }
    }

    /// The first root link of a relation, with its number.
    pub(crate) fn link(&self, relation: &str) -> Option<(u64, &Link)> {
        let is = |link: &Link| link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|rel| rel.is(relation));
        (1..).zip(&self.links).find(|(_, link)| is(link))
    }

    /// The surroundings of a span, as far as they were kept.
    pub(crate) fn excerpt(&self, span: &Span) -> Option<Excerpt> {
        let holds = |own: &Span| own.start.offset <= span.start.offset && span.end.offset <= own.end.offset;
        let (_, excerpt) = self.excerpts.iter().find(|(own, _)| holds(own))?;
        let place = |column: u32| column.checked_sub(excerpt.column);
        let length = u32::try_from(excerpt.text.chars().count()).unwrap_or(u32::MAX);
        let start = place(span.start.column).filter(|start| span.start.line == excerpt.line && *start < length)?;
        let end = if span.end.line == excerpt.line { place(span.end.column)?.min(length) } else { length };
        Some(Excerpt { highlight: (start, end), ..excerpt.clone() })
    }

    /// Points at the root element.
    pub(crate) fn at_root(&self, finding: Finding) -> Finding {
        self.at(finding, self.root.span, None, None, None)
    }

    /// Points at an attribute of the root `rs:md`, or its tag; at the root element where there is none.
    pub(crate) fn at_head(&self, finding: Finding, name: Name) -> Finding {
        let Some(head) = &self.head else { return self.at_root(finding) };
        self.at_md(finding, None, head, name)
    }

    /// Points at the target of a root link.
    pub(crate) fn at_link(&self, finding: Finding, number: u64, link: &Link) -> Finding {
        self.at_any_link(finding, None, number, link)
    }

    /// Points at the `loc` of an entry.
    pub(crate) fn at_loc(&self, finding: Finding, entry: &Entry) -> Finding {
        let span = entry.loc.first().map_or(entry.span, |loc| loc.field.span());
        self.at(finding, span, Some(entry), Some(("loc".to_string(), None)), None)
    }

    /// Points at an attribute of an entry's `rs:md`, or its tag; at the entry where there is none.
    pub(crate) fn at_entry_md(&self, finding: Finding, entry: &Entry, name: Name) -> Finding {
        let Some(md) = entry.first_md() else { return self.at(finding, entry.span, Some(entry), None, None) };
        self.at_md(finding, Some(entry), md, name)
    }

    /// Points at the target of a link in an entry.
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
