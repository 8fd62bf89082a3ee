//! The options of a run, and what it leaves for the next one.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};

use crate::{
    destination::Settings,
    guard::MaxDelete,
    ledger::{KeptLedger, Memory},
};

/// The name of the format of checkpoints.
const FORMAT: &str = "resourcesync-pull-checkpoint";

/// The options of a run.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct PullOptions {
    /// Where the Source begins.
    pub uri: String,
    /// What an earlier run left.
    pub checkpoint: Option<PullCheckpoint>,
    /// The clock, in seconds since 1970.
    pub now: i64,
    /// The same, as in the report.
    pub started: String,
    /// Only the report: what would be done.
    pub dry_run: bool,
    /// Compare everything, even if no document changed.
    pub full: bool,
    /// Use documents that are older than those of the earlier run.
    pub accept_older: bool,
    /// Leave out resources without a listed digest.
    pub require_hash: bool,
    /// The maximum number of deletions: a number, a percentage, or `none`.
    pub max_delete: Option<String>,
    /// Only these Capability Lists.
    pub sets: Vec<String>,
    /// Only resources whose path or URI matches.
    pub include: Vec<String>,
    /// No resources whose path or URI matches.
    pub exclude: Vec<String>,
    /// The maximum number of resources in the report.
    pub max_listed: Option<usize>,
}

/// What a run leaves for the next one: a plain value, to be stored once all its resources are processed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PullCheckpoint {
    /// `resourcesync-pull-checkpoint`
    pub format: String,
    /// 1.
    pub format_version: u32,
    /// Where the Source begins.
    pub source: String,
    /// What the program has, and how far the Source was followed.
    #[serde(flatten)]
    pub ledger: KeptLedger,
}

impl PullCheckpoint {
    pub(super) fn of(source: String, ledger: &Memory) -> PullCheckpoint {
        PullCheckpoint { format: FORMAT.to_string(), format_version: 1, source, ledger: ledger.keep() }
    }
}

impl PullOptions {
    pub(super) fn settings(&self) -> Result<Settings, String> {
        if let Some(PullCheckpoint { format, format_version, .. }) = &self.checkpoint
            && (format != FORMAT || *format_version != 1)
        {
            return Err(format!("checkpoint: its format is `{format}` {format_version}, not `{FORMAT}` 1"));
        }
        let mut settings = Settings { dry_run: self.dry_run, require_hash: self.require_hash, ..Settings::default() };
        settings.reading.full = self.full;
        settings.reading.accept_older = self.accept_older;
        settings.reading.sets.clone_from(&self.sets);
        settings.selection.include.clone_from(&self.include);
        settings.selection.exclude.clone_from(&self.exclude);
        settings.max_listed = self.max_listed.unwrap_or(settings.max_listed);
        match self.max_delete.as_deref() {
            None => {}
            Some("none") => settings.max_delete = None,
            Some(text) => {
                let read = MaxDelete::read(text);
                settings.max_delete = Some(read.ok_or_else(|| {
                    format!("maxDelete: expected a number, a share such as 2%, or none, and not `{text}`")
                })?);
            }
        }
        // A run with another selection compares everything.
        settings.settled = format!("{:?} {:?} {:?} {}", self.sets, self.include, self.exclude, self.require_hash);
        Ok(settings)
    }
}
