//! The changes of several documents, reduced to the last one of each resource.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use serde::Serialize;

use crate::{
    chain::{Order, Part},
    change::Change,
    listed_resource::ListedResource,
};

/// What is known of a resource after its last change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Presence {
    /// It exists, as listed.
    Present,
    /// It was deleted.
    Deleted,
    /// Neither the order of its changes nor their times show which: its server knows.
    Unknown,
}

/// The last change of a resource.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LastChange {
    /// Whether the resource exists.
    pub presence: Presence,
    /// When it changed, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub datetime: Option<String>,
    /// The resource as listed.
    #[serde(flatten)]
    pub resource: ListedResource,
}

/// Reduces the changes of these documents, which are given by their numbers, to the last one of each resource, in the order of the URIs.
pub(crate) fn reduce(order: &[Part], mut changes: BTreeMap<u32, Vec<Change>>) -> Vec<LastChange> {
    let mut last: BTreeMap<String, LastChange> = BTreeMap::new();
    for Part { document, order, from } in order {
        let mut own = changes.remove(document).unwrap_or_default();
        own.retain(|change| change.position >= *from);
        match order {
            Order::Forward => own.sort_by_key(|change| change.position),
            Order::Reverse => own.sort_by_key(|change| core::cmp::Reverse(change.position)),
            Order::None => own.sort_by_key(|change| (change.nanoseconds(), change.position)),
        }
        let uris = |is_deleted: bool| -> BTreeSet<String> {
            let of = own.iter().filter(|change| *order == Order::None && change.is_deleted == is_deleted);
            of.filter_map(|change| change.resource.as_ref()).map(|resource| resource.uri.clone()).collect()
        };
        let (deleted, present) = (uris(true), uris(false));
        for Change { resource, is_deleted, datetime, .. } in own {
            let Some(resource) = resource else { continue };
            let is_mixed = deleted.contains(&resource.uri) && present.contains(&resource.uri);
            if is_mixed && is_deleted {
                // Its last state is what the server is asked for.
                continue;
            }
            let presence = match (is_mixed, is_deleted) {
                (true, _) => Presence::Unknown,
                (false, true) => Presence::Deleted,
                (false, false) => Presence::Present,
            };
            // A patch leads from the state before this change only.
            let is_only = !last.contains_key(&resource.uri);
            let patch = resource.patch.clone().filter(|_| is_only);
            let resource = ListedResource { patch, ..resource };
            last.insert(resource.uri.clone(), LastChange { presence, datetime, resource });
        }
    }
    last.into_values().collect()
}
