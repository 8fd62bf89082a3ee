//! Resources that were read: are they what their list says?

use super::Findings;
use crate::{
    diagnostic::Finding,
    model::{AnyField, Name},
    rules::Code,
    set::{Had, Held, Memo, Node, Resource, State, Web, http_date},
    value::{Datetime, to_hex},
};

/// Looks at every resource that was read.
pub(super) fn check(web: &Web, found: &mut Findings) {
    for node in &web.nodes {
        let State::Had(had) = &node.state else { continue };
        let Held::Resource(resource) = &had.held else { continue };
        let Some(memo) = web.memo(resource.list) else { continue };
        digests(memo, resource, found);
        length(memo, node, had, resource, found);
        encoding(memo, had, resource, found);
        changed(memo, had, resource, found);
    }
}

fn digests(memo: &Memo, resource: &Resource, found: &mut Findings) {
    let Some(hashes) = resource.entry.first_md().and_then(|md| md.attributes.hash()) else { return };
    for hash in hashes.readable().iter() {
        let own = resource.digests.iter().find(|(algorithm, _)| *algorithm == hash.algorithm);
        let Some((algorithm, actual)) = own.filter(|(_, actual)| actual.as_slice() != hash.digest.as_ref()) else {
            continue;
        };
        let finding = Finding::new(Code::AT_09)
            .arg("algorithm", algorithm.as_str())
            .arg("actual", to_hex(actual))
            .arg("expected", to_hex(&hash.digest));
        found.add(resource.list, memo.at_entry_md(finding, &resource.entry, Name::Hash));
    }
}

fn length(memo: &Memo, node: &Node, had: &Had, resource: &Resource, found: &mut Findings) {
    let Some(expected) = resource.entry.first_md().and_then(|md| md.attributes.length()?.value()) else { return };
    let stated = had.response.header("content-length").and_then(|length| length.parse().ok());
    // Bytes that were counted are surer than a header.
    let Some(actual) = resource.length.or(stated).filter(|actual| *actual != expected.0) else { return };
    let finding = Finding::new(Code::AT_11)
        .arg("attribute", Name::Length.as_str())
        .arg("expected", expected.0)
        .arg("name", node.uri.as_str())
        .arg("actual", actual);
    found.add(resource.list, memo.at_entry_md(finding, &resource.entry, Name::Length));
}

fn encoding(memo: &Memo, had: &Had, resource: &Resource, found: &mut Findings) {
    let Some(expected) = resource.entry.first_md().and_then(|md| md.attributes.encoding()) else { return };
    if had.response.headers.is_none() {
        return;
    }
    let actual = had.response.header("content-encoding").unwrap_or("identity");
    let plain =
        |text: &str| text.split(',').map(|word| word.trim_ascii().to_ascii_lowercase()).collect::<alloc::vec::Vec<_>>();
    if plain(actual) != plain(&expected.text()) {
        let finding = Finding::new(Code::AT_14).arg("actual", actual).arg("expected", expected.text().into_owned());
        found.add(resource.list, memo.at_entry_md(finding, &resource.entry, Name::Encoding));
    }
}

fn changed(memo: &Memo, had: &Had, resource: &Resource, found: &mut Findings) {
    let seconds = |datetime: &Datetime| datetime.to_unix().0;
    let lastmod = resource.entry.lastmod.first().and_then(|lastmod| lastmod.field.value());
    let at = memo.head.as_ref().and_then(|head| head.attributes.at()?.value());
    let Some((lastmod, at)) = lastmod.zip(at).filter(|(lastmod, at)| !lastmod.is_partial() && !at.is_partial()) else {
        return;
    };
    let header = had.response.header("last-modified");
    let Some((text, actual)) = header.and_then(|text| Some((text, http_date(text)?))) else { return };
    if seconds(lastmod) < actual && actual < seconds(at) {
        let finding = Finding::new(Code::AT_39).arg("actual", text);
        found.add(resource.list, memo.at_loc(finding, &resource.entry));
    }
}
