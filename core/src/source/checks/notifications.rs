//! Notifications: do they join, and do they name what they may?

use alloc::{collections::BTreeMap, vec::Vec};

use super::Findings;
use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Kind, Name, Shape},
    rules::timed,
    source::{Held, Web, href, relates},
    validate::Memo,
    value::{Change, Datetime},
};

/// Looks at all notifications.
pub(super) fn check(web: &Web, found: &mut Findings) {
    successive(web, found);
    for (node, memo) in web.of_kind(Kind::FrameworkNotification) {
        framework(web, node, memo, found);
    }
    for (node, memo) in web.of_kind(Kind::ChangeNotification) {
        advertised(web, node, memo, found);
    }
    for (node, memo) in web.of_kind(Kind::FrameworkNotification) {
        advertised(web, node, memo, found);
    }
}

/// Change Notifications of one channel, in the order of their intervals.
fn successive(web: &Web, found: &mut Findings) {
    let mut channels: BTreeMap<usize, Vec<(usize, &Memo, &Datetime)>> = BTreeMap::new();
    for (node, memo) in web.of_kind(Kind::ChangeNotification) {
        let above = memo.link("up").and_then(|(_, link)| web.find(href(link)?));
        let from = memo.head.as_ref().and_then(|head| head.attributes.from()?.value());
        if let Some((above, from)) = above.zip(from) {
            channels.entry(above).or_default().push((node, memo, from));
        }
    }
    for mut own in channels.into_values() {
        let end = |memo: &Memo| memo.head.as_ref()?.attributes.until()?.value().map(Datetime::start);
        own.sort_by_key(|(node, memo, from)| (from.start(), end(memo), *node));
        // The latest one is often at its topic and at a URI of its own.
        own.dedup_by(|(_, later, from), (_, earlier, other)| {
            from.start() == other.start() && end(later) == end(earlier) && later.locs == earlier.locs
        });
        for pair in own.windows(2) {
            let [(before, earlier, _), (node, memo, from)] = pair else { continue };
            let Some(until) = earlier.head.as_ref().and_then(|head| head.attributes.until()) else { continue };
            let Some(end) = until.value().filter(|end| end.start() != from.start()) else { continue };
            let finding = timed(Code::CN_14, !end.is_partial() && !from.is_partial())
                .arg("value", alloc::format!("{from}"))
                .arg("expected", until.text().into_owned());
            found.add_related(*node, memo.at_head(finding, Name::From), ("before", *before, until.span()));
        }
    }
}

/// Entries that name documents.
fn framework(web: &Web, node: usize, memo: &Memo, found: &mut Findings) {
    let mut created = BTreeMap::new();
    for entry in &memo.members {
        let Some(uri) = entry.uri() else { continue };
        let Some(target) = web.find(uri.as_str()) else { continue };
        if web.had(target).is_some_and(|had| matches!(had.held, Held::Topic(..))) {
            found.add(node, memo.at_loc(Finding::new(Code::CH_06).arg("uri", uri.as_str()), entry));
            continue;
        }
        let Some(own) = web.memo(target) else { continue };
        if own.root.shape == Some(Shape::SitemapIndex) {
            let finding = Finding::new(Code::FN_15).arg("uri", uri.as_str());
            found.add_related(node, memo.at_loc(finding, entry), ("found", target, own.root.span));
            continue;
        }
        let points = entry.links.iter().filter(|link| relates(link, "index"));
        let named: Vec<usize> = points.filter_map(|link| web.find(href(link)?)).collect();
        let mut indexes = web.indexes_of(target).map(|(index, _)| index).peekable();
        let Some(first) = indexes.peek().copied() else { continue };
        let right = indexes.find(|index| named.contains(index));
        let index = right.unwrap_or(first);
        let index_uri = web.nodes.get(index).map_or("", |node| &node.uri);
        if right.is_none() {
            let finding = Finding::new(Code::FN_14).arg("uri", uri.as_str()).arg("index", index_uri);
            found.add(node, memo.at_loc(finding, entry));
        }
        let change = entry.first_md().and_then(|md| md.attributes.change()?.value());
        if change == Some(&Change::Created) {
            let place = entry.loc.first().map_or(entry.span, |loc| loc.field.span());
            match created.get(&index) {
                Some(first) => {
                    let finding = Finding::new(Code::FN_17).arg("uri", index_uri);
                    found.add_related(node, memo.at_loc(finding, entry), ("first", node, *first));
                }
                None => {
                    created.insert(index, place);
                }
            }
        }
    }
}

/// The channel of a notification has to be in the Capability List it points at.
fn advertised(web: &Web, node: usize, memo: &Memo, found: &mut Findings) {
    // What a topic holds is there because a Capability List led to it.
    if web.had(node).is_some_and(|had| matches!(had.held, Held::Topic(..))) {
        return;
    }
    let Some((number, link)) = memo.link("up") else { return };
    let Some((list, upper)) = href(link).and_then(|uri| web.target(uri)) else { return };
    let own = memo.head.as_ref().and_then(|head| head.attributes.capability()?.value());
    let is_there =
        upper.members.iter().any(|entry| entry.first_md().and_then(|md| md.attributes.capability()?.value()) == own);
    if upper.kind == Kind::CapabilityList && !is_there {
        let uri = web.nodes.get(list).map_or("", |node| &node.uri);
        let finding = Finding::new(Code::AD_01).arg("uri", uri);
        found.add_related(node, memo.at_link(finding, number, link), ("capability-list", list, upper.root.span));
    }
}
