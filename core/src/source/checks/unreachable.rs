//! Documents in a folder that no document of the Source links to.

use super::Findings;
use crate::{
    diagnostic::{Code, Finding},
    source::LinkGraph,
};

/// Reports each of them.
pub(super) fn check(graph: &LinkGraph, nodes: &[usize], found: &mut Findings) {
    if graph.forgot_documents() {
        return;
    }
    let copies = graph.copies();
    for node in nodes.iter().filter(|node| !copies.contains(node)) {
        let Some(summary) = graph.summary(*node) else { continue };
        let uri = graph.nodes.get(*node).map_or("", |node| &node.uri);
        let finding = Finding::new(Code::ADV_13).arg("uri", uri).arg("kind", summary.kind);
        found.add(*node, summary.at_root(finding));
    }
}
