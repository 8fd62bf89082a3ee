//! Discovery: pages, headers, the well-known URI.

use alloc::{collections::BTreeSet, vec::Vec};

use super::{CheckInput, Findings, links, listing::is_fetched};
use crate::{
    diagnostic::{Code, Finding},
    model::Kind,
    rules::{KindProfile, Level},
    source::{
        Content, LinkGraph, NodeState, below,
        discovery::{WELL_KNOWN, header_targets, host},
    },
    span::Span,
    validate::{DocumentSummary, hashed},
};

/// Checks every method of discovery that was tried.
pub(super) fn check(graph: &LinkGraph, input: &CheckInput<'_>, found: &mut Findings) {
    for (node, named) in input.lost {
        found.add(*node, Finding::new(Code::SD_12).arg("uri", named.as_str()));
    }
    well_known(graph, found);
    for (node, own) in graph.nodes.iter().enumerate() {
        let NodeState::Fetched(fetched) = &own.state else { continue };
        if let Content::Robots(sitemaps) = &fetched.content {
            // What it leads to may be a sitemap that has nothing to do with ResourceSync; that it leads nowhere is wrong anyway.
            let missing =
                |uri: &alloc::string::String| links::of(graph, uri).filter(|finding| finding.code == Code::INP_05);
            sitemaps.iter().filter_map(missing).for_each(|finding| found.add(node, finding));
        }
        if let Content::Page(announcements) = &fetched.content {
            for one in announcements {
                let uri = one.href.as_deref().unwrap_or("");
                let problem = one.problem.or_else(|| wrong(graph, uri));
                let finding = match problem {
                    Some(problem) => Some(Finding::new(Code::DI_04).arg("uri", uri).arg("problem", problem)),
                    None => links::of(graph, uri),
                };
                match (finding, graph.foreign(uri)) {
                    (Some(finding), Some((target, _))) => {
                        found.add_related(node, finding.at(one.span), ("found", target, Span::beginning()));
                    }
                    (Some(finding), None) => found.add(node, finding.at(one.span)),
                    (None, _) => found.extend(node, uncovered(graph, node, uri, Code::DI_05)),
                }
            }
        }
        for uri in header_targets(&fetched.response, "resourcesync") {
            let finding = match wrong(graph, &uri) {
                Some(problem) => Some(Finding::new(Code::DI_07).arg("uri", &*uri).arg("problem", problem)),
                None => links::of(graph, &uri).or_else(|| {
                    // A document of the Source is above the set, not in it.
                    let is_in_set = matches!(fetched.content, Content::Resource(_) | Content::Page(_));
                    uncovered(graph, node, &uri, Code::DI_08).filter(|_| is_in_set)
                }),
            };
            match (finding, graph.foreign(&uri)) {
                (Some(finding), Some((target, _))) => {
                    found.add_related(node, finding, ("found", target, Span::beginning()));
                }
                (finding, _) => found.extend(node, finding),
            }
        }
    }
}

/// The reason why a document that was read is not a Capability List.
fn wrong(graph: &LinkGraph, uri: &str) -> Option<&'static str> {
    let kind = match graph.foreign(uri) {
        Some((_, kind)) => kind,
        None => graph.target(uri)?.1.kind,
    };
    (kind != Kind::CapabilityList).then_some("no-capability-list")
}

/// Checks that the page is among the resources of the set it announces. Only a complete snapshot can show
/// that it is not.
fn uncovered(graph: &LinkGraph, node: usize, uri: &str, code: Code) -> Option<Finding> {
    let (list, _) = graph.target(uri)?;
    let own = below(graph, list);
    let lists: Vec<&DocumentSummary> = own.iter().filter_map(|node| graph.summary(*node)).collect();
    let lists_snapshot = |profile: &KindProfile| profile.is_snapshot && !profile.is_dump();
    let mut snapshots = lists.iter().filter(|summary| lists_snapshot(KindProfile::of(summary.kind))).peekable();
    let is_whole = snapshots.peek().is_some() && snapshots.all(|summary| summary.complete);
    let is_whole = is_whole && own.iter().all(|node| is_fetched(graph, *node));
    let page = graph.nodes.get(node)?;
    let final_uri = graph.fetched(node).map_or("", |fetched| &fetched.response.uri);
    let hashes: BTreeSet<u64> = [hashed(graph.seed, &page.uri), hashed(graph.seed, final_uri)].into();
    let is_there = lists.iter().any(|summary| summary.locs.iter().any(|hash| hashes.contains(hash)));
    (is_whole && !is_there).then(|| Finding::new(code).arg("uri", uri))
}

/// Checks that the Source Description of each host is at the well-known URI.
fn well_known(graph: &LinkGraph, found: &mut Findings) {
    let mut hosts = BTreeSet::new();
    let is_description = |summary: &DocumentSummary| KindProfile::of(summary.kind).level == Level::Source;
    for (node, summary) in graph.documents().filter(|(_, summary)| is_description(summary)) {
        let Some(host) =
            graph.nodes.get(node).and_then(|node| host(&node.uri)).filter(|host| hosts.insert(host.clone()))
        else {
            continue;
        };
        let uri = alloc::format!("{host}{WELL_KNOWN}");
        let Some(place) = graph.find(&uri) else { continue };
        let is_there = match graph.nodes.get(place).map(|node| &node.state) {
            Some(NodeState::NotFound(_)) => false,
            Some(NodeState::Fetched(_)) => graph.summary(place).is_some_and(is_description),
            _ => continue,
        };
        if !is_there {
            found.add(node, summary.at_root(Finding::new(Code::DI_02).arg("uri", uri)));
        }
    }
}
