//! Counts what a run changes, and finds the changes to be listed.

use alloc::{collections::BTreeMap, string::String};

use super::{Change, Compared, Record, State};
use crate::{
    build::Effect,
    value::{self, Datetime},
};

/// The result of comparing all resources.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Update {
    /// Resources of each set.
    pub sets: BTreeMap<String, u64>,
    /// `created`, `updated`, `deleted`.
    pub counts: BTreeMap<&'static str, u64>,
    /// Published resources that are missing but kept, since they may be rejected ones.
    pub kept: u64,
}

/// What is published of a resource.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listed {
    /// In the Resource List.
    pub resource: Option<Record>,
    /// In the Change List.
    pub change: Option<Change>,
}

impl Update {
    /// Adds the result for a resource. Without a previous run nothing counts as changed.
    pub fn add(&mut self, compared: Compared, before: Option<&Datetime>, now: &Datetime) -> Listed {
        let (verb, record) = match compared {
            Compared::Refused(None) => return Listed::default(),
            Compared::Same(record) | Compared::Refused(Some(record)) => (None, record),
            Compared::Kept(record) => {
                self.kept = self.kept.saturating_add(1);
                (None, record)
            }
            Compared::Created(record) => (Some(value::Change::Created), record),
            Compared::Updated(record) => (Some(value::Change::Updated), record),
            Compared::Deleted(record) => (Some(value::Change::Deleted), record),
        };
        let is_deleted = verb == Some(value::Change::Deleted);
        if !is_deleted {
            let count = self.sets.entry(record.set.clone()).or_default();
            *count = count.saturating_add(1);
        }
        let Some(verb) = verb.filter(|_| before.is_some()) else {
            return Listed { resource: Some(record).filter(|_| !is_deleted), change: None };
        };
        let count = self.counts.entry(verb.as_str()).or_default();
        *count = count.saturating_add(1);
        let resource = (!is_deleted).then(|| record.clone());
        Listed { resource, change: Some(Change::between(before, now, verb, record)) }
    }

    /// All resources.
    #[must_use]
    pub fn resources(&self) -> u64 {
        self.sets.values().sum()
    }

    /// The number of changes of a type.
    #[must_use]
    pub fn count(&self, verb: &value::Change) -> u64 {
        self.counts.get(verb.as_str()).copied().unwrap_or(0)
    }

    /// The effect of publishing; `again` if there is a previous generation.
    #[must_use]
    pub fn effect(&self, again: bool) -> Effect {
        let (resources, deleted) = (self.resources(), self.count(&value::Change::Deleted));
        let created = self.count(&value::Change::Created);
        let published = again.then(|| resources.saturating_sub(created).saturating_add(deleted));
        Effect { published, resources, deleted }
    }

    /// Adds sets without resources: the configured sets of files, or else those of the previous generation whose resources were all
    /// deleted. There is always one set.
    pub fn add_empty_sets(&mut self, configured: &[String], before: Option<&State>) {
        for name in configured {
            self.sets.entry(name.clone()).or_default();
        }
        if configured.is_empty() {
            for name in before.into_iter().flat_map(|before| before.sets.keys()) {
                self.sets.entry(name.clone()).or_default();
            }
        }
        if self.sets.is_empty() {
            self.sets.entry(String::new()).or_default();
        }
    }

    /// True if a run with these options would publish what is published already.
    #[must_use]
    pub fn is_unchanged(&self, before: Option<&State>, wanted: &str) -> bool {
        let is_same =
            |before: &State| before.wanted == wanted && self.sets.keys().all(|name| before.sets.contains_key(name));
        self.counts.is_empty() && before.is_some_and(is_same)
    }
}
