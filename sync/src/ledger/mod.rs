//! What a copy knows: the interface to its ledger.
//!
//! A ledger is one store behind eight traits, each with the verbs of one concept; [`Ledger`] is all of them. A verb takes effect whole or not
//! at all. `client` keeps a ledger in SQLite, [`Memory`] one in memory, and both pass the same tests.

mod memory;
mod memory_kept;
mod memory_related;

use alloc::{string::String, vec::Vec};

pub use self::{
    memory::Memory,
    memory_kept::{KeptLedger, KeptResource, as_listed},
};
use crate::{
    chain::Part,
    change::Change,
    checkpoint::Checkpoint,
    conclude::Outcome,
    decide::Action,
    listed_resource::ListedResource,
    reduce::LastChange,
    report::{Counts, ItemCode},
    stored_state::StoredState,
    survey::Remembered,
};

/// In place of the options of the last settled run: they are unknown, so everything is compared.
pub const UNSETTLED: &str = "no";

/// A ledger.
pub trait Ledger: Resources + Plan + Changes + RelatedResources + Versions + Retries + Unconfirmed + Runs {}

impl<L: Resources + Plan + Changes + RelatedResources + Versions + Retries + Unconfirmed + Runs> Ledger for L {}

/// A store that may fail.
pub trait Store {
    /// Why the store failed.
    type Error;

    /// Begins a batch of decisions: what they read and write is one step of the store until [`Store::end_batch`]. What is lost of it, the
    /// next run decides again.
    ///
    /// # Errors
    ///
    /// If the store fails.
    fn begin_batch(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Ends the batch.
    ///
    /// # Errors
    ///
    /// If the store fails.
    fn end_batch(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// A stored resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResource {
    /// Its number in the ledger, from 1; 0 for a resource that is not stored yet.
    pub id: i64,
    /// Its URI.
    pub uri: String,
    /// Its path, if it differs from that of the layout.
    pub path: Option<String>,
    /// What was listed and verified.
    pub state: StoredState,
    /// The time of its file, in nanoseconds since 1970.
    pub mtime: i64,
}

impl StoredResource {
    /// The resource as it was listed.
    pub fn listed(&self) -> ListedResource {
        let StoredState { hash, length, lastmod, .. } = self.state.clone();
        ListedResource {
            uri: self.uri.clone(),
            loc: self.uri.clone(),
            lastmod,
            hash,
            length,
            ..ListedResource::default()
        }
    }
}

/// A row of the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    /// Its place in the plan.
    pub sequence: i64,
    /// What is done.
    pub action: Action,
    /// The listed resource.
    pub resource: ListedResource,
}

/// What lets the next run skip unchanged work.
#[derive(Debug, Clone, Copy)]
pub struct Settled<'a> {
    /// The documents, for conditional requests.
    pub documents: &'a Remembered,
    /// How far the changes of each set have been processed.
    pub checkpoints: &'a [Checkpoint],
    /// The options for which it is valid.
    pub options: &'a str,
    /// [`Ledger::described`].
    pub described: i64,
    /// The number of resources that were kept although they are no longer listed.
    pub kept: u64,
}

/// The stored resources.
pub trait Resources: Store {
    /// The resource of a URI.
    fn find(&self, uri: &str) -> Result<Option<StoredResource>, Self::Error>;
    /// All resources, ordered by number, with the run that recorded each last.
    fn each(&self, take: &mut dyn FnMut(StoredResource, u64) -> Result<(), Self::Error>) -> Result<(), Self::Error>;
    /// The number of stored resources, and their bytes.
    fn totals(&self) -> Result<(u64, u64), Self::Error>;
    /// Records that the file of a resource has the listed digests.
    fn verified(&mut self, resource: &ListedResource) -> Result<(), Self::Error>;
    /// Records what is listed of a resource that is stored as listed.
    fn listed_as(&mut self, resource: &ListedResource) -> Result<(), Self::Error>;
    /// Records a file that was there already as a stored resource.
    fn adopted(&mut self, stored: StoredResource, run: u64) -> Result<(), Self::Error>;
    /// Marks a resource as deleted by a Change List.
    fn mark_deleted(&mut self, stored: &StoredResource) -> Result<(), Self::Error>;
    /// Removes the mark.
    fn unmark_deleted(&mut self, id: i64) -> Result<(), Self::Error>;
    /// The resources marked as deleted.
    fn marked_deleted(&self) -> Result<Vec<StoredResource>, Self::Error>;
    /// Records the links of a resource that the copy passes on.
    fn pass_on(&mut self, resource: &ListedResource) -> Result<(), Self::Error>;
    /// True if the program has acknowledged the newest change of a resource.
    fn is_acknowledged(&self, uri: &str) -> Result<bool, Self::Error>;
}

/// What a run has to do, and what the sets list.
pub trait Plan: Store {
    /// Plans an action for a resource that a document lists, in place of another for the same resource.
    fn plan(&mut self, document: u32, action: Action, resource: &ListedResource) -> Result<(), Self::Error>;
    /// Removes a resource from the plan, and returns it.
    fn unplan(&mut self, uri: &str) -> Result<Option<ListedResource>, Self::Error>;
    /// What is planned for a resource.
    fn planned_of(&self, uri: &str) -> Result<Option<Planned>, Self::Error>;
    /// Removes the plan of a document, or the whole plan.
    fn forget_plan(&mut self, document: Option<u32>) -> Result<(), Self::Error>;
    /// The number of planned transfers, and the bytes of those with a listed length.
    fn planned(&self) -> Result<(u64, u64), Self::Error>;
    /// The next rows of the plan after this one.
    fn planned_after(&self, after: i64, most: usize) -> Result<Vec<Planned>, Self::Error>;
    /// Notes that a set lists a resource in a document.
    fn note_listing(&mut self, document: u32, set: &str, uri: &str) -> Result<(), Self::Error>;
    /// True if several sets list a resource, as far as this run has read.
    fn is_shared(&self, uri: &str) -> Result<bool, Self::Error>;
    /// Forgets what a document lists, or all documents.
    fn forget_listings(&mut self, document: Option<u32>) -> Result<(), Self::Error>;
}

/// The last change of each resource, and how far the changes of each set have been processed.
pub trait Changes: Store {
    /// Forgets all changes.
    fn forget_changes(&mut self) -> Result<(), Self::Error>;
    /// Adds changes of documents, and empties the list.
    fn add_changes(&mut self, list: &mut Vec<(u32, Change)>) -> Result<(), Self::Error>;
    /// Removes the changes of a document.
    fn drop_changes(&mut self, document: u32) -> Result<(), Self::Error>;
    /// Reduces the changes of these documents of a set to the last one of each resource.
    fn reduce(&mut self, order: &[Part], set: &str) -> Result<(), Self::Error>;
    /// Combines the last changes of several sets: a resource is what the set states that changed it last, and it is deleted when no set
    /// lists it any more. True if some order is unknown, so that only Resource Lists show which sets list the resource. If `compares_lists`
    /// is true, these have just been read: what sets listed before does not count, and what another set lists exists.
    fn combine(&mut self, compares_lists: bool) -> Result<bool, Self::Error>;
    /// The last changes after this one, each with its place.
    fn last_changes(&self, after: i64, most: usize) -> Result<Vec<(i64, LastChange)>, Self::Error>;
    /// True if the changes have a later state of a resource.
    fn has_change(&self, uri: &str) -> Result<bool, Self::Error>;
    /// The state of the Change Lists of each set; none before a run was completed.
    fn checkpoints(&self) -> Result<Vec<Checkpoint>, Self::Error>;
    /// The recorded state of the documents.
    fn remembered(&self) -> Result<Remembered, Self::Error>;
    /// The options of the last run that was completed; `no` if a later one was not, and `None` before any.
    fn settled(&self) -> Result<Option<String>, Self::Error>;
    /// When the documents, or the Source Description of a Source that is followed, were last requested without trusting dates, in seconds since 1970.
    fn described(&self) -> Result<Option<i64>, Self::Error>;
    /// Records that.
    fn put_described(&mut self, seconds: i64) -> Result<(), Self::Error>;
    /// The number of resources that were kept although they are no longer listed.
    fn kept(&self) -> Result<u64, Self::Error>;
    /// Forgets that the last run was completed; if `lists_are_complete`, also what is to be tried again, since the lists have it. If
    /// there is a `begun`, it is recorded until a run is settled.
    fn unsettle(&mut self, lists_are_complete: bool, begun: Option<i64>) -> Result<(), Self::Error>;
    /// The time of the Resource Lists with which a copy was begun that no run has completed yet, in seconds since 1970.
    fn begun(&self) -> Result<Option<i64>, Self::Error>;
    /// Records what lets the next run skip unchanged work, after everything was compared with the lists.
    fn settle(&mut self, settled: &Settled<'_>) -> Result<(), Self::Error>;
    /// Records how far changes have been processed, and the number of resources that were kept although they were deleted.
    fn settle_changes(&mut self, to: &[Checkpoint], kept: u64) -> Result<(), Self::Error>;
}

/// Which entries link to which related resources, and which of these are listed themselves.
///
/// What a run notes is in effect for this run, and for those after it once the run is settled: in place of what was there before if lists
/// were compared, otherwise in addition to it.
pub trait RelatedResources: Store {
    /// Notes that a document lists a resource.
    fn note_listed(&mut self, document: u32, uri: &str) -> Result<(), Self::Error>;
    /// Notes that an entry links to a related resource.
    fn note_related(&mut self, document: u32, entry: &str, related: &ListedResource) -> Result<(), Self::Error>;
    /// Notes that a resource is no longer listed, and its entry links to nothing.
    fn note_unlisted(&mut self, uri: &str) -> Result<(), Self::Error>;
    /// True if a link to a resource was noted, now or before, or that it is listed.
    fn is_known(&self, uri: &str) -> Result<bool, Self::Error>;
    /// Records the links to a resource that were noted in this run, also if it does not end: what is stored without any is listed itself.
    fn keep_links(&mut self, uri: &str) -> Result<(), Self::Error>;
    /// True if an entry links to a resource, as far as is known now.
    fn is_related(&self, uri: &str) -> Result<bool, Self::Error>;
    /// Forgets what was noted of a document, or of all documents.
    fn forget_related(&mut self, document: Option<u32>) -> Result<(), Self::Error>;
    /// The related resources that were noted after this row and are not listed themselves, with their rows. If `compares_lists` is true, only
    /// what was noted in this run counts as listed.
    fn related_after(
        &self,
        after: i64,
        most: usize,
        compares_lists: bool,
    ) -> Result<Vec<(i64, ListedResource)>, Self::Error>;
    /// The URIs after this one to which entries linked that are no longer listed, and nothing does any more. If `compares_lists` is true, only
    /// what was noted in this run counts.
    fn unrelated_after(&self, after: &str, most: usize, compares_lists: bool) -> Result<Vec<String>, Self::Error>;
}

/// Listed versions of resources that are kept although later ones replace them. A version is a memento with the digests of its entry.
pub trait Versions: Store {
    /// Notes a version that is to be kept, unless it is already. What is noted stays until the version is kept.
    fn note_version(&mut self, version: &ListedResource) -> Result<(), Self::Error>;
    /// The versions to be kept after this row, with their rows.
    fn versions_after(&self, after: i64, most: usize) -> Result<Vec<(i64, ListedResource)>, Self::Error>;
    /// The number of versions to be kept.
    fn versions_due(&self) -> Result<u64, Self::Error>;
    /// Stops retrying a version.
    fn forget_version(&mut self, version: &ListedResource) -> Result<(), Self::Error>;
}

/// The resources that could not be stored as listed; the next run tries them again.
pub trait Retries: Store {
    /// Records a resource to be tried again, and why.
    fn retry_later(&mut self, resource: &ListedResource, code: ItemCode, run: u64) -> Result<(), Self::Error>;
    /// The resources to be tried again, by URI.
    fn retries(&self) -> Result<Vec<ListedResource>, Self::Error>;
    /// Changes what is listed of a resource that is to be tried again, if it is.
    fn renew_retry(&mut self, resource: &ListedResource) -> Result<(), Self::Error>;
    /// Stops retrying a resource.
    fn forget_retry(&mut self, uri: &str) -> Result<(), Self::Error>;
}

/// Resources that were changed by notifications, and that no Change List has yet.
pub trait Unconfirmed: Store {
    /// The number of resources with unconfirmed changes, and of those that are deletions.
    fn unconfirmed(&self) -> Result<(u64, u64), Self::Error>;
    /// Records changes that are about to be applied. `now` is in seconds since 1970.
    fn note_unconfirmed(&mut self, changes: &[&Change], run: u64, now: i64) -> Result<(), Self::Error>;
    /// Forgets the changes of a run that failed: no list states them, so they are not tried again.
    fn forget_failed(&mut self, run: u64) -> Result<(), Self::Error>;
    /// True if the Change Lists lack an unconfirmed change of this moment or before, in nanoseconds since 1970, or one that was applied
    /// until `applied`, in seconds.
    fn lacks_unconfirmed(&self, moment: Option<i64>, applied: i64) -> Result<bool, Self::Error>;
    /// Confirms the changes of resources that the Change Lists have.
    fn confirm(&mut self) -> Result<(), Self::Error>;
}

/// The runs.
pub trait Runs: Store {
    /// Ends a run. `ended` is when, as in the report.
    fn end_run(&mut self, run: u64, ended: &str, outcome: Outcome, counts: &Counts) -> Result<(), Self::Error>;
}
