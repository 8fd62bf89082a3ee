//! How a Source is found: pages, headers, the well-known URI.

use alloc::{collections::BTreeSet, vec::Vec};

use super::{Beside, Findings, links, uniform::is_had};
use crate::{
    diagnostic::{Code, Finding},
    model::Kind,
    source::{
        Held, State, Web, below,
        discovery::{WELL_KNOWN, header_targets, host},
    },
    validate::{Memo, hashed},
};

/// Looks at every way in that was tried.
pub(super) fn check(web: &Web, beside: &Beside<'_>, found: &mut Findings) {
    for (node, named) in beside.lost {
        found.add(*node, Finding::new(Code::SD_12).arg("uri", named.as_str()));
    }
    well_known(web, found);
    for (node, own) in web.nodes.iter().enumerate() {
        let State::Had(had) = &own.state else { continue };
        if let Held::Page(announcements) = &had.held {
            for one in announcements {
                let uri = one.href.as_deref().unwrap_or("");
                let problem = one.problem.or_else(|| wrong(web, uri));
                let finding = match problem {
                    Some(problem) => Some(Finding::new(Code::DI_04).arg("uri", uri).arg("problem", problem)),
                    None => links::of(web, uri),
                };
                match finding {
                    Some(finding) => found.add(node, finding.at(one.span)),
                    None => found.extend(node, uncovered(web, node, uri, Code::DI_05)),
                }
            }
        }
        for uri in header_targets(&had.response, "resourcesync") {
            let finding = match wrong(web, &uri) {
                Some(problem) => Some(Finding::new(Code::DI_07).arg("uri", uri).arg("problem", problem)),
                None => links::of(web, &uri).or_else(|| {
                    // A document of the Source is above the set, not in it.
                    let is_in_set = matches!(had.held, Held::Resource(_) | Held::Page(_));
                    uncovered(web, node, &uri, Code::DI_08).filter(|_| is_in_set)
                }),
            };
            found.extend(node, finding);
        }
    }
}

/// What keeps a document from being a Capability List, where it was read.
fn wrong(web: &Web, uri: &str) -> Option<&'static str> {
    let (_, memo) = web.target(uri)?;
    (memo.kind != Kind::CapabilityList).then_some("no-capability-list")
}

/// Is the page among the resources of the set it announces? Only a whole snapshot can show that it is not.
fn uncovered(web: &Web, node: usize, uri: &str, code: Code) -> Option<Finding> {
    let (list, _) = web.target(uri)?;
    let own = below(web, list);
    let lists: Vec<&Memo> = own.iter().filter_map(|node| web.memo(*node)).collect();
    let snapshots = [Kind::ResourceList, Kind::ResourceDumpManifest];
    let mut snapshots = lists.iter().filter(|memo| snapshots.contains(&memo.kind)).peekable();
    let is_whole = snapshots.peek().is_some() && snapshots.all(|memo| memo.complete);
    let is_whole = is_whole && own.iter().all(|node| is_had(web, *node));
    let page = web.nodes.get(node)?;
    let final_uri = web.had(node).map_or("", |had| &had.response.uri);
    let hashes: BTreeSet<u64> = [hashed(&page.uri), hashed(final_uri)].into();
    let is_there = lists.iter().any(|memo| memo.locs.iter().any(|hash| hashes.contains(hash)));
    (is_whole && !is_there).then(|| Finding::new(code).arg("uri", uri))
}

/// Is the Source Description of each host where everybody looks for it?
fn well_known(web: &Web, found: &mut Findings) {
    let mut hosts = BTreeSet::new();
    let is_description = |kind| matches!(kind, Kind::SourceDescription | Kind::SourceDescriptionIndex);
    for (node, memo) in web.documents().filter(|(_, memo)| is_description(memo.kind)) {
        let Some(host) = web.nodes.get(node).and_then(|node| host(&node.uri)).filter(|host| hosts.insert(host.clone()))
        else {
            continue;
        };
        let uri = alloc::format!("{host}{WELL_KNOWN}");
        let Some(place) = web.find(&uri) else { continue };
        let is_there = match web.nodes.get(place).map(|node| &node.state) {
            Some(State::Missing(_)) => false,
            Some(State::Had(_)) => web.memo(place).is_some_and(|memo| is_description(memo.kind)),
            _ => continue,
        };
        if !is_there {
            found.add(node, memo.at_root(Finding::new(Code::DI_02).arg("uri", uri)));
        }
    }
}
