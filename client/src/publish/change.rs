//! What became of a resource between two runs.

use std::cmp::Ordering;

use crate::sort::Sorted;
use resourcesync::value::Change as Verb;
use serde::{Deserialize, Serialize};

use super::record::Record;

/// One change, as it will be listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// `created`, `updated` or `deleted`.
    pub change: String,
    /// When it happened, as near as is known; in UTC to the second, so that texts compare as moments do.
    pub datetime: String,
    /// The resource after it; of one that was deleted, before.
    pub record: Record,
}

impl Change {
    /// A change of a resource at a moment.
    #[must_use]
    pub fn new(verb: Verb, datetime: &str, record: Record) -> Change {
        Change { change: verb.as_str().to_owned(), datetime: datetime.to_owned(), record }
    }

    /// What happened to the resource.
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
