//! `up`: from every document to the one above, and in the end to the Source Description.

use alloc::{collections::BTreeSet, vec::Vec};

use super::{
    Findings,
    downward::{called, capability},
};
use crate::{
    diagnostic::{Code, Finding},
    model::{Kind, Link},
    source::{Web, href},
    validate::Memo,
};

/// Looks where every `up` leads.
pub(super) fn check(web: &Web, found: &mut Findings) {
    let mut circles = BTreeSet::new();
    for (node, memo) in web.documents_and_manifests() {
        let Some(expected) = above(memo.kind) else { continue };
        let Some((number, link, uri, target, upper)) = up(web, memo) else { continue };
        let circle = circle(web, node);
        if let Some(first) = circle.iter().min() {
            // Told once, where it was entered first.
            if circles.insert(*first) {
                let finding = Finding::new(Code::GEN_30).arg("uri", uri);
                found.add(node, memo.at_link(finding, number, link));
            }
            continue;
        }
        let problem = if upper.kind != expected {
            if upper.kind == Kind::Unknown && capability(upper).is_none() {
                // What it is has been said of itself.
                continue;
            }
            "wrong-kind"
        } else if expected == Kind::CapabilityList && is_listed_elsewhere(web, node, target) {
            "lists-it-not"
        } else {
            continue;
        };
        let finding = Finding::new(Code::LK_08)
            .arg("uri", uri)
            .arg("problem", problem)
            .arg("kind", called(upper.kind, capability(upper)))
            .arg("expectedKind", expected);
        found.add(node, memo.at_link(finding, number, link));
    }
}

/// What has to be above a document of this kind.
fn above(kind: Kind) -> Option<Kind> {
    use Kind as K;
    match kind {
        K::CapabilityList => Some(K::SourceDescription),
        K::ResourceList
        | K::ResourceListIndex
        | K::ResourceDump
        | K::ResourceDumpIndex
        | K::ResourceDumpManifest
        | K::ChangeList
        | K::ChangeListIndex
        | K::ChangeDump
        | K::ChangeDumpIndex
        | K::ChangeDumpManifest
        // It need not have one (CN-06); what a Framework Notification has is free (FN-05).
        | K::ChangeNotification => Some(K::CapabilityList),
        _ => None,
    }
}

/// The `up` link of a document, and the document it leads to.
fn up<'a>(web: &'a Web, memo: &'a Memo) -> Option<(u64, &'a Link, &'a str, usize, &'a Memo)> {
    let (number, link) = memo.link("up")?;
    let uri = href(link)?;
    let (target, upper) = web.target(uri)?;
    Some((number, link, uri, target, upper))
}

/// The documents of the circle that a document is part of; none where it is not.
fn circle(web: &Web, node: usize) -> Vec<usize> {
    let mut path = alloc::vec![node];
    let mut at = node;
    while let Some((_, _, _, next, _)) = web.memo(at).and_then(|memo| up(web, memo)) {
        if next == node {
            return path;
        }
        if path.contains(&next) {
            break;
        }
        path.push(next);
        at = next;
    }
    Vec::new()
}

/// True if other Capability Lists list the document, and this one does not.
fn is_listed_elsewhere(web: &Web, node: usize, capability_list: usize) -> bool {
    let lists = web.lists_above(node);
    !lists.is_empty() && !lists.contains(&capability_list)
}
