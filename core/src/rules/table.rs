//! Checks against the table of kinds: missing and superfluous attributes, links and parts.

use super::{CheckContext, Need};
use crate::{
    diagnostic::{Code, Finding},
    model::{Entry, Kind, Link, Md, Name, Shape},
    value::Change,
};

/// Attributes of the root's first `rs:md`.
pub(super) fn head(cx: &mut CheckContext<'_>, md: &Md) {
    for &(name, need) in cx.profile.root {
        attribute(cx, md, name, need);
    }
}

/// Links that the root must not have.
pub(super) fn root_link(cx: &mut CheckContext<'_>, link: &Link) {
    let relation = link.attributes.rel().and_then(|rel| rel.value());
    let Some(relation) = relation else { return };
    if let Need::Unused(code) = cx.profile.link_need(relation.as_str()) {
        cx.report(finding(cx, code), link.span);
    }
}

/// Missing links of the root.
pub(super) fn end(cx: &mut CheckContext<'_>) {
    // Without a root `rs:md` the kind is unknown, so nothing is required; what is beyond the limit was not looked at.
    if cx.memory.md.is_none() || cx.memory.links.len() > cx.limits.links as usize {
        return;
    }
    for &(wanted, need) in cx.profile.links {
        let Need::Wanted(code) = need else { continue };
        if !cx.memory.links.iter().any(|link| link.names(wanted)) {
            let span = cx.root.span;
            cx.report(finding(cx, code), span);
        }
    }
}

/// `rs:md` and the optional elements of an entry.
pub(super) fn entry(cx: &mut CheckContext<'_>, entry: &Entry) {
    if let (Need::Wanted(code), true) = (cx.profile.entry_md, entry.md.is_empty() && !is_capability_list_index(cx)) {
        cx.report(finding(cx, code), entry.span);
    }
    if let (Need::Unused(code), Some(child)) = (cx.profile.lastmod, entry.lastmod.first()) {
        cx.report_child(finding(cx, code), "lastmod", None, child.span);
    }
    if let (Need::Unused(code), Some(child)) = (cx.profile.changefreq, entry.changefreq.first()) {
        cx.report_child(finding(cx, code), "changefreq", None, child.span);
    }
}

/// Attributes of an entry's first `rs:md`.
pub(super) fn entry_md(cx: &mut CheckContext<'_>, md: &Md) {
    let deleted = md.attributes.change().and_then(|change| change.value()) == Some(&Change::Deleted);
    for &(name, need) in cx.profile.entry {
        let excused = match name {
            // A deletion has no bitstream, so it has neither (§13.2).
            Name::Path | Name::Type => deleted && cx.kind() == Kind::ChangeDumpManifest,
            Name::Capability => is_capability_list_index(cx),
            _ => false,
        };
        if !(excused && matches!(need, Need::Wanted(_))) {
            attribute(cx, md, name, need);
        }
    }
}

/// A `sitemapindex` of Capability Lists is discouraged (CAP-02), but as in any index its members need no
/// capability (§6.2).
fn is_capability_list_index(cx: &CheckContext<'_>) -> bool {
    cx.kind() == Kind::CapabilityList && cx.root.shape == Some(Shape::SitemapIndex)
}

fn attribute(cx: &mut CheckContext<'_>, md: &Md, name: Name, need: Need) {
    match (need, md.attributes.get(name)) {
        (Need::Wanted(code), None) => cx.report(finding(cx, code).arg("attribute", name.as_str()), md.span),
        (Need::Unused(code), Some(attribute)) => {
            cx.report_attribute(finding(cx, code).arg("attribute", name.as_str()), attribute);
        }
        _ => {}
    }
}

fn finding(cx: &CheckContext<'_>, code: Code) -> Finding {
    Finding::new(code).arg("kind", cx.kind())
}
