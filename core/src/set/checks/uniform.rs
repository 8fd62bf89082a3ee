//! Do the capabilities of one set speak of the same resources? Compared by hashes, 8 bytes a resource.

use alloc::{collections::BTreeSet, vec::Vec};

use super::Findings;
use crate::{
    diagnostic::Finding,
    model::{Kind, Name},
    rules::Code,
    set::{Held, Memo, State, Web, below},
    value::{Datetime, Instant},
};

/// Resources of some documents of one set.
struct Own<'a> {
    documents: Vec<(usize, &'a Memo)>,
    /// Sorted.
    hashes: Vec<u64>,
    /// True if everything was read.
    complete: bool,
}

/// Compares the capabilities of each set.
pub(super) fn check(web: &Web, found: &mut Findings) {
    for (list, memo) in web.of_kind(Kind::CapabilityList) {
        let nodes = below(web, list);
        let resources = own(web, &nodes, Kind::ResourceList);
        snapshots(web, list, memo, &nodes, &resources, found);
        intervals(web, &nodes, found);
        crossings(&resources, found);
    }
}

fn own<'a>(web: &'a Web, nodes: &BTreeSet<usize>, kind: Kind) -> Own<'a> {
    let documents: Vec<(usize, &Memo)> =
        nodes.iter().filter_map(|node| Some((*node, web.memo(*node)?))).filter(|(_, memo)| memo.kind == kind).collect();
    gathered(documents, nodes.iter().all(|node| is_had(web, *node)))
}

fn gathered(documents: Vec<(usize, &Memo)>, complete: bool) -> Own<'_> {
    let mut hashes: Vec<u64> = documents.iter().flat_map(|(_, memo)| memo.locs.iter().copied()).collect();
    hashes.sort_unstable();
    let complete = complete && documents.iter().all(|(_, memo)| memo.complete);
    Own { documents, hashes, complete }
}

/// True if nothing keeps a document from being compared.
fn is_had(web: &Web, node: usize) -> bool {
    web.nodes.get(node).is_some_and(|node| match &node.state {
        State::Had(had) => !matches!(&had.held, Held::Package(_, None)),
        _ => false,
    })
}

/// A snapshot as list and as dump.
fn snapshots(web: &Web, list: usize, memo: &Memo, nodes: &BTreeSet<usize>, resources: &Own<'_>, found: &mut Findings) {
    let dumped = own(web, nodes, Kind::ResourceDumpManifest);
    let packages = nodes.iter().any(|node| web.memo(*node).is_some_and(|memo| memo.kind == Kind::ResourceDump));
    let is_whole = resources.complete && dumped.complete && packages && !resources.documents.is_empty();
    // Snapshots of different moments may differ.
    let moments =
        |kind| nodes.iter().filter_map(move |node| web.memo(*node).filter(|memo| memo.kind == kind).and_then(at));
    let Some(moment) = moments(Kind::ResourceList).next() else { return };
    let same = moments(Kind::ResourceList).chain(moments(Kind::ResourceDump)).all(|other| other == moment);
    if !is_whole || !same || dumped.documents.is_empty() {
        return;
    }
    let is_index = web.first_of(nodes, Kind::ResourceListIndex);
    missing(Code::CAP_16, (list, memo), resources, &dumped, Kind::ResourceDump, web, found);
    match is_index {
        Some((index, upper)) => {
            missing(Code::RLI_12, (index, upper), &dumped, resources, Kind::ResourceListIndex, web, found)
        }
        None => missing(Code::CAP_16, (list, memo), &dumped, resources, Kind::ResourceList, web, found),
    }
}

/// The changes of an interval as list and as dump.
fn intervals(web: &Web, nodes: &BTreeSet<usize>, found: &mut Findings) {
    let of = |kind| {
        nodes.iter().filter_map(move |node| Some((*node, web.memo(*node)?))).filter(move |(_, memo)| memo.kind == kind)
    };
    for (node, changes) in of(Kind::ChangeList).filter(|(_, memo)| memo.complete) {
        let Some(interval) = interval(changes) else { continue };
        for (dump, manifest) in of(Kind::ChangeDumpManifest).filter(|(_, memo)| memo.complete) {
            if self::interval(manifest).is_none_or(|other| other != interval) {
                continue;
            }
            let these = gathered(alloc::vec![(node, changes)], true);
            let those = gathered(alloc::vec![(dump, manifest)], true);
            missing(Code::CDM_18, (node, changes), &these, &those, Kind::ChangeDumpManifest, web, found);
        }
    }
}

/// Reports what is in the one and not in the other.
fn missing(
    code: Code,
    (node, memo): (usize, &Memo),
    these: &Own<'_>,
    those: &Own<'_>,
    kind: Kind,
    web: &Web,
    found: &mut Findings,
) {
    for (document, own) in &these.documents {
        let absent = |hash: &u64| *hash != 0 && those.hashes.binary_search(hash).is_err();
        let count = own.locs.iter().filter(|hash| absent(hash)).count();
        let Some(first) = own.locs.iter().position(absent) else { continue };
        let uri = web.nodes.get(*document).map_or("", |node| &node.uri);
        let finding = Finding::new(code)
            .arg("count", count)
            .arg("total", own.locs.len())
            .arg("uri", uri)
            .arg("kind", kind)
            .arg("entry", first.saturating_add(1));
        let finding = memo.at_head(finding, Name::Capability);
        // A manifest in a package has no place of its own in the report.
        match web.had(*document).map(|had| &had.held) {
            Some(Held::Document(_)) if *document != node => {
                found.add_related(node, finding, ("lists-more", *document, own.root.span));
            }
            _ => found.add(node, finding),
        }
    }
}

/// Metadata that has no entry of its own.
fn crossings(resources: &Own<'_>, found: &mut Findings) {
    if !resources.complete {
        return;
    }
    for (node, memo) in &resources.documents {
        let mut absent = memo.crossings.iter().filter(|(_, hash)| resources.hashes.binary_search(hash).is_err());
        let count = absent.clone().count();
        let Some((entry, _)) = absent.next() else { continue };
        let finding = Finding::new(Code::LK_23).arg("count", count).arg("entry", *entry);
        found.add(*node, memo.at_head(finding, Name::Capability));
    }
}

fn at(memo: &Memo) -> Option<Instant> {
    memo.head.as_ref()?.attributes.at()?.value().map(Datetime::start)
}

fn interval(memo: &Memo) -> Option<(Instant, Instant)> {
    let head = memo.head.as_ref()?;
    Some((head.attributes.from()?.value()?.start(), head.attributes.until()?.value()?.start()))
}
