//! `up` links: from every document to its parent, up to the Source Description.

use alloc::{collections::BTreeSet, vec::Vec};

use super::{
    Findings,
    downward::{called, capability},
};
use crate::{
    diagnostic::{Code, Finding},
    model::{Kind, Link},
    rules::KindProfile,
    source::{LinkGraph, href},
    span::Span,
    validate::DocumentSummary,
};

/// Checks the target of every `up` link.
pub(super) fn check(graph: &LinkGraph, found: &mut Findings) {
    let mut circles = BTreeSet::new();
    for (node, summary) in graph.documents_and_manifests() {
        let Some(expected) = KindProfile::of(summary.kind).parent else { continue };
        let other = |(number, link)| Some((number, link, href(link).and_then(|uri| graph.foreign(uri))?));
        for (number, link, (target, kind)) in summary.links_of("up").filter_map(other) {
            let finding = Finding::new(Code::LK_08)
                .arg("uri", href(link).unwrap_or(""))
                .arg("problem", "wrong-kind")
                .arg("kind", kind)
                .arg("expectedKind", expected);
            found.add_related(node, summary.at_link(finding, number, link), ("found", target, Span::beginning()));
        }
        for own in summary.links_of("up").skip(1) {
            wrong(graph, (node, summary), own, expected, found);
        }
        let Some((number, link, uri, _)) = up(graph, summary) else { continue };
        let circle = circle(graph, node);
        if let Some(first) = circle.iter().min() {
            // A cycle is reported once, at its first document.
            if circles.insert(*first) {
                let finding = Finding::new(Code::GEN_30).arg("uri", uri);
                found.add(node, summary.at_link(finding, number, link));
            }
            continue;
        }
        wrong(graph, (node, summary), (number, link), expected, found);
    }
}

/// Checks that this link leads to a document of the expected kind that lists the document, or of which nobody knows better.
fn wrong(
    graph: &LinkGraph,
    (node, summary): (usize, &DocumentSummary),
    (number, link): (u64, &Link),
    expected: Kind,
    found: &mut Findings,
) {
    let Some(uri) = href(link) else { return };
    let Some((target, upper)) = graph.target(uri) else { return };
    let problem = if upper.kind != expected {
        if upper.kind == Kind::Unknown && capability(upper).is_none() {
            // Its kind was reported at the document itself.
            return;
        }
        "wrong-kind"
    } else if expected == Kind::CapabilityList && is_listed_elsewhere(graph, node, target) {
        "lists-it-not"
    } else {
        return;
    };
    let finding = Finding::new(Code::LK_08)
        .arg("uri", uri)
        .arg("problem", problem)
        .arg("kind", called(upper.kind, capability(upper)))
        .arg("expectedKind", expected);
    found.add(node, summary.at_link(finding, number, link));
}

/// The `up` link of a document, and its target, if that was read.
fn up<'a>(graph: &'a LinkGraph, summary: &'a DocumentSummary) -> Option<(u64, &'a Link, &'a str, usize)> {
    let (number, link) = summary.link("up")?;
    let uri = href(link)?;
    let (target, _) = graph.target(uri)?;
    Some((number, link, uri, target))
}

/// The documents of the cycle that contains a document; empty if there is none.
fn circle(graph: &LinkGraph, node: usize) -> Vec<usize> {
    let mut path = alloc::vec![node];
    let mut at = node;
    while let Some((.., next)) = graph.summary(at).and_then(|summary| up(graph, summary)) {
        if next == node {
            return path;
        }
        if path.contains(&next) {
            break;
        }
        path.push(next);
        at = next;
    }
    Vec::new()
}

/// True if other Capability Lists list the document, but not this one.
fn is_listed_elsewhere(graph: &LinkGraph, node: usize, capability_list: usize) -> bool {
    let lists = graph.lists_above(node);
    !lists.is_empty() && !lists.contains(&capability_list)
}
