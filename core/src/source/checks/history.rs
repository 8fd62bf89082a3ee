//! Snapshots and changes of one set, compared by the times that they state.
//!
//! Only what is certain counts: a moment strictly inside an interval, and no change that could explain the difference.

use alloc::{collections::BTreeSet, vec::Vec};

use super::{
    Findings,
    listing::{Listing, absent, interval},
};
use crate::{
    diagnostic::{Code, Finding},
    model::Kind,
    source::LinkGraph,
    validate::{DocumentSummary, Event},
    value::Datetime,
};

/// Compares what `consistency` does not: snapshots that took differently long, and intervals that only overlap.
pub(super) fn check(
    graph: &LinkGraph,
    list: (usize, &DocumentSummary),
    nodes: &BTreeSet<usize>,
    resources: &Listing<'_>,
    found: &mut Findings,
) {
    let [dumps, dumped, changes, packaged] =
        [Kind::ResourceDump, Kind::ResourceDumpManifest, Kind::ChangeList, Kind::ChangeDumpManifest]
            .map(|kind| Listing::of_kind(graph, nodes, kind));
    // Each is incomplete if anything of the set was not read.
    if ![resources, &dumps, &dumped, &changes, &packaged].iter().all(|listing| listing.complete) {
        return;
    }
    let known = Changes::of(changes.documents.iter().chain(&packaged.documents).map(|(_, summary)| *summary));
    snapshots(graph, list, resources, (&dumps, &dumped), &known, found);
    creations(graph, list, resources, &changes, &known, found);
    for (code, at, these, those, kind) in [
        (Code::CDM_18, None, &changes, &packaged, Kind::ChangeDumpManifest),
        (Code::CAP_16, Some(list), &packaged, &changes, Kind::ChangeList),
    ] {
        overlaps(graph, (code, at), these, (those, kind), found);
    }
}

/// The changes that documents list.
pub(super) struct Changes {
    /// By the hash of the resource, sorted.
    events: Vec<(u64, Event)>,
    /// The intervals in which every change is listed, in seconds, sorted.
    intervals: Vec<(i64, i64)>,
}

impl Changes {
    pub(super) fn of<'a>(documents: impl Iterator<Item = &'a DocumentSummary> + Clone) -> Changes {
        let mut events: Vec<(u64, Event)> = documents
            .clone()
            .flat_map(|summary| {
                let generic = summary.generic.iter().filter_map(|(number, hash)| {
                    let index = usize::try_from(*number).ok()?.checked_sub(1)?;
                    Some((*hash, *summary.events.get(index)?))
                });
                summary.locs.iter().copied().zip(summary.events.iter().copied()).chain(generic)
            })
            .collect();
        events.sort_unstable_by_key(|(hash, _)| *hash);
        let mut intervals: Vec<(i64, i64)> =
            documents.filter_map(|summary| Some((from(summary)?, until(summary)?.unwrap_or(i64::MAX)))).collect();
        intervals.sort_unstable();
        Changes { events, intervals }
    }

    fn of_resource(&self, hash: u64) -> impl Iterator<Item = Event> {
        let start = self.events.partition_point(|(own, _)| *own < hash);
        let rest = self.events.get(start..).unwrap_or_default();
        rest.iter().take_while(move |(own, _)| *own == hash).map(|(_, event)| *event)
    }

    /// True if this change of a resource is among them. What has no exact moment may have been at any.
    pub(super) fn contain(&self, hash: u64, event: Event) -> bool {
        let is_then = |own: Event| own.seconds().zip(event.seconds()).is_none_or(|(own, other)| own == other);
        self.of_resource(hash).any(|own| own.is_deletion() == event.is_deletion() && is_then(own))
    }

    /// The changes of a resource that may have been at a moment or later.
    fn since(&self, hash: u64, moment: i64) -> impl Iterator<Item = Event> {
        self.of_resource(hash).filter(move |event| event.seconds().is_none_or(|seconds| seconds >= moment))
    }

    /// True if a resource may have changed at a moment or later.
    pub(super) fn may_change_since(&self, hash: u64, moment: i64) -> bool {
        self.since(hash, moment).next().is_some()
    }

    /// True if a resource may have been deleted at a moment or later.
    pub(super) fn may_be_deleted_since(&self, hash: u64, moment: i64) -> bool {
        self.since(hash, moment).any(|event| event.is_deletion())
    }

    /// True if all changes between two moments are listed.
    fn cover(&self, first: i64, last: i64) -> bool {
        let mut end = first;
        for (from, until) in &self.intervals {
            if *from <= end {
                end = end.max(*until);
            }
        }
        !self.intervals.iter().all(|(from, _)| *from > first) && end >= last
    }
}

/// A resource that has not changed since before both snapshots began is in both, however long they took.
fn snapshots(
    graph: &LinkGraph,
    list: (usize, &DocumentSummary),
    resources: &Listing<'_>,
    (dumps, dumped): (&Listing<'_>, &Listing<'_>),
    known: &Changes,
    found: &mut Findings,
) {
    let all = [resources, dumps, dumped].into_iter().flat_map(|listing| &listing.documents);
    let moments: Option<Vec<(i64, i64)>> = all.map(|(_, summary)| snapshot(summary)).collect();
    let Some(moments) = moments.filter(|_| !resources.documents.is_empty() && !dumped.documents.is_empty()) else {
        return;
    };
    let Some(first) = moments.iter().map(|(at, _)| *at).min() else { return };
    let (last, end) =
        moments.iter().fold((first, first), |(last, end), moment| (last.max(moment.0), end.max(moment.1)));
    // Equal snapshots are compared as a whole.
    let is_equal = moments.iter().all(|moment| Some(moment) == moments.first());
    if is_equal || first != last && !known.cover(first, end) {
        return;
    }
    for document in &resources.documents {
        let events = &document.1.events;
        absent(&Finding::new(Code::CAP_16), list, *document, Kind::ResourceDump, graph, found, &|index, hash| {
            let is_old = events.get(index).and_then(|event| event.seconds()).is_some_and(|seconds| seconds < first);
            is_old && !dumped.contains(hash) && !known.may_change_since(hash, first)
        });
    }
}

/// A resource that was created before a snapshot began, and not deleted until then, is in it.
fn creations(
    graph: &LinkGraph,
    list: (usize, &DocumentSummary),
    resources: &Listing<'_>,
    changes: &Listing<'_>,
    known: &Changes,
    found: &mut Findings,
) {
    let moments: Option<Vec<(i64, i64)>> = resources.documents.iter().map(|(_, summary)| snapshot(summary)).collect();
    let Some(first) = moments.and_then(|moments| moments.into_iter().map(|(at, _)| at).min()) else { return };
    for document in &changes.documents {
        let events = &document.1.events;
        absent(&Finding::new(Code::CAP_16), list, *document, Kind::ResourceList, graph, found, &|index, hash| {
            let created = events.get(index).filter(|event| event.is_creation()).and_then(|event| event.seconds());
            let Some(created) = created.filter(|created| *created < first) else { return false };
            let is_gone =
                |event: Event| event.seconds().is_none_or(|seconds| event.is_deletion() && seconds >= created);
            !resources.contains(hash) && !known.of_resource(hash).any(is_gone) && known.cover(created, first)
        });
    }
}

/// Changes inside an interval of the other kind of document are in it too.
fn overlaps(
    graph: &LinkGraph,
    (code, at): (Code, Option<(usize, &DocumentSummary)>),
    listed: &Listing<'_>,
    (other, kind): (&Listing<'_>, Kind),
    found: &mut Findings,
) {
    let mut windows: Vec<(i64, i64)> = other.documents.iter().filter_map(|(_, summary)| window(summary)).collect();
    windows.sort_unstable();
    // What overlaps is one: of several packages of an interval each has a part of the changes. What touches is not.
    let mut merged: Vec<(i64, i64)> = Vec::new();
    for (from, until) in windows {
        match merged.last_mut().filter(|(_, end)| from < *end) {
            Some((_, end)) => *end = (*end).max(until),
            None => merged.push((from, until)),
        }
    }
    let known = Changes::of(other.documents.iter().map(|(_, summary)| *summary));
    for document in &listed.documents {
        // Equal intervals are compared as a whole.
        let own_interval = interval(document.1);
        let is_equal = |other: &DocumentSummary| own_interval.is_some() && interval(other) == own_interval;
        if other.documents.iter().any(|(_, summary)| is_equal(summary)) {
            continue;
        }
        let own = &document.1.events;
        absent(&Finding::new(code), at.unwrap_or(*document), *document, kind, graph, found, &|index, hash| {
            let Some(event) = own.get(index).copied() else { return false };
            let Some(seconds) = event.seconds() else { return false };
            let after = merged.partition_point(|(from, _)| *from < seconds);
            let window = after.checked_sub(1).and_then(|at| merged.get(at));
            window.is_some_and(|(_, until)| seconds < *until) && !known.contain(hash, event)
        });
    }
}

/// The interval of a document of changes of which it is certain that it lists all of them.
fn window(summary: &DocumentSummary) -> Option<(i64, i64)> {
    let last = || summary.events.iter().filter_map(|event| event.seconds()).max();
    // An open one is certain up to the last change in it: later ones may not have been added yet.
    Some((from(summary)?, until(summary)?.or_else(last)?))
}

/// When a snapshot began, and when it ended as far as that is stated.
pub(super) fn snapshot(summary: &DocumentSummary) -> Option<(i64, i64)> {
    let attributes = &summary.head.as_ref()?.attributes;
    let at = seconds(attributes.at()?.value()?)?;
    let end = match attributes.completed() {
        Some(completed) => seconds(completed.value()?)?,
        None => at,
    };
    Some((at, end.max(at)))
}

fn from(summary: &DocumentSummary) -> Option<i64> {
    seconds(summary.head.as_ref()?.attributes.from()?.value()?)
}

/// The end of an interval; `Some(None)` if it is open.
fn until(summary: &DocumentSummary) -> Option<Option<i64>> {
    match summary.head.as_ref()?.attributes.until() {
        Some(until) => seconds(until.value()?).map(Some),
        None => Some(None),
    }
}

/// Seconds since 1970, rounded down; `None` for a day, which is no moment.
fn seconds(datetime: &Datetime) -> Option<i64> {
    (!datetime.is_partial()).then(|| datetime.to_unix().0)
}
