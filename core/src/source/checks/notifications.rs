//! Notifications: contiguous intervals, and valid targets.

use alloc::{collections::BTreeMap, vec::Vec};

use super::Findings;
use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Kind, Name, Shape},
    rules::timed,
    source::{Content, LinkGraph, href, relates},
    validate::DocumentSummary,
    value::{Change, Datetime},
};

/// Checks all notifications.
pub(super) fn check(graph: &LinkGraph, found: &mut Findings) {
    successive(graph, found);
    for (node, summary) in graph.of_kind(Kind::FrameworkNotification) {
        framework(graph, node, summary, found);
    }
    for (node, summary) in graph.of_kind(Kind::ChangeNotification) {
        advertised(graph, node, summary, found);
    }
    for (node, summary) in graph.of_kind(Kind::FrameworkNotification) {
        advertised(graph, node, summary, found);
    }
}

/// Checks the Change Notifications of one channel, in the order of their intervals.
fn successive(graph: &LinkGraph, found: &mut Findings) {
    let mut channels: BTreeMap<usize, Vec<(usize, &DocumentSummary, &Datetime)>> = BTreeMap::new();
    for (node, summary) in graph.of_kind(Kind::ChangeNotification) {
        let above = summary.link("up").and_then(|(_, link)| graph.find(href(link)?));
        let from = summary.head.as_ref().and_then(|head| head.attributes.from()?.value());
        if let Some((above, from)) = above.zip(from) {
            channels.entry(above).or_default().push((node, summary, from));
        }
    }
    for mut own in channels.into_values() {
        let end = |summary: &DocumentSummary| summary.head.as_ref()?.attributes.until()?.value().map(Datetime::start);
        own.sort_by_key(|(node, summary, from)| (from.start(), end(summary), *node));
        // The latest one is often available at its topic and at its own URI.
        own.dedup_by(|(_, later, from), (_, earlier, other)| {
            from.start() == other.start() && end(later) == end(earlier) && later.locs == earlier.locs
        });
        for pair in own.windows(2) {
            let [(before, earlier, _), (node, summary, from)] = pair else { continue };
            let Some(until) = earlier.head.as_ref().and_then(|head| head.attributes.until()) else { continue };
            let Some(end) = until.value().filter(|end| end.start() != from.start()) else { continue };
            let finding = timed(Code::CN_14, !end.is_partial() && !from.is_partial())
                .arg("value", alloc::format!("{from}"))
                .arg("expected", until.text().into_owned());
            found.add_related(*node, summary.at_head(finding, Name::From), ("before", *before, until.span()));
        }
    }
}

/// Checks the entries, which refer to documents.
fn framework(graph: &LinkGraph, node: usize, summary: &DocumentSummary, found: &mut Findings) {
    let mut created = BTreeMap::new();
    for entry in &summary.members {
        let Some(uri) = entry.uri() else { continue };
        let Some(target) = graph.find(uri.as_str()) else { continue };
        if graph.fetched(target).is_some_and(|fetched| matches!(fetched.content, Content::Topic(..))) {
            found.add(node, summary.at_loc(Finding::new(Code::CH_06).arg("uri", uri.as_str()), entry));
            continue;
        }
        let Some(own) = graph.summary(target) else { continue };
        if own.root.shape == Some(Shape::SitemapIndex) {
            let finding = Finding::new(Code::FN_15).arg("uri", uri.as_str());
            found.add_related(node, summary.at_loc(finding, entry), ("found", target, own.root.span));
            continue;
        }
        let points = entry.links.iter().filter(|link| relates(link, "index"));
        let named: Vec<usize> = points.filter_map(|link| graph.find(href(link)?)).collect();
        let mut indexes = graph.indexes_of(target).map(|(index, _)| index).peekable();
        let Some(first) = indexes.peek().copied() else { continue };
        let right = indexes.find(|index| named.contains(index));
        let index = right.unwrap_or(first);
        let index_uri = graph.nodes.get(index).map_or("", |node| &node.uri);
        if right.is_none() {
            let finding = Finding::new(Code::FN_14).arg("uri", uri.as_str()).arg("index", index_uri);
            found.add(node, summary.at_loc(finding, entry));
        }
        let change = entry.first_md().and_then(|md| md.attributes.change()?.value());
        if change == Some(&Change::Created) {
            let place = entry.loc.first().map_or(entry.span, |loc| loc.field.span());
            match created.get(&index) {
                Some(first) => {
                    let finding = Finding::new(Code::FN_17).arg("uri", index_uri);
                    found.add_related(node, summary.at_loc(finding, entry), ("first", node, *first));
                }
                None => {
                    created.insert(index, place);
                }
            }
        }
    }
}

/// Checks that the channel of a notification is in the Capability List it links to.
fn advertised(graph: &LinkGraph, node: usize, summary: &DocumentSummary, found: &mut Findings) {
    // A notification at a topic was found through a Capability List.
    if graph.fetched(node).is_some_and(|fetched| matches!(fetched.content, Content::Topic(..))) {
        return;
    }
    let Some((number, link)) = summary.link("up") else { return };
    let Some((list, upper)) = href(link).and_then(|uri| graph.target(uri)) else { return };
    let own = summary.head.as_ref().and_then(|head| head.attributes.capability()?.value());
    let is_there =
        upper.members.iter().any(|entry| entry.first_md().and_then(|md| md.attributes.capability()?.value()) == own);
    if upper.kind == Kind::CapabilityList && !is_there {
        let uri = graph.nodes.get(list).map_or("", |node| &node.uri);
        let finding = Finding::new(Code::AD_01).arg("uri", uri);
        found.add_related(node, summary.at_link(finding, number, link), ("capability-list", list, upper.root.span));
    }
}
