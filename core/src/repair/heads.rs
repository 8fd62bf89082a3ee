//! Moves heads that are among or after the entries.

use alloc::{format, string::String};

use super::log::{Edit, Log, Repair, RepairKind};
use crate::model::Document;

/// The model stores the head separately from the entries, so only the text changes.
pub(super) fn repair(document: &Document, log: &mut Log) {
    let Some(first) = document.entries.first().map(|entry| entry.span.start.offset) else { return };
    let mds = (1..).zip(&document.head.md).map(|(number, md)| ("rs:md", number, md.span));
    let links = (1..).zip(&document.head.links).map(|(number, link)| ("rs:ln", number, link.span));
    for (name, number, span) in mds.chain(links) {
        if span.start.offset > first {
            let path = format!("/{}/{name}[{number}]", document.root.local);
            let repair = Repair {
                idea: RepairKind::Head,
                path,
                span,
                before: String::from("after entries"),
                after: "before them".into(),
            };
            log.add(repair, Edit::Raise(span));
        }
    }
}
