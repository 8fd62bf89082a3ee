//! A resource to transfer, and the result.

use alloc::{string::String, vec::Vec};

use crate::{
    decide::Action,
    ledger::StoredResource,
    listed_resource::{ListedResource, Patch},
    report::{Origin, Seen},
    stored_state::StoredState,
    transfer::{Failure, Verified},
};

/// A resource to transfer.
#[derive(Debug, Clone)]
pub struct Task {
    /// What is done.
    pub action: Action,
    /// The listed resource.
    pub resource: ListedResource,
    /// What is stored of it.
    pub stored: Option<StoredResource>,
    /// Its path.
    pub place: String,
    /// True to make a conditional request for the stored resource.
    pub is_conditional: bool,
    /// True if a file of others is at its path, which is adopted if it is as listed.
    pub is_foreign: bool,
    /// True to compare the file at its path with the listed digests first.
    pub compares_file: bool,
    /// True if a file of others is replaced.
    pub replaces: bool,
    /// The mirrors that are asked first.
    pub mirrors: Vec<String>,
    /// The patch that is tried before all of them.
    pub patch: Option<Patch>,
    /// True if nothing is requested but mirrors.
    pub avoids_loc: bool,
    /// True for a version that is to be kept in the history.
    pub is_version: bool,
}

impl Task {
    /// A resource that is not stored yet, to be fetched from its URI only.
    pub(super) fn new(action: Action, resource: ListedResource) -> Task {
        Task {
            action,
            resource,
            stored: None,
            place: String::new(),
            is_conditional: false,
            is_foreign: false,
            compares_file: false,
            replaces: false,
            mirrors: Vec::new(),
            patch: None,
            avoids_loc: false,
            is_version: false,
        }
    }
}

/// The result of a transfer.
#[derive(Debug, Clone)]
pub enum Transferred {
    /// A verified file is in staging, under this number.
    Staged {
        /// Its number in staging.
        number: u64,
        /// What was listed and verified.
        state: StoredState,
        /// The time of the file, in nanoseconds since 1970.
        mtime: i64,
        /// How it was verified.
        by: Verified,
        /// Bytes received.
        received: u64,
        /// Where they are from.
        from: Origin,
    },
    /// The stored resource is as listed.
    Same,
    /// The file of others at its place is as listed.
    Adopted {
        /// What was listed and verified.
        state: StoredState,
        /// The time of the file, in nanoseconds since 1970.
        mtime: i64,
    },
    /// A file of others is in the way.
    Conflict,
    /// It is a related resource whose host is not allowed.
    NotAllowed,
    /// It is newer than its list.
    Deferred(Seen),
    /// It failed.
    Failed(Failure),
    /// It would exceed the bytes that the run may fetch.
    Unaffordable,
    /// The run was cancelled.
    Interrupted,
}

/// A verified file in staging that gets a name in the history.
#[derive(Debug, Clone)]
pub struct Version {
    /// Its number in staging.
    pub number: u64,
    /// The resource as listed; its `loc` is that of the memento.
    pub resource: ListedResource,
    /// What was listed and verified.
    pub state: StoredState,
    /// Where its bytes are from.
    pub from: Origin,
}

/// A verified file in staging that gets its place.
#[derive(Debug, Clone)]
pub struct Placed {
    /// Its number in staging.
    pub number: u64,
    /// The resource to record; its number is 0 unless it was stored before.
    pub stored: StoredResource,
    /// The resource as listed.
    pub resource: ListedResource,
    /// Where its bytes are from.
    pub from: Origin,
}
