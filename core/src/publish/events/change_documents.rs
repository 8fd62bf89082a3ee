//! The documents of a publication of changes: the Change Lists of the sets that changed, and nothing else; where there are only dumps, their
//! Change Dumps, each with a package more.
//!
//! The order in which they take their places never shows an unfinished Source: documents that nothing links to yet come first, and then one
//! of each set, the open Change List, the index, or the Change Dump, which shows all of its changes at once. What nothing links to any more
//! comes last: an open Change List that was closed under another name. It becomes a copy of the closed one, since Destinations that follow the
//! open list look at nothing else until they see that it was closed.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use crate::{
    build::{Accepted, DumpHistory, PackageRecord, Publication, PublishError, PublishedDocument, PublishedSet, Store},
    publish::{Change, ChangeLists, Plan, Set, SetUpdate, State},
    value::{Capability, Uri},
};

/// The documents being written. For each set that changed call [`ChangeDocuments::set`], and push the changes of its open Change List and
/// then the new ones.
#[derive(Debug)]
pub struct ChangeDocuments<S: Store> {
    plan: Plan,
    publication: Publication<S>,
    /// The sets before the publication.
    before: BTreeMap<String, Set>,
    /// The published files.
    files: BTreeSet<String>,
    /// The open Change List of each set that an index lists.
    listed: BTreeMap<String, String>,
    /// Those of them that are closed under another name.
    superseded: BTreeSet<String>,
}

/// The documents of a publication of changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// What changed in the sets.
    pub sets: BTreeMap<String, SetUpdate>,
    /// The documents, in the order in which they take their places.
    pub places: Vec<String>,
    /// Findings that did not stop the publication.
    pub accepted: Accepted,
}

impl<S: Store> ChangeDocuments<S> {
    /// Starts a publication after the one with this state. All closed Change Lists stay: the Resource List is older than some of them.
    ///
    /// # Errors
    ///
    /// As [`Publication::new`].
    pub fn new(store: S, plan: Plan, state: &State) -> Result<ChangeDocuments<S>, PublishError<S::Error>> {
        let plan = Plan { keep: None, ..plan };
        let publication = Publication::of_changes(store, plan.documents.clone(), plan.at.clone(), plan.settings())?;
        let files = state.files.keys().cloned().collect();
        let listed = state.sets.keys().filter_map(|name| Some((name.clone(), state.open_list(name)?))).collect();
        let before = state.sets.clone();
        Ok(ChangeDocuments { plan, publication, before, files, listed, superseded: BTreeSet::new() })
    }

    /// Starts the Change Dump of a set. Only new changes are pushed, and the bytes of each are written after it, except for deletions.
    ///
    /// # Errors
    ///
    /// As [`Publication::begin_change_dump`].
    pub fn dump(&mut self, name: &str) -> Result<(), PublishError<S::Error>> {
        let dump = self.before.get(name).and_then(|set| set.dump.as_ref());
        let history = dump.map_or_else(|| DumpHistory::since(self.plan.at.clone()), |dump| dump.history.clone());
        self.publication.set(name, Some(self.plan.description()))?;
        self.publication.begin_change_dump(history)
    }

    /// Adds bytes of the change that was pushed last to its Change Dump.
    ///
    /// # Errors
    ///
    /// As [`Publication::write`].
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), PublishError<S::Error>> {
        self.publication.write(bytes)
    }

    /// Starts the Change Lists of a set, which has this number of new changes.
    ///
    /// # Errors
    ///
    /// As [`Publication::begin_change_lists`].
    pub fn set(&mut self, name: &str, new: u64) -> Result<ChangeLists, PublishError<S::Error>> {
        let old = self.before.get(name);
        let total = old.map_or(0, |set| set.open).saturating_add(new);
        let (mut history, close) = self.plan.history(old, total, &self.plan.at);
        let is_closed = close.is_some() || total > self.plan.settings().max_document_entries;
        let listed = self.listed.get(name).filter(|_| is_closed);
        let published = history.open.number;
        if listed.is_some() {
            // The published index lists the open list, which must not be closed before the index is: the closed list gets a name of its own.
            history.open.number = published.saturating_add(1);
        }
        self.superseded.extend(listed.cloned());
        let is_open = close.is_none();
        let first = history.closed.first().map_or(&history.open.from, |list| &list.from).clone();
        self.publication.set(name, Some(self.plan.description()))?;
        let is_renamed = history.open.number != published;
        self.publication.begin_change_lists(history, close)?;
        if is_renamed {
            self.publication.supersede(published);
        }
        Ok(ChangeLists { is_open, first })
    }

    /// Adds a change of the set, in order.
    ///
    /// # Errors
    ///
    /// As [`Publication::push`].
    pub fn change(&mut self, change: &Change) -> Result<(), PublishError<S::Error>> {
        self.publication.push(change.entry())
    }

    /// The URI of the Capability List of the set.
    #[must_use]
    pub fn capability_list(&self) -> Option<&Uri> {
        self.publication.capability_list()
    }

    /// Ends the documents; `None` if more than one published document of a set would have to be replaced, so that a whole generation is
    /// needed.
    ///
    /// # Errors
    ///
    /// As [`Publication::finish`].
    pub fn finish(self) -> Result<Option<Written>, PublishError<S::Error>> {
        let ChangeDocuments { plan, publication, before, files, superseded, .. } = self;
        let published = publication.finish()?;
        let (last, written): (Vec<String>, Vec<String>) =
            published.written.into_iter().partition(|name| superseded.contains(name));
        let (replaced, mut places): (Vec<String>, Vec<String>) =
            written.into_iter().partition(|name| files.contains(name));
        if replaced.len() > published.sets.len() {
            return Ok(None);
        }
        places.extend(replaced);
        places.extend(last);
        let is_kept = |uri: &Uri| {
            let path = uri.as_str().strip_prefix(plan.documents.as_str());
            path.is_some_and(|path| published.kept.iter().any(|kept| kept == path))
        };
        let mut sets = BTreeMap::new();
        for set in published.sets {
            let Some(old) = before.get(&set.name) else { continue };
            let new = set.changes.as_ref().unwrap_or(&old.changes);
            let known = old.notified.iter().flat_map(|notified| &notified.documents);
            let gone = known.filter(|document| is_gone(document, &set) && !is_kept(&document.uri));
            let update = SetUpdate {
                closed: new.closed.get(old.changes.closed.len()..).unwrap_or_default().to_vec(),
                open: new.open.clone(),
                count: set.open,
                packages: added(old, set.dump.as_ref()),
                notified: None,
                gone: gone.map(|document| document.uri.clone()).collect(),
                documents: set.documents,
            };
            sets.insert(set.name, update);
        }
        Ok(Some(Written { sets, places, accepted: published.accepted }))
    }
}

/// The packages that were not in the Change Dump of a set.
fn added(old: &Set, new: Option<&DumpHistory>) -> Vec<PackageRecord> {
    let known = old.dump.as_ref().map_or(0, |dump| dump.history.packages.len());
    new.and_then(|new| new.packages.get(known..)).unwrap_or_default().to_vec()
}

/// True for a Change List that was not written again.
fn is_gone(document: &PublishedDocument, set: &PublishedSet) -> bool {
    document.capability == Capability::ChangeList && set.documents.iter().all(|own| own.uri != document.uri)
}
