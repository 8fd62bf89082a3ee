//! From changes to payloads in which no Checker finds anything: Change Notifications of resources, Framework Notifications of documents.

use alloc::{collections::BTreeSet, string::String, vec::Vec};
use core::fmt;

use resourcesync::{
    build::{BuildOptions, Builder, FrameworkChange, PublishedDocument, Refused},
    diagnostic::Code,
    model::{AttributeValue, Entry, Field, Head, Link, Md},
    value::{Capability, Change, Datetime, Relation, Uri},
};

use crate::payload::{Channel, Payload, Rejected};

/// How payloads are made.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The Capability List of the set.
    pub capability_list: Option<Uri>,
    /// The Source Description, to which a Framework Notification about Capability Lists points.
    pub source_description: Option<Uri>,
    /// Bytes of a payload; a single change may need more. Deployed subscribers refuse more than 1 MiB.
    pub bytes: u64,
    /// Entries of a payload.
    pub entries: u64,
    /// What may pass, and the limits of reading.
    pub build: BuildOptions,
}

impl Default for Options {
    fn default() -> Options {
        let mut build = BuildOptions::default();
        // That all changes are of one moment is worth a note to readers, not a reason to announce nothing.
        build.selection = build.selection.without(Code::ADV_03);
        Options { capability_list: None, source_description: None, bytes: 1_000_000, entries: 10_000, build }
    }
}

/// Bytes that the head may grow by when the end of an interval is known.
const SPARE: u64 = 64;

/// The Change Notifications of an interval, in order; none where there are no changes.
///
/// Changes are sorted by their `datetime`. A payload that is full ends at the `datetime` of its last entry, where the next one begins, so
/// that the intervals are contiguous. Changes of one moment that are too many for one payload become several, of the interval from that
/// moment to itself.
///
/// ```
/// use resourcesync::build::NotifiedChange;
/// use resourcesync_notify::announce::{Options, changes};
///
/// let created = NotifiedChange::created("https://example.com/1".parse()?).at("2026-11-21T09:00:00Z".parse()?);
/// let payloads = changes("2026-11-21T08:55:00Z".parse()?, "2026-11-21T09:05:00Z".parse()?, [created], &Options::default())?;
/// assert_eq!((payloads.len(), payloads[0].entries()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If a change has no `datetime`, or the Checker finds something wrong with it: that it is outside the interval, say.
pub fn changes(
    from: Datetime,
    until: Datetime,
    entries: impl IntoIterator<Item = impl Into<Entry>>,
    options: &Options,
) -> Result<Vec<Payload>, AnnounceError> {
    let mut dated = entries.into_iter().map(|entry| dated(entry.into())).collect::<Result<Vec<_>, _>>()?;
    dated.sort_by_key(|(datetime, _)| datetime.start());
    let (datetimes, entries): (Vec<Datetime>, Vec<Entry>) = dated.into_iter().unzip();
    let head = |from: &Datetime, until: &Datetime| {
        let times = [AttributeValue::From(Field::new(from.clone())), AttributeValue::Until(Field::new(until.clone()))];
        head(options.capability_list.as_ref(), times)
    };
    let (mut payloads, mut begun, mut from) = (Vec::new(), 0, from);
    while let Some(rest) = entries.get(begun..).filter(|rest| !rest.is_empty()) {
        let mut part = Part::fill(Channel::ChangeNotification, head(&from, &until), rest, options)?;
        let next = part.entries.saturating_add(begun);
        let mut end = until.clone();
        if part.entries < rest.len() {
            // Only now it is known where it ends.
            end = datetimes.get(next.saturating_sub(1)).map_or(end, Datetime::to_utc);
            let own = rest.get(..part.entries).unwrap_or(rest);
            part = Part::of(Channel::ChangeNotification, head(&from, &end), own, options)?;
        }
        payloads.push(part.payload()?);
        (begun, from) = (next, end);
    }
    Ok(payloads)
}

/// Something that happened to a document of a Source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentChange {
    /// What the document is for.
    pub capability: Capability,
    /// Where it is.
    pub uri: Uri,
    /// What happened.
    pub change: Change,
    /// The index that lists it.
    pub index: Option<Uri>,
    /// When it happened.
    pub datetime: Option<Datetime>,
}

impl From<DocumentChange> for Entry {
    fn from(change: DocumentChange) -> Entry {
        let DocumentChange { capability, uri, change, index, datetime } = change;
        let entry = FrameworkChange::new(uri, change, capability);
        let entry = index.into_iter().fold(entry, FrameworkChange::index);
        datetime.into_iter().fold(entry, FrameworkChange::at).into()
    }
}

/// What happened to the documents of a set, or to the Source Description, from one publication to the next.
///
/// Documents are compared by their bytes. What has no meaning in a Framework Notification is not reported (its Table 2): that a list is no
/// longer published, and that an index changed. A Resource Dump that changes is a new one. Of several new members of one index the first is
/// reported, the others are found through the index.
pub fn document_changes(
    before: &[PublishedDocument],
    after: &[PublishedDocument],
    datetime: Option<&Datetime>,
) -> Vec<DocumentChange> {
    let change = |document: &PublishedDocument, change| DocumentChange {
        capability: document.capability.clone(),
        uri: document.uri.clone(),
        change,
        index: document.index.clone(),
        datetime: datetime.cloned(),
    };
    let find = |documents: &[PublishedDocument], uri: &Uri| documents.iter().position(|own| own.uri == *uri);
    let mut grown = BTreeSet::new();
    let mut changes = Vec::new();
    for document in after {
        let earlier = find(before, &document.uri).and_then(|at| before.get(at));
        let happened = match earlier {
            Some(earlier) if earlier.sha256 == document.sha256 => continue,
            Some(_) if document.capability != Capability::ResourceDump => Change::Updated,
            _ => Change::Created,
        };
        let is_known = happened == Change::Created && document.index.clone().is_some_and(|index| !grown.insert(index));
        if !is_known {
            changes.push(change(document, happened));
        }
    }
    let may_go = |document: &&PublishedDocument| {
        matches!(document.capability, Capability::CapabilityList | Capability::Description)
            && find(after, &document.uri).is_none()
    };
    changes.extend(before.iter().filter(may_go).map(|document| change(document, Change::Deleted)));
    changes
}

/// The Framework Notifications about documents; one, unless there are too many changes for it.
///
/// # Errors
///
/// If the Checker finds something wrong with a change: that a Resource List was deleted, say.
pub fn documents(
    changes: impl IntoIterator<Item = DocumentChange>,
    options: &Options,
) -> Result<Vec<Payload>, AnnounceError> {
    let changes: Vec<DocumentChange> = changes.into_iter().collect();
    let all = |is: fn(&Capability) -> bool| changes.iter().all(|change| is(&change.capability));
    // Framework Notification 1.0.1 §3 names a target where all entries are of one level, and none for a mixture.
    let up = if all(|capability| *capability == Capability::CapabilityList) {
        options.source_description.as_ref()
    } else if all(|capability| !matches!(capability, Capability::CapabilityList | Capability::Description)) {
        options.capability_list.as_ref()
    } else {
        None
    };
    let entries: Vec<Entry> = changes.iter().cloned().map(Entry::from).collect();
    let (mut payloads, mut begun) = (Vec::new(), 0_usize);
    while let Some(rest) = entries.get(begun..).filter(|rest| !rest.is_empty()) {
        let part = Part::fill(Channel::FrameworkNotification, head(up, []), rest, options)?;
        begun = begun.saturating_add(part.entries);
        payloads.push(part.payload()?);
    }
    Ok(payloads)
}

/// A document with as many entries as there is room for.
struct Part {
    channel: Channel,
    text: String,
    entries: usize,
}

impl Part {
    /// With these entries, whatever the options allow.
    fn of(channel: Channel, head: Head, entries: &[Entry], options: &Options) -> Result<Part, AnnounceError> {
        let mut builder = Builder::new(channel.kind(), head, options.build.clone())?;
        entries.iter().try_for_each(|entry| builder.push(entry.clone()))?;
        Ok(Part { channel, text: builder.finish()?, entries: entries.len() })
    }

    /// With as many of the entries as there is room for, and one at least.
    fn fill(channel: Channel, head: Head, entries: &[Entry], options: &Options) -> Result<Part, AnnounceError> {
        let mut builder = Builder::new(channel.kind(), head.clone(), options.build.clone())?;
        let most = usize::try_from(options.entries.max(1)).unwrap_or(usize::MAX);
        let mut taken = 0_usize;
        for entry in entries.iter().take(most) {
            let has_room = match builder.push(entry.clone()) {
                Ok(()) => builder.bytes().saturating_add(SPARE) <= options.bytes,
                Err(refused) if refused.is_full() => false,
                Err(refused) => return Err(refused.into()),
            };
            if !has_room && taken > 0 {
                return Part::of(channel, head, entries.get(..taken).unwrap_or(entries), options);
            }
            taken = taken.saturating_add(1);
        }
        Ok(Part { channel, text: builder.finish()?, entries: taken })
    }

    fn payload(self) -> Result<Payload, AnnounceError> {
        Ok(Payload::read(self.text.into_bytes(), self.channel)?)
    }
}

fn head(up: Option<&Uri>, times: impl IntoIterator<Item = AttributeValue>) -> Head {
    let mut md = Md::default();
    times.into_iter().for_each(|time| md.attributes.set(time));
    let link = |uri: &Uri| {
        let mut link = Link::default();
        link.attributes.set(AttributeValue::Rel(Field::new(Relation::UP)));
        link.attributes.set(AttributeValue::Href(Field::new(uri.clone())));
        link
    };
    Head { md: Vec::from([md]), links: up.into_iter().map(link).collect(), ..Head::default() }
}

/// A change with its `datetime`.
fn dated(entry: Entry) -> Result<(Datetime, Entry), AnnounceError> {
    let datetime = entry.first_md().and_then(|md| md.attributes.datetime()).and_then(|field| field.value()).cloned();
    match datetime {
        Some(datetime) => Ok((datetime, entry)),
        None => Err(AnnounceError::NoDatetime(entry.uri().map(|uri| uri.as_str().into()).unwrap_or_default())),
    }
}

/// Why changes were not announced.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AnnounceError {
    /// The Checker found something wrong.
    Refused(Refused),
    /// A change does not say when it happened; its URI.
    NoDatetime(String),
    /// What was built is not valid; a bug.
    Rejected(Rejected),
}

impl From<Refused> for AnnounceError {
    fn from(refused: Refused) -> AnnounceError {
        AnnounceError::Refused(refused)
    }
}

impl From<Rejected> for AnnounceError {
    fn from(rejected: Rejected) -> AnnounceError {
        AnnounceError::Rejected(rejected)
    }
}

impl fmt::Display for AnnounceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnnounceError::Refused(refused) => refused.fmt(f),
            AnnounceError::NoDatetime(uri) => write!(f, "the change of `{uri}` has no datetime"),
            AnnounceError::Rejected(rejected) => rejected.fmt(f),
        }
    }
}

impl core::error::Error for AnnounceError {}
