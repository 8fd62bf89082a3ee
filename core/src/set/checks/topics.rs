//! The topics of notification channels: what their headers say, and what the Capability List says of them.

use super::Findings;
use crate::{
    diagnostic::Finding,
    model::{Entry, Kind},
    rules::Code,
    set::{Held, Memo, State, Web, header_targets, href, is_channel, key, relates},
};

/// Looks at the topic of every channel.
pub(super) fn check(web: &Web, found: &mut Findings) {
    for (node, memo) in web.of_kind(Kind::CapabilityList) {
        for entry in memo.members.iter().filter(|entry| is_channel(entry)) {
            channel(web, node, memo, entry, found);
        }
    }
}

fn channel(web: &Web, node: usize, memo: &Memo, entry: &Entry, found: &mut Findings) {
    let Some(uri) = entry.uri().map(|uri| uri.as_str()) else { return };
    let mut report = |code: Code, args: &[(&'static str, &str)]| {
        let finding = Finding::new(code).arg("uri", uri);
        let finding = args.iter().fold(finding, |finding, (name, value)| finding.arg(name, *value));
        found.add(node, memo.at_loc(finding, entry));
    };
    let Some(target) = web.find(uri) else { return };
    let had = match web.nodes.get(target).map(|node| &node.state) {
        Some(State::Had(had)) => had,
        Some(State::Failed(reason)) if reason.starts_with("the server answered") => {
            return report(Code::WS_01, &[("reason", reason)]);
        }
        _ => return,
    };
    let Held::Topic(_, bytes) = &had.held else { return };
    let response = &had.response;
    // Without HTTP there are no headers to judge.
    if response.headers.is_none() {
        return;
    }
    if response.status != 200 {
        return report(Code::WS_01, &[("reason", &alloc::format!("the server answered {}", response.status))]);
    }
    let media_type = response.header("content-type").unwrap_or("");
    let essence = media_type.split(';').next().unwrap_or("").trim_ascii();
    if !essence.eq_ignore_ascii_case("application/xml") {
        report(Code::WS_02, &[("value", media_type)]);
    }
    let hubs = entry.links.iter().filter(|link| relates(link, "hub")).filter_map(href).collect();
    for (relation, code, expected) in [("self", Code::WS_03, alloc::vec![uri]), ("hub", Code::WS_04, hubs)] {
        let mut own = header_targets(response, relation);
        // A topic is one; hubs may be several.
        own.truncate(if relation == "self" { 1 } else { own.len() });
        let Some(first) = own.first() else {
            report(code, &[("relation", relation)]);
            continue;
        };
        for expected in expected {
            if own.iter().all(|own| key(own) != key(expected)) {
                report(Code::AD_05, &[("relation", relation), ("value", first), ("expected", expected)]);
            }
        }
    }
    if *bytes == 0 && response.header("content-length") != Some("0") {
        report(Code::WS_06, &[]);
    }
}
