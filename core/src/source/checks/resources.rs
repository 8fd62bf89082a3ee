//! Compares resources with their metadata in lists.

use alloc::vec::Vec;

use super::{
    Findings,
    history::{Changes, snapshot},
    links,
};
use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Entry, Kind, Name},
    source::{Content, Fetched, FetchedResource, LinkGraph, Node, NodeState, codings},
    validate::DocumentSummary,
    value::{Datetime, http_date, to_hex},
};

/// Checks every resource that was read.
pub(super) fn check(graph: &LinkGraph, found: &mut Findings) {
    if graph.listed.is_empty() {
        return;
    }
    let changes = graph.of_kind(Kind::ChangeList).chain(graph.of_kind(Kind::ChangeDumpManifest));
    let changes = Changes::of(changes.map(|(_, summary)| summary).collect::<Vec<_>>().into_iter());
    for (node, entries) in &graph.listed {
        let Some(node) = graph.nodes.get(*node) else { continue };
        for (list, entry) in entries {
            let Some(summary) = graph.summary(*list) else { continue };
            // A list is a snapshot: what it states holds until the next change that the Source lists.
            let hash = usize::try_from(entry.number).ok().and_then(|number| summary.locs.get(number.checked_sub(1)?));
            let hash = hash.filter(|hash| **hash != 0);
            let since = snapshot(summary).map_or(i64::MIN, |(at, _)| at);
            let fetched = match &node.state {
                NodeState::Fetched(_) if hash.is_some_and(|hash| changes.may_change_since(*hash, since)) => continue,
                NodeState::Fetched(fetched) => fetched,
                NodeState::NotFound(_) if hash.is_some_and(|hash| changes.may_be_deleted_since(*hash, since)) => {
                    continue;
                }
                _ => {
                    found.extend(*list, links::not_had(node, &node.uri).map(|finding| summary.at_loc(finding, entry)));
                    continue;
                }
            };
            let Content::Resource(resource) = &fetched.content else { continue };
            let listing = Listing { list: *list, summary, entry };
            digests(&listing, resource, found);
            length(&listing, node, fetched, resource, found);
            encoding(&listing, fetched, found);
            changed(&listing, fetched, found);
        }
    }
}

/// The metadata of a resource in a list.
struct Listing<'a> {
    list: usize,
    summary: &'a DocumentSummary,
    entry: &'a Entry,
}

fn digests(listing: &Listing<'_>, resource: &FetchedResource, found: &mut Findings) {
    let Some(hashes) = listing.entry.first_md().and_then(|md| md.attributes.hash()) else { return };
    for hash in hashes.readable().iter() {
        let own = resource.digests.iter().find(|(algorithm, _)| *algorithm == hash.algorithm);
        let Some((algorithm, actual)) = own.filter(|(_, actual)| actual.as_slice() != hash.digest.as_ref()) else {
            continue;
        };
        let finding = Finding::new(Code::AT_09)
            .arg("algorithm", algorithm.as_str())
            .arg("actual", to_hex(actual))
            .arg("expected", to_hex(&hash.digest));
        found.add(listing.list, listing.summary.at_entry_md(finding, listing.entry, Name::Hash));
    }
}

fn length(listing: &Listing<'_>, node: &Node, fetched: &Fetched, resource: &FetchedResource, found: &mut Findings) {
    let Some(expected) = listing.entry.first_md().and_then(|md| md.attributes.length()?.value()) else { return };
    let stated = fetched.response.header("content-length").and_then(|length| length.parse().ok());
    // The number of received bytes is more reliable than a header.
    let Some(actual) = resource.length.or(stated).filter(|actual| *actual != expected.0) else { return };
    let finding = Finding::new(Code::AT_11)
        .arg("attribute", Name::Length.as_str())
        .arg("expected", expected.0)
        .arg("name", node.uri.as_str())
        .arg("actual", actual);
    found.add(listing.list, listing.summary.at_entry_md(finding, listing.entry, Name::Length));
}

fn encoding(listing: &Listing<'_>, fetched: &Fetched, found: &mut Findings) {
    let Some(expected) = listing.entry.first_md().and_then(|md| md.attributes.encoding()) else { return };
    if fetched.response.headers.is_none() {
        return;
    }
    let actual = fetched.response.header("content-encoding").unwrap_or("identity");
    if codings(actual) != codings(&expected.text()) {
        let finding = Finding::new(Code::AT_14).arg("actual", actual).arg("expected", expected.text().into_owned());
        found.add(listing.list, listing.summary.at_entry_md(finding, listing.entry, Name::Encoding));
    }
}

fn changed(listing: &Listing<'_>, fetched: &Fetched, found: &mut Findings) {
    let seconds = |datetime: &Datetime| datetime.to_unix().0;
    let lastmod = listing.entry.lastmod.first().and_then(|lastmod| lastmod.field.value());
    let at = listing.summary.head.as_ref().and_then(|head| head.attributes.at()?.value());
    let Some((lastmod, at)) = lastmod.zip(at).filter(|(lastmod, at)| !lastmod.is_partial() && !at.is_partial()) else {
        return;
    };
    let header = fetched.response.header("last-modified");
    let Some((text, actual)) = header.and_then(|text| Some((text, http_date(text)?))) else { return };
    if seconds(lastmod) < actual && actual < seconds(at) {
        let finding = Finding::new(Code::AT_39).arg("actual", text);
        found.add(listing.list, listing.summary.at_loc(finding, listing.entry));
    }
}
