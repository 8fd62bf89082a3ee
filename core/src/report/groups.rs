//! Counts of findings by input, code and severity.

use alloc::{
    collections::{BTreeMap, btree_map::Entry},
    vec::Vec,
};

use super::Group;
use crate::diagnostic::{Code, Severity};

/// Sorted by input and code, with one row per code and severity of an input.
pub(crate) fn merged(groups: Vec<Group>) -> Vec<Group> {
    let mut whole: BTreeMap<(u64, Option<Code>, Severity), Group> = BTreeMap::new();
    for group in groups {
        match whole.entry((group.input, Code::find(&group.code), group.severity)) {
            Entry::Vacant(place) => {
                place.insert(group);
            }
            Entry::Occupied(mut place) => {
                let own = place.get_mut();
                own.count = own.count.saturating_add(group.count);
                own.stored = own.stored.saturating_add(group.stored);
            }
        }
    }
    whole.into_values().collect()
}
