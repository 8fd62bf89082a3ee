//! Entries and what they announce: is it there, and of that kind?

use super::Findings;
use crate::{
    diagnostic::Finding,
    model::{Entry, Kind, Name, Shape},
    rules::Code,
    set::{Memo, Web, href, relates},
    value::Capability,
};

/// Looks what entries lead to.
pub(super) fn check(web: &Web, found: &mut Findings) {
    for (node, memo) in web.documents() {
        for entry in &memo.members {
            listed(web, node, memo, entry, found);
            contents(web, node, memo, entry, found);
        }
    }
}

fn listed(web: &Web, node: usize, memo: &Memo, entry: &Entry, found: &mut Findings) {
    let Some((target, own)) = entry.uri().and_then(|uri| web.target(uri.as_str())) else { return };
    let Some(capability) = capability(own) else { return };
    let is_index = memo.root.shape == Some(Shape::SitemapIndex) && memo.kind != Kind::CapabilityList;
    let expected = match memo.kind {
        Kind::SourceDescription => (Code::SD_05, Capability::CapabilityList),
        Kind::SourceDescriptionIndex => (Code::SDI_03, Capability::Description),
        Kind::CapabilityList if memo.root.shape == Some(Shape::SitemapIndex) => {
            (Code::GEN_26, Capability::CapabilityList)
        }
        Kind::CapabilityList => match entry.first_md().and_then(|md| md.attributes.capability()?.value()) {
            Some(announced) if kind_of(announced).is_some() => (Code::CAP_13, announced.clone()),
            _ => return,
        },
        _ if is_index => match self::capability(memo) {
            Some(same) => (Code::GEN_26, same.clone()),
            None => return,
        },
        _ => return,
    };
    let place = own.head.as_ref().map_or(own.root.span, |head| head.span);
    if is_index && own.root.shape == Some(Shape::SitemapIndex) && *capability == expected.1 {
        let finding = Finding::new(Code::GEN_28).arg("uri", entry.uri().map_or("", |uri| uri.as_str()));
        return found.add_related(node, memo.at_loc(finding, entry), ("found", target, own.root.span));
    }
    if *capability == expected.1 {
        return;
    }
    let finding = wrong(expected.0, entry.uri().map_or("", |uri| uri.as_str()), own.kind, kind_of(&expected.1));
    let finding = match memo.kind {
        Kind::CapabilityList => memo.at_entry_md(finding, entry, Name::Capability),
        _ => memo.at_loc(finding, entry),
    };
    found.add_related(node, finding, ("found", target, place));
}

/// The manifest that a dump offers beside a package.
fn contents(web: &Web, node: usize, memo: &Memo, entry: &Entry, found: &mut Findings) {
    let expected = match memo.kind {
        Kind::ResourceDump => Kind::ResourceDumpManifest,
        Kind::ChangeDump => Kind::ChangeDumpManifest,
        _ => return,
    };
    for (number, link) in (1..).zip(&entry.links).filter(|(_, link)| relates(link, "contents")) {
        let Some((target, own)) = href(link).and_then(|uri| web.target(uri)) else { continue };
        if own.kind == expected || capability(own).is_none() {
            continue;
        }
        let finding = wrong(Code::LK_33, href(link).unwrap_or(""), own.kind, Some(expected));
        let place = own.head.as_ref().map_or(own.root.span, |head| head.span);
        found.add_related(node, memo.at_entry_link(finding, entry, number, link), ("found", target, place));
    }
}

fn wrong(code: Code, uri: &str, kind: Kind, expected: Option<Kind>) -> Finding {
    Finding::new(code).arg("uri", uri).arg("kind", kind).arg("expectedKind", expected.unwrap_or_default())
}

/// The capability of a document; nothing where it says none that is known, which has been reported there.
fn capability(memo: &Memo) -> Option<&Capability> {
    let capability = memo.head.as_ref()?.attributes.capability()?.value()?;
    kind_of(capability).map(|_| capability)
}

/// The kind of the document that has a capability, where it is no index.
fn kind_of(capability: &Capability) -> Option<Kind> {
    Some(Kind::from_parts(Shape::UrlSet, capability)).filter(|kind| *kind != Kind::Unknown)
}
