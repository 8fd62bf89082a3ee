//! The topics of notification channels: their headers, and their entries in the Capability List.

use alloc::vec::Vec;

use super::Findings;
use crate::{
    diagnostic::{Arg, Code, Finding, Reason, ReasonCode},
    model::{Entry, Kind},
    source::{Content, LinkGraph, NodeState, Response, discovery::header_targets, href, relates},
    validate::DocumentSummary,
    value::key,
};

/// Checks the topic of every channel.
pub(super) fn check(graph: &LinkGraph, found: &mut Findings) {
    for (node, summary) in graph.of_kind(Kind::CapabilityList) {
        for entry in summary.members.iter().filter(|entry| entry.is_channel()) {
            channel(graph, node, summary, entry, found);
        }
    }
}

fn channel(graph: &LinkGraph, node: usize, summary: &DocumentSummary, entry: &Entry, found: &mut Findings) {
    let Some(uri) = entry.uri().map(|uri| uri.as_str()) else { return };
    let mut told: Vec<Told> = Vec::new();
    let Some(target) = graph.find(uri) else { return };
    let fetched = match graph.nodes.get(target).map(|node| &node.state) {
        Some(NodeState::Fetched(fetched)) => Some(fetched),
        Some(NodeState::Failed(reason)) if reason.code == ReasonCode::HttpStatus => {
            told.push((Code::WS_01, alloc::vec![("reason", Arg::from(reason.clone()))]));
            None
        }
        _ => return,
    };
    if let Some(fetched) = fetched {
        let Content::Topic(_, bytes) = &fetched.content else { return };
        // Without HTTP there are no headers to check.
        if fetched.response.headers.is_none() {
            return;
        }
        answer(uri, entry, &fetched.response, &mut told);
        if fetched.response.status == 200 && *bytes == 0 && fetched.response.header("content-length") != Some("0") {
            told.push((Code::WS_06, Vec::new()));
        }
    }
    let mut head = Vec::new();
    match graph.heads.get(&target) {
        Some(Ok(response)) => answer(uri, entry, response, &mut head),
        Some(Err(reason)) => head.push((Code::WS_01, alloc::vec![("reason", Arg::from(reason.clone()))])),
        None => {}
    }
    // A problem of both responses is reported once.
    head.retain(|one| !told.contains(one));
    for (method, told) in [("GET", told), ("HEAD", head)] {
        for (code, args) in told {
            let finding = Finding::new(code).arg("uri", uri).arg("method", method);
            let finding = args.into_iter().fold(finding, |finding, (name, value)| finding.arg(name, value));
            found.add(node, summary.at_loc(finding, entry));
        }
    }
}

/// A finding about a topic.
type Told = (Code, Vec<(&'static str, Arg)>);

/// Checks one response of a topic.
fn answer(uri: &str, entry: &Entry, response: &Response, told: &mut Vec<Told>) {
    if response.status != 200 {
        let reason = Reason::new(ReasonCode::HttpStatus).arg("status", response.status);
        return told.push((Code::WS_01, alloc::vec![("reason", reason.into())]));
    }
    // Not every platform exposes them.
    if response.headers.is_none() {
        return;
    }
    let media_type = response.header("content-type").unwrap_or("");
    let essence = media_type.split(';').next().unwrap_or("").trim_ascii();
    if !essence.eq_ignore_ascii_case("application/xml") {
        told.push((Code::WS_02, alloc::vec![("value", media_type.into())]));
    }
    let hubs = entry.links.iter().filter(|link| relates(link, "hub")).filter_map(href).collect();
    for (relation, code, expected) in [("self", Code::WS_03, alloc::vec![uri]), ("hub", Code::WS_04, hubs)] {
        let mut own = header_targets(response, relation);
        // There is one topic; there may be several hubs.
        own.truncate(if relation == "self" { 1 } else { own.len() });
        let relation = ("relation", Arg::from(relation));
        let Some(first) = own.first() else {
            told.push((code, alloc::vec![relation]));
            continue;
        };
        for expected in expected {
            if own.iter().all(|own| key(own) != key(expected)) {
                let values = [("value", Arg::from(first.as_str())), ("expected", expected.into())];
                told.push((Code::AD_05, [relation.clone()].into_iter().chain(values).collect()));
            }
        }
    }
}
