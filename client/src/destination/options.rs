//! The options of a run, and its progress.

use std::{path::PathBuf, sync::Arc, time::Duration};

use resourcesync::limits::Limits;
use resourcesync_sync::{
    Layout, Map,
    destination::{PlanChoice, Reading, Settings},
    guard::MaxDelete,
    report::Item,
    selection::Selection,
};

use super::folder::Keep;
use crate::http::Client;

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
    /// Whether Resource Lists or Change Lists are read.
    pub plan: PlanChoice,
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
    /// Time after which no document is read and no transfer is started.
    pub max_time: Option<Duration>,
    /// Make files durable before they replace others.
    pub durable: bool,
    /// Where the ledger is, if not in the folder of the copy.
    pub state: Option<PathBuf>,
    /// Where the bytes are, fixed by the first run.
    pub keep: Keep,
    /// Capability Lists that are read; empty for what the first run had, or else all. The first run fixes them.
    pub sets: Vec<String>,
    /// Folders of URIs that begin alike; empty for what the first run had. The first run fixes them.
    pub maps: Vec<Map>,
    /// Requests documents with another client than resources: one that records or replays them.
    pub documents: Option<Arc<Client>>,
    /// Which of the listed resources are wanted.
    pub selection: Selection,
    /// Take what is newer than its list as it is, instead of waiting for a list that describes it.
    pub accept_newer: bool,
    /// The greatest age of the newest list.
    pub max_age: Option<Duration>,
    /// How long what was deleted is kept; `None` for until the next run that ends in step.
    pub trash: Option<Duration>,
    /// How long to wait for another run to end.
    pub wait: Duration,
    /// Make a ledger from the files that are there and what is listed; the old one is kept under another name.
    pub rebuild: bool,
    /// Rename the files where the layout or the maps are other than those of the first run.
    pub relayout: bool,
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
            plan: PlanChoice::Auto,
            dry_run: false,
            max_delete: Some(MaxDelete::Auto),
            require_hash: false,
            accept_older: false,
            max_bytes: None,
            max_time: None,
            durable: true,
            state: None,
            keep: Keep::Folder,
            sets: Vec::new(),
            maps: Vec::new(),
            documents: None,
            selection: Selection::default(),
            accept_newer: false,
            max_age: None,
            trash: None,
            wait: Duration::ZERO,
            rebuild: false,
            relayout: false,
            max_listed: 1_000,
            limits: Limits::default(),
        }
    }
}

impl Options {
    /// What of it the machine decides by.
    pub(super) fn settings(&self) -> Settings {
        Settings {
            reading: Reading {
                plan: self.plan,
                full: self.baseline,
                accept_older: self.accept_older,
                max_age: self.max_age,
                limits: self.limits.clone(),
            },
            selection: self.selection.clone(),
            require_hash: self.require_hash,
            adopt: self.adopt || self.rebuild,
            overwrite: self.overwrite || self.rebuild,
            until_acknowledged: matches!(self.keep, Keep::UntilDone),
            max_delete: self.max_delete,
            max_time: self.max_time,
            max_listed: self.max_listed,
            dry_run: self.dry_run,
            settled: self.settled(),
        }
    }

    /// The options that must be equal for the result of a run to be valid for the next one.
    fn settled(&self) -> String {
        let yes = if self.require_hash { "with-digests" } else { "yes" };
        match self.selection == Selection::default() {
            true => yes.to_owned(),
            false => format!("{yes} {}", serde_json::to_string(&self.selection).unwrap_or_default()),
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
    /// Reading the files of the copy, for an audit.
    Files,
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
