//! Builds valid payloads from changes: Change Notifications of resources, Framework Notifications of documents.

use alloc::{boxed::Box, collections::BTreeSet, string::String, vec::Vec};
use core::fmt;

use resourcesync::{
    build::{BuildOptions, Builder, FrameworkChange, PublishedDocument, Refused},
    diagnostic::Code,
    model::{AttributeValue, Entry, Field, Head, Link, Md},
    value::{Capability, Change, Datetime, Relation, Uri},
};

use crate::payload::{Channel, Payload, Rejected};

/// The options of payloads.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The Capability List of the set.
    pub capability_list: Option<Uri>,
    /// The Source Description, to which Framework Notifications about Capability Lists link.
    pub source_description: Option<Uri>,
    /// Maximum bytes of a payload; a single change may need more. Deployed subscribers reject more than 1
    /// MiB.
    pub bytes: u64,
    /// Maximum entries of a payload.
    pub entries: u64,
    /// The findings to accept, and the limits of reading.
    pub build: BuildOptions,
}

impl Default for Options {
    fn default() -> Options {
        let mut build = BuildOptions::default();
        // Changes that all have the same datetime deserve an info, but do not prevent the announcement.
        build.selection = build.selection.without(Code::ADV_03);
        Options { capability_list: None, source_description: None, bytes: 1_000_000, entries: 10_000, build }
    }
}

/// Bytes reserved for the end of the interval in the head.
const SPARE: u64 = 64;

/// The Change Notifications of an interval, in order; none without changes.
///
/// Changes are sorted by their `datetime`; otherwise as [`Announcer`].
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
/// As [`Announcer::push`].
pub fn changes(
    from: Datetime,
    until: Datetime,
    entries: impl IntoIterator<Item = impl Into<Entry>>,
    options: &Options,
) -> Result<Vec<Payload>, AnnounceError> {
    let mut dated = entries.into_iter().map(|entry| dated(entry.into())).collect::<Result<Vec<_>, _>>()?;
    dated.sort_by_key(|(datetime, _)| datetime.start());
    let (mut announcer, mut payloads) = (Announcer::new(from, until, options.clone()), Vec::new());
    for (_, entry) in dated {
        payloads.extend(announcer.push(entry)?);
    }
    payloads.extend(announcer.finish()?);
    Ok(payloads)
}

/// Builds the Change Notifications of an interval, from changes sorted by `datetime`. At most one payload is buffered.
///
/// A full payload ends at the `datetime` of its last entry, where the next one starts, so that the intervals are contiguous. Too many
/// changes of one moment are split into several payloads, whose interval starts and ends at that moment.
#[derive(Debug)]
pub struct Announcer {
    options: Options,
    from: Datetime,
    until: Datetime,
    part: Option<Box<Part>>,
    /// The `datetime` of the last change.
    last: Option<Datetime>,
}

impl Announcer {
    /// For the changes between two moments.
    pub fn new(from: Datetime, until: Datetime, options: Options) -> Announcer {
        Announcer { options, from, until, part: None, last: None }
    }

    /// Adds a change; returns a payload when one is full.
    ///
    /// # Errors
    ///
    /// If the change has no `datetime`, or is invalid, for example outside the interval or out of order.
    pub fn push(&mut self, entry: impl Into<Entry>) -> Result<Option<Payload>, AnnounceError> {
        let (datetime, entry) = dated(entry.into())?;
        let head = self.head(&self.until);
        let part = match self.part.take() {
            Some(part) => part,
            None => Part::begin(Channel::ChangeNotification, head, &self.options)?,
        };
        let full = match part.push(entry, &self.options)? {
            Push::Taken(part) => {
                self.part = Some(part);
                None
            }
            Push::Full(part, entry) => {
                // Only now its end is known.
                let end = self.last.take().map_or_else(|| self.from.clone(), |last| last.to_utc());
                let payload = part.rewrite(self.head(&end), &self.options)?;
                self.from = end;
                let next = Part::begin(Channel::ChangeNotification, self.head(&self.until), &self.options)?;
                self.part = Some(next.with(*entry)?);
                Some(payload)
            }
        };
        self.last = Some(datetime);
        Ok(full)
    }

    /// Ends the interval; returns the last payload, if there are further changes.
    ///
    /// # Errors
    ///
    /// If the payload as a whole is invalid.
    pub fn finish(self) -> Result<Option<Payload>, AnnounceError> {
        self.part.map(Part::finish).transpose()
    }

    fn head(&self, until: &Datetime) -> Head {
        let times =
            [AttributeValue::From(Field::new(self.from.clone())), AttributeValue::Until(Field::new(until.clone()))];
        head(self.options.capability_list.as_ref(), times)
    }
}

/// A change of a document of a Source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentChange {
    /// The capability of the document.
    pub capability: Capability,
    /// Its URI.
    pub uri: Uri,
    /// The type of change.
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

/// The changes of the documents of a set, or of the Source Description, between two publications.
///
/// Documents are compared by their bytes. Changes that are undefined in a Framework Notification (its Table 2) are not reported: a list
/// that is no longer published, and a changed index. A changed Resource Dump is a new one. Of several new documents of one index the first
/// is reported; the others are found through the index.
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

/// The Framework Notifications about documents: one, unless there are too many changes.
///
/// # Errors
///
/// If a change is invalid, for example the deletion of a Resource List.
pub fn documents(
    changes: impl IntoIterator<Item = DocumentChange>,
    options: &Options,
) -> Result<Vec<Payload>, AnnounceError> {
    let changes: Vec<DocumentChange> = changes.into_iter().collect();
    let all = |is: fn(&Capability) -> bool| changes.iter().all(|change| is(&change.capability));
    // Framework Notification 1.0.1 §3 specifies a target if all entries are of one level, and none for a
    // mixture.
    let up = if all(|capability| *capability == Capability::CapabilityList) {
        options.source_description.as_ref()
    } else if all(|capability| !matches!(capability, Capability::CapabilityList | Capability::Description)) {
        options.capability_list.as_ref()
    } else {
        None
    };
    let begin = || Part::begin(Channel::FrameworkNotification, head(up, []), options);
    let (mut payloads, mut part) = (Vec::new(), None);
    for change in changes.iter().cloned() {
        let open = part.take().map_or_else(begin, Ok)?;
        part = Some(match open.push(change.into(), options)? {
            Push::Taken(part) => part,
            Push::Full(part, entry) => {
                payloads.push(part.rewrite(head(up, []), options)?);
                begin()?.with(*entry)?
            }
        });
    }
    payloads.extend(part.map(Part::finish).transpose()?);
    Ok(payloads)
}

/// A payload being built.
#[derive(Debug)]
struct Part {
    channel: Channel,
    /// The document with all entries, and possibly one too many.
    builder: Builder,
    entries: Vec<Entry>,
}

/// Whether an entry fitted.
enum Push {
    Taken(Box<Part>),
    /// It belongs to the next part.
    Full(Box<Part>, Box<Entry>),
}

impl Part {
    fn begin(channel: Channel, head: Head, options: &Options) -> Result<Box<Part>, AnnounceError> {
        let builder = Builder::new(channel.kind(), head, options.build.clone())?;
        Ok(Box::new(Part { channel, builder, entries: Vec::new() }))
    }

    /// Adds an entry if it fits. Every part has at least one entry, regardless of its size.
    fn push(mut self: Box<Self>, entry: Entry, options: &Options) -> Result<Push, AnnounceError> {
        let has_entries = !self.entries.is_empty();
        if has_entries && self.entries.len() as u64 >= options.entries {
            return Ok(Push::Full(self, Box::new(entry)));
        }
        match self.builder.push(entry.clone()) {
            Err(refused) if refused.is_full() && has_entries => return Ok(Push::Full(self, Box::new(entry))),
            verdict => verdict?,
        }
        if has_entries && self.builder.bytes().saturating_add(SPARE) > options.bytes {
            return Ok(Push::Full(self, Box::new(entry)));
        }
        self.entries.push(entry);
        Ok(Push::Taken(self))
    }

    /// Creates a payload with its first entry.
    fn with(mut self: Box<Self>, entry: Entry) -> Result<Box<Part>, AnnounceError> {
        self.builder.push(entry.clone())?;
        self.entries.push(entry);
        Ok(self)
    }

    /// The same entries with another head.
    fn rewrite(self: Box<Self>, head: Head, options: &Options) -> Result<Payload, AnnounceError> {
        let begun = Part::begin(self.channel, head, options)?;
        self.entries.into_iter().try_fold(begun, Part::with)?.finish()
    }

    fn finish(self: Box<Self>) -> Result<Payload, AnnounceError> {
        Ok(Payload::read(self.builder.finish()?.into_bytes(), self.channel)?)
    }
}

fn head(up: Option<&Uri>, times: impl IntoIterator<Item = AttributeValue>) -> Head {
    let mut md = Md::default();
    times.into_iter().for_each(|time| md.attributes.set(time));
    let links = up.into_iter().map(|uri| Link::new(Relation::UP, uri.clone())).collect();
    Head { md: Vec::from([md]), links, ..Head::default() }
}

/// A change with its `datetime`.
fn dated(entry: Entry) -> Result<(Datetime, Entry), AnnounceError> {
    let datetime = entry.first_md().and_then(|md| md.attributes.datetime()).and_then(|field| field.value()).cloned();
    match datetime {
        Some(datetime) => Ok((datetime, entry)),
        None => Err(AnnounceError::NoDatetime(entry.uri().map(|uri| uri.as_str().into()).unwrap_or_default())),
    }
}

/// Errors of announcing changes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AnnounceError {
    /// An invalid change.
    Refused(Refused),
    /// A change without datetime; with its URI.
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
