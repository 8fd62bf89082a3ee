//! The topics of notification channels: what their headers say, and what the Capability List says of them.

use super::Findings;
use crate::{
    diagnostic::Finding,
    model::{Entry, Kind},
    rules::Code,
    set::{Held, Memo, Response, State, Web, header_links, href, is_channel, key, relates, resolve},
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
    let hub = entry.links.iter().find(|link| relates(link, "hub")).and_then(href);
    for (relation, code, expected) in [("self", Code::WS_03, Some(uri)), ("hub", Code::WS_04, hub)] {
        match (target_of(response, relation), expected) {
            (None, _) => report(code, &[("relation", relation)]),
            (Some(own), Some(expected)) if key(&own) != key(expected) => {
                report(Code::AD_05, &[("relation", relation), ("value", &own), ("expected", expected)]);
            }
            _ => {}
        }
    }
    if *bytes == 0 && response.header("content-length") != Some("0") {
        report(Code::WS_06, &[]);
    }
}

/// Where the first `Link` header of a relation leads.
fn target_of(response: &Response, relation: &str) -> Option<alloc::string::String> {
    let links = header_links(response.headers.as_deref()?);
    let link = links.into_iter().find(|link| link.rels.iter().any(|rel| rel == relation))?;
    resolve(&response.uri, &link.target)
}
