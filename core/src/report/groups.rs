//! Counts of findings by input, code and severity.

use alloc::{
    collections::{BTreeMap, btree_map::Entry},
    string::String,
    vec::Vec,
};

use super::Group;
use crate::diagnostic::{Code, Severity};

/// Sorted by input and code, with one row per code and severity of an input.
pub(crate) fn merged(groups: Vec<Group>) -> Vec<Group> {
    let mut whole: BTreeMap<(u64, usize, String, Severity), Group> = BTreeMap::new();
    for group in groups {
        // Codes that the core does not have come last.
        let place = Code::find(&group.code).map_or(usize::MAX, Code::index);
        match whole.entry((group.input, place, group.code.clone(), group.severity)) {
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
