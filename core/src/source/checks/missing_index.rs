//! Missing indexes: several documents of one kind need an index, Capability Lists a Source Description.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    vec::Vec,
};

use super::Findings;
use crate::{
    diagnostic::{Code, Finding},
    limits::STANDARD_ENTRIES,
    model::{AnyField, Kind, Name},
    rules::{KindProfile, PROFILES},
    source::{Content, LinkGraph, discovery::host, href},
    span::Span,
    validate::DocumentSummary,
};

/// A kind of which a set may have several documents, with an index, and the requirements for them.
struct Several {
    kind: Kind,
    over: Code,
    left_out: Code,
}

const SEVERAL: [Several; 4] = [
    Several { kind: Kind::ResourceList, over: Code::RL_16, left_out: Code::RLI_07 },
    Several { kind: Kind::ResourceDump, over: Code::RD_17, left_out: Code::RDI_07 },
    Several { kind: Kind::ChangeList, over: Code::CL_20, left_out: Code::CLI_07 },
    Several { kind: Kind::ChangeDump, over: Code::CD_18, left_out: Code::CDI_07 },
];

/// Checks groups of documents that need an index.
pub(super) fn check(graph: &LinkGraph, found: &mut Findings) {
    // Without all entries it is not known that something is not listed.
    if !graph.forgot_documents() {
        let copies = graph.copies();
        for several in &SEVERAL {
            parts(graph, several, &copies, found);
        }
        descriptions(graph, found);
        capability_lists(graph, found);
    }
    shared(graph, found);
}

/// Documents of one kind, grouped by the Capability List they link to.
fn parts(graph: &LinkGraph, several: &Several, copies: &BTreeSet<usize>, found: &mut Findings) {
    let profile = KindProfile::of(several.kind);
    let mut sets: BTreeMap<usize, Vec<(usize, &DocumentSummary)>> = BTreeMap::new();
    for (node, summary) in graph.of_kind(several.kind) {
        let above = summary.link("up").and_then(|(_, link)| graph.target(href(link)?));
        // A document with an `index` link is compared with that index.
        let is_member = summary.link("index").is_some() || graph.indexes_of(node).next().is_some();
        // A topic with something other than a notification is reported as CAP-13.
        let is_topic = graph.fetched(node).is_some_and(|fetched| matches!(fetched.content, Content::Topic(..)));
        if let Some((set, _)) = above.filter(|(_, upper)| upper.kind == Kind::CapabilityList && !is_member && !is_topic)
        {
            sets.entry(set).or_default().push((node, summary));
        }
    }
    for (set, own) in sets {
        let Some(list) = graph.summary(set) else { continue };
        let entries = list.members.iter().filter(|entry| {
            let capability = entry.first_md().and_then(|md| md.attributes.capability()?.value());
            capability.is_some_and(|capability| capability.as_str() == profile.capability)
        });
        let targets: Vec<(usize, &DocumentSummary)> =
            entries.clone().filter_map(|entry| graph.target(entry.uri()?.as_str())).collect();
        let index = targets.iter().find(|(_, summary)| Some(summary.kind) == profile.index);
        if let Some((index, upper)) = index {
            for (node, _) in own.iter().filter(|(node, _)| !graph.lists(set, *node) && !copies.contains(node)) {
                let uri = graph.nodes.get(*node).map_or("", |node| &node.uri);
                let finding = Finding::new(several.left_out).arg("uri", uri);
                let finding = finding.arg("problem", "not-listed").arg("expectedKind", several.kind);
                found.add_related(*index, upper.at_head(finding, Name::Capability), start(graph, "left-out", *node));
            }
            continue;
        }
        // Several entries in the Capability List itself are reported elsewhere.
        if entries.count() > 1 {
            continue;
        }
        let entries = own.iter().map(|(_, summary)| summary.entries).fold(0, u64::saturating_add);
        ungrouped(graph, &own, if entries > STANDARD_ENTRIES { several.over } else { Code::GEN_27 }, found);
    }
}

/// Reports all but the first of several documents without an index.
fn ungrouped(graph: &LinkGraph, own: &[(usize, &DocumentSummary)], code: Code, found: &mut Findings) {
    let Some((first, _)) = own.first() else { return };
    for (count, (node, summary)) in (1_usize..).zip(own).skip(1) {
        let finding = Finding::new(code).arg("count", count).arg("total", own.len());
        found.add_related(*node, summary.at_head(finding, Name::Capability), start(graph, "first", *first));
    }
}

/// Reports several Source Descriptions of one host; the same one at several URIs counts once.
fn descriptions(graph: &LinkGraph, found: &mut Findings) {
    let mut hosts: BTreeMap<_, Vec<(usize, &DocumentSummary)>> = BTreeMap::new();
    for (node, summary) in graph.of_kind(Kind::SourceDescription) {
        let is_member = summary.link("index").is_some() || graph.indexes_of(node).next().is_some();
        let host = graph.nodes.get(node).and_then(|node| host(&node.uri));
        if let Some(host) = host.filter(|_| !is_member) {
            let own = hosts.entry(host).or_default();
            if !own.iter().any(|(_, other)| summary.canonical.is_some() && other.canonical == summary.canonical) {
                own.push((node, summary));
            }
        }
    }
    for own in hosts.values() {
        ungrouped(graph, own, Code::SDI_01, found);
    }
}

/// Reports Capability Lists that their Source Description does not list.
fn capability_lists(graph: &LinkGraph, found: &mut Findings) {
    for (node, summary) in graph.of_kind(Kind::CapabilityList) {
        let Some((number, link)) = summary.link("up") else { continue };
        let Some((description, upper)) = href(link).and_then(|uri| graph.target(uri)) else { continue };
        // An index of Capability Lists is discouraged, but stands for its members.
        let is_listed =
            graph.lists(description, node) || graph.indexes_of(node).any(|(index, _)| graph.lists(description, index));
        if upper.kind != Kind::SourceDescription || is_listed {
            continue;
        }
        let uri = graph.nodes.get(node).map_or("", |node| &node.uri);
        let is_listed_elsewhere = graph.of_kind(Kind::SourceDescription).any(|(other, _)| graph.lists(other, node));
        if is_listed_elsewhere {
            let finding = Finding::new(Code::CAP_18).arg("uri", uri);
            found.add_related(
                node,
                summary.at_link(finding, number, link),
                start(graph, "source-description", description),
            );
        } else {
            let finding = Finding::new(Code::SD_04).arg("uri", uri);
            found.add_related(
                description,
                upper.at_head(finding, Name::Capability),
                ("capability-list", node, link.span),
            );
        }
    }
}

/// Reports capability documents that several Capability Lists list, directly or through indexes.
fn shared(graph: &LinkGraph, found: &mut Findings) {
    let mut first: BTreeMap<usize, (usize, Span, BTreeSet<usize>)> = BTreeMap::new();
    for (node, summary) in graph.documents() {
        let own = match summary.kind {
            Kind::CapabilityList => [node].into(),
            kind if PROFILES.iter().any(|profile| profile.index == Some(kind)) => graph.lists_above(node),
            _ => continue,
        };
        for entry in summary.members.iter().filter(|_| !own.is_empty()) {
            let Some(target) = entry.uri().and_then(|uri| graph.find(uri.as_str())) else { continue };
            let kind = graph.summary(target).map_or(Kind::Unknown, |own| own.kind);
            // The entry of a channel counts regardless of the content of its topic.
            if matches!(kind, Kind::CapabilityList | Kind::SourceDescription | Kind::Unknown) && !entry.is_channel() {
                continue;
            }
            let place = entry.loc.first().map_or(entry.span, |loc| loc.field.span());
            match first.get(&target) {
                None => {
                    first.insert(target, (node, place, own.clone()));
                }
                // An index with members of several sets was reported.
                Some((other, earlier, lists)) if lists.is_disjoint(&own) => {
                    let finding = Finding::new(Code::CAP_15).arg("uri", entry.uri().map_or("", |uri| uri.as_str()));
                    found.add_related(node, summary.at_loc(finding, entry), ("first", *other, *earlier));
                }
                Some(_) => {}
            }
        }
    }
}

/// The root of a document as a related position of a finding.
fn start(graph: &LinkGraph, role: &'static str, node: usize) -> (&'static str, usize, Span) {
    (role, node, graph.summary(node).map(|summary| summary.root.span).unwrap_or_default())
}
