//! What the table of kinds says, said as findings: missing and superfluous attributes, links and parts.

use super::{Look, Need};
use crate::{
    diagnostic::{Code, Finding},
    model::{Entry, Kind, Link, Md, Name, Shape},
    value::Change,
};

/// Attributes of the root's first `rs:md`.
pub(super) fn head(look: &mut Look<'_>, md: &Md) {
    for &(name, need) in look.profile.root {
        attribute(look, md, name, need);
    }
}

/// Links of the root that should not be there.
pub(super) fn root_link(look: &mut Look<'_>, link: &Link) {
    let relation = link.attributes.rel().and_then(|rel| rel.value());
    let Some(relation) = relation else { return };
    if let Need::Unused(code) = look.profile.link_need(relation.as_str()) {
        look.report(finding(look, code), link.span);
    }
}

/// Links of the root that should be there and are not.
pub(super) fn end(look: &mut Look<'_>) {
    // Without a root `rs:md` the kind is not known, so nothing is asked for.
    if look.memory.md.is_none() {
        return;
    }
    for &(wanted, need) in look.profile.links {
        let Need::Wanted(code) = need else { continue };
        if !look.memory.links.iter().any(|link| link.names(wanted)) {
            let span = look.root.span;
            look.report(finding(look, code), span);
        }
    }
}

/// `rs:md` and the optional elements of an entry.
pub(super) fn entry(look: &mut Look<'_>, entry: &Entry) {
    if let (Need::Wanted(code), true) = (look.profile.entry_md, entry.md.is_empty() && !is_capability_list_index(look))
    {
        look.report(finding(look, code), entry.span);
    }
    if let (Need::Unused(code), Some(child)) = (look.profile.lastmod, entry.lastmod.first()) {
        look.report_child(finding(look, code), "lastmod", None, child.span);
    }
    if let (Need::Unused(code), Some(child)) = (look.profile.changefreq, entry.changefreq.first()) {
        look.report_child(finding(look, code), "changefreq", None, child.span);
    }
}

/// Attributes of an entry's first `rs:md`.
pub(super) fn entry_md(look: &mut Look<'_>, md: &Md) {
    let deleted = md.attributes.change().and_then(|change| change.value()) == Some(&Change::Deleted);
    for &(name, need) in look.profile.entry {
        let excused = match name {
            // Nothing is packaged for a deletion, so it has neither (§13.2).
            Name::Path | Name::Type => deleted && look.kind() == Kind::ChangeDumpManifest,
            Name::Capability => is_capability_list_index(look),
            _ => false,
        };
        if !(excused && matches!(need, Need::Wanted(_))) {
            attribute(look, md, name, need);
        }
    }
}

/// A `sitemapindex` of Capability Lists is discouraged (CAP-02), yet as in any index its members need state no
/// capability (§6.2).
fn is_capability_list_index(look: &Look<'_>) -> bool {
    look.kind() == Kind::CapabilityList && look.root.shape == Some(Shape::SitemapIndex)
}

fn attribute(look: &mut Look<'_>, md: &Md, name: Name, need: Need) {
    match (need, md.attributes.get(name)) {
        (Need::Wanted(code), None) => look.report(finding(look, code).arg("attribute", name.as_str()), md.span),
        (Need::Unused(code), Some(attribute)) => {
            look.report_attribute(finding(look, code).arg("attribute", name.as_str()), attribute);
        }
        _ => {}
    }
}

fn finding(look: &Look<'_>, code: Code) -> Finding {
    Finding::new(code).arg("kind", look.kind())
}
