//! The changes of several documents, reduced to the last one of each resource.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use serde::Serialize;

use crate::{
    chain::{Order, Part},
    change::{Change, nanoseconds},
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

impl LastChange {
    /// When the resource changed, in nanoseconds since 1970.
    pub fn nanoseconds(&self) -> Option<i64> {
        nanoseconds(self.datetime.as_deref())
    }

    /// The last change of a resource, from those of the spellings of its URI, of which the last is the last of all. That one of them was deleted
    /// does not say that the resource is gone under another.
    fn of_spellings(mut spellings: Vec<LastChange>) -> Option<LastChange> {
        let last = spellings.pop()?;
        if last.presence != Presence::Deleted {
            return Some(last);
        }
        let other = spellings.into_iter().rfind(|other| other.presence != Presence::Deleted);
        Some(other.map_or(last, |LastChange { datetime, resource, .. }| {
            let resource = ListedResource { patch: None, ..resource };
            LastChange { presence: Presence::Unknown, datetime, resource }
        }))
    }
}

/// Reduces the changes of these documents, which are given by their numbers, to the last one of each resource, in the order of the URIs.
pub fn reduce(order: &[Part], mut changes: BTreeMap<u32, Vec<Change>>) -> Vec<LastChange> {
    // By URI, the last change of each of its spellings.
    let mut last: BTreeMap<String, Vec<LastChange>> = BTreeMap::new();
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
            let spellings = last.entry(resource.uri.clone()).or_default();
            // A patch leads from the state before this change only.
            let patch = resource.patch.clone().filter(|_| spellings.is_empty());
            let resource = ListedResource { patch, ..resource };
            spellings.retain(|other| other.resource.loc != resource.loc);
            spellings.push(LastChange { presence, datetime, resource });
        }
    }
    last.into_values().filter_map(LastChange::of_spellings).collect()
}
