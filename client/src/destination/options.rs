//! The options of a run, and its progress.

use std::time::Duration;

use resourcesync::limits::Limits;
use resourcesync_sync::{Layout, guard::MaxDelete, report::Item};

/// The options of a run.
#[derive(Debug, Clone)]
pub struct Options {
    /// How files are named, fixed by the first run. `None` for the layout of the copy, or [`Layout::Uri`] for
    /// a new one.
    pub layout: Option<Layout>,
    /// Adopt existing files with the listed digests.
    pub adopt: bool,
    /// Replace foreign files, which are moved to the trash.
    pub overwrite: bool,
    /// Compare everything, even if no document changed.
    pub baseline: bool,
    /// Write nothing.
    pub dry_run: bool,
    /// How many resources may be deleted; `None` for none.
    pub max_delete: Option<MaxDelete>,
    /// Accept no resource without a listed digest.
    pub require_hash: bool,
    /// Accept lists that are older than earlier ones.
    pub accept_older: bool,
    /// Maximum bytes of resources to fetch.
    pub max_bytes: Option<u64>,
    /// Time after which no transfer is started.
    pub max_time: Option<Duration>,
    /// Make files durable before they replace others.
    pub durable: bool,
    /// Maximum items in the report.
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

/// The phase of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Reading documents.
    Documents,
    /// Fetching resources.
    Resources,
    /// Deleting.
    Deleting,
}

/// The progress of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Its phase.
    pub phase: Phase,
    /// Documents, resources or deletions done.
    pub done: u64,
    /// The total, if known.
    pub total: Option<u64>,
    /// Entries read, or bytes received.
    pub amount: u64,
}

/// An event of a run.
#[derive(Debug)]
pub enum Event<'a> {
    /// Its progress.
    Progress(Progress),
    /// The result of a resource, including those omitted from the report.
    Item(&'a Item),
}
