//! Summaries of the sets of resources of a Source.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::ToString,
    vec::Vec,
};

use super::{Content, LinkGraph};
use crate::{model::Kind, report::ResourceSet, rules::KindProfile};

/// Summarizes the documents below each Capability List, by its node.
pub(crate) fn summaries(graph: &LinkGraph) -> Vec<(usize, ResourceSet)> {
    graph.of_kind(Kind::CapabilityList).map(|(node, _)| (node, summary(graph, node))).collect()
}

fn summary(graph: &LinkGraph, node: usize) -> ResourceSet {
    let own = below(graph, node);
    let mut set = ResourceSet {
        input: 0,
        documents: BTreeMap::new(),
        resources: 0,
        changes: 0,
        bytes: 0,
        resources_read: 0,
        newest_change: None,
    };
    let mut newest = None;
    for at in &own {
        let Some(fetched) = graph.fetched(*at) else { continue };
        let kind = match &fetched.content {
            Content::Document(summary) => summary.kind,
            Content::Topic(..) => Kind::Topic,
            Content::Package(..) => Kind::Package,
            _ => continue,
        };
        let count = set.documents.entry(kind.as_str().to_string()).or_default();
        *count = count.saturating_add(1);
        let Content::Document(summary) = &fetched.content else { continue };
        match kind {
            Kind::ResourceList => {
                set.resources = set.resources.saturating_add(summary.entries);
                set.bytes = set.bytes.saturating_add(summary.declared_bytes);
            }
            Kind::ChangeList => {
                set.changes = set.changes.saturating_add(summary.entries);
                let later = |old: &&crate::value::Datetime| {
                    summary.newest.as_ref().is_some_and(|new| old.start() < new.start())
                };
                if newest.is_none_or(|old| later(&old)) {
                    newest = summary.newest.as_ref().or(newest);
                }
            }
            _ => {}
        }
    }
    set.newest_change = newest.map(ToString::to_string);
    let read = graph.listed.iter().filter(|(node, entries)| {
        graph.fetched(**node).is_some() && entries.iter().any(|(list, _)| own.contains(list))
    });
    set.resources_read = read.count() as u64;
    set
}

/// The nodes below a Capability List.
pub(crate) fn below(graph: &LinkGraph, capability_list: usize) -> BTreeSet<usize> {
    let mut own = BTreeSet::new();
    let mut waiting: Vec<usize> = targets(graph, capability_list);
    while let Some(node) = waiting.pop() {
        let is_upward =
            graph.summary(node).is_some_and(|summary| KindProfile::of(summary.kind).is_above_capabilities());
        if !is_upward && own.insert(node) {
            waiting.extend(targets(graph, node));
        }
    }
    own
}

/// The targets of the entries of a document.
fn targets(graph: &LinkGraph, node: usize) -> Vec<usize> {
    let Some(summary) = graph.summary(node) else { return Vec::new() };
    summary.members.iter().filter_map(|entry| graph.find(entry.uri()?.as_str())).collect()
}
