//! A ledger in memory, for one process.

use alloc::{
    borrow::ToOwned,
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};
use core::convert::Infallible;

use resourcesync::api::plain::Link;

use super::{
    Changes, Plan, Planned, RelatedResources, Resources, Retries, Runs, Settled, Store, StoredResource, UNSETTLED,
    Unconfirmed, Versions, memory_related::Links,
};
use crate::{
    chain::Part,
    change::Change,
    checkpoint::Checkpoint,
    conclude::Outcome,
    decide::Action,
    listed_resource::ListedResource,
    reduce::{LastChange, Presence, reduce},
    report::{Counts, ItemCode},
    survey::Remembered,
};

/// A ledger in memory.
#[derive(Debug, Default)]
pub struct Memory {
    pub(super) resources: Table,
    marked: BTreeSet<i64>,
    plan: Rows,
    pub(super) listings: Listings,
    /// By document.
    changes: BTreeMap<u32, Vec<Change>>,
    last: Vec<Last>,
    pub(super) retries: BTreeMap<String, ListedResource>,
    links: BTreeMap<String, Vec<Link>>,
    related: Links,
    versions: History,
    unconfirmed: BTreeMap<String, Notified>,
    pub(super) state: State,
    pub(super) runs: u64,
}

#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) rows: BTreeMap<i64, (StoredResource, u64)>,
    ids: BTreeMap<String, i64>,
}

#[derive(Debug, Default)]
struct Rows {
    rows: BTreeMap<i64, (u32, Planned)>,
    places: BTreeMap<String, i64>,
    last: i64,
}

/// Which sets list which resources.
#[derive(Debug, Default)]
pub(super) struct Listings {
    /// After the last completed run: resource and set.
    pub(super) before: BTreeSet<(String, String)>,
    /// In this run: the document, and whether the set lists the resource.
    now: BTreeMap<(String, String), (u32, bool)>,
}

/// Versions by memento and digests.
#[derive(Debug, Default)]
struct History {
    kept: BTreeSet<(String, Option<String>)>,
    due: BTreeMap<i64, ListedResource>,
    last: i64,
}

#[derive(Debug)]
struct Last {
    sequence: i64,
    set: String,
    change: LastChange,
}

#[derive(Debug)]
struct Notified {
    moment: i64,
    is_deleted: bool,
    since: i64,
    run: u64,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) checkpoints: Vec<Checkpoint>,
    pub(super) documents: Remembered,
    pub(super) settled: Option<String>,
    pub(super) described: Option<i64>,
    pub(super) kept: u64,
    pub(super) begun: Option<i64>,
}

impl Memory {
    /// Begins a run, which has no plan yet; its number.
    pub fn begin_run(&mut self) -> u64 {
        (self.plan, self.listings.now) = (Rows::default(), BTreeMap::new());
        self.related.begin();
        self.marked.clear();
        (self.changes, self.last) = (BTreeMap::new(), Vec::new());
        self.runs = self.runs.saturating_add(1);
        self.runs
    }

    /// Records a resource as stored.
    pub fn store(&mut self, mut stored: StoredResource, run: u64) {
        let Table { rows, ids } = &mut self.resources;
        let next = rows.last_key_value().map_or(1, |(last, _)| last.saturating_add(1));
        stored.id = *ids.entry(stored.uri.clone()).or_insert(next);
        self.retries.remove(&stored.uri);
        rows.insert(stored.id, (stored, run));
    }

    /// Removes a stored resource.
    pub fn remove(&mut self, uri: &str) {
        self.retries.remove(uri);
        self.links.remove(uri);
        if let Some(id) = self.resources.ids.remove(uri) {
            self.marked.remove(&id);
            self.resources.rows.remove(&id);
        }
    }

    /// Records a version as kept.
    pub fn keep_version(&mut self, version: &ListedResource) {
        self.versions.kept.insert(identity(version));
        self.versions.due.retain(|_, due| identity(due) != identity(version));
    }

    /// Forgets to try resources again that are kept although the Source deleted them.
    fn forget_kept(&mut self) {
        for id in &self.marked {
            if let Some((stored, _)) = self.resources.rows.get(id) {
                self.retries.remove(&stored.uri);
            }
        }
    }

    /// Records which sets list what.
    fn set_listings(&mut self) {
        let Listings { before, now } = &mut self.listings;
        for (listing, (_, is_listed)) in now {
            if *is_listed {
                before.insert(listing.clone())
            } else {
                before.remove(listing)
            };
        }
    }

    fn has_last(&self, uri: &str) -> bool {
        self.last.iter().any(|last| last.change.resource.uri == uri)
    }
}

impl Store for Memory {
    type Error = Infallible;
}

impl Resources for Memory {
    fn find(&self, uri: &str) -> Result<Option<StoredResource>, Infallible> {
        let id = self.resources.ids.get(uri);
        Ok(id.and_then(|id| self.resources.rows.get(id)).map(|(stored, _)| stored.clone()))
    }

    fn each(&self, take: &mut dyn FnMut(StoredResource, u64) -> Result<(), Infallible>) -> Result<(), Infallible> {
        self.resources.rows.values().try_for_each(|(stored, run)| take(stored.clone(), *run))
    }

    fn totals(&self) -> Result<(u64, u64), Infallible> {
        let rows = &self.resources.rows;
        Ok((rows.len() as u64, rows.values().fold(0, |sum, (stored, _)| sum.saturating_add(stored.state.size))))
    }

    fn verified(&mut self, resource: &ListedResource) -> Result<(), Infallible> {
        self.retries.remove(&resource.uri);
        let id = self.resources.ids.get(&resource.uri);
        if let Some((stored, _)) = id.and_then(|id| self.resources.rows.get_mut(id)) {
            if resource.hash.is_some() {
                stored.state.hash.clone_from(&resource.hash);
            }
            (stored.state.length, stored.state.lastmod) = (resource.length, resource.lastmod.clone());
        }
        Ok(())
    }

    fn listed_as(&mut self, resource: &ListedResource) -> Result<(), Infallible> {
        let id = self.resources.ids.get(&resource.uri);
        if let Some((stored, _)) = id.and_then(|id| self.resources.rows.get_mut(id)) {
            stored.state.length = resource.length.or(stored.state.length);
            if resource.lastmod.is_some() {
                stored.state.lastmod.clone_from(&resource.lastmod);
            }
        }
        Ok(())
    }

    fn adopted(&mut self, stored: StoredResource, run: u64) -> Result<(), Infallible> {
        self.store(stored, run);
        Ok(())
    }

    fn pass_on(&mut self, resource: &ListedResource) -> Result<(), Infallible> {
        if resource.links.is_empty() {
            self.links.remove(&resource.uri);
        } else {
            self.links.insert(resource.uri.clone(), resource.links.clone());
        }
        Ok(())
    }

    fn mark_deleted(&mut self, stored: &StoredResource) -> Result<(), Infallible> {
        self.marked.insert(stored.id);
        Ok(())
    }

    fn unmark_deleted(&mut self, id: i64) -> Result<(), Infallible> {
        self.marked.remove(&id);
        Ok(())
    }

    fn marked_deleted(&self) -> Result<Vec<StoredResource>, Infallible> {
        let marked = self.marked.iter().filter_map(|id| self.resources.rows.get(id));
        Ok(marked.map(|(stored, _)| stored.clone()).collect())
    }

    fn is_acknowledged(&self, _: &str) -> Result<bool, Infallible> {
        Ok(false)
    }
}

impl Plan for Memory {
    fn plan(&mut self, document: u32, action: Action, resource: &ListedResource) -> Result<(), Infallible> {
        self.unplan(&resource.uri)?;
        let Rows { rows, places, last } = &mut self.plan;
        *last = last.saturating_add(1);
        places.insert(resource.uri.clone(), *last);
        rows.insert(*last, (document, Planned { sequence: *last, action, resource: resource.clone() }));
        Ok(())
    }

    fn unplan(&mut self, uri: &str) -> Result<Option<ListedResource>, Infallible> {
        let place = self.plan.places.remove(uri);
        Ok(place.and_then(|place| self.plan.rows.remove(&place)).map(|(_, planned)| planned.resource))
    }

    fn planned_of(&self, uri: &str) -> Result<Option<Planned>, Infallible> {
        let row = self.plan.places.get(uri).and_then(|place| self.plan.rows.get(place));
        Ok(row.map(|(_, planned)| planned.clone()))
    }

    fn forget_plan(&mut self, document: Option<u32>) -> Result<(), Infallible> {
        let Rows { rows, places, .. } = &mut self.plan;
        rows.retain(|_, (of, planned)| {
            let is_kept = document.is_some_and(|document| document != *of);
            if !is_kept {
                places.remove(&planned.resource.uri);
            }
            is_kept
        });
        Ok(())
    }

    fn planned(&self) -> Result<(u64, u64), Infallible> {
        let rows = &self.plan.rows;
        let bytes = rows.values().filter_map(|(_, planned)| planned.resource.length);
        Ok((rows.len() as u64, bytes.fold(0, u64::saturating_add)))
    }

    fn planned_after(&self, after: i64, most: usize) -> Result<Vec<Planned>, Infallible> {
        let rows = self.plan.rows.range(after.saturating_add(1)..);
        Ok(rows.take(most).map(|(_, (_, planned))| planned.clone()).collect())
    }

    fn note_listing(&mut self, document: u32, set: &str, uri: &str) -> Result<(), Infallible> {
        self.listings.now.entry((uri.to_owned(), set.to_owned())).or_insert((document, true));
        Ok(())
    }

    fn is_shared(&self, uri: &str) -> Result<bool, Infallible> {
        let listings = self.listings.now.range((uri.to_owned(), String::new())..);
        let listings = listings.take_while(|((of, _), _)| of == uri);
        Ok(listings.filter(|(_, (_, is_listed))| *is_listed).nth(1).is_some())
    }

    fn forget_listings(&mut self, document: Option<u32>) -> Result<(), Infallible> {
        self.listings.now.retain(|_, (of, _)| document.is_some_and(|document| document != *of));
        Ok(())
    }
}

impl Changes for Memory {
    fn forget_changes(&mut self) -> Result<(), Infallible> {
        (self.changes, self.last) = (BTreeMap::new(), Vec::new());
        Ok(())
    }

    fn add_changes(&mut self, list: &mut Vec<(u32, Change)>) -> Result<(), Infallible> {
        for (document, change) in list.drain(..) {
            self.changes.entry(document).or_default().push(change);
        }
        Ok(())
    }

    fn drop_changes(&mut self, document: u32) -> Result<(), Infallible> {
        self.changes.remove(&document);
        Ok(())
    }

    fn reduce(&mut self, order: &[Part], set: &str) -> Result<(), Infallible> {
        let mut changes = BTreeMap::new();
        for part in order {
            changes.extend(self.changes.remove_entry(&part.document));
        }
        for change in reduce(order, changes) {
            let sequence = self.last.last().map_or(1, |last| last.sequence.saturating_add(1));
            self.last.push(Last { sequence, set: set.to_owned(), change });
        }
        Ok(())
    }

    fn combine(&mut self, compares_lists: bool) -> Result<bool, Infallible> {
        let of = |last: &Last| last.change.nanoseconds();
        let mut states: BTreeMap<&str, Vec<&Last>> = BTreeMap::new();
        for last in &self.last {
            states.entry(&last.change.resource.uri).or_default().push(last);
        }
        // Several states of a resource of which not all have a time, and a deletion of what is to be tried again for another set, are unclear
        // as well.
        let is_unclear = states.iter().any(|(uri, states)| {
            let present = states.iter().filter(|last| last.change.presence != Presence::Deleted);
            let is_timeless = present.clone().count() > 1 && present.clone().any(|last| of(last).is_none());
            let is_deleted = states.iter().any(|last| last.change.presence == Presence::Deleted);
            let is_unknown = states.iter().any(|last| last.change.presence == Presence::Unknown);
            is_unknown || is_timeless || (is_deleted && self.retries.contains_key(*uri))
        });
        let mut kept = BTreeSet::new();
        for states in states.values() {
            let exists = states.iter().any(|last| last.change.presence != Presence::Deleted);
            let of_kind = states.iter().filter(|last| !exists || last.change.presence != Presence::Deleted);
            kept.extend(of_kind.max_by_key(|last| (of(last).unwrap_or(-1), last.sequence)).map(|last| last.sequence));
        }
        let Listings { before, now } = &mut self.listings;
        for Last { set, change, .. } in &self.last {
            let is_listed = change.presence != Presence::Deleted;
            now.insert((change.resource.uri.clone(), set.clone()), (0, is_listed));
        }
        let from = |uri: &str| (uri.to_owned(), String::new())..;
        let lists = |uri: &str, other: Option<&str>| {
            let listings = now.range(from(uri)).take_while(|((of, _), _)| of == uri);
            listings.into_iter().any(|((_, set), (_, is_listed))| *is_listed && other != Some(set))
        };
        let listed_before = |uri: &str| {
            let listings = before.range(from(uri)).take_while(|(of, _)| of == uri);
            listings.into_iter().any(|listing| !now.contains_key(listing))
        };
        self.last.retain_mut(|Last { sequence, set, change }| {
            let uri = &change.resource.uri;
            match change.presence {
                _ if !kept.contains(sequence) => return false,
                Presence::Deleted => return !lists(uri, None) && (compares_lists || !listed_before(uri)),
                Presence::Unknown if compares_lists && lists(uri, Some(set)) => change.presence = Presence::Present,
                _ => {}
            }
            true
        });
        Ok(is_unclear)
    }

    fn last_changes(&self, after: i64, most: usize) -> Result<Vec<(i64, LastChange)>, Infallible> {
        let begin = self.last.partition_point(|last| last.sequence <= after);
        Ok(self.last.iter().skip(begin).take(most).map(|last| (last.sequence, last.change.clone())).collect())
    }

    fn has_change(&self, uri: &str) -> Result<bool, Infallible> {
        Ok(self.has_last(uri))
    }

    fn checkpoints(&self) -> Result<Vec<Checkpoint>, Infallible> {
        Ok(self.state.checkpoints.clone())
    }

    fn remembered(&self) -> Result<Remembered, Infallible> {
        Ok(self.state.documents.clone())
    }

    fn settled(&self) -> Result<Option<String>, Infallible> {
        Ok(self.state.settled.clone())
    }

    fn described(&self) -> Result<Option<i64>, Infallible> {
        Ok(self.state.described)
    }

    fn put_described(&mut self, seconds: i64) -> Result<(), Infallible> {
        self.state.described = Some(seconds);
        Ok(())
    }

    fn kept(&self) -> Result<u64, Infallible> {
        Ok(self.state.kept)
    }

    fn begun(&self) -> Result<Option<i64>, Infallible> {
        Ok(self.state.begun)
    }

    fn unsettle(&mut self, lists_are_complete: bool, begun: Option<i64>) -> Result<(), Infallible> {
        self.state.settled = Some(UNSETTLED.to_owned());
        self.state.begun = begun.or(self.state.begun);
        if lists_are_complete {
            self.retries.clear();
        }
        Ok(())
    }

    fn settle(&mut self, settled: &Settled<'_>) -> Result<(), Infallible> {
        let Settled { documents, checkpoints, options, described, kept } = *settled;
        self.listings.before.clear();
        self.set_listings();
        self.related.settle(true, &|uri| self.resources.ids.contains_key(uri));
        self.forget_kept();
        self.unconfirmed.clear();
        self.state = State {
            checkpoints: checkpoints.to_vec(),
            documents: documents.clone(),
            settled: Some(options.to_owned()),
            described: Some(described),
            kept,
            begun: None,
        };
        Ok(())
    }

    fn settle_changes(&mut self, to: &[Checkpoint], kept: u64) -> Result<(), Infallible> {
        self.set_listings();
        self.related.settle(false, &|uri| self.resources.ids.contains_key(uri));
        self.forget_kept();
        self.state.checkpoints = to.to_vec();
        if kept > 0 {
            self.state.kept = kept;
        }
        Ok(())
    }
}

impl RelatedResources for Memory {
    fn note_listed(&mut self, document: u32, uri: &str) -> Result<(), Infallible> {
        self.related.note(uri, "", document, None);
        Ok(())
    }

    fn note_related(&mut self, document: u32, entry: &str, related: &ListedResource) -> Result<(), Infallible> {
        self.related.note(&related.uri, entry, document, Some(related));
        Ok(())
    }

    fn note_unlisted(&mut self, uri: &str) -> Result<(), Infallible> {
        self.related.end(uri);
        Ok(())
    }

    fn is_known(&self, uri: &str) -> Result<bool, Infallible> {
        Ok(self.related.knows(uri))
    }

    fn keep_links(&mut self, uri: &str) -> Result<(), Infallible> {
        self.related.keep(uri);
        Ok(())
    }

    fn is_related(&self, uri: &str) -> Result<bool, Infallible> {
        Ok(self.related.has_link(uri))
    }

    fn forget_related(&mut self, document: Option<u32>) -> Result<(), Infallible> {
        self.related.forget(document);
        Ok(())
    }

    fn related_after(
        &self,
        after: i64,
        most: usize,
        compares_lists: bool,
    ) -> Result<Vec<(i64, ListedResource)>, Infallible> {
        Ok(self.related.after(after, most, compares_lists))
    }

    fn unrelated_after(&self, after: &str, most: usize, compares_lists: bool) -> Result<Vec<String>, Infallible> {
        Ok(self.related.gone_after(after, most, compares_lists))
    }
}

/// What identifies a version.
fn identity(version: &ListedResource) -> (String, Option<String>) {
    (version.loc.clone(), version.hash.clone())
}

impl Versions for Memory {
    fn note_version(&mut self, version: &ListedResource) -> Result<(), Infallible> {
        let History { kept, due, last } = &mut self.versions;
        if !kept.contains(&identity(version)) && due.values().all(|due| identity(due) != identity(version)) {
            *last = last.saturating_add(1);
            due.insert(*last, version.clone());
        }
        Ok(())
    }

    fn versions_after(&self, after: i64, most: usize) -> Result<Vec<(i64, ListedResource)>, Infallible> {
        let due = self.versions.due.range(after.saturating_add(1)..);
        Ok(due.take(most).map(|(sequence, version)| (*sequence, version.clone())).collect())
    }

    fn versions_due(&self) -> Result<u64, Infallible> {
        Ok(self.versions.due.len() as u64)
    }

    fn forget_version(&mut self, version: &ListedResource) -> Result<(), Infallible> {
        self.versions.due.retain(|_, due| identity(due) != identity(version));
        Ok(())
    }
}

impl Retries for Memory {
    fn retry_later(&mut self, resource: &ListedResource, _: ItemCode, _: u64) -> Result<(), Infallible> {
        self.retries.insert(resource.uri.clone(), resource.clone());
        Ok(())
    }

    fn retries(&self) -> Result<Vec<ListedResource>, Infallible> {
        Ok(self.retries.values().cloned().collect())
    }

    fn renew_retry(&mut self, resource: &ListedResource) -> Result<(), Infallible> {
        if let Some(retry) = self.retries.get_mut(&resource.uri) {
            retry.clone_from(resource);
        }
        Ok(())
    }

    fn forget_retry(&mut self, uri: &str) -> Result<(), Infallible> {
        self.retries.remove(uri);
        Ok(())
    }
}

impl Unconfirmed for Memory {
    fn unconfirmed(&self) -> Result<(u64, u64), Infallible> {
        let deleted = self.unconfirmed.values().filter(|change| change.is_deleted);
        Ok((self.unconfirmed.len() as u64, deleted.count() as u64))
    }

    fn note_unconfirmed(&mut self, changes: &[&Change], run: u64, now: i64) -> Result<(), Infallible> {
        for change in changes {
            let Some((resource, moment)) = change.resource.as_ref().zip(change.nanoseconds()) else { continue };
            let is_deleted = change.is_deleted;
            let new = Notified { moment, is_deleted, since: now, run };
            let row = self.unconfirmed.entry(resource.uri.clone()).or_insert(new);
            (row.moment, row.is_deleted) = (moment, is_deleted);
        }
        Ok(())
    }

    fn forget_failed(&mut self, run: u64) -> Result<(), Infallible> {
        let retries = core::mem::take(&mut self.retries);
        self.unconfirmed.retain(|uri, change| change.run != run || !retries.contains_key(uri));
        Ok(())
    }

    fn lacks_unconfirmed(&self, moment: Option<i64>, applied: i64) -> Result<bool, Infallible> {
        Ok(self.unconfirmed.iter().any(|(uri, change)| {
            let is_due = moment.is_some_and(|moment| change.moment <= moment) || change.since <= applied;
            is_due && !self.has_last(uri)
        }))
    }

    fn confirm(&mut self) -> Result<(), Infallible> {
        let mut unconfirmed = core::mem::take(&mut self.unconfirmed);
        unconfirmed.retain(|uri, _| !self.has_last(uri));
        self.unconfirmed = unconfirmed;
        Ok(())
    }
}

impl Runs for Memory {
    fn end_run(&mut self, _: u64, _: &str, _: Outcome, _: &Counts) -> Result<(), Infallible> {
        Ok(())
    }
}
