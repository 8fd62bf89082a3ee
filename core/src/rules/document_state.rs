//! The state of the Checker; bounded except for 32 bytes per entry for uniqueness.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use super::{FirstSeen, KindProfile, PathStep, first_seen};
use crate::{
    model::{AnyField, Entry, EntryElement, Link, Md, Name},
    span::Span,
    value::{Capability, Change, Datetime, MediaType, Uri},
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

/// The key of an entry's first `loc`, if the kind of document forbids duplicates; computed once, since it is needed twice.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocKey(u64);

impl LocKey {
    pub(super) fn of(profile: &KindProfile, entry: &Entry) -> Option<LocKey> {
        if profile.same_loc == super::Need::May {
            return None;
        }
        let loc = entry.loc.first()?;
        // Borrowed, since `text` would allocate.
        let text = loc.field.loose().or_else(|| loc.field.value().map(Uri::as_str)).unwrap_or_default();
        Some(LocKey(first_seen::key(text)))
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
    pub capabilities: Vec<(Capability, Earlier)>,
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
    /// The first entry whose `loc` has this key.
    pub(super) fn same_loc(&self, key: LocKey, text: &str) -> Option<Span> {
        self.locs.get_by(key.0, text)
    }

    /// Records the values that later entries are compared with.
    pub(super) fn accept(&mut self, profile: &KindProfile, entry: &Entry, loc: Option<LocKey>) {
        self.entries = self.entries.saturating_add(1);
        self.described |= !(entry.md.is_empty() && entry.links.is_empty());
        // The latest spelling is kept; only the moment matters.
        let own = entry.first_md().and_then(|md| md.attributes.datetime()).and_then(|field| field.exact());
        let same = self.entries == 1 || own.map(Datetime::start) == self.one_datetime.as_ref().map(Datetime::start);
        self.one_datetime = own.filter(|_| same).cloned();
        if let Some((key, loc)) = loc.zip(entry.loc.first()) {
            self.locs.insert_by(key.0, loc.field.span().start);
        }
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
            && self.capabilities.len() < 64
            && !self.capabilities.iter().any(|(seen, _)| seen == capability)
        {
            self.capabilities.push((capability.clone(), Earlier::of(entry)));
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
