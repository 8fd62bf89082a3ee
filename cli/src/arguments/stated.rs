//! The options of `resourcesync build` for changes that a program states.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use clap::{Args, ValueHint};
use resourcesync_client::publish::{Changes, Events, Snapshot};

use super::{Resources, values};

const CHANGES: &str = "Changes";

/// How long a run with changes waits for another one.
const WAIT: Duration = Duration::from_secs(10);

/// Changes instead of resources.
#[derive(Debug, Args)]
pub(crate) struct Stated {
    /// Publish only the changes in this file, as CSV or JSON lines; `-` is standard input
    ///
    /// The columns or fields are those of an inventory, and `change`: created, updated, deleted, or upsert if it is not known which of
    /// the first two; `datetime` is optional. URIs and options are those of earlier runs, so that only --out is required.
    #[arg(long, value_name = "FILE", help_heading = CHANGES, conflicts_with_all = ["folder", "from_csv", "from_jsonl", "stdin"],
        value_hint = ValueHint::FilePath)]
    pub(crate) changes: Option<PathBuf>,
    /// Refuse changes that do not fit what is published, such as `created` for a resource that is there
    #[arg(long, requires = "changes", help_heading = CHANGES)]
    pub(crate) strict_events: bool,
    /// When to write the Resource Lists as well: now, never, after an age such as 24h, or after N changes
    ///
    /// By default once a day, and before the open Change List is closed. Later runs continue with the value. `now` needs no --changes; with --watch it is for the publications of changes.
    #[arg(long, value_name = "WHEN", value_parser = values::snapshot, help_heading = CHANGES,
        conflicts_with_all = ["from_csv", "from_jsonl", "stdin"])]
    pub(crate) snapshot: Option<Snapshot>,
    /// How long to wait for another run, such as 30s [default: 10s with --changes or --watch, otherwise 0s]
    #[arg(long, value_name = "DURATION", value_parser = values::duration, help_heading = CHANGES)]
    pub(crate) wait: Option<Duration>,
}

impl Stated {
    /// The changes; `None` for a run that reads all resources.
    pub(crate) fn changes(&self, resources: &Resources) -> Option<Changes> {
        let file = |file: &PathBuf| Events::File(resources.changes(file as &Path));
        if resources.folder.is_some() || self.changes.is_none() && self.snapshot.is_none() {
            return None;
        }
        Some(Changes {
            events: self.changes.as_ref().map_or(Events::None, file),
            strict: self.strict_events,
            snapshot: self.snapshot,
            wait: self.waited(),
        })
    }

    /// How long a run with changes waits for another one.
    pub(crate) fn waited(&self) -> Duration {
        self.wait.unwrap_or(WAIT)
    }
}
