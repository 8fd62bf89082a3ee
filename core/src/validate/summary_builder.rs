//! Summarizes a document while it is validated.

use alloc::{boxed::Box, collections::BTreeMap, vec::Vec};
use core::hash::Hasher;

use siphasher::sip::SipHasher13;

use super::{DocumentSummary, Event};
use crate::{
    limits::Limits,
    model::{AnyField, Entry, Item, Kind, Md},
    read::Canonical,
    rules::KindProfile,
    span::Span,
    value::{Uri, is_key, key},
    xml::Cut,
};

/// Maximum entries kept while the kind is unknown.
const UNDECIDED: usize = 10_000;
/// Maximum excerpts kept per document, for findings after it was read.
const EXCERPTS: usize = 2_000;
/// Maximum links of one type between resources kept per document.
const METADATA_LINKS: usize = 1_000_000;

/// Which resources to fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Sampling {
    #[default]
    Nothing,
    /// This many, chosen deterministically and spread over the document.
    Some(usize),
    All,
}

/// The hash of a resource: equal for all spellings of a URI.
pub(crate) fn hashed(seed: u64, uri: &str) -> u64 {
    let mut hasher = SipHasher13::new_with_keys(seed, !seed);
    if is_key(uri) {
        hasher.write(uri.as_bytes());
    } else {
        hasher.write(key(uri).as_bytes());
    }
    hasher.finish()
}

/// Receives each item of a document during validation. A trait object, so that programs that never crawl do not link the
/// implementation.
pub(crate) trait Observer: core::fmt::Debug + Send + Sync {
    /// Receives the next item.
    fn take(&mut self, item: Item<'_>);

    /// Extracts the excerpts that are available; at the end also those of unfinished lines.
    fn settle(&mut self, last: bool, cut: &dyn Fn(&Span) -> Cut);

    /// See [`DocumentSummary::is_resource_sync`].
    fn is_resource_sync(&self) -> bool;

    /// Returns the summary.
    fn finish(self: Box<Self>) -> DocumentSummary;
}

/// Bytes kept of an entry.
fn bytes(entry: &Entry) -> u64 {
    let links = entry.links.iter().map(|link| link.span);
    let loc = entry.loc.first().map(|loc| loc.field.span());
    let spans = entry.first_md().map(|md| md.span).into_iter().chain(loc).chain(links);
    spans.map(|span| span.length()).fold(0, u64::saturating_add)
}

fn leads_on(kind: Kind) -> bool {
    KindProfile::of(kind).lists_documents()
}

/// Builds the summary of a document.
#[derive(Debug)]
pub(crate) struct SummaryBuilder {
    seed: u64,
    /// Maximum entries kept, and maximum bytes of each.
    most: (u64, u32),
    summary: DocumentSummary,
    sampling: Sampling,
    /// The sample so far, ordered by a hash.
    sample: BTreeMap<(u64, u64), Entry>,
    canonical: Option<Box<Canonical>>,
    /// Spans whose excerpt is not available yet.
    waiting: Vec<Span>,
    /// True once no further excerpts are extracted.
    full: bool,
}

impl SummaryBuilder {
    pub(crate) fn new(sampling: Sampling, seed: u64, limits: &Limits) -> SummaryBuilder {
        SummaryBuilder {
            seed,
            most: (limits.kept_entries, limits.kept_entry_bytes),
            summary: DocumentSummary::default(),
            sampling,
            sample: BTreeMap::new(),
            canonical: Some(Box::default()),
            waiting: Vec::new(),
            full: false,
        }
    }

    fn head(&mut self, md: &Md) {
        let summary = &mut self.summary;
        let capability = md.attributes.capability().and_then(|field| field.value());
        let known = summary.root.shape.zip(capability);
        summary.kind = known.map_or(Kind::Unknown, |(shape, capability)| Kind::from_parts(shape, capability));
        summary.head = Some(md.clone());
        self.waiting.push(md.span);
        // The digest is needed only for documents that will be compared. A manifest may also be linked from its dump,
        // and a Source Description may have several URIs.
        let is_compared = summary.kind == Kind::SourceDescription || KindProfile::of(summary.kind).is_manifest();
        if !(summary.is_closed() || is_compared) {
            self.canonical = None;
        }
        if !leads_on(summary.kind) {
            for entry in core::mem::take(&mut summary.members) {
                self.resource(&entry);
            }
        }
    }

    fn entry(&mut self, entry: &Entry) {
        let summary = &mut self.summary;
        summary.entries = summary.entries.saturating_add(1);
        let (most, bytes_each) = self.most;
        let is_over = summary.members.len() as u64 >= most || bytes(entry) > bytes_each.into();
        if leads_on(summary.kind) && is_over {
            summary.forgotten = summary.forgotten.saturating_add(1);
        } else if leads_on(summary.kind) || summary.head.is_none() && summary.members.len() < UNDECIDED {
            if !self.full {
                self.waiting.extend(entry.loc.first().map(|loc| loc.field.span()));
                self.waiting.extend(entry.first_md().map(|md| md.span));
                self.waiting.extend(entry.links.iter().map(|link| link.span));
            }
            summary.members.push(Entry {
                element: entry.element,
                number: entry.number,
                span: entry.span,
                loc: entry.loc.iter().take(1).cloned().collect(),
                lastmod: entry.lastmod.iter().take(1).cloned().collect(),
                md: entry.md.iter().take(1).cloned().collect(),
                links: entry.links.to_vec(),
                ..Entry::default()
            });
        } else {
            self.resource(entry);
        }
    }

    /// Adds an entry for a resource.
    fn resource(&mut self, entry: &Entry) {
        let summary = &mut self.summary;
        summary.events.push(Event::of(entry));
        let Some(uri) = entry.uri() else { return summary.locs.push(0) };
        let hash = hashed(self.seed, uri.as_str());
        summary.locs.push(hash);
        for link in &entry.links {
            let Some(rel) = link.attributes.rel().and_then(|rel| rel.value()) else { continue };
            let list = if rel.is("describedby") || rel.is("describes") {
                &mut summary.metadata_links
            } else if rel.is("canonical") {
                &mut summary.generic
            } else {
                continue;
            };
            let Some(href) = link.attributes.href().and_then(|href| href.value()) else { continue };
            if list.len() < METADATA_LINKS {
                list.push((u32::try_from(entry.number).unwrap_or(u32::MAX), hashed(self.seed, href.as_str())));
            } else {
                summary.forgotten = summary.forgotten.saturating_add(1);
            }
        }
        let Some(md) = entry.first_md() else { return self.sampled(entry, uri) };
        let length = md.attributes.length().and_then(|length| length.value()).map_or(0, |length| length.0);
        summary.declared_bytes = summary.declared_bytes.saturating_add(length);
        if let Some(datetime) = md.attributes.datetime().and_then(|field| field.value())
            && summary.newest.as_ref().is_none_or(|newest| newest.start() < datetime.start())
        {
            summary.newest = Some(datetime.clone());
        }
        self.sampled(entry, uri);
    }

    fn sampled(&mut self, entry: &Entry, uri: &Uri) {
        let most = match self.sampling {
            Sampling::Some(most) if self.summary.kind == Kind::ResourceList => most,
            Sampling::All if self.summary.kind == Kind::ResourceList => usize::MAX,
            _ => return,
        };
        // The report must not depend on the seed.
        let place = (if most == usize::MAX { 0 } else { hashed(0, uri.as_str()) }, entry.number);
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
}

impl Observer for SummaryBuilder {
    fn take(&mut self, item: Item<'_>) {
        if let Some(canonical) = &mut self.canonical {
            canonical.add(item);
        }
        let summary = &mut self.summary;
        match item {
            Item::Root(root) => {
                summary.root = root.clone();
                self.waiting.push(root.span);
            }
            Item::Md(md) if summary.head.is_none() => self.head(md),
            Item::Link(link) => {
                self.waiting.push(link.span);
                summary.links.push(link.clone());
            }
            Item::Entry(entry) => self.entry(entry),
            Item::End(_) => {
                summary.complete = summary.forgotten == 0 || leads_on(summary.kind);
                summary.canonical =
                    self.canonical.take().filter(|_| summary.head.is_some()).map(|canonical| canonical.finish());
                if summary.head.is_none() && summary.root.shape.is_some() {
                    summary.kind = Kind::Sitemap;
                    summary.members = Vec::new();
                }
            }
            _ => {}
        }
    }

    fn settle(&mut self, last: bool, cut: &dyn Fn(&Span) -> Cut) {
        let waiting = core::mem::take(&mut self.waiting);
        for span in waiting {
            match cut(&span) {
                Cut::Ready(excerpt) => self.summary.excerpts.push((span, excerpt.into())),
                Cut::Wait if !last => self.waiting.push(span),
                Cut::Wait | Cut::Gone => {}
            }
        }
        self.full = self.summary.excerpts.len() >= EXCERPTS;
    }

    fn is_resource_sync(&self) -> bool {
        self.summary.is_resource_sync()
    }

    fn finish(mut self: Box<Self>) -> DocumentSummary {
        let mut sample: Vec<Entry> = self.sample.into_values().collect();
        sample.sort_by_key(|entry| entry.number);
        self.summary.sample = sample;
        self.summary
    }
}
