//! The circles in the imports between the files of a room.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::Imports;

/// The strongly connected components with more than one file, of the imports within each room.
pub(crate) fn cycles<'a>(imports: &Imports<'a>) -> BTreeSet<BTreeSet<&'a str>> {
    let within = |file: &&'a str| {
        let own = imports.get(file).into_iter().flat_map(BTreeMap::keys).copied();
        own.filter(|other| room(other) == room(file)).collect::<Vec<&str>>()
    };
    let reachable = |file: &&'a str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![*file]);
        while let Some(next) = open.pop() {
            open.extend(within(&next).into_iter().filter(|other| seen.insert(*other)));
        }
        seen
    };
    let reached: BTreeMap<&str, BTreeSet<&str>> = imports.keys().map(|file| (*file, reachable(file))).collect();
    let returns = |from: &str, to: &str| reached.get(from).is_some_and(|seen| seen.contains(to));
    let in_circles = reached.iter().filter(|(file, seen)| seen.contains(*file));
    in_circles.map(|(file, seen)| seen.iter().filter(|other| returns(other, file)).copied().collect()).collect()
}

fn room(file: &str) -> &str {
    file.split(['/', '.']).next().unwrap_or(file)
}
