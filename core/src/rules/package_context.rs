//! External context for a check: the package around a manifest, or the packages that a dump lists.

use alloc::{collections::BTreeMap, string::String, sync::Arc, vec::Vec};

use crate::{
    model::{Kind, Md},
    value::Algorithm,
};

/// The package around a manifest.
pub trait PackageMembers: core::fmt::Debug + Send + Sync {
    /// The member of exactly this name.
    fn find(&self, name: &str) -> FoundMember;

    /// The digest of a member, if it was computed.
    fn digest(&self, index: u32, algorithm: &Algorithm) -> Option<&[u8]>;
}

/// The member of a package with a given name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoundMember {
    /// A file.
    File {
        /// Its number, for further lookups.
        index: u32,
        /// Its uncompressed size; `None` if its data is corrupt.
        length: Option<u64>,
    },
    /// A folder.
    Directory,
    /// None; with the most similar name, if any, and the difference.
    Absent(Option<(String, &'static str)>),
}

/// The facts about a package in the same run as the dump that lists it.
///
/// Two are equal if no statement of a dump can distinguish them, whatever their names.
#[derive(Debug, Clone, Default)]
pub struct KnownPackage {
    /// The name to report it by.
    pub name: String,
    /// The kind of its manifest; unknown if it has no readable manifest.
    pub manifest: Kind,
    /// The root `rs:md` of its manifest.
    pub head: Option<Md>,
    /// Size of the file.
    pub length: u64,
    /// True if it is a ZIP archive.
    pub is_zip: bool,
    /// Computed digests of the file.
    pub digests: Vec<(Algorithm, Vec<u8>)>,
    /// A digest of the content of its manifest; `None` if it was not read to the end.
    pub canonical: Option<[u8; 32]>,
}

impl PartialEq for KnownPackage {
    fn eq(&self, other: &KnownPackage) -> bool {
        let told = |own: &KnownPackage| (own.manifest, own.length, own.is_zip, own.canonical);
        told(self) == told(other) && self.digests == other.digests && self.head == other.head
    }
}

/// The packages and manifests that a dump lists, as far as they are in the same run, by their URIs.
#[derive(Debug, Clone, Default)]
pub struct KnownPackages {
    /// Packages.
    pub packages: BTreeMap<String, Arc<KnownPackage>>,
    /// Digests of the content of separate manifests.
    pub manifests: BTreeMap<String, [u8; 32]>,
}

impl KnownPackages {
    /// The package at a URI.
    pub fn of(&self, uri: &str) -> Option<&KnownPackage> {
        self.packages.get(uri).map(Arc::as_ref)
    }

    /// The digest of the content of the manifest at a URI.
    pub fn manifest(&self, uri: &str) -> Option<[u8; 32]> {
        self.manifests.get(uri).copied()
    }
}
