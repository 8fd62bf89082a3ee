//! Links that lead nowhere, or to what was not looked at.

use super::Findings;
use crate::{
    diagnostic::{Code, Finding},
    model::{Entry, Kind, Md},
    source::{Node, State, Web, href, relates},
    validate::Memo,
};

/// Looks at every link that a walk follows.
pub(super) fn check(web: &Web, found: &mut Findings) {
    for (node, memo) in web.documents_and_manifests() {
        for relation in ["up", "index"] {
            let Some((number, link)) = memo.link(relation) else { continue };
            let finding = href(link).and_then(|uri| of(web, uri));
            found.extend(node, finding.map(|finding| memo.at_link(finding, number, link)));
        }
        for entry in &memo.members {
            of_entry(web, node, memo, entry, found);
        }
        if memo.forgotten > 0 {
            let uri = web.nodes.get(node).map_or("", |node| &node.uri);
            let finding = Finding::new(Code::LIM_18).arg("uri", uri).arg("count", memo.forgotten);
            found.add(node, memo.at_root(finding));
        }
    }
}

fn of_entry(web: &Web, node: usize, memo: &Memo, entry: &Entry, found: &mut Findings) {
    if let Some(uri) = entry.uri().filter(|_| !is_deleted(entry)) {
        found.extend(node, of(web, uri.as_str()).map(|finding| memo.at_loc(finding, entry)));
    }
    if !matches!(memo.kind, Kind::ResourceDump | Kind::ChangeDump) {
        return;
    }
    for (number, link) in (1..).zip(&entry.links) {
        let finding = href(link).filter(|_| relates(link, "contents")).and_then(|uri| of(web, uri));
        found.extend(node, finding.map(|finding| memo.at_entry_link(finding, entry, number, link)));
    }
}

/// What there is to say of a link to this URI.
pub(super) fn of(web: &Web, uri: &str) -> Option<Finding> {
    not_had(web.nodes.get(web.find(uri)?)?, uri)
}

/// What there is to say where something was not had.
pub(super) fn not_had(node: &Node, uri: &str) -> Option<Finding> {
    match &node.state {
        State::Missing(reason) => Some(Finding::new(Code::INP_05).arg("uri", uri).arg("reason", reason.as_str())),
        State::LeftOut(reason) => Some(Finding::new(Code::INP_06).arg("uri", uri).arg("reason", reason.as_str())),
        State::OverBudget => Some(Finding::new(Code::LIM_17).arg("uri", uri)),
        _ => None,
    }
}

/// True for what a notification says is no longer there.
fn is_deleted(entry: &Entry) -> bool {
    let change = |md: &Md| md.attributes.change().and_then(|change| change.value()).cloned();
    entry.first_md().and_then(change) == Some(crate::value::Change::Deleted)
}
