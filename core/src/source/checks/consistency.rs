//! Consistency of the capabilities of one set: compares their resources by hash, 8 bytes each.

use alloc::{collections::BTreeSet, vec::Vec};

use super::{Findings, history};
use crate::{
    diagnostic::{Code, Finding},
    model::{Kind, Name},
    rules::KindProfile,
    source::{Content, LinkGraph, NodeState, below},
    validate::DocumentSummary,
    value::{Datetime, Instant},
};

/// What the documents of one kind in one set list.
pub(super) struct Listing<'a> {
    /// The documents, each with its node in the graph.
    pub(super) documents: Vec<(usize, &'a DocumentSummary)>,
    /// Hashes of the URIs of all listed resources and of the generic resources behind them (LK-15), sorted.
    pub(super) resources: Vec<u64>,
    /// True if these documents, and all others of the set, were read to the end.
    pub(super) complete: bool,
}

impl<'a> Listing<'a> {
    /// Everything that the documents of a kind list; `nodes` are those of the set.
    pub(super) fn of_kind(graph: &'a LinkGraph, nodes: &BTreeSet<usize>, kind: Kind) -> Listing<'a> {
        let documents: Vec<(usize, &DocumentSummary)> = nodes
            .iter()
            .filter_map(|node| Some((*node, graph.summary(*node)?)))
            .filter(|(_, summary)| summary.kind == kind)
            .collect();
        Listing::new(documents, nodes.iter().all(|node| is_fetched(graph, *node)))
    }

    /// Everything that these documents list; `complete` if nothing else of the set is unread.
    fn new(documents: Vec<(usize, &'a DocumentSummary)>, complete: bool) -> Listing<'a> {
        let of = |summary: &'a DocumentSummary| {
            summary.locs.iter().copied().chain(summary.generic.iter().map(|(_, hash)| *hash))
        };
        let mut resources: Vec<u64> = documents.iter().flat_map(|(_, summary)| of(summary)).collect();
        resources.sort_unstable();
        let complete = complete && documents.iter().all(|(_, summary)| summary.complete);
        Listing { documents, resources, complete }
    }

    /// True if it lists the resource with this hash.
    pub(super) fn contains(&self, resource: u64) -> bool {
        self.resources.binary_search(&resource).is_ok()
    }
}

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

/// True if a document can be compared.
pub(super) fn is_fetched(graph: &LinkGraph, node: usize) -> bool {
    graph.nodes.get(node).is_some_and(|node| match &node.state {
        NodeState::Fetched(fetched) => !matches!(&fetched.content, Content::Package(_, None) | Content::Foreign(_)),
        _ => false,
    })
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
    let mut moments = nodes.iter().filter_map(|node| graph.summary(*node).filter(is_snapshot).and_then(moment));
    let Some(first) = moments.next() else { return };
    let same = moments.all(|other| other == first);
    if !is_whole || !same || dumped.documents.is_empty() {
        return;
    }
    let is_index = graph.first_of(nodes, Kind::ResourceListIndex);
    missing(Code::CAP_16, (list, summary), resources, &dumped, Kind::ResourceDump, graph, found);
    match is_index {
        Some((index, upper)) => {
            missing(Code::RLI_12, (index, upper), &dumped, resources, Kind::ResourceListIndex, graph, found)
        }
        None => missing(Code::CAP_16, (list, summary), &dumped, resources, Kind::ResourceList, graph, found),
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
            missing(Code::CDM_18, (node, changes), &listed, &packaged, Kind::ChangeDumpManifest, graph, found);
            missing(Code::CAP_16, list, &packaged, &listed, Kind::ChangeList, graph, found);
        }
    }
}

/// Reports, at a document, resources that one listing has and the other, of documents of `kind`, lacks.
fn missing(
    code: Code,
    (node, summary): (usize, &DocumentSummary),
    listed: &Listing<'_>,
    other: &Listing<'_>,
    kind: Kind,
    graph: &LinkGraph,
    found: &mut Findings,
) {
    for document in &listed.documents {
        absent(code, (node, summary), *document, kind, graph, found, &|_, hash| !other.contains(hash));
    }
}

/// Reports, at a document, what `document` lists and documents of `kind` lack: entries, by number from 0, of which `is_absent` is true for
/// the hash of the resource and that of the generic one behind it.
pub(super) fn absent(
    code: Code,
    (node, summary): (usize, &DocumentSummary),
    (document, listed): (usize, &DocumentSummary),
    kind: Kind,
    graph: &LinkGraph,
    found: &mut Findings,
    is_absent: &dyn Fn(usize, u64) -> bool,
) {
    // One may list the generic URI of a resource, the other a specific one (LK-15).
    let generic = |index: usize| {
        let number = u32::try_from(index.saturating_add(1)).ok();
        let found = listed.generic.binary_search_by_key(&number, |(number, _)| Some(*number));
        found.ok().and_then(|at| listed.generic.get(at)).map(|(_, hash)| *hash)
    };
    let is_absent = |(index, hash): &(usize, &u64)| {
        **hash != 0 && is_absent(*index, **hash) && generic(*index).is_none_or(|hash| is_absent(*index, hash))
    };
    let mut absent = listed.locs.iter().enumerate().filter(is_absent);
    if let Some((first, _)) = absent.next() {
        let first = first.saturating_add(1);
        let count = absent.count().saturating_add(1);
        let uri = graph.nodes.get(document).map_or("", |node| &node.uri);
        let finding = Finding::new(code)
            .arg("count", count)
            .arg("total", listed.locs.len())
            .arg("uri", uri)
            .arg("kind", kind)
            .arg("entry", first);
        let finding = summary.at_head(finding, Name::Capability);
        if document == node {
            found.add(node, finding);
        } else {
            found.add_related(node, finding, ("lists-more", document, listed.root.span));
        }
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

pub(super) fn interval(summary: &DocumentSummary) -> Option<(Instant, Instant)> {
    let head = summary.head.as_ref()?;
    Some((head.attributes.from()?.value()?.start(), head.attributes.until()?.value()?.start()))
}
