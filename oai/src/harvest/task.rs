//! Tasks: the lists and records of a plan.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::{
    request::{Request, Verb},
    stamp::{Granularity, Stamp},
};

/// One list, or one record, to request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    /// Its purpose.
    pub purpose: Purpose,
    /// What is requested.
    pub verb: Verb,
    /// The format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// The set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// The first day or second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Stamp>,
    /// The last day or second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Stamp>,
    /// The record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identifier: Option<String>,
}

/// The purpose of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// The description of the repository.
    Identify,
    /// Its formats.
    Formats,
    /// Its sets.
    Sets,
    /// The requested data.
    Harvest,
    /// All identifiers, to find what is no longer listed.
    Reconcile,
    /// A check whether a record that is no longer listed still exists.
    Confirm,
    /// A record that is owed: damaged in an earlier harvest, or listed and not held.
    Owed,
}

impl Task {
    pub(super) fn new(purpose: Purpose, verb: Verb) -> Task {
        Task { purpose, verb, prefix: None, set: None, from: None, until: None, identifier: None }
    }

    /// A list of a format and a set.
    pub(super) fn list(purpose: Purpose, verb: Verb, prefix: &str, set: Option<&str>) -> Task {
        Task { prefix: Some(prefix.into()), set: set.map(String::from), ..Task::new(purpose, verb) }
    }

    /// One record.
    pub(super) fn get(purpose: Purpose, prefix: &str, identifier: &str) -> Task {
        Task { prefix: Some(prefix.into()), identifier: Some(identifier.into()), ..Task::new(purpose, Verb::GetRecord) }
    }

    /// Its first request.
    pub(super) fn request(&self) -> Request {
        let mut request = Request::new(self.verb);
        let set = self.set.as_ref().filter(|_| self.verb.is_list());
        for (name, value) in
            [("identifier", self.identifier.as_ref()), ("metadataPrefix", self.prefix.as_ref()), ("set", set)]
        {
            if let Some(value) = value {
                request = request.with(name, value);
            }
        }
        request.between(self.from, self.until_sent())
    }

    /// A single day is requested with the next one: some repositories have nothing for `from` equal to `until`.
    fn until_sent(&self) -> Option<Stamp> {
        let until = self.until?;
        let is_day = until.granularity() == Granularity::Day;
        Some(if is_day && self.from == Some(until) { until.next() } else { until })
    }

    /// True if what is after the end of the interval was requested only because of [`Task::until_sent`].
    pub(super) fn drops_next_day(&self) -> bool {
        self.until.is_some() && self.until_sent() != self.until
    }

    /// True if a second is outside the interval that was requested.
    pub(super) fn excludes(&self, stamp: Stamp) -> bool {
        let before = self.from.is_some_and(|from| stamp.last_second() < from.unix());
        before || self.until.is_some_and(|until| stamp.unix() > until.last_second())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn a_single_day_is_requested_with_the_next() {
        let day = Stamp::read("2024-02-28");
        let mut task = Task::list(Purpose::Harvest, Verb::ListRecords, "oai_dc", Some("a"));
        (task.from, task.until) = (day, day);
        assert_eq!(
            task.request().query(),
            "verb=ListRecords&metadataPrefix=oai_dc&set=a&from=2024-02-28&until=2024-02-29"
        );
        assert!(task.drops_next_day());
        assert!(task.excludes(Stamp::read("2024-02-29").unwrap()));
        assert!(!task.excludes(Stamp::read("2024-02-28T23:59:59Z").unwrap()));
        task.until = day.map(Stamp::next);
        assert_eq!(task.request().argument("until"), day.map(|day| day.next().to_string()).as_deref());
        assert!(!task.drops_next_day());
    }
}
