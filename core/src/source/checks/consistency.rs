//! Consistency of the capabilities of one set: compares their resources by hash, 8 bytes each.

use alloc::collections::BTreeSet;

use super::{
    Findings, history,
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
    let packages =
        nodes.iter().any(|node| graph.summary(*node).is_some_and(|summary| summary.kind == Kind::ResourceDump));
    let is_whole = resources.complete && dumped.complete && packages && !resources.documents.is_empty();
    // Snapshots taken at different times may differ, and so may those that took different times to complete
    // (AT-26).
    let is_snapshot = |summary: &&DocumentSummary| KindProfile::of(summary.kind).is_snapshot;
    let all = || nodes.iter().filter_map(|node| graph.summary(*node).filter(is_snapshot));
    let mut moments = all().filter_map(moment);
    let Some(first) = moments.next() else { return };
    let same = moments.all(|other| other == first);
    if !is_whole || !same || dumped.documents.is_empty() {
        return;
    }
    let is_index = graph.first_of(nodes, Kind::ResourceListIndex);
    let of = |code| timed(code, all().all(is_certain));
    missing(&of(Code::CAP_16), (list, summary), resources, &dumped, Kind::ResourceDump, graph, found);
    match is_index {
        Some((index, upper)) => {
            missing(&of(Code::RLI_12), (index, upper), &dumped, resources, Kind::ResourceListIndex, graph, found)
        }
        None => missing(&of(Code::CAP_16), (list, summary), &dumped, resources, Kind::ResourceList, graph, found),
    }
}

/// Compares the list and the dump of the changes of an interval.
fn intervals(graph: &LinkGraph, list: (usize, &DocumentSummary), nodes: &BTreeSet<usize>, found: &mut Findings) {
    let of = |kind| {
        nodes
            .iter()
            .filter_map(move |node| Some((*node, graph.summary(*node)?)))
            .filter(move |(_, summary)| summary.kind == kind)
    };
    for (node, changes) in of(Kind::ChangeList).filter(|(_, summary)| summary.complete) {
        let Some(interval) = interval(changes) else { continue };
        for (dump, manifest) in of(Kind::ChangeDumpManifest).filter(|(_, summary)| summary.complete) {
            if self::interval(manifest).is_none_or(|other| other != interval) {
                continue;
            }
            let listed = Listing::new(alloc::vec![(node, changes)], true);
            let packaged = Listing::new(alloc::vec![(dump, manifest)], true);
            let of = |code| timed(code, is_certain(changes) && is_certain(manifest));
            missing(&of(Code::CDM_18), (node, changes), &listed, &packaged, Kind::ChangeDumpManifest, graph, found);
            missing(&of(Code::CAP_16), list, &packaged, &listed, Kind::ChangeList, graph, found);
        }
    }
}

/// Reports, at a document, resources that one listing has and the other, of documents of `kind`, lacks.
fn missing(
    finding: &Finding,
    (node, summary): (usize, &DocumentSummary),
    listed: &Listing<'_>,
    other: &Listing<'_>,
    kind: Kind,
    graph: &LinkGraph,
    found: &mut Findings,
) {
    for document in &listed.documents {
        absent(finding, (node, summary), *document, kind, graph, found, &|_, hash| !other.contains(hash));
    }
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
