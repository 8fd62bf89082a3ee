//! Cross-checks dumps against the packages supplied in the same run.

use alloc::{collections::BTreeMap, string::String, sync::Arc, vec::Vec};

use super::DumpListing;
use crate::{
    rules::{KnownPackage, KnownPackages},
    value::Hashes,
};

/// The dumps and packages of a run, by their file names.
///
/// Add every document, then every package; then validate the documents with the result.
#[derive(Debug, Default)]
pub struct DumpIndex {
    dumps: Vec<(String, DumpListing)>,
    packages: BTreeMap<String, Option<Arc<KnownPackage>>>,
}

impl DumpIndex {
    /// Adds the scan of a document.
    pub fn add_dump(&mut self, name: impl Into<String>, dump: DumpListing) {
        self.dumps.push((name.into(), dump));
    }

    /// The digests that dumps list for a package, for [`Verification::with_digests`](crate::package::Verification::with_digests);
    /// `None` if no dump lists it.
    pub fn listed_digests(&self, name: &str) -> Option<Hashes> {
        let mut listed = self.dumps.iter().filter_map(|(_, dump)| dump.packages.get(name)).peekable();
        listed.peek()?;
        let mut all = Hashes::default();
        for hash in listed.flat_map(Hashes::iter) {
            all.push(hash.algorithm.clone(), hash.digest.clone());
        }
        Some(all)
    }

    /// Adds a verified package.
    pub fn add_package(&mut self, name: impl Into<String>, package: KnownPackage) {
        insert(&mut self.packages, name.into(), Arc::new(package));
    }

    /// The packages to validate the documents against; `None` if there are no packages or no documents.
    pub fn packages(&self) -> Option<KnownPackages> {
        if self.packages.is_empty() || self.dumps.is_empty() {
            return None;
        }
        let linked = |name: &String| self.dumps.iter().any(|(_, dump)| dump.manifests.contains(name));
        let mut manifests = BTreeMap::new();
        for (name, dump) in self.dumps.iter().filter(|(name, _)| linked(name)) {
            if let Some(canonical) = dump.canonical {
                insert(&mut manifests, name.clone(), canonical);
            }
        }
        Some(KnownPackages { whole: false, packages: self.packages.clone(), manifests })
    }
}

/// If two different files share a name, it is unknown which is meant.
fn insert<T: PartialEq>(map: &mut BTreeMap<String, Option<T>>, name: String, value: T) {
    let is_other = |own: &Option<T>| own.as_ref() != Some(&value);
    match map.get_mut(&name) {
        Some(own) if is_other(own) => *own = None,
        Some(_) => {}
        None => drop(map.insert(name, Some(value))),
    }
}
