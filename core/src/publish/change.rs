//! A change of a resource between two runs.

use alloc::string::{String, ToString};
use core::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::Record;
use crate::{
    api::plain,
    build::change_moment,
    model::{Entry, Shape},
    value::{self, Datetime},
};

/// One change to be listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The type of change.
    pub change: value::Change,
    /// When it happened, in UTC: to the second if it was found by comparing two runs, to the millisecond if it was stated.
    pub datetime: String,
    /// The resource after the change; for a deletion, before it.
    pub record: Record,
}

impl Change {
    /// Creates a change of a resource that was found by comparing two runs, at the moment that [`change_moment`] returns.
    #[must_use]
    pub fn between(before: Option<&Datetime>, now: &Datetime, verb: value::Change, record: Record) -> Change {
        let datetime = change_moment(record.lastmod.as_deref(), &verb, before, now).to_string();
        Change { change: verb, datetime, record }
    }

    /// The order in Change Lists: by set, time and URI.
    #[must_use]
    pub fn order(&self, other: &Change) -> Ordering {
        fn key(own: &Change) -> (&str, &str, &str) {
            // Without the zone, texts with and without a fraction sort chronologically.
            (&own.record.set, own.datetime.trim_end_matches('Z'), &own.record.uri)
        }
        key(self).cmp(&key(other))
    }

    /// Its entry in a Change List.
    #[must_use]
    pub fn entry(&self) -> Entry {
        self.plain().to_model(Shape::UrlSet)
    }

    /// Its entry as a plain value. A deletion has no metadata of the bitstream.
    #[must_use]
    pub fn plain(&self) -> plain::Entry {
        let (change, datetime) = (Some(self.change.to_string()), Some(self.datetime.clone()));
        let described = match self.change {
            value::Change::Deleted => plain::Entry { uri: self.record.uri.clone(), ..plain::Entry::default() },
            _ => self.record.plain(),
        };
        plain::Entry { change, datetime, ..described }
    }
}
