//! What the documents of a set list, and the report of what one of them lacks.

use alloc::{collections::BTreeSet, vec::Vec};

use super::Findings;
use crate::{
    diagnostic::Finding,
    model::{Kind, Md, Name},
    source::{Content, LinkGraph, NodeState},
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
    pub(super) fn new(documents: Vec<(usize, &'a DocumentSummary)>, complete: bool) -> Listing<'a> {
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

/// True if a document can be compared.
pub(super) fn is_fetched(graph: &LinkGraph, node: usize) -> bool {
    graph.nodes.get(node).is_some_and(|node| match &node.state {
        NodeState::Fetched(fetched) => !matches!(&fetched.content, Content::Package(_, None) | Content::Foreign(_)),
        _ => false,
    })
}

/// Reports, with this finding at a document, what `document` lists and documents of `kind` lack: entries, by number from 0, of which `is_absent` is true for
/// the hash of the resource and that of the generic one behind it.
pub(super) fn absent(
    finding: &Finding,
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
        let finding = finding
            .clone()
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

/// True if the times of a document are moments, and no days.
pub(super) fn is_certain(summary: &DocumentSummary) -> bool {
    let Some(Md { attributes, .. }) = &summary.head else { return true };
    let times = [attributes.at(), attributes.completed(), attributes.from(), attributes.until()];
    !times.into_iter().flatten().any(|field| field.value().is_some_and(Datetime::is_partial))
}

pub(super) fn interval(summary: &DocumentSummary) -> Option<(Instant, Instant)> {
    let head = summary.head.as_ref()?;
    Some((head.attributes.from()?.value()?.start(), head.attributes.until()?.value()?.start()))
}
