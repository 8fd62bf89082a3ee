//! What documents and packages that are given together say of each other.

use alloc::{collections::BTreeMap, string::String, sync::Arc, vec::Vec};

use super::Dump;
use crate::{
    rules::{Package, Packages},
    value::Hashes,
};

/// Documents that were scanned and packages that were verified, by their file names.
///
/// First every document, then every package, then the documents are validated with what is known.
#[derive(Debug, Default)]
pub struct Beside {
    scanned: Vec<(String, Dump)>,
    packages: BTreeMap<String, Option<Arc<Package>>>,
}

impl Beside {
    /// Notes what a document lists.
    pub fn scanned(&mut self, name: impl Into<String>, dump: Dump) {
        self.scanned.push((name.into(), dump));
    }

    /// The digests that dumps list of a package, for [`Verification::with_digests`](super::Verification::with_digests).
    pub fn wanted(&self, name: &str) -> Hashes {
        let mut all = Hashes::default();
        for hash in self.scanned.iter().filter_map(|(_, dump)| dump.packages.get(name)).flat_map(Hashes::iter) {
            all.push(hash.algorithm.clone(), hash.digest.clone());
        }
        all
    }

    /// Notes what is known of a package.
    pub fn verified(&mut self, name: impl Into<String>, package: Package) {
        insert(&mut self.packages, name.into(), Arc::new(package));
    }

    /// What the documents may ask about; nothing where there are no packages, or no documents.
    pub fn packages(&self) -> Option<Packages> {
        if self.packages.is_empty() || self.scanned.is_empty() {
            return None;
        }
        let linked = |name: &String| self.scanned.iter().any(|(_, dump)| dump.manifests.contains(name));
        let mut manifests = BTreeMap::new();
        for (name, dump) in self.scanned.iter().filter(|(name, _)| linked(name)) {
            if let Some(canonical) = dump.canonical {
                insert(&mut manifests, name.clone(), canonical);
            }
        }
        Some(Packages { packages: self.packages.clone(), manifests })
    }
}

/// Two files of one name: nobody can tell which of them is meant.
fn insert<T>(map: &mut BTreeMap<String, Option<T>>, name: String, value: T) {
    map.entry(name).and_modify(|own| *own = None).or_insert(Some(value));
}
