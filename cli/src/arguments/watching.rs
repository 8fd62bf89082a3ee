//! The options of `resourcesync build --watch`.

use std::time::Duration;

use clap::Args;
use resourcesync_client::publish::{Snapshot, WatchOptions};

use super::values;

const WATCHING: &str = "Watching";

/// Watches a folder.
#[derive(Debug, Args)]
pub(crate) struct WatchedFolder {
    /// Keep running, and publish what changes in DIR when there was no further change for this time [default: 2s]
    ///
    /// The first run compares the whole folder. Then only the files that changed are read, and only the open Change List is written, until the
    /// next snapshot is due (--snapshot).
    #[arg(long, value_name = "QUIET", value_parser = values::short_duration, num_args = 0..=1, default_missing_value = "2s",
        require_equals = true, help_heading = WATCHING, requires = "folder",
        conflicts_with_all = ["from_csv", "follow_symlinks", "at", "force", "new_dump", "verify_state", "rebuild_state", "dry_run",
            "record", "replay", "resume", "revalidate"])]
    pub(crate) watch: Option<Duration>,
    /// The shortest time from one publication to the next
    #[arg(long, value_name = "DURATION", value_parser = values::short_duration, default_value = "0s", help_heading = WATCHING,
        requires = "watch")]
    pub(crate) every: Duration,
    /// Also compare the whole folder this long after the last time [default: 1h, or 1m if changes cannot be noticed]
    #[arg(long, value_name = "DURATION", value_parser = values::duration, help_heading = WATCHING, requires = "watch")]
    pub(crate) poll: Option<Duration>,
}

impl WatchedFolder {
    /// The options for the client, if the folder is watched.
    pub(crate) fn options(&self, snapshot: Option<Snapshot>) -> Option<WatchOptions> {
        Some(WatchOptions { quiet: self.watch?, every: self.every, poll: self.poll, snapshot })
    }
}
