//! The options of a run, and its progress.

use std::{path::PathBuf, sync::Arc};

use resourcesync_sync::{destination::Settings, report::Item, selection::Selection};

use super::folder::Keep;
use crate::http::Client;

/// The options of a run.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// What the user decides, and every face declares.
    pub settings: Settings,
    /// Where the ledger is, if not in the folder of the copy.
    pub state: Option<PathBuf>,
    /// Where the bytes are, fixed by the first run.
    pub keep: Keep,
    /// Saves the state in the store of the bytes, so that a run on another machine can go on from it.
    pub saves_state: bool,
    /// Requests documents with another client than resources: one that records or replays them.
    pub documents: Option<Arc<Client>>,
}

impl Options {
    /// The same with other settings.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Settings)) -> Options {
        change(&mut self.settings);
        self
    }

    /// What the machine decides by.
    pub(super) fn settings(&self) -> Settings {
        let mut settings = self.settings.clone();
        settings.placing.adopt |= settings.placing.rebuild;
        settings.placing.overwrite |= settings.placing.rebuild;
        settings.until_acknowledged = matches!(self.keep, Keep::UntilDone);
        settings.settled = self.settled();
        settings
    }

    /// The options that must be equal for the result of a run to be valid for the next one.
    fn settled(&self) -> String {
        let Settings { require_hash, selection, related, .. } = &self.settings;
        let mut settled = if *require_hash { "with-digests" } else { "yes" }.to_owned();
        if *selection != Selection::default() {
            settled += &format!(" {}", serde_json::to_string(selection).unwrap_or_default());
        }
        if !(selection.include.is_empty() && selection.exclude.is_empty()) {
            // Earlier versions did not compare patterns with what escapes stand for.
            settled += " decoded";
        }
        if self.settings.fetching.keeps_versions {
            settled += " versions";
        }
        if self.settings.fetching.accept_newer {
            settled += " newer";
        }
        if !related.is_empty() {
            settled += &format!(" {}", serde_json::to_string(related).unwrap_or_default());
        }
        settled
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
