//! What each set of resources of a Source consists of.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::ToString,
    vec::Vec,
};

use super::{Held, Web};
use crate::{model::Kind, report::Set, validate::Memo};

/// For each Capability List, by its node, what it leads to.
pub(crate) fn summaries(web: &Web) -> Vec<(usize, Set)> {
    web.of_kind(Kind::CapabilityList).map(|(node, _)| (node, summary(web, node))).collect()
}

fn summary(web: &Web, node: usize) -> Set {
    let own = below(web, node);
    let mut set = Set {
        input: 0,
        documents: BTreeMap::new(),
        resources: 0,
        changes: 0,
        bytes: 0,
        resources_read: 0,
        newest_change: None,
    };
    let mut newest = None;
    for at in &own {
        let Some(had) = web.had(*at) else { continue };
        let kind = match &had.held {
            Held::Document(memo) => memo.kind,
            Held::Topic(..) => Kind::Topic,
            Held::Package(..) => Kind::Package,
            _ => continue,
        };
        let count = set.documents.entry(kind.as_str().to_string()).or_default();
        *count = count.saturating_add(1);
        let Held::Document(memo) = &had.held else { continue };
        match kind {
            Kind::ResourceList => {
                set.resources = set.resources.saturating_add(memo.entries);
                set.bytes = set.bytes.saturating_add(memo.declared_bytes);
            }
            Kind::ChangeList => {
                set.changes = set.changes.saturating_add(memo.entries);
                let later =
                    |old: &&crate::value::Datetime| memo.newest.as_ref().is_some_and(|new| old.start() < new.start());
                if newest.is_none_or(|old| later(&old)) {
                    newest = memo.newest.as_ref().or(newest);
                }
            }
            _ => {}
        }
    }
    set.newest_change = newest.map(ToString::to_string);
    let read = web
        .listed
        .iter()
        .filter(|(node, entries)| web.had(**node).is_some() && entries.iter().any(|(list, _)| own.contains(list)));
    set.resources_read = read.count() as u64;
    set
}

/// The nodes that a Capability List leads to, downwards.
pub(crate) fn below(web: &Web, capability_list: usize) -> BTreeSet<usize> {
    let mut own = BTreeSet::new();
    let mut waiting: Vec<usize> = targets(web, capability_list);
    while let Some(node) = waiting.pop() {
        let is_upward = web.memo(node).is_some_and(is_above);
        if !is_upward && own.insert(node) {
            waiting.extend(targets(web, node));
        }
    }
    own
}

fn is_above(memo: &Memo) -> bool {
    matches!(memo.kind, Kind::SourceDescription | Kind::SourceDescriptionIndex | Kind::CapabilityList)
}

/// What the entries of a document lead to.
fn targets(web: &Web, node: usize) -> Vec<usize> {
    let Some(memo) = web.memo(node) else { return Vec::new() };
    memo.members.iter().filter_map(|entry| web.find(entry.uri()?.as_str())).collect()
}
