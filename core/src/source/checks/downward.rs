//! Targets of entries: whether they exist and are of the announced kind.

use alloc::string::{String, ToString};

use super::Findings;
use crate::{
    diagnostic::{Code, Finding},
    model::{Entry, Kind, Name, Shape},
    rules::KindProfile,
    source::{Content, LinkGraph, href, relates},
    span::Span,
    validate::DocumentSummary,
    value::{Capability, Uri},
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
    let Some(uri) = entry.uri().map(Uri::as_str) else { return };
    let Some((code, expected)) = promise(summary, entry) else { return };
    let finding = Finding::new(code).arg("uri", uri);
    let finding = |kind: String| {
        let finding = finding.arg("kind", kind).arg("expectedKind", called(kind_of(expected), Some(expected)));
        match summary.kind {
            Kind::CapabilityList | Kind::FrameworkNotification => summary.at_entry_md(finding, entry, Name::Capability),
            _ => summary.at_loc(finding, entry),
        }
    };
    if let Some((target, kind)) = graph.foreign(uri) {
        return found.add_related(node, finding(called(kind, None)), ("found", target, Span::beginning()));
    }
    let Some((target, own)) = graph.target(uri) else { return };
    // That a topic is notified of is a fault by itself (CH-06).
    let is_topic = matches!(graph.fetched(target).map(|fetched| &fetched.content), Some(Content::Topic(..)));
    let Some(capability) = capability(own).filter(|_| code != Code::FN_07 || !is_topic) else { return };
    let is_same = capability == expected;
    let is_index = summary.root.shape == Some(Shape::SitemapIndex) && summary.kind != Kind::CapabilityList;
    if is_index && own.root.shape == Some(Shape::SitemapIndex) && is_same {
        let finding = Finding::new(Code::GEN_28).arg("uri", uri);
        return found.add_related(node, summary.at_loc(finding, entry), ("found", target, own.root.span));
    }
    if !is_same {
        let place = own.head.as_ref().map_or(own.root.span, |head| head.span);
        found.add_related(node, finding(called(own.kind, Some(capability))), ("found", target, place));
    }
}

/// The capability of the document that an entry leads to, and the requirement that it is that.
pub(crate) fn promise<'a>(summary: &'a DocumentSummary, entry: &'a Entry) -> Option<(Code, &'a Capability)> {
    // What a misspelt word announces is not certain.
    let announced = || {
        let word = entry.first_md()?.attributes.capability()?.exact()?;
        Some(word).filter(|word| Capability::slip(word.as_str()).is_none())
    };
    match summary.kind {
        Kind::SourceDescription => Some((Code::SD_05, &Capability::CapabilityList)),
        Kind::SourceDescriptionIndex => Some((Code::SDI_03, &Capability::Description)),
        Kind::CapabilityList if summary.root.shape == Some(Shape::SitemapIndex) => {
            Some((Code::GEN_26, &Capability::CapabilityList))
        }
        Kind::CapabilityList => Some((Code::CAP_13, announced()?)),
        Kind::FrameworkNotification => Some((Code::FN_07, announced()?)),
        // Indexes of archives are defined by another specification.
        _ if summary.root.shape == Some(Shape::SitemapIndex) => {
            Some((Code::GEN_26, capability(summary).filter(|word| kind_of(word) != Kind::Unknown)?))
        }
        _ => None,
    }
}

/// Checks the separate copy of a manifest that a dump links to.
fn contents(graph: &LinkGraph, node: usize, summary: &DocumentSummary, entry: &Entry, found: &mut Findings) {
    let Some(expected) = KindProfile::of(summary.kind).manifest else { return };
    for (number, link) in (1..).zip(&entry.links).filter(|(_, link)| relates(link, "contents")) {
        if let Some((target, kind)) = href(link).and_then(|uri| graph.foreign(uri)) {
            let finding = Finding::new(Code::LK_33)
                .arg("uri", href(link).unwrap_or(""))
                .arg("kind", kind)
                .arg("expectedKind", expected);
            let finding = summary.at_entry_link(finding, entry, number, link);
            found.add_related(node, finding, ("found", target, Span::beginning()));
            continue;
        }
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
