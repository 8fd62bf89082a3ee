//! Targets of entries: whether they exist and are of the announced kind.

use alloc::string::{String, ToString};

use super::Findings;
use crate::{
    diagnostic::{Code, Finding},
    model::{Entry, Kind, Name, Shape},
    rules::KindProfile,
    source::{Content, LinkGraph, href, relates},
    validate::DocumentSummary,
    value::Capability,
};

/// Checks the targets of entries.
pub(super) fn check(graph: &LinkGraph, found: &mut Findings) {
    for (node, summary) in graph.documents() {
        for entry in &summary.members {
            listed(graph, node, summary, entry, found);
            contents(graph, node, summary, entry, found);
        }
    }
}

fn listed(graph: &LinkGraph, node: usize, summary: &DocumentSummary, entry: &Entry, found: &mut Findings) {
    let Some((target, own)) = entry.uri().and_then(|uri| graph.target(uri.as_str())) else { return };
    let Some(capability) = capability(own) else { return };
    let is_index = summary.root.shape == Some(Shape::SitemapIndex) && summary.kind != Kind::CapabilityList;
    let expected = match summary.kind {
        Kind::SourceDescription => (Code::SD_05, Capability::CapabilityList),
        Kind::SourceDescriptionIndex => (Code::SDI_03, Capability::Description),
        Kind::CapabilityList if summary.root.shape == Some(Shape::SitemapIndex) => {
            (Code::GEN_26, Capability::CapabilityList)
        }
        // The meaning of a misspelt word is uncertain.
        Kind::CapabilityList => match entry.first_md().and_then(|md| md.attributes.capability()?.exact()) {
            Some(announced) if Capability::slip(announced.as_str()).is_none() => (Code::CAP_13, announced.clone()),
            _ => return,
        },
        // Indexes of archives are defined by another specification.
        _ if is_index => match self::capability(summary).filter(|word| kind_of(word) != Kind::Unknown) {
            Some(same) => (Code::GEN_26, same.clone()),
            None => return,
        },
        _ => return,
    };
    let place = own.head.as_ref().map_or(own.root.span, |head| head.span);
    if is_index && own.root.shape == Some(Shape::SitemapIndex) && *capability == expected.1 {
        let finding = Finding::new(Code::GEN_28).arg("uri", entry.uri().map_or("", |uri| uri.as_str()));
        return found.add_related(node, summary.at_loc(finding, entry), ("found", target, own.root.span));
    }
    if *capability == expected.1 {
        return;
    }
    let uri = entry.uri().map_or("", |uri| uri.as_str());
    let finding = Finding::new(expected.0).arg("uri", uri);
    let finding = finding
        .arg("kind", called(own.kind, Some(capability)))
        .arg("expectedKind", called(kind_of(&expected.1), Some(&expected.1)));
    let finding = match summary.kind {
        Kind::CapabilityList => summary.at_entry_md(finding, entry, Name::Capability),
        _ => summary.at_loc(finding, entry),
    };
    found.add_related(node, finding, ("found", target, place));
}

/// Checks the separate copy of a manifest that a dump links to.
fn contents(graph: &LinkGraph, node: usize, summary: &DocumentSummary, entry: &Entry, found: &mut Findings) {
    let Some(expected) = KindProfile::of(summary.kind).manifest else { return };
    for (number, link) in (1..).zip(&entry.links).filter(|(_, link)| relates(link, "contents")) {
        let Some((target, own)) = href(link).and_then(|uri| graph.target(uri)) else { continue };
        let is_package = matches!(graph.fetched(target).map(|fetched| &fetched.content), Some(Content::Package(..)));
        let kind = if is_package { Kind::Package } else { own.kind };
        if kind == expected || capability(own).is_none() {
            continue;
        }
        let finding = Finding::new(Code::LK_33)
            .arg("uri", href(link).unwrap_or(""))
            .arg("kind", called(kind, capability(own)))
            .arg("expectedKind", expected);
        let place = own.head.as_ref().map_or(own.root.span, |head| head.span);
        found.add_related(node, summary.at_entry_link(finding, entry, number, link), ("found", target, place));
    }
}

/// The name of a kind; for those of other specifications their own word.
pub(super) fn called(kind: Kind, capability: Option<&Capability>) -> String {
    let word = capability.filter(|_| kind == Kind::Unknown);
    word.map_or_else(|| kind.as_str().to_string(), |word| word.as_str().to_string())
}

/// The capability of a document; `None` if it has none, or a misspelt one, which was reported.
pub(super) fn capability(summary: &DocumentSummary) -> Option<&Capability> {
    let capability = summary.head.as_ref()?.attributes.capability()?.value()?;
    Some(capability).filter(|capability| Capability::slip(capability.as_str()).is_none())
}

/// The kind of a document with a capability, if it is not an index.
fn kind_of(capability: &Capability) -> Kind {
    Kind::from_parts(Shape::UrlSet, capability)
}
