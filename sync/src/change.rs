//! A change described by a Change List.

use alloc::{
    borrow::Cow,
    string::{String, ToString},
};

use resourcesync::{
    model::{AnyField, Attributes, Entry, Name},
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
    /// What identifies the entry in later versions of its document (DP-15): all that it states, in lines, `loc` and `change` first. A Source may
    /// write an entry again with another digest and the same `datetime`, which then is another change.
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
    let mut text = String::new();
    line(&mut text, "", entry.loc.first().map(|loc| loc.field.text()));
    line(&mut text, "", md.and_then(|md| md.change()).map(|change| change.text()));
    line(&mut text, "", md.and_then(|md| md.datetime()).map(|datetime| datetime.text()));
    let fields = [
        ("lastmod", entry.lastmod.first().map(|lastmod| lastmod.field.text())),
        ("changefreq", entry.changefreq.first().map(|changefreq| changefreq.field.text())),
        ("priority", entry.priority.first().map(|priority| priority.field.text())),
    ];
    fields.into_iter().filter(|(_, field)| field.is_some()).for_each(|(name, field)| line(&mut text, name, field));
    if let Some(md) = md {
        all(&mut text, md, &[Name::Change, Name::Datetime]);
    }
    for link in &entry.links {
        line(&mut text, "ln", None);
        all(&mut text, &link.attributes, &[]);
    }
    text
}

/// The attributes but these, in an order of their own: that in which they are written is irrelevant.
fn all(text: &mut String, attributes: &Attributes, but: &[Name]) {
    for name in Name::ALL.iter().filter(|name| !but.contains(name)) {
        if let Some(attribute) = attributes.get(*name) {
            line(text, name.as_str(), Some(attribute.text()));
        }
    }
}

/// A value on a line of its own: line breaks are no part of any of them.
fn line(text: &mut String, name: &str, value: Option<Cow<'_, str>>) {
    if !name.is_empty() {
        text.push_str(name);
        text.push('=');
    }
    text.extend(value.as_deref().unwrap_or_default().chars().filter(|character| *character != '\n'));
    text.push('\n');
}
