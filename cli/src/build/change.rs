//! What became of a resource between two runs.

use std::cmp::Ordering;

use resourcesync::value::Change as Verb;
use resourcesync_client::sort::Sorted;
use serde::{Deserialize, Serialize};

use super::record::Record;

/// One change, as it will be listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Change {
    /// `created`, `updated` or `deleted`.
    pub(crate) change: String,
    /// When it happened, as near as is known; in UTC to the second, so that texts compare as moments do.
    pub(crate) datetime: String,
    /// The resource after it; of one that was deleted, before.
    pub(crate) record: Record,
}

impl Change {
    pub(super) fn new(verb: Verb, datetime: &str, record: Record) -> Change {
        Change { change: verb.as_str().to_owned(), datetime: datetime.to_owned(), record }
    }
}

impl Sorted for Change {
    fn order(&self, other: &Change) -> Ordering {
        let key = |own: &Change| (own.record.set.clone(), own.datetime.clone(), own.record.uri.clone());
        key(self).cmp(&key(other))
    }
}
