//! One publication of changes, as the log has it.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    build::{Interval, Opened, PackageRecord, PublishedDocument},
    publish::{Change, FileRecord, Notified, Set, State},
    value::Uri,
};

/// A publication of changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Group {
    /// The time of the last change.
    pub at: String,
    /// The sets with changes.
    pub sets: BTreeMap<String, SetUpdate>,
    /// The files written, in the order in which they take their places.
    pub places: Vec<String>,
    /// The lengths and digests of the documents among them.
    pub files: BTreeMap<String, FileRecord>,
    /// The journal from which the changes were taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journal: Option<String>,
    /// The changes: in the log each has a line of its own.
    #[serde(skip)]
    pub changes: Vec<Change>,
}

/// What a publication of changes does to a set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetUpdate {
    /// The Change Lists that were closed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub closed: Vec<Interval>,
    /// The open Change List.
    pub open: Opened,
    /// Its changes.
    pub count: u64,
    /// The packages that were added to its Change Dump.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<PackageRecord>,
    /// The end of the interval that was announced, if the set has notification channels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notified: Option<String>,
    /// The documents that were written, if they are announced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<PublishedDocument>,
    /// The documents that are no longer listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<Uri>,
}

impl SetUpdate {
    /// Brings the set up to date.
    pub fn apply(&self, set: &mut Set) {
        set.changes.closed.extend(self.closed.iter().cloned());
        set.changes.open = self.open.clone();
        set.open = self.count;
        if let Some(dump) = &mut set.dump {
            let numbers = self.packages.iter().map(|package| package.number.saturating_add(1));
            dump.history.next = numbers.fold(dump.history.next, u64::max);
            dump.history.packages.extend(self.packages.iter().cloned());
        }
        if let (Some(until), Some(notified)) = (&self.notified, &mut set.notified) {
            notified.until.clone_from(until);
            self.update_documents(notified);
        }
    }

    fn update_documents(&self, notified: &mut Notified) {
        let is_kept = |known: &PublishedDocument| {
            !self.gone.contains(&known.uri) && self.documents.iter().all(|own| own.uri != known.uri)
        };
        notified.documents.retain(is_kept);
        notified.documents.extend(self.documents.iter().cloned());
    }
}

impl Group {
    /// Brings the state up to date.
    pub(super) fn apply(&self, state: &mut State) {
        state.at.clone_from(&self.at);
        if self.journal.is_some() {
            state.journal.clone_from(&self.journal);
        }
        for (name, update) in &self.sets {
            if let Some(set) = state.sets.get_mut(name) {
                update.apply(set);
            }
        }
        for (name, record) in &self.files {
            state.add_file(name.clone(), record.clone());
        }
    }
}
