//! Cross-checks dumps against the packages supplied in the same run.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    sync::Arc,
    vec::Vec,
};
use core::{cmp::Reverse, ops::Bound};

use super::DumpListing;
use crate::{
    rules::{KnownPackage, KnownPackages},
    value::{Hashes, percent_decoded},
};

/// The dumps and packages of a run.
///
/// Add every document, then every package; then validate the documents with the result. What a dump lists is the file of the same name; of
/// several, the one whose folders are most like those of the URI, and of those that have all of these the one with the fewest others. If that
/// does not tell which is meant, they are not compared.
#[derive(Debug, Default)]
pub struct DumpIndex {
    is_any: bool,
    /// The digests that dumps list, by the name of the file.
    digests: BTreeMap<String, Hashes>,
    packages: Given<Arc<KnownPackage>>,
    manifests: Given<[u8; 32]>,
}

impl DumpIndex {
    /// Adds the scan of a document, by its path or URI.
    pub fn add_dump(&mut self, place: &str, dump: DumpListing) {
        self.is_any = true;
        for (uri, hashes) in dump.packages {
            let path = segments(&uri);
            let own = self.digests.entry(path.first().cloned().unwrap_or_default()).or_default();
            hashes.iter().for_each(|hash| own.push(hash.algorithm.clone(), hash.digest.clone()));
            self.packages.listed.entry(path).or_default().insert(uri);
        }
        for uri in dump.manifests {
            self.manifests.listed.entry(segments(&uri)).or_default().insert(uri);
        }
        self.manifests.files.extend(dump.canonical.map(|canonical| (segments(place), canonical)));
    }

    /// The digests that dumps list for packages of this name, for
    /// [`Verification::with_digests`](crate::package::Verification::with_digests); `None` if no dump lists one.
    pub fn listed_digests(&self, name: &str) -> Option<Hashes> {
        self.digests.get(name).cloned()
    }

    /// Adds a verified package, by its path or URI.
    pub fn add_package(&mut self, place: &str, package: KnownPackage) {
        self.packages.files.push((segments(place), Arc::new(package)));
    }

    /// The packages to validate the documents against; `None` if there are no packages or no documents.
    pub fn packages(&self) -> Option<KnownPackages> {
        let is_any = self.is_any && !self.packages.files.is_empty();
        is_any.then(|| KnownPackages { packages: self.packages.matched(), manifests: self.manifests.matched() })
    }
}

/// Files, and URIs that may be theirs, by the segments of their paths, the last one first.
#[derive(Debug)]
struct Given<T> {
    listed: BTreeMap<Vec<String>, BTreeSet<String>>,
    files: Vec<(Vec<String>, T)>,
}

impl<T> Default for Given<T> {
    fn default() -> Given<T> {
        Given { listed: BTreeMap::new(), files: Vec::new() }
    }
}

impl<T: PartialEq + Clone> Given<T> {
    /// The file of each URI that has one.
    fn matched(&self) -> BTreeMap<String, T> {
        // Of each path, how like it a file is, and the file, unless there are different ones.
        let mut best: BTreeMap<&Vec<String>, (Likeness, Option<&T>)> = BTreeMap::new();
        for (path, file) in &self.files {
            let Some((listed, length)) = self.nearest(path) else { continue };
            let others = if length == listed.len() { path.len() } else { 0 };
            let likeness = (length, Reverse(others));
            match best.get_mut(listed) {
                Some((most, _)) if *most > likeness => {}
                Some((most, own)) if *most == likeness => *own = own.filter(|own| *own == file),
                _ => drop(best.insert(listed, (likeness, Some(file)))),
            }
        }
        let uris = |path: &Vec<String>| self.listed.get(path).into_iter().flatten().cloned();
        let found = best.into_iter().filter_map(|(path, (_, file))| Some((path, file?)));
        found.flat_map(|(path, file)| uris(path).map(|uri| (uri, file.clone()))).collect()
    }

    /// The listed path that ends most like this one, and the number of segments that they share; `None` if there is none, or several.
    fn nearest(&self, path: &Vec<String>) -> Option<(&Vec<String>, usize)> {
        // In order, those with the longest common start are next to it.
        let before = self.listed.range::<Vec<String>, _>((Bound::Unbounded, Bound::Included(path))).next_back();
        let after = self.listed.range::<Vec<String>, _>((Bound::Included(path), Bound::Unbounded)).next();
        let shared = |(own, _): (&Vec<String>, _)| own.iter().zip(path).take_while(|(own, other)| own == other).count();
        let length = before.into_iter().chain(after).map(shared).max().filter(|length| *length > 0)?;
        let start = path.get(..length)?;
        let from = self.listed.range::<[String], _>((Bound::Included(start), Bound::Unbounded));
        let mut alike = from.map(|(own, _)| own).take_while(|own| own.starts_with(start));
        let only = alike.next()?;
        alike.next().is_none().then_some((only, length))
    }
}

/// The number of segments that a path shares with that of a URI, and that of all its segments if these are all of the URI.
type Likeness = (usize, Reverse<usize>);

/// The segments of a path or of the path of a URI, percent-decoded, the last one first.
fn segments(place: &str) -> Vec<String> {
    match place.split_once("://") {
        Some((_, rest)) => {
            let path = rest.split(['?', '#']).next().unwrap_or_default();
            let (_, path) = path.split_once('/').unwrap_or_default();
            path.rsplit('/').map(percent_decoded).collect()
        }
        None => place.rsplit(['/', '\\']).filter(|segment| *segment != ".").map(String::from).collect(),
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::ToString, vec};

    use super::*;

    fn matched(listed: &[&str], files: &[&str]) -> Vec<String> {
        let mut given = Given::default();
        for uri in listed {
            given.listed.entry(segments(uri)).or_default().insert(uri.to_string());
        }
        given.files = files.iter().map(|file| (segments(file), file.to_string())).collect();
        given.matched().into_iter().map(|(uri, file)| format!("{uri} {file}")).collect()
    }

    #[test]
    fn a_file_is_what_lists_its_name_and_most_of_its_folders() {
        let [changes, resources] = ["http://h/changes/1.zip", "http://h/resources/1.zip"];
        assert_eq!(matched(&[changes], &["1.zip", "2.zip"]), [format!("{changes} 1.zip")]);
        assert_eq!(matched(&[changes], &["else/1.zip"]), [format!("{changes} else/1.zip")]);
        assert_eq!(matched(&["http://h/a%20b.zip?c=/d"], &["a b.zip"]).len(), 1);
        // Only one of both is there.
        assert_eq!(matched(&[changes, resources], &["site/changes/1.zip"]), [format!("{changes} site/changes/1.zip")]);
        let both = ["site/resources/1.zip", "site/changes/1.zip"];
        assert_eq!(
            matched(&[changes, resources], &both),
            [format!("{changes} {}", both[1]), format!("{resources} {}", both[0])]
        );
        // It is of one of them, or one of these is it.
        assert_eq!(matched(&[changes, resources], &["1.zip"]), vec![""; 0]);
        assert_eq!(matched(&[changes], &["a/1.zip", "b/1.zip"]), vec![""; 0]);
        assert_eq!(matched(&[changes], &["a/1.zip", "changes/1.zip"]), [format!("{changes} changes/1.zip")]);
        // Beside the dump, not in another folder.
        assert_eq!(matched(&["http://h/1.zip"], &["old/1.zip", "./1.zip"]), ["http://h/1.zip ./1.zip"]);
        assert_eq!(matched(&["http://h/1.zip"], &["/s/old/1.zip", "/s/1.zip"]), ["http://h/1.zip /s/1.zip"]);
        // One path at two hosts is the same.
        assert_eq!(matched(&[changes, "https://other/changes/1.zip"], &["1.zip"]).len(), 2);
    }
}
