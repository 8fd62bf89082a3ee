//! Consistency of the capabilities of one set: compares their resources by hash, 8 bytes each.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    vec::Vec,
};

use super::{
    Findings,
    history::{self, Changes},
    listing::{Listing, absent, interval, is_certain},
};
use crate::{
    diagnostic::{Code, Finding},
    model::{Kind, Name},
    rules::{KindProfile, timed},
    source::{LinkGraph, below},
    validate::DocumentSummary,
    value::{Datetime, Instant},
};

/// Documents of one kind, each with its node in the graph.
type Documents<'a> = Vec<(usize, &'a DocumentSummary)>;

/// Compares the capabilities of each set.
pub(super) fn check(graph: &LinkGraph, found: &mut Findings) {
    for (list, summary) in graph.of_kind(Kind::CapabilityList) {
        let nodes = below(graph, list);
        let resources = Listing::of_kind(graph, &nodes, Kind::ResourceList);
        snapshots(graph, list, summary, &nodes, &resources, found);
        intervals(graph, (list, summary), &nodes, found);
        history::check(graph, (list, summary), &nodes, &resources, found);
        unlisted_metadata(&resources, found);
    }
}

/// Compares the list and the dump of a snapshot.
fn snapshots(
    graph: &LinkGraph,
    list: usize,
    summary: &DocumentSummary,
    nodes: &BTreeSet<usize>,
    resources: &Listing<'_>,
    found: &mut Findings,
) {
    let dumped = Listing::of_kind(graph, nodes, Kind::ResourceDumpManifest);
    let dumps = Listing::of_kind(graph, nodes, Kind::ResourceDump);
    let is_index = graph.first_of(nodes, Kind::ResourceListIndex);
    let is_listed = !resources.documents.is_empty() || is_index.is_some_and(|(_, index)| has_no_members(index));
    let is_dumped = match dumped.documents.is_empty() {
        true => dumps.documents.iter().all(|(_, dump)| has_no_members(dump)),
        false => true,
    };
    let is_whole = resources.complete && dumped.complete && !dumps.documents.is_empty() && is_listed && is_dumped;
    // Snapshots taken at different times may differ, and so may those that took different times to complete
    // (AT-26).
    let is_snapshot = |summary: &&DocumentSummary| KindProfile::of(summary.kind).is_snapshot;
    let all = || nodes.iter().filter_map(|node| graph.summary(*node).filter(is_snapshot));
    let mut moments = all().filter_map(moment);
    let Some(first) = moments.next() else { return };
    if !is_whole || !moments.all(|other| other == first) {
        return;
    }
    let of = |code| timed(code, all().all(is_certain));
    let mut compare =
        |finding: &Finding, at: (usize, &DocumentSummary), listed: &Listing<'_>, other: &Listing<'_>, kind| {
            for document in &listed.documents {
                absent(finding, at, *document, kind, graph, found, &|_, hash| !other.contains(hash));
            }
        };
    compare(&of(Code::CAP_16), (list, summary), resources, &dumped, Kind::ResourceDump);
    match is_index {
        Some(index) => compare(&of(Code::RLI_12), index, &dumped, resources, Kind::ResourceListIndex),
        None => compare(&of(Code::CAP_16), (list, summary), &dumped, resources, Kind::ResourceList),
    }
}

/// Compares the lists and the dumps of the changes of an interval, of which each may have a part.
fn intervals(graph: &LinkGraph, list: (usize, &DocumentSummary), nodes: &BTreeSet<usize>, found: &mut Findings) {
    let mut equal: BTreeMap<(Instant, Instant), [Documents<'_>; 3]> = BTreeMap::new();
    for (node, summary) in nodes.iter().filter_map(|node| Some((*node, graph.summary(*node)?))) {
        let kinds = [Kind::ChangeList, Kind::ChangeDumpManifest, Kind::ChangeDump];
        let own = interval(summary).zip(kinds.iter().position(|kind| *kind == summary.kind));
        let Some((interval, kind)) = own else { continue };
        equal.entry(interval).or_default().get_mut(kind).into_iter().for_each(|own| own.push((node, summary)));
    }
    for [lists, manifests, dumps] in equal.into_values() {
        let all = || [&lists, &manifests, &dumps].into_iter().flatten().map(|(_, summary)| *summary);
        let packages = match manifests.is_empty() {
            true if !dumps.is_empty() && dumps.iter().all(|(_, dump)| has_no_members(dump)) => Kind::ChangeDump,
            true => continue,
            false => Kind::ChangeDumpManifest,
        };
        if lists.is_empty() || !all().all(|summary| summary.complete) {
            continue;
        }
        let of = |code| timed(code, all().all(is_certain));
        for (code, at, these, those, kind) in [
            (Code::CDM_18, None, &lists, &manifests, packages),
            (Code::CAP_16, Some(list), &manifests, &lists, Kind::ChangeList),
        ] {
            let known = Changes::of(those.iter().map(|(_, summary)| *summary));
            for document in these {
                let events = &document.1.events;
                absent(&of(code), at.unwrap_or(*document), *document, kind, graph, found, &|index, hash| {
                    events.get(index).is_some_and(|event| !known.contain(hash, *event))
                });
            }
        }
    }
}

/// True for an index or a dump that lists nothing.
fn has_no_members(summary: &DocumentSummary) -> bool {
    summary.complete && summary.members.is_empty() && summary.forgotten == 0
}

/// Reports targets of `describedby` and `describes` that have no entry of their own.
fn unlisted_metadata(resources: &Listing<'_>, found: &mut Findings) {
    if !resources.complete {
        return;
    }
    for (node, summary) in &resources.documents {
        let mut absent = summary.metadata_links.iter().filter(|(_, hash)| !resources.contains(*hash));
        let count = absent.clone().count();
        let Some((entry, _)) = absent.next() else { continue };
        let finding = Finding::new(Code::LK_23).arg("count", count).arg("entry", *entry);
        found.add(*node, summary.at_head(finding, Name::Capability));
    }
}

/// The start of a snapshot and, if stated, its completion.
fn moment(summary: &DocumentSummary) -> Option<(Instant, Option<Instant>)> {
    let attributes = &summary.head.as_ref()?.attributes;
    let completed = attributes.completed().and_then(|completed| completed.value()).map(Datetime::start);
    Some((attributes.at()?.value()?.start(), completed))
}
