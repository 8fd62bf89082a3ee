//! The ledger in memory: the state with the publications of the log.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use super::{Group, Overlay, block_index::is_below};
use crate::{
    build::Rotate,
    publish::{Change, INVENTORY, Net, Record, SinceSnapshot, Snapshot, State},
    value::{self, Datetime},
};

/// What is published, apart from the resources of the base.
#[derive(Debug, Clone)]
pub struct Ledger {
    /// The state after the last publication.
    pub state: State,
    /// The time at which the base and the Resource Lists were written.
    snapshot: String,
    overlay: Overlay,
    open: BTreeMap<String, OpenChanges>,
    superseded: Vec<String>,
    publications: u64,
    changes: u64,
    resources: u64,
}

/// The changes in the open Change List of a set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OpenChanges {
    /// Those that were there when the base was written are in a closed list now.
    pub is_rotated: bool,
    /// Those of the log.
    pub changes: Vec<Change>,
}

/// What the log says of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found<'a> {
    /// It is published, or was deleted.
    Here(Option<&'a Record>),
    /// Nothing: it is as in the base.
    Base,
}

impl Ledger {
    /// The state at the time at which the base was written.
    #[must_use]
    pub fn new(state: State) -> Ledger {
        let resources = state.parts.get(INVENTORY).and_then(|part| part.lines).unwrap_or(0);
        Ledger {
            snapshot: state.at.clone(),
            state,
            overlay: Overlay::default(),
            open: BTreeMap::new(),
            superseded: Vec::new(),
            publications: 0,
            changes: 0,
            resources,
        }
    }

    /// Adds a publication of the log.
    pub fn apply(&mut self, group: Group) {
        for (name, _) in group.sets.iter().filter(|(_, update)| !update.closed.is_empty()) {
            self.superseded.extend(self.state.open_list(name));
        }
        group.apply(&mut self.state);
        self.publications = self.publications.saturating_add(1);
        let Group { sets, changes, .. } = group;
        let mut new: BTreeMap<String, Vec<Change>> = BTreeMap::new();
        for change in changes {
            self.record(&change);
            new.entry(change.record.set.clone()).or_default().push(change);
        }
        for (set, mut changes) in new {
            let open = self.open.entry(set.clone()).or_default();
            if let Some(update) = sets.get(&set).filter(|update| !update.closed.is_empty()) {
                *open = OpenChanges { is_rotated: true, changes: Vec::new() };
                let left = usize::try_from(update.count).unwrap_or(usize::MAX);
                changes.drain(..changes.len().saturating_sub(left));
            }
            open.changes.extend(changes);
        }
    }

    fn record(&mut self, change: &Change) {
        self.changes = self.changes.saturating_add(1);
        self.resources = match change.change {
            value::Change::Deleted => self.resources.saturating_sub(1),
            value::Change::Created => self.resources.saturating_add(1),
            value::Change::Updated => self.resources,
        };
        self.overlay.add(change);
    }

    /// What the log says of a resource.
    #[must_use]
    pub fn find(&self, set: &str, uri: &str) -> Found<'_> {
        self.overlay.find(set, uri).map_or(Found::Base, Found::Here)
    }

    /// What the log says of resources whose URI is this or below it.
    pub fn below<'a>(&'a self, set: &'a str, uri: &'a str) -> impl Iterator<Item = (&'a str, Option<&'a Record>)> {
        self.overlay.beginning(set, uri).filter(move |(key, _)| is_below(key, uri))
    }

    /// What the log says of all resources.
    #[must_use]
    pub fn overlay(&self) -> &Overlay {
        &self.overlay
    }

    /// The changes of the log in the open Change List of a set.
    #[must_use]
    pub fn open(&self, set: &str) -> Option<&OpenChanges> {
        self.open.get(set)
    }

    /// The changes in all open Change Lists, set by set, from those that were there when the base was written.
    #[must_use]
    pub fn all_open(&self, base: Vec<Change>) -> Vec<Change> {
        let is_rotated = |change: &Change| self.open(&change.record.set).is_some_and(|open| open.is_rotated);
        let mut all: Vec<Change> = base.into_iter().filter(|change| !is_rotated(change)).collect();
        all.extend(self.open.values().flat_map(|open| open.changes.iter().cloned()));
        all.sort_by(|one, other| one.record.set.cmp(&other.record.set));
        all
    }

    /// True if a publication of changes writes a whole generation: since a snapshot is due, or other documents than Change Lists change. `log`
    /// is the length of the log, `wanted` the options of the publication as [`options_text`](crate::publish::options_text) has them.
    #[must_use]
    pub fn needs_generation(
        &self,
        net: &Net,
        wanted: &str,
        (snapshot, rotate): (Option<Snapshot>, Rotate),
        moment: &Datetime,
        log: u64,
    ) -> bool {
        let state = &self.state;
        let is_new = |change: &Change| !state.sets.contains_key(&change.record.set);
        if state.has_packages() && !state.dumps_only || state.wanted != wanted || net.changes.iter().any(is_new) {
            return true;
        }
        let begun = self.snapshot.parse::<Datetime>().map_or(0, |begun| begun.to_unix().0);
        let new = |set: &str| net.changes.iter().filter(|change| change.record.set == set).count() as u64;
        let open = state.sets.iter().map(|(name, set)| set.open.saturating_add(new(name))).max();
        let since = SinceSnapshot {
            seconds: moment.to_unix().0.saturating_sub(begun),
            changes: self.changes.saturating_add(net.changes.len() as u64),
            open: open.unwrap_or(0),
            log,
        };
        Snapshot::is_due(snapshot, rotate, since)
    }

    /// Change Lists that were open and were closed under another name since the base was written. Readers of an earlier index may still need
    /// them.
    #[must_use]
    pub fn superseded(&self) -> &[String] {
        &self.superseded
    }

    /// Publications since the base was written.
    #[must_use]
    pub fn publications(&self) -> u64 {
        self.publications
    }

    /// Changes since the base was written.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Published resources.
    #[must_use]
    pub fn resources(&self) -> u64 {
        self.resources
    }

    /// The time at which the base and the Resource Lists were written.
    #[must_use]
    pub fn snapshot(&self) -> &str {
        &self.snapshot
    }
}
