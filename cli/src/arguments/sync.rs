//! The options of `resourcesync sync` and `resourcesync audit`.

use std::{path::PathBuf, time::Duration};

use clap::{Args, ValueHint};
use resourcesync_sync::{Layout, guard::MaxDelete};

use super::{Language, Servers, examples, values};

const DELETIONS: &str = "Deletions";
const FILES: &str = "Files";

/// `sync`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::SYNC)]
pub(crate) struct Sync {
    /// The Source: a host, page, Source Description, Capability List or Resource List (later runs may omit it); and the folder
    #[arg(value_name = "[URI] DIR", num_args = 1..=2, required = true, value_hint = ValueHint::DirPath)]
    pub(crate) targets: Vec<String>,
    /// Read the documents, compare, and print what would be done; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Compare everything, even if no document changed; finds files that were changed or removed locally
    #[arg(long)]
    pub(crate) baseline: bool,
    /// Reject resources without a listed digest
    #[arg(long)]
    pub(crate) require_hash: bool,
    /// Accept lists that are older than those of the previous run
    #[arg(long)]
    pub(crate) accept_older: bool,

    /// Keep everything that is no longer listed
    #[arg(long, help_heading = DELETIONS, conflicts_with = "max_delete")]
    pub(crate) no_delete: bool,
    /// Maximum number of deletions per run: N or N% [default: 20, or 10% if that is more]
    #[arg(long, value_name = "N|N%", value_parser = values::deletions, help_heading = DELETIONS)]
    pub(crate) max_delete: Option<MaxDelete>,

    /// How files are named: uri, portable or hash; the first run decides [default: uri]
    #[arg(long, value_name = "LAYOUT", value_parser = values::layout(), help_heading = FILES, hide_possible_values = true)]
    pub(crate) layout: Option<Layout>,
    /// Adopt existing files that have the listed digests
    #[arg(long, help_heading = FILES)]
    pub(crate) adopt: bool,
    /// Replace foreign files, which are moved to the trash
    #[arg(long, help_heading = FILES)]
    pub(crate) overwrite: bool,
    /// Sync files to disk: group (all files, in groups) or none
    #[arg(long, value_name = "HOW", default_value = "group", value_enum, help_heading = FILES, hide_possible_values = true)]
    pub(crate) durability: Durability,

    /// Stop fetching after N bytes; the next run continues
    #[arg(long, value_name = "N")]
    pub(crate) max_bytes: Option<u64>,
    /// Stop fetching after this time, e.g. 90s, 10m, 2h or 1d; the next run continues
    #[arg(long, value_name = "DURATION", value_parser = values::duration)]
    pub(crate) max_time: Option<Duration>,
    /// Output format: text, json, or ndjson with one line per resource
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum, hide_possible_values = true)]
    pub(crate) format: SyncFormat,
    /// Write the report to this file instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Maximum number of resources in the report; the others are only counted
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub(crate) max_listed: usize,
    #[command(flatten)]
    pub(crate) language: Language,
    /// Print no progress, and no text report if the copy is in step
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Override a limit, e.g. http_requests_per_second=20; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::limit, long_help = values::LIMIT_HELP.as_str())]
    pub(crate) limit: Vec<(&'static str, u64)>,
    #[command(flatten)]
    pub(crate) servers: Servers,
}

/// When files are synced to disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Durability {
    /// Every file before it is placed
    Group,
    /// Never
    None,
}

/// Formats of `sync` and `audit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum SyncFormat {
    /// For reading in a terminal
    Text,
    /// The report as JSON
    Json,
    /// One line of JSON per resource, then the report
    Ndjson,
}

/// `audit`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::AUDIT)]
pub(crate) struct Audit {
    /// The folder of the copy
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
    /// Compare with the state of the copy only, without network access
    #[arg(long, required = true)]
    pub(crate) offline: bool,
    /// Compare size and time instead of reading the files
    #[arg(long)]
    pub(crate) quick: bool,
    /// Output format: text or json
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum, hide_possible_values = true)]
    pub(crate) format: super::Plain,
    #[command(flatten)]
    pub(crate) language: Language,
}
