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

    /// The digests that dumps list of a package, for [`Verification::with_digests`](crate::package::Verification::with_digests); `None`
    /// where no dump lists it.
    pub fn wanted(&self, name: &str) -> Option<Hashes> {
        let mut listed = self.scanned.iter().filter_map(|(_, dump)| dump.packages.get(name)).peekable();
        listed.peek()?;
        let mut all = Hashes::default();
        for hash in listed.flat_map(Hashes::iter) {
            all.push(hash.algorithm.clone(), hash.digest.clone());
        }
        Some(all)
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
        Some(Packages { whole: false, packages: self.packages.clone(), manifests })
    }
}

/// Of two files of one name that differ nobody can tell which is meant.
fn insert<T: PartialEq>(map: &mut BTreeMap<String, Option<T>>, name: String, value: T) {
    let is_other = |own: &Option<T>| own.as_ref() != Some(&value);
    match map.get_mut(&name) {
        Some(own) if is_other(own) => *own = None,
        Some(_) => {}
        None => drop(map.insert(name, Some(value))),
    }
}
