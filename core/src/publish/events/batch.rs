//! The events of a publication, reduced to one change for each resource.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use super::{Event, EventTimes, EventVerb};
use crate::{
    publish::{Change, MomentError, Record},
    value::{self, Datetime},
};

/// Collects events in the order in which they happened. An event brings its resource to the state that it has, whatever was published.
#[derive(Debug, Default)]
pub struct Batch {
    resources: BTreeMap<(String, String), Resource>,
    counts: BatchCounts,
    is_strict: bool,
}

/// A resource with events.
#[derive(Debug)]
struct Resource {
    published: Option<Record>,
    now: Option<Record>,
    datetime: Option<Datetime>,
    /// The number of its last event that changed something.
    last: u64,
}

/// How many events there were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BatchCounts {
    /// All of them.
    pub events: u64,
    /// Those that changed nothing: the resource was in the stated version already, or was unknown and is deleted.
    pub unchanged: u64,
    /// Those whose time was before the last publication or in the future.
    pub clamped: u64,
}

/// An event that does not fit what is published, if that is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unexpected {
    /// A resource is created that is there already.
    Known(String),
    /// A resource is updated or deleted that is not there.
    Unknown(String),
}

/// What a publication changes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Net {
    /// The changes, in the order of their times.
    pub changes: Vec<Change>,
    /// Changes by type.
    pub created: u64,
    /// Updated resources.
    pub updated: u64,
    /// Deleted resources.
    pub deleted: u64,
    /// The events.
    pub counts: BatchCounts,
}

impl Batch {
    /// No events yet; `is_strict` refuses those that do not fit what is published.
    #[must_use]
    pub fn new(is_strict: bool) -> Batch {
        Batch { is_strict, ..Batch::default() }
    }

    /// True if what is published of a resource is known from an earlier event.
    #[must_use]
    pub fn has(&self, set: &str, uri: &str) -> bool {
        self.resources.contains_key(&(String::from(set), String::from(uri)))
    }

    /// Adds an event. `published` is the resource as it is published, needed for the first event of a resource.
    ///
    /// # Errors
    ///
    /// If the event does not fit what is published, and that is refused.
    pub fn push(&mut self, event: Event, published: Option<Record>) -> Result<(), Unexpected> {
        let Event { verb, datetime, record } = event;
        let key = (record.set.clone(), record.uri.clone());
        let fresh = || Resource { now: published.clone(), published, datetime: None, last: 0 };
        let own = self.resources.entry(key).or_insert_with(fresh);
        match (verb, &own.now) {
            (EventVerb::Created, Some(_)) if self.is_strict => return Err(Unexpected::Known(record.uri)),
            (EventVerb::Updated | EventVerb::Deleted, None) if self.is_strict => {
                return Err(Unexpected::Unknown(record.uri));
            }
            _ => {}
        }
        self.counts.events = self.counts.events.saturating_add(1);
        let is_change = match (verb, &own.now) {
            (EventVerb::Deleted, now) => now.is_some(),
            (_, Some(now)) => record.replaces(now),
            (_, None) => true,
        };
        if !is_change {
            self.counts.unchanged = self.counts.unchanged.saturating_add(1);
            return Ok(());
        }
        own.now = (verb != EventVerb::Deleted).then_some(record);
        own.datetime = datetime;
        own.last = self.counts.events;
        Ok(())
    }

    /// The net changes with their times.
    ///
    /// # Errors
    ///
    /// If the clock is beyond the year 9999.
    pub fn finish(self, times: &mut EventTimes) -> Result<Net, MomentError> {
        let mut changes = Vec::new();
        for Resource { published, now, datetime, last } in self.resources.into_values() {
            let (change, record) = match (published, now) {
                (None, Some(now)) => (value::Change::Created, now),
                (Some(old), Some(now)) if now.replaces(&old) => (value::Change::Updated, now),
                (Some(old), None) => (value::Change::Deleted, old),
                (Some(_), Some(_)) | (None, None) => continue,
            };
            let datetime = times.of(datetime.as_ref())?;
            changes.push((datetime.start(), last, Change { change, datetime: alloc::format!("{datetime}"), record }));
        }
        changes.sort_by(|(one, first, _), (other, second, _)| one.cmp(other).then(first.cmp(second)));
        let changes: Vec<Change> = changes.into_iter().map(|(_, _, change)| change).collect();
        let count = |verb| changes.iter().filter(|change| change.change == verb).count() as u64;
        let [created, updated, deleted] =
            [value::Change::Created, value::Change::Updated, value::Change::Deleted].map(count);
        let counts = BatchCounts { clamped: times.clamped(), ..self.counts };
        Ok(Net { changes, created, updated, deleted, counts })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use alloc::{format, string::ToString};

    use super::*;

    fn record(uri: &str, length: u64) -> Record {
        Record { uri: uri.to_string(), length: Some(length), ..Record::default() }
    }

    fn event(verb: &str, uri: &str, length: u64) -> Event {
        Event { verb: verb.parse().unwrap(), datetime: None, record: record(uri, length) }
    }

    fn net(events: &[(&str, &str, u64)]) -> (Vec<String>, BatchCounts) {
        let mut batch = Batch::new(false);
        for (verb, uri, length) in events {
            let published = (*uri == "known").then(|| record(uri, 1));
            batch.push(event(verb, uri, *length), published).unwrap();
        }
        let (mut times, _) = EventTimes::new(None, None, 0).unwrap();
        let net = batch.finish(&mut times).unwrap();
        let said = |change: &Change| format!("{} {}", change.change.as_str(), change.record.uri);
        (net.changes.iter().map(said).collect(), net.counts)
    }

    #[test]
    fn an_event_states_what_holds_whatever_was_published() {
        let (changes, counts) =
            net(&[("updated", "new", 1), ("created", "known", 2), ("deleted", "unknown", 0), ("upsert", "new", 1)]);
        assert_eq!(changes, ["created new", "updated known"]);
        assert_eq!((counts.events, counts.unchanged), (4, 2));
    }

    #[test]
    fn several_events_of_a_resource_are_one_change_or_none() {
        assert_eq!(net(&[("created", "new", 1), ("deleted", "new", 0)]).0, Vec::<String>::new());
        assert_eq!(net(&[("deleted", "known", 0), ("created", "known", 1)]).0, Vec::<String>::new());
        assert_eq!(net(&[("deleted", "known", 0), ("created", "known", 2)]).0, ["updated known"]);
        assert_eq!(net(&[("upsert", "known", 2), ("deleted", "known", 0)]).0, ["deleted known"]);
    }

    #[test]
    fn events_that_do_not_fit_are_refused_on_request() {
        let push = |verb: &str, published| Batch::new(true).push(event(verb, "a", 1), published);
        assert_eq!(push("created", Some(record("a", 1))), Err(Unexpected::Known("a".to_string())));
        assert_eq!(push("updated", None), Err(Unexpected::Unknown("a".to_string())));
        assert_eq!(push("deleted", None), Err(Unexpected::Unknown("a".to_string())));
        assert_eq!(push("upsert", None), Ok(()));
    }
}
