//! The documents of a generation, set by set, and their state.

use alloc::{collections::BTreeMap, string::String};

use super::{Change, Plan, Record, Set, State, write_about};
use crate::{
    build::{ChangeHistory, Publication, PublishError, Published, Store},
    value::Datetime,
};

/// A generation being written. For each set call [`Generation::set`], push its resources, then call [`Generation::begin_changes`] and push
/// the changes of its open Change List and the new ones.
#[derive(Debug)]
pub struct Generation<S: Store> {
    plan: Plan,
    publication: Publication<S>,
    /// The sets of the previous generation.
    before: BTreeMap<String, Set>,
    /// Its time, or that of this one if it is the first.
    since: Datetime,
}

/// The Change Lists of a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeLists {
    /// True if the last one stays open, so that its changes are part of the state.
    pub is_open: bool,
    /// The start of the first one.
    pub first: Datetime,
}

impl<S: Store> Generation<S> {
    /// Starts a generation with these sets, after the previous one if there is one.
    ///
    /// # Errors
    ///
    /// As [`Publication::new`], or if the store fails.
    pub fn new<'a>(
        mut store: S,
        plan: Plan,
        sets: impl Iterator<Item = &'a String> + Clone,
        before: Option<&State>,
    ) -> Result<Generation<S>, PublishError<S::Error>> {
        if plan.describedby.is_none() {
            let more = plan.about.as_deref().unwrap_or_default();
            write_about(&mut store, &plan.documents, sets.map(String::as_str), &plan.suffix, more)
                .map_err(PublishError::Store)?;
        }
        let publication = Publication::new(store, plan.documents.clone(), plan.at.clone(), plan.settings())?;
        let since = before.and_then(|before| before.at.parse().ok()).unwrap_or_else(|| plan.at.clone());
        let before = before.map(|before| before.sets.clone()).unwrap_or_default();
        Ok(Generation { plan, publication, before, since })
    }

    /// Starts a set with its Resource List, which will have this number of resources. Without lists neither resources nor changes are pushed.
    ///
    /// # Errors
    ///
    /// As [`Publication::set`].
    pub fn set(&mut self, name: &str, resources: u64) -> Result<(), PublishError<S::Error>> {
        self.publication.set(name, Some(self.plan.description()))?;
        match self.plan.lists {
            true => self.publication.begin_resource_list(Some(resources)),
            false => Ok(()),
        }
    }

    /// Adds a resource of the set, in order.
    ///
    /// # Errors
    ///
    /// As [`Publication::push`].
    pub fn resource(&mut self, record: &Record) -> Result<(), PublishError<S::Error>> {
        self.publication.push(record.entry())
    }

    /// Starts the Change Lists of the set, which has this number of new changes.
    ///
    /// # Errors
    ///
    /// As [`Publication::begin_change_lists`].
    pub fn begin_changes(&mut self, name: &str, new: u64) -> Result<ChangeLists, PublishError<S::Error>> {
        let old = self.before.get(name);
        let total = old.map_or(0, |set| set.open).saturating_add(new);
        let (history, close) = self.plan.history(old, total, &self.since);
        let is_open = close.is_none();
        let first = history.closed.first().map_or(&history.open.from, |list| &list.from).clone();
        self.publication.begin_change_lists(history, close)?;
        Ok(ChangeLists { is_open, first })
    }

    /// Adds a change of the set: those of the open Change List come first, then the new ones, each in order. Returns the number of changes in
    /// the open list; 1 if those before it are in lists that are full.
    ///
    /// # Errors
    ///
    /// As [`Publication::push`].
    pub fn change(&mut self, change: &Change) -> Result<u64, PublishError<S::Error>> {
        self.publication.push(change.entry())?;
        Ok(self.publication.open())
    }

    /// The publication, for packages and notification channels.
    pub fn publication(&mut self) -> &mut Publication<S> {
        &mut self.publication
    }

    /// Writes the remaining documents, and adds the sets with their Change Lists to the state.
    ///
    /// # Errors
    ///
    /// As [`Publication::finish`].
    pub fn finish(self, state: &mut State) -> Result<Published, PublishError<S::Error>> {
        let published = self.publication.finish()?;
        for set in &published.sets {
            let since = || set.dump.as_ref().map(|dump| ChangeHistory::since(dump.from.clone()));
            if let Some(changes) = set.changes.clone().or_else(since) {
                state.sets.insert(set.name.clone(), Set { changes, open: set.open, dump: None, notified: None });
            }
        }
        Ok(published)
    }
}
