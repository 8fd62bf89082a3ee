//! A change described by a Change List.

use alloc::{
    borrow::Cow,
    string::{String, ToString},
};

use resourcesync::{
    model::{AnyField, Entry},
    value,
};

use crate::listed_resource::{ListedResource, moment};

/// An entry of a Change List.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Its position in the document, from 0.
    pub position: u64,
    /// The resource after the change; `None` if its `loc` cannot be read.
    pub resource: Option<ListedResource>,
    /// True if the resource was deleted. An unknown or missing `change` is an update.
    pub is_deleted: bool,
    /// When it changed, as written.
    pub datetime: Option<String>,
    /// What identifies the entry in later versions of its document (DP-15): `loc`, `change` and `datetime` as written, and without
    /// `datetime` also `lastmod`, `hash` and `length`.
    pub identity: String,
}

impl Change {
    /// True if the entry says that the resource was created.
    pub fn is_created(&self) -> bool {
        self.identity.split('\n').nth(1).is_some_and(|verb| verb.trim() == value::Change::Created.as_str())
    }

    /// The change of an entry.
    pub fn of(entry: &Entry, position: u64) -> Change {
        let md = entry.first_md().map(|md| &md.attributes);
        let change = md.and_then(|md| md.change());
        let datetime = md.and_then(|md| md.datetime());
        Change {
            position,
            resource: ListedResource::of(entry),
            is_deleted: change.and_then(|change| change.value()) == Some(&value::Change::Deleted),
            datetime: datetime
                .filter(|datetime| datetime.value().is_some())
                .map(|datetime| datetime.text().to_string()),
            identity: identity_of(entry),
        }
    }

    /// When it changed, in nanoseconds since 1970.
    pub fn nanoseconds(&self) -> Option<i64> {
        nanoseconds(self.datetime.as_deref())
    }
}

/// A time as written, in nanoseconds since 1970.
pub(crate) fn nanoseconds(text: Option<&str>) -> Option<i64> {
    let (seconds, nanoseconds) = moment(text?)?.to_unix();
    Some(seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds.into()))
}

/// What identifies the change of an entry; see [`Change::identity`].
pub(crate) fn identity_of(entry: &Entry) -> String {
    let md = entry.first_md().map(|md| &md.attributes);
    let loc = entry.loc.first().map(|loc| loc.field.text()).unwrap_or_default();
    let verb = md.and_then(|md| md.change()).map(|change| change.text()).unwrap_or_default();
    let at = md.and_then(|md| md.datetime()).map(|datetime| datetime.text()).unwrap_or_default();
    if !at.is_empty() {
        return identity(&[loc, verb, at]);
    }
    let lastmod = entry.lastmod.first().map(|lastmod| lastmod.field.text()).unwrap_or_default();
    let hash = md.and_then(|md| md.hash()).map(|hash| hash.text()).unwrap_or_default();
    let length = md.and_then(|md| md.length()).map(|length| length.text()).unwrap_or_default();
    identity(&[loc, verb, at, lastmod, hash, length])
}

/// The parts, each on a line of its own: line breaks are no part of any of them.
fn identity(parts: &[Cow<'_, str>]) -> String {
    let mut text = String::new();
    for part in parts {
        text.extend(part.chars().filter(|character| *character != '\n'));
        text.push('\n');
    }
    text
}
