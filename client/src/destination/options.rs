//! What a run is to do, and what it reports while it lasts.

use std::time::Duration;

use resourcesync::limits::Limits;
use resourcesync_sync::{Layout, guard::MaxDelete, report::Item};

/// What a run is to do.
#[derive(Debug, Clone)]
pub struct Options {
    /// How files are named; the first run fixes it. `None` for what the copy has, or else [`Layout::Uri`].
    pub layout: Option<Layout>,
    /// Take over files that are there already and have the listed digests.
    pub adopt: bool,
    /// Replace files of others; they are moved to the trash.
    pub overwrite: bool,
    /// Compare everything, also if no document changed.
    pub baseline: bool,
    /// Write nothing.
    pub dry_run: bool,
    /// How many resources may be deleted; `None` for none.
    pub max_delete: Option<MaxDelete>,
    /// Accept no resource without a listed digest.
    pub require_hash: bool,
    /// Accept lists that are older than those of before.
    pub accept_older: bool,
    /// Bytes of resources to fetch at most.
    pub max_bytes: Option<u64>,
    /// Time to begin transfers in.
    pub max_time: Option<Duration>,
    /// Make files durable before they replace others.
    pub durable: bool,
    /// Items in the report.
    pub max_listed: usize,
    /// Limits of documents.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            layout: None,
            adopt: false,
            overwrite: false,
            baseline: false,
            dry_run: false,
            max_delete: Some(MaxDelete::Auto),
            require_hash: false,
            accept_older: false,
            max_bytes: None,
            max_time: None,
            durable: true,
            max_listed: 1_000,
            limits: Limits::default(),
        }
    }
}

/// What a run is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// It reads documents.
    Documents,
    /// It fetches resources.
    Resources,
    /// It deletes.
    Deleting,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What it is doing.
    pub phase: Phase,
    /// Documents, resources or deletions done.
    pub done: u64,
    /// Of how many, where that is known.
    pub total: Option<u64>,
    /// Entries read, or bytes received.
    pub amount: u64,
}

/// What a run reports while it lasts.
#[derive(Debug)]
pub enum Event<'a> {
    /// How far it is.
    Progress(Progress),
    /// The result of a resource; all of them, also those that the report leaves out.
    Item(&'a Item),
}
