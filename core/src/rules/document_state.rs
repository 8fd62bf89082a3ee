//! The state of the Checker; bounded except for 32 bytes per entry for uniqueness.

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};

use super::{FirstSeen, KindProfile, first_seen};
use crate::{
    limits::STANDARD_ENTRIES,
    model::{AnyField, Entry, EntryElement, Link, Md, Name},
    span::{Place, Span},
    value::{self, Capability, Change, Datetime, MediaType, Uri, is_key, key},
};

/// A previous entry.
#[derive(Debug, Clone)]
pub struct Earlier {
    /// `url` or `sitemap`.
    pub element: EntryElement,
    /// Its number, from 1.
    pub number: u64,
    /// Its URI.
    pub loc: Option<String>,
    /// Its start tag.
    pub span: Span,
    /// Its first `rs:md`.
    pub md: Option<Span>,
}

impl Earlier {
    fn of(entry: &Entry) -> Earlier {
        Earlier {
            element: entry.element,
            number: entry.number,
            loc: entry.loc.first().map(|loc| loc.field.text().to_string()),
            span: entry.span,
            md: entry.first_md().map(|md| md.span),
        }
    }
}

/// The keys of an entry's first `loc`, if the kind of document forbids duplicates.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocKey {
    /// As written.
    text: u64,
    /// The same for all spellings of the URI: of documents there are few, and each is fetched by its URI.
    uri: Option<u64>,
}

impl LocKey {
    pub(super) fn of(seed: u64, profile: &KindProfile, entry: &Entry) -> Option<LocKey> {
        if profile.same_loc == super::Need::May {
            return None;
        }
        let loc = entry.loc.first()?;
        // Borrowed, since `text` would allocate.
        let text = loc.field.loose().or_else(|| loc.field.value().map(Uri::as_str)).unwrap_or_default();
        let is_another = profile.lists_documents() && !is_key(text);
        let own = first_seen::key(seed, text);
        // Some URIs have no other spelling although they do not look like it.
        let uri = is_another.then(|| first_seen::key(seed, &key(text))).filter(|uri| *uri != own);
        Some(LocKey { text: own, uri })
    }
}

/// The first entry with the same `loc`.
#[derive(Debug, Clone, Copy)]
pub(super) struct FirstLoc {
    start: Place,
    /// True if it is another spelling of the same URI.
    is_another: bool,
}

impl FirstLoc {
    /// The position of the `loc`, given the text of a later one.
    pub(super) fn span(self, text: &str) -> Span {
        let end = if self.is_another { self.start.after(&value::key(text)) } else { self.start.after(text) };
        Span::new(self.start, end)
    }
}

/// The state of the accepted items.
#[derive(Debug, Default)]
pub struct DocumentState {
    /// Entries accepted.
    pub entries: u64,
    /// The root's first `rs:md`.
    pub md: Option<Md>,
    /// `rs:md` children of the root.
    pub md_count: u64,
    /// The root's links, up to the limit.
    pub links: Vec<Link>,
    /// The last value of the attribute by which entries are sorted, and its entry.
    pub last: Option<(Datetime, Earlier)>,
    /// `loc` of entries, if the kind forbids duplicates.
    pub locs: FirstSeen,
    /// `path` of entries.
    pub paths: FirstSeen,
    /// Listed capabilities, with the first entry of each.
    pub capabilities: BTreeMap<Capability, Earlier>,
    /// The first `type` of a package.
    pub package_type: Option<(MediaType, Earlier)>,
    /// The last entry, if it has `from` and no `until`: an open member of an index.
    pub open_member: Option<Earlier>,
    /// The first root `rs:md` or `rs:ln` that came after an entry.
    pub late: Option<(PathStep, Span)>,
    /// True if an entry has an `rs:md` or `rs:ln`.
    pub described: bool,
    /// The number of entries with `updated`.
    pub updates: u64,
    /// The `datetime` of all entries so far, as long as it is the same.
    pub one_datetime: Option<Datetime>,
}

impl DocumentState {
    /// Nothing yet, with the seed of a run.
    pub(super) fn seeded(seed: u64) -> DocumentState {
        let seen = || FirstSeen::seeded(seed);
        DocumentState { locs: seen(), paths: seen(), ..DocumentState::default() }
    }

    /// The first entry whose `loc` has this key, or is the same URI.
    pub(super) fn first_loc(&self, key: LocKey) -> Option<FirstLoc> {
        let own = self.locs.get_by(key.text).map(|start| FirstLoc { start, is_another: false });
        own.or_else(|| self.locs.get_by(key.uri?).map(|start| FirstLoc { start, is_another: true }))
    }

    /// Records the `loc` of an entry and returns the first entry with the same, which is looked up and recorded at once.
    pub(super) fn enter_loc(&mut self, key: LocKey, entry: &Entry) -> Option<FirstLoc> {
        let at = entry.loc.first()?.field.span().start;
        let own = self.locs.enter(key.text, at).map(|start| FirstLoc { start, is_another: false });
        let same = key.uri.and_then(|uri| self.locs.enter(uri, at)).map(|start| FirstLoc { start, is_another: true });
        own.or(same)
    }

    /// Records the values that later entries are compared with, except the `loc`.
    pub(super) fn accept(&mut self, profile: &KindProfile, entry: &Entry) {
        self.entries = self.entries.saturating_add(1);
        self.described |= !(entry.md.is_empty() && entry.links.is_empty());
        // The latest spelling is kept; only the moment matters.
        let own = entry.first_md().and_then(|md| md.attributes.datetime()).and_then(|field| field.exact());
        let same = self.entries == 1 || own.map(Datetime::start) == self.one_datetime.as_ref().map(Datetime::start);
        self.one_datetime = own.filter(|_| same).cloned();
        self.open_member = None;
        let Some(md) = entry.first_md() else { return };
        let attributes = &md.attributes;
        if attributes.change().and_then(|change| change.value()) == Some(&Change::Updated) {
            self.updates = self.updates.saturating_add(1);
        }
        // A deletion has no bitstream, so its path does not occupy a name.
        let deleted = attributes.change().and_then(|change| change.value()) == Some(&Change::Deleted);
        if let Some(path) = attributes.path().filter(|_| !deleted && profile.entry_need(Name::Path) != super::Need::May)
        {
            self.paths.insert(&path.text(), path.span().start);
        }
        if let Some((name, _)) = profile.order {
            let datetime = if name == Name::From { attributes.from() } else { attributes.datetime() };
            // The last value, not the latest one: after an entry that is too early, the following ones are in
            // order.
            if let Some(now) = datetime.and_then(|field| field.exact()) {
                self.last = Some((now.clone(), Earlier::of(entry)));
            }
        }
        if let Some(capability) = attributes.capability().and_then(|field| field.exact())
            // More entries are an error of their own (GEN-18).
            && self.entries <= STANDARD_ENTRIES
            && !self.capabilities.contains_key(capability)
        {
            self.capabilities.insert(capability.clone(), Earlier::of(entry));
        }
        if self.package_type.is_none() {
            let media_type = attributes.media_type().and_then(|field| field.value());
            self.package_type = media_type.map(|media_type| (media_type.clone(), Earlier::of(entry)));
        }
        if attributes.from().is_some() && attributes.until().is_none() {
            self.open_member = Some(Earlier::of(entry));
        }
    }
}

/// The element being checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathStep {
    /// The root or the entry itself.
    Own,
    /// An `rs:md`, with its number from 1.
    Md(u64),
    /// An `rs:ln`, with its number from 1.
    Link(u64),
}
