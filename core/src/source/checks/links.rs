//! Links whose target does not exist or was not checked.

use super::Findings;
use crate::{
    diagnostic::{Code, Finding},
    model::{Entry, Md},
    rules::KindProfile,
    source::{LinkGraph, Node, NodeState, href, relates},
    validate::DocumentSummary,
};

/// Checks every link that a crawl follows.
pub(super) fn check(graph: &LinkGraph, found: &mut Findings) {
    for (node, summary) in graph.documents_and_manifests() {
        for relation in ["up", "index"] {
            for (number, link) in summary.links_of(relation) {
                let finding = href(link).and_then(|uri| of(graph, uri));
                found.extend(node, finding.map(|finding| summary.at_link(finding, number, link)));
            }
        }
        for entry in &summary.members {
            of_entry(graph, node, summary, entry, found);
        }
        if summary.forgotten > 0 {
            let uri = graph.nodes.get(node).map_or("", |node| &node.uri);
            let finding = Finding::new(Code::LIM_18).arg("uri", uri).arg("count", summary.forgotten);
            found.add(node, summary.at_root(finding));
        }
    }
}

fn of_entry(graph: &LinkGraph, node: usize, summary: &DocumentSummary, entry: &Entry, found: &mut Findings) {
    if let Some(uri) = entry.uri().filter(|_| !is_deleted(entry)) {
        found.extend(node, of(graph, uri.as_str()).map(|finding| summary.at_loc(finding, entry)));
    }
    if !KindProfile::of(summary.kind).is_dump() {
        return;
    }
    for (number, link) in (1..).zip(&entry.links) {
        let finding = href(link).filter(|_| relates(link, "contents")).and_then(|uri| of(graph, uri));
        found.extend(node, finding.map(|finding| summary.at_entry_link(finding, entry, number, link)));
    }
}

/// The finding for a link to this URI.
pub(super) fn of(graph: &LinkGraph, uri: &str) -> Option<Finding> {
    not_had(graph.nodes.get(graph.find(uri)?)?, uri)
}

/// The finding for a target that was not fetched.
pub(super) fn not_had(node: &Node, uri: &str) -> Option<Finding> {
    match &node.state {
        NodeState::NotFound(reason) => Some(Finding::new(Code::INP_05).arg("uri", uri).arg("reason", reason.clone())),
        NodeState::Skipped(reason) => Some(Finding::new(Code::INP_06).arg("uri", uri).arg("reason", reason.clone())),
        NodeState::OverBudget => Some(Finding::new(Code::LIM_17).arg("uri", uri)),
        _ => None,
    }
}

/// True for a deletion in a notification.
fn is_deleted(entry: &Entry) -> bool {
    let change = |md: &Md| md.attributes.change().and_then(|change| change.value()).cloned();
    entry.first_md().and_then(change) == Some(crate::value::Change::Deleted)
}
