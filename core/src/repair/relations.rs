//! Corrects link relations that deployed Sources misname.

use crate::{
    model::{Document, Field, Kind},
    rules::{KindProfile, Need},
    value::{Parsed, Relation, Value},
};

/// True if the document links upwards only with `resourcesync`, as in drafts. Next to `up` its meaning is ambiguous.
pub(super) fn is_old_up(document: &Document) -> bool {
    let kind = document.kind();
    let wants_up = kind != Kind::Unknown && !matches!(KindProfile::of(kind).link_need("up"), Need::Unused(_));
    let mut relations = document.head.links.iter().filter_map(|link| link.attributes.rel()?.value());
    wants_up && !relations.any(|relation| relation.is("up"))
}

/// The relation of the standard.
pub(super) fn meant(field: &Field<Relation>, is_old_up: bool) -> Option<Relation> {
    let relation = field.exact()?;
    let name = if is_old_up && relation.is("resourcesync") { "up" } else { relation.suggestion()? };
    match Relation::read(name) {
        Parsed::Exact(relation) => Some(relation),
        Parsed::Lenient(_) | Parsed::Malformed => None,
    }
}
