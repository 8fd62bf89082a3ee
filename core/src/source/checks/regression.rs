//! Regressions: compares the Source with an earlier report.

use alloc::collections::BTreeMap;

use super::Findings;
use crate::{
    diagnostic::{Code, Finding},
    model::{Kind, Name},
    report::{Input, Report},
    source::LinkGraph,
    value::{key, to_hex},
};

/// Compares documents by their URIs.
pub(super) fn check(graph: &LinkGraph, earlier: &Report, found: &mut Findings) {
    let inputs: BTreeMap<_, &Input> =
        earlier.inputs.iter().filter_map(|input| Some((key(input.uri.as_deref()?), input))).collect();
    // Reports contain the final URI of a document, after redirects.
    let earlier = |node: usize| graph.fetched(node).and_then(|fetched| inputs.get(&key(&fetched.response.uri)));
    for (node, summary) in graph.documents_and_manifests().filter(|(_, summary)| summary.complete) {
        let Some(before) = earlier(node) else { continue };
        let closed = summary.closed().map(|digest| alloc::format!("sha-256:{}", to_hex(&digest)));
        if before.closed.is_some() {
            if before.closed != closed {
                found.add(node, summary.at_head(Finding::new(Code::GEN_33), Name::Until));
            }
            continue;
        }
        let code = match summary.kind {
            Kind::ChangeList => Code::CL_18,
            Kind::ChangeDump => Code::CD_19,
            _ => continue,
        };
        // It may have been closed under a new URI, and a new one begun.
        let has_moved = || graph.of_kind(summary.kind).any(|(other, own)| own.is_closed() && earlier(other).is_none());
        if closed.is_none() && before.kind == summary.kind && summary.entries < before.entries && !has_moved() {
            let finding = Finding::new(code)
                .arg("kind", summary.kind)
                .arg("expected", before.entries)
                .arg("count", summary.entries);
            found.add(node, summary.at_head(finding, Name::Capability));
        }
    }
}
