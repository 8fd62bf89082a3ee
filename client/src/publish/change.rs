//! A change of a resource between two runs.

use std::cmp::Ordering;

use crate::sort::Sorted;
use resourcesync::value::Change as Verb;
use serde::{Deserialize, Serialize};

use super::record::Record;

/// One change to be listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// `created`, `updated` or `deleted`.
    pub change: String,
    /// When it happened, as exactly as known; in UTC to the second, so that texts sort chronologically.
    pub datetime: String,
    /// The resource after the change; for a deletion, before it.
    pub record: Record,
}

impl Change {
    /// Creates a change of a resource at a moment.
    #[must_use]
    pub fn new(verb: Verb, datetime: &str, record: Record) -> Change {
        Change { change: verb.as_str().to_owned(), datetime: datetime.to_owned(), record }
    }

    /// The type of change.
    #[must_use]
    pub fn verb(&self) -> Verb {
        match self.change.as_str() {
            "created" => Verb::Created,
            "deleted" => Verb::Deleted,
            _ => Verb::Updated,
        }
    }
}

impl Sorted for Change {
    fn order(&self, other: &Change) -> Ordering {
        let key = |own: &Change| (own.record.set.clone(), own.datetime.clone(), own.record.uri.clone());
        key(self).cmp(&key(other))
    }
}
