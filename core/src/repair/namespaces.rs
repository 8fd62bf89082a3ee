//! Corrects misspelt namespaces.

use alloc::{format, string::ToString};

use super::log::{Edit, Log, Repair, RepairKind};
use crate::model::{Document, SITEMAP, Space};

pub(super) fn repair(document: &mut Document, log: &mut Log) {
    let Document { root, head, entries } = document;
    // An element kept as text contains its namespace names in the text.
    let mut others = head.others.iter().chain(entries.iter().flat_map(|entry| &entry.others));
    if root.shape.is_none() || others.any(|other| other.space != Space::Foreign) {
        return;
    }
    for namespace in head.namespaces.drain(..) {
        let repair = Repair {
            idea: RepairKind::Namespace,
            path: format!("/{}", root.local),
            span: namespace.span,
            before: namespace.written.to_string(),
            after: namespace.meant.to_string(),
        };
        log.add(repair, Edit::Namespace(namespace.written.to_string(), namespace.meant));
    }
    root.namespace = SITEMAP.into();
}
