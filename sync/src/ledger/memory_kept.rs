//! A ledger in memory as a plain value, to be stored by the program.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use resourcesync::value::{Algorithm, to_hex};
use serde::{Deserialize, Serialize};

use super::{Memory, StoredResource};
use crate::{checkpoint::Checkpoint, listed_resource::ListedResource, stored_state::StoredState, survey::Remembered};

/// The rows of a [`Memory`] that the next run needs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct KeptLedger {
    /// The number of runs so far.
    pub runs: u64,
    /// The resources that the program has.
    pub resources: Vec<KeptResource>,
    /// Which sets list which resources, if there are several sets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub listings: Vec<(String, String)>,
    /// Resources to be tried again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub retries: Vec<ListedResource>,
    /// How far the changes of each set have been processed.
    pub checkpoints: Vec<Checkpoint>,
    /// The documents that were read.
    pub documents: Remembered,
    /// The options for which they are valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled: Option<String>,
    /// When the Source Description was requested last, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub described: Option<i64>,
    /// The number of resources that were kept although they are no longer listed.
    pub kept: u64,
    /// The time of the Resource Lists with which a copy was begun that no run has completed yet, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub begun: Option<i64>,
}

/// A resource as it was listed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptResource {
    /// Its URI.
    pub uri: String,
    /// Its digests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// Its length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// The time of its last modification, as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lastmod: Option<String>,
}

impl Memory {
    /// The rows as a plain value.
    pub fn keep(&self) -> KeptLedger {
        let resource = |(stored, _): &(StoredResource, u64)| {
            let StoredState { hash, length, lastmod, .. } = stored.state.clone();
            KeptResource { uri: stored.uri.clone(), hash, length, lastmod }
        };
        KeptLedger {
            runs: self.runs,
            resources: self.resources.rows.values().map(resource).collect(),
            listings: self.listings.before.iter().cloned().collect(),
            retries: self.retries.values().cloned().collect(),
            checkpoints: self.state.checkpoints.clone(),
            documents: self.state.documents.clone(),
            settled: self.state.settled.clone(),
            described: self.state.described,
            kept: self.state.kept,
            begun: self.state.begun,
        }
    }
}

impl From<KeptLedger> for Memory {
    fn from(kept: KeptLedger) -> Memory {
        let mut memory = Memory::default();
        for KeptResource { uri, hash, length, lastmod } in kept.resources {
            let listed = ListedResource { hash, length, lastmod, ..ListedResource::default() };
            let state = as_listed(&listed);
            memory.store(StoredResource { id: 0, uri, path: None, state, mtime: 0 }, 0);
        }
        memory.listings.before = kept.listings.into_iter().collect();
        let retries = kept.retries.into_iter().map(|resource| (resource.uri.clone(), resource));
        memory.retries = retries.collect::<BTreeMap<_, _>>();
        memory.state.checkpoints = kept.checkpoints;
        memory.state.documents = kept.documents;
        (memory.state.settled, memory.state.described) = (kept.settled, kept.described);
        (memory.state.kept, memory.state.begun) = (kept.kept, kept.begun);
        memory.runs = kept.runs;
        memory
    }
}

/// The state of a resource that is stored as it is listed.
pub fn as_listed(resource: &ListedResource) -> StoredState {
    let sha256 = resource.hashes().get(&Algorithm::Sha256).map(to_hex).unwrap_or_default();
    StoredState {
        hash: resource.hash.clone(),
        length: resource.length,
        lastmod: resource.lastmod.clone(),
        etag: None,
        modified: None,
        sha256,
        size: resource.length.unwrap_or(0),
    }
}
