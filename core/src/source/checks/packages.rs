//! Dumps and their packages.
//!
//! The rules are those for a dump and packages in the same run; here each entry is checked once its package is known.

use alloc::{sync::Arc, vec::Vec};

use super::Findings;
use crate::{
    diagnostic::{Code, Finding},
    model::{Entry, Item, Kind, Md},
    rules::{Checker, KindProfile, KnownPackages},
    source::{Content, LinkGraph, href, relates},
    value::MediaType,
};

/// Checks every entry of every dump whose package was verified.
pub(super) fn check(graph: &LinkGraph, found: &mut Findings) {
    for (node, summary) in graph.documents() {
        if !KindProfile::of(summary.kind).is_dump() {
            continue;
        }
        let mut checker = Checker::of_packages();
        checker.accept(Item::Root(&summary.root));
        if let Some(head) = &summary.head {
            checker.take(Item::Md(head), &mut ());
        }
        for entry in &summary.members {
            if leads_to_a_document(graph, entry) {
                found.add(node, summary.at_loc(Finding::new(Code::PKG_08).arg("problem", "no-package"), entry));
            }
            if let Some(packages) = packages_of(graph, summary.kind, entry) {
                let mut own = Vec::new();
                checker.against(packages).look(Item::Entry(entry), &mut own);
                own.into_iter().for_each(|finding| found.add(node, finding));
            }
        }
    }
}

/// True if an input that was fetched as a document is listed as a ZIP archive.
fn leads_to_a_document(graph: &LinkGraph, entry: &Entry) -> bool {
    let is_zip = |md: &Md| md.attributes.media_type().and_then(|field| field.exact()).is_some_and(MediaType::is_zip);
    let content = entry
        .uri()
        .and_then(|uri| graph.find(uri.as_str()))
        .and_then(|node| graph.fetched(node))
        .map(|fetched| &fetched.content);
    // A package found where a document was expected counts as well.
    let is_document = match content {
        Some(Content::Document(summary)) => summary.kind != Kind::Package,
        Some(Content::Page(_)) => true,
        _ => false,
    };
    is_document && entry.first_md().is_some_and(is_zip)
}

/// The package of an entry, and its copies of the manifest.
fn packages_of(graph: &LinkGraph, dump: Kind, entry: &Entry) -> Option<KnownPackages> {
    let uri = entry.uri()?.as_str();
    let Content::Package(package, _) = &graph.fetched(graph.find(uri)?)?.content else { return None };
    let packages = [(uri.into(), Arc::clone(package))].into();
    let manifests = entry
        .links
        .iter()
        .filter(|link| relates(link, "contents"))
        .filter_map(|link| {
            let uri = href(link)?;
            // A document that is not a manifest is reported as LK-33.
            let (_, own) = graph.target(uri).filter(|(_, own)| Some(own.kind) == KindProfile::of(dump).manifest)?;
            Some((uri.into(), own.canonical?))
        })
        .collect();
    Some(KnownPackages { packages, manifests })
}
